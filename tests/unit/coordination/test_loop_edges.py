"""What tries to break the loop: odd exceptions, odd values, wrong options, and what they cost."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge import Cost, Judgment, JudgmentContext, Jury, Majority, Usage, judge
from agent_judge.coordination import (
    Attempt,
    Budget,
    CoordinationResult,
    Decision,
    Feedback,
    Journal,
    JournalError,
    JudgeContext,
    JudgeCoordinator,
    JudgeVerdict,
    Oscillation,
    Plateau,
    PolicyContractError,
    Produced,
    RepeatedFailure,
    StopReason,
    Unchanged,
    UsageError,
    judged,
)
from agent_judge.coordination.workspaces import Keeping
from agent_judge.engine import tasks
from agent_judge.errors import ArgumentError, ArgumentTypeError

APPROVE = JudgeVerdict.approve("ok", 1)
REFUSE = JudgeVerdict.retry("not yet", 0.5)


def always(verdict: Any) -> Any:
    """A policy of one answer."""
    return lambda _, __, ___: verdict


def in_turn(*verdicts: Any) -> Any:
    """A policy that answers in turn."""
    left = iter(verdicts)

    def decide(_: str, __: object, ___: JudgeContext) -> Any:
        return next(left)

    return decide


def number(_: str, feedback: Feedback) -> int:
    """An executor that makes the number of its attempt."""
    return feedback.attempt


def raising(raised: BaseException) -> Any:
    """A function of anything that raises."""

    def fail(*_: object) -> Any:
        raise raised

    return fail


def run(policy: Any, executor: Any = number, **options: Any) -> CoordinationResult[Any]:
    """Execute a coordinator."""
    return JudgeCoordinator[Any](policy=policy, executor=executor, **options).execute("agent-1")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"stop_when": 3}, ArgumentTypeError),
        ({"stop_when": "plateau"}, ArgumentTypeError),
        ({"observers": [print, None]}, ArgumentTypeError),
        ({"escalate": "me@example.org"}, ArgumentTypeError),
        ({"clock": 1.0}, ArgumentTypeError),
        ({"workspace": "folder"}, ArgumentTypeError),
        ({"journal": "folder"}, ArgumentTypeError),
        ({"keeping": "keep"}, ArgumentTypeError),
        ({"keeping": None}, ArgumentTypeError),
        ({"interrupt": 1}, ArgumentTypeError),
        ({"rejudge": "yes"}, ArgumentTypeError),
        ({"interrupt": True}, ArgumentError),
        ({"keeping": Keeping.RESET_ON_FAIL}, ArgumentError),
        ({"confirm_below": 0.9}, ArgumentError),
        ({"confirm": "2of3", "confirm_below": 1.5}, ArgumentError),
        ({"confirm": "\N{ARABIC-INDIC DIGIT TWO}of\N{ARABIC-INDIC DIGIT THREE}"}, ArgumentError),
        ({"confirm_with": 3}, ArgumentTypeError),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(
    options: dict[str, Any], error: type[Exception]
) -> None:
    """Where the coordinator is built, and not in the middle of a run. (contract: loop:A1)"""
    with pytest.raises(error):
        JudgeCoordinator[Any](policy=always(APPROVE), executor=number, **options)


@pytest.mark.parametrize(
    "executor", [lambda _: 1, lambda _, __, ___: 1, lambda _, *, feedback: feedback, lambda: 1]
)
def test_an_executor_of_other_arguments_is_refused(executor: Any) -> None:
    """It would fail in every attempt, and no agent could mend that. (contract: loop:A1)"""
    with pytest.raises(ArgumentTypeError, match="agent_id, feedback"):
        JudgeCoordinator[Any](policy=always(APPROVE), executor=executor)


@pytest.mark.parametrize("is_async", [False, True])
def test_an_executor_that_runs_out_of_things_is_one_that_failed(is_async: bool) -> None:
    """No coroutine lets `StopIteration` through, and the attempt has it. (contract: loop:D7)"""
    left: Iterator[int] = iter(())

    def work(_: str, __: Feedback) -> int:
        return next(left)

    async def awork(_: str, __: Feedback) -> int:
        return next(left)

    result = run(always(APPROVE), awork if is_async else work, max_retries=1)

    assert type(result.attempts[0].error) is StopIteration
    assert result.final_verdict.suggestions == ("Fix execution error: StopIteration",)


def test_an_exception_with_a_cause_stays_what_it_is() -> None:
    """Only what a coroutine makes of a `StopIteration` is undone. (contract: loop:D7)"""

    def work(_: str, __: Feedback) -> int:
        raise RuntimeError("nothing left to try") from StopIteration()

    result = run(always(APPROVE), work, max_retries=1)

    assert result.final_verdict.suggestions == ("Fix execution error: nothing left to try",)


@dataclass(frozen=True)
class SealedError(Exception):
    """An exception that refuses to be changed."""

    why: str


class OwnResultError(Exception):
    """An exception with a `partial_result` of its own."""

    @property
    def partial_result(self) -> str:
        """Its own."""
        return "mine"


def test_an_exception_that_cannot_be_changed_carries_the_result_all_the_same() -> None:
    """The policy's own exception leaves, and no other. (contract: loop:E1)"""
    with pytest.raises(SealedError) as left:
        run(raising(SealedError("no model")))

    assert left.value.partial_result.unjudged.output == 1  # type: ignore[attr-defined]


def test_an_exception_keeps_what_it_calls_its_own_partial_result() -> None:
    """It leaves as it is. (contract: loop:E1)"""
    with pytest.raises(OwnResultError) as left:
        run(raising(OwnResultError()))

    assert left.value.partial_result == "mine"


def test_an_exception_that_is_raised_again_carries_the_later_run() -> None:
    """Not what there was in an earlier one. (contract: loop:E1)"""
    raised = RuntimeError("no model")

    for output in ("first", "second"):
        with pytest.raises(RuntimeError) as left:
            run(raising(raised), lambda *_, made=output: made)
        assert left.value.partial_result.unjudged.output == output  # type: ignore[attr-defined]


class Awkward:
    """A value that cannot say whether it equals another, as an array cannot."""

    def __eq__(self, other: object) -> Any:
        """Say nothing."""
        return Awkward()

    def __bool__(self) -> bool:
        """Refuse."""
        raise ValueError("ambiguous")

    __hash__ = None  # type: ignore[assignment]


def test_outputs_that_cannot_be_compared_are_not_the_same() -> None:
    """The loop goes on."""
    attempts = [Attempt(n, REFUSE, made=Produced(Awkward())) for n in (1, 2)]

    assert Unchanged()(attempts) is None


def test_failures_go_round_in_no_circle() -> None:
    """What made nothing is not the same as what made something."""
    made = [None, Produced("a"), None, Produced("a")]
    attempts: list[Attempt[Any]] = [Attempt(n, REFUSE, made=one) for n, one in enumerate(made, 1)]

    assert Oscillation()(attempts) is None
    assert attempts[0].output is None


def test_the_same_words_about_another_workspace_are_not_the_same() -> None:
    """What an agent says it did counts less than what it left."""

    def left(*snapshots: str) -> list[Attempt[Any]]:
        return [
            Attempt(n, REFUSE, made=Produced("done"), snapshot=one)
            for n, one in enumerate(snapshots, 1)
        ]

    assert Unchanged()(left("x", "y")) is None
    assert Unchanged()(left("x", "x")) is StopReason.UNCHANGED


def test_how_long_a_run_took_makes_it_no_other() -> None:
    """Runs are compared by what they came to."""

    def ran(output: str, elapsed: float) -> Produced[JudgmentContext]:
        return Produced(JudgmentContext(output=output, elapsed=elapsed))

    same = [Attempt(n, REFUSE, made=ran("x", n)) for n in (1, 2)]
    other = [Attempt(n, REFUSE, made=ran(f"x{n}", 1)) for n in (1, 2)]

    assert Unchanged()(same) is StopReason.UNCHANGED
    assert Unchanged()(other) is None


def test_the_same_words_with_a_rising_score_are_no_standstill() -> None:
    """A policy may have one sentence for everything."""

    def scored(*scores: float) -> list[Attempt[Any]]:
        return [Attempt(n, JudgeVerdict.retry("no", s)) for n, s in enumerate(scores, 1)]

    assert RepeatedFailure(3)(scored(0.1, 0.2, 0.3)) is None
    assert RepeatedFailure(3)(scored(0.3, 0.3, 0.3)) is StopReason.REPEATED_FAILURE
    assert RepeatedFailure(3)(scored(0.3, 0.1, 0.2)) is StopReason.REPEATED_FAILURE


@pytest.mark.parametrize(
    "said", [True, "plateau", StopReason.APPROVED, StopReason.CANCELLED, StopReason.POLICY_FAILED]
)
def test_a_rule_cannot_say_what_only_the_loop_knows(said: object) -> None:
    """A run that stopped as APPROVED was approved. (contract: loop:F3)"""

    def rule(_: Sequence[Attempt[Any]]) -> Any:
        return said

    with pytest.raises(PolicyContractError, match="rule"):
        run(always(REFUSE), stop_when=rule)


def test_every_approval_is_asked_about_again_where_it_is_to_be_confirmed() -> None:
    """A judge without a score approves with 1, which is near no mark."""
    sure = run(in_turn(APPROVE, REFUSE, REFUSE, APPROVE, APPROVE), confirm="2of3")

    assert [one.judge_calls for one in sure.attempts] == [3, 2]
    assert sure.is_approved


def test_an_approval_at_the_bar_is_taken_at_once() -> None:
    """Only one that scores less is asked about again."""
    at, below = JudgeVerdict.approve("ok", 0.7), JudgeVerdict.approve("ok", 0.69)

    assert run(always(at), confirm="2of3", confirm_below=0.7).attempts[0].judge_calls == 1
    assert run(always(below), confirm="2of3", confirm_below=0.7).attempts[0].judge_calls == 2


def test_a_worker_hears_what_was_decided_about_the_last_two_attempts() -> None:
    """As it was decided, score and all. (contract: loop:C3)"""
    told: list[Feedback] = []
    verdicts = [JudgeVerdict.retry("no", score) for score in (0.1, 0.2, 0.3)]

    def work(_: str, feedback: Feedback) -> int:
        told.append(feedback)
        return feedback.attempt

    run(in_turn(*verdicts), work)

    assert [one.verdict for one in told] == [None, *verdicts[:2]]
    assert [one.before for one in told] == [None, None, verdicts[0]]


def test_a_worker_hears_nothing_of_the_held_out_score() -> None:
    """It could climb by it; that the attempt was not confirmed is all it is told."""
    told: list[Feedback] = []

    def work(_: str, feedback: Feedback) -> int:
        told.append(feedback)
        return feedback.attempt

    run(always(APPROVE), work, confirm_with=always(JudgeVerdict.retry("SECRET", 0.73)))

    heard = told[1].verdict
    assert heard is not None
    assert (heard.score, heard.synthetic) == (0.0, True)
    assert "SECRET" not in repr(told)
    assert "0.73" not in repr(told)


@pytest.mark.parametrize(
    ("approval", "confirmation"),
    [
        (APPROVE, JudgeVerdict.retry("unreadable", 0.5).as_synthetic()),
        (JudgeVerdict.approve("no score", 0.5).as_synthetic(), JudgeVerdict.retry("no", 0.6)),
    ],
)
def test_a_score_that_was_made_up_stays_one(
    approval: JudgeVerdict, confirmation: JudgeVerdict
) -> None:
    """Of the policy and of a held-out judge, which left open is not approved."""
    result = run(
        in_turn(approval, JudgeVerdict.retry("no", 0.2)),
        confirm_with=always(confirmation),
        max_retries=2,
    )

    assert result.attempts[0].verdict.synthetic
    assert result.output == 2


def test_a_policy_does_not_confirm_itself() -> None:
    """It is not held out."""
    policy = always(APPROVE)

    with pytest.raises(ArgumentError, match="held-out"):
        run(policy, confirm_with=policy)


def test_a_run_does_not_go_on_with_another_held_out_judge(tmp_path: Path) -> None:
    """What decides is more than the policy."""

    def other(_: JudgmentContext) -> Judgment:
        return Judgment.passing()

    def begun(confirm_with: Any) -> JudgeCoordinator[Any]:
        return JudgeCoordinator[Any](
            policy=always(REFUSE),
            executor=number,
            confirm_with=confirm_with,
            journal=Journal(tmp_path),
        )

    begun(always(APPROVE)).execute("agent-1", run_id="run")

    with pytest.raises(JournalError, match="criteria"):
        begun(other).resume("run")
    assert begun(always(APPROVE)).resume("run").iterations == 3


def finding(cost: float) -> Judgment:
    """What a judge found that asked a model."""
    return Judgment.failing("no", usage=Usage(input_tokens=5, output_tokens=5, cost=cost))


def test_a_budget_counts_every_answer_of_every_judge() -> None:
    """Those that confirm and those that are held out as well. (contract: loop:F3)"""
    approve = APPROVE.with_finding(finding(0.1))
    held_out = JudgeVerdict.retry("no", 0.2).with_finding(finding(0.2))

    result = run(
        always(approve),
        lambda _, __: Produced(1, Usage(cost=0.1)),
        confirm="2of2",
        confirm_with=always(held_out),
        budget=Budget(cost=1.0),
        max_retries=9,
    )

    used = result.attempts[0].judge_usage
    assert used is not None
    assert used.cost == pytest.approx(0.4)
    assert used.total_tokens == 30
    assert (result.iterations, result.stop_reason) == (2, StopReason.BUDGET)


def test_a_judge_that_does_not_say_what_it_consumed_is_no_free_judge() -> None:
    """A limit on money that nobody can watch is a mistake. (contract: loop:D8)"""

    @judge(cost=Cost.MODEL)
    def secretive(_: JudgmentContext) -> Judgment:
        return Judgment.failing("no")

    called = REFUSE.with_finding(Judgment.failing("no", usage=Usage(calls=1)))

    for policy in (always(called), Jury([secretive], Majority())):
        with pytest.raises(UsageError, match="the judge did not report it"):
            run(policy, lambda _, __: Produced(1, Usage(cost=0.1)), budget=Budget(cost=1.0))


class PaidError(Exception):
    """A failure that cost something."""

    usage = Usage(cost=0.6)


class OddError(Exception):
    """A failure that says something else of what it used."""

    usage = "plenty"


def test_what_a_failed_attempt_says_it_consumed_is_counted() -> None:
    """What is no `Usage` says nothing, and neither does an exception without one."""
    paid = run(always(APPROVE), raising(PaidError()), budget=Budget(cost=1.0), max_retries=9)
    odd = run(always(APPROVE), raising(OddError()), budget=Budget(cost=1.0), max_retries=9)

    assert (paid.iterations, paid.stop_reason) == (2, StopReason.BUDGET)
    assert odd.iterations == 9


def test_a_budget_counts_every_candidate() -> None:
    """Also those that were not taken; one that does not report is not free. (contract: loop:F3)"""
    costs = itertools.cycle([Usage(cost=0.1), Usage(cost=0.2), None])

    async def work(_: str, __: Feedback) -> Produced[int]:
        return Produced(1, next(costs))

    options: dict[str, Any] = {"choose": "best", "budget": Budget(cost=0.5), "max_retries": 9}
    with pytest.raises(UsageError, match="executor did not report"):
        run(always(REFUSE), work, candidates=3, **options)

    def paid(_: str, __: Feedback) -> Produced[int]:
        return Produced(1, Usage(cost=0.1))

    assert run(always(REFUSE), paid, candidates=2, **options).iterations == 3


def test_what_judging_the_candidates_consumed_is_that_of_all() -> None:
    """It is unknown where one judge did not report it."""
    asked = itertools.count()

    async def decide(_: str, __: int, ___: JudgeContext) -> JudgeVerdict:
        return REFUSE.with_finding(finding(0.1))

    async def odd(_: str, __: int, ___: JudgeContext) -> JudgeVerdict:
        judgment = Judgment.failing("no", usage=Usage(calls=1) if next(asked) else Usage(cost=0.1))
        return REFUSE.with_finding(judgment)

    known = run(decide, candidates=2, max_retries=1).attempts[0].judge_usage
    unknown = run(odd, candidates=2, max_retries=1).attempts[0].judge_usage

    assert known is not None
    assert known.cost == pytest.approx(0.2)
    assert unknown is not None
    assert unknown.cost is None


def test_the_best_candidate_is_waited_for() -> None:
    """Also where another one was approved before it ended."""
    numbers = itertools.count()

    async def work(_: str, __: Feedback) -> float:
        late = next(numbers)
        for _turn in range(20 * late):
            await asyncio.sleep(0)
        return 0.85 + 0.1 * late

    def decide(_: str, output: float, __: JudgeContext) -> JudgeVerdict:
        return JudgeVerdict.approve("good", output)

    assert run(decide, work, candidates=2, choose="best").output == 0.95


def test_a_budget_counts_what_an_earlier_process_consumed(tmp_path: Path) -> None:
    """Of agents that failed and of judges as well. (contract: loop:F3)"""

    def work(_: str, feedback: Feedback) -> Produced[int]:
        if feedback.attempt == 1:
            raise PaidError("dear")
        return Produced(1, Usage(cost=0.1))

    def decide(_: str, __: int, context: JudgeContext) -> JudgeVerdict:
        if context.iteration == 3 and not journal.read("run").ended:
            raise RuntimeError("no model")
        return REFUSE.with_finding(finding(0.4))

    journal = Journal(tmp_path)
    coordinator = JudgeCoordinator(
        policy=decide, executor=work, journal=journal, budget=Budget(cost=2.0), max_retries=9
    )
    with pytest.raises(RuntimeError):
        coordinator.execute("agent-1", run_id="run")

    resumed = coordinator.resume("run")

    assert (resumed.iterations, resumed.stop_reason) == (3, StopReason.BUDGET)
    assert sum(one.judge_usage.cost or 0 for one in resumed.attempts if one.judge_usage) == 0.8


@pytest.mark.parametrize(
    ("options", "limit", "attempts"),
    [
        ({}, 3, 3),
        ({"confirm": "2of3"}, 2, 0),
        ({"confirm": "2of3"}, 4, 2),
        ({"confirm_with": always(REFUSE)}, 1, 0),
        ({"candidates": 3}, 5, 1),
        ({"rejudge": True}, 1, 0),
        ({"rejudge": True}, 3, 2),
    ],
)
def test_the_limit_of_judge_calls_is_never_passed(
    options: dict[str, Any], limit: int, attempts: int
) -> None:
    """No attempt begins that could not be judged to the end. (contract: loop:F3)"""
    calls = 0

    def decide(*_: object) -> JudgeVerdict:
        nonlocal calls
        calls += 1
        return REFUSE

    result = run(decide, budget=Budget(judge_calls=limit), max_retries=9, **options)

    assert result.iterations == attempts
    assert calls <= limit
    assert result.stop_reason is StopReason.BUDGET


def test_a_loop_that_cannot_afford_one_attempt_says_so() -> None:
    """There is a last word, and nobody judged. (contract: loop:F3)"""
    result = run(always(APPROVE), budget=Budget(cost=1.0, reserve=Usage(cost=2.0)))

    assert (result.iterations, len(result.verdict_history)) == (0, 1)
    assert result.final_verdict.synthetic
    assert result.final_verdict.decision is Decision.REJECT
    assert "budget" in result.report()


def test_a_person_cannot_approve_what_is_not_there() -> None:
    """Nothing passes that was not examined."""
    with pytest.raises(UsageError, match="no attempt made anything"):
        run(always(APPROVE), raising(ValueError()), escalate=lambda _: APPROVE)


class Unshowable:
    """A value that cannot show itself."""

    def __repr__(self) -> str:
        """Refuse."""
        raise ValueError("no")


def test_an_answer_that_cannot_show_itself_is_refused_all_the_same() -> None:
    """By its type. (contract: loop:B5)"""
    with pytest.raises(PolicyContractError, match="Unshowable"):
        run(always(Unshowable()))


def test_a_person_gives_a_verdict_or_none() -> None:
    """Yes is neither."""
    with pytest.raises(PolicyContractError, match="escalate"):
        run(always(REFUSE), escalate=lambda _: True)


def test_a_person_who_leaves_it_open_does_not_hide_the_timeout() -> None:
    """Its verdict stays in the history. (contract: loop:G1)"""
    now = [0.0]

    def slow(_: str, __: Feedback) -> str:
        now[0] += 40
        return "x"

    result = run(always(REFUSE), slow, timeout=30, clock=lambda: now[0], escalate=lambda _: None)

    assert result.final_verdict.reason.startswith("Timed out after")
    assert result.stop_reason is StopReason.ESCALATED


def test_a_person_who_thinks_does_not_block_the_event_loop() -> None:
    """A plain function is asked in a thread there."""
    seen: list[int] = []

    def ask(_: object) -> None:
        seen.append(threading.get_ident())

    coordinator = JudgeCoordinator(policy=always(REFUSE), executor=number, escalate=ask)
    asyncio.run(coordinator.aexecute("agent-1"))

    assert seen != [threading.get_ident()]


def test_a_coroutine_that_will_not_be_cancelled_is_left_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The attempt says so, as it does of a thread. (contract: loop:G4)"""
    monkeypatch.setattr(tasks, "GRACE", 0.01)

    async def main() -> CoordinationResult[Any]:
        release = asyncio.Event()

        async def stubborn(_: str, __: Feedback) -> str:
            while not release.is_set():
                try:
                    await release.wait()
                except asyncio.CancelledError:
                    continue
            return "late"

        coordinator = JudgeCoordinator[Any](
            policy=always(APPROVE), executor=stubborn, max_retries=1, attempt_timeout=0.01
        )
        result = await coordinator.aexecute("agent-1")
        release.set()
        return result

    result = asyncio.run(main())

    assert result.attempts[0].abandoned
    assert not result.has_output


@pytest.mark.parametrize(
    "raised", [asyncio.CancelledError(), KeyboardInterrupt(), SystemExit(3), GeneratorExit()]
)
@pytest.mark.parametrize("options", [{"candidates": 2}, {"attempt_timeout": 60}])
def test_what_ends_the_program_leaves_tasks_as_well(
    raised: BaseException, options: dict[str, Any]
) -> None:
    """From candidates and under a deadline, through both doors. (contract: loop:D6)"""

    async def work(_: str, __: Feedback) -> str:
        await asyncio.sleep(0)
        raise raised

    coordinator = JudgeCoordinator(policy=always(APPROVE), executor=work, **options)

    with pytest.raises(type(raised)) as left:
        coordinator.execute("agent-1")
    assert left.value.partial_result.stop_reason is StopReason.CANCELLED  # type: ignore[attr-defined]


async def in_time(_: str, feedback: Feedback) -> int:
    """Make a number."""
    return feedback.attempt


async def too_late(_: str, __: Feedback) -> int:
    """Never end."""
    await asyncio.Event().wait()
    return 0


@pytest.mark.parametrize(
    ("executor", "options"),
    [
        (number, {}),
        (in_time, {"attempt_timeout": 60}),
        (raising(ValueError("no")), {}),
        (too_late, {"attempt_timeout": 0.001}),
    ],
)
def test_the_seconds_of_attempts_are_part_of_those_of_the_loop(
    executor: Any, options: dict[str, Any]
) -> None:
    """Whatever became of them."""
    result = run(always(REFUSE), executor, **options)

    taken = [seconds for one in result.attempts for seconds in (one.elapsed, one.judging)]
    assert min(taken) >= 0
    assert sum(taken) <= result.duration


def test_a_report_cannot_rewrite_the_terminal_it_is_shown_on() -> None:
    """Reasons are made of what hostile work printed."""
    result = run(always(JudgeVerdict.reject("\x1b[2Jall \u202etests passed", 0)), max_retries=1)

    report = result.report()
    assert "\x1b" not in report
    assert "\u202e" not in report
    assert "not approved after 1 attempt (attempts_exhausted), " in report


def test_a_result_can_be_kept() -> None:
    """It is a value: frozen, and equal to another that says the same."""
    result = run(in_turn(REFUSE, APPROVE))

    assert result == run(in_turn(REFUSE, APPROVE))
    with pytest.raises(AttributeError):
        result.closing = APPROVE  # type: ignore[misc]


def test_a_loop_in_a_loop() -> None:
    """An executor may run a loop of its own, and a policy as well. (contract: loop:A2)"""

    async def work(_: str, feedback: Feedback) -> int:
        inner = JudgeCoordinator(policy=in_turn(REFUSE, APPROVE), executor=number)
        return (await inner.aexecute("inner")).unwrap() * feedback.attempt

    def decide(_: str, output: int, __: JudgeContext) -> JudgeVerdict:
        inner = JudgeCoordinator(policy=always(APPROVE), executor=work)
        return APPROVE if output == inner.execute("inner").unwrap() * 2 else REFUSE

    assert run(decide, work).output == 4


@pytest.mark.parametrize(
    "executor",
    [
        partial(lambda extra, _, feedback: feedback.attempt + extra, 0),
        type("Worker", (), {"__call__": lambda *given: given[2].attempt})(),
        lambda *arguments: arguments[1].attempt,
    ],
)
def test_an_executor_of_any_shape(executor: Any) -> None:
    """Whatever can be called with two arguments. (contract: loop:A3)"""
    assert run(always(APPROVE), executor).output == 1


def test_wrong_arguments_of_a_decorated_function_are_the_callers_mistake() -> None:
    """They raise at once, and are no attempts. (contract: loop:D8)"""
    calls: list[int] = []

    @judged(always(APPROVE))
    def work(count: int, feedback: Feedback = Feedback()) -> int:  # noqa: B008 - it cannot change
        calls.append(count)
        return count

    with pytest.raises(TypeError, match="count"):
        work()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="feedback"):
        work(1, feedback=Feedback())
    assert not calls
    assert work(1) == 1


def test_a_decorator_refuses_what_could_not_work() -> None:
    """Where the function is defined, and not where it is called."""

    def by_position(feedback: Feedback, /) -> int:
        return len(feedback)

    with pytest.raises(ArgumentError, match="max_retries"):
        judged(always(APPROVE), 0)
    with pytest.raises(ArgumentTypeError, match="policy"):
        judged(None)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="feedback"):
        judged(always(APPROVE))(by_position)
    with pytest.raises(ArgumentTypeError, match="decorates a function"):
        judged(always(APPROVE))(3)  # type: ignore[arg-type]


STEPS = st.lists(
    st.tuples(st.sampled_from(Decision), st.floats(0, 1), st.floats(0, 9), st.booleans()),
    min_size=8,
    max_size=8,
)


@given(STEPS, st.integers(1, 8), st.floats(0.5, 30))
def test_the_laws_of_a_loop_with_a_time_limit(
    steps: list[tuple[Decision, float, float, bool]], most: int, timeout: float
) -> None:
    """One verdict an attempt, and one for the timeout. (contract: loop:F2, loop:G1, loop:J3)"""
    now, begun, contexts = [0.0], list[float](), list[JudgeContext]()

    def work(_: str, feedback: Feedback) -> int:
        begun.append(now[0])
        now[0] += steps[feedback.attempt - 1][2]
        if steps[feedback.attempt - 1][3]:
            raise ValueError("no")
        return feedback.attempt

    def decide(_: str, output: int, context: JudgeContext) -> JudgeVerdict:
        contexts.append(context)
        return JudgeVerdict(steps[output - 1][0], "why", steps[output - 1][1])

    result = run(decide, work, max_retries=most, timeout=timeout, clock=lambda: now[0])

    late = result.stop_reason is StopReason.TIMED_OUT
    assert len(begun) == result.iterations == len(result.attempts) <= most
    assert len(result.verdict_history) == result.iterations + late
    assert all(time < timeout for time in begun)
    assert not late or (now[0] >= timeout and result.final_verdict.synthetic)
    assert result.is_approved is (result.final_verdict.decision is Decision.APPROVE)
    assert result.is_approved is (result.stop_reason is StopReason.APPROVED)
    for context in contexts:
        assert len(context.previous_verdicts) == context.iteration - 1
        assert context.time_budget is not None


@given(st.lists(st.floats(0, 1), max_size=9), st.integers(1, 4), st.floats(0, 0.9))
def test_noise_only_makes_a_plateau_likelier(
    scores: list[float], patience: int, noise: float
) -> None:
    """And a rise of the best score beyond it never stops a loop."""
    attempts: list[Attempt[Any]] = [
        Attempt(n, JudgeVerdict.retry("no", score)) for n, score in enumerate(scores, 1)
    ]

    quiet, noisy = Plateau(patience)(attempts), Plateau(patience, noise)(attempts)

    assert quiet is None or noisy is not None
    if len(scores) > patience and max(scores[-patience:]) > max(scores[:-patience]) + noise:
        assert noisy is None


def test_a_held_out_judge_is_asked_about_approvals_alone() -> None:
    """What the policy sends back needs no second opinion."""
    asked: list[object] = []

    def held_out(context: JudgmentContext) -> Judgment:
        asked.append(context.output)
        return Judgment.passing()

    run(in_turn(REFUSE, REFUSE, APPROVE), confirm_with=held_out)

    assert asked == [3]
