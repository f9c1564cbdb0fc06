"""The two sides of a change: a revision, or a directory, and the files on it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from agent_judge.judges.deadline import Deadline
from agent_judge.judges.diff.ignored import Ignored
from agent_judge.judges.diff.records import BINARY_START, Version, is_binary
from agent_judge.judges.files.excludes import Excludes
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.paths import Workspace
from agent_judge.judges.files.tree import Budget, walk
from agent_judge.judges.git.hashing import file_mode, hash_file, hash_link
from agent_judge.judges.git.objects import Mode, malformed
from agent_judge.judges.git.repository import Repository, Skipped
from agent_judge.judges.showing import shown

SHA1: Final = "0" * 40
"""Stands for the names of a repository where there is none."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file on a side: what it is, and the name of its content, as far as listing tells it."""

    path: str
    mode: Mode
    id: str | None = None
    size: int | None = None


class Side(Protocol):
    """What was, or is, there."""

    def entries(self) -> Mapping[str, Entry]:
        """Every file on it, by path."""
        ...

    def identify(self, entry: Entry, like: str) -> Entry:
        """The entry with its mode and the name of its content."""
        ...

    def version(self, entry: Entry, limit: int) -> Version:
        """The file with its content, unless that is larger than a limit."""
        ...


class RevisionSide:
    """The files of a commit."""

    def __init__(
        self, repository: Repository, commit: str, excludes: Excludes, budget: Budget
    ) -> None:
        self._repository = repository
        self._commit = repository.commit(commit)
        self._excludes = excludes
        self._budget = budget
        self._entries: Mapping[str, Entry] | None = None

    @property
    def id(self) -> str:
        """The full name of the commit."""
        return self._commit.id

    def entries(self) -> Mapping[str, Entry]:
        """Every file in it, by path."""
        if self._entries is None:
            files = self._repository.files(
                self._commit, lambda folder: not self._excludes.folder(folder), self._budget
            )
            self._entries = {
                file.path: Entry(file.path, file.mode, file.id)
                for file in files
                if not self._is_out(file.path, file.mode)
            }
        return self._entries

    def _is_out(self, path: str, mode: Mode) -> bool:
        return self._excludes.file(path) or (mode is Mode.COMMIT and self._excludes.folder(path))

    def identify(self, entry: Entry, like: str) -> Entry:
        """The entry as it is: git names every content."""
        del like
        return entry

    def version(self, entry: Entry, limit: int) -> Version:
        """The file with its content, unless that is larger than a limit."""
        assert entry.id is not None
        return read_blob(self._repository, entry.path, entry.mode, entry.id, limit)


def read_blob(repository: Repository, path: str, mode: Mode, name: str, limit: int) -> Version:
    """A file of a repository, by the name of its content."""
    if mode is Mode.COMMIT:
        return Version(path, mode, content=name.encode("ascii"), binary=False)
    blob = repository.blob(name, limit)
    if isinstance(blob, Skipped):
        return Version(path, mode, blob.size, binary=is_binary(blob.start))
    return Version(path, mode, len(blob.content), blob.content, is_binary(blob.content))


@dataclass(slots=True)
class FolderSide:
    """The files of a directory, read without following a link.

    Args:
        workspace: Where it is.
        path: The directory in it; `"."` is the workspace.
        excludes: What is left out.
        budget: How many names may be looked at.
        deadline: When it must be read.
        tracked: The files that the other side has, of which none is ignored.
        ignored: What else is left out.
    """

    workspace: Workspace
    path: str
    excludes: Excludes
    budget: Budget
    deadline: Deadline
    tracked: Mapping[str, Entry] = field(default_factory=dict[str, Entry])
    ignored: Ignored = field(default_factory=lambda: Ignored({}))

    def entries(self) -> Mapping[str, Entry]:
        """Every file and link in it, by path; what is neither is not there for git."""
        entries: dict[str, Entry] = {}
        for path, kind, size in self._walk(_folders_of(self.tracked)):
            self.deadline.check()
            known = path in self.tracked
            if kind not in (Kind.FILE, Kind.LINK) or self.excludes.file(path):
                continue
            if known or not self.ignored.file(path):
                mode = Mode.LINK if kind is Kind.LINK else Mode.FILE
                entries[path] = Entry(path, mode, size=size)
        return {**entries, **self._submodules()}

    def identify(self, entry: Entry, like: str) -> Entry:
        """The entry with its mode and what git would call its content."""
        place = self._place(entry.path)
        if entry.mode is Mode.COMMIT:
            return entry
        if entry.mode is Mode.LINK:
            return Entry(entry.path, Mode.LINK, hash_link(self.workspace, place, like))
        mode, name = hash_file(self.workspace, place, like, sys.maxsize - 1, self.deadline.check)
        return Entry(entry.path, mode, name, entry.size)

    def version(self, entry: Entry, limit: int) -> Version:
        """The file with its content, unless that is larger than a limit."""
        path = entry.path
        if entry.mode is Mode.LINK:
            target = os.fsencode(self.workspace.link_target(self._place(path)))
            return Version(path, Mode.LINK, len(target), target, is_binary(target))
        with self.workspace.open(self._place(path)) as descriptor:
            status = os.fstat(descriptor)
            with open(descriptor, "rb", closefd=False) as stream:
                content = stream.read(limit + 1)
        if len(content) > limit:
            start = content[:BINARY_START]
            return Version(path, file_mode(status), status.st_size, binary=is_binary(start))
        return Version(path, file_mode(status), len(content), content, is_binary(content))

    def _walk(self, tracked_folders: set[str]) -> Iterable[tuple[str, Kind, int]]:
        """What is in the directory, its own path taken off."""
        prefix = "" if self.path == "." else f"{self.path}/"

        def enters(place: str) -> bool:
            path = place[len(prefix) :]
            if path.rpartition("/")[2] == ".git" or self.excludes.folder(path):
                return False
            return self.ignored.enters(path) or path in tracked_folders

        for found in walk(self.workspace, self.path, self.budget, enters):
            path = found.path[len(prefix) :]
            if path.rpartition("/")[2] != ".git":
                yield path, found.kind, found.size

    def _submodules(self) -> Mapping[str, Entry]:
        """The submodules of the other side: nobody checked them out, or it is not known how."""
        kept: dict[str, Entry] = {}
        for path, entry in self.tracked.items():
            if entry.mode is not Mode.COMMIT:
                continue
            kind = self.workspace.kind_unfollowed(self._place(path))
            if kind is Kind.FOLDER:
                if any(True for _ in self._listing(path)):
                    raise malformed(
                        f"{shown(path)} is a submodule, whose files are not compared; exclude it"
                    )
                kept[path] = entry
        return kept

    def _listing(self, path: str) -> Iterable[object]:
        with self.workspace.folder(self._place(path)) as folder:
            yield from folder.entries()

    def _place(self, path: str) -> str:
        return path if self.path == "." else f"{self.path}/{path}"


def _folders_of(entries: Iterable[str]) -> set[str]:
    """Every directory on the way to a file."""
    folders: set[str] = set()
    for path in entries:
        folder = path.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return folders
