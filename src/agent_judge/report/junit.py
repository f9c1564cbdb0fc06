"""A report as JUnit XML: a suite for each case and each stage, a test for each seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from agent_judge.judgment import Judgment, Status
from agent_judge.markup import legal_xml
from agent_judge.report.model import Case, Report, rows_of

VERDICT: Final = "verdict"
"""The test of a case that stands for the verdict as a whole; it comes first."""

MESSAGE_LENGTH: Final = 500
"""Characters of the reasoning that stand in the attribute; the element holds all of it."""


@dataclass(frozen=True, slots=True)
class Test:
    """A judgment as a test: its name, and the element that says what is wrong with it, if any."""

    name: str
    judgment: Judgment
    outcome: str | None


def as_junit(report: Report) -> str:
    """The report as JUnit XML, well-formed for any text.

    FAIL is a `failure` and ERROR an `error`; what abstained, does not apply or was skipped is
    `skipped`. A seat that failed or errored in a verdict that passed all the same did not
    decide, and is `skipped` too, with what it found.
    """
    suites = [suite for case in report.cases for suite in _suites(case)]
    everything = [test for _, tests, _ in suites for test in tests]
    head = f"<testsuites{_totals(everything, report.spending.elapsed)}>"
    body = [_suite(*suite) for suite in suites]
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *body, "</testsuites>", ""])


def _suites(case: Case) -> Iterable[tuple[str, list[Test], float]]:
    """The name of each suite with its tests and its seconds: first of the case, then of stages."""
    verdict = case.verdict
    seconds = {
        path: attempt.verdict.cost.elapsed
        for path, attempt in verdict.stages()
        if attempt.verdict is not None
    }
    name = VERDICT if case.recountable else f"{VERDICT} (cannot be counted again)"
    suites = {"": [_test(name, verdict.judgment, decides=True)]}
    for row in rows_of(case):
        test = _test(row.key, row.judgment, decides=not verdict.passed)
        suites.setdefault(row.stage, []).append(test)
    for stage, tests in suites.items():
        yield f"{case.id}{stage}", tests, seconds.get(stage, verdict.cost.elapsed)


def _test(name: str, judgment: Judgment, *, decides: bool) -> Test:
    match judgment.status:
        case Status.PASS:
            return Test(name, judgment, None)
        case Status.FAIL if decides:
            return Test(name, judgment, "failure")
        case Status.ERROR if decides:
            return Test(name, judgment, "error")
        case _:
            return Test(name, judgment, "skipped")


def _suite(name: str, tests: list[Test], seconds: float) -> str:
    head = f"<testsuite name={_attribute(name)}{_totals(tests, seconds)}>"
    return "\n".join([head, *(_element(name, test) for test in tests), "</testsuite>"])


def _totals(tests: list[Test], seconds: float) -> str:
    counts = Counter(test.outcome for test in tests)
    return (
        f' tests="{len(tests)}" failures="{counts["failure"]}" errors="{counts["error"]}"'
        f' skipped="{counts["skipped"]}" time="{seconds:.6f}"'
    )


def _element(suite: str, test: Test) -> str:
    judgment = test.judgment
    place = f"classname={_attribute(suite)} name={_attribute(test.name)}"
    head = f'<testcase {place} time="{judgment.elapsed or 0:.6f}"'
    if test.outcome is None:
        return f"{head}/>"
    message = f"{judgment.status.value}: {judgment.reasoning[:MESSAGE_LENGTH]}"
    kind = judgment.code.value if judgment.code else judgment.status.value
    type_ = "" if test.outcome == "skipped" else f" type={_attribute(kind)}"
    return (
        f"{head}><{test.outcome} message={_attribute(message)}{type_}>"
        f"{_details(judgment)}</{test.outcome}></testcase>"
    )


def _details(judgment: Judgment) -> str:
    lines = [judgment.reasoning]
    for check in judgment.failed_checks:
        where = f"{check.location}: " if check.location else ""
        lines.append(f"{where}{check.name}: {check.message}")
    return escape(legal_xml("\n".join(lines)), {"\r": "&#13;"})


def _attribute(text: str) -> str:
    return quoteattr(legal_xml(text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
