"""Reading a git repository that may be hostile, through one `git cat-file` process.

Of all that a repository can configure, nothing is run: `cat-file` reads raw objects, so there are
no hooks, no pager, no filters, no external diffs and no file system monitor; transports are shut,
so that a missing object is not fetched by a command of the repository; replacements are off; the
configuration of the user and of the system, and every `GIT_*` variable, is left out. What comes
back is believed only when it hashes to the name that was asked for.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from types import TracebackType
from typing import IO, Final, Self, cast

from agent_judge.errors import ArgumentError
from agent_judge.frozen import check_text
from agent_judge.judges.files.paths import MAX_DEPTH, WorkspaceError
from agent_judge.judges.files.tree import Budget
from agent_judge.judges.git.objects import (
    OBJECT_ID,
    GitObject,
    Mode,
    malformed,
    pointed_to,
    tree_entries,
)
from agent_judge.judges.showing import shown
from agent_judge.judgment import ReasonCode

OBJECT_LIMIT: Final = 64_000_000
"""Bytes of a commit, tag or tree that are read at most."""

MAX_TAGS: Final = 10
"""Tags of tags that are followed to a commit."""

_HEADER: Final = re.compile(rb"([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d{1,18})\n")
_HEADER_LIMIT: Final = 8_192
_CHUNK: Final = 1 << 18
_HOSTILE: Final = re.compile(r"[\x00-\x20\x7f]|^-")


@dataclass(frozen=True, slots=True)
class TreeFile:
    """A file, link or submodule of a revision."""

    path: str
    mode: Mode
    id: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """A content that was too large to keep: its bytes, and those it begins with."""

    size: int
    start: bytes


@dataclass(frozen=True, slots=True)
class _Header:
    """What git says of an object before it gives its content."""

    id: str
    kind: str
    size: int


def check_revision(revision: object, name: str = "revision") -> str:
    """Refuse what git could take for anything but one revision.

    Raises:
        ArgumentTypeError: It is not a string.
        ArgumentError: It is empty, begins with `-`, or holds white space or control characters.
    """
    check_text(revision, name)
    given = str(revision)
    if not given or _HOSTILE.search(given):
        raise ArgumentError(
            f"{name} {given!r} is no revision; give a commit, tag or branch such as 'main'"
        )
    return given


def find_git(workspace: Path) -> str:
    """The git program, looked for on PATH but not in the workspace.

    Raises:
        WorkspaceError: There is none (`command_not_found`).
    """
    from agent_judge.judges.process.environment import safe_path

    path = safe_path(os.environ.get("PATH", os.defpath), workspace)
    program = shutil.which("git", path=path)
    if program is None:
        raise WorkspaceError("git is not installed", ReasonCode.COMMAND_NOT_FOUND)
    return program


class Repository:
    """A repository that is open for reading; use it in a `with` statement.

    Args:
        directory: Its `.git` directory, or a bare repository.
        program: The git program.
        timeout: Seconds until reading it is given up (`timeout`).
    """

    def __init__(self, directory: Path, program: str, timeout: float) -> None:
        self._directory = directory
        self._timed_out = False
        self._timeout = timeout
        self._process = _start([program, f"--git-dir={directory}", *_OPTIONS], directory.parent)
        self._timer = Timer(timeout, self._give_up)
        self._timer.daemon = True
        self._timer.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        self._timer.join()
        self._kill()
        self._output.close()
        with suppress(OSError):
            self._input.close()
        self._process.wait()

    def commit(self, revision: str) -> GitObject:
        """The commit that a revision names, tags followed.

        Raises:
            WorkspaceError: There is none, or the repository cannot be read.
        """
        item = self.read(revision)
        for _ in range(MAX_TAGS):
            if item.kind != "tag":
                break
            item = self.read(pointed_to(item))
        if item.kind != "commit":
            raise malformed(f"{revision!r} names a {item.kind}, not a commit")
        return item

    def files(
        self, commit: GitObject, enters: Callable[[str], bool], budget: Budget
    ) -> Iterator[TreeFile]:
        """What a commit holds, directories left out.

        Args:
            commit: The commit, from `commit`.
            enters: Asked of every directory, whether to go in.
            budget: How many names may be looked at.
        """
        yield from self._below(pointed_to(commit), "", enters, budget, MAX_DEPTH)

    def read(self, name: str) -> GitObject:
        """The object that a name stands for, its content checked.

        Raises:
            WorkspaceError: There is none, it is too large, or the repository cannot be read.
        """
        header = self._look_up(name)
        if header.size > OBJECT_LIMIT:
            self._skip(header.size)
            raise WorkspaceError(
                f"git: the object {name} holds {header.size} bytes", ReasonCode.TOO_LARGE
            )
        return self._content(name, header)

    def blob(self, name: str, limit: int) -> GitObject | Skipped:
        """The content of a file by the name of its blob, unless it is larger than a limit.

        Raises:
            WorkspaceError: There is no such blob, or the repository cannot be read.
        """
        header = self._look_up(name)
        if header.kind != "blob":
            raise malformed(f"{name} names a {header.kind}, not the content of a file")
        if header.size > limit:
            return Skipped(header.size, self._skip(header.size))
        return self._content(name, header)

    @property
    def _input(self) -> IO[bytes]:
        return cast("IO[bytes]", self._process.stdin)

    @property
    def _output(self) -> IO[bytes]:
        return cast("IO[bytes]", self._process.stdout)

    def _below(
        self, tree: str, prefix: str, enters: Callable[[str], bool], budget: Budget, depth: int
    ) -> Iterator[TreeFile]:
        if not depth:
            raise malformed(f"{shown(prefix)[:80]}… nests deeper than {MAX_DEPTH} directories")
        item = self.read(tree)
        if item.kind != "tree":
            raise malformed(f"{shown(prefix) or 'the commit'} names a {item.kind}, not a tree")
        for entry in tree_entries(item):
            budget.spend()
            path = prefix + entry.name
            if entry.mode is not Mode.TREE:
                yield TreeFile(path, entry.mode, entry.id)
            elif enters(path):
                yield from self._below(entry.id, f"{path}/", enters, budget, depth - 1)

    def _look_up(self, name: str) -> _Header:
        self._ask(name)
        line = self._output.readline(_HEADER_LIMIT)
        found = _HEADER.fullmatch(line)
        if found is None:
            raise self._missing(name, line)
        return _Header(found[1].decode("ascii"), found[2].decode("ascii"), int(found[3]))

    def _content(self, name: str, header: _Header) -> GitObject:
        content = self._output.read(header.size + 1)
        if len(content) != header.size + 1:
            raise self._broken()
        item = GitObject(header.id, header.kind, content[:-1])
        if OBJECT_ID.fullmatch(name) and item.id != name:
            raise malformed(f"the object {name} is replaced by {item.id}")
        return item

    def _skip(self, size: int) -> bytes:
        """Pass over a content that is too large to keep; give how it begins."""
        start = self._output.read(min(size + 1, _CHUNK))
        left = size + 1 - len(start)
        while left:
            part = self._output.read(min(left, _CHUNK))
            if not part:
                raise self._broken()
            left -= len(part)
        return start

    def _ask(self, name: str) -> None:
        try:
            self._input.write(f"{name}\n".encode())
            self._input.flush()
        except OSError:
            raise self._broken() from None

    def _give_up(self) -> None:
        self._timed_out = True
        self._kill()

    def _kill(self) -> None:
        """Kill git with whatever it may have started, which would hold its output open."""
        if sys.platform == "win32":
            self._process.kill()
        elif self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _missing(self, name: str, header: bytes) -> WorkspaceError:
        if header.endswith((b" missing\n", b" ambiguous\n")):
            return malformed(f"there is no revision or object {name} in {self._directory}")
        return self._broken()

    def _broken(self) -> WorkspaceError:
        if self._timed_out:
            return WorkspaceError(
                f"git did not read {self._directory} within {self._timeout:g} s", ReasonCode.TIMEOUT
            )
        return malformed(f"{self._directory} cannot be read as a repository")


def _start(git: list[str], cwd: Path) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(  # noqa: S603 - fixed arguments, no shell
            [*git, "cat-file", "--batch"],
            cwd=cwd,
            env=git_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as fault:
        raise WorkspaceError(
            f"git cannot be run: {fault.strerror}", ReasonCode.COMMAND_NOT_EXECUTABLE
        ) from fault


_OPTIONS: Final = (
    "--no-pager",
    "--no-replace-objects",
    "-c",
    "core.fsmonitor=false",
    "-c",
    f"core.hooksPath={os.devnull}",
)


def git_environment() -> dict[str, str]:
    """All that git gets to see: no configuration but the repository's, and no transport."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    return {
        **kept,
        "LC_ALL": "C",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
    }
