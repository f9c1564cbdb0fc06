"""Doing what blocks in a worker thread, from code on an event loop."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from inspect import iscoroutine
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import asyncio

T = TypeVar("T")


async def in_worker(
    call: Callable[[], T], abandoned: Callable[[bool], None] = lambda _left: None
) -> T:
    """Call something that blocks in a worker thread; when cancelled, leave the thread behind.

    Args:
        call: What to call; it sees the context variables of the caller.
        abandoned: Told, when this is cancelled, whether a thread was left running.

    Raises:
        WorkersExhaustedError: Too many threads were left behind already.
    """
    import asyncio
    from contextvars import copy_context

    from agent_judge.engine.workers import workers

    loop = asyncio.get_running_loop()
    future: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()
    variables = copy_context()

    def call_and_tell() -> None:
        answer, raised = None, None
        try:
            answer = variables.run(call)
        except BaseException as caught:
            raised = caught
        with suppress(RuntimeError):  # the loop was closed meanwhile: nobody waits
            loop.call_soon_threadsafe(_settle, future, answer, raised)

    pool = workers()
    job = pool.submit(call_and_tell)
    try:
        answer, raised = await future
    except asyncio.CancelledError:
        abandoned(pool.abandon(job))
        if future.done() and not future.cancelled():
            _forget(future.result()[0])
        raise
    if raised is not None:
        raise raised
    result: T = answer
    return result


def _settle(future: asyncio.Future[Any], answer: Any, raised: BaseException | None) -> None:
    """An exception is carried as a value: a future refuses some of them."""
    if future.done():
        _forget(answer)
    else:
        future.set_result((answer, raised))


def _forget(answer: object) -> None:
    """Close a coroutine that nobody will await, or it complains when it is collected."""
    if iscoroutine(answer):
        answer.close()
