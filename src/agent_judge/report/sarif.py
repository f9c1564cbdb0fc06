"""A report as SARIF 2.1.0 (OASIS), which code hosts show beside the lines of the code.

Numbers in the comments are sections of the standard.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, Final
from urllib.parse import quote

from agent_judge.judgment import Check, Judgment, Location, Status
from agent_judge.report.model import Case, Report, Row, rows_of

SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

VERDICT: Final = "verdict"
"""The rule of what is said of a verdict as a whole; the others are called by their seats."""

ROOT: Final = "./"
"""Where a failure is that names no file: in the work as a whole. Code hosts refuse a result without
a physical location."""

_LEVELS: Final = {
    Status.PASS: "none",
    Status.FAIL: "warning",
    Status.ERROR: "error",
    Status.ABSTAIN: "note",
    Status.NOT_APPLICABLE: "none",
}
"""How much a notification matters to whoever wants to know whether judging went well."""


def as_sarif(report: Report) -> str:
    """The report as SARIF.

    What is wrong with the judged work are the results: one for each failed check, with its file and
    line where it has them, and one for a seat that failed without naming any. Of a verdict that
    passed all the same they are notes. How judging went is told by the notifications: one for each
    verdict and each seat, whatever came of it. A judge that could not judge is a notification of
    level `error`, and makes the execution unsuccessful unless its verdict passed.
    """
    rules = _Rules()
    results = [result for case in report.cases for result in _results(case, rules)]
    notifications = [item for case in report.cases for item in _notifications(case, rules)]
    run = {
        "tool": {"driver": {**_driver(), "rules": rules.descriptors}},
        "invocations": [
            {
                "executionSuccessful": not any(map(_went_wrong, report.cases)),
                "exitCode": report.exit_code,
                "toolExecutionNotifications": notifications,
            }
        ],
        "results": results,
        "columnKind": "unicodeCodePoints",
        "properties": {"status": report.status.value, "summary": report.summary()},
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=1) + "\n"


class _Rules:
    """What results and notifications refer to: the verdict and every seat, by their names."""

    def __init__(self) -> None:
        self._indices: dict[str, int] = {}

    @property
    def descriptors(self) -> list[dict[str, Any]]:
        """Their descriptions (3.49)."""
        return [{"id": name, "shortDescription": {"text": name}} for name in self._indices]

    def index(self, name: str) -> int:
        """The index of a rule, which is there from now on."""
        return self._indices.setdefault(name, len(self._indices))


def _driver() -> dict[str, str]:
    from agent_judge import __version__

    return {"name": "Agent Judge", "semanticVersion": __version__}


def _went_wrong(case: Case) -> bool:
    """Whether something that was to be judged was not."""
    judgments = [case.verdict.judgment, *(row.judgment for row in rows_of(case))]
    return not case.verdict.passed and any(item.status is Status.ERROR for item in judgments)


def _results(case: Case, rules: _Rules) -> list[dict[str, Any]]:
    """What is wrong with the work, seat by seat; the verdict's own words where no seat says it."""
    level = "note" if case.verdict.passed else "error"
    results = [
        _result(case, row.name, check, level, rules)
        for row in rows_of(case)
        if row.judgment.status is Status.FAIL
        for check in _failures(row)
    ]
    if case.verdict.status is Status.FAIL and not results:
        whole = Check(VERDICT, False, case.reasoning)
        results.append(_result(case, VERDICT, whole, level, rules))
    return results


def _failures(row: Row) -> Iterable[Check]:
    """The failed checks that name a file, else the seat as a whole."""
    located = [check for check in row.judgment.failed_checks if check.location is not None]
    return located or [Check(row.name, False, row.judgment.reasoning)]


def _result(case: Case, rule: str, check: Check, level: str, rules: _Rules) -> dict[str, Any]:
    said = f"{check.name}: {check.message}" if check.location and check.message else check.message
    place = ROOT if check.location is None else check.location.path
    fingerprint = json.dumps([case.id, rule, check.name, check.message, place])
    return {
        "ruleId": rule,
        "ruleIndex": rules.index(rule),
        "kind": "fail",
        "level": level,
        "message": {"text": said or check.name},
        "locations": [
            {
                "physicalLocation": _physical_location(check.location),
                "logicalLocations": [{"fullyQualifiedName": f"{case.id}/{rule}"}],
            }
        ],
        "partialFingerprints": {"agentJudge/v1": sha256(fingerprint.encode()).hexdigest()},
        "properties": {"case": case.id, "check": check.name},
    }


def _physical_location(location: Location | None) -> dict[str, Any]:
    if location is None:
        return {"artifactLocation": {"uri": ROOT}}
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(location.path)}}
    if location.line is not None:
        place["region"] = {"startLine": location.line}
        if location.column is not None:
            place["region"]["startColumn"] = location.column
    return place


def _uri(path: str) -> str:
    """A path as a URI: relative where it is, and nothing in it with a meaning of its own."""
    quoted = quote(path)
    return f"file://{quoted}" if path.startswith("/") else quoted


def _notifications(case: Case, rules: _Rules) -> Iterable[dict[str, Any]]:
    """How judging went: the verdict, then each seat (3.58)."""
    yield _notification(case, VERDICT, case.verdict.judgment, case.reasoning, rules)
    for row in rows_of(case):
        yield _notification(case, row.name, row.judgment, row.judgment.reasoning, rules)


def _notification(
    case: Case, rule: str, judgment: Judgment, reasoning: str, rules: _Rules
) -> dict[str, Any]:
    status = judgment.status
    properties: dict[str, Any] = {"case": case.id, "seat": rule, "status": status.value}
    if judgment.code is not None:
        properties["code"] = judgment.code.value
    if judgment.effective_score is not None:
        properties["score"] = judgment.effective_score
    return {
        "associatedRule": {"id": rule, "index": rules.index(rule)},
        "level": _LEVELS[status],
        "message": {"text": f"{status.value}: {reasoning}" if reasoning else status.value},
        "properties": properties,
    }
