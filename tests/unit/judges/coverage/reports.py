"""Coverage reports for the tests of the judges."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agent_judge import JudgmentContext


def tracefile(covered: int, total: int, path: str = "app.py") -> str:
    """An LCOV tracefile of one file, of whose lines the first ones ran."""
    lines = [f"DA:{number},{int(number <= covered)}" for number in range(1, total + 1)]
    return "\n".join([f"SF:{path}", *lines, "end_of_record", ""])


def run_in(workspace: Path, report: str | None = None, **fields: Any) -> JudgmentContext:
    """A run that left a report behind, named `lcov.info`."""
    if report is not None:
        (workspace / "lcov.info").write_text(report)
    return JudgmentContext(workspace=workspace, **fields)
