"""Judging several runs from the command line, a bounded number at a time, with progress."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic

from agent_judge.cli.terminal import JUDGING_ERROR, emit, fail
from agent_judge.config import AnyJury
from agent_judge.jury import Verdict
from agent_judge.report import Case, Report
from agent_judge.runs import StoredRun


def judge_runs(
    jury: AnyJury, runs: Sequence[StoredRun], *, concurrency: int, quiet: bool
) -> Report:
    """Judge every run; the cases come in the order of the runs.

    A judge that ends the program, perhaps with code 0, ends it as an error: nobody judged.
    """
    try:
        return asyncio.run(_judge_runs(jury, runs, concurrency, Progress(len(runs)), quiet=quiet))
    except SystemExit as ended:
        fail(f"a judge ended the program: SystemExit({ended.code!r})", JUDGING_ERROR)


async def _judge_runs(
    jury: AnyJury, runs: Sequence[StoredRun], concurrency: int, progress: Progress, *, quiet: bool
) -> Report:
    places = asyncio.Semaphore(concurrency)

    async def judge_run(run: StoredRun) -> Verdict:
        async with places:
            verdict = await jury.avote(run.context)
        progress.done += 1
        return verdict

    showing = None if quiet else asyncio.create_task(progress.show())
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(judge_run(run)) for run in runs]
    finally:
        if showing is not None:
            showing.cancel()
            with suppress(asyncio.CancelledError):
                await showing
    return Report(tuple(Case(run.id, task.result()) for run, task in zip(runs, tasks, strict=True)))


class Progress:
    """How many runs are judged, said on standard error once it takes longer than a second.

    On a terminal it is one line, which is gone at the end; elsewhere a plain line each time that
    more are judged, and every half minute.

    Attributes:
        total: How many runs there are.
        done: How many of them are judged.
    """

    SECONDS = 1.0
    SECONDS_WITHOUT_NEWS = 30.0

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0
        self._begun = monotonic()
        self._said: tuple[int, float] | None = None

    async def show(self) -> None:
        """Say it, until this is cancelled."""
        try:
            while True:
                await asyncio.sleep(self.SECONDS)
                self.say()
        finally:
            if self._said is not None and sys.stderr.isatty():
                emit(f"\r{' ' * len(self._line())}\r", sys.stderr)

    def say(self) -> None:
        """Say it now, where there is something to say."""
        now = monotonic()
        if sys.stderr.isatty():
            emit(f"\r{self._line()}", sys.stderr)
        elif self._is_news(now):
            emit(f"{self._line()}\n", sys.stderr)
        else:
            return
        self._said = (self.done, now)

    def _is_news(self, now: float) -> bool:
        if self._said is None:
            return True
        done, when = self._said
        return self.done > done or now - when >= self.SECONDS_WITHOUT_NEWS

    def _line(self) -> str:
        return f"judged {self.done} of {self.total} runs, {monotonic() - self._begun:.0f} s"
