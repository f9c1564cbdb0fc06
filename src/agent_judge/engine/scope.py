"""Several tasks that never outlive the block they are begun in, and events out of one."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final, Generic, Self, TypeVar

from agent_judge.engine.tasks import carried, raised_by, result_of, stop

if TYPE_CHECKING:
    import asyncio

T = TypeVar("T")
E = TypeVar("E")


class Scope(Generic[T]):
    """Tasks that are cancelled and awaited when their block is left, as far as they still run.

    Use it only where an event loop runs. What one of them raises is raised by whoever waits for
    results, and so leaves the block.
    """

    __slots__ = ("_tasks",)

    def __init__(self) -> None:
        self._tasks: dict[asyncio.Task[T], None] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await stop(self._tasks)

    def __len__(self) -> int:
        return len(self._tasks)

    def begin(self, work: Awaitable[T]) -> None:
        """Begin some work in a task."""
        import asyncio

        self._tasks[asyncio.ensure_future(carried(work))] = None

    async def next(self) -> tuple[T, ...]:
        """Wait until at least one has ended; the results of those that did, in order of begin."""
        import asyncio

        done, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        return self._taken(done)

    async def all(self) -> tuple[T, ...]:
        """Wait until all have ended; their results in order of begin."""
        import asyncio

        if self._tasks:
            done, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_EXCEPTION)
            if any(not task.cancelled() and task.exception() for task in done):
                return self._taken(done)
        return self._taken({*self._tasks})

    def _taken(self, done: set[asyncio.Task[T]]) -> tuple[T, ...]:
        ended = [task for task in self._tasks if task in done]
        for task in ended:
            del self._tasks[task]
            raised_by(task)
        return tuple([result_of(task) for task in ended])


_END: Final = object()


async def streamed(
    work: Callable[[Callable[[E], None]], Awaitable[object]],
) -> AsyncGenerator[E, None]:
    """What work tells of while it goes on.

    Whoever stops listening has it cancelled and awaited. What it raises is raised here, after
    everything that it had told.

    Args:
        work: Gets the function by which it tells, which has to be called on the loop.
    """
    import asyncio

    told: asyncio.Queue[Any] = asyncio.Queue()
    task = asyncio.ensure_future(carried(work(told.put_nowait)))
    task.add_done_callback(lambda _: told.put_nowait(_END))
    try:
        while (event := await told.get()) is not _END:
            yield event
    finally:
        if task.done():
            raised_by(task)
        else:
            await stop((task,))
    result_of(task)
