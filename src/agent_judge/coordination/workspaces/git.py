"""Snapshots by git, in a repository of our own beside the user's, which is not touched."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self, cast

from agent_judge.coordination.errors import RestoreError, SnapshotError
from agent_judge.coordination.workspaces.records import Change, Snapshot
from agent_judge.coordination.workspaces.tree import (
    Item,
    Kind,
    Tree,
    checked_folder,
    differences,
    kind_of,
    open_root,
    shown,
)
from agent_judge.coordination.workspaces.writing import put_back
from agent_judge.errors import ArgumentError
from agent_judge.judges.git.repository import find_git

_SETTINGS: Final = {
    "core.autocrlf": "false",
    "core.compression": "1",
    "core.fileMode": "true",
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.ignoreCase": "false",
    "core.precomposeUnicode": "false",
    "core.protectHFS": "false",
    "core.protectNTFS": "false",
    "core.symlinks": "true",
    "core.untrackedCache": "false",
    "gc.auto": "0",
}
"""Nothing is converted, run or tidied up, whatever the user has configured."""

_ATTRIBUTES: Final = "* -text -ident !filter !eol !working-tree-encoding\n"
"""Outranks every `.gitattributes`: files are kept as they are."""

_MODES: Final = {"100644": 0o644, "100755": 0o755}
_FOLDER: Final = Item(Kind.FOLDER, -1)
_ROUNDS: Final = 3
_BLOCK: Final = 1 << 18


class GitKeeper:
    """Keeps states of a workspace as git does, in a repository of its own.

    The repository that the workspace may be is neither read nor written: not its index, its
    hooks, its configuration, its stash or its references. What a `.gitignore` of the workspace
    excludes is no part of a state, and stays as it is. Of permissions it keeps whether a file can
    be executed; empty folders it does not know.

    Args:
        workspace: The folder.
        keep_in: Where the repository goes; it outlasts this object. Without it, it goes into a
            temporary folder that `close` removes.

    Raises:
        ArgumentError: No folder, or one that holds `keep_in`.
        WorkspaceError: git is not installed.
        SnapshotError: The repository cannot be made.
    """

    def __init__(self, workspace: str | Path, *, keep_in: str | Path | None = None) -> None:
        self.workspace: Final = checked_folder(workspace)
        self._temporary = keep_in is None
        self._store = Path(keep_in or tempfile.mkdtemp(prefix="agent-judge-")).resolve()
        if self._store.is_relative_to(self.workspace):
            raise ArgumentError(f"keep_in {self._store} lies in the workspace it keeps")
        self._git = find_git(self.workspace)
        self._trees: dict[str, Tree] = {}
        if not (self._store / "objects").exists():
            self._store.mkdir(parents=True, exist_ok=True)
            self._run("init", "--quiet", "--bare", "--template=")
            (self._store / "info").mkdir(exist_ok=True)
        (self._store / "info" / "attributes").write_text(_ATTRIBUTES, "ascii")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def snapshot(self, label: str) -> Snapshot:
        """Keep the present state.

        Raises:
            SnapshotError: A file cannot be read, or a folder is a repository of its own.
        """
        key = self._recorded()
        tree = self._tree(key)
        files = [item for item in tree.values() if item.kind is not Kind.FOLDER]
        return Snapshot(key, label, len(files), sum(item.size for item in files))

    def diff(self, older: Snapshot, newer: Snapshot) -> tuple[Change, ...]:
        """What differs between two states, by path.

        Raises:
            SnapshotError: One of them is not kept here.
        """
        trees = [self._files(self._tree(one.id)) for one in (older, newer)]
        return differences(*trees)

    def restore(self, snapshot: Snapshot) -> None:
        """Put the workspace back into a state.

        What a `.gitignore` hid that was not there then comes to light with the one that was: so
        it is looked at again until nothing differs.

        Raises:
            RestoreError: It is not kept here, or something cannot be written; doing it again goes
                on where this ended.
        """
        try:
            wanted = self._tree(snapshot.id)
            for _ in range(_ROUNDS):
                key = self._recorded()
                if key == snapshot.id:
                    return
                self._put_back(self._tree(key), wanted)
            if self._recorded() != snapshot.id:
                raise RestoreError("the workspace is written to while it is put back")
        except (OSError, SnapshotError) as fault:
            raise RestoreError(f"the workspace cannot be put back: {fault}") from fault

    def close(self) -> None:
        """Remove the repository, unless `keep_in` said where it is to stay."""
        if self._temporary:
            shutil.rmtree(self._store, ignore_errors=True)

    def _put_back(self, present: Tree, wanted: Tree) -> None:
        root = open_root(self.workspace)
        with _Contents([*self._command(), "cat-file", "--batch"], self._environment()) as contents:
            try:
                put_back(root, present, wanted, contents.read, whole=False)
            finally:
                os.close(root)

    def _recorded(self) -> str:
        """The tree of what is in the workspace now."""
        try:
            self._run("add", "--all", "--", ".")
        except SnapshotError:
            if not (special := self._special()):
                raise
            self._run("update-index", "--force-remove", "--", *special)
            self._run("add", "--all", "--", ".")
        return self._run("write-tree").decode().strip()

    def _special(self) -> list[str]:
        """Paths of files that have become pipes, sockets or devices, which git refuses to add."""
        names = filter(None, self._run("ls-files", "-z").split(b"\0"))
        return [path for path in map(os.fsdecode, names) if self._is_special(path)]

    def _is_special(self, path: str) -> bool:
        try:
            return kind_of((self.workspace / path).lstat().st_mode) is None
        except OSError:
            return False

    def _tree(self, key: str) -> Tree:
        if key not in self._trees:
            listing = self._run("ls-tree", "-r", "-z", "-l", "--full-tree", key, "--")
            self._trees[key] = self._parsed(listing)
        return self._trees[key]

    def _parsed(self, listing: bytes) -> Tree:
        tree: dict[str, Item] = {}
        for line in filter(None, listing.split(b"\0")):
            details, _, name = line.partition(b"\t")
            mode, _, blob, size = details.decode().split()
            path = os.fsdecode(name)
            for folder in _folders(path):
                tree.setdefault(folder, _FOLDER)
            if mode == "120000":
                target = self._run("cat-file", "blob", blob)
                tree[path] = Item(Kind.LINK, 0, os.fsdecode(target), len(target))
            elif mode in _MODES:
                tree[path] = Item(Kind.FILE, _MODES[mode], blob, int(size))
            else:
                raise SnapshotError(
                    f"{shown(path)} is a git repository of its own, which git does not keep with "
                    "this one; use a DirectoryKeeper"
                )
        return tree

    @staticmethod
    def _files(tree: Tree) -> Mapping[str, Item]:
        return {path: item for path, item in tree.items() if item.kind is not Kind.FOLDER}

    def _command(self, *, in_workspace: bool = True) -> list[str]:
        settings = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
        work_tree = [f"--work-tree={self.workspace}"] if in_workspace else []
        return [self._git, *settings, "-c", "core.bare=false", *work_tree]

    def _environment(self) -> dict[str, str]:
        """Only what git needs: no configuration, and no variable, of the user's counts."""
        return {
            "GIT_DIR": str(self._store),
            "GIT_INDEX_FILE": str(self._store / "index"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_TERMINAL_PROMPT": "0",
            "HOME": str(self._store),
            "LC_ALL": "C",
            "PATH": str(Path(self._git).parent),
        }

    def _run(self, *arguments: str) -> bytes:
        done = subprocess.run(  # noqa: S603 - git itself, without a shell
            [*self._command(in_workspace=arguments[0] != "init"), *arguments],
            cwd=self.workspace,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace").strip()[:500]
            raise SnapshotError(f"git {arguments[0]} failed: {said or done.returncode}")
        return done.stdout


class _Contents:
    """One git process that gives the contents of files."""

    def __init__(self, command: list[str], environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - git itself, without a shell
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            cast("IO[bytes]", pipe).close()
        self._process.wait()

    def read(self, item: Item) -> Iterator[bytes]:
        """The content of a file, in pieces; all of them have to be taken."""
        asked, answers = (
            cast("IO[bytes]", self._process.stdin),
            cast("IO[bytes]", self._process.stdout),
        )
        asked.write(f"{item.content}\n".encode())
        asked.flush()
        header = answers.readline().split()
        if len(header) != 3 or header[1] != b"blob":
            raise RestoreError(f"the content {item.content} is not kept any more")
        left = int(header[2])
        while left:
            block = answers.read(min(left, _BLOCK))
            if not block:
                raise RestoreError(f"git ended while it gave the content {item.content}")
            left -= len(block)
            yield block
        answers.read(1)


def _folders(path: str) -> Iterator[str]:
    """The folders that a path is in."""
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)
