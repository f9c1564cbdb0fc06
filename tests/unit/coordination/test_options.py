"""What goes beyond the plain loop: early stops, budgets, and what an approval stands up to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge import Judgment, JudgmentContext, Usage
from agent_judge.coordination import (
    Attempt,
    Budget,
    CoordinationResult,
    Decision,
    Feedback,
    JudgeContext,
    JudgeCoordinator,
    JudgeVerdict,
    Oscillation,
    Plateau,
    Produced,
    RepeatedFailure,
    StopReason,
    Unchanged,
    UsageError,
)
from agent_judge.coordination.attempts import best_of
from agent_judge.errors import ArgumentError

APPROVE = JudgeVerdict.approve("ok", 1)


def retry(score: float, *suggestions: str) -> JudgeVerdict:
    """A RETRY."""
    return JudgeVerdict.retry("not yet", score, suggestions)


def tried(*scored: tuple[object, float]) -> list[Attempt[Any]]:
    """Attempts that made outputs and scored."""
    return [
        Attempt(number, retry(score), made=Produced(output))
        for number, (output, score) in enumerate(scored, 1)
    ]


def scripted(*verdicts: JudgeVerdict) -> Any:
    """A policy that gives verdicts from a list."""
    left = [*verdicts]

    def decide(_: str, __: object, ___: JudgeContext) -> JudgeVerdict:
        return left.pop(0)

    return decide


def count(_: str, feedback: Feedback) -> int:
    """An executor that makes the number of its attempt."""
    return feedback.attempt


def run(policy: Any, executor: Any = count, **options: Any) -> CoordinationResult[Any]:
    """Execute a coordinator with many attempts."""
    given: dict[str, Any] = {"max_retries": 9, **options}
    return JudgeCoordinator[Any](policy=policy, executor=executor, **given).execute("agent-1")


@pytest.mark.parametrize(
    ("scores", "stops"),
    [
        ([0.1, 0.2, 0.3], False),
        ([0.3, 0.3, 0.2], True),
        ([0.3, 0.3], False),
        ([0.3, 0.34, 0.33], True),
        ([0.3, 0.2, 0.36], False),
    ],
)
def test_a_plateau_is_no_rise_beyond_the_noise(scores: Sequence[float], stops: bool) -> None:
    """Over as many attempts as patience allows. (contract: loop:F3)"""
    rule = Plateau(patience=2, noise=0.05)

    found = rule(tried(*[(None, score) for score in scores]))

    assert found is (StopReason.PLATEAU if stops else None)


def test_what_failed_is_no_point_of_a_plateau() -> None:
    """A verdict that was made up has no score that counts."""
    made_up: list[Attempt[int]] = [Attempt(n, retry(0).as_synthetic()) for n in range(1, 6)]

    assert Plateau()(made_up) is None


@pytest.mark.parametrize(
    ("outputs", "stops"),
    [(["a", "a"], True), (["a", "b"], False), (["a"], False), (["a", "b", "b"], True)],
)
def test_the_same_output_again_stops(outputs: Sequence[str], stops: bool) -> None:
    """The same would be said of it. (contract: loop:F3)"""
    found = Unchanged()(tried(*[(output, 0.5) for output in outputs]))

    assert found is (StopReason.UNCHANGED if stops else None)


def test_nothing_made_is_not_unchanged() -> None:
    """Two failures are no two equal outputs."""
    assert Unchanged()([Attempt(1, retry(0)), Attempt(2, retry(0))]) is None


@pytest.mark.parametrize(
    ("outputs", "stops"),
    [
        ("abab", True),
        ("abcabc", True),
        ("abc", False),
        ("aaaa", False),
        ("aba", False),
        ("abac", False),
        ("abcabd", False),
    ],
)
def test_going_in_circles_stops(outputs: str, stops: bool) -> None:
    """A, B, A, B; standing still is another thing. (contract: loop:F3)"""
    found = Oscillation()(tried(*[(output, 0.5) for output in outputs]))

    assert found is (StopReason.OSCILLATION if stops else None)


def test_failing_in_the_same_way_stops() -> None:
    """The third time. (contract: loop:F3)"""

    def fail(_: str, __: Feedback) -> str:
        raise ValueError("no such host")

    result = run(scripted(), fail, stop_when=RepeatedFailure(3))

    assert (result.iterations, result.stop_reason) == (3, StopReason.REPEATED_FAILURE)
    assert len(result.verdict_history) == 3


@pytest.mark.parametrize(
    "build",
    [
        lambda: Plateau(patience=0),
        lambda: Plateau(noise=1),
        lambda: Plateau(noise=float("nan")),
        lambda: Unchanged(1),
        lambda: Oscillation(1),
        lambda: RepeatedFailure(1),
        Budget,
        lambda: Budget(tokens=0),
        lambda: Budget(cost=float("nan")),
        lambda: Budget(seconds=True),
    ],
)
def test_wrong_rules_are_refused(build: Any) -> None:
    """Where they are built."""
    with pytest.raises(ArgumentError):
        build()


def test_rules_end_a_loop_in_order() -> None:
    """The first that applies says why."""
    result = run(
        scripted(*[retry(0.5)] * 9),
        lambda _, __: "same",
        stop_when=[Plateau(patience=3), Unchanged(3)],
    )

    assert (result.iterations, result.stop_reason) == (3, StopReason.UNCHANGED)
    assert result.final_verdict.decision is Decision.RETRY


def test_a_budget_of_judge_calls() -> None:
    """No attempt begins that could not be judged. (contract: loop:F3)"""
    result = run(scripted(*[retry(0.5)] * 9), budget=Budget(judge_calls=2))

    assert (result.iterations, result.stop_reason) == (2, StopReason.BUDGET)


def test_a_budget_keeps_back_what_judging_takes() -> None:
    """The dearest judgment so far, or the reserve. (contract: loop:F3)"""
    finding = Judgment.failing("no", usage=Usage(cost=0.4))
    verdicts = [retry(0.5).with_finding(finding)] * 9

    def work(_: str, feedback: Feedback) -> Produced[int]:
        return Produced(feedback.attempt, Usage(cost=0.1))

    result = run(scripted(*verdicts), work, budget=Budget(cost=1.25))
    dear = run(scripted(*verdicts), work, budget=Budget(cost=1.0, reserve=Usage(cost=1.0)))

    assert (result.iterations, result.stop_reason) == (2, StopReason.BUDGET)
    assert dear.iterations == 0
    assert dear.stop_reason is StopReason.BUDGET
    assert not dear.is_approved
    assert dear.output is None


def test_a_budget_of_tokens_needs_to_be_told() -> None:
    """What was not reported is not taken for nothing."""
    with pytest.raises(UsageError, match="did not report"):
        run(scripted(retry(0), retry(0)), budget=Budget(tokens=1000))

    told = Usage(input_tokens=300, output_tokens=300)
    result = run(
        scripted(*[retry(0)] * 9), lambda _, __: Produced("x", told), budget=Budget(tokens=1000)
    )
    assert result.iterations == 2


def test_a_budget_of_seconds() -> None:
    """It adds no verdict, unlike a timeout."""
    now = [0.0]

    def work(_: str, __: Feedback) -> str:
        now[0] += 5
        return "x"

    result = run(scripted(*[retry(0)] * 9), work, budget=Budget(seconds=12), clock=lambda: now[0])

    assert (result.iterations, result.stop_reason) == (3, StopReason.BUDGET)
    assert len(result.verdict_history) == 3


def test_an_approval_near_the_mark_is_asked_again() -> None:
    """Two of three have to approve; a sure one is taken at once."""
    low = JudgeVerdict.approve("just so", 0.7)
    agreed = run(scripted(low, retry(0.6), low), confirm="2of3", confirm_below=0.9)
    refused = run(scripted(low, retry(0.6), retry(0.5), APPROVE), confirm="2of3", confirm_below=0.9)

    assert (agreed.iterations, agreed.attempts[0].judge_calls) == (1, 3)
    assert agreed.final_verdict is low
    assert (refused.iterations, refused.attempts[0].verdict.score) == (2, 0.6)
    assert refused.attempts[1].judge_calls == 1


def test_a_held_out_judge_has_to_agree() -> None:
    """Nothing that it says reaches the worker."""
    told: list[Feedback] = []

    def work(_: str, feedback: Feedback) -> int:
        told.append(feedback)
        return feedback.attempt

    def held_out(context: JudgmentContext) -> Judgment:
        if context.output == 1:
            return Judgment.failing("SECRET criterion")
        return Judgment.passing()

    result = run(scripted(APPROVE, APPROVE), work, confirm_with=held_out)

    assert result.is_approved
    assert result.output == 2
    assert "SECRET" not in repr(told)
    first = result.attempts[0]
    assert first.confirmation is not None
    assert "SECRET" in first.confirmation.reason
    assert first.verdict.score == 0


def test_unconfirmed_on_the_last_attempt_is_rejected() -> None:
    """It does not pass because there is no time left."""
    result = run(scripted(APPROVE), confirm_with=scripted(retry(0.3)), max_retries=1)

    assert result.final_verdict.decision is Decision.REJECT
    assert result.score == 0.3


def test_a_blind_policy_knows_nothing_of_earlier_attempts() -> None:
    """Neither their number nor their verdicts."""
    seen: list[JudgeContext] = []

    def decide(_: str, __: object, context: JudgeContext) -> JudgeVerdict:
        seen.append(context)
        return retry(0.5)

    run(decide, blind=True, max_retries=3)

    assert seen == [JudgeContext.first(3)] * 3


def test_the_winner_is_judged_afresh() -> None:
    """The best of several scores is too high by chance."""
    result = run(scripted(retry(0.8), retry(0.3), retry(0.5)), rejudge=True, max_retries=2)

    assert result.output == 1
    assert result.fresh is not None
    assert result.fresh.score == 0.5
    assert result.score == 0.3


@pytest.mark.parametrize("answer", [None, JudgeVerdict.approve("I looked at it", 0.9)])
def test_a_person_may_have_the_last_word(answer: JudgeVerdict | None) -> None:
    """Asked where nobody approved. (contract: loop:F3)"""
    asked: list[CoordinationResult[Any]] = []

    def escalate(result: CoordinationResult[Any]) -> JudgeVerdict | None:
        asked.append(result)
        return answer

    result = run(scripted(retry(0.2)), max_retries=1, escalate=escalate)

    assert asked[0].stop_reason is StopReason.ATTEMPTS_EXHAUSTED
    assert result.stop_reason is StopReason.ESCALATED
    assert result.is_approved is (answer is not None)
    assert result.output == 1


def test_nobody_is_bothered_with_approved_work() -> None:
    """Escalation is for what was not approved."""
    result = run(scripted(APPROVE), escalate=lambda result: pytest.fail(str(result)))

    assert result.stop_reason is StopReason.APPROVED


VERDICTS = st.lists(
    st.builds(
        JudgeVerdict,
        st.sampled_from(Decision),
        st.just("why"),
        st.floats(0, 1),
        synthetic=st.booleans(),
    ),
    min_size=1,
    max_size=8,
)


@given(VERDICTS, st.integers(1, 8), st.sets(st.integers(1, 8)))
def test_the_laws_of_the_loop(verdicts: list[JudgeVerdict], most: int, failing: set[int]) -> None:
    """However verdicts and failures fall. (contract: loop:F2, loop:H3, loop:H4)"""
    left = verdicts * 8
    calls: list[int] = []

    def work(_: str, feedback: Feedback) -> int:
        calls.append(feedback.attempt)
        if feedback.attempt in failing:
            raise ValueError("no")
        return feedback.attempt

    result = run(scripted(*left), work, max_retries=most)

    assert calls == [*range(1, result.iterations + 1)]
    assert result.iterations <= most
    assert len(result.verdict_history) == result.iterations
    assert result.is_approved is (result.stop_reason is StopReason.APPROVED)
    made = [attempt for attempt in result.attempts if attempt.has_output]
    assert result.has_output is bool(made)
    if result.is_approved:
        assert result.output == result.iterations
    elif real := [attempt for attempt in made if not attempt.verdict.synthetic]:
        top = max(attempt.score for attempt in real)
        assert result.output == next(one.number for one in real if one.score == top)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=6))
def test_best_is_one_of_those_that_made_something(tries: list[tuple[float, bool]]) -> None:
    """Or nothing, where none did."""
    attempts = [
        Attempt(n, retry(score), made=Produced(n) if made else None)
        for n, (score, made) in enumerate(tries, 1)
    ]

    best = best_of(attempts)

    assert (best is None) is not any(made for _, made in tries)
    if best is not None:
        assert best.score == max(score for score, made in tries if made)
