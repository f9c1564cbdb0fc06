"""The JSON of Bandit."""

from __future__ import annotations

from typing import Any, Final

from agent_judge.judges.findings.gathering import Gathering
from agent_judge.judges.findings.record import Severity
from agent_judge.judges.reports.faults import FormatError
from agent_judge.judges.reports.json_entries import is_array, is_object

TOTALS: Final = "_totals"
"""The entry of the metrics that is no file."""

_SEVERITIES: Final = {
    "HIGH": Severity.ERROR,
    "MEDIUM": Severity.WARNING,
    "LOW": Severity.NOTE,
    "UNDEFINED": Severity.NOTE,
}


def read_bandit(issue: Any, gathering: Gathering) -> None:
    """Read an issue; its column counts from 0."""
    if not is_object(issue) or issue.get("issue_severity") not in _SEVERITIES:
        raise FormatError("an issue has no known severity")
    column = issue.get("col_offset")
    gathering.finding(
        rule=issue.get("test_id"),
        message=issue.get("issue_text"),
        severity=_SEVERITIES[issue["issue_severity"]],
        path=issue.get("filename"),
        line=issue.get("line_number"),
        column=column + 1 if type(column) is int else None,
    )


def read_metrics(metrics: Any, gathering: Gathering) -> None:
    """Read which files were analysed."""
    if not is_object(metrics):
        raise FormatError("its metrics are no object")
    gathering.analysed_files()
    for path in metrics:
        if path != TOTALS:
            gathering.analysed_file(path)


def read_errors(errors: Any, gathering: Gathering) -> None:
    """Read which files could not be analysed."""
    if not is_array(errors):
        raise FormatError("its errors are no list")
    for error in errors:
        if not is_object(error):
            raise FormatError("an error is no object")
        gathering.problem(f"{error.get('filename')}: {error.get('reason')}")
