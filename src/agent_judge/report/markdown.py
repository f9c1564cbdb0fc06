"""A report in Markdown, for the page of a CI job."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_judge.judgment import Status
from agent_judge.markup import escape_markdown
from agent_judge.report.model import Case, Report, rows_of, score_of
from agent_judge.report.text import one_line

SIGNS: Final = {
    Status.PASS: "✅ pass",
    Status.FAIL: "❌ fail",
    Status.ERROR: "💥 error",
    Status.ABSTAIN: "⚪ abstain",
    Status.NOT_APPLICABLE: "⚪ not applicable",
}


def as_markdown(report: Report) -> str:
    """The report as Markdown: the totals, then each case with its seats and failed checks.

    Text of judges is escaped: it becomes no table cell, list, link or tag of its own making.
    """
    totals = [escape(report.summary()), "", escape(report.spending_summary())]
    return "\n".join(["## Agent Judge", "", *totals, "", *_overview(report), *_cases(report)])


def _overview(report: Report) -> Iterator[str]:
    """A line a case, where there are several."""
    if len(report.cases) == 1:
        return
    yield "| case | verdict | score | why |"
    yield "|---|---|---|---|"
    for case in report.cases:
        verdict = case.verdict
        cells = (
            escape(case.id, 80),
            SIGNS[verdict.status],
            score_of(verdict.judgment),
            escape(case.reasoning),
        )
        yield f"| {' | '.join(cells)} |"
    yield ""


def _cases(report: Report) -> Iterator[str]:
    for case in report.cases:
        verdict = case.verdict
        yield f"### {SIGNS[verdict.status]} — {escape(case.id, 80)}"
        yield ""
        yield escape(case.reasoning, 500) or "(no reason given)"
        yield ""
        yield from _table(case)
        yield ""
        yield from _failed_checks(case)


def _table(case: Case) -> Iterator[str]:
    yield "| judge | status | score | why |"
    yield "|---|---|---|---|"
    for row in rows_of(case):
        cells = (
            escape(row.name, 80),
            "⚪ skipped" if row.skipped else SIGNS[row.judgment.status],
            score_of(row.judgment),
            escape(row.judgment.reasoning),
        )
        yield f"| {' | '.join(cells)} |"


def _failed_checks(case: Case) -> Iterator[str]:
    failed = [(row, check) for row in rows_of(case) for check in row.judgment.failed_checks]
    for row, check in failed:
        where = f" at {escape(str(check.location))}" if check.location else ""
        message = f": {escape(check.message)}" if check.message else ""
        yield f"- {escape(row.name, 80)} — {escape(check.name)}{where}{message}"
    if failed:
        yield ""


def escape(text: str, limit: int = 300) -> str:
    """Text on one line that Markdown shows as it is."""
    return escape_markdown(one_line(text, limit))
