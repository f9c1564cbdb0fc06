from __future__ import annotations

import copy
import math
import pickle
from typing import Any

import pytest

from agent_judge import Judgment
from agent_judge.coordination import Decision, Feedback, JudgeContext, JudgeVerdict
from agent_judge.errors import ArgumentError, ArgumentTypeError

RETRY = JudgeVerdict.retry("no", 0.5, ["a", "b"])


@pytest.mark.parametrize("score", [-0.01, 1.01, math.nan, math.inf])
def test_a_score_lies_between_0_and_1(score: float) -> None:
    """Anything else is refused where the verdict is built. (contract: loop:J1)"""
    for build in (JudgeVerdict.approve, JudgeVerdict.retry, JudgeVerdict.reject):
        with pytest.raises(ArgumentError, match="between 0 and 1"):
            build("x", score)


@pytest.mark.parametrize(
    "arguments",
    [
        {"decision": "approve"},
        {"reason": 3},
        {"score": "0.5"},
        {"score": True},
        {"suggestions": "one string"},
        {"suggestions": 3},
        {"suggestions": ["a", 3]},
        {"synthetic": 1},
        {"finding": "PASS"},
    ],
)
def test_a_verdict_of_wrong_types_is_refused(arguments: dict[str, Any]) -> None:
    """Nothing is converted in silence."""
    build: Any = JudgeVerdict
    with pytest.raises(ArgumentTypeError):
        build(**{"decision": Decision.RETRY, "reason": "no", "score": 0.5, **arguments})


def test_a_single_string_is_no_list_of_suggestions() -> None:
    """It would become one suggestion a letter."""
    with pytest.raises(ArgumentTypeError, match="sequence of strings"):
        JudgeVerdict.retry("no", 0.5, "fix it")


def test_the_factories_state_the_decision() -> None:
    """And only APPROVE is approved, whatever the score."""
    assert JudgeVerdict.approve("ok", 0).is_approved
    assert RETRY.decision is Decision.RETRY
    assert not JudgeVerdict.retry("no", 1).is_approved
    assert JudgeVerdict.reject("no", 0.2, ["a"]).suggestions == ("a",)


def test_a_verdict_keeps_what_was_found() -> None:
    """Beside it, and marked where it is made up."""
    found = RETRY.with_finding(Judgment.failing("no")).as_synthetic()

    assert found.synthetic
    assert found.finding == Judgment.failing("no")
    assert pickle.loads(pickle.dumps(found)) == copy.deepcopy(found) == found


def test_the_last_iteration_is_final() -> None:
    """So is one above the maximum. (contract: loop:J2)"""
    assert JudgeContext.first(1).is_final_iteration
    assert JudgeContext(4, 3).is_final_iteration
    assert not JudgeContext(2, 3).is_final_iteration


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((0, 3), ArgumentError),
        ((1, 0), ArgumentError),
        ((1.0, 3), ArgumentTypeError),
        ((True, 3), ArgumentTypeError),
        ((1, 3, "x"), ArgumentTypeError),
        ((1, 3, ["x"]), ArgumentTypeError),
        ((1, 3, (), -1.0), ArgumentError),
        ((1, 3, (), math.nan), ArgumentError),
        ((1, 3, (), "1"), ArgumentTypeError),
    ],
)
def test_a_wrong_context_is_refused(arguments: tuple[Any, ...], error: type[Exception]) -> None:
    """Where it is built."""
    with pytest.raises(error):
        JudgeContext(*arguments)


def test_feedback_tells_a_first_call_from_a_retry() -> None:
    """Also where nobody had a suggestion. (contract: loop:C3)"""
    retried = Feedback.after(JudgeVerdict.retry("no", 0.1), 2)

    assert len(Feedback.first()) == len(retried) == 0
    assert (Feedback.first().is_retry, Feedback.first().attempt) == (False, 1)
    assert (retried.is_retry, retried.attempt) == (True, 2)
    assert retried.verdict is not None
    assert retried.verdict.reason == "no"


def test_feedback_survives_a_copy() -> None:
    """With all that it says."""
    feedback = Feedback.after(RETRY, 3)

    for again in (pickle.loads(pickle.dumps(feedback)), copy.copy(feedback)):
        assert (again, again.attempt, again.verdict) == (("a", "b"), 3, RETRY)
