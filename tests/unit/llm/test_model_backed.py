from __future__ import annotations

from typing import Any

import pytest

from agent_judge import Judgment, JudgmentContext, ReasonCode, Status, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.llm import (
    Example,
    JsonClassifier,
    LabelClassifier,
    ModelBackedJudge,
    PromptTemplate,
    ScoreClassifier,
)
from agent_judge.models import Feature, ImagePart, ModelRequest, ModelResponse
from agent_judge.testing import ScriptedModel, a_context

PASS_FAIL = LabelClassifier({"pass": Status.PASS, "fail": Status.FAIL})


def test_prompt_model_and_classifier_make_a_judge() -> None:
    """The prompt is the user's, word for word, with the evidence in it."""
    model = ScriptedModel(["FAIL. It is 5."])
    judge = ModelBackedJudge("Is {{output}} right? PASS or FAIL.", model, PASS_FAIL)

    judgment = evaluate(judge, a_context(output="5"))
    (request,) = model.requests

    assert judgment.status is Status.FAIL
    assert request.schema is None
    assert request.messages[1].text == (
        f"Is <output-{request.nonce}>\n5\n</output-{request.nonce}> right? PASS or FAIL."
    )


def test_json_is_asked_for_and_described() -> None:
    """A model that takes schemas is given one; the prompt says it as well."""
    model = ScriptedModel([{"reason": "", "pass": True}])

    assert evaluate(ModelBackedJudge("{{output}}", model, JsonClassifier()), a_context()).passed
    (request,) = model.requests
    assert request.schema is not None
    assert list(request.schema.plain["properties"]) == ["token", "reason", "pass"]
    assert "JSON Schema" in request.messages[-1].text


def test_a_model_that_takes_no_schema_is_not_given_one() -> None:
    """The prompt alone asks for the JSON then. (contract: judges:P13, judges:P14)"""

    class Plain(ScriptedModel):
        features = frozenset({Feature.TEMPERATURE})

    model = Plain([{"reason": "", "pass": False}])

    assert not evaluate(ModelBackedJudge("{{output}}", model, JsonClassifier()), a_context()).passed
    assert model.requests[0].schema is None


def test_a_score_decides_in_code() -> None:
    """What the reply says of passing is compared only. (contract: judges:P15)"""
    model = ScriptedModel([{"reason": "fine", "score": 0.4, "pass": True}])
    judge = ModelBackedJudge("{{output}}", model, ScoreClassifier(0.5), "json")

    judgment = evaluate(judge, a_context())

    assert judgment.status is Status.FAIL
    assert any("agrees" in check.name and not check.passed for check in judgment.checks)


@pytest.mark.parametrize(
    ("template", "missing"),
    [
        ("{{output}} {{expected}}", "expected"),
        ("{{output}} {{metadata.notes}}", "metadata.notes"),
        ("{{goal}} {{sources}}", "goal, sources"),
    ],
)
def test_without_its_evidence_a_judge_abstains(template: str, missing: str) -> None:
    """The model is not called, and what is missing is named. (contract: judges:P4)"""
    model = ScriptedModel(["PASS"])

    judgment = evaluate(
        ModelBackedJudge(template, model, PASS_FAIL),
        JudgmentContext(goal=" ", output="4", metadata={"other": 1}),
    )

    assert judgment.status is Status.ABSTAIN
    assert judgment.code is ReasonCode.MISSING_INPUT
    assert missing in judgment.reasoning
    assert not model.requests


def test_without_an_output_a_judge_abstains() -> None:
    """There is nothing to judge. (contract: judges:P18)"""
    model = ScriptedModel(["PASS"])

    judgment = evaluate(
        ModelBackedJudge("{{output}}", model, PASS_FAIL), JudgmentContext(goal="2 + 2?")
    )

    assert judgment.status is Status.ABSTAIN
    assert not model.requests


@pytest.mark.parametrize("output", ["", " ", ":", "Thought process:", "Solution"])
def test_an_output_that_says_nothing_fails(output: str) -> None:
    """The model is not called, since it might pass it."""
    model = ScriptedModel(["PASS"])

    judgment = evaluate(ModelBackedJudge("{{output}}", model, PASS_FAIL), a_context(output=output))

    assert judgment.status is Status.FAIL
    assert not model.requests


def test_an_output_that_says_nothing_may_be_expected() -> None:
    """Then the model is asked."""
    judge = ModelBackedJudge("{{output}}", ScriptedModel(["PASS"]), PASS_FAIL)

    assert evaluate(judge, a_context(output=":", expected=":")).passed


def test_hollow_outputs_can_be_asked_about() -> None:
    """Whoever judges punctuation can."""
    judge = ModelBackedJudge("{{output}}", ScriptedModel(["PASS"]), PASS_FAIL, hollow="ask")

    assert evaluate(judge, a_context(output=":")).passed


def test_examples_come_before_the_question() -> None:
    """They are shown as turns, with the token of this call."""
    model = ScriptedModel([{"reason": "", "pass": True}])
    example = Example(a_context(output="5"), {"reason": "It is 4.", "pass": False})
    judge = ModelBackedJudge("{{output}}", model, JsonClassifier(), examples=(example,))

    assert evaluate(judge, a_context()).passed
    (request,) = model.requests
    shown = [message.text for message in request.messages]
    assert "\n5\n" in shown[1]
    assert shown[2] == (
        f'{{"token": "verdict-{request.nonce}", "reason": "It is 4.", "pass": false}}'
    )
    assert "\n4\n" in shown[3]


def test_images_go_with_the_question() -> None:
    """They are made of the run."""
    image = ImagePart(b"\x89PNG", "image/png")
    model = ScriptedModel(["PASS"])
    judge = ModelBackedJudge("{{output}}", model, PASS_FAIL, attach=lambda _: [image])

    assert evaluate(judge, a_context()).passed
    assert image in model.requests[0].messages[-1].parts


def test_values_are_words_of_the_task() -> None:
    """They stand in the prompt as they are, outside of the fence."""
    model = ScriptedModel(["PASS"])
    judge = ModelBackedJudge(
        "{{rule}}: {{output}}", model, PASS_FAIL, values={"rule": "Be {{brief}}"}
    )

    assert evaluate(judge, a_context()).passed
    assert model.requests[0].messages[-1].text.startswith("Be {{brief}}: <output-")


def test_a_classifier_is_any_function() -> None:
    """Its ERROR is sent back like a reply that cannot be read."""

    def classify(response: ModelResponse) -> Judgment:
        if response.text == "👍":
            return Judgment.passing("thumbs up")
        return Judgment.erring("no thumb", ReasonCode.UNREADABLE_REPLY)

    judge = ModelBackedJudge("{{output}}", ScriptedModel(["hm", "👍"]), classify)

    assert evaluate(judge, a_context()).reasoning == "thumbs up"


def test_a_sync_model_is_a_model() -> None:
    """Any callable will do."""

    def model(_request: ModelRequest) -> ModelResponse:
        return ModelResponse("pass")

    assert evaluate(ModelBackedJudge("{{output}}", model, PASS_FAIL), a_context()).passed


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"prompt": ""}, ArgumentError, "blank"),
        ({"prompt": 5}, ArgumentTypeError, "PromptTemplate"),
        ({"prompt": PromptTemplate("{{a}}", own=("a",))}, ArgumentError, "no value: a"),
        ({"model": 5}, ArgumentTypeError, "provider|callable"),
        ({"model": "gpt"}, ArgumentError, "provider:model"),
        ({"classifier": "pass"}, ArgumentTypeError, "classifier"),
        ({"reply": "xml"}, ArgumentError, "reply must be"),
        ({"classifier": lambda _: Judgment.passing(), "reply": "json"}, ArgumentError, "schema"),
        ({"hollow": "pass"}, ArgumentError, "hollow must be"),
        ({"repairs": -1}, ArgumentError, "repairs"),
        ({"limit": 0}, ArgumentError, "limit"),
        ({"options": {}}, ArgumentTypeError, "ModelOptions"),
        ({"defence": None}, ArgumentTypeError, "Defence"),
        ({"examples": ("x",)}, ArgumentTypeError, "Example"),
        ({"values": {"x": 1}}, ArgumentTypeError, "values"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    changes: dict[str, Any], error: type[Exception], message: str
) -> None:
    """The judge is not made, and the message names the argument."""
    arguments: dict[str, Any] = {
        "prompt": "{{output}}",
        "model": ScriptedModel(["x"]),
        "classifier": PASS_FAIL,
    }

    with pytest.raises(error, match=message):
        ModelBackedJudge(**{**arguments, **changes})
