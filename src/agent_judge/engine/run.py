"""One call from outside, and what the judges asked in it have in common."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import FrozenMap
from agent_judge.protocol import Cost

if TYPE_CHECKING:
    import asyncio

T = TypeVar("T")

DEFAULT_LIMITS: Final[Mapping[str, int]] = FrozenMap(
    {"file": 16, "command": max(2, os.cpu_count() or 2), "model": 100}
)
"""How many judges of a cost class may be at work at once in one call from outside."""


class Run:
    """One call from outside.

    Attributes:
        on_loop: Whether an event loop drives it.
        in_tasks: Whether some of its judges are asked in tasks of that loop, so that a judge
            which blocked the loop would block others or outlive a deadline.
        limits: How many judges of a cost class may be at work at once.
    """

    __slots__ = ("_places", "_shared", "in_tasks", "limits", "on_loop")

    def __init__(self, limits: Mapping[str, int] = DEFAULT_LIMITS) -> None:
        self.on_loop = False
        self.in_tasks = False
        self.limits = limits
        self._places: dict[Cost, asyncio.Semaphore] | None = None
        self._shared: dict[Hashable, SharedWork] | None = None

    def place(self, cost: Cost) -> asyncio.Semaphore:
        """The places that judges of a cost class take while they work."""
        import asyncio

        if self._places is None:
            self._places = {}
        if cost not in self._places:
            self._places[cost] = asyncio.Semaphore(self.limits[cost.name.lower()])
        return self._places[cost]

    async def share(self, key: Hashable, work: Callable[[], Awaitable[T]]) -> T:
        """Do work that several judges need once; each gets its result, or its exception."""
        if self._shared is None:
            self._shared = {}
        if key not in self._shared or self._shared[key].given_up:
            self._shared[key] = SharedWork(work)
        result: T = await self._shared[key].result()
        return result


class SharedWork:
    """Work in a task of its own, which ends early only when nobody waits for it any more."""

    def __init__(self, work: Callable[[], Awaitable[Any]]) -> None:
        import asyncio

        self._asyncio = asyncio
        self._task = asyncio.ensure_future(_as_coroutine(work))
        self._waiters = 0
        self.given_up = False

    async def result(self) -> Any:
        """Wait for the result; a cancelled waiter does not disturb the others."""
        self._waiters += 1
        try:
            return await self._asyncio.shield(self._task)
        except self._asyncio.CancelledError:
            if self._waiters == 1 and not self._task.done():
                await self._give_up()
            raise
        finally:
            self._waiters -= 1

    async def _give_up(self) -> None:
        """Stop, since nobody waits; whoever needs the result now begins anew."""
        self.given_up = True
        self._task.cancel()
        await self._asyncio.wait({self._task})
        if not self._task.cancelled():
            self._task.exception()  # somebody has to look at it, or the loop complains


async def _as_coroutine(work: Callable[[], Awaitable[T]]) -> T:
    return await work()


def check_limits(limits: Mapping[Any, Any]) -> Mapping[str, int]:
    """Complete limits that a caller gave, by cost class, with the default ones.

    Raises:
        ArgumentError: An unknown cost class, or one that may not work at all.
    """
    known = {cost.name.lower() for cost in Cost if cost is not Cost.MEMORY}
    if not isinstance(limits, Mapping):
        raise ArgumentTypeError(f"concurrency must map cost classes to numbers, not {limits!r}")
    for name, limit in limits.items():
        if name not in known:
            raise ArgumentError(f"concurrency names {name!r}; known are {sorted(known)}")
        if type(limit) is not int or limit < 1:
            raise ArgumentError(f"concurrency of {name!r} must be a whole number from 1 up")
    return FrozenMap({**DEFAULT_LIMITS, **limits})
