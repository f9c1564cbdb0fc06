"""The event loop that servers run: nothing of the engine depends on asyncio's own."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from agent_judge.combinators import all_of, with_timeout
from agent_judge.context import JudgmentContext
from agent_judge.engine import aevaluate, evaluate, shared
from agent_judge.judgment import Judgment, ReasonCode
from agent_judge.jury import CascadedJury, Jury, MetaJury, Tier, TierPolicy
from agent_judge.protocol import Judge
from agent_judge.testing import BlockingJudge, HangingJudge, a_context, passing

uvloop = pytest.importorskip("uvloop", reason="the extra loop is not installed")

pytestmark = pytest.mark.integration

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run something on a loop of uvloop's."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


async def yielding(_context: JudgmentContext) -> Judgment:
    """Pass after a turn of the loop, and name the kind of loop."""
    await asyncio.sleep(0)
    return Judgment.passing(type(asyncio.get_running_loop()).__module__)


def blocking(_context: JudgmentContext) -> Judgment:
    """Pass."""
    return Judgment.passing()


KINDS: list[Judge] = [yielding, blocking, passing(), all_of(yielding), with_timeout(yielding, 60)]
STAGES: list[Jury | MetaJury | CascadedJury] = [
    Jury(KINDS, timeout=60),
    MetaJury({"a": Jury(KINDS), "b": Jury(KINDS)}),
    CascadedJury([Tier("a", KINDS), Tier("b", KINDS, TierPolicy.FINAL_TIER)]),
]


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: type(stage).__name__)
def test_a_vote_can_be_awaited_on_uvloop(stage: Jury) -> None:
    """The judges run on the caller's loop. (contract: core:J13, cases:F1)"""
    assert run(stage.avote(a_context())).passed
    assert run(aevaluate(yielding, a_context())).reasoning == "uvloop"


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: type(stage).__name__)
def test_a_sync_vote_works_while_uvloop_runs(stage: Jury) -> None:
    """A server's handler may call the sync door; its loop is not patched.

    (contract: core:J13, cases:F1)
    """

    async def handler() -> tuple[bool, str]:
        verdict = stage.vote(a_context())
        return verdict.passed, evaluate(yielding, a_context()).reasoning

    passed, kind = run(handler())

    assert passed
    assert kind.startswith("asyncio")


def test_deadlines_and_cancellation_hold_on_uvloop() -> None:
    """Late judges are cancelled, late threads are left. (contract: core:J8, core:J9)"""

    async def vote() -> list[ReasonCode | None]:
        jury = Jury([hanging, blocking_judge, passing()], timeout=0.2)
        codes = [seat.judgment.code for seat in (await jury.avote(a_context())).seats]
        assert len(asyncio.all_tasks()) == 1
        return codes

    hanging = HangingJudge()
    with BlockingJudge() as blocking_judge:
        assert run(vote()) == [ReasonCode.TIMEOUT, ReasonCode.TIMEOUT, None]
    assert hanging.cancelled.is_set()


def test_judges_share_work_on_uvloop() -> None:
    """Once for all of one vote. (contract: core:J13)"""
    begun: list[int] = []

    async def work() -> str:
        begun.append(1)
        await asyncio.sleep(0)
        return "done"

    async def sharing(_context: JudgmentContext) -> Judgment:
        return Judgment.passing(await shared("key", work))

    assert run(Jury([sharing] * 5).avote(a_context())).passed
    assert len(begun) == 1
