"""A value that is made once, by whoever needs it first, whatever loop or thread that is on."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """A value that is made when it is first needed, and kept.

    Of those who need it at the same time, one makes it and the others wait. Where making it fails,
    all of them learn why, and whoever needs it next tries again.

    Example:
        >>> import asyncio
        >>> made = Once[int]()
        >>> async def make() -> int:
        ...     print("made")
        ...     return 4
        >>> async def need_twice() -> list[int]:
        ...     return [await made.get(make), await made.get(make)]
        >>> asyncio.run(need_twice())
        made
        [4, 4]
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._future: Future[T] | None = None

    async def get(self, make: Callable[[], Awaitable[T]]) -> T:
        """The value, made now where it is not there yet."""
        import asyncio

        while True:
            future, first = self._join()
            if first:
                return await self._lead(future, make)
            try:
                return await asyncio.wrap_future(future)
            except _LeaderGaveUp:
                continue

    def _join(self) -> tuple[Future[T], bool]:
        """What holds the value, or will; and whether the caller is to make it."""
        with self._lock:
            if self._future is not None:
                return self._future, False
            self._future = Future()
            self._future.set_running_or_notify_cancel()
            return self._future, True

    async def _lead(self, future: Future[T], make: Callable[[], Awaitable[T]]) -> T:
        raised: BaseException = _LeaderGaveUp()
        try:
            value = await make()
        except Exception as error:
            raised = error
            raise
        else:
            future.set_result(value)
            return value
        finally:
            if not future.done():
                with self._lock:
                    self._future = None
                future.set_exception(raised)


class _LeaderGaveUp(Exception):  # noqa: N818 - it tells the others to make it themselves
    """Whoever made the value was cancelled."""
