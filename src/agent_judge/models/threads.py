"""Calling a model that blocks, in a worker thread of the engine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from typing import TypeVar

from agent_judge.engine.workers import workers

A = TypeVar("A")
R = TypeVar("R")


async def in_worker(function: Callable[[A], R], argument: A) -> R:
    """Call a function in a worker thread; when cancelled, leave the thread behind.

    Raises:
        WorkersExhaustedError: Too many threads were left behind already.
    """
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[tuple[R | None, BaseException | None]] = loop.create_future()
    variables = copy_context()

    def call_and_tell() -> None:
        answer, raised = None, None
        try:
            answer = variables.run(function, argument)
        except BaseException as caught:  # noqa: BLE001 - whoever waits for it gets it
            raised = caught
        with suppress(RuntimeError):  # the loop was closed meanwhile: nobody waits
            loop.call_soon_threadsafe(_settle, ended, answer, raised)

    pool = workers()
    job = pool.submit(call_and_tell)
    try:
        answer, raised = await ended
    except asyncio.CancelledError:
        pool.abandon(job)
        raise
    if raised is not None:
        raise raised
    return answer  # type: ignore[return-value]


def _settle(
    ended: asyncio.Future[tuple[R | None, BaseException | None]],
    answer: R | None,
    raised: BaseException | None,
) -> None:
    """An exception is carried as a value: a future refuses some of them."""
    if not ended.done():
        ended.set_result((answer, raised))
