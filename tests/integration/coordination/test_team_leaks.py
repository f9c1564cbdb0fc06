"""A thousand executions of teams leave nothing behind."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_judge.coordination import (
    Member,
    SubTask,
    Team,
    TeamContext,
    TeamFormation,
    TeamPhase,
    TeamResult,
    TeamRole,
)
from agent_judge.engine import workers
from agent_judge.engine.background import background_loop
from agent_judge.engine.workers import Workers

pytestmark = pytest.mark.integration

EXECUTIONS = 1_000
PLAN = [SubTask("1", "x", "asynchronous"), SubTask("2", "x", "blocking", after=("1",))]


async def leads(_: str, context: TeamContext) -> object:
    """Plan, then merge; elsewhere give an answer."""
    await asyncio.sleep(0)
    return PLAN if context.phase is TeamPhase.PLAN else "answer"


async def asynchronous(_: str, __: TeamContext) -> str:
    """Answer after a turn of the loop."""
    await asyncio.sleep(0)
    return "answer"


def blocking(_: str, __: TeamContext) -> str:
    """Answer in a worker thread."""
    return "answer"


async def raises(_: str, __: TeamContext) -> None:
    """Fail."""
    raise ValueError("no")


async def hangs(_: str, __: TeamContext) -> None:
    """Never end by itself."""
    await asyncio.Event().wait()


def a_team(formation: TeamFormation) -> Team:
    """A team in which everything goes on that can."""
    return Team(
        name="team",
        mission="Leave nothing behind.",
        formation=formation,
        lead=leads,
        members=[
            (asynchronous, TeamRole.MEMBER),
            (blocking, TeamRole.MEMBER),
            (raises, TeamRole.EXPERT),
            (lambda *_: None, TeamRole.REVIEWER),
        ],
        on_error="skip",
        max_rounds=1,
    )


def open_files() -> int:
    """How many descriptors the process holds."""
    listing = Path("/proc/self/fd")
    if not listing.exists():
        pytest.skip("this system does not list open descriptors in /proc")
    return sum(1 for _ in listing.iterdir())


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Neither threads nor descriptors outlive the executions."""
    background_loop()
    monkeypatch.setattr(workers, "_workers", Workers())
    monkeypatch.setattr(workers, "IDLE_SECONDS", 0.01)
    threads, files = set(threading.enumerate()), open_files()

    yield

    for thread in set(threading.enumerate()) - threads:
        thread.join(60)
    assert set(threading.enumerate()) <= threads
    assert workers.workers().abandoned == 0
    assert open_files() <= files


def test_a_thousand_executions_leave_no_task() -> None:
    """In every formation, one after the other on one loop. (contract: loop:T9)"""

    async def execute() -> tuple[list[TeamResult], int]:
        results: list[TeamResult] = []
        for formation in TeamFormation:
            async with a_team(formation) as team:
                results += [
                    await team.aexecute("task") for _ in range(EXECUTIONS // len(TeamFormation) + 1)
                ]
        return results, len(asyncio.all_tasks()) - 1

    results, tasks = asyncio.run(execute())

    assert tasks == 0
    assert len(results) >= EXECUTIONS
    assert all(result.output for result in results)


def test_executions_that_are_late_or_cancelled_leave_no_task() -> None:
    """Their members are cancelled and awaited. (contract: loop:T8, loop:T9)"""
    members = [Member(hangs), Member(lambda *_: "answer", TeamRole.MEMBER)]

    async def execute(cancel: bool) -> int:
        team = Team(
            name="team",
            mission="Leave nothing behind.",
            formation=TeamFormation.PARALLEL,
            members=members,
            timeout=60 if cancel else 0.001,
        )
        async with team:
            for _ in range(100):
                task = asyncio.ensure_future(team.aexecute("task"))
                await asyncio.sleep(0)
                if cancel:
                    task.cancel()
                await asyncio.wait({task})
        return len(asyncio.all_tasks()) - 1

    assert asyncio.run(execute(cancel=False)) == 0
    assert asyncio.run(execute(cancel=True)) == 0
