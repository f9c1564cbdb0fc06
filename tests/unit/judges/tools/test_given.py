from __future__ import annotations

from typing import Any

import pytest

from agent_judge import JudgmentContext, NumericalScore, Status, ToolCall
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.tools import ToolArgumentsJudge


def pay(**arguments: Any) -> ToolCall:
    """A call of the tool `pay`."""
    return ToolCall("pay", arguments)


def made(*calls: ToolCall) -> JudgmentContext:
    """A run that made calls."""
    return JudgmentContext(tool_calls=calls)


@pytest.mark.parametrize("calls", [(), (ToolCall("search"),)])
def test_without_a_call_of_the_tool_it_does_not_apply(calls: tuple[ToolCall, ...]) -> None:
    """There are no arguments that could be right: so not 1.0. (contract: cases:C7)"""
    judge = ToolArgumentsJudge("pay", {"amount": 5})

    judgment = judge(made(*calls))

    assert judgment.status is Status.NOT_APPLICABLE
    assert judgment.effective_score is None
    assert judge.metadata.conditional


def test_every_call_of_the_tool_is_compared() -> None:
    """The score is the share that is as expected; each has a check."""
    calls = (pay(amount=5, to="x"), ToolCall("search"), pay(amount=6), pay(amount=5.0))

    judgment = ToolArgumentsJudge("pay", {"amount": 5})(made(*calls))

    assert judgment.status is Status.FAIL
    assert judgment.score == NumericalScore(2 / 3)
    assert [(check.passed, check.message) for check in judgment.checks] == [
        (True, "call 1: as expected"),
        (False, "call 3: amount is 6, expected 5"),
        (True, "call 4: as expected"),
    ]


@pytest.mark.parametrize(
    ("mode", "passed"), [("superset", True), ("exact", False), ("subset", False)]
)
def test_the_mode_says_whether_other_arguments_may_be_given(mode: Any, passed: bool) -> None:
    """By default they may."""
    judge = ToolArgumentsJudge("pay", {"amount": 5}, mode=mode)

    assert judge(made(pay(amount=5, to="x"))).passed is passed


def test_no_argument_may_be_expected() -> None:
    """Then the call has none."""
    judge = ToolArgumentsJudge("pay", {}, mode="exact")

    assert judge(made(pay())).passed
    assert not judge(made(pay(amount=5))).passed


def test_tolerances_comparators_and_thresholds_are_the_judges() -> None:
    """They are handed on as they are."""
    judge = ToolArgumentsJudge(
        "pay",
        {"amount": 10, "to": "X"},
        tolerance={"amount": 1},
        comparators={"to": lambda expected, given: expected == str(given).upper()},
        threshold=0.5,
    )

    judgment = judge(made(pay(amount=9, to="x"), pay(amount=8, to="x")))

    assert judgment.passed
    assert judgment.score == NumericalScore(0.5)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"tool": " "}, ArgumentError),
        ({"tool": None}, ArgumentTypeError),
        ({"expected": {}}, ArgumentError),
        ({"expected": [1]}, ArgumentTypeError),
        ({"mode": "ignore"}, ArgumentError),
        ({"mode": "partial"}, ArgumentError),
        ({"threshold": -1}, ArgumentError),
    ],
)
def test_what_cannot_be_compared_is_refused(
    options: dict[str, Any], error: type[Exception]
) -> None:
    """Refused when the judge is built."""
    given: dict[str, Any] = {"tool": "pay", "expected": {"amount": 5}, **options}
    with pytest.raises(error):
        ToolArgumentsJudge(**given)
