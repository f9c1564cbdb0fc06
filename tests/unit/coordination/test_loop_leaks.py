"""A thousand loops of every kind, after which nothing is left."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from agent_judge.coordination import Feedback, JudgeContext, JudgeCoordinator, JudgeVerdict
from agent_judge.engine.workers import workers

LOOPS = 1000


def decide(_: str, output: object, context: JudgeContext) -> JudgeVerdict:
    """Approve the second attempt."""
    if context.iteration == 1:
        return JudgeVerdict.retry("again", 0.5, ["again"])
    return JudgeVerdict.approve(str(output), 1)


async def adecide(agent_id: str, output: object, context: JudgeContext) -> JudgeVerdict:
    """The same, later."""
    await asyncio.sleep(0)
    return decide(agent_id, output, context)


def work(_: str, feedback: Feedback) -> int:
    """Make a number."""
    return feedback.attempt


async def awork(_: str, feedback: Feedback) -> int:
    """Fail, then make a number."""
    await asyncio.sleep(0)
    if not feedback:
        raise ValueError("no")
    return feedback.attempt


async def hang(_: str, __: Feedback) -> int:
    """Never end."""
    await asyncio.Event().wait()
    return 0


async def executed(coordinator: JudgeCoordinator[int]) -> None:
    """Execute it."""
    await coordinator.aexecute("agent-1")


async def listened(coordinator: JudgeCoordinator[int]) -> None:
    """Listen to it."""
    async for _ in coordinator.stream("agent-1"):
        pass


KINDS: dict[str, dict[str, Any]] = {
    "sync": {"executor": work, "policy": decide},
    "async": {"executor": awork, "policy": adecide},
    "mixed": {"executor": work, "policy": adecide},
    "late": {"executor": hang, "policy": decide, "attempt_timeout": 1e-6, "max_retries": 2},
    "candidates": {"executor": awork, "policy": adecide, "candidates": 3},
}


def descriptors() -> int:
    """How many files this process holds open."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts descriptors in /proc")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("door", ["execute", "aexecute"])
def test_a_thousand_loops_leave_nothing_behind(kind: str, door: str) -> None:
    """No task, no thread and no descriptor. (contract: loop:A2)"""
    coordinator = JudgeCoordinator[Any](**KINDS[kind])
    many = LOOPS // len(KINDS)

    async def main() -> None:
        before = asyncio.all_tasks()
        for _ in range(many):
            await coordinator.aexecute("agent-1")
        assert asyncio.all_tasks() == before

    def go() -> None:
        if door == "aexecute":
            asyncio.run(main())
        else:
            for _ in range(many):
                coordinator.execute("agent-1")

    coordinator.execute("agent-1")
    go()
    held, running = descriptors(), threading.active_count()
    go()

    assert descriptors() <= held
    assert threading.active_count() <= running
    assert workers().abandoned == 0


@pytest.mark.parametrize("begin", [executed, listened])
def test_a_thousand_cancelled_loops_leave_nothing_behind(
    begin: Callable[[JudgeCoordinator[int]], Awaitable[Any]],
) -> None:
    """Whoever is cancelled ends what it began. (contract: loop:D6)"""
    ended: list[bool] = []

    async def work_until_cancelled(_: str, __: Feedback) -> int:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)
        return 0

    coordinator = JudgeCoordinator(
        policy=decide, executor=work_until_cancelled, candidates=2, attempt_timeout=600
    )

    async def one() -> None:
        task = asyncio.ensure_future(begin(coordinator))
        for _ in range(9):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    async def main() -> None:
        before = asyncio.all_tasks()
        for _ in range(LOOPS // 2):
            await one()
        assert asyncio.all_tasks() == before

    asyncio.run(main())

    assert len(ended) == LOOPS
