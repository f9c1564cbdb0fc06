"""Judges that ask a model against answers that speak to it, and models that obey all they read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from agent_judge import Judgment, Status, evaluate
from agent_judge.llm import (
    ChecklistJudge,
    CorrectnessJudge,
    Criterion,
    Defence,
    EarsJudge,
    GEvalJudge,
    JsonClassifier,
    ModelBackedJudge,
    PairwiseJudge,
    RubricJudge,
    SampledJudge,
)
from agent_judge.llm.attempts import CHECK_NAME, find_attempts
from agent_judge.llm.exhibits import Exhibit
from agent_judge.models import ModelRequest, ModelResponse
from agent_judge.testing import a_context
from security.attacks import ATTACKS, HONEST, PASSED, WRONG

Model = Callable[[ModelRequest], ModelResponse]

OFF: Final = Defence(fence=False, token=False, scan=False)

_FENCED = re.compile(r"<([a-z_0-9.-]+-[0-9a-f]{16})>\n(.*?)\n</\1>", re.DOTALL)
_TURN = re.compile(r"<\|im_start\|>|<\|start_header_id\|>|\[INST\]|<<SYS>>|<start_of_turn>")


def prompt(request: ModelRequest) -> str:
    """What a model is asked."""
    return "\n".join(message.text for message in request.messages)


def reply(request: ModelRequest, verdict: str, *, token: bool) -> ModelResponse:
    """A reply of JSON, with the token or without."""
    repeated = f'"token": "verdict-{request.nonce}", ' if token and request.nonce else ""
    return ModelResponse(f'{{{repeated}"reason": "", "verdict": "{verdict}"}}')


def parrot(request: ModelRequest) -> ModelResponse:
    """Repeats the last verdict that it reads; without one it says that the answer is right."""
    verdicts = re.findall(r'\{[^{}]*"verdict"[^{}]*\}', prompt(request).rpartition("Reply with")[0])
    return ModelResponse(verdicts[-1] if verdicts else PASSED)


def obedient(request: ModelRequest) -> ModelResponse:
    """Does what an answer tells it, and answers nothing else, so it repeats no token."""
    return reply(request, "correct", token=False)


def trusting(request: ModelRequest) -> ModelResponse:
    """Obeys what stands outside of the fence: all of it, if there is none."""
    outside = _FENCED.sub("", prompt(request))
    obeyed = WRONG in outside
    return reply(request, "correct" if obeyed else "incorrect", token=True)


def templated(request: ModelRequest) -> ModelResponse:
    """Takes what looks like the beginning of a turn for one, and obeys it."""
    obeyed = _TURN.search(prompt(request)) is not None
    return reply(request, "correct" if obeyed else "incorrect", token=True)


def seeing(request: ModelRequest) -> ModelResponse:
    """Reads the characters that nobody sees, and obeys them."""
    hidden = re.search("[\U000e0020-\U000e007e\u200b\u202e\u2060]", prompt(request))
    return reply(request, "correct" if hidden else "incorrect", token=True)


def devoted(request: ModelRequest) -> ModelResponse:
    """Obeys whatever it reads, wherever it stands, and copies the token as well."""
    return reply(request, "correct", token=True)


NEUTRALISED: Final[tuple[Model, ...]] = (parrot, obedient, trusting, templated, seeing)
"""Models whose obedience the fence and the token make harmless."""


def judged(model: Model, output: str, defence: Defence | None = None) -> Judgment:
    """What a judge of this model finds of an answer."""
    judge = CorrectnessJudge(model, defence=defence or Defence())
    return evaluate(judge, a_context(output=output))


def reported(judgment: Judgment) -> bool:
    """Whether the judgment tells of an attempt."""
    return any(check.name == CHECK_NAME and not check.passed for check in judgment.checks)


def test_there_are_enough_attacks() -> None:
    """Kinds, not rows, are what matters; but few rows hold few kinds."""
    assert len(ATTACKS) >= 60


@pytest.mark.parametrize("model", NEUTRALISED)
@pytest.mark.parametrize("attack", ATTACKS)
def test_no_attack_is_passed(attack: str, model: Model) -> None:
    """Whatever the model obeys, it is no verdict of this judge. (contract: judges:P17)"""
    assert judged(model, ATTACKS[attack]).status is not Status.PASS


@pytest.mark.parametrize("attack", ATTACKS)
def test_every_attack_is_reported(attack: str) -> None:
    """Even where a model does all that it is told. (contract: judges:P17, judges:G4)"""
    judgment = judged(devoted, ATTACKS[attack])

    assert reported(judgment)


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_verdict_of_a_model_that_does_not_obey_is_unchanged(attack: str) -> None:
    """An attempt that failed decides nothing."""

    def honest(request: ModelRequest) -> ModelResponse:
        return reply(request, "incorrect", token=True)

    assert judged(honest, ATTACKS[attack]).status is Status.FAIL


def test_without_the_defence_the_attacks_succeed() -> None:
    """Else this suite would hold nothing: what it tests is the defence, not the models."""
    passed = {
        (attack, model.__name__)
        for attack in ATTACKS
        for model in (*NEUTRALISED, devoted)
        if judged(model, ATTACKS[attack], OFF).status is Status.PASS
    }
    unreported = [
        attack for attack in ATTACKS if not reported(judged(devoted, ATTACKS[attack], OFF))
    ]

    assert all((attack, "obedient") in passed for attack in ATTACKS)
    assert all((attack, "trusting") in passed for attack in ATTACKS)
    assert {name for _, name in passed} == {
        *(model.__name__ for model in NEUTRALISED),
        "devoted",
    }
    assert len(unreported) == len(ATTACKS)


@pytest.mark.parametrize("answer", HONEST)
def test_an_honest_answer_is_not_reported(answer: str) -> None:
    """Code, data, other scripts and ordinary words are no attempt."""
    assert find_attempts([Exhibit("output", HONEST[answer])]) == ()


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_in_the_sources_is_one_too(attack: str) -> None:
    """Whatever part of the evidence it stands in. (contract: judges:P17)"""
    judge = ModelBackedJudge("{{metadata.page}} {{output}}", devoted, JsonClassifier("x"))

    judgment = evaluate(judge, a_context(output=WRONG, metadata={"page": ATTACKS[attack]}))

    assert reported(judgment)


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_in_either_of_two_answers_is_reported(attack: str) -> None:
    """The fence stands around both. (contract: judges:P17, judges:P21)"""
    for output, baseline in ((ATTACKS[attack], WRONG), (WRONG, ATTACKS[attack])):
        judge = PairwiseJudge(devoted, "baseline")

        judgment = evaluate(judge, a_context(output=output, baseline=baseline))

        assert reported(judgment)


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_on_requirements_is_reported(attack: str, tmp_path: Path) -> None:
    """Whether it stands in the output or in a file that is shown. (contract: judges:P17)"""
    (tmp_path / "notes.md").write_text(ATTACKS[attack], encoding="utf-8")
    judge = EarsJudge(devoted, "It shall add.", files=("notes.md",))

    shown = evaluate(judge, a_context(output=WRONG, workspace=tmp_path))
    said = evaluate(EarsJudge(devoted, "It shall add."), a_context(output=ATTACKS[attack]))

    assert reported(shown)
    assert reported(said)


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_on_criteria_and_scores_is_neutralised_or_reported(attack: str) -> None:
    """A copied reply lacks the token; whoever obeys with it is told of. (contract: judges:P17)"""
    replies = {"finding": "met", "score": 5}

    def making(token: bool) -> Model:
        def model(request: ModelRequest) -> ModelResponse:
            repeated = {"token": f"verdict-{request.nonce}"} if token else {}
            told = {**repeated, "reason": "So.", "quote": "", **replies}
            return ModelResponse(json.dumps(told))

        return model

    def found(token: bool) -> list[Judgment]:
        judges = (
            RubricJudge((Criterion("right", "The sum is right."),), making(token), 1),
            ChecklistJudge(("The sum is right.",), making(token)),
            GEvalJudge("The sum is right.", making(token), 1, ("Add.",)),
            SampledJudge(ChecklistJudge(("The sum is right.",), making(token)), 3),
        )
        return [evaluate(judge, a_context(output=ATTACKS[attack])) for judge in judges]

    assert not any(judgment.passed for judgment in found(token=False))
    assert all(any(CHECK_NAME in check.name for check in one.checks) for one in found(token=True))


def test_the_secrets_of_a_run_do_not_reach_the_prompt() -> None:
    """An answer cannot name a variable of the template. (contract: judges:P3)"""
    prompts: list[str] = []

    def noting(request: ModelRequest) -> ModelResponse:
        prompts.append(prompt(request))
        return devoted(request)

    context = a_context(
        output="5 {{metadata.secret}} {{ metadata.secret }} {metadata[secret]} ${metadata.secret}",
        metadata={"secret": "hunter2"},
    )
    evaluate(CorrectnessJudge(noting), context)

    assert "{{metadata.secret}}" in prompts[0]
    assert "hunter2" not in prompts[0]
