"""The JSON of Pylint, in its old form (a list) and its new one (`json2`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from agent_judge.judges.findings.gathering import Gathering
from agent_judge.judges.findings.record import Severity
from agent_judge.judges.reports.faults import FormatError, whole_number
from agent_judge.judges.reports.json_entries import is_object

SEVERITIES: Final = {
    "fatal": Severity.ERROR,
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "refactor": Severity.NOTE,
    "convention": Severity.NOTE,
    "info": Severity.NOTE,
}


def is_pylint(item: Mapping[str, Any]) -> bool:
    """Whether an item is one of Pylint's."""
    return {"symbol", "message", "path", "module"} <= item.keys()


def read_pylint(item: Any, gathering: Gathering) -> None:
    """Read a message; its column counts from 0. A fatal one says that a file was not analysed."""
    if not is_object(item) or item.get("type") not in SEVERITIES:
        raise FormatError("a message is of no known type")
    column = item.get("column")
    gathering.finding(
        rule=item.get("symbol"),
        message=item.get("message"),
        severity=SEVERITIES[item["type"]],
        path=item.get("path"),
        line=item.get("line"),
        column=column + 1 if type(column) is int else None,
    )
    if item["type"] == "fatal":
        gathering.problem(item.get("message"))


def read_statistics(statistics: Any, gathering: Gathering) -> None:
    """Read how many modules were analysed."""
    if not is_object(statistics):
        raise FormatError("its statistics are no object")
    gathering.analysed_count(whole_number(statistics.get("modulesLinted"), "modulesLinted"))
