"""Best of n, the decorator, and the account of a result."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent_judge import Judgment
from agent_judge.coordination import (
    CoordinationResult,
    Feedback,
    JudgeContext,
    JudgeCoordinator,
    JudgeVerdict,
    NotApprovedError,
    chance_of_false_approval,
    judged,
)
from agent_judge.errors import ArgumentError


def by_score(_: str, output: float, __: JudgeContext) -> JudgeVerdict:
    """Approve from 0.8 up."""
    if output >= 0.8:
        return JudgeVerdict.approve("good", output)
    return JudgeVerdict.retry("bad", output)


def numbered(*outputs: float) -> Any:
    """An executor that makes one output after the other."""
    left = [*outputs]

    async def work(_: str, __: Feedback) -> float:
        await asyncio.sleep(0)
        return left.pop(0)

    return work


def run(executor: Any, **options: Any) -> CoordinationResult[Any]:
    """Execute a coordinator of one attempt with three candidates."""
    given: dict[str, Any] = {"candidates": 3, "max_retries": 1, **options}
    return JudgeCoordinator[Any](policy=by_score, executor=executor, **given).execute("agent-1")


def test_the_first_candidate_that_is_approved_wins() -> None:
    """The others are cancelled and awaited."""
    cleaned: list[int] = []
    calls = 0

    async def work(_: str, __: Feedback) -> float:
        nonlocal calls
        calls += 1
        number = calls
        if number == 2:
            return 0.9
        try:
            await asyncio.Event().wait()
        finally:
            cleaned.append(number)
        return 0.0

    result = run(work)

    assert result.output == 0.9
    assert sorted(cleaned) == [1, 3]
    assert [one.output for one in result.attempts[0].candidates] == [0.9]


def test_the_best_candidate_wins_when_all_are_there() -> None:
    """By the score of its verdict."""
    result = run(numbered(0.85, 0.95, 0.9), choose="best")

    assert result.output == 0.95
    assert len(result.attempts[0].candidates) == 3
    assert result.attempts[0].judge_calls == 3


def test_where_none_is_approved_the_best_one_is_kept() -> None:
    """And its feedback is the next attempt's."""
    assert run(numbered(0.1, 0.5, 0.3)).output == 0.5


def test_a_candidate_that_fails_does_not_disturb_the_others() -> None:
    """Where all fail, the attempt failed."""
    calls = 0

    def work(_: str, __: Feedback) -> float:
        nonlocal calls
        calls += 1
        raise ValueError("no")

    result = run(work)

    assert calls == 3
    assert not result.has_output
    assert "ValueError" in result.final_verdict.reason


@pytest.mark.parametrize("options", [{"candidates": 0}, {"candidates": 2.0}, {"choose": "last"}])
def test_wrong_numbers_of_candidates_are_refused(options: dict[str, Any]) -> None:
    """Where the coordinator is built."""
    with pytest.raises(ArgumentError):
        run(numbered(1), **options)


def test_a_decorated_function_returns_what_was_approved() -> None:
    """It hears the feedback, and its caller sees an ordinary function."""

    @judged(by_score)
    def work(base: float, *, feedback: Feedback = Feedback()) -> float:  # noqa: B008 - it cannot change
        """Work."""
        return base + 0.3 * feedback.attempt

    assert work(0.2) == pytest.approx(0.8)
    assert (work.__name__, work.__doc__) == ("work", "Work.")


def test_a_decorated_function_need_not_hear() -> None:
    """It is called again all the same; what nobody approved is not returned."""
    calls: list[int] = []

    @judged(lambda _: Judgment.failing("never"), max_retries=2)
    def work() -> int:
        calls.append(1)
        return 1

    with pytest.raises(NotApprovedError, match="never") as refused:
        work()
    assert len(calls) == 2
    assert refused.value.result.output == 1


def test_a_decorated_coroutine_function_stays_one() -> None:
    """It is awaited."""

    @judged(by_score)
    async def work() -> float:
        await asyncio.sleep(0)
        return 0.9

    assert asyncio.run(work()) == 0.9


def test_the_account_of_a_loop() -> None:
    """A line for each attempt, and how likely a false approval was."""
    outputs = [0.2, 0.4, 0.9]

    def work(_: str, feedback: Feedback) -> float:
        if feedback.attempt == 2:
            raise ValueError("broken\npipe")
        return outputs[feedback.attempt - 1]

    result = JudgeCoordinator[float](policy=by_score, executor=work).execute("agent-1")
    lines = result.report(false_pass_rate=0.2).splitlines()

    assert lines[0].startswith("agent-1: approved after 3 attempts, ")
    assert lines[1:4] == [
        "  1. RETRY 0.20  bad",
        "  2. RETRY 0.00, made up  the attempt failed: ValueError: broken pipe",
        "  3. APPROVE 0.90, kept  good",
    ]
    assert "36.0%" in lines[4]
    assert "probability" not in result.report()


@pytest.mark.parametrize("arguments", [(1.1, 1), (-0.1, 1), (0.5, -1), (0.5, 1, 2.0), ("1", 1)])
def test_rates_lie_in_the_unit_interval(arguments: tuple[Any, ...]) -> None:
    """And attempts are counted."""
    with pytest.raises(ArgumentError):
        chance_of_false_approval(*arguments)


def test_certain_and_impossible_approvals() -> None:
    """The ends of the formula."""
    assert chance_of_false_approval(0, 9) == 0
    assert chance_of_false_approval(1, 1) == 1
    assert chance_of_false_approval(0.5, 0) == 0
