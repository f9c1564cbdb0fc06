"""LCOV tracefiles, as lcov, coverage.py, Istanbul, coverlet, cargo-llvm-cov and others write them.

The format is described in the manual page geninfo(1), under FILES.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_judge.judges.coverage.record import Counts
from agent_judge.judges.coverage.tally import FileTally, Tally
from agent_judge.judges.reports.faults import FormatError, whole_number

if TYPE_CHECKING:
    from agent_judge.judges.reports.source import ReportFile

BEGINS: Final = ("TN:", "SF:")
"""What a tracefile begins with."""


def read_lcov(report: ReportFile, tally: Tally) -> None:
    """Read a tracefile.

    A file may have several records, for example one a test; a line or branch ran when one of them
    says so. Where a record has no line, its totals count. Other records, such as those of
    functions, are passed over.

    Raises:
        FormatError: A record is not as it should be, or is not ended.
    """
    reader = _Reader(tally)
    for line in report.lines():
        if line.startswith("DA:"):
            reader.line(line[3:])
            continue
        kind, _, rest = line.partition(":")
        if kind == "BRDA":
            reader.branch(rest)
        elif kind == "SF":
            reader.begin(rest)
        elif kind in ("LF", "LH"):
            reader.total(kind, rest)
        elif line.rstrip() == "end_of_record":
            reader.end()
    reader.finish()


MAX_WAYS: Final = 2_000_000
"""Ways of all branches of a tracefile."""


class _Reader:
    """One tracefile; the ways of a branch are kept apart until the end of it."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._file: FileTally | None = None
        self._has_lines = False
        self._totals: dict[str, int] = {}
        self._taken: dict[tuple[str, int, str], bool] = {}

    def begin(self, path: str) -> None:
        """A record begins."""
        if self._file is not None:
            raise FormatError(f"the record of {self._file.path[:80]!r} is not ended")
        self._file = self._tally.file(path)
        self._has_lines = False
        self._totals = {}

    def line(self, fields: str) -> None:
        """`line,hits[,checksum]`."""
        file = self._file
        if file is None:
            raise self._outside()
        try:
            number, hits = fields.split(",", 2)[:2]
            file.line(int(number), ran=int(hits) > 0)
        except ValueError:
            raise FormatError(f"DA:{fields[:80]} is no line with a count") from None
        self._has_lines = True

    def branch(self, fields: str) -> None:
        """`line,block,branch,taken`, in which the branch may hold commas, and taken is `-`."""
        number, _, rest = fields.partition(",")
        way, comma, taken = rest.rpartition(",")
        if not comma:
            raise FormatError(f"BRDA:{fields[:80]} has no count")
        line = whole_number(number, "the line of a branch")
        ran = taken.strip() != "-" and whole_number(taken, "the count of a branch") > 0
        key = (self._recorded().path, line, way)
        self._taken[key] = self._taken.get(key, False) or ran
        if len(self._taken) > MAX_WAYS:
            raise FormatError(f"it has more than {MAX_WAYS} ways of branches")

    def total(self, kind: str, digits: str) -> None:
        """How many lines a file has, or how many of them ran."""
        self._recorded()
        self._totals[kind] = whole_number(digits, kind)

    def end(self) -> None:
        """A record ends."""
        file = self._recorded()
        if not self._has_lines and self._totals.get("LF"):
            file.count("lines", self._totals.get("LH", 0), self._totals["LF"])
        self._file = None

    def finish(self) -> None:
        """The tracefile ends."""
        if self._file is not None:
            raise FormatError(f"it breaks off in the record of {self._file.path[:80]!r}")
        by_line: dict[tuple[str, int], Counts] = {}
        for (path, line, _), ran in self._taken.items():
            known = by_line.get((path, line), Counts(0, 0))
            by_line[path, line] = known.plus(Counts(int(ran), 1))
        for (path, line), counts in by_line.items():
            self._tally.file(path).branch(line, *counts)

    def _recorded(self) -> FileTally:
        if self._file is None:
            raise self._outside()
        return self._file

    def _outside(self) -> FormatError:
        return FormatError("a line stands outside of a record")
