"""The loop itself: rows A to J of the contract."""

from __future__ import annotations

import asyncio
import math
import threading
from typing import Any

import pytest

from agent_judge import Judgment
from agent_judge.coordination import (
    CoordinationResult,
    Feedback,
    JudgeContext,
    JudgeCoordinator,
    JudgeVerdict,
    LoopStopped,
    NotApprovedError,
    PolicyContractError,
    StopReason,
    TeamStateError,
    ThresholdJudgePolicy,
)
from agent_judge.errors import ArgumentError, ArgumentTypeError, MissingExtraError

APPROVE = JudgeVerdict.approve("ok", 1)


def retry(score: float, *suggestions: str) -> JudgeVerdict:
    """A RETRY."""
    return JudgeVerdict.retry("not yet", score, suggestions)


class Scripted:
    """A policy that gives verdicts from a list, and remembers what it was asked."""

    def __init__(self, *verdicts: object) -> None:
        self.verdicts = [*verdicts]
        self.asked: list[tuple[str, Any, JudgeContext]] = []

    def evaluate(self, agent_id: str, output: Any, context: JudgeContext, /) -> Any:
        """Give the next verdict."""
        self.asked.append((agent_id, output, context))
        verdict = self.verdicts.pop(0)
        if isinstance(verdict, BaseException):
            raise verdict
        return verdict


class Worker:
    """An executor that makes outputs from a list, and remembers its feedback."""

    def __init__(self, *outputs: Any) -> None:
        self.outputs = [*outputs]
        self.told: list[Feedback] = []

    def __call__(self, _: str, feedback: Feedback, /) -> Any:
        """Make the next output."""
        self.told.append(feedback)
        output = self.outputs.pop(0)
        if isinstance(output, BaseException):
            raise output
        return output


def run(policy: Any, executor: Any, **options: Any) -> CoordinationResult[Any]:
    """Execute a coordinator."""
    return JudgeCoordinator[Any](policy=policy, executor=executor, **options).execute("agent-1")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"policy": None}, ArgumentTypeError),
        ({"executor": None}, ArgumentTypeError),
        ({"policy": Scripted}, ArgumentTypeError),
        ({"executor": Worker}, ArgumentTypeError),
        ({"policy": lambda _, __: None}, ArgumentTypeError),
        ({"max_retries": 0}, ArgumentError),
        ({"max_retries": 2.0}, ArgumentError),
        ({"max_retries": 2, "max_attempts": 2}, ArgumentError),
        ({"timeout": 0}, ArgumentError),
        ({"timeout": -1.0}, ArgumentError),
        ({"timeout": math.inf}, ArgumentError),
        ({"timeout": math.nan}, ArgumentError),
        ({"attempt_timeout": 0}, ArgumentError),
        ({"budget": 3}, ArgumentTypeError),
        ({"confirm": "3of2"}, ArgumentError),
        ({"confirm": "most"}, ArgumentError),
    ],
)
def test_wrong_arguments_are_refused(options: dict[str, Any], error: type[Exception]) -> None:
    """Where the coordinator is built, before anything runs. (contract: loop:A1)"""
    given: dict[str, Any] = {"policy": Scripted(), "executor": Worker(), **options}

    with pytest.raises(error):
        JudgeCoordinator[Any](**given)


@pytest.mark.parametrize("threshold", [-0.01, 1.01, math.nan])
def test_a_mark_outside_the_unit_interval_is_refused(threshold: float) -> None:
    """There is no such score. (contract: loop:A1)"""
    with pytest.raises(ArgumentError, match="threshold"):
        ThresholdJudgePolicy(threshold, str, len)


def test_the_agent_has_a_name() -> None:
    """Executor and policy are told it."""
    coordinator = JudgeCoordinator[str](policy=Scripted(APPROVE), executor=Worker("x"))

    with pytest.raises(ArgumentTypeError, match="agent_id"):
        coordinator.execute(None)  # type: ignore[arg-type]


def test_one_coordinator_runs_many_times_at_once() -> None:
    """Each run is its own; the coordinator keeps nothing. (contract: loop:A2)"""
    barrier = threading.Barrier(4)

    def work(agent_id: str, feedback: Feedback) -> str:
        barrier.wait()
        return f"{agent_id}:{len(feedback)}"

    def decide(_: str, output: str, context: JudgeContext) -> JudgeVerdict:
        done = output.endswith(":1")
        return APPROVE if done else retry(0, f"again, {context.iteration}")

    coordinator = JudgeCoordinator[str](policy=decide, executor=work)
    results: dict[str, CoordinationResult[str]] = {}

    def one(name: str) -> None:
        results[name] = coordinator.execute(name)

    threads = [threading.Thread(target=one, args=(f"agent-{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {name: result.output for name, result in results.items()} == {
        name: f"{name}:1" for name in ("agent-0", "agent-1", "agent-2", "agent-3")
    }


@pytest.mark.parametrize("executor_is_async", [False, True])
@pytest.mark.parametrize("policy_is_async", [False, True])
def test_sync_and_async_mix(executor_is_async: bool, policy_is_async: bool) -> None:
    """In any combination, from both doors. (contract: loop:A3)"""

    def work(_: str, feedback: Feedback) -> int:
        return len(feedback)

    async def awork(agent_id: str, feedback: Feedback) -> int:
        await asyncio.sleep(0)
        return work(agent_id, feedback)

    def decide(_: str, output: int, __: JudgeContext) -> JudgeVerdict:
        return APPROVE if output else retry(0, "more")

    async def adecide(agent_id: str, output: int, context: JudgeContext) -> JudgeVerdict:
        await asyncio.sleep(0)
        return decide(agent_id, output, context)

    coordinator = JudgeCoordinator[int](
        policy=adecide if policy_is_async else decide,
        executor=awork if executor_is_async else work,
    )

    assert coordinator.execute("a").output == 1
    assert asyncio.run(coordinator.aexecute("a")).output == 1


def test_a_blocking_executor_does_not_block_the_loop() -> None:
    """On somebody's event loop, plain functions work in threads. (contract: loop:A3)"""
    main = threading.get_ident()
    seen: list[int] = []

    def work(_: str, __: Feedback) -> str:
        seen.append(threading.get_ident())
        return "x"

    coordinator = JudgeCoordinator[str](policy=Scripted(APPROVE, APPROVE), executor=work)

    asyncio.run(coordinator.aexecute("a"))
    coordinator.execute("a")

    assert seen[0] != main
    assert seen[1] == main


def test_plain_functions_need_no_event_loop() -> None:
    """Sync executor and policy are called right here, and asyncio is not touched."""
    result = run(Scripted(retry(0.5, "b"), APPROVE), Worker("a", "b"))

    assert result.output == "b"


def test_approved_at_once() -> None:
    """One attempt, one verdict, that output. (contract: loop:B1)"""
    result = run(Scripted(APPROVE), Worker("x"))

    assert (result.iterations, result.verdict_history, result.output) == (1, (APPROVE,), "x")
    assert result.is_approved
    assert result.stop_reason is StopReason.APPROVED
    assert result.unwrap() == "x"


def test_approved_after_a_retry() -> None:
    """The second output counts. (contract: loop:B2)"""
    result = run(Scripted(retry(0.9), APPROVE), Worker("x", "y"))

    assert (result.iterations, result.output) == (2, "y")


def test_a_rejection_ends_it() -> None:
    """The executor is not called again. (contract: loop:B3)"""
    worker = Worker("x", "y", "z")

    result = run(Scripted(JudgeVerdict.reject("hopeless", 0)), worker)

    assert len(worker.told) == result.iterations == 1
    assert result.stop_reason is StopReason.REJECTED


def test_the_decision_rules() -> None:
    """Whatever the score says. (contract: loop:B4)"""
    assert run(Scripted(JudgeVerdict.approve("ok", 0.0)), Worker("x")).is_approved
    assert not run(Scripted(retry(1.0)), Worker("x"), max_retries=1).is_approved


@pytest.mark.parametrize("answer", [None, True, 1.0, "APPROVE", Judgment.passing()])
def test_what_is_no_verdict_leaves(answer: object) -> None:
    """It is a mistake in the policy, and never retried. (contract: loop:B5)"""
    worker = Worker("x", "y")

    with pytest.raises(PolicyContractError, match="not a JudgeVerdict") as raised:
        run(Scripted(answer), worker)

    assert len(worker.told) == 1
    assert raised.value.partial_result.stop_reason is StopReason.POLICY_FAILED  # type: ignore[attr-defined]


def test_the_first_attempt_has_empty_feedback() -> None:
    """Not `None`. (contract: loop:C1)"""
    worker = Worker("x")

    run(Scripted(APPROVE), worker)

    assert isinstance(worker.told[0], Feedback)
    assert not worker.told[0]
    assert not worker.told[0].is_retry


def test_feedback_does_not_accumulate() -> None:
    """Each attempt hears the previous verdict alone. (contract: loop:C2)"""
    worker = Worker("x", "y", "z")

    run(Scripted(retry(0, "a", "b"), retry(0, "c"), APPROVE), worker)

    assert worker.told == [(), ("a", "b"), ("c",)]
    assert [told.attempt for told in worker.told] == [1, 2, 3]


@pytest.mark.parametrize(
    ("raised", "said"), [(ValueError("no disk"), "no disk"), (KeyError(), "KeyError")]
)
def test_what_the_executor_raises_is_the_next_feedback(raised: Exception, said: str) -> None:
    """The attempt counts, and the policy is not asked. (contract: loop:D1, loop:D2, loop:D7)"""
    worker, policy = Worker(raised, "y"), Scripted(APPROVE)

    result = run(policy, worker)

    assert worker.told[1] == (f"Fix execution error: {said}",)
    assert len(policy.asked) == 1
    first = policy.asked[0][2].previous_verdicts[0]
    assert first.synthetic
    assert (result.iterations, result.output) == (2, "y")
    assert result.attempts[0].error is raised
    assert not result.attempts[0].has_output


def test_a_failure_of_the_last_attempt_rejects() -> None:
    """No exception leaves. (contract: loop:D3)"""
    result = run(Scripted(), Worker(ValueError("no")), max_retries=1)

    assert result.final_verdict.decision.name == "REJECT"
    assert result.final_verdict.synthetic
    assert result.stop_reason is StopReason.ATTEMPTS_EXHAUSTED


def test_failing_always() -> None:
    """RETRY, RETRY, REJECT, and nothing to show. (contract: loop:D4)"""
    result = run(Scripted(), Worker(*(ValueError(str(n)) for n in range(3))))

    decisions = [verdict.decision.name for verdict in result.verdict_history]
    assert decisions == ["RETRY", "RETRY", "REJECT"]
    assert (result.iterations, result.output, result.has_output) == (3, None, False)
    with pytest.raises(NotApprovedError):
        result.unwrap()


def test_a_late_failure_keeps_the_earlier_output() -> None:
    """The best so far is returned, rejected. (contract: loop:D5)"""
    worker = Worker("good", ValueError("no"), ValueError("no"))

    result = run(Scripted(retry(0.7)), worker)

    assert (result.output, result.final_verdict.decision.name) == ("good", "REJECT")


@pytest.mark.parametrize(
    "raised", [asyncio.CancelledError(), KeyboardInterrupt(), SystemExit(3), GeneratorExit()]
)
def test_what_ends_the_program_leaves_at_once(raised: BaseException) -> None:
    """It is never an attempt. (contract: loop:D6)"""
    worker = Worker(raised, "y")

    with pytest.raises(type(raised)) as left:
        run(Scripted(APPROVE), worker)

    assert len(worker.told) == 1
    assert left.value.partial_result.stop_reason is StopReason.CANCELLED  # type: ignore[attr-defined]


@pytest.mark.parametrize("raised", [TeamStateError("not started"), MissingExtraError("pip …")])
def test_the_callers_mistakes_leave(raised: Exception) -> None:
    """Another attempt would only repeat them. (contract: loop:D8)"""
    with pytest.raises(type(raised)):
        run(Scripted(APPROVE), Worker(raised, "y"))


def test_what_the_policy_raises_leaves() -> None:
    """The same exception, with what there was. (contract: loop:E1)"""
    raised = RuntimeError("no model")

    with pytest.raises(RuntimeError) as left:
        run(Scripted(retry(0.4), raised), Worker("x", "y"))

    assert left.value is raised
    partial = raised.partial_result  # type: ignore[attr-defined]
    assert partial.output == "x"
    assert partial.unjudged.output == "y"
    assert partial.stop_reason is StopReason.POLICY_FAILED


def test_a_retry_of_the_last_attempt_stays_one() -> None:
    """A custom policy's word is kept. (contract: loop:F1, loop:F3)"""
    result = run(Scripted(retry(0.2)), Worker("x"), max_attempts=1)

    assert result.final_verdict == retry(0.2)
    assert not result.is_approved
    assert result.stop_reason is StopReason.ATTEMPTS_EXHAUSTED


def test_there_are_no_more_attempts_than_allowed() -> None:
    """And each output is judged. (contract: loop:F2)"""
    worker, policy = Worker(*range(9)), Scripted(*[retry(0)] * 9)

    result = run(policy, worker, max_retries=4)

    assert len(worker.told) == len(policy.asked) == result.iterations == 4


def test_no_attempt_begins_after_the_time() -> None:
    """One more verdict says so. (contract: loop:G1)"""
    worker = Worker("x", "y")
    now = [0.0]

    def slow(agent_id: str, feedback: Feedback) -> Any:
        now[0] += 40
        return worker(agent_id, feedback)

    result = run(Scripted(retry(0.6)), slow, timeout=30, clock=lambda: now[0])

    assert len(worker.told) == result.iterations == 1
    assert len(result.verdict_history) == 2
    assert result.final_verdict.reason.startswith("Timed out after 30 s")
    assert result.final_verdict.synthetic
    assert result.stop_reason is StopReason.TIMED_OUT
    assert (result.output, result.score) == ("x", 0)


def test_an_attempt_that_overruns_may_be_approved() -> None:
    """The time is looked at before attempts, not after. (contract: loop:G2)"""
    now = [0.0]

    def slow(_: str, __: Feedback) -> str:
        now[0] += 40
        return "x"

    result = run(Scripted(APPROVE), slow, timeout=30, clock=lambda: now[0])

    assert result.is_approved
    assert result.duration == 40


def test_the_policy_is_told_the_time_that_remains() -> None:
    """And nothing where there is no limit. (contract: loop:G3)"""
    now = [0.0]

    def slow(_: str, __: Feedback) -> str:
        now[0] += 10
        return "x"

    limited, unlimited = Scripted(retry(0), APPROVE), Scripted(APPROVE)
    run(limited, slow, timeout=30, clock=lambda: now[0])
    run(unlimited, slow)

    assert [context.time_budget for _, _, context in limited.asked] == [20, 10]
    assert unlimited.asked[0][2].time_budget is None


@pytest.mark.parametrize(
    "options", [{"attempt_timeout": 0.01}, {"timeout": 0.01, "interrupt": True}]
)
def test_a_coroutine_is_cancelled_when_its_time_is_over(options: dict[str, Any]) -> None:
    """And awaited; the attempt counts as failed. (contract: loop:G4)"""
    cleaned = []

    async def hang(_: str, __: Feedback) -> str:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned.append(True)
        return "never"

    result = run(Scripted(), hang, max_retries=1, **options)

    assert cleaned == [True]
    assert "AttemptTimeoutError" in result.final_verdict.reason
    assert not result.attempts[0].abandoned


def test_a_thread_is_left_behind_when_its_time_is_over() -> None:
    """It cannot be stopped, which the attempt says. (contract: loop:G4)"""
    release = threading.Event()

    def hang(_: str, __: Feedback) -> str:
        release.wait(30)
        return "late"

    try:
        result = run(Scripted(), hang, max_retries=1, attempt_timeout=0.01)
    finally:
        release.set()

    assert result.attempts[0].abandoned
    assert not result.has_output


def test_the_approved_output_is_returned() -> None:
    """Also where another scored higher. (contract: loop:H1)"""
    result = run(Scripted(retry(0.9), JudgeVerdict.approve("ok", 0.6)), Worker("x", "y"))

    assert result.output == "y"


def test_the_best_output_is_returned_unapproved() -> None:
    """The score is that of the last verdict. (contract: loop:H2)"""
    result = run(Scripted(retry(0.4), retry(0.6), retry(0.5)), Worker("x", "y", "z"))

    assert (result.output, result.score) == ("y", 0.5)
    assert result.best is not None
    assert result.best.score == 0.6


def test_of_equals_the_earliest_is_returned() -> None:
    """It took the least. (contract: loop:H3)"""
    assert run(Scripted(*[retry(0.6)] * 3), Worker("x", "y", "z")).output == "x"


def test_a_made_up_verdict_is_no_reason_to_keep_an_output() -> None:
    """Unless there is no other. (contract: loop:H4)"""
    unread = retry(0.5).as_synthetic()

    assert run(Scripted(unread, retry(0.1), unread), Worker("x", "y", "z")).output == "y"
    assert run(Scripted(*[unread] * 3), Worker("x", "y", "z")).output == "x"


def test_a_rejected_output_can_be_looked_at() -> None:
    """It is returned, and `unwrap` refuses it. (contract: loop:H5)"""
    result = run(Scripted(JudgeVerdict.reject("bad", 0.2)), Worker("x"), max_retries=1)

    assert result.output == "x"
    with pytest.raises(NotApprovedError, match="bad") as refused:
        result.unwrap()
    assert refused.value.result is result


def test_none_is_an_output() -> None:
    """It is judged like any other. (contract: loop:I1)"""
    policy = Scripted(APPROVE)

    result = run(policy, Worker(None))

    assert policy.asked[0][1] is None
    assert (result.output, result.has_output) == (None, True)


def test_the_policy_sees_the_earlier_verdicts() -> None:
    """One for each attempt before, the oldest first. (contract: loop:J3)"""
    policy = Scripted(retry(0.1), retry(0.2), retry(0.3))

    result = run(policy, Worker("x", "y", "z"))

    seen = [[one.score for one in context.previous_verdicts] for _, _, context in policy.asked]
    assert seen == [[], [0.1], [0.1, 0.2]]
    assert [one.score for one in result.verdict_history] == [0.1, 0.2, 0.3]


def test_a_stream_tells_of_each_step() -> None:
    """The last event is the result."""

    async def listen() -> list[Any]:
        coordinator = JudgeCoordinator[str](
            policy=Scripted(retry(0), APPROVE), executor=Worker("x", "y")
        )
        return [event async for event in coordinator.stream("a")]

    events = asyncio.run(listen())

    names = [type(event).__name__ for event in events]
    attempt = ["AttemptStarted", "AttemptExecuted", "AttemptJudged"]
    assert names == ["LoopStarted", *attempt, *attempt, "LoopStopped"]
    assert isinstance(events[-1], LoopStopped)
    assert events[-1].result.output == "y"


def test_who_stops_listening_stops_the_loop() -> None:
    """No further attempt is made."""
    worker = Worker("x", "y")

    async def listen() -> None:
        coordinator = JudgeCoordinator[str](policy=Scripted(retry(0), APPROVE), executor=worker)
        stream = coordinator.stream("a")
        async for event in stream:
            if type(event).__name__ == "AttemptJudged":
                break
        await stream.aclose()

    asyncio.run(listen())

    assert len(worker.told) == 1


def test_observers_are_told_in_order() -> None:
    """Sync and async ones; what they raise leaves."""
    told: list[str] = []

    async def listen(event: Any) -> None:
        await asyncio.sleep(0)
        told.append(type(event).__name__)

    def fail(_: Any) -> None:
        raise OSError("disk full")

    run(Scripted(APPROVE), Worker("x"), observers=listen)

    assert told == [
        "LoopStarted",
        "AttemptStarted",
        "AttemptExecuted",
        "AttemptJudged",
        "LoopStopped",
    ]
    with pytest.raises(OSError, match="disk full"):
        run(Scripted(APPROVE), Worker("x"), observers=[fail])


def test_cancelling_a_loop_cancels_the_executor() -> None:
    """It is awaited, and the cancellation goes through. (contract: loop:D6)"""
    cleaned: list[bool] = []

    async def main() -> None:
        started = asyncio.Event()

        async def hang(_: str, __: Feedback) -> str:
            started.set()
            try:
                await asyncio.Event().wait()
            finally:
                cleaned.append(True)
            return "never"

        coordinator = JudgeCoordinator[str](policy=Scripted(), executor=hang, attempt_timeout=60)
        task = asyncio.ensure_future(coordinator.aexecute("a"))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())

    assert cleaned == [True]
