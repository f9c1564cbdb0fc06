from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from math import log
from pathlib import Path
from typing import Any

import pytest

from agent_judge import Judgment, JudgmentContext, ReasonCode, Status, aevaluate, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.llm import Example, GEvalJudge, Scale
from agent_judge.llm.hearing import sample
from agent_judge.models import (
    CachedModel,
    Feature,
    FinishReason,
    ModelOptions,
    ModelRequest,
    ModelResponse,
    RecordingModel,
    ReplayModel,
    TokenLogprob,
)
from agent_judge.scores import NumericalScore
from agent_judge.testing import Reply, ScriptedModel, a_context

CRITERIA = "The answer is right and short."
STEPS = ("Work the sum out.", "Count the words.")
EXPECTED = "the score is the expectation over its tokens"


def token(text: str, probability: float = 1.0, **others: float) -> TokenLogprob:
    """A token, and those that might have stood in its place."""
    seen = {text: probability, **others}
    return TokenLogprob(
        text, log(probability), tuple(TokenLogprob(one, log(share)) for one, share in seen.items())
    )


def likely(*score: TokenLogprob, **members: Any) -> Callable[[ModelRequest], ModelResponse]:
    """A reply whose score has these tokens."""

    def reply(request: ModelRequest) -> ModelResponse:
        told = {"token": f"verdict-{request.nonce}", "reason": "It is right.", **members}
        before = f'{json.dumps(told)[:-1]}, "score": '
        tokens = (token(before), *score, token("}"))
        text = "".join(token.token for token in tokens)
        return ModelResponse(text, logprobs=tokens if request.logprobs is not None else None)

    return reply


def scored(score: object, reason: str = "It is right.") -> Mapping[str, Any]:
    """A reply without probabilities."""
    return {"reason": reason, "score": score}


def judged(*replies: Reply, threshold: float = 0.7, **options: Any) -> Judgment:
    """What is found of an ordinary run."""
    given: dict[str, Any] = {"steps": STEPS, **options}
    return evaluate(GEvalJudge(CRITERIA, ScriptedModel(replies), threshold, **given), a_context())


def fallback(judgment: Judgment) -> str:
    """What the advisory check says of a score that is no expectation."""
    (check,) = (check for check in judgment.checks if check.name == EXPECTED)
    assert check.advisory
    assert not check.passed
    return check.message


def test_the_score_is_the_expectation_over_its_tokens() -> None:
    """With the mass that was captured. (contract: judges:P22)"""
    judgment = judged(likely(token("4", 0.6, **{"5": 0.3, "3": 0.1})))

    assert judgment.status is Status.PASS
    assert isinstance(judgment.score, NumericalScore)
    assert judgment.score.value == pytest.approx(4.2)
    assert (judgment.score.low, judgment.score.high) == (1, 5)
    assert judgment.evidence["method"] == "expectation"
    assert judgment.evidence["mass"] == pytest.approx(1.0)
    assert judgment.evidence["probabilities"] == pytest.approx({"3": 0.1, "4": 0.6, "5": 0.3})
    assert judgment.evidence["scores"] == (4.0,)
    assert judgment.checks == ()
    assert judgment.reasoning == "expectation: 4.2 on 1..5; the mark is 0.7. It is right."


def test_the_mark_decides_by_the_expectation_and_not_by_what_was_written() -> None:
    """A 4 that might well have been a 1."""
    judgment = judged(likely(token("4", 0.5, **{"1": 0.5})), threshold=0.5)

    assert judgment.status is Status.FAIL
    assert judgment.effective_score == pytest.approx(0.375)


def test_ten_is_ten_whatever_its_tokens() -> None:
    """In two tokens it is worth as much as in one. (contract: cases:D11)"""
    in_two = judged(likely(token("1", 0.96, **{"9": 0.04}), token("0")), scale=Scale(0, 10))
    in_one = judged(likely(token("10", 0.96, **{"9": 0.04})), scale=Scale(0, 10))

    assert in_two.effective_score == in_one.effective_score == pytest.approx(0.996)
    assert in_two.evidence["method"] == "expectation"


def test_too_little_mass_is_a_visible_fallback() -> None:
    """The score that was written counts then, and why. (contract: judges:P22, cases:D11)"""
    judgment = judged(likely(token("8", 0.5, **{"7": 0.1, "1": 0.4})), scale=Scale(0, 10))

    assert judgment.effective_score == 0.8
    assert judgment.evidence["method"] == "single score"
    assert judgment.evidence["mass"] == pytest.approx(0.6)
    assert fallback(judgment) == (
        "only 0.6 of the probability was captured, 0.9 is wanted; "
        "it is the single score that was written"
    )


@pytest.mark.parametrize("mass", [0.6, 0.61])
def test_the_least_mass_can_be_chosen(mass: float) -> None:
    """It is enough when it is reached."""
    judgment = judged(likely(token("8", 0.6, **{"1": 0.4})), scale=Scale(0, 10), min_mass=mass)

    assert (judgment.evidence["method"] == "expectation") is (mass == 0.6)


def test_without_probabilities_the_single_score_is_a_visible_fallback() -> None:
    """Never silently. (contract: judges:P22)"""
    judgment = judged(scored(4))

    assert judgment.effective_score == 0.75
    assert judgment.evidence["method"] == "single score"
    assert fallback(judgment).startswith("the model gave no probabilities")


def test_a_fallback_is_no_ground_to_fail() -> None:
    """The check informs, and so does one of a contradiction. (contract: judges:P15)"""
    judgment = judged({**scored(2), "pass": True})

    assert judgment.status is Status.FAIL
    assert len(judgment.checks) == 2
    assert judgment.failed_checks == ()


def test_without_probabilities_samples_are_averaged() -> None:
    """The first reply is one of them; their variance is recorded. (contract: judges:P19)"""
    judgment = judged(scored(4), scored(5), scored(3), scored(5), samples=4)

    assert judgment.effective_score == 0.8125
    assert judgment.evidence["method"] == "mean of samples"
    assert judgment.evidence["scores"] == (4.0, 5.0, 3.0, 5.0)
    assert judgment.evidence["variance"] == pytest.approx(11 / 12)
    assert fallback(judgment).endswith("it is the mean of 4 samples")
    assert judgment.usage is not None
    assert judgment.usage.calls == 4


def test_with_probabilities_one_reply_is_enough() -> None:
    """The script has no more."""
    assert judged(likely(token("4")), samples=20).evidence["scores"] == (4.0,)


def test_a_sample_without_an_answer_is_an_error() -> None:
    """It is not left out of the mean. (contract: judges:P11)"""
    cut = ModelResponse("{", finish_reason=FinishReason.LENGTH)

    judgment = judged(scored(4), scored(5), cut, samples=3)

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.TRUNCATED


def test_a_model_that_is_known_to_give_none_is_not_asked_for_probabilities() -> None:
    """It would refuse the request."""
    model = ScriptedModel([scored(4)])
    model.features = frozenset({Feature.SCHEMA})  # type: ignore[attr-defined]

    judgment = evaluate(GEvalJudge(CRITERIA, model, 0.5, steps=STEPS), a_context())

    assert model.requests[0].logprobs is None
    assert fallback(judgment).startswith("the model cannot be asked for probabilities")


def test_probabilities_are_asked_for() -> None:
    """With so many alternatives."""
    model = ScriptedModel([likely(token("4"))] * 2)

    evaluate(GEvalJudge(CRITERIA, model, 0.5, STEPS), a_context())
    evaluate(GEvalJudge(CRITERIA, model, 0.5, STEPS, alternatives=5), a_context())

    assert [request.logprobs for request in model.requests] == [20, 5]


def test_probabilities_can_be_ignored() -> None:
    """Then a mean of samples is what was asked for, and no fallback."""
    model = ScriptedModel([scored(4), scored(5)])
    judge = GEvalJudge(CRITERIA, model, 0.5, STEPS, probabilities="ignore", samples=2)

    judgment = evaluate(judge, a_context())

    assert judgment.evidence["method"] == "mean of samples"
    assert judgment.checks == ()
    assert {request.logprobs for request in model.requests} == {None}


def test_probabilities_can_be_required() -> None:
    """Without them there is no judgment."""
    judgment = judged(scored(4), probabilities="require")

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.MODEL_FAILED
    assert "the model gave no probabilities" in judgment.reasoning
    assert judged(likely(token("4")), probabilities="require").status is Status.PASS


def test_a_model_that_is_known_to_give_none_cannot_be_required_to() -> None:
    """Which is said when the judge is made."""
    model = ScriptedModel(["?"])
    model.features = frozenset({Feature.SCHEMA})  # type: ignore[attr-defined]

    with pytest.raises(ArgumentError, match="cannot be asked for any"):
        GEvalJudge(CRITERIA, model, 0.5, probabilities="require")


@pytest.mark.parametrize("score", [0, 6, "6", None, True, "good", "4 of 10", [4]])
def test_a_score_off_the_scale_is_not_read(score: object) -> None:
    """It is never clamped. (contract: judges:P14)"""
    assert judged(scored(score), scored(score)).code is ReasonCode.UNREADABLE_REPLY


def test_what_a_reply_says_about_passing_decides_nothing() -> None:
    """A contradiction is recorded. (contract: judges:P15)"""
    judgment = judged({**scored(4), "pass": False})

    assert judgment.status is Status.PASS
    assert [check.name for check in judgment.checks] == [
        EXPECTED,
        "the reply agrees with its score",
    ]
    assert all(check.advisory and not check.passed for check in judgment.checks)


def test_the_steps_are_followed_and_recorded() -> None:
    """Numbered, below the criteria."""
    model = ScriptedModel([scored(4)])

    judgment = evaluate(GEvalJudge(CRITERIA, model, 0.5, STEPS), a_context())

    text = model.requests[0].messages[-1].text
    assert f"by these criteria:\n{CRITERIA}\n\nTake these steps:\n1. Work the sum out." in text
    assert "a whole number from 1 (worst) to 5 (best)" in text
    assert judgment.evidence["steps"] == STEPS
    assert judgment.evidence["steps_are"] == "given"


def test_the_model_writes_the_steps_once() -> None:
    """From the criteria alone; every judgment says what they are."""
    model = ScriptedModel([{"steps": [" Look. ", "Compare."]}, scored(4), scored(2)])
    judge = GEvalJudge(CRITERIA, model, 0.5)

    first, second = evaluate(judge, a_context()), evaluate(judge, a_context(output="5"))

    assert first.evidence["steps"] == second.evidence["steps"] == ("Look.", "Compare.")
    assert first.evidence["steps_are"] == "written by the model"
    assert CRITERIA in model.requests[0].messages[-1].text
    assert "Add 2 and 2" not in model.requests[0].messages[-1].text
    assert "1. Look.\n2. Compare." in model.requests[2].messages[-1].text
    assert (first.usage and first.usage.calls, second.usage and second.usage.calls) == (2, 1)


def test_judgments_at_the_same_time_share_the_steps() -> None:
    """One of them has them written."""
    model = ScriptedModel([{"steps": ["Look."]}, *[scored(4)] * 5])
    judge = GEvalJudge(CRITERIA, model, 0.5)

    async def ask_all() -> list[Judgment]:
        return [*await asyncio.gather(*(aevaluate(judge, a_context()) for _ in range(5)))]

    assert all(judgment.passed for judgment in asyncio.run(ask_all()))
    assert len(model.requests) == 6


@pytest.mark.parametrize(
    "reply", [{"steps": []}, {"steps": "Look."}, {"steps": [" "]}, {"steps": [4]}, {"step": ["A"]}]
)
def test_steps_that_cannot_be_read_are_an_error_and_written_anew(reply: Reply) -> None:
    """They are not kept."""
    model = ScriptedModel([reply, reply, {"steps": ["Look."]}, scored(4)])
    judge = GEvalJudge(CRITERIA, model, 0.5)

    failed, then = evaluate(judge, a_context()), evaluate(judge, a_context())

    assert failed.code is ReasonCode.UNREADABLE_REPLY
    assert then.status is Status.PASS
    assert then.evidence["steps"] == ("Look.",)


def test_whoever_samples_the_judge_gets_the_same_steps(tmp_path: Path) -> None:
    """The stored steps belong to no sample. (contract: judges:P20)"""
    script = ScriptedModel([{"steps": ["Look."]}, *[scored(4)] * 2])
    model = CachedModel(script, tmp_path / "c.sqlite", identity="script")

    async def ask_as(index: int) -> Judgment:
        with sample(index):
            return await aevaluate(GEvalJudge(CRITERIA, model, 0.5), a_context())

    async def ask_twice() -> list[Judgment]:
        async with model:
            return [await ask_as(0), await ask_as(1)]

    assert all(judgment.passed for judgment in asyncio.run(ask_twice()))
    assert len(script.requests) == 3


def test_the_reason_can_be_left_out() -> None:
    """As in the paper, whose form holds scores only."""
    model = ScriptedModel([{"score": 4}])
    judge = GEvalJudge(CRITERIA, model, 0.5, STEPS, reason="none")

    judgment = evaluate(judge, a_context())

    schema = model.requests[0].schema
    assert schema is not None
    assert list(schema.plain["properties"]) == ["token", "score"]
    assert judgment.reasoning == "single score: 4 on 1..5; the mark is 0.5"


def test_probabilities_survive_being_recorded(tmp_path: Path) -> None:
    """A replayed judgment is the same."""
    cassette = tmp_path / "c.jsonl"
    script = ScriptedModel([likely(token("4", 0.6, **{"5": 0.4}))])

    def judge(model: Any) -> Judgment:
        return evaluate(GEvalJudge(CRITERIA, model, 0.5, STEPS), a_context())

    recorded, replayed = judge(RecordingModel(script, cassette)), judge(ReplayModel(cassette))

    assert recorded.effective_score == replayed.effective_score == pytest.approx(0.85)
    assert replayed.evidence["method"] == "expectation"


def test_without_its_evidence_the_judge_abstains_unasked() -> None:
    """It has no steps written either. (contract: judges:P4, judges:P18)"""
    judge = GEvalJudge(CRITERIA, ScriptedModel([AssertionError()]), 0.5)

    assert evaluate(judge, JudgmentContext(goal="Add.")).status is Status.ABSTAIN
    assert evaluate(judge, a_context(output=":")).status is Status.FAIL


def test_examples_are_shown() -> None:
    """With the reply that was right."""
    model = ScriptedModel([scored(4)])
    examples = (Example(a_context(output="22"), {"reason": "Wrong.", "score": 1}),)

    evaluate(GEvalJudge(CRITERIA, model, 0.5, STEPS, examples=examples), a_context())

    shown = [message.text for message in model.requests[0].messages]
    assert "22" in shown[1]
    assert json.loads(shown[2])["score"] == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"criteria": " "}, "criteria must not be blank"),
        ({"threshold": 7}, "threshold must lie in 0..1"),
        ({"steps": ("",)}, "step 1 must have"),
        ({"steps": ("Look.",) * 21}, "at most 20 steps"),
        ({"scale": Scale(-1, 5)}, "whole numbers in 0..100, got -1..5"),
        ({"scale": Scale(0, 0.5)}, "whole numbers in 0..100"),
        ({"scale": Scale(0, 101)}, "whole numbers in 0..100"),
        ({"reason": "after"}, "reason"),
        ({"probabilities": "maybe"}, "probabilities"),
        ({"min_mass": 0}, "min_mass must lie above 0"),
        ({"min_mass": float("nan")}, "min_mass"),
        ({"min_mass": True}, "min_mass"),
        ({"alternatives": 0}, "alternatives must be a whole number"),
        ({"samples": 0}, "samples must be a whole number"),
        ({"samples": 2, "options": ModelOptions(temperature=0)}, "leave the temperature out"),
        ({"concurrency": 0}, "concurrency"),
        ({"evidence": ()}, "evidence must name something"),
    ],
)
def test_a_judge_that_cannot_be_meant_is_refused(changes: dict[str, Any], said: str) -> None:
    """When it is made."""
    model = ScriptedModel(["?"])
    options: dict[str, Any] = {"criteria": CRITERIA, "model": model, "threshold": 0.5}

    with pytest.raises(ArgumentError, match=said):
        GEvalJudge(**{**options, **changes})


@pytest.mark.parametrize(
    "changes",
    [
        {"scale": Scale(0, 100)},
        {"min_mass": 1},
        {"options": ModelOptions(temperature=0)},
        {"steps": ("Look.",) * 20},
        {"steps": ("x" * 2_000,)},
    ],
)
def test_the_bounds_of_what_can_be_meant_are_included(changes: dict[str, Any]) -> None:
    """A single score may be asked for at any temperature."""
    assert GEvalJudge(CRITERIA, ScriptedModel(["?"]), 0.5, **changes).samples == 1


@pytest.mark.parametrize("changes", [{"criteria": None}, {"steps": "Look."}, {"scale": (1, 5)}])
def test_an_argument_of_the_wrong_type_is_refused(changes: dict[str, Any]) -> None:
    """When the judge is made."""
    model = ScriptedModel(["?"])
    options: dict[str, Any] = {"criteria": CRITERIA, "model": model, "threshold": 0.5}

    with pytest.raises(ArgumentTypeError):
        GEvalJudge(**{**options, **changes})
