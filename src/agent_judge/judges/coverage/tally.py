"""Collecting what a report says, line by line, in little memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Final

from agent_judge.frozen import FrozenMap
from agent_judge.judges.coverage.record import (
    Counts,
    CoverageReport,
    FileCoverage,
    Lines,
    Metric,
)
from agent_judge.judges.reports.faults import FormatError
from agent_judge.judges.reports.names import posix_name

MAX_FILES: Final = 200_000
"""Files in one report."""

MAX_PATH: Final = 4_096
"""Characters of a file's name."""

MAX_LINES: Final = 2_000_000
"""Executable lines in one file."""

MAX_SPAN: Final = 10_000
"""Lines that one statement spans."""

MAX_SPANNED: Final = 20_000_000
"""Lines that all statements of a report span together, where it states no single ones."""

_SLICE: Final = 1 << 16


class FileTally:
    """What was read of one file so far; a line, and its branches, may be reported several times."""

    __slots__ = ("_idle", "_ran", "branches", "counters", "path")

    def __init__(self, path: str) -> None:
        self.path = path
        self.branches: dict[int, Counts] = {}
        self.counters: dict[str, Counts] = {}
        self._ran: array[int] = array("I")
        self._idle: array[int] = array("I")

    def line(self, number: int, *, ran: bool) -> None:
        """Note an executable line; it ran if any mention of it says so.

        Raises:
            FormatError: There can be no line of that number.
        """
        try:
            (self._ran if ran else self._idle).append(number)
        except OverflowError:
            raise FormatError(f"{number} is no line") from None

    def lines(self, numbers: Iterable[int], *, ran: bool) -> None:
        """Note executable lines that all ran, or all did not.

        Raises:
            FormatError: One of them is no line.
        """
        try:
            (self._ran if ran else self._idle).extend(array("I", numbers))
        except (TypeError, OverflowError):
            raise FormatError("a line is no whole number, or none that a line can have") from None

    def branch(self, number: int, covered: int, total: int) -> None:
        """Note how many branches of a line were taken; the most that any mention of it says."""
        if not 0 <= covered <= total:
            raise FormatError(f"line {number}: {covered} of {total} branches")
        known = self.branches.get(number)
        if total and known is None:
            self.branches[number] = Counts(covered, total)
        elif known is not None:
            self.branches[number] = Counts(max(covered, known.covered), max(total, known.total))

    def count(self, metric: Metric, covered: int, total: int) -> None:
        """Add to what is counted of the file as a whole."""
        if not 0 <= covered <= total:
            raise FormatError(f"{self.path[:80]!r}: {covered} of {total} {metric}")
        known = self.counters.get(metric, Counts(0, 0))
        self.counters[metric] = known.plus(Counts(covered, total))

    def record(self) -> FileCoverage:
        """What was read of the file."""
        lines = Lines.of(self._distinct(self._ran), self._distinct(self._idle))
        return FileCoverage(self.path, lines, self.branches, FrozenMap(self.counters))

    def _distinct(self, numbers: array[int]) -> set[int]:
        """The numbers, each once; it is a slice at a time that is held as objects."""
        distinct: set[int] = set()
        for start in range(0, len(numbers), _SLICE):
            distinct.update(numbers[start : start + _SLICE])
            if len(distinct) > MAX_LINES:
                raise FormatError(f"{self.path[:80]!r} has more than {MAX_LINES} lines")
        return distinct


class Tally:
    """What was read of a report so far."""

    def __init__(self) -> None:
        self.declared: dict[str, Counts] = {}
        self.sources: list[str] = []
        self._files: dict[str, FileTally] = {}
        self._spanned = 0

    def span(self, file: FileTally, first: int, last: int, *, ran: bool) -> None:
        """Note the lines that a statement spans.

        Raises:
            FormatError: It can span no such lines, or all of them together too many.
        """
        if not 0 <= first <= last < first + MAX_SPAN:
            raise FormatError(f"a statement spans the lines {first} to {last}")
        self._spanned += last - first + 1
        if self._spanned > MAX_SPANNED:
            raise FormatError(f"its statements span more than {MAX_SPANNED} lines")
        file.lines(range(first, last + 1), ran=ran)

    def file(self, path: str) -> FileTally:
        """The file of that name, which may be reported in several parts.

        Raises:
            FormatError: The name is none, or there are more files than any project has.
        """
        name = posix_name(path.strip())
        known = self._files.get(name)
        if known is not None:
            return known
        if not name or len(name) > MAX_PATH or "\x00" in name:
            raise FormatError(f"{name[:80]!r} is no name of a file")
        if len(self._files) >= MAX_FILES:
            raise FormatError(f"it names more than {MAX_FILES} files")
        self._files[name] = FileTally(name)
        return self._files[name]

    def declare(self, metric: Metric, covered: int, total: int) -> None:
        """Note a total that the report states itself.

        Raises:
            FormatError: It cannot be one.
        """
        if not 0 <= covered <= total:
            raise FormatError(f"its total is {covered} of {total} {metric}")
        self.declared[metric] = Counts(covered, total)

    def report(self, format_: str, sha256: str) -> CoverageReport:
        """All that was read."""
        return CoverageReport(
            format_,
            tuple(file.record() for file in self._files.values()),
            tuple(dict.fromkeys(source for source in self.sources if source)),
            FrozenMap(self.declared),
            sha256,
        )
