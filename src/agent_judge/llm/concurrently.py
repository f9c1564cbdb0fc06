"""Doing several things at once, a bounded number at a time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

from agent_judge.errors import ArgumentError

T = TypeVar("T")


async def concurrently(work: Iterable[Callable[[], Awaitable[T]]], limit: int) -> list[T]:
    """Do all of it, at most so much at a time; the results come in the order of the work.

    What one raises ends the others, once they have cleaned up, and is raised as it is.

    Args:
        work: Functions that each make something to await.
        limit: How many may be under way at once.

    Example:
        >>> import asyncio
        >>> async def half_of(number: int) -> float:
        ...     return number / 2
        >>> asyncio.run(concurrently([lambda: half_of(4), lambda: half_of(2)], 8))
        [2.0, 1.0]
    """
    todo = tuple(work)
    if len(todo) == 1:
        return [await todo[0]()]
    import asyncio

    places = asyncio.Semaphore(limit)

    async def do(one: Callable[[], Awaitable[T]]) -> T:
        async with places:
            return await one()

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(do(one)) for one in todo]
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from None
    return [task.result() for task in tasks]


def check_concurrency(limit: object) -> None:
    """Refuse a bound that lets nothing be done.

    Raises:
        ArgumentError: It is no whole number from 1 up.
    """
    if type(limit) is not int or limit < 1:
        raise ArgumentError(f"concurrency must be a whole number from 1 up, got {limit!r}")
