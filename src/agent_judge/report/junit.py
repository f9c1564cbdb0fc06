"""A report as JUnit XML: a suite for each case, a test for its verdict and for each seat."""

from __future__ import annotations

import re
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from agent_judge.judgment import Judgment, Status
from agent_judge.report.model import Case, Report, rows_of

VERDICT: Final = "verdict"


def as_junit(report: Report) -> str:
    """The report as JUnit XML.

    FAIL is a `failure` and ERROR an `error`; what abstained, does not apply or was skipped is
    `skipped`. A seat that failed or errored in a verdict that passed all the same did not
    decide, and is `skipped` too, with what it found.
    """
    suites = "\n".join(_suite(case) for case in report.cases)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n{suites}\n</testsuites>\n'


def _suite(case: Case) -> str:
    passed = case.verdict.passed
    found = [_outcome(row.judgment, decides=not passed) for row in rows_of(case)]
    outcomes = [_outcome(case.verdict.judgment, decides=True), *found]
    tests = [
        _test(case.id, VERDICT, case.verdict.judgment, outcomes[0]),
        *(
            _test(case.id, row.name, row.judgment, outcome)
            for row, outcome in zip(rows_of(case), found, strict=True)
        ),
    ]
    head = (
        f'<testsuite name={_attribute(case.id)} tests="{len(tests)}" '
        f'failures="{outcomes.count("failure")}" errors="{outcomes.count("error")}" '
        f'skipped="{outcomes.count("skipped")}" '
        f'time="{case.verdict.cost.elapsed:.6f}">'
    )
    return "\n".join([head, *tests, "</testsuite>"])


def _outcome(judgment: Judgment, *, decides: bool) -> str | None:
    match judgment.status:
        case Status.PASS:
            return None
        case Status.FAIL if decides:
            return "failure"
        case Status.ERROR if decides:
            return "error"
        case _:
            return "skipped"


def _test(case: str, name: str, judgment: Judgment, outcome: str | None) -> str:
    time = f"{judgment.elapsed or 0:.6f}"
    head = f'<testcase classname={_attribute(case)} name={_attribute(name)} time="{time}"'
    if outcome is None:
        return f"{head}/>"
    message = _attribute(f"{judgment.status.value}: {judgment.reasoning}")
    if outcome == "skipped":
        return f"{head}><skipped message={message}/></testcase>"
    kind = _attribute(judgment.code.value if judgment.code else judgment.status.value)
    details = _details(judgment)
    return f"{head}><{outcome} message={message} type={kind}>{details}</{outcome}></testcase>"


def _details(judgment: Judgment) -> str:
    lines = [judgment.reasoning]
    for check in judgment.failed_checks:
        where = f"{check.location}: " if check.location else ""
        lines.append(f"{where}{check.name}: {check.message}")
    return escape(_legal("\n".join(lines)))


def _attribute(text: str) -> str:
    return quoteattr(_legal(text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


_ILLEGAL: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _legal(text: str) -> str:
    """The text with what XML 1.0 cannot carry replaced (section 2.2)."""
    return _ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", text)
