from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent_judge.context import JudgmentContext
from agent_judge.engine import shared
from agent_judge.engine.run import DEFAULT_LIMITS, Run, check_limits
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judgment import Judgment
from agent_judge.jury import Jury
from agent_judge.protocol import Cost
from agent_judge.testing import a_context


class Expensive:
    """Work that several judges need, counted."""

    def __init__(self, outcome: object = "result") -> None:
        self.begun = 0
        self.ended = 0
        self.gate = asyncio.Event()
        self.outcome = outcome

    async def __call__(self) -> object:
        """Work until the gate is open."""
        self.begun += 1
        try:
            await self.gate.wait()
        finally:
            self.ended += 1
        if isinstance(self.outcome, BaseException):
            raise self.outcome
        return self.outcome


def test_judges_of_one_vote_share_work() -> None:
    """It is done once, and each gets the result."""
    begun = []

    async def work() -> str:
        begun.append(1)
        await asyncio.sleep(0)
        return "parsed"

    async def reading(_context: JudgmentContext) -> Judgment:
        return Judgment.passing(await shared("report.xml", work))

    jury = Jury([reading] * 5)

    for votes in (1, 2):
        assert {seat.judgment.reasoning for seat in jury.vote(a_context()).seats} == {"parsed"}
        assert len(begun) == votes


def test_work_under_another_key_is_other_work() -> None:
    """The key says all that the result depends on."""

    async def share() -> list[object]:
        run, one, two = Run(), Expensive(1), Expensive(2)
        one.gate.set()
        two.gate.set()
        both = await asyncio.gather(run.share("a", one), run.share("b", two), run.share("a", two))
        return list(both)

    assert asyncio.run(share()) == [1, 2, 1]


def test_outside_a_vote_work_is_simply_done() -> None:
    """There is nobody to share it with."""
    begun = []

    async def work() -> int:
        begun.append(1)
        return len(begun)

    async def twice() -> list[int]:
        return [await shared("key", work), await shared("key", work)]

    assert asyncio.run(twice()) == [1, 2]


def test_each_gets_the_exception_of_shared_work() -> None:
    """A failure is a result as well, and the work is not tried again."""

    async def share() -> tuple[list[object], int]:
        run, work = Run(), Expensive(OSError("gone"))
        work.gate.set()
        waiters = [run.share("a", work) for _ in range(2)]
        return list(await asyncio.gather(*waiters, return_exceptions=True)), work.begun

    outcomes, begun = asyncio.run(share())

    assert [repr(outcome) for outcome in outcomes] == ["OSError('gone')"] * 2
    assert begun == 1


def test_a_waiter_that_is_cancelled_does_not_disturb_the_others() -> None:
    """The work goes on for them."""

    async def share() -> tuple[object, bool, int]:
        run, work = Run(), Expensive()
        first = asyncio.ensure_future(run.share("a", work))
        second = asyncio.ensure_future(run.share("a", work))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait({first})
        work.gate.set()
        return await second, first.cancelled(), work.begun

    assert asyncio.run(share()) == ("result", True, 1)


@pytest.mark.parametrize("cleanup", ["result", OSError("during cleanup")])
def test_work_that_nobody_waits_for_ends(cleanup: object) -> None:
    """It is cancelled and awaited with its last waiter, and leaves no complaint behind."""
    complaints: list[dict[str, Any]] = []

    class Stubborn(Expensive):
        async def __call__(self) -> object:
            try:
                return await super().__call__()
            except asyncio.CancelledError:
                if isinstance(cleanup, BaseException):
                    raise cleanup from None
                raise

    async def share() -> tuple[int, int]:
        asyncio.get_running_loop().set_exception_handler(lambda _, said: complaints.append(said))
        run, work = Run(), Stubborn()
        waiters = [asyncio.ensure_future(run.share("a", work)) for _ in range(2)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for waiter in waiters:
            waiter.cancel()
        await asyncio.wait(waiters)
        assert all(waiter.cancelled() for waiter in waiters)
        return work.begun, work.ended

    assert asyncio.run(share()) == (1, 1)
    import gc

    gc.collect()
    assert not complaints


def test_work_that_was_given_up_begins_anew() -> None:
    """Whoever asks for it later gets a result, not the cancellation of another."""

    async def share() -> tuple[object, int]:
        run, work = Run(), Expensive()
        given_up = asyncio.ensure_future(run.share("a", work))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.wait({given_up})
        work.gate.set()
        return await run.share("a", work), work.begun

    assert asyncio.run(share()) == ("result", 2)


def test_limits_that_were_not_given_are_the_default_ones() -> None:
    """Only what was said changes."""
    assert check_limits({"model": 3}) == {**DEFAULT_LIMITS, "model": 3}


@pytest.mark.parametrize(
    ("limits", "error", "words"),
    [
        ({"memory": 1}, ArgumentError, "known are"),
        ({"disk": 1}, ArgumentError, "known are"),
        ({"model": 0}, ArgumentError, "from 1 up"),
        ({"model": True}, ArgumentError, "from 1 up"),
        ({"model": 1.5}, ArgumentError, "from 1 up"),
        ([("model", 1)], ArgumentTypeError, "must map cost classes"),
    ],
)
def test_limits_that_cannot_be_are_refused(limits: Any, error: type[Exception], words: str) -> None:
    """Unknown classes, and none at all at work."""
    with pytest.raises(error, match=words):
        check_limits(limits)


@pytest.mark.parametrize("cost", [Cost.FILE, Cost.COMMAND, Cost.MODEL])
def test_each_cost_class_has_its_own_places(cost: Cost) -> None:
    """As many as its limit says."""

    async def count() -> int:
        place = Run(check_limits({cost.name.lower(): 2})).place(cost)
        taken = 0
        while not place.locked():
            await place.acquire()
            taken += 1
        return taken

    assert asyncio.run(count()) == 2
