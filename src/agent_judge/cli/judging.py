"""Judging several runs from the command line, a bounded number at a time, with progress."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from time import monotonic

from agent_judge.cli.terminal import emit
from agent_judge.config import AnyJury
from agent_judge.jury import Verdict
from agent_judge.report import Case, Report
from agent_judge.runs import StoredRun

QUIET_SECONDS = 1.0
"""How long judging may take before its progress is shown."""


def judge_runs(
    jury: AnyJury, runs: Sequence[StoredRun], *, concurrency: int, quiet: bool
) -> Report:
    """Judge every run; the cases come in the order of the runs."""
    if len(runs) == 1 and quiet:
        return Report((Case(runs[0].id, jury.vote(runs[0].context)),))
    progress = _ignore if quiet else _Progress(len(runs))
    return asyncio.run(_judge_runs(jury, runs, concurrency, progress))


async def _judge_runs(
    jury: AnyJury, runs: Sequence[StoredRun], concurrency: int, progress: Callable[[], None]
) -> Report:
    places = asyncio.Semaphore(concurrency)

    async def judge_run(run: StoredRun) -> Verdict:
        async with places:
            verdict = await jury.avote(run.context)
        progress()
        return verdict

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(judge_run(run)) for run in runs]
    return Report(tuple(Case(run.id, task.result()) for run, task in zip(runs, tasks, strict=True)))


class _Progress:
    """Says how many runs are judged: on one line of a terminal, on plain lines elsewhere."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._shown_at = monotonic()

    def __call__(self) -> None:
        self._done += 1
        now = monotonic()
        if now - self._shown_at < QUIET_SECONDS:
            return
        self._shown_at = now
        begin, end = ("\r", "") if sys.stderr.isatty() else ("", "\n")
        if self._done == self._total:
            end = "\n"
        emit(f"{begin}judged {self._done} of {self._total} runs{end}", sys.stderr)


def _ignore() -> None:
    """No progress is wanted."""
