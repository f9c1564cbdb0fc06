from __future__ import annotations

import asyncio
import io
import sys

import pytest

from agent_judge import Judgment, JudgmentContext, Jury
from agent_judge.cli.judging import Progress, judge_runs
from agent_judge.runs import StoredRun
from agent_judge.testing import failing, passing


def runs(count: int) -> list[StoredRun]:
    """Runs whose output is their number."""
    return [StoredRun(f"run-{n}", JudgmentContext(output=n)) for n in range(count)]


def test_cases_come_in_the_order_of_the_runs() -> None:
    """However many are judged at once, and whichever is done first."""

    async def slower_first(context: JudgmentContext) -> Judgment:
        for _ in range(10 - int(str(context.output))):
            await asyncio.sleep(0)
        return Judgment.passing(str(context.output))

    report = judge_runs(Jury([slower_first]), runs(10), concurrency=4, quiet=True)

    assert [case.id for case in report.cases] == [f"run-{n}" for n in range(10)]


def test_no_more_runs_are_judged_at_once_than_allowed() -> None:
    """Concurrency is a bound."""
    now, most = 0, 0

    async def counting(_context: JudgmentContext) -> Judgment:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0)
        now -= 1
        return Judgment.passing()

    judge_runs(Jury([counting]), runs(20), concurrency=3, quiet=False)

    assert most == 3


def test_a_judge_that_ends_the_program_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    """Not even with code 0 does it look like a pass. (contract: edges:S8)"""

    async def leaving(_context: JudgmentContext) -> Judgment:
        raise SystemExit(0)

    with pytest.raises(SystemExit) as ended:
        judge_runs(Jury([passing(), leaving]), runs(1), concurrency=1, quiet=True)

    assert ended.value.code == 3
    assert "a judge ended the program: SystemExit(0)" in capsys.readouterr().err


def test_what_is_quick_shows_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    """Progress is for what takes longer than a second."""
    judge_runs(Jury([failing()]), runs(3), concurrency=2, quiet=False)

    assert capsys.readouterr() == ("", "")


def test_progress_on_a_terminal_is_one_line_that_is_gone_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing of it is left between the prompt and the result."""
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(Progress, "SECONDS", 0.0)
    progress = Progress(3)

    async def watch() -> None:
        showing = asyncio.create_task(progress.show())
        for done in range(3):
            progress.done = done
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        showing.cancel()
        await asyncio.wait([showing])

    asyncio.run(watch())

    shown = terminal.getvalue()
    assert "\rjudged 2 of 3 runs" in shown
    assert "\n" not in shown
    assert shown.endswith(" \r")


def test_progress_elsewhere_is_a_plain_line_where_there_is_news(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log is not filled with repetitions."""
    progress = Progress(3)
    progress.say()
    progress.say()
    progress.done = 1
    progress.say()
    monkeypatch.setattr(Progress, "SECONDS_WITHOUT_NEWS", 0.0)
    progress.say()

    lines = capsys.readouterr().err.splitlines()
    assert [line.split(",")[0] for line in lines] == [
        "judged 0 of 3 runs",
        "judged 1 of 3 runs",
        "judged 1 of 3 runs",
    ]
