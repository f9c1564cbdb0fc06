from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar

import pytest

from agent_judge.combinators import all_of
from agent_judge.context import JudgmentContext
from agent_judge.engine import aevaluate, evaluate
from agent_judge.judgment import Judgment, Status
from agent_judge.jury import CascadedJury, Jury, MetaJury, Tier, TierPolicy, Verdict
from agent_judge.protocol import Judge
from agent_judge.testing import a_context, passing


async def asynchronous(_context: JudgmentContext) -> Judgment:
    """Pass after a turn of the loop."""
    await asyncio.sleep(0)
    return Judgment.passing("async")


def blocking(_context: JudgmentContext) -> Judgment:
    """Pass."""
    return Judgment.passing("blocking")


MIXED: list[Judge] = [asynchronous, blocking, passing("cheap")]
FINAL = TierPolicy.FINAL_TIER

STAGES: Mapping[str, Jury | MetaJury | CascadedJury] = {
    "one async judge": Jury([asynchronous]),
    "one blocking judge": Jury([blocking]),
    "cheap judges": Jury([passing(), passing()]),
    "all kinds": Jury(MIXED),
    "all kinds in turn": Jury(MIXED, parallel=False),
    "all kinds with a deadline": Jury(MIXED, timeout=60),
    "a cascade": CascadedJury([Tier("a", MIXED), Tier("b", MIXED, FINAL)]),
    "a meta jury": MetaJury({"a": Jury(MIXED), "b": Jury(MIXED)}),
    "a jury of juries": Jury([Jury(MIXED), all_of(*MIXED)]),
}


@pytest.fixture(params=STAGES.values(), ids=list(STAGES))
def stage(request: pytest.FixtureRequest) -> Jury | MetaJury | CascadedJury:
    """Every way to put judges together."""
    stage: Jury | MetaJury | CascadedJury = request.param
    return stage


def test_a_vote_from_plain_code(stage: Jury) -> None:
    """No event loop is needed around it. (contract: core:J13)"""
    assert stage.vote(a_context()).passed


def test_a_vote_from_a_running_loop(stage: Jury) -> None:
    """As in a notebook or a server: it works there too. (contract: core:J13, cases:F1)"""

    async def notebook() -> Verdict:
        loop = asyncio.get_running_loop()
        verdict = stage.vote(a_context())
        assert asyncio.get_running_loop() is loop
        return verdict

    assert asyncio.run(notebook()).passed


def test_a_vote_that_is_awaited(stage: Jury) -> None:
    """On the caller's own loop. (contract: core:J13)"""
    assert asyncio.run(stage.avote(a_context())).passed


def test_votes_from_worker_threads(stage: Jury) -> None:
    """From several at once, on one jury. (contract: core:J13, core:J15)"""
    with ThreadPoolExecutor(4) as threads:
        verdicts = list(threads.map(lambda _: stage.vote(a_context()), range(12)))

    assert all(verdict.passed for verdict in verdicts)


def test_votes_from_tasks(stage: Jury) -> None:
    """Several at once on one loop, on one jury. (contract: core:J13, core:J15)"""

    async def vote() -> list[Verdict]:
        return await asyncio.gather(*(stage.avote(a_context()) for _ in range(12)))

    assert all(verdict.passed for verdict in asyncio.run(vote()))


def test_a_vote_inside_a_judge(stage: Jury) -> None:
    """Sync in a sync judge, sync in an async one, awaited in an async one. (contract: core:J13)"""

    def sync_in_sync(context: JudgmentContext) -> Judgment:
        return stage.vote(context).judgment

    async def sync_in_async(context: JudgmentContext) -> Judgment:
        await asyncio.sleep(0)
        return stage.vote(context).judgment

    async def awaited(context: JudgmentContext) -> Judgment:
        return (await stage.avote(context)).judgment

    inner: list[Judge] = [sync_in_sync, sync_in_async, awaited, stage]
    for judge in inner:
        assert evaluate(judge, a_context()).passed
        assert asyncio.run(aevaluate(judge, a_context(), timeout=60)).passed
    assert Jury(inner).vote(a_context()).passed


def test_cheap_judges_touch_no_event_loop() -> None:
    """Not even the module is loaded. (contract: core:J13)"""
    program = (
        "import sys; "
        "from agent_judge.jury import Jury, MetaJury, CascadedJury, Tier, TierPolicy; "
        "from agent_judge.combinators import all_of, negate, with_timeout; "
        "from agent_judge.engine import evaluate; "
        "from agent_judge.testing import a_context, failing, passing; "
        "cheap = [passing(), all_of(passing()), negate(failing()), with_timeout(passing(), 9)]; "
        "jury = Jury([*cheap, Jury(cheap)], timeout=9, stop_when_decided=True); "
        "tiers = [Tier('a', Jury(cheap)), Tier('b', jury, TierPolicy.FINAL_TIER)]; "
        "cascade = CascadedJury(tiers); "
        "meta = MetaJury({'a': jury, 'b': cascade}, timeout=9); "
        "assert meta.vote(a_context()).passed; "
        "assert evaluate(lambda c: meta.vote(c).judgment, a_context()).passed; "
        "print('asyncio' in sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout == "False\n"


VARIABLE: ContextVar[str] = ContextVar("variable", default="unset")


@pytest.mark.parametrize("alone", [True, False])
def test_judges_see_the_context_variables_of_the_caller(alone: bool) -> None:
    """Wherever they run: a tracer's span, a request's identity. (contract: core:J13)"""

    def of_thread(_context: JudgmentContext) -> Judgment:
        return Judgment.passing(VARIABLE.get())

    async def of_loop(_context: JudgmentContext) -> Judgment:
        await asyncio.sleep(0)
        return Judgment.passing(VARIABLE.get())

    judges: list[Judge] = [of_thread, of_loop]
    token = VARIABLE.set("set")
    try:
        juries = [Jury([judge]) for judge in judges] if alone else [Jury(judges)]
        seats = [seat for jury in juries for seat in jury.vote(a_context()).seats]
    finally:
        VARIABLE.reset(token)

    assert [seat.judgment.reasoning for seat in seats] == ["set", "set"]


def test_a_vote_leaves_no_context_variable_behind() -> None:
    """Neither the run it belonged to nor anything a judge set on the loop. (contract: core:J15)"""
    from agent_judge.engine.doors import current_run

    async def vote() -> object:
        await Jury(MIXED).avote(a_context())
        Jury(MIXED).vote(a_context())
        return current_run.get()

    assert asyncio.run(vote()) is None
    Jury(MIXED).vote(a_context())
    assert current_run.get() is None


def test_no_loop_of_the_caller_is_patched() -> None:
    """Running one inside another is still refused there. (contract: core:J13, cases:F1)"""

    async def nested() -> Status:
        status = Jury(MIXED).vote(a_context()).status
        coroutine = asyncio.sleep(0)
        with pytest.raises(RuntimeError, match="cannot be called from a running event loop"):
            asyncio.run(coroutine)
        coroutine.close()
        return status

    assert asyncio.run(nested()) is Status.PASS


def test_the_caller_keeps_the_thread_it_called_in() -> None:
    """What is cheap or alone runs right there. (contract: core:J8a)"""
    threads: list[threading.Thread] = []

    def noting(_context: JudgmentContext) -> Judgment:
        threads.append(threading.current_thread())
        return Judgment.passing()

    Jury([noting]).vote(a_context())

    assert threads == [threading.current_thread()]


@pytest.mark.parametrize("door", ["aevaluate", "avote"])
def test_a_blocking_judge_leaves_the_callers_loop_running(door: str) -> None:
    """Also where it is the only one: it waits for what another task of that loop does.

    (contract: core:J13)
    """
    happened = threading.Event()

    def waits(context: JudgmentContext) -> Judgment:
        return Judgment.passing() if happened.wait(30) else Judgment.failing("the loop stood still")

    async def happen() -> None:
        happened.set()

    async def main() -> Judgment:
        if door == "aevaluate":
            judgment, _ = await asyncio.gather(aevaluate(waits, a_context()), happen())
        else:
            verdict, _ = await asyncio.gather(Jury([waits]).avote(a_context()), happen())
            judgment = verdict.judgment
        return judgment

    assert asyncio.run(main()).passed
