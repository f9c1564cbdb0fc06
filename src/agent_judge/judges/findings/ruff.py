"""The JSON of ruff, as a list or as JSON Lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent_judge.judges.findings.gathering import Gathering, text
from agent_judge.judges.findings.record import Severity
from agent_judge.judges.reports.json_entries import is_object

SYNTAX_ERROR = "invalid-syntax"
"""The rule of a file that does not parse; older releases give it none."""


def is_ruff(item: Mapping[str, Any]) -> bool:
    """Whether an item is one of ruff's."""
    return {"filename", "code", "location"} <= item.keys()


def read_ruff(item: Mapping[str, Any], gathering: Gathering) -> None:
    """Read a finding; older releases state no severity, and it is an error."""
    place = item["location"]
    gathering.finding(
        rule=text(item["code"]) or SYNTAX_ERROR,
        message=item.get("message"),
        severity=Severity.WARNING if item.get("severity") == "warning" else Severity.ERROR,
        path=item["filename"],
        line=place.get("row") if is_object(place) else None,
        column=place.get("column") if is_object(place) else None,
    )
