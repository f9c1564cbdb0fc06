"""How calls come in from outside: the sync door and the async door.

There is one implementation of everything, a coroutine. The async door awaits it. The sync door
steps it in place; if it never needs an event loop, none is touched. When it does, it says so with
`await needs_loop(run)`, and the sync door hands the rest of it to the background loop.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextvars import ContextVar
from types import coroutine
from typing import Any, Final, TypeVar

from agent_judge.engine.run import Run

T = TypeVar("T")

current_run: Final[ContextVar[Run | None]] = ContextVar("agent_judge_run", default=None)
"""The run that the code on the loop works for, so that its judges can share work."""


def enter(run: Run, work: Coroutine[Any, Any, T]) -> T:
    """The sync door: step the work here; where it asks for a loop, let the background finish it."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    from agent_judge.engine.background import background_loop

    run.on_loop = True
    return background_loop().finish(work)


async def aenter(run: Run, work: Coroutine[Any, Any, T]) -> T:
    """The async door: await the work on the caller's own loop."""
    run.on_loop = True
    token = current_run.set(run)
    try:
        return await work
    finally:
        current_run.reset(token)


async def anew(run: Run, work: Callable[[Run], Awaitable[T]]) -> T:
    """Do work in a run of its own, on the same loop or on none.

    What judges of one vote share is true of one moment. Whoever votes again, after the world has
    changed, must not be given what was found before.
    """
    own = Run(run.limits)
    own.on_loop = run.on_loop
    if own.on_loop:
        current_run.set(own)
    try:
        return await work(own)
    finally:
        run.on_loop = own.on_loop
        if own.on_loop:
            current_run.set(run)


async def needs_loop(run: Run) -> None:
    """Go on only when an event loop drives this work; await this before anything of asyncio."""
    if not run.on_loop:
        await _ask_for_loop()
        current_run.set(run)


@coroutine
def _ask_for_loop() -> Generator[None, None, None]:
    yield
