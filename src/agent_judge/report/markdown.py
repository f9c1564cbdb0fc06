"""A report in Markdown, for the page of a CI job."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_judge.judgment import Judgment, Status
from agent_judge.report.model import Case, Report, rows_of, threshold_of
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

    Text of judges is escaped: it becomes no table cell, link or tag of its own making.
    """
    return "\n".join(["## Agent Judge", "", escape(report.summary()), "", *_cases(report), ""])


def _cases(report: Report) -> Iterator[str]:
    for case in report.cases:
        verdict = case.verdict
        yield f"### {SIGNS[verdict.status]} — {escape(case.id, 80)}"
        yield ""
        yield escape(verdict.reasoning, 500) or "(no reason given)"
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
            _score(row.judgment),
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


def _score(judgment: Judgment) -> str:
    if judgment.score is None or judgment.effective_score is None:
        return ""
    threshold = threshold_of(judgment)
    mark = "" if threshold is None else f" of {threshold:g}"
    return f"{judgment.effective_score:.2f}{mark}"


def escape(text: str, limit: int = 300) -> str:
    """Text on one line that Markdown shows as it is."""
    line = one_line(text, limit).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{c}" if c in _MARKS else c for c in line)


_MARKS: Final = frozenset("\\`*_{}[]()#+!|~@")
