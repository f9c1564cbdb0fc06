"""The JSON of Istanbul (nyc, Jest, Vitest, c8): `coverage-final` and `coverage-summary`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from agent_judge.judges.coverage.record import Counts, Metric
from agent_judge.judges.coverage.tally import FileTally, Tally
from agent_judge.judges.reports.faults import FormatError, whole_number
from agent_judge.judges.reports.json_entries import is_array, is_object

TOTAL: Final = "total"
"""The entry of a summary that is no file."""

_SUMMED: Final[tuple[Metric, ...]] = ("lines", "statements", "branches")


class IstanbulReader:
    """Reads the entries of either document, a file at a time.

    As in Istanbul itself, a line is executable where a statement begins on it, and ran when one of
    these did.
    """

    def __init__(self, tally: Tally) -> None:
        self._tally = tally

    def entry(self, path: str, measured: Any) -> None:
        """What was measured of a file, or the totals of a summary."""
        if is_object(measured) and "statementMap" in measured:
            self._measured(self._tally.file(path), measured)
        elif is_object(measured) and "statements" in measured and "lines" in measured:
            self._summed(path, measured)
        else:
            raise FormatError(f"the entry {path[:80]!r} is none of a coverage report")

    def _summed(self, path: str, summary: Mapping[str, Any]) -> None:
        for metric in _SUMMED:
            counted = summary.get(metric)
            if not is_object(counted):
                continue
            covered = whole_number(counted.get("covered"), f"covered {metric}")
            total = whole_number(counted.get("total"), f"total {metric}")
            if path == TOTAL:
                self._tally.declare(metric, covered, total)
            else:
                self._tally.file(path).count(metric, covered, total)

    def _measured(self, file: FileTally, measured: Mapping[str, Any]) -> None:
        statements, hits = measured["statementMap"], measured.get("s")
        if not is_object(statements) or not is_object(hits) or set(statements) != set(hits):
            raise FormatError(f"{file.path[:80]!r}: statements and their counts do not match")
        for key, place in statements.items():
            ran = whole_number(hits[key], "the count of a statement") > 0
            file.line(_line(place), ran=ran)
            file.count("statements", int(ran), 1)
        self._branches(file, measured)

    def _branches(self, file: FileTally, measured: Mapping[str, Any]) -> None:
        branches, hits = measured.get("branchMap", {}), measured.get("b", {})
        if not is_object(branches) or not is_object(hits) or set(branches) != set(hits):
            raise FormatError(f"{file.path[:80]!r}: branches and their counts do not match")
        by_line: dict[int, Counts] = {}
        for key, branch in branches.items():
            ways = hits[key]
            if not is_object(branch) or not is_array(ways):
                raise FormatError(f"{file.path[:80]!r}: a branch is not described")
            taken = sum(whole_number(way, "the count of a branch") > 0 for way in ways)
            line = _line(branch.get("loc"))
            by_line[line] = by_line.get(line, Counts(0, 0)).plus(Counts(taken, len(ways)))
        for line, counts in by_line.items():
            file.branch(line, *counts)


def _line(place: Any) -> int:
    start = place.get("start") if is_object(place) else None
    return whole_number(start.get("line") if is_object(start) else None, "the line of a statement")
