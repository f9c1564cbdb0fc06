from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator

import pytest

from agent_judge.context import JudgmentContext
from agent_judge.engine import aevaluate, evaluate
from agent_judge.engine.background import BackgroundLoop, background_loop, close_with_loop
from agent_judge.judgment import Judgment
from agent_judge.jury import Jury
from agent_judge.testing import HangingJudge, a_context, passing


@pytest.fixture
def loop() -> Iterator[BackgroundLoop]:
    """A background loop of the test's own."""
    loop = BackgroundLoop()
    yield loop
    loop.close()
    assert not loop._thread.is_alive()


async def yielding(_context: JudgmentContext) -> Judgment:
    """Pass after a turn of the loop, and tell the thread."""
    await asyncio.sleep(0)
    return Judgment.passing(threading.current_thread().name)


def test_sync_calls_share_one_loop() -> None:
    """It is begun once, in a daemon thread of its own. (contract: core:J13)"""
    first = evaluate(yielding, a_context())

    assert first.reasoning == "agent-judge-loop"
    assert background_loop() is background_loop()
    assert background_loop()._thread.daemon


def test_the_loop_gives_back_what_the_work_returns(loop: BackgroundLoop) -> None:
    """Also where the work was begun elsewhere and has come a part of its way."""

    async def work() -> list[object]:
        task = asyncio.current_task()
        assert task is not None
        with pytest.raises(KeyError):
            await raising()
        return [await asyncio.sleep(0, "slept"), threading.current_thread().name]

    async def raising() -> None:
        await asyncio.sleep(0)
        raise KeyError("x")

    assert loop.finish(work()) == ["slept", "agent-judge-loop"]


@pytest.mark.parametrize("end", [ValueError, KeyboardInterrupt, SystemExit, MemoryError])
def test_what_the_work_raises_reaches_the_caller(
    loop: BackgroundLoop, end: type[BaseException]
) -> None:
    """And does not stop the loop. (contract: core:J10)"""

    async def work() -> None:
        await asyncio.sleep(0)
        raise end("the end")

    for _ in range(2):
        with pytest.raises(end, match="the end"):
            loop.finish(work())


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit])
def test_a_task_that_a_judge_began_cannot_stop_the_loop(end: type[BaseException]) -> None:
    """Asyncio lets these two out of the loop; the calls of others go on. (contract: core:J10)"""

    async def part() -> None:
        raise end("the end")

    async def gathering(_context: JudgmentContext) -> Judgment:
        await asyncio.gather(part(), asyncio.sleep(0))
        raise AssertionError("a part raised")

    bystander = HangingJudge()
    found: list[Judgment] = []
    other = threading.Thread(
        target=lambda: found.append(evaluate(bystander, a_context(), timeout=0.2))
    )
    other.start()
    assert bystander.begun.wait(60)

    with pytest.raises(end, match="the end"):
        evaluate(gathering, a_context())

    other.join(60)
    assert found[0].reasoning.endswith("did not finish within its deadline, 0.2 s")
    assert evaluate(yielding, a_context()).passed


def test_a_sync_call_from_a_judge_on_the_loop_has_a_loop_of_its_own() -> None:
    """The first one stands still meanwhile; any depth works. (contract: core:J13)"""

    async def nested(context: JudgmentContext) -> Judgment:
        await asyncio.sleep(0)
        inner = Jury([yielding, yielding]).vote(context)
        return inner.judgment

    async def twice_nested(context: JudgmentContext) -> Judgment:
        await asyncio.sleep(0)
        return evaluate(nested, context)

    assert evaluate(twice_nested, a_context()).passed
    assert evaluate(nested, a_context(), timeout=60).passed


def test_a_thread_that_calls_while_the_loop_stands_still_has_a_loop_of_its_own() -> None:
    """Or the two would wait for each other. (contract: core:J13)"""

    def in_a_thread(context: JudgmentContext) -> Judgment:
        return Jury([yielding, yielding]).vote(context).judgment

    async def nested(context: JudgmentContext) -> Judgment:
        await asyncio.sleep(0)
        return Jury([in_a_thread, in_a_thread]).vote(context).judgment

    assert evaluate(nested, a_context()).passed


def test_what_lives_as_long_as_the_loop_is_closed_with_it() -> None:
    """In reverse order, and on the loop. (contract: core:J9)"""
    closed: list[tuple[str, str]] = []

    def closing(name: str) -> Callable[[], object]:
        async def close() -> None:
            await asyncio.sleep(0)
            closed.append((name, threading.current_thread().name))

        return close

    async def opening(_context: JudgmentContext) -> Judgment:
        await asyncio.sleep(0)
        loop = background_loop()
        before = len(loop.closers)
        close_with_loop(closing("first"))  # type: ignore[arg-type]
        close_with_loop(closing("second"))  # type: ignore[arg-type]
        mine, loop.closers[before:] = loop.closers[before:], []
        for close in reversed(mine):
            await close()
        return Judgment.passing()

    assert evaluate(opening, a_context()).passed
    assert closed == [("second", "agent-judge-loop"), ("first", "agent-judge-loop")]


def test_a_loop_closes_what_was_opened_on_it_and_ends(caplog: pytest.LogCaptureFixture) -> None:
    """What fails to close keeps neither the thread nor what else is open, and is logged."""
    closed: list[str] = []

    async def close() -> None:
        closed.append(threading.current_thread().name)

    async def fail() -> None:
        raise OSError("already gone")

    loop = BackgroundLoop()
    loop.closers.extend([close, fail])
    loop.close()
    loop.close()

    assert closed == ["agent-judge-loop"]
    assert not loop._thread.is_alive()
    assert [record.name for record in caplog.records] == ["agent_judge"]


def test_a_loop_that_ends_lets_its_tasks_clean_up() -> None:
    """A task that a judge left behind is cancelled, and awaited. (contract: core:J9)"""
    hanging = HangingJudge()

    async def leaving(context: JudgmentContext) -> Judgment:
        left: list[object] = [asyncio.ensure_future(hanging(context))]
        await asyncio.sleep(0)
        return Judgment.passing(f"left {len(left)} behind")

    async def nested(context: JudgmentContext) -> Judgment:
        await asyncio.sleep(0)
        return evaluate(leaving, context)

    assert evaluate(nested, a_context()).reasoning == "left 1 behind"
    assert hanging.cancelled.is_set()


def test_on_another_loop_nothing_is_closed_for_the_caller() -> None:
    """Whoever runs a loop of their own closes what they opened on it."""

    async def open_one() -> None:
        async def close() -> None:
            raise AssertionError("nobody closes this")

        await aevaluate(passing(), a_context())
        close_with_loop(close)

    before = list(background_loop().closers)
    asyncio.run(open_one())

    assert background_loop().closers == before
