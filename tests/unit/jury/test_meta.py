from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent_judge.context import ExecutionStatus, JudgmentContext
from agent_judge.engine import evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judgment import Judgment, ReasonCode, Status
from agent_judge.jury import (
    Average,
    CascadedJury,
    Consensus,
    ErrorPolicy,
    Jury,
    Majority,
    MetaJury,
    Population,
    Stage,
    StageAttempt,
    StageEffect,
    Tier,
    TierPolicy,
    Verdict,
    WeightedAverage,
)
from agent_judge.protocol import describe
from agent_judge.testing import (
    AwaitingJudge,
    HangingJudge,
    a_context,
    erring,
    failing,
    not_applicable,
    passing,
)
from agent_judge.usage import Usage

FOR = Jury([passing("for")])
AGAINST = Jury([failing("against")])


class Crashing:
    """A stage of somebody else's making that raises."""

    async def avote(self, _context: JudgmentContext) -> Verdict:
        """Raise."""
        raise RuntimeError("token=abc")


def test_two_juries_that_disagree_are_a_tie() -> None:
    """Each has one vote. (contract: core:M1)"""
    assert MetaJury({"a": FOR, "b": AGAINST}, Majority()).vote(a_context()).status is Status.FAIL


def test_two_juries_that_disagree_have_a_mean() -> None:
    """As their weights say. (contract: core:M1)"""
    members = {"a": FOR, "b": AGAINST}

    assert MetaJury(members, WeightedAverage()).vote(a_context()).score == 0.5
    assert MetaJury(members, WeightedAverage(), weights={"a": 3}).vote(a_context()).score == 0.75
    assert MetaJury(members, Average()).vote(a_context()).passed


def test_two_juries_that_disagree_are_no_consensus() -> None:
    """The matter is open. (contract: core:M2)"""
    verdict = MetaJury({"a": FOR, "b": AGAINST}, Consensus()).vote(a_context())

    assert verdict.status is Status.ABSTAIN


@pytest.mark.parametrize("parallel", [True, False])
def test_a_member_that_crashes_keeps_the_vote_from_being_counted(
    parallel: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """The others still run and are kept; the strategy is not called. (contract: core:M3)"""
    called: list[Population] = []

    def strategy(population: Population) -> Judgment:
        called.append(population)
        return Judgment.passing()

    members: dict[str, Stage] = {"a": FOR, "crashed": Crashing(), "b": AGAINST}
    verdict = MetaJury(members, strategy, parallel=parallel).vote(a_context())

    assert verdict.judgment.code is ReasonCode.STAGE_FAILED
    assert "crashed" in verdict.reasoning
    assert not called
    kept = [attempt.verdict for attempt in verdict.attempts if attempt.verdict is not None]
    assert [found.status for found in kept] == [Status.PASS, Status.FAIL]
    failure = verdict.attempts[1].failure
    assert failure is not None
    assert failure.exception == "RuntimeError"
    assert "token" not in repr(verdict)
    assert "token=abc" in caplog.text


def test_a_crashed_member_is_not_held_against_the_work() -> None:
    """Nor by a strategy that would hold an error against it. (contract: core:M3, core:V27)"""
    strategy = Majority(on_error=ErrorPolicy.TREAT_AS_FAIL)

    verdict = MetaJury({"a": AGAINST, "b": Crashing()}, strategy).vote(a_context())

    assert verdict.status is Status.ERROR


@pytest.mark.parametrize(
    ("policy", "status"),
    [
        (ErrorPolicy.PROPAGATE, Status.ERROR),
        (ErrorPolicy.TREAT_AS_FAIL, Status.FAIL),
        (ErrorPolicy.TREAT_AS_ABSTAIN, Status.PASS),
        (ErrorPolicy.IGNORE, Status.PASS),
    ],
)
def test_the_error_of_a_member_follows_the_policy(policy: ErrorPolicy, status: Status) -> None:
    """It judged, and could not tell. (contract: core:M4)"""
    members = {"a": FOR, "b": Jury([erring()])}

    assert MetaJury(members, Majority(on_error=policy)).vote(a_context()).status is status


@pytest.mark.parametrize(
    ("members", "error"),
    [
        ({}, ArgumentError),
        ([("a", FOR), ("a", AGAINST)], ArgumentTypeError),
        ([FOR, AGAINST], ArgumentTypeError),
        (None, ArgumentTypeError),
        ({"": FOR}, ArgumentError),
        ({"a\n": FOR}, ArgumentError),
        ({1: FOR}, ArgumentTypeError),
        ({"a": passing()}, ArgumentTypeError),
        ({"a": None}, ArgumentTypeError),
        ({f"m{index}": FOR for index in range(33)}, ArgumentError),
    ],
)
def test_members_that_cannot_make_a_jury_are_refused(members: Any, error: type[Exception]) -> None:
    """None, two of one name, no name, no stage, too many.

    (contract: core:M5, core:R24, core:R26)
    """
    with pytest.raises(error):
        MetaJury(members)


@pytest.mark.parametrize(
    "options",
    [
        {"strategy": None},
        {"name": ""},
        {"timeout": 0},
        {"weights": {"b": 1}, "strategy": WeightedAverage()},
        {"weights": {"a": 1}},
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any]) -> None:
    """As those of a jury are. (contract: core:M5, core:V13)"""
    with pytest.raises((ArgumentError, ArgumentTypeError)):
        MetaJury({"a": FOR}, **options)


def test_members_run_at_once_and_keep_their_order() -> None:
    """Each waits for the other. (contract: core:M6)"""

    async def vote() -> Verdict:
        barrier = asyncio.Barrier(2)
        members = {
            "b": Jury([AwaitingJudge(barrier)]),
            "a": Jury([AwaitingJudge(barrier, Judgment.failing("no"))]),
        }
        return await MetaJury(members).avote(a_context())

    verdict = asyncio.run(vote())

    assert [attempt.name for attempt in verdict.attempts] == ["b", "a"]
    assert [attempt.effect for attempt in verdict.attempts] == [StageEffect.COUNTED] * 2


def test_members_may_run_in_turn() -> None:
    """With the same verdict. (contract: core:M6)"""
    members = {"a": FOR, "b": AGAINST, "c": FOR}

    at_once = MetaJury(members).vote(a_context())
    in_turn = MetaJury(members, parallel=False).vote(a_context())

    assert at_once.judgment == in_turn.judgment
    assert [attempt.name for attempt in in_turn.attempts] == ["a", "b", "c"]


def test_a_member_that_is_late_errs_with_its_seats() -> None:
    """The vote is over at its deadline, and no seat is lost. (contract: core:J8, core:J12)"""
    members = {"a": FOR, "slow": Jury([HangingJudge()])}

    verdict = MetaJury(members, timeout=0.05).vote(a_context())

    late = verdict.attempts[1].verdict
    assert late is not None
    assert late.seats[0].judgment.code is ReasonCode.TIMEOUT
    assert verdict.judgment.code is ReasonCode.TIMEOUT


def test_a_member_that_does_not_apply_leaves_the_vote() -> None:
    """Whether its judges may say so was its own matter. (contract: core:V26)"""
    members = {"a": FOR, "n": Jury([not_applicable()])}

    assert MetaJury(members).vote(a_context()).passed


def test_a_meta_jury_counts_what_it_cost() -> None:
    """The members' costs added up. (contract: core:K13)"""
    members = {name: Jury([passing(usage=Usage(calls=2)), passing()]) for name in "ab"}

    cost = MetaJury(members).vote(a_context()).cost

    assert (cost.judges, cost.usage) == (4, Usage(calls=4))


def test_a_run_that_itself_failed_does_not_pass() -> None:
    """Ruled at the root, too. (contract: core:J16)"""
    members = {"a": Jury([passing()], status_gate=False)}
    context = a_context(status=ExecutionStatus.TIMEOUT)

    verdict = MetaJury(members).vote(context)

    assert verdict.judgment.code is ReasonCode.RUN_FAILED
    assert not verdict.decided_by.computed
    assert MetaJury(members, status_gate=False).vote(context).passed


def test_meta_juries_nest() -> None:
    """Over juries, cascades and one another, only so deep. (contract: core:R22b, core:R26)"""
    cascade = CascadedJury([Tier("a", FOR, TierPolicy.FINAL_TIER)])
    meta = MetaJury({"jury": FOR, "cascade": cascade})
    outer = MetaJury({"meta": meta, "jury": FOR}, name="outer")

    verdict = outer.vote(a_context())

    assert verdict.passed
    assert outer.depth == 4
    assert [path for path, _ in verdict.stages()] == [
        "/meta",
        "/meta/jury",
        "/meta/cascade",
        "/meta/cascade/a",
        "/jury",
    ]
    with pytest.raises(ArgumentError, match="nests 5 stages deep, and max_depth=4"):
        MetaJury({"outer": outer}, max_depth=4)


def test_a_meta_jury_is_a_judge() -> None:
    """Its verdict stays in its seat. (contract: core:R22b)"""
    meta = MetaJury({"a": FOR}, name="panel")

    verdict = Jury([meta, passing()]).vote(a_context())

    assert verdict.seats[0].key == "panel"
    assert verdict.seats[0].verdict is not None
    assert evaluate(meta, a_context()).passed
    assert describe(meta).type == "meta_jury"


def test_a_meta_jury_that_is_awaited_as_a_judge_gives_its_judgment() -> None:
    """Called by hand, without an engine around it. (contract: core:R22b)"""

    async def call() -> Judgment:
        return await MetaJury({"a": FOR})(a_context())

    assert asyncio.run(call()).passed


def test_a_meta_jury_says_how_it_was_built() -> None:
    """Members, strategy, and the options that are not the default ones."""
    strategy = Average()
    meta = MetaJury({"a": FOR}, strategy, timeout=5)

    assert meta.members == (("a", FOR),)
    assert meta.strategy is strategy
    assert meta.options == {"timeout": 5}


@pytest.mark.parametrize("context", [None, {"output": "4"}])
def test_only_a_context_is_voted_on(context: Any) -> None:
    """What looks like one is refused. (contract: core:J5)"""
    with pytest.raises(ArgumentTypeError, match="context must be a JudgmentContext"):
        MetaJury({"a": FOR}).vote(context)


@pytest.mark.parametrize(
    "parts", [{}, {"skipped": "why", "verdict": FOR.vote(a_context())}, {"failure": None}]
)
def test_an_attempt_has_exactly_one_outcome(parts: dict[str, Any]) -> None:
    """A verdict, a failure, or why it was skipped. (contract: core:K11)"""
    with pytest.raises(ArgumentError, match="exactly one of verdict, failure and skipped"):
        StageAttempt("a", StageEffect.COUNTED, **parts)
