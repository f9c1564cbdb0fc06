"""Work in tasks that never outlives its caller: with a deadline, or in a race."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    import asyncio

T = TypeVar("T")

GRACE: Final = 2.0
"""Seconds that cancelled work has to clean up before nobody waits for it any more."""


class DeadlineError(Exception):
    """Work did not end within its deadline, and was cancelled.

    Attributes:
        left_behind: It would not end, and nobody waits for it any more.
    """

    def __init__(self, *, left_behind: bool = False) -> None:
        super().__init__()
        self.left_behind = left_behind


async def within(seconds: float | None, work: Awaitable[T]) -> T:
    """The result of work, unless it takes longer; then it is cancelled and awaited.

    The work has a task of its own, also without a deadline: whoever is cancelled while it awaits
    this is cancelled, even where the work will not be. Await this only where an event loop runs.

    Raises:
        DeadlineError: It took longer.
    """
    import asyncio

    task = asyncio.ensure_future(carried(work))
    try:
        done, late = await asyncio.wait({task}, timeout=seconds)
    except BaseException:
        await stop((task,))
        raise
    await stop(late)
    if not done:
        raise DeadlineError(left_behind=not task.done())
    return result_of(task)


async def race(works: Iterable[Awaitable[T]], decided: Callable[[T], bool]) -> tuple[T | None, ...]:
    """Do several things at once, until one result decides the matter.

    The others are then cancelled and awaited, and have no result. Where one raises, so does this.
    Await this only where an event loop runs.
    """
    import asyncio

    tasks = [asyncio.ensure_future(carried(work)) for work in works]
    pending = set(tasks)
    try:
        while pending:
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            results = [result_of(task) for task in tasks if task in done]
            if any(map(decided, results)):
                break
    finally:
        await stop(pending)
    return tuple(None if task in pending else result_of(task) for task in tasks)


async def stop(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait until they have cleaned up; one that will not is left behind.

    What one of them raises meanwhile is of no interest any more, and must not take the place of
    the cancellation of whoever waits.

    Raises:
        BaseException: What is no failure of theirs and leaves every call.
    """
    remaining = list(tasks)
    if not remaining:
        return

    for task in remaining:
        task.cancel()
    cancelled = await _wait_out(remaining)
    for task in remaining:
        if not task.done():
            task.add_done_callback(raised_by)
    for raised in filter(None, [raised_by(task) for task in remaining if task.done()]):
        if not isinstance(unwrapped(raised), Exception) or isinstance(raised, MemoryError):
            raise unwrapped(raised)
    if cancelled is not None:
        raise cancelled


async def _wait_out(tasks: Sequence[asyncio.Task[Any]]) -> asyncio.CancelledError | None:
    """Wait until tasks have cleaned up, also where whoever waits is cancelled meanwhile."""
    import asyncio

    cancelled: asyncio.CancelledError | None = None
    end = monotonic() + GRACE
    while not all(task.done() for task in tasks) and monotonic() < end:
        try:
            await asyncio.wait(tasks, timeout=end - monotonic())
        except asyncio.CancelledError as again:
            cancelled = again
    return cancelled


class PropagatedError(Exception):
    """Carries what must leave the call past the loop, which would stop if a task raised it."""

    def __init__(self, raised: BaseException) -> None:
        super().__init__()
        self.raised = raised


async def carried(work: Awaitable[T]) -> T:
    """Await work in a task; what would stop the loop is carried past it for `result_of`."""
    try:
        return await work
    except (KeyboardInterrupt, SystemExit) as raised:
        raise PropagatedError(raised) from None


def result_of(task: asyncio.Task[T]) -> T:
    """The result of a task that ended, or what was raised in it."""
    try:
        return task.result()
    except PropagatedError as carrier:
        raise carrier.raised from None


def is_cancellation(raised: BaseException) -> bool:
    """Whether an exception is the cancellation of the current task from outside."""
    return _is_cancelled_error(raised) and _is_being_cancelled()


def is_stray_cancellation(raised: BaseException) -> bool:
    """Whether an exception is a `CancelledError` that work raised though nobody cancelled."""
    return _is_cancelled_error(raised) and not _is_being_cancelled()


def _is_cancelled_error(raised: BaseException) -> bool:
    import asyncio

    return isinstance(raised, asyncio.CancelledError)


def _is_being_cancelled() -> bool:
    import asyncio

    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def unwrapped(raised: BaseException) -> BaseException:
    """What was carried past the loop, or else the exception itself."""
    return raised.raised if isinstance(raised, PropagatedError) else raised


def raised_by(task: asyncio.Task[Any]) -> BaseException | None:
    """What a task raised; somebody has to look at it, or the loop complains."""
    return None if task.cancelled() else task.exception()
