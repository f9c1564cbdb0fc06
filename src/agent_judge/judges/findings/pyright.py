"""The JSON of pyright, and of basedpyright."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from agent_judge.judges.findings.gathering import Gathering
from agent_judge.judges.findings.record import Severity
from agent_judge.judges.reports.faults import FormatError, whole_number
from agent_judge.judges.reports.json_entries import is_object

_SEVERITIES: Final = {
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "information": Severity.NOTE,
}


def read_pyright(diagnostic: Any, gathering: Gathering) -> None:
    """Read a diagnostic; its lines and characters count from 0."""
    if not is_object(diagnostic) or diagnostic.get("severity") not in _SEVERITIES:
        raise FormatError("a diagnostic has no known severity")
    start = _start(diagnostic)
    gathering.finding(
        rule=diagnostic.get("rule"),
        message=diagnostic.get("message"),
        severity=_SEVERITIES[diagnostic["severity"]],
        path=diagnostic.get("file"),
        line=_from_one(start.get("line")),
        column=_from_one(start.get("character")),
    )


def read_summary(summary: Any, gathering: Gathering) -> None:
    """Read how many files were analysed."""
    if not is_object(summary):
        raise FormatError("its summary is no object")
    count = whole_number(summary.get("filesAnalyzed"), "filesAnalyzed")
    gathering.analysed_count(count)


def _start(diagnostic: Mapping[str, Any]) -> Mapping[str, Any]:
    place = diagnostic.get("range")
    start = place.get("start") if is_object(place) else None
    return start if is_object(start) else {}


def _from_one(number: object) -> int | None:
    return number + 1 if type(number) is int else None
