"""The JSON report of coverage.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from agent_judge.judges.coverage.tally import FileTally, Tally
from agent_judge.judges.reports.faults import FormatError, whole_number
from agent_judge.judges.reports.json_entries import is_array, is_object


class CoveragePyReader:
    """Reads the entries of `coverage json`, a file at a time."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally

    def totals(self, totals: Any) -> None:
        """The totals of the report; those of branches are there where branches were measured."""
        if not is_object(totals):
            raise FormatError("its totals are no object")
        covered = whole_number(totals.get("covered_lines"), "covered_lines")
        self._tally.declare("lines", covered, whole_number(totals.get("num_statements"), "totals"))
        if "num_branches" in totals:
            taken = whole_number(totals.get("covered_branches"), "covered_branches")
            total = whole_number(totals["num_branches"], "num_branches")
            self._tally.declare("branches", taken, total)

    def file(self, path: str, measured: Any) -> None:
        """What was measured of a file."""
        if not is_object(measured) or "executed_lines" not in measured:
            raise FormatError(f"the entry {path[:80]!r} has no executed_lines")
        file = self._tally.file(path)
        file.lines(_list(measured["executed_lines"]), ran=True)
        file.lines(_list(measured.get("missing_lines")), ran=False)
        _add_branches(file, measured)


def _add_branches(file: FileTally, measured: Mapping[str, Any]) -> None:
    """Note the branches of each line: pairs of the line and where it went from there."""
    if "executed_branches" not in measured and "missing_branches" not in measured:
        return
    taken = Counter(map(_origin, _list(measured.get("executed_branches", []))))
    missed = Counter(map(_origin, _list(measured.get("missing_branches", []))))
    for line in sorted({*taken, *missed}):
        file.branch(line, taken[line], taken[line] + missed[line])


def _origin(branch: Any) -> int:
    if not is_array(branch) or len(branch) != 2:
        raise FormatError("a branch is no pair of lines")
    return whole_number(branch[0], "the line of a branch")


def _list(value: Any) -> list[Any]:
    if not is_array(value):
        raise FormatError("its lines are no list")
    return value
