from __future__ import annotations

import asyncio
import gc
import threading

from agent_judge.models.backends.loops import PerLoop


class Resource:
    """Something that is to be closed."""

    def __init__(self) -> None:
        self.closed_on: list[asyncio.AbstractEventLoop | None] = []


async def close(resource: Resource) -> None:
    """Note where it was closed."""
    resource.closed_on.append(asyncio.get_running_loop())


def drop(resource: Resource) -> None:
    """Note that it was let go of."""
    resource.closed_on.append(None)


def test_a_loop_gets_the_same_value_each_time() -> None:
    """The value is made once for a loop, also for those who ask at the same time."""
    values: PerLoop[Resource] = PerLoop(Resource, close)

    async def run() -> set[int]:
        return {id(value) for value in await asyncio.gather(*(values.get() for _ in range(5)))}

    assert len(asyncio.run(run())) == 1


def test_a_value_is_closed_by_the_loop_that_ends() -> None:
    """Nobody needs to close what belongs to a loop that `asyncio.run` ends."""
    values: PerLoop[Resource] = PerLoop(Resource, close, drop)
    made: list[Resource] = []

    async def run() -> asyncio.AbstractEventLoop:
        made.append(await values.get())
        return asyncio.get_running_loop()

    loops = [asyncio.run(run()) for _ in range(2)]

    assert made[0] is not made[1]
    assert made[0].closed_on[0] is loops[0]
    assert made[1].closed_on == [loops[1]]


def test_a_value_can_be_closed_and_made_again() -> None:
    """Closing closes once; whoever asks again gets a new value."""
    values: PerLoop[Resource] = PerLoop(Resource, close)

    async def run() -> tuple[Resource, Resource]:
        first = await values.get()
        await values.aclose()
        second = await values.get()
        gc.collect()
        await asyncio.sleep(0)
        assert second.closed_on == []
        return first, second

    first, second = asyncio.run(run())

    assert first is not second
    assert len(first.closed_on) == len(second.closed_on) == 1


def test_a_value_of_another_loop_is_closed_there() -> None:
    """Where that loop still runs, closing waits for it."""
    values: PerLoop[Resource] = PerLoop(Resource, close)
    elsewhere = asyncio.new_event_loop()
    thread = threading.Thread(target=elsewhere.run_forever)
    thread.start()
    resource = asyncio.run_coroutine_threadsafe(values.get(), elsewhere).result()

    asyncio.run(values.aclose())
    elsewhere.call_soon_threadsafe(elsewhere.stop)
    thread.join()
    elsewhere.close()

    assert resource.closed_on == [elsewhere]


def test_a_value_whose_loop_was_closed_before_it_is_let_go_of() -> None:
    """A loop that was closed without ceremony cannot close anything any more."""
    values: PerLoop[Resource] = PerLoop(Resource, close, drop)
    loop = asyncio.new_event_loop()
    resource = loop.run_until_complete(values.get())
    loop.close()

    asyncio.run(values.aclose())

    assert resource.closed_on == [None]
