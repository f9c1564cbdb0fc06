"""Snapshots of any folder, as copies of its files, each content once."""

from __future__ import annotations

import json
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from agent_judge.coordination.errors import RestoreError, SnapshotError
from agent_judge.coordination.workspaces.records import Change, Snapshot
from agent_judge.coordination.workspaces.tree import (
    FILE_FLAGS,
    PERMISSIONS,
    Item,
    Kind,
    Tree,
    checked_folder,
    differences,
    identity,
    kind_of,
    listed,
    open_root,
    shown,
)
from agent_judge.coordination.workspaces.writing import put_back
from agent_judge.errors import ArgumentError

LIMIT: Final = 20_000_000_000
"""Bytes that a workspace may hold."""

UNREADABLE: Final = "unreadable"
"""Stands for the content of a file that cannot be read, and so is no content that is kept."""

_CHUNK: Final = 1 << 20
_TRIES: Final = 3


class DirectoryKeeper:
    """Keeps copies of a workspace's files, in a folder outside of it.

    A state is the content and the permissions of all files, where links lead, and which folders
    there are. Times, owners, sockets and pipes are no part of it. Links are never followed. A file
    that did not change since the last snapshot, by its number, size and times, is not read again.

    Args:
        workspace: The folder.
        keep_in: Where the copies go; what is there outlasts this object. Without it they go into a
            temporary folder that `close` removes.
        exclude: Paths that are neither kept nor put back.
        limit: The most bytes that the workspace may hold.

    Raises:
        ArgumentError: No folder, one that holds `keep_in`, or a limit below 1.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "answer.txt")
        ...     _ = file.write_text("41")
        ...     with DirectoryKeeper(folder) as keeper:
        ...         before = keeper.snapshot("before")
        ...         _ = file.write_text("42")
        ...         keeper.restore(before)
        ...     file.read_text()
        '41'
    """

    def __init__(
        self,
        workspace: str | Path,
        *,
        keep_in: str | Path | None = None,
        exclude: Iterable[str] = (".git",),
        limit: int = LIMIT,
    ) -> None:
        self.workspace: Final = checked_folder(workspace)
        if type(limit) is not int or limit < 1:
            raise ArgumentError(f"limit must be a whole number of bytes from 1 up, got {limit!r}")
        self._temporary = keep_in is None
        self._store = Path(keep_in or tempfile.mkdtemp(prefix="agent-judge-")).resolve()
        if self._store.is_relative_to(self.workspace):
            raise ArgumentError(f"keep_in {self._store} lies in the workspace it keeps")
        self._excluded = frozenset(path.strip("/") for path in exclude)
        self._limit = limit
        self._trees: dict[str, Tree] = {}
        self._known: dict[str, tuple[tuple[int, ...], str]] = {}
        for folder in ("contents", "trees"):
            (self._store / folder).mkdir(parents=True, exist_ok=True)

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
            SnapshotError: A file cannot be read or changes all the time, or there is too much.
        """
        try:
            tree = self._read(keep=True)
            key = identity(tree)
            self._trees[key] = tree
            self._write_tree(key, tree)
        except OSError as fault:
            raise SnapshotError(f"the workspace cannot be kept: {fault}") from fault
        files = [item for item in tree.values() if item.kind is not Kind.FOLDER]
        return Snapshot(key, label, len(files), sum(item.size for item in files))

    def diff(self, older: Snapshot, newer: Snapshot) -> tuple[Change, ...]:
        """What differs between two states, by path.

        Raises:
            RestoreError: One of them is not kept here.
        """
        return differences(self._tree(older.id), self._tree(newer.id))

    def restore(self, snapshot: Snapshot) -> None:
        """Put the workspace back into a state; what is as it should be is not touched.

        Raises:
            RestoreError: It is not kept here, or something cannot be written; doing it again goes
                on where this ended.
        """
        wanted = self._tree(snapshot.id)
        try:
            present = self._read(keep=False)
            root = open_root(self.workspace)
            try:
                put_back(root, present, wanted, self._content)
            finally:
                os.close(root)
        except OSError as fault:
            raise RestoreError(f"the workspace cannot be put back: {fault}") from fault

    def close(self) -> None:
        """Remove the copies, unless `keep_in` said where they are to stay."""
        if self._temporary:
            shutil.rmtree(self._store, ignore_errors=True)

    def _read(self, *, keep: bool) -> dict[str, Item]:
        """What is in the workspace; new contents are kept where that is asked for."""
        tree: dict[str, Item] = {}
        seen: dict[str, tuple[tuple[int, ...], str]] = {}
        total = 0
        root = open_root(self.workspace)
        try:
            for path, entry, folder in listed(root, self._excluded, force=not keep):
                item = self._item(path, entry, folder, seen, keep=keep)
                if item is not None:
                    tree[path] = item
                    total += item.size
                if keep and total > self._limit:
                    raise SnapshotError(
                        f"the workspace holds more than {self._limit:,} bytes; exclude what need "
                        "not be kept, or raise the limit"
                    )
        finally:
            os.close(root)
        self._known = seen
        return tree

    def _item(
        self,
        path: str,
        entry: os.DirEntry[str],
        folder: int,
        seen: dict[str, tuple[tuple[int, ...], str]],
        *,
        keep: bool,
    ) -> Item | None:
        status = entry.stat(follow_symlinks=False)
        mode = stat.S_IMODE(status.st_mode) & PERMISSIONS
        match kind_of(status.st_mode):
            case Kind.FOLDER:
                return Item(Kind.FOLDER, mode)
            case Kind.LINK:
                return Item(Kind.LINK, 0, os.readlink(entry.name, dir_fd=folder))
            case Kind.FILE:
                stamp = _stamp(status)
                known = self._known.get(path)
                if known is None or known[0] != stamp:
                    known = self._taken(path, entry.name, folder, keep=keep)
                seen[path] = known
                return Item(Kind.FILE, mode, known[1], status.st_size)
            case None:
                return None

    def _taken(
        self, path: str, name: str, folder: int, *, keep: bool
    ) -> tuple[tuple[int, ...], str]:
        """Hash a file, and keep a copy where there is none; it must not change meanwhile."""
        for _ in range(_TRIES):
            try:
                descriptor = os.open(name, FILE_FLAGS, dir_fd=folder)
            except PermissionError:
                if keep:
                    raise
                return (), UNREADABLE
            with os.fdopen(descriptor, "rb") as file:
                before = _stamp(os.fstat(descriptor))
                key = self._copied(_chunks(file)) if keep else _hashed(_chunks(file))
                if _stamp(os.fstat(descriptor)) == before:
                    return before, key
        raise SnapshotError(f"{shown(path)} is written to all the time: stop what writes to it")

    def _copied(self, chunks: Iterator[bytes]) -> str:
        """Write a content to the store, under its hash; one that is there stays."""
        digest = sha256()
        with tempfile.NamedTemporaryFile(dir=self._store, delete=False) as file:
            try:
                for chunk in chunks:
                    digest.update(chunk)
                    file.write(chunk)
            except BaseException:
                Path(file.name).unlink()
                raise
        place = self._place(digest.hexdigest())
        if place.exists():
            Path(file.name).unlink()
        else:
            place.parent.mkdir(exist_ok=True)
            Path(file.name).replace(place)
        return digest.hexdigest()

    def _content(self, item: Item) -> Iterator[bytes]:
        with self._place(item.content).open("rb") as file:
            yield from _chunks(file)

    def _place(self, key: str) -> Path:
        return self._store / "contents" / key[:2] / key

    def _write_tree(self, key: str, tree: Tree) -> None:
        place = self._store / "trees" / f"{key}.json"
        if not place.exists():
            listing = {
                path: [item.kind.value, item.mode, item.content, item.size]
                for path, item in tree.items()
            }
            unfinished = place.with_suffix(".new")
            unfinished.write_text(json.dumps(listing), "ascii")
            unfinished.replace(place)

    def _tree(self, key: str) -> Tree:
        if key not in self._trees:
            place = self._store / "trees" / f"{key}.json"
            listing: Mapping[str, Any] = {}
            with suppress(OSError, ValueError):
                listing = json.loads(place.read_text("ascii"))
                tree = {path: Item(Kind(kind), *rest) for path, (kind, *rest) in listing.items()}
                if identity(tree) == key:
                    self._trees[key] = tree
        if key not in self._trees:
            raise RestoreError(f"no state {key[:12]!r} is kept in {self._store}")
        return self._trees[key]


def _stamp(status: os.stat_result) -> tuple[int, ...]:
    """What changes when a file is written to, its size second."""
    return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_dev)


def _chunks(file: Any) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        yield chunk


def _hashed(chunks: Iterator[bytes]) -> str:
    digest = sha256()
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()
