from __future__ import annotations

import asyncio
import threading
from contextlib import suppress

import pytest

from agent_judge.llm.once import Once


def test_of_those_who_need_it_at_once_one_makes_it() -> None:
    """The others wait, and it is kept."""
    made = 0

    async def make() -> int:
        nonlocal made
        made += 1
        await asyncio.sleep(0)
        return made

    async def need() -> list[int]:
        value = Once[int]()
        return [*await asyncio.gather(*(value.get(make) for _ in range(5))), await value.get(make)]

    assert asyncio.run(need()) == [1] * 6


def test_threads_with_loops_of_their_own_share_it() -> None:
    """One makes it while another waits on another loop."""
    value = Once[int]()
    begun, go_on = threading.Event(), threading.Event()
    got: list[int] = []

    async def make() -> int:
        begun.set()
        await asyncio.to_thread(go_on.wait)
        return 4

    async def never() -> int:
        raise AssertionError("it is made twice")

    first = threading.Thread(target=lambda: got.append(asyncio.run(value.get(make))))
    first.start()
    begun.wait()

    async def need_the_same() -> int:
        waiting = asyncio.ensure_future(value.get(never))
        await asyncio.sleep(0)
        go_on.set()
        return await waiting

    got.append(asyncio.run(need_the_same()))
    first.join()

    assert got == [4, 4]


def test_a_failure_is_told_to_all_and_not_kept() -> None:
    """Whoever needs it next tries again."""

    async def fail() -> int:
        await asyncio.sleep(0)
        raise KeyError("no")

    async def make() -> int:
        return 4

    async def need() -> list[object]:
        value = Once[int]()
        failed = await asyncio.gather(*(value.get(fail) for _ in range(3)), return_exceptions=True)
        return [*map(type, failed), await value.get(make)]

    assert asyncio.run(need()) == [KeyError, KeyError, KeyError, 4]


def test_where_whoever_makes_it_is_cancelled_another_one_does() -> None:
    """Nobody waits for ever."""

    async def wait() -> int:
        await asyncio.Event().wait()
        return 0

    async def make() -> int:
        return 4

    async def need() -> int:
        value = Once[int]()
        leader = asyncio.ensure_future(value.get(wait))
        await asyncio.sleep(0)
        follower = asyncio.ensure_future(value.get(make))
        await asyncio.sleep(0)
        leader.cancel()
        with suppress(asyncio.CancelledError):
            await leader
        return await follower

    assert asyncio.run(need()) == 4


def test_a_cancelled_follower_disturbs_nobody() -> None:
    """The value is made all the same."""

    async def need() -> int:
        gate = asyncio.Event()

        async def make() -> int:
            await gate.wait()
            return 4

        value = Once[int]()
        leader = asyncio.ensure_future(value.get(make))
        await asyncio.sleep(0)
        follower = asyncio.ensure_future(value.get(make))
        await asyncio.sleep(0)
        follower.cancel()
        with pytest.raises(asyncio.CancelledError):
            await follower
        gate.set()
        return await leader

    assert asyncio.run(need()) == 4
