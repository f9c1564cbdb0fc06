"""What a change consists of: the files that it touches, as they were and as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from agent_judge.frozen import EMPTY, Json
from agent_judge.judges.git.objects import Mode

BINARY_START: Final = 8_000
"""Bytes at the beginning of a file in which a NUL makes it binary, as git has it."""


class Kind(Enum):
    """What became of a file."""

    ADDED = "added"
    DELETED = "deleted"
    RENAMED = "renamed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Version:
    """A file before or after the change.

    Attributes:
        path: Where it is.
        mode: What it is.
        size: Bytes, where that is known.
        content: Its bytes; `None` where it is too large to be read, a submodule, or a file of
            which only a patch is known. The content of a link is its target.
        binary: Whether its first bytes hold a NUL; `None` where they are not known.
    """

    path: str
    mode: Mode
    size: int | None = None
    content: bytes | None = None
    binary: bool | None = None


class Sign(Enum):
    """What a line of a hunk is."""

    ADDED = "+"
    REMOVED = "-"
    KEPT = " "


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a hunk.

    Attributes:
        sign: Whether it was added, removed or kept.
        before: Its number in the file before, unless it was added.
        after: Its number in the file after, unless it was removed.
        text: Without its line feed; a carriage return is left on it. Bytes that are not UTF-8
            are lone surrogates.
    """

    sign: Sign
    before: int | None
    after: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that were changed together.

    Attributes:
        lines: The lines, in order.
        place: The number of the line after the change at which it stands: where lines were only
            removed, the one before them.
    """

    lines: tuple[Line, ...]
    place: int


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that the change touches.

    Attributes:
        before: What it was; `None` for one that was added.
        after: What it is; `None` for one that was deleted.
        added: Lines that were added, as git counts them; `None` where the file is binary or was
            not read.
        removed: Lines that were removed, likewise.
        hunks: The lines themselves; `None` where nobody asked for them yet, or they are not known.
    """

    before: Version | None
    after: Version | None
    added: int | None = None
    removed: int | None = None
    hunks: tuple[Hunk, ...] | None = None

    @property
    def path(self) -> str:
        """Where it is now, or was last."""
        return self.last.path

    @property
    def last(self) -> Version:
        """What it is, or was last."""
        version = self.after or self.before
        assert version is not None
        return version

    @property
    def paths(self) -> tuple[str, ...]:
        """Every path that is touched: a rename touches both."""
        versions = (self.before, self.after)
        return tuple(dict.fromkeys(version.path for version in versions if version is not None))

    @property
    def kind(self) -> Kind:
        """What became of it."""
        if self.before is None:
            return Kind.ADDED
        if self.after is None:
            return Kind.DELETED
        return Kind.CHANGED if self.before.path == self.after.path else Kind.RENAMED

    @property
    def binary(self) -> bool:
        """Whether it was or is known to be binary."""
        return any(version is not None and version.binary for version in (self.before, self.after))

    def line_after(self, line: int) -> int:
        """Where a line of the file before is after the change, or was if it is gone."""
        moved = 0
        for hunk in self.hunks or ():
            removed = [item.before for item in hunk.lines if item.before is not None]
            added = len(hunk.lines) - len(removed)
            first = removed[0] if removed else hunk.place - moved
            if line < first:
                break
            if line in removed:
                return hunk.place
            moved += added - len(removed)
        return line + moved

    @property
    def lines(self) -> Iterator[Line]:
        """The lines of all its hunks, in order."""
        for hunk in self.hunks or ():
            yield from hunk.lines


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Everything that changed.

    Attributes:
        files: The files that were touched, sorted by path.
        compared: How many files were looked at to find them.
        description: What was compared with what, in a few words.
        facts: The same for machines.
    """

    files: tuple[FileChange, ...]
    compared: int
    description: str = "the change"
    facts: Mapping[str, Json] = EMPTY


def is_binary(content: bytes) -> bool:
    """Whether git would take a content for binary."""
    return b"\0" in content[:BINARY_START]
