"""The JSON Lines of mypy (`--output json`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from agent_judge.judges.findings.gathering import Gathering
from agent_judge.judges.findings.record import Severity
from agent_judge.judges.reports.faults import FormatError

SEVERITIES: Final = {
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "note": Severity.NOTE,
}


def is_mypy(item: Mapping[str, Any]) -> bool:
    """Whether an item is one of mypy's."""
    return {"file", "line", "message", "severity"} <= item.keys()


def read_mypy(item: Mapping[str, Any], gathering: Gathering) -> None:
    """Read a message; its column counts from 0, and is -1 where there is none."""
    if item["severity"] not in SEVERITIES:
        raise FormatError("a message has no known severity")
    column = item.get("column")
    gathering.finding(
        rule=item.get("code"),
        message=item["message"],
        severity=SEVERITIES[item["severity"]],
        path=item["file"],
        line=item["line"],
        column=column + 1 if type(column) is int else None,
    )
