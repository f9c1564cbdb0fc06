from __future__ import annotations

from typing import Any

import pytest

from agent_judge import JudgmentContext, Status, ToolCall, Usage
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.usage import CostJudge, ElapsedJudge, StepsJudge, TokensJudge
from agent_judge.judgment import ReasonCode


@pytest.mark.parametrize(
    ("elapsed", "status"), [(0, Status.PASS), (5, Status.PASS), (5.001, Status.FAIL)]
)
def test_a_run_may_take_as_long_as_the_limit(elapsed: float, status: Status) -> None:
    """The limit itself is allowed."""
    assert ElapsedJudge(5)(JudgmentContext(elapsed=elapsed)).status is status


@pytest.mark.parametrize(
    ("cost", "status"), [(0.0, Status.PASS), (0.1, Status.PASS), (0.11, Status.FAIL)]
)
def test_a_run_may_cost_as_much_as_the_limit(cost: float, status: Status) -> None:
    """A reported price of nothing is a price."""
    judgment = CostJudge(0.1)(JudgmentContext(usage=Usage(cost=cost)))

    assert judgment.status is status
    assert judgment.checks[0].message == f"{cost:g} US dollars of at most 0.1"


@pytest.mark.parametrize(
    ("limits", "status"),
    [
        ({"max_total": 30}, Status.PASS),
        ({"max_total": 29}, Status.FAIL),
        ({"max_input": 10, "max_output": 20}, Status.PASS),
        ({"max_input": 10, "max_output": 19}, Status.FAIL),
        ({"max_input": 9}, Status.FAIL),
    ],
)
def test_each_limit_of_tokens_has_a_check(limits: dict[str, int], status: Status) -> None:
    """One that is exceeded is enough to fail."""
    usage = Usage(input_tokens=10, output_tokens=20, total_tokens=30)

    judgment = TokensJudge(**limits)(JudgmentContext(usage=usage))

    assert judgment.status is status
    assert len(judgment.checks) == len(limits)


@pytest.mark.parametrize("judge", [ElapsedJudge(1), CostJudge(1), TokensJudge(max_total=1)])
@pytest.mark.parametrize("usage", [None, Usage()])
def test_what_was_not_reported_is_not_zero(judge: Any, usage: Usage | None) -> None:
    """It is unknown, and so is whether the limit was kept."""
    judgment = judge(JudgmentContext(usage=usage))

    assert judgment.status is Status.ABSTAIN
    assert judgment.code is ReasonCode.MISSING_INPUT


def test_a_total_is_not_derived_from_its_parts() -> None:
    """Nobody reported it."""
    context = JudgmentContext(usage=Usage(input_tokens=1, output_tokens=1))

    assert TokensJudge(max_total=100)(context).status is Status.ABSTAIN


@pytest.mark.parametrize(("spent", "status"), [(10, Status.ABSTAIN), (11, Status.FAIL)])
def test_an_exceeded_limit_fails_whatever_else_is_unknown(spent: int, status: Status) -> None:
    """A limit that was kept is not enough while another is unknown."""
    context = JudgmentContext(usage=Usage(input_tokens=spent))

    judgment = TokensJudge(max_input=10, max_output=10)(context)

    assert judgment.status is status
    assert [check.name for check in judgment.checks] == ["input"]


@pytest.mark.parametrize(
    ("steps", "status"), [(1, Status.PASS), (2, Status.PASS), (3, Status.FAIL)]
)
def test_a_run_may_make_as_many_calls_as_the_limit(steps: int, status: Status) -> None:
    """Each call of a tool is a step."""
    context = JudgmentContext(tool_calls=(ToolCall("a"),) * steps)

    assert StepsJudge(2)(context).status is status


def test_no_recorded_call_is_no_pass_unless_calls_are_recorded() -> None:
    """A context cannot tell no calls from calls that nobody recorded."""
    assert StepsJudge(2)(JudgmentContext()).status is Status.ABSTAIN
    assert StepsJudge(2, no_calls="pass")(JudgmentContext()).passed


@pytest.mark.parametrize(
    ("judge", "options", "error"),
    [
        (ElapsedJudge, {"max_seconds": -1}, ArgumentError),
        (ElapsedJudge, {"max_seconds": float("inf")}, ArgumentError),
        (ElapsedJudge, {"max_seconds": "5"}, ArgumentTypeError),
        (CostJudge, {"max_usd": float("nan")}, ArgumentError),
        (CostJudge, {"max_usd": True}, ArgumentTypeError),
        (TokensJudge, {}, ArgumentError),
        (TokensJudge, {"max_input": -1}, ArgumentError),
        (TokensJudge, {"max_output": 1.5}, ArgumentTypeError),
        (StepsJudge, {"max_steps": -1}, ArgumentError),
        (StepsJudge, {"max_steps": 1.0}, ArgumentTypeError),
        (StepsJudge, {"max_steps": 1, "no_calls": "zero"}, ArgumentError),
    ],
)
def test_what_is_no_limit_is_refused(
    judge: Any, options: dict[str, object], error: type[Exception]
) -> None:
    """Refused when the judge is built, with the argument's name."""
    with pytest.raises(error, match=r"max_|no_calls"):
        judge(**options)
