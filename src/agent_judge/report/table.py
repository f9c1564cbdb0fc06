"""A report for the terminal: a table with rich where that is installed, plain columns elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from io import StringIO
from typing import Final

from agent_judge.judgment import Status
from agent_judge.report.model import Case, Report, rows_of, score_of
from agent_judge.report.text import one_line

COLUMNS: Final = ("case", "judge", "status", "score", "why")
STYLES: Final = {
    Status.PASS: "green",
    Status.FAIL: "red",
    Status.ERROR: "magenta",
    Status.ABSTAIN: "yellow",
    Status.NOT_APPLICABLE: "dim",
}


def as_table(
    report: Report, *, width: int = 100, color: bool = False, every_check: bool = False
) -> str:
    """The report as a table, a verdict a case with its seats below, and the totals.

    Args:
        report: What to show.
        width: Characters in a line.
        color: Colour the statuses; this needs rich.
        every_check: Show the checks that passed, too.
    """
    lines = [line for case in report.cases for line in _lines(case, every_check)]
    table = _rich(lines, width, color=color) if find_spec("rich") else _plain(lines)
    return f"{table}\n{report.summary()}\n{report.spending_summary()}\n"


def _lines(case: Case, every_check: bool) -> Iterable[tuple[Status, Sequence[str]]]:
    verdict = case.verdict
    rule = verdict.decided_by
    decided = f"{rule.rule} in {rule.stage}" if rule.stage else rule.rule
    yield (
        verdict.status,
        (
            one_line(case.id, 40),
            f"({decided})",
            verdict.status.value,
            score_of(verdict.judgment),
            one_line(case.reasoning),
        ),
    )
    for row in rows_of(case):
        yield (
            row.judgment.status,
            (
                "",
                one_line(row.name, 60),
                row.word,
                score_of(row.judgment),
                one_line(row.judgment.reasoning),
            ),
        )
        shown = row.judgment.checks if every_check else row.judgment.failed_checks
        for check in shown:
            sign = "+" if check.passed else "-"
            where = f" ({check.location})" if check.location else ""
            message = f": {check.message}" if check.message else ""
            found = one_line(f"{check.name}{where}{message}")
            yield row.judgment.status, ("", "", "", "", f"{sign} {found}")


def _rich(lines: Iterable[tuple[Status, Sequence[str]]], width: int, *, color: bool) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*COLUMNS, box=None, pad_edge=False)
    for status, cells in lines:
        style = "bold" if cells[0] else ""
        shown = [Text(cell, style=style) for cell in cells]
        shown[2].stylize(STYLES[status])
        table.add_row(*shown)
    stream = StringIO()
    console = Console(
        file=stream,
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        legacy_windows=False,
    )
    console.print(table)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def _plain(lines: Iterable[tuple[Status, Sequence[str]]]) -> str:
    rows = [COLUMNS, *(cells for _, cells in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS) - 1)]
    return "\n".join(
        "  ".join(
            [*(f"{cell:{w}}" for cell, w in zip(row, widths, strict=False)), row[-1]]
        ).rstrip()
        for row in rows
    )
