"""Several policies as one."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent_judge import AllMustPass, Judgment, JudgmentContext, Jury, Status, Verdict
from agent_judge.coordination import (
    AllOf,
    Budget,
    Decision,
    FirstOf,
    JudgeContext,
    JudgeCoordinator,
    JudgeVerdict,
    LLMJudgePolicy,
    Produced,
    ThresholdJudgePolicy,
)
from agent_judge.coordination.asking import AskedPolicy
from agent_judge.coordination.formatting import points_of
from agent_judge.errors import ArgumentError
from agent_judge.judges import CommandJudge, FileExistsJudge
from agent_judge.models import ModelResponse
from agent_judge.models.errors import ModelError
from agent_judge.protocol import Cost, named
from agent_judge.testing import ScriptedModel, always, failing, passing
from agent_judge.usage import Usage
from agent_judge.wire import from_dict, to_dict

FIRST, LAST = JudgeContext.first(3), JudgeContext(3, 3)
RETRY = "DECISION: RETRY\nSCORE: 0.4\nREASON: no tests\nSUGGESTIONS: add one, run it"
APPROVE = "DECISION: APPROVE\nSCORE: 0.9\nREASON: fine\nSUGGESTIONS: none"


def counted(*verdicts: JudgeVerdict) -> tuple[Any, list[int]]:
    """A policy that gives verdicts from a list, and a list of the attempts that it was asked in."""
    asked: list[int] = []
    left = [*verdicts]

    def decide(_: str, __: object, context: JudgeContext) -> JudgeVerdict:
        asked.append(context.iteration)
        return left.pop(0)

    return decide, asked


def test_the_first_that_does_not_approve_decides() -> None:
    """Each is asked again on every attempt. (contract: loop:K6)"""
    yes = JudgeVerdict.approve("ok", 0.9)
    cheap, cheap_asked = counted(JudgeVerdict.retry("a", 0), yes, yes)
    dear, dear_asked = counted(JudgeVerdict.retry("b", 0), yes)
    coordinator = JudgeCoordinator[int](
        policy=FirstOf(cheap, dear), executor=lambda _, feedback: feedback.attempt
    )

    result = coordinator.execute("a")

    assert [verdict.reason for verdict in result.verdict_history] == ["a", "b", "ok"]
    assert (cheap_asked, dear_asked) == ([1, 2, 3], [2, 3])


def test_all_are_asked_and_heard() -> None:
    """The lowest score, and everything that was suggested. (contract: loop:K6)"""
    policy = AllOf(
        always(Judgment.failing("no docs")),
        ThresholdJudgePolicy(0.5, str, lambda _: (0.2, ["longer"])),
    )

    verdict = policy.evaluate("a", "x", FIRST)

    assert (verdict.decision, verdict.score) == (Decision.RETRY, 0)
    assert verdict.suggestions == ("no docs", "longer")
    assert AllOf(passing("p"), passing("q")).evaluate("a", "x", FIRST).is_approved
    rejecting, _ = counted(JudgeVerdict.reject("never", 0))
    assert AllOf(failing("f"), rejecting).evaluate("a", "x", FIRST).decision is Decision.REJECT


def test_a_model_is_asked_last() -> None:
    """Whatever the order, the cheap ones come first. (contract: loop:K6)"""
    model = ScriptedModel([APPROVE])
    policy = FirstOf(LLMJudgePolicy(model, "It works."), failing("cheap"))

    assert not policy.evaluate("a", "x", FIRST).is_approved
    assert model.requests == []


def test_several_need_one() -> None:
    """None is no policy."""
    for several in (FirstOf, AllOf):
        with pytest.raises(ArgumentError, match="at least one"):
            several()


def test_a_jury_in_a_chain_sees_the_run() -> None:
    """A judge is taken as a policy there as well."""
    seen: list[JudgmentContext] = []

    def look(context: JudgmentContext) -> Judgment:
        seen.append(context)
        return Judgment.passing()

    assert asyncio.run(FirstOf(look).aevaluate("a", "x", FIRST)).is_approved
    assert seen[0].output == "x"


def test_the_cheap_ones_are_asked_first() -> None:
    """By cost class, also of several that stand within others; what declares none is between."""
    plain, asked = counted(JudgeVerdict.retry("plain", 0))
    model = LLMJudgePolicy(ScriptedModel([APPROVE]), "It works.")
    file, command = FileExistsJudge("x"), CommandJudge(["true"])
    policies = (AllOf(model), plain, command, AllOf(file), passing("memory"))

    several = FirstOf(*policies)

    costs = [policy.cost for policy in several._asked]
    assert costs == [Cost.MEMORY, Cost.FILE, Cost.COMMAND, None, Cost.MODEL]
    assert several.cost is Cost.MODEL
    assert AllOf(plain, file).cost is None
    assert asked == []


@pytest.mark.parametrize("several", [AllOf, FirstOf])
def test_what_each_found_is_kept(several: Any) -> None:
    """As a jury whose seats they are, which can be stored and counted again."""
    policy = several(
        named("shape", passing()),
        ThresholdJudgePolicy(0.5, str, lambda _: 0.9),
        Jury([named("docs", always(Judgment.failing("no docs")))], AllMustPass(), name="Inner"),
        LLMJudgePolicy(ScriptedModel([APPROVE]), "It works."),
    )

    finding = policy.evaluate("a", "x", FIRST).finding

    assert isinstance(finding, Verdict)
    assert finding.status is Status.FAIL
    keys = ["shape", "Inner", "ThresholdJudgePolicy", "LLMJudgePolicy"]
    assert [seat.key for seat in finding.seats] == keys[: 4 if several is AllOf else 2]
    assert finding.seats[1].verdict is not None
    assert from_dict(Verdict, to_dict(finding)) == finding


def test_an_agent_is_told_of_all_of_them() -> None:
    """What each found, what each suggests, and what has to stay."""
    policy = AllOf(
        named("shape", passing()),
        named("docs", always(Judgment.failing("no docs"))),
        LLMJudgePolicy(ScriptedModel([RETRY]), "It works."),
    )

    points = points_of(policy.evaluate("a", "x", FIRST), 2)

    assert [failure.criterion for failure in points.failures] == ["docs", "LLMJudgePolicy"]
    assert [one.text for one in points.suggestions] == ["add one", "run it"]
    assert points.passing == ("shape",)


def test_what_all_of_them_consumed_is_counted() -> None:
    """A budget sees the models that approved as well as the one that did not."""
    reply = ModelResponse(APPROVE, usage=Usage(cost=1.0, total_tokens=5))
    models = [LLMJudgePolicy(ScriptedModel([reply] * 3), "It works.") for _ in range(2)]
    policy = AllOf(*models, failing("f"))

    result = JudgeCoordinator[str](
        policy=policy,
        executor=lambda _, __: Produced("x", Usage(cost=0.0)),
        budget=Budget(cost=5.0),
    ).execute("a")

    assert result.iterations == 2


def test_nobody_judged_where_one_could_not() -> None:
    """A model that is down neither approves nor fails, and the verdict of both is made up."""
    down = LLMJudgePolicy(ScriptedModel([ModelError("down")] * 2), "It works.")

    verdict = AllOf(passing("p"), down).evaluate("a", "x", FIRST)

    assert (verdict.decision, verdict.synthetic) == (Decision.RETRY, True)
    assert verdict.finding is not None
    assert verdict.finding.status is Status.ERROR
    made_up = JudgeVerdict.retry("?", 0.5).as_synthetic()
    assert AllOf(lambda *_: made_up).evaluate("a", "x", FIRST).finding is not None


def test_policies_of_one_name_have_seats_of_their_own() -> None:
    """Numbered, also where a person chose the name."""
    finding = AllOf(named("p", passing()), named("p", passing())).evaluate("a", "x", FIRST).finding

    assert isinstance(finding, Verdict)
    assert len({seat.key for seat in finding.seats}) == 2
    assert AskedPolicy(passing("q")).metadata.name == "pass"
