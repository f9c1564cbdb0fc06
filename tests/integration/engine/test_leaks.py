"""Many votes at once on one jury: nothing of them is left."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agent_judge.context import JudgmentContext
from agent_judge.engine import workers
from agent_judge.engine.ask import Turn
from agent_judge.engine.background import background_loop
from agent_judge.engine.run import Run
from agent_judge.engine.workers import MAX_ABANDONED, Workers
from agent_judge.judgment import Judgment, ReasonCode, Status
from agent_judge.jury import Jury, Verdict
from agent_judge.protocol import Cost, Judge, judge
from agent_judge.testing import BlockingJudge, HangingJudge, a_context, erring, passing

pytestmark = pytest.mark.integration

VOTES = 1_000


async def asynchronous(_context: JudgmentContext) -> Judgment:
    """Pass after a turn of the loop."""
    await asyncio.sleep(0)
    return Judgment.passing()


@judge(cost=Cost.FILE)
def blocking(context: JudgmentContext) -> bool:
    """Pass, in a worker thread."""
    return context.output == "4"


def raising(_context: JudgmentContext) -> Judgment:
    """Raise, in a worker thread."""
    raise ValueError("no")


ROSTERS: dict[str, Sequence[Judge]] = {
    "async": [asynchronous, asynchronous, asynchronous],
    "blocking": [blocking, blocking, blocking],
    "mixed": [asynchronous, blocking, passing(), raising, erring()],
}


def open_files() -> int:
    """How many descriptors the process holds."""
    listing = Path("/proc/self/fd")
    if not listing.exists():
        pytest.skip("this system does not list open descriptors in /proc")
    return sum(1 for _ in listing.iterdir())


def turns_and_runs() -> list[Turn | Run]:
    """What the engine made for judges and votes, and what of it is still held by somebody."""
    return [held for held in gc.get_objects() if isinstance(held, Turn | Run)]


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Neither threads nor descriptors, nor what belongs to one vote, outlive it."""
    background_loop()
    monkeypatch.setattr(workers, "_workers", Workers())
    monkeypatch.setattr(workers, "IDLE_SECONDS", 0.01)
    threads, files = set(threading.enumerate()), open_files()
    gc.collect()
    known = {id(turn) for turn in turns_and_runs()}

    yield

    for thread in set(threading.enumerate()) - threads:
        thread.join(60)
    assert set(threading.enumerate()) <= threads
    assert workers.workers().abandoned == 0
    gc.collect()
    assert [type(left) for left in turns_and_runs() if id(left) not in known] == []
    assert open_files() <= files


@pytest.mark.parametrize("roster", ROSTERS.values(), ids=list(ROSTERS))
@pytest.mark.parametrize("timeout", [None, 60.0])
def test_a_thousand_votes_at_once_on_one_loop(
    roster: Sequence[Judge], timeout: float | None
) -> None:
    """Every one has its seats, and no task is left. (contract: core:J9, core:J15)"""
    jury = Jury(roster, timeout=timeout)

    async def vote() -> tuple[list[Verdict], int]:
        verdicts = await asyncio.gather(*(jury.avote(a_context()) for _ in range(VOTES)))
        return verdicts, len(asyncio.all_tasks()) - 1

    verdicts, tasks = asyncio.run(vote())

    assert tasks == 0
    assert_all_alike(verdicts, jury)


@pytest.mark.parametrize("roster", ROSTERS.values(), ids=list(ROSTERS))
def test_a_thousand_votes_from_many_threads(roster: Sequence[Judge]) -> None:
    """Through the sync door, all on the background loop. (contract: core:J13, core:J15)"""
    jury = Jury(roster, timeout=60)

    with ThreadPoolExecutor(50) as threads:
        verdicts = list(threads.map(lambda _: jury.vote(a_context()), range(VOTES)))

    assert_all_alike(verdicts, jury)


def assert_all_alike(verdicts: Sequence[Verdict], jury: Jury) -> None:
    """They judged the same run with the same judges."""
    expected = jury.vote(a_context())
    assert len(verdicts) == VOTES
    for verdict in verdicts:
        assert verdict.judgment == expected.judgment
        assert verdict.seats == expected.seats


def test_votes_that_are_late_leave_nothing() -> None:
    """A hundred hung async judges are cancelled. (contract: core:J8, core:J9)"""
    judges = [HangingJudge() for _ in range(100)]

    async def vote() -> tuple[Verdict, int]:
        verdict = await Jury(judges, timeout=0.1).avote(a_context())
        return verdict, len(asyncio.all_tasks()) - 1

    verdict, tasks = asyncio.run(vote())

    assert tasks == 0
    assert {seat.judgment.code for seat in verdict.seats} == {ReasonCode.TIMEOUT}
    assert all(judge.cancelled.is_set() for judge in judges)


def test_abandoned_threads_are_counted_bounded_and_gone() -> None:
    """A jury whose judges all hang cannot fill the process with threads. (contract: core:J8)"""
    with BlockingJudge() as hung:
        jury = Jury([hung] * 16, timeout=0.2)
        seats = list(jury.vote(a_context()).seats)
        while seats[-1].judgment.code is not ReasonCode.WORKERS_EXHAUSTED:
            seats += jury.vote(a_context()).seats

        assert {seat.judgment.status for seat in seats} == {Status.ERROR}
        assert workers.workers().abandoned == MAX_ABANDONED
        assert sum("abandoned" in seat.judgment.evidence for seat in seats) == MAX_ABANDONED


def test_votes_that_are_cancelled_leave_nothing() -> None:
    """A server whose clients hang up. (contract: core:J9)"""
    jury = Jury([HangingJudge(), asynchronous, passing()])

    async def vote() -> tuple[int, int]:
        votes = [asyncio.ensure_future(jury.avote(a_context())) for _ in range(VOTES)]
        await asyncio.sleep(0)
        for voting in votes[:-1]:
            voting.cancel()
        await asyncio.wait(votes[:-1])
        left = len(asyncio.all_tasks()) - 1
        votes[-1].cancel()
        await asyncio.wait(votes)
        return left, len(asyncio.all_tasks()) - 1

    with_one_vote, with_none = asyncio.run(vote())

    assert with_one_vote > 0
    assert with_none == 0


@pytest.mark.parametrize("broken", [KeyboardInterrupt, SystemExit, MemoryError])
def test_votes_that_are_ended_leave_nothing(broken: type[BaseException]) -> None:
    """What leaves the call takes all of it along. (contract: core:J10)"""

    def end_it(wait: Callable[[], object]) -> Judge:
        def ending(_context: JudgmentContext) -> Judgment:
            wait()
            raise broken

        return ending

    for _ in range(50):
        hanging = HangingJudge()
        with pytest.raises(broken):
            Jury([hanging, end_it(hanging.begun.wait), HangingJudge()]).vote(a_context())
        assert hanging.cancelled.is_set()


def test_a_thousand_verdicts_are_independent() -> None:
    """Each is about its own run. (contract: core:J15)"""

    async def echo(context: JudgmentContext) -> Judgment:
        await asyncio.sleep(0)
        return Judgment.passing(str(context.output))

    jury = Jury([echo, judge(cost=Cost.FILE)(lambda context: (True, str(context.output)))])

    async def vote() -> list[Verdict]:
        return await asyncio.gather(*(jury.avote(a_context(output=n)) for n in range(VOTES)))

    for index, verdict in enumerate(asyncio.run(vote())):
        assert verdict.status is Status.PASS
        assert [seat.judgment.reasoning for seat in verdict.seats] == [str(index)] * 2
