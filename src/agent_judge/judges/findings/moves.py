"""Where the lines from before a change are now."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from agent_judge.judges.diff.records import ChangeSet, FileChange, Sign


@dataclass(frozen=True, slots=True)
class _MovedLines:
    """How the lines of one file moved.

    Attributes:
        removed: The numbers, before, of lines that were removed or rewritten, in order.
        added: The numbers, now, of lines that are new, in order.
        shifts: For each of these, how many lines that were kept come before it, plus one.
    """

    removed: Sequence[int]
    added: Sequence[int]
    shifts: Sequence[int]

    def now(self, line: int) -> int | None:
        """The number of a line; kept lines keep their order, so that its place among them tells."""
        at = bisect_left(self.removed, line)
        if at < len(self.removed) and self.removed[at] == line:
            return None
        place = line - at
        return place + bisect_right(self.shifts, place)

    def is_new(self, line: int) -> bool:
        """Whether a line is new."""
        at = bisect_left(self.added, line)
        return at < len(self.added) and self.added[at] == line


class LineMoves:
    """Where the lines from before a change are now, in every file.

    Of a file whose lines are not known, because it is too large or binary, every line counts as
    rewritten.
    """

    def __init__(self, change: ChangeSet) -> None:
        self._before = {file.before.path: file for file in change.files if file.before is not None}
        self._after = {file.after.path: file for file in change.files if file.after is not None}
        self._moved = {file.path: _moved(file) for file in change.files}

    def file(self, path: str) -> str | None:
        """What a file from before is called now; `None` where it was deleted."""
        file = self._before.get(path)
        if file is None:
            return path
        return None if file.after is None else file.after.path

    def line(self, path: str, line: int) -> int | None:
        """The number of a line from before; `None` where it was removed or rewritten."""
        file = self._before.get(path)
        if file is None:
            return line
        moved = self._moved[file.path]
        return None if moved is None else moved.now(line)

    def is_new(self, path: str, line: int | None) -> bool:
        """Whether a line of now was not there before; a file as a whole is new if it changed."""
        file = self._after.get(path)
        if file is None:
            return False
        moved = self._moved[file.path]
        return line is None or moved is None or moved.is_new(line)


def _moved(file: FileChange) -> _MovedLines | None:
    if file.before is not None and file.after is not None and not file.added and not file.removed:
        return None if file.added is None else _MovedLines((), (), ())
    if file.hunks is None:
        return None
    removed = [line.before for line in file.lines if line.sign is Sign.REMOVED and line.before]
    added = [line.after for line in file.lines if line.sign is Sign.ADDED and line.after]
    return _MovedLines(removed, added, [number - at for at, number in enumerate(added)])
