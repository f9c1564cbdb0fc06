from __future__ import annotations

import pytest

from agent_judge import JudgmentContext, Status, evaluate
from agent_judge.errors import ArgumentError
from agent_judge.llm import CorrectnessJudge
from agent_judge.testing import ScriptedModel, a_context

RUN = JudgmentContext(goal="2 + 2?", output="5")


@pytest.mark.parametrize(
    ("label", "status"),
    [("correct", Status.PASS), ("incorrect", Status.FAIL), ("undecided", Status.ABSTAIN)],
)
def test_the_label_is_the_status(label: str, status: Status) -> None:
    """A model may say that it cannot tell."""
    judge = CorrectnessJudge(ScriptedModel([{"reason": "so", "verdict": label}]))

    assert evaluate(judge, a_context()).status is status


def test_a_reference_is_shown_where_there_is_one() -> None:
    """Without one the model works the task out itself."""
    model = ScriptedModel([{"reason": "", "verdict": "incorrect"}] * 2)
    judge = CorrectnessJudge(model)

    evaluate(judge, RUN)
    evaluate(judge, a_context())

    without, with_reference = (request.messages[1].text for request in model.requests)
    assert "Work the task out" in without
    assert "<expected-" in with_reference


def test_a_reference_can_be_required() -> None:
    """Without one the judge abstains, unasked."""
    model = ScriptedModel(["unused"])

    judgment = evaluate(CorrectnessJudge(model, reference="require"), RUN)

    assert judgment.status is Status.ABSTAIN
    assert not model.requests


def test_a_reference_can_be_ignored() -> None:
    """The prompt does not hold it."""
    model = ScriptedModel([{"reason": "", "verdict": "correct"}])

    evaluate(CorrectnessJudge(model, reference="ignore"), a_context(expected="SECRET"))

    assert "SECRET" not in model.requests[0].messages[1].text


def test_another_word_for_the_reference_is_refused() -> None:
    """The message lists what is allowed."""
    with pytest.raises(ArgumentError, match="'use', 'require' or 'ignore'"):
        CorrectnessJudge(ScriptedModel(["x"]), reference="maybe")  # type: ignore[arg-type]
