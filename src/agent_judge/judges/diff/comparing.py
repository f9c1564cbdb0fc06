"""What changed from one side to the other, as git says it of their contents."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from agent_judge.judges.deadline import Deadline
from agent_judge.judges.diff.hunks import read_hunks
from agent_judge.judges.diff.records import ChangeSet, FileChange, Version
from agent_judge.judges.diff.sides import SHA1, Entry, Side
from agent_judge.judges.diff.sources import ChangeBounds
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.git.objects import Mode, malformed
from agent_judge.judges.git.scratch import Git, Stored
from agent_judge.judgment import ReasonCode

SIMILARITY: Final = "--find-renames=50%"
"""How much of a file must be the same for it to count as renamed, as git has it by default."""

COMPARING: Final = ("diff-tree", "-r", "--no-ext-diff", "--no-textconv", "--no-color")


@dataclass(frozen=True, slots=True)
class Comparison:
    """The versions of the files that differ, on each side.

    Attributes:
        before: Those of the one side, by path.
        after: Those of the other.
        compared: How many files were looked at.
    """

    before: Mapping[str, Version]
    after: Mapping[str, Version]
    compared: int


def compare(before: Side, after: Side, bounds: ChangeBounds, deadline: Deadline) -> Comparison:
    """Find the files that differ, and read both versions of each.

    Raises:
        WorkspaceError: There are too many, or a side cannot be read.
    """
    old = before.entries()
    new = after.entries()
    paths = sorted({*old, *new})

    def differs(path: str) -> bool:
        deadline.check()
        if path not in old or path not in new:
            return True
        like = old[path].id or new[path].id or SHA1
        left, right = before.identify(old[path], like), after.identify(new[path], like)
        return (left.mode, left.id) != (right.mode, right.id)

    differing = [path for path in paths if differs(path)]
    if len(differing) > bounds.files:
        raise WorkspaceError(
            f"{len(differing)} files changed, over {bounds.files}; raise bounds.files",
            ReasonCode.TOO_LARGE,
        )
    contents = _Contents(bounds, deadline)
    return Comparison(
        {path: contents.read(before, old[path]) for path in differing if path in old},
        {path: contents.read(after, new[path]) for path in differing if path in new},
        len(paths),
    )


class _Contents:
    """Reads contents until they are too large together."""

    def __init__(self, bounds: ChangeBounds, deadline: Deadline) -> None:
        self._left = bounds.bytes
        self._limit = bounds.file_bytes
        self._deadline = deadline

    def read(self, side: Side, entry: Entry) -> Version:
        self._deadline.check()
        version = side.version(entry, min(self._limit, self._left))
        self._left -= len(version.content or b"")
        return version


def change_set(comparison: Comparison, git: Git) -> ChangeSet:
    """Have git say what became of each file: renames, and how many lines.

    Raises:
        WorkspaceError: Git fails, or takes too long.
    """
    before, after = comparison.before, comparison.after
    unread = {
        version.path for version in (*before.values(), *after.values()) if version.content is None
    }
    files = [FileChange(before.get(path), after.get(path)) for path in unread]
    if unread.issuperset({*before, *after}):
        return _sorted(files, comparison.compared)
    with git.scratch() as scratch:
        scratch.store("before", stored(before, unread))
        scratch.store("after", stored(after, unread))
        said = scratch.git(*COMPARING, "-z", "--raw", "--numstat", SIMILARITY, "before", "after")
    files += _changes(said, before, after)
    return _sorted(files, comparison.compared)


def _sorted(files: Iterable[FileChange], compared: int) -> ChangeSet:
    return ChangeSet(tuple(sorted(files, key=lambda file: file.path)), compared)


def stored(side: Mapping[str, Version], unread: Collection[str] = ()) -> Iterator[Stored]:
    """The versions whose content is known, to be put into a scratch repository."""
    for path, version in side.items():
        if path not in unread:
            assert version.content is not None
            yield Stored(path, version.mode, version.content)


def _changes(
    output: bytes, before: Mapping[str, Version], after: Mapping[str, Version]
) -> Iterator[FileChange]:
    """The changes in what `git diff-tree -z --raw --numstat` prints."""
    fields = iter([os.fsdecode(field) for field in output.split(b"\0")])
    pairs: list[tuple[str | None, str | None]] = []
    while (field := next(fields)).startswith(":"):
        pairs.append(_pair(field.rpartition(" ")[2], fields))
    for old, new in pairs:
        added, removed, path = field.split("\t", 2)
        if not path:  # of a rename, both paths follow
            _ = next(fields), next(fields)
        yield FileChange(
            None if old is None else before[old],
            None if new is None else after[new],
            None if added == "-" else int(added),
            None if removed == "-" else int(removed),
        )
        field = next(fields)


def _pair(status: str, fields: Iterator[str]) -> tuple[str | None, str | None]:
    """The path before and after, by the letter that says what became of the file."""
    path = next(fields)
    match status[:1]:
        case "A":
            return None, path
        case "D":
            return path, None
        case "R":
            return path, next(fields)
        case "M" | "T":
            return path, path
        case _:
            raise malformed(f"diff-tree says {status!r} of {path!r}")


def with_lines(changes: ChangeSet, bounds: ChangeBounds, git: Git) -> ChangeSet:
    """The same change with the lines of each text file.

    Raises:
        WorkspaceError: There are more than allowed (`too_large`).
    """
    check_lines(changes, bounds)
    wanted = {
        str(number): file
        for number, file in enumerate(changes.files)
        if file.hunks is None and (file.added or file.removed)
    }
    if not wanted:
        return changes
    with git.scratch() as scratch:
        scratch.store("before", _nameless({name: file.before for name, file in wanted.items()}))
        scratch.store("after", _nameless({name: file.after for name, file in wanted.items()}))
        patch = scratch.git(*COMPARING, "-p", "--unified=0", "before", "after")
    hunks = read_hunks(patch, git.deadline)
    files = tuple(
        replace(file, hunks=hunks[str(number)]) if str(number) in wanted else file
        for number, file in enumerate(changes.files)
    )
    return replace(changes, files=files)


def _nameless(versions: Mapping[str, Version | None]) -> Iterator[Stored]:
    """Contents under numbers for names, which nobody can misread in a patch."""
    for name, version in versions.items():
        if version is not None:
            assert version.content is not None
            content = version.content
            if version.mode is Mode.COMMIT:
                content = b"Subproject commit %s\n" % content
            yield Stored(name, Mode.FILE, content)


def check_lines(changes: ChangeSet, bounds: ChangeBounds) -> None:
    """Refuse a change of more lines than may be looked at.

    Raises:
        WorkspaceError: It has more (`too_large`).
    """
    lines = sum((file.added or 0) + (file.removed or 0) for file in changes.files)
    if lines > bounds.lines:
        raise WorkspaceError(
            f"{lines} lines changed, over {bounds.lines}; raise bounds.lines", ReasonCode.TOO_LARGE
        )
