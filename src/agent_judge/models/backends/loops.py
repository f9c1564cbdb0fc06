"""What belongs to an event loop: one of a kind for each loop, closed when the loop ends."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Generic, TypeVar

from agent_judge.engine.background import close_with_loop

T = TypeVar("T")


class PerLoop(Generic[T]):
    """One value for each event loop, made when the loop first asks for it.

    Args:
        make: Makes the value, on the loop.
        close: Closes it, on the loop.
        drop: Lets go of it where the loop was closed first.
    """

    def __init__(
        self,
        make: Callable[[], T],
        close: Callable[[T], Awaitable[None]] | None = None,
        drop: Callable[[T], None] | None = None,
    ) -> None:
        self._make = make
        self._close = close
        self._drop = drop
        self._kept: dict[asyncio.AbstractEventLoop, _Kept[T]] = {}
        self._lock = threading.Lock()

    async def get(self) -> T:
        """The value of the running loop."""
        loop = asyncio.get_running_loop()
        kept = self._kept.get(loop)
        if kept is None:
            kept = _Kept(self._make(), self._close)
            with self._lock:
                self._forget_closed_loops()
                self._kept[loop] = kept
            if self._close is not None:
                await kept.close_with_its_loop()
        return kept.value

    async def aclose(self) -> None:
        """Close the values of all loops; those of other loops that run are closed there."""
        here = asyncio.get_running_loop()
        with self._lock:
            self._forget_closed_loops()
            kept, self._kept = self._kept, {}
        for loop, value in kept.items():
            if loop is here:
                await value.aclose()
            elif loop.is_running():
                closing = asyncio.run_coroutine_threadsafe(value.aclose(), loop)
                await asyncio.wrap_future(closing)
            elif self._drop is not None:
                self._drop(value.value)

    def _forget_closed_loops(self) -> None:
        for loop in [loop for loop in self._kept if loop.is_closed()]:
            kept = self._kept.pop(loop)
            if self._drop is not None:
                self._drop(kept.value)


class _Kept(Generic[T]):
    """A value, and what closes it at the latest when its loop ends.

    `asyncio.run` closes the asynchronous generators that are still open before it closes the
    loop: the keeper is one. The background loop of the engine has a list of its own.
    """

    def __init__(self, value: T, close: Callable[[T], Awaitable[None]] | None) -> None:
        self.value = value
        self.keeper = _keep(value, close)

    async def close_with_its_loop(self) -> None:
        """Begin to keep the value open."""
        await anext(self.keeper)
        keeper = weakref.ref(self.keeper)

        async def close() -> None:
            if (still_open := keeper()) is not None:
                await still_open.aclose()

        close_with_loop(close)

    async def aclose(self) -> None:
        """Close the value."""
        await self.keeper.aclose()


async def _keep(
    value: T, close: Callable[[T], Awaitable[None]] | None
) -> AsyncGenerator[None, None]:
    try:
        yield
    finally:
        if close is not None:
            await close(value)
