"""Policies that ask no model: rows K of the contract."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from agent_judge import (
    AllMustPass,
    CascadedJury,
    Check,
    ExecutionStatus,
    Judgment,
    JudgmentContext,
    Jury,
    Location,
    ReasonCode,
    Status,
    Tier,
    TierPolicy,
    negate,
)
from agent_judge.coordination import (
    Decision,
    Feedback,
    JudgeContext,
    JudgeCoordinator,
    JudgeFailedError,
    JuryPolicy,
    ThresholdJudgePolicy,
)
from agent_judge.coordination.policies.jury import spending_of
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges import CommandJudge
from agent_judge.testing import always, failing, passing
from agent_judge.usage import Usage

FIRST, LAST = JudgeContext.first(3), JudgeContext(3, 3)


def scoring(answer: Any) -> ThresholdJudgePolicy[str]:
    """A policy whose function gives one answer."""
    return ThresholdJudgePolicy(0.8, str, lambda _: answer)


@pytest.mark.parametrize(
    ("score", "context", "decision"),
    [
        (0.8, FIRST, Decision.APPROVE),
        (0.8, LAST, Decision.APPROVE),
        (0.79, FIRST, Decision.RETRY),
        (0.79, LAST, Decision.REJECT),
    ],
)
def test_a_mark(score: float, context: JudgeContext, decision: Decision) -> None:
    """Equal is approved; below, there is another try unless it was the last. (contract: loop:K1)"""
    assert scoring(score).evaluate("a", "x", context).decision is decision


def test_a_score_is_held_within_the_unit_interval() -> None:
    """From both sides. (contract: loop:K2)"""
    assert scoring(7).evaluate("a", "x", FIRST).score == 1
    assert scoring(-7).evaluate("a", "x", FIRST).score == 0


@pytest.mark.parametrize(
    "answer",
    [
        *(float("nan"), float("inf"), -float("inf"), 10**400, None, "0.9", True, 0.9j),
        *((0.5, 0.5, 0.5), (), (0.5,), (0.5, "longer"), (0.5, None), (0.5, [3]), [0.5, ["a"]]),
    ],
)
def test_what_is_no_score_is_an_error(answer: object) -> None:
    """It leaves the loop; no score is made up. (contract: loop:K2)"""
    with pytest.raises(ArgumentTypeError):
        scoring(answer).evaluate("a", "x", FIRST)


def test_numbers_of_any_kind_are_scores() -> None:
    """Those of other libraries, too."""
    assert scoring(Fraction(9, 10)).evaluate("a", "x", FIRST).score == 0.9
    assert scoring(1).evaluate("a", "x", FIRST).score == 1


def test_a_scoring_function_that_raises_leaves() -> None:
    """As a policy's error does. (contract: loop:K2)"""

    def fail(_: str) -> float:
        raise LookupError("no")

    coordinator = JudgeCoordinator[str](
        policy=ThresholdJudgePolicy(0.5, str, fail), executor=lambda _, __: "x"
    )
    with pytest.raises(LookupError):
        coordinator.execute("a")


@pytest.mark.parametrize("output", [None, 3, b"x"])
@pytest.mark.parametrize("mark", [0, 0.5])
def test_another_type_is_never_approved(output: object, mark: float) -> None:
    """Not even at mark 0, and the function is not called. (contract: loop:K3)"""
    policy = ThresholdJudgePolicy(mark, str, lambda _: pytest.fail("called"))

    verdict = policy.evaluate("a", output, FIRST)

    assert (verdict.decision, verdict.score) == (Decision.RETRY, 0)


def test_a_subclass_is_of_the_type() -> None:
    """`True` is an `int`. (contract: loop:K3)"""
    assert ThresholdJudgePolicy(0, int, lambda _: 0).evaluate("a", True, FIRST).is_approved


def test_suggestions_travel() -> None:
    """With the score. (contract: loop:K4)"""
    verdict = scoring((0.5, ["longer", "clearer"])).evaluate("a", "x", FIRST)

    assert verdict.suggestions == ("longer", "clearer")
    assert scoring((0.5, iter(["one"]))).evaluate("a", "x", LAST).suggestions == ("one",)


def test_a_scoring_function_may_be_async() -> None:
    """From both doors."""

    async def score(_: str) -> float:
        await asyncio.sleep(0)
        return 0.9

    policy = ThresholdJudgePolicy(0.8, str, score)

    assert policy.evaluate("a", "x", FIRST).is_approved
    assert asyncio.run(policy.aevaluate("a", "x", FIRST)).is_approved


def test_a_judge_that_passes_approves() -> None:
    """And what it found is kept. (contract: loop:K5)"""
    verdict = JuryPolicy(passing("p")).evaluate("a", "x", FIRST)

    assert verdict.is_approved
    assert verdict.score == 1
    assert isinstance(verdict.finding, Judgment)


def test_a_judge_that_fails_sends_back() -> None:
    """With what the failed checks say, where they say it. (contract: loop:K5)"""
    checks = [
        Check("style", True),
        Check("tests", False, "test_a fails", location=Location("a.py", 3)),
        Check("docs", False),
        Check("hint", False, "not now", advisory=True),
    ]
    policy = JuryPolicy(always(Judgment.from_checks(checks)))

    first, last = policy.evaluate("a", "x", FIRST), policy.evaluate("a", "x", LAST)

    assert (first.decision, last.decision) == (Decision.RETRY, Decision.REJECT)
    assert first.suggestions == last.suggestions == ("test_a fails (a.py:3)", "docs")
    assert first.score == pytest.approx(1 / 3)


def test_the_worst_judge_comes_first() -> None:
    """And each suggestion once. (contract: loop:K5)"""

    def scored(value: float, *said: str) -> Any:
        checks = [Check(name, False, name) for name in said]
        return always(Judgment.scored(value, threshold=0.9, checks=checks))

    jury = Jury(
        [scored(0.6, "mild"), scored(0.1, "bad", "worse"), scored(0.3, "bad"), passing("p")],
        AllMustPass(),
    )

    assert JuryPolicy(jury).evaluate("a", "x", FIRST).suggestions == ("bad", "worse", "mild")


def test_a_judge_without_checks_is_quoted() -> None:
    """Its reasoning is the suggestion."""
    verdict = JuryPolicy(always(Judgment.failing("say why"))).evaluate("a", "x", FIRST)

    assert verdict.suggestions == ("say why",)
    assert verdict.score == 0


def test_an_error_is_asked_again_and_then_leaves() -> None:
    """It is no verdict on the work. (contract: loop:K5)"""
    answers = [Judgment.erring("down", ReasonCode.MODEL_FAILED), Judgment.passing()]
    asked: list[Judgment] = []

    def flaky(_: JudgmentContext) -> Judgment:
        asked.append(answers[min(len(asked), 1)])
        return asked[-1]

    assert JuryPolicy(flaky).evaluate("a", "x", FIRST).is_approved
    assert len(asked) == 2
    asked.clear()
    with pytest.raises(JudgeFailedError, match="down") as raised:
        JuryPolicy(flaky, judge_retries=0).evaluate("a", "x", FIRST)
    assert raised.value.judgment.code is ReasonCode.MODEL_FAILED


@pytest.mark.parametrize("as_jury", [False, True])
def test_what_an_error_consumed_is_counted(as_jury: bool) -> None:
    """A judge that had to be asked twice was paid twice."""
    used = Usage(calls=1, total_tokens=10, cost=0.25)
    answers = [
        Judgment.erring("down", ReasonCode.MODEL_FAILED, usage=used),
        Judgment.passing("ok", usage=used),
    ]

    def flaky(_: JudgmentContext) -> Judgment:
        return answers.pop(0)

    finding = JuryPolicy(Jury([flaky]) if as_jury else flaky).evaluate("a", "x", FIRST).finding

    assert finding is not None
    assert finding.status is Status.PASS
    assert spending_of(finding).usage == Usage.total([used, used])


@pytest.mark.parametrize("judgment", [Judgment.abstaining("?"), Judgment.not_applicable("-")])
def test_what_nobody_judged_is_not_approved(judgment: Judgment) -> None:
    """It is tried again, or rejected where that was asked for. (contract: loop:K5)"""
    policy = JuryPolicy(always(judgment))
    strict = JuryPolicy(always(judgment), on_abstain=Decision.REJECT)

    assert policy.evaluate("a", "x", FIRST).decision is Decision.RETRY
    assert policy.evaluate("a", "x", LAST).decision is Decision.REJECT
    assert strict.evaluate("a", "x", FIRST).decision is Decision.REJECT
    assert policy.evaluate("a", "x", FIRST).synthetic
    with pytest.raises(ArgumentError, match="not approved"):
        JuryPolicy(always(judgment), on_abstain=Decision.APPROVE)


def test_judges_see_what_they_are_given() -> None:
    """The output alone, a template, or what a function makes. (contract: loop:K5)"""
    seen: list[JudgmentContext] = []

    def look(context: JudgmentContext) -> Judgment:
        seen.append(context)
        return Judgment.passing()

    JuryPolicy(look).evaluate("a", "x", FIRST)
    JuryPolicy(look, JudgmentContext(goal="g")).evaluate("a", "y", FIRST)
    JuryPolicy(
        look, lambda agent, output, ctx: JudgmentContext(goal=f"{agent}{output}{ctx.iteration}")
    ).evaluate("a", "z", FIRST)
    JuryPolicy(look).evaluate("a", JudgmentContext(goal="whole"), FIRST)

    assert [context.goal for context in seen] == ["", "g", "az1", "whole"]
    assert [context.output for context in seen[:2]] == ["x", "y"]
    assert seen[0].status is ExecutionStatus.SUCCESS


def test_an_output_that_judges_cannot_be_shown_is_an_error() -> None:
    """It says what to do."""
    with pytest.raises(ArgumentTypeError, match="context="):
        JuryPolicy(passing("p")).evaluate("a", object(), FIRST)


@pytest.mark.parametrize("context", ["goal", 3])
def test_a_context_that_is_none_is_refused(context: Any) -> None:
    """Where the policy is built, or where the function gives it."""
    with pytest.raises(ArgumentTypeError):
        JuryPolicy(passing("p"), context)
    with pytest.raises(ArgumentTypeError):
        JuryPolicy(passing("p"), lambda *_: context).evaluate("a", "x", FIRST)


def test_a_gate_may_reject_at_once() -> None:
    """The tiers that do are named. (contract: loop:K5)"""
    cascade = CascadedJury(
        [
            Tier("rules", [failing("broke a rule")], TierPolicy.REJECT_ON_ANY_FAIL),
            Tier("work", [passing("p")], TierPolicy.FINAL_TIER),
        ]
    )

    assert JuryPolicy(cascade).evaluate("a", "x", FIRST).decision is Decision.RETRY
    strict = JuryPolicy(cascade, reject_at=["rules"])
    assert strict.evaluate("a", "x", FIRST).decision is Decision.REJECT
    for wrong in (["rule"], "rules"):
        with pytest.raises((ArgumentError, ArgumentTypeError)):
            JuryPolicy(cascade, reject_at=wrong)
    with pytest.raises(ArgumentError, match="only a CascadedJury"):
        JuryPolicy(passing("p"), reject_at=["rules"])


def test_a_judge_is_taken_as_a_policy() -> None:
    """A function, an object, or a jury. (contract: loop:K5)"""
    for judge in (passing("p"), Jury([passing("p")]), lambda _: Judgment.passing()):
        coordinator = JudgeCoordinator[str](policy=judge, executor=lambda _, __: "x")
        assert coordinator.execute("a").is_approved
        assert asyncio.run(coordinator.aexecute("a")).is_approved


@pytest.mark.parametrize("door", ["sync", "async"])
def test_each_attempt_is_judged_anew(tmp_path: Path, door: str) -> None:
    """What judges of one vote share is not shared with the vote on the next attempt."""
    command = CommandJudge(["test", "-e", "done"])
    jury = Jury([command, negate(negate(command))], AllMustPass())

    def work(_: str, feedback: Feedback) -> int:
        if feedback.attempt == 2:
            (tmp_path / "done").touch()
        return feedback.attempt

    coordinator = JudgeCoordinator[int](
        policy=JuryPolicy(jury, JudgmentContext(workspace=tmp_path)), executor=work
    )
    result = coordinator.execute("a") if door == "sync" else asyncio.run(coordinator.aexecute("a"))

    assert (result.is_approved, result.iterations) == (True, 2)


def test_a_judge_that_erred_is_asked_anew(tmp_path: Path) -> None:
    """Not given the same error again from what is shared."""
    tool = tmp_path / "tool"
    seen: list[JudgmentContext] = []
    command = CommandJudge([str(tool)])

    async def judge(context: JudgmentContext) -> Judgment:
        found = await command(context)
        if not seen:
            tool.write_text("#!/bin/sh\nexit 0\n")
            tool.chmod(0o755)
        seen.append(context)
        return found

    verdict = JuryPolicy(judge, JudgmentContext(workspace=tmp_path)).evaluate("a", 1, FIRST)

    assert verdict.is_approved
    assert len(seen) == 2
