from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from agent_judge.errors import ArgumentError
from agent_judge.llm.concurrently import check_concurrency, concurrently


def making(answer: int) -> Callable[[], Awaitable[int]]:
    """Work that gives a number after everybody else had a turn."""

    async def work() -> int:
        await asyncio.sleep(0)
        return answer

    return work


def test_results_come_in_the_order_of_the_work() -> None:
    """Whoever is done first."""
    assert asyncio.run(concurrently(map(making, range(9)), 3)) == list(range(9))


@pytest.mark.parametrize("limit", [1, 3])
def test_no_more_than_the_limit_is_under_way(limit: int) -> None:
    """The others wait for a place."""
    under_way: set[int] = set()
    most = 0

    async def work(number: int) -> int:
        nonlocal most
        under_way.add(number)
        most = max(most, len(under_way))
        await asyncio.sleep(0)
        under_way.discard(number)
        return number

    def starting(number: int) -> Callable[[], Awaitable[int]]:
        return lambda: work(number)

    asyncio.run(concurrently(map(starting, range(9)), limit))

    assert most == limit


def test_what_one_raises_ends_the_others_and_is_raised_as_it_is() -> None:
    """No group of exceptions, and nothing left behind."""
    ended: list[str] = []

    async def wait() -> int:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cleaned up")
        return 0

    async def fail() -> int:
        await asyncio.sleep(0)
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        asyncio.run(concurrently([wait, fail], 2))

    assert ended == ["cleaned up"]


def test_a_cancelled_caller_cancels_the_work() -> None:
    """It is not left running."""
    ended: list[str] = []

    async def wait() -> int:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cleaned up")
        return 0

    async def cancel() -> None:
        task = asyncio.create_task(concurrently([wait, wait], 2))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        assert task.cancelled()

    asyncio.run(cancel())

    assert ended == ["cleaned up"] * 2


def test_one_at_a_time_is_a_bound() -> None:
    """The least there is."""
    check_concurrency(1)


@pytest.mark.parametrize("limit", [0, -1, 1.0, True, None])
def test_a_bound_that_lets_nothing_be_done_is_refused(limit: object) -> None:
    """It is a whole number from 1 up."""
    with pytest.raises(ArgumentError, match="concurrency must be a whole number from 1 up"):
        check_concurrency(limit)
