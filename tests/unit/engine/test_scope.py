"""Tasks that never outlive the block they are begun in, and events out of one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from agent_judge.engine.scope import Scope, streamed
from agent_judge.engine.tasks import within


class Left:
    """Work that waits until it is cancelled."""

    def __init__(self) -> None:
        self.cleaned = 0

    async def wait(self) -> Any:
        """Wait."""
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            self.cleaned += 1


async def after(turns: int, value: Any) -> Any:
    """Give a value, or raise it, after some turns of the loop."""
    for _ in range(turns):
        await asyncio.sleep(0)
    if isinstance(value, BaseException):
        raise value
    return value


def test_results_come_in_order_of_begin() -> None:
    """Whoever ends first."""

    async def run() -> tuple[str, ...]:
        async with Scope[str]() as scope:
            for turns, value in ((9, "a"), (1, "b"), (5, "c")):
                scope.begin(after(turns, value))
            return await scope.all()

    assert asyncio.run(run()) == ("a", "b", "c")


def test_results_come_as_they_end() -> None:
    """More work can be begun meanwhile."""

    async def run() -> list[str]:
        got: list[str] = []
        async with Scope[str]() as scope:
            scope.begin(after(9, "slow"))
            scope.begin(after(1, "quick"))
            got += await scope.next()
            scope.begin(after(1, "next"))
            while len(scope):
                got += await scope.next()
        return got

    assert asyncio.run(run()) == ["quick", "next", "slow"]


def test_there_is_nothing_to_wait_for_in_an_empty_block() -> None:
    """All of nothing is nothing."""

    async def run() -> tuple[Any, ...]:
        async with Scope[Any]() as scope:
            return await scope.all()

    assert asyncio.run(run()) == ()


@pytest.mark.parametrize("raised", [ValueError(), KeyboardInterrupt(), SystemExit()])
@pytest.mark.parametrize("all_at_once", [False, True])
def test_what_is_raised_leaves_the_block_and_ends_the_others(
    raised: BaseException, all_at_once: bool
) -> None:
    """They are cancelled and awaited."""
    left = Left()

    async def run() -> None:
        async with Scope[Any]() as scope:
            scope.begin(left.wait())
            scope.begin(after(2, raised))
            await (scope.all() if all_at_once else scope.next())

    with pytest.raises(type(raised)):
        asyncio.run(run())
    assert left.cleaned == 1


def test_leaving_the_block_ends_what_still_runs() -> None:
    """Nothing goes on by itself."""
    left = Left()

    async def run() -> int:
        async with Scope[Any]() as scope:
            scope.begin(left.wait())
            await asyncio.sleep(0)
        return len(asyncio.all_tasks())

    assert (asyncio.run(run()), left.cleaned) == (1, 1)


def test_work_without_a_deadline_has_a_task_of_its_own() -> None:
    """So that whoever waits for it is cancelled, even where the work takes no notice."""

    async def deaf() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "went on"
        return "never"

    async def run() -> bool:
        task = asyncio.ensure_future(within(None, deaf()))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
        return task.cancelled()

    assert asyncio.run(run())


def told(*events: Any) -> Callable[[Callable[[Any], None]], Any]:
    """Work that tells of events, and raises those that are exceptions."""

    async def work(tell: Callable[[Any], None]) -> None:
        for event in events:
            await asyncio.sleep(0)
            if isinstance(event, BaseException):
                raise event
            tell(event)

    return work


def test_events_come_in_order_and_end() -> None:
    """Also events that are nothing."""

    async def run() -> list[Any]:
        return [event async for event in streamed(told(1, None, 3))]

    assert asyncio.run(run()) == [1, None, 3]


def test_what_work_raises_comes_after_its_events() -> None:
    """Nothing that was told is lost."""
    got: list[Any] = []

    async def run() -> None:
        async for event in streamed(told(1, 2, ValueError("no"))):
            got.append(event)  # noqa: PERF401 - what came before it raises is wanted

    with pytest.raises(ValueError, match="no"):
        asyncio.run(run())
    assert got == [1, 2]


def test_whoever_stops_listening_stops_the_work() -> None:
    """It is cancelled and awaited."""
    left = Left()

    async def work(tell: Callable[[Any], None]) -> None:
        tell(1)
        await left.wait()

    async def run() -> int:
        events = streamed(work)
        async for _ in events:
            break
        await events.aclose()
        return len(asyncio.all_tasks())

    assert (asyncio.run(run()), left.cleaned) == (1, 1)


def test_what_ended_unheard_is_no_complaint() -> None:
    """Nobody listens any more when the work raises."""
    complaints: list[Any] = []

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, told: complaints.append(told))
        events = streamed(told(1, ValueError("unheard")))
        async for _ in events:
            await after(9, None)
            break
        await events.aclose()

    asyncio.run(run())

    assert complaints == []
