from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from agent_judge.combinators import all_of, with_timeout
from agent_judge.context import JudgmentContext
from agent_judge.engine import evaluate, together
from agent_judge.engine.workers import Workers
from agent_judge.judgment import Judgment, ReasonCode, Status
from agent_judge.jury import CascadedJury, Jury, MetaJury, Tier, TierPolicy, Verdict
from agent_judge.protocol import Cost, Judge, judge
from agent_judge.testing import (
    AwaitingJudge,
    BlockingJudge,
    HangingJudge,
    RecordingJudge,
    a_context,
    failing,
    passing,
)


def cancelled_vote(jury: Jury, begun: Callable[[], object]) -> tuple[bool, int]:
    """Cancel a vote that has begun: whether that reached the caller, and what tasks are left."""

    async def vote() -> tuple[bool, int]:
        voting = asyncio.ensure_future(jury.avote(a_context()))
        await asyncio.get_running_loop().run_in_executor(None, begun)
        voting.cancel()
        await asyncio.wait({voting})
        return voting.cancelled(), len(asyncio.all_tasks()) - 1

    return asyncio.run(vote())


@pytest.mark.parametrize("timeout", [None, 60.0])
@pytest.mark.parametrize("parallel", [True, False])
def test_a_cancelled_vote_cancels_its_judges(timeout: float | None, parallel: bool) -> None:
    """The cancellation reaches the caller, and the judges have cleaned up. (contract: core:J9)"""
    hanging = HangingJudge()
    jury = Jury([hanging, passing()], timeout=timeout, parallel=parallel)

    assert cancelled_vote(jury, hanging.begun.wait) == (True, 0)
    assert hanging.cancelled.is_set()


def test_a_cancelled_vote_cancels_all_judges_at_work() -> None:
    """Also those inside combinations and juries. (contract: core:J9)"""
    hanging = [HangingJudge() for _ in range(5)]
    first, second, third, fourth, fifth = hanging
    jury = Jury([first, all_of(second), with_timeout(third, 60), Jury([fourth, fifth])])

    outcome = cancelled_vote(jury, lambda: all(judge.begun.wait(60) for judge in hanging))

    assert outcome == (True, 0)
    assert all(judge.cancelled.is_set() for judge in hanging)


def test_a_cancelled_vote_leaves_threads_behind(pool: Workers) -> None:
    """Nothing can stop them, and nobody waits. (contract: core:J9)"""
    with BlockingJudge() as blocking:
        assert cancelled_vote(Jury([blocking, passing()]), blocking.begun.wait) == (True, 0)
        assert pool.abandoned == 1

    assert blocking.ended.wait(60)


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit, MemoryError])
@pytest.mark.parametrize("timeout", [None, 60.0])
@pytest.mark.parametrize("blocking", [True, False])
def test_what_ends_a_process_ends_the_vote(
    end: type[BaseException], timeout: float | None, blocking: bool
) -> None:
    """The other judges are cancelled and awaited first. (contract: core:J10)"""
    hanging = HangingJudge()

    def ending(_context: JudgmentContext) -> Judgment:
        hanging.begun.wait()
        raise end("the end")

    async def ending_async(_context: JudgmentContext) -> Judgment:
        await asyncio.sleep(0)
        raise end("the end")

    jury = Jury([hanging, ending if blocking else ending_async, HangingJudge()], timeout=timeout)

    with pytest.raises(end, match="the end"):
        jury.vote(a_context())

    assert hanging.cancelled.is_set()


def test_one_end_is_enough() -> None:
    """Where several judges raise at once, nobody complains of the others. (contract: core:J10)"""

    async def ending(_context: JudgmentContext) -> Judgment:
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        Jury([ending] * 3).vote(a_context())


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit, MemoryError])
def test_what_a_cancelled_judge_raises_is_not_swallowed(end: type[BaseException]) -> None:
    """An interrupt that arrives during cleaning up is an interrupt. (contract: core:J10)"""

    async def interrupted(_context: JudgmentContext) -> Judgment:
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            raise end("the end")

    with pytest.raises(end, match="the end"):
        Jury([interrupted, passing()], timeout=0.01).vote(a_context())


@pytest.mark.parametrize("cleanup", [ValueError("cannot"), Judgment.passing("after all")])
def test_what_a_late_judge_does_while_it_is_cancelled_is_too_late(cleanup: object) -> None:
    """It is ERROR `timeout`, whatever it raises or returns then. (contract: core:J8)"""

    async def late(_context: JudgmentContext) -> Any:
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            if isinstance(cleanup, Exception):
                raise cleanup from None
            return cleanup

    seat = Jury([late, passing()], timeout=0.01).vote(a_context()).seats[0]

    assert seat.judgment.code is ReasonCode.TIMEOUT


def test_a_judge_that_will_not_be_cancelled_is_left_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After a while nobody waits for it any more, nor for what it raises. (contract: core:J8)"""
    monkeypatch.setattr(together, "GRACE", 0.01)
    release, ended = threading.Event(), threading.Event()

    async def stubborn(_context: JudgmentContext) -> Judgment:
        while not release.is_set():
            try:
                await asyncio.sleep(0.01)
            except asyncio.CancelledError:
                continue
        ended.set()
        raise ValueError("nobody looks at this")

    verdict = Jury([stubborn, passing()], timeout=0.01).vote(a_context())
    release.set()

    assert verdict.seats[0].judgment.code is ReasonCode.TIMEOUT
    assert ended.wait(60)


def blocking_stages(judge: Judge) -> list[Callable[[JudgmentContext], Verdict]]:
    """Votes with a deadline in which the judge is the only one of some jury."""
    alone = Jury([judge])
    final = TierPolicy.FINAL_TIER
    return [
        Jury([alone], timeout=0.2).vote,
        Jury([alone, passing()], timeout=0.2).vote,
        MetaJury({"a": alone, "b": alone}, timeout=0.2).vote,
        CascadedJury([Tier("a", alone, final)], timeout=0.2).vote,
        CascadedJury([Tier("a", MetaJury({"b": alone}), final)], timeout=0.2).vote,
        Jury([with_timeout(alone, 0.2)]).vote,
    ]


@pytest.mark.parametrize("stage", range(6))
def test_a_sync_judge_alone_in_a_nested_jury_is_held_to_the_outer_deadline(stage: int) -> None:
    """It is alone there, but not in the vote. (contract: core:J8, core:J8a)"""
    with BlockingJudge() as blocking:
        verdict = blocking_stages(blocking)[stage](a_context())

    assert verdict.status is Status.ERROR


def test_blocking_judges_alone_in_their_juries_run_at_once() -> None:
    """Each waits for the other, so none of them blocks the loop. (contract: core:J14, core:M6)"""
    barrier = threading.Barrier(2)
    members = {name: Jury([BlockingJudge(barrier)]) for name in ("a", "b")}

    assert MetaJury(members, timeout=60).vote(a_context()).passed


@pytest.mark.parametrize("timeout", [None, 60.0])
def test_blocking_judges_run_at_once(timeout: float | None) -> None:
    """Each waits for all others: the vote takes as long as the slowest. (contract: core:J14)"""
    barrier = threading.Barrier(20)

    verdict = Jury([BlockingJudge(barrier) for _ in range(20)], timeout=timeout).vote(a_context())

    assert verdict.passed


def test_async_judges_run_at_once() -> None:
    """On the caller's loop, and with sync judges beside them. (contract: core:J14)"""

    async def vote() -> Verdict:
        barrier = asyncio.Barrier(20)
        return await Jury([AwaitingJudge(barrier) for _ in range(20)]).avote(a_context())

    assert asyncio.run(vote()).passed


class Counting:
    """Judges that count how many of them are at work, in twos at least."""

    def __init__(self, cost: Cost) -> None:
        self.most = self.now = 0
        self.lock = threading.Lock()
        self.barrier = threading.Barrier(2)
        self.judge = judge(cost=cost)(self.count)

    def count(self, _context: JudgmentContext) -> bool:
        """Pass once another one is here."""
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        self.barrier.wait()
        with self.lock:
            self.now -= 1
        return True


@pytest.mark.parametrize("cost", [Cost.FILE, Cost.COMMAND, Cost.MODEL])
def test_no_more_judges_of_a_class_work_at_once_than_are_allowed(cost: Cost) -> None:
    """The others wait for their turn. (contract: core:J14)"""
    counting = Counting(cost)

    jury = Jury([counting.judge] * 6, concurrency={cost.name.lower(): 2})

    assert jury.vote(a_context()).passed
    assert counting.most == 2


def test_in_turn_each_judge_is_asked_after_the_one_before() -> None:
    """Never two at once, and in order. (contract: core:J4)"""
    events: list[str] = []

    def following(name: str) -> Callable[[JudgmentContext], Coroutine[Any, Any, Judgment]]:
        async def follow(_context: JudgmentContext) -> Judgment:
            events.append(f"{name} begins")
            await asyncio.sleep(0)
            events.append(f"{name} ends")
            return Judgment.passing()

        return follow

    Jury([following("a"), following("b")], parallel=False).vote(a_context())

    assert events == ["a begins", "a ends", "b begins", "b ends"]


def test_in_turn_the_deadline_is_for_all_together() -> None:
    """What comes after the one that used it up is late as well. (contract: core:J8)"""
    spared = RecordingJudge(HangingJudge())
    jury = Jury([passing(), HangingJudge(), spared], timeout=0.05, parallel=False)

    codes = [seat.judgment.code for seat in jury.vote(a_context()).seats]

    assert codes == [None, ReasonCode.TIMEOUT, ReasonCode.TIMEOUT]


def test_cheap_judges_are_asked_before_any_other_begins() -> None:
    """They take no time; whatever their place, they do not wait. (contract: core:J4)"""
    order: list[str] = []

    @judge
    async def slow(_context: JudgmentContext) -> bool:
        order.append("slow")
        return True

    @judge(cost=Cost.MEMORY)
    def cheap(_context: JudgmentContext) -> bool:
        order.append("cheap")
        return True

    verdict = Jury([slow, cheap]).vote(a_context())

    assert order == ["cheap", "slow"]
    assert [seat.key for seat in verdict.seats] == ["slow", "cheap"]


def test_what_a_nested_jury_found_too_late_does_not_count() -> None:
    """The seat in it is late, and so is its own. (contract: core:J8)"""

    async def late(_context: JudgmentContext) -> Judgment:
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            return Judgment.passing()
        raise AssertionError("nobody completes this future")

    verdict = Jury([Jury([late])], timeout=0.01).vote(a_context())
    meta = MetaJury({"late": Jury([late])}, timeout=0.01).vote(a_context())

    for nested in (verdict.seats[0].verdict, meta.attempts[0].verdict):
        assert nested is not None
        assert nested.seats[0].judgment.code is ReasonCode.TIMEOUT
    assert verdict.seats[0].judgment.code is ReasonCode.TIMEOUT
    assert meta.judgment.code is ReasonCode.TIMEOUT


def test_a_decided_vote_cancels_the_judges_at_work() -> None:
    """They have cleaned up when the verdict is there. (contract: core:J17)"""
    hanging = HangingJudge()

    async def failing_async(_context: JudgmentContext) -> Judgment:
        await asyncio.sleep(0)
        return Judgment.failing("no")

    jury = Jury([hanging, failing_async, failing()], stop_when_decided=True)

    verdict = jury.vote(a_context())

    assert verdict.status is Status.FAIL
    assert hanging.cancelled.is_set()


def test_a_judge_with_a_deadline_is_asked_with_the_others() -> None:
    """Its own deadline does not become theirs. (contract: core:J8)"""
    judgment = evaluate(all_of(with_timeout(passing(), 60), passing()), a_context())

    assert judgment.passed


def test_a_group_that_is_cancelled_while_it_stops_its_judges_leaves_none() -> None:
    """Its own deadline passed, and the vote around it is over meanwhile. (contract: core:J9)"""

    async def vote() -> int:
        stopping, go_on = asyncio.Event(), asyncio.Event()

        async def slow_to_stop(_context: JudgmentContext) -> Judgment:
            try:
                await asyncio.get_running_loop().create_future()
            except asyncio.CancelledError:
                stopping.set()
                await go_on.wait()
                raise
            raise AssertionError("nobody completes this future")

        voting = asyncio.ensure_future(Jury([slow_to_stop], timeout=0.01).avote(a_context()))
        await stopping.wait()
        voting.cancel()
        await asyncio.sleep(0)
        go_on.set()
        await asyncio.wait({voting})
        assert voting.cancelled()
        return len(asyncio.all_tasks()) - 1

    assert asyncio.run(vote()) == 0
