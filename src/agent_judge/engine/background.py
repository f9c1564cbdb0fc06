"""The background loop: one event loop in a daemon thread, begun when it is first needed.

It serves sync calls that need a loop, from any thread, also from one that runs a loop itself (a
notebook, a server). Loops of other people are neither used nor patched. A forked child begins
anew; at exit the loop closes what was opened on it.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import suppress
from contextvars import copy_context
from typing import Any, Final, Generic, TypeVar

T = TypeVar("T")

PATIENCE: Final = 5.0
"""Seconds that an interrupted call or an ending loop waits for work to clean up."""


def background_loop() -> BackgroundLoop:
    """The loop of this process, started if it is not there yet."""
    global _loop
    with _lock:
        if _loop is None:
            _loop = BackgroundLoop()
            atexit.register(_loop.close)
        return _loop


def close_with_loop(close: Callable[[], Awaitable[None]]) -> None:
    """Have `close` awaited when the running loop is the background loop and it ends.

    For what lives as long as its loop, such as a connection pool. Whoever runs a loop of their
    own closes what they opened on it themselves.
    """
    if _loop is not None and _loop.is_running_here():
        _loop.closers.append(close)


class BackgroundLoop:
    """An event loop in a daemon thread of its own."""

    def __init__(self) -> None:
        self.closers: list[Callable[[], Awaitable[None]]] = []
        self._loop = asyncio.new_event_loop()
        self._calls_waiting = 0
        self._ended = False
        self._thread = threading.Thread(target=self._serve, name="agent-judge-loop", daemon=True)
        self._thread.start()

    def is_running_here(self) -> bool:
        """Whether the calling code runs on this loop."""
        return threading.current_thread() is self._thread

    def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Run the rest of the work on the loop while the calling thread waits for it."""
        if self.is_running_here():
            return self._finish_elsewhere(work)
        if self._calls_waiting:
            return _finish_on_a_loop_of_its_own(work)
        job = _Job(work)
        self._loop.call_soon_threadsafe(job.start, context=copy_context())
        try:
            job.ended.wait()
        except BaseException:
            self._loop.call_soon_threadsafe(job.cancel)
            job.ended.wait(PATIENCE)
            raise
        return job.result()

    def close(self) -> None:
        """Close what was opened on the loop, then stop it."""
        if not self._thread.is_alive() or self.is_running_here():
            return
        asyncio.run_coroutine_threadsafe(self._wind_up(), self._loop)
        self._thread.join(PATIENCE)

    def _serve(self) -> None:
        """Run the loop until it is wound up.

        A task that a judge began stops any loop when it raises one of these two. Whoever awaits
        the task gets the exception as well; other calls on the loop have to go on.
        """
        asyncio.set_event_loop(self._loop)
        while not self._ended:
            with suppress(KeyboardInterrupt, SystemExit):
                self._loop.run_forever()
        self._loop.close()

    async def _wind_up(self) -> None:
        try:
            await _cancel_others()
            for close in reversed(self.closers):
                await _closed(close)
        finally:
            self._ended = True
            self._loop.stop()

    def _finish_elsewhere(self, work: Coroutine[Any, Any, T]) -> T:
        """A judge on this loop made a sync call: this loop stands still until it returns."""
        self._calls_waiting += 1
        try:
            return _finish_on_a_loop_of_its_own(work)
        finally:
            self._calls_waiting -= 1


async def _cancel_others() -> None:
    """Let whatever else is on the loop clean up."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    if others:
        await asyncio.wait(others, timeout=PATIENCE)


async def _closed(close: Callable[[], Awaitable[None]]) -> None:
    """Close one thing; that it fails is no reason to leave the others open."""
    try:
        await asyncio.wait_for(close(), PATIENCE)
    except Exception:
        import logging

        logging.getLogger("agent_judge").exception("closing %r with its loop failed", close)


def _finish_on_a_loop_of_its_own(work: Coroutine[Any, Any, T]) -> T:
    loop = BackgroundLoop()
    try:
        return loop.finish(work)
    finally:
        loop.close()


class _Job(Generic[T]):
    """Work that a thread waits for.

    How it ended is kept as a value: an exception such as KeyboardInterrupt would stop the loop if
    it left a task, and belongs to the waiting thread.
    """

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self.ended = threading.Event()
        self._work = work
        self._task: asyncio.Task[None] | None = None
        self._value: T | None = None
        self._raised: BaseException | None = None

    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run())

    def cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def result(self) -> T:
        if self._raised is not None:
            raise self._raised
        return self._value  # type: ignore[return-value]

    async def _run(self) -> None:
        try:
            self._value = await _Rest(self._work)
        except BaseException as raised:
            self._raised = raised
        finally:
            self.ended.set()


class _Rest(Generic[T]):
    """What is left of a coroutine that was begun elsewhere, as something to await."""

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self._work = work

    def __await__(self) -> Generator[Any, Any, T]:
        step: Callable[[Any], Any] = self._work.send
        argument: Any = None
        while True:
            try:
                awaited = step(argument)
            except StopIteration as done:
                result: T = done.value
                return result
            try:
                argument = yield awaited
                step = self._work.send
            except BaseException as raised:  # thrown in by the loop: the work must see it
                step, argument = self._work.throw, raised


_loop: BackgroundLoop | None = None
_lock = threading.Lock()


def _begin_anew() -> None:
    """A forked child has neither the thread nor a lock that somebody will release."""
    global _loop, _lock
    _loop = None
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
