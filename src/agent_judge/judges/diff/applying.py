"""Applying a patch to copies of the files that it was made for; the files are left alone."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from agent_judge.judges.diff.records import Version
from agent_judge.judges.diff.sides import Entry, FolderSide, RevisionSide, Side, read_blob
from agent_judge.judges.diff.sources import ChangeBounds, PatchChanges
from agent_judge.judges.files.excludes import Excludes
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.paths import Workspace, WorkspaceError
from agent_judge.judges.files.tree import Budget, walk
from agent_judge.judges.git.objects import Mode
from agent_judge.judges.git.place import git_directory
from agent_judge.judges.git.scratch import MODES, Git, Scratch
from agent_judge.judges.showing import shown
from agent_judge.judgment import ReasonCode

if TYPE_CHECKING:
    from agent_judge.judges.diff.patches import Patch

_MODE_OF: Final[Mapping[str, Mode]] = {digits: mode for mode, digits in MODES.items()}

APPLIED_LIMIT: Final = 1_000_000_000
"""Bytes of a file that a patch made: the bounds of the patch and of its files limit it already."""


def files_near(
    workspace: Workspace, changes: PatchChanges, paths: Iterable[str], git: Git
) -> Mapping[str, Version]:
    """The files at some paths, at directories on the way to them, and below them.

    Raises:
        WorkspaceError: One is too large, or cannot be read.
    """
    nothing, budget = Excludes(()), Budget(changes.bounds.names)
    if changes.base is None:
        folder = FolderSide(workspace, ".", nothing, budget, git.deadline)
        return _read(folder, _in_folder(workspace, paths, budget), changes.bounds)
    with git.repository(git_directory(workspace, changes.repository)) as repository:
        revision = RevisionSide(repository, changes.base, nothing, budget)
        return _read(revision, _in_revision(revision.entries(), paths), changes.bounds)


def _read(side: Side, entries: Iterable[Entry], bounds: ChangeBounds) -> Mapping[str, Version]:
    files: dict[str, Version] = {}
    left = bounds.bytes
    for entry in entries:
        version = side.version(entry, min(left, bounds.file_bytes))
        if version.content is None:
            reason = f"{shown(entry.path)} is too large to apply a patch to"
            raise WorkspaceError(reason, ReasonCode.TOO_LARGE)
        left -= len(version.content)
        files[entry.path] = version
    return files


def _in_revision(entries: Mapping[str, Entry], paths: Iterable[str]) -> Iterator[Entry]:
    wanted = set(paths)
    on_the_way = {path for name in wanted for path in _way(name)}
    for path, entry in entries.items():
        if path in on_the_way or not wanted.isdisjoint(_way(path)):
            yield entry


def _in_folder(workspace: Workspace, paths: Iterable[str], budget: Budget) -> Iterator[Entry]:
    found: dict[str, Entry] = {}
    for name in paths:
        for path in _way(name):
            budget.spend()
            kind = workspace.kind_unfollowed(path)
            if kind in _ENTRIES:
                found[path] = Entry(path, _ENTRIES[kind])
            if kind is not Kind.FOLDER:
                break
        else:
            for entry in walk(workspace, name, budget, lambda _path: True):
                if entry.kind in _ENTRIES:
                    found[entry.path] = Entry(entry.path, _ENTRIES[entry.kind])
    return iter(found.values())


_ENTRIES: Final[Mapping[Kind | None, Mode]] = {Kind.FILE: Mode.FILE, Kind.LINK: Mode.LINK}


def _way(path: str) -> Iterator[str]:
    """Each directory on the way to a path, and the path."""
    parts = path.split("/")
    return ("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))


def apply(
    scratch: Scratch, patch: Patch, git: Git, *, reverse: bool = False
) -> Mapping[str, Version] | str:
    """The files as a patch makes them of those stored as `before`, or what keeps it from applying.

    Args:
        scratch: A repository with a tree `before`.
        patch: The patch.
        git: The git program.
        reverse: Whether to take the patch back.
    """
    scratch.git("read-tree", "before")
    options = ["--cached", "--whitespace=nowarn", f"-p{patch.strip}", *(["-R"] * reverse)]
    done = scratch.try_git("apply", *options, patch.place)
    if done.code:
        return done.errors
    tree = scratch.git("write-tree").decode("ascii").strip()
    listing = scratch.git("ls-tree", "-r", "-z", tree).split(b"\0")[:-1]
    with git.repository(scratch.directory) as repository:
        versions: dict[str, Version] = {}
        for entry in listing:
            said, _, path = os.fsdecode(entry).partition("\t")
            mode, _, name = said.split(" ")
            versions[path] = read_blob(repository, path, _MODE_OF[mode], name, APPLIED_LIMIT)
    return versions
