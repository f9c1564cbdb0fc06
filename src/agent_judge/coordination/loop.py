"""One run of the judging loop: its state, and the steps from the first attempt to the result."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from time import perf_counter
from typing import Final, Generic, TypeVar

from agent_judge.coordination.acceptance import Decided
from agent_judge.coordination.asking import called
from agent_judge.coordination.attempts import Attempt, Produced, feedback_after
from agent_judge.coordination.candidates import Choice, best_candidate
from agent_judge.coordination.context import JudgeContext
from agent_judge.coordination.errors import JournalError, PolicyContractError, UsageError
from agent_judge.coordination.events import (
    AttemptExecuted,
    AttemptJudged,
    AttemptStarted,
    LoopEvent,
    LoopStarted,
    LoopStopped,
)
from agent_judge.coordination.executing import Execution
from agent_judge.coordination.feedback import Feedback
from agent_judge.coordination.journal import OpenRun
from agent_judge.coordination.plan import Escalate, Plan
from agent_judge.coordination.result import CoordinationResult
from agent_judge.coordination.stops import StopReason, first_reason
from agent_judge.coordination.verdict import Decision, JudgeVerdict
from agent_judge.coordination.workspaces.tending import Tending
from agent_judge.engine import in_worker
from agent_judge.engine.ask import bounded_repr, is_awaitable
from agent_judge.engine.doors import needs_loop
from agent_judge.engine.run import Run

T = TypeVar("T")

UNPAID: Final = "the budget does not pay for one attempt and its judgment"
"""The reason of the verdict on a loop that made no attempt."""


@dataclass(slots=True)
class Loop(Generic[T]):
    """One run of the loop.

    Attributes:
        plan: What the coordinator was told.
        run: The call from outside that it belongs to.
        agent_id: Who works.
        record: The journal of this run.
        attempts: What was decided about so far, by an earlier process too.
        elapsed_before: Seconds that an earlier process took.
        unjudged: What was made and is being judged.
    """

    plan: Plan[T]
    run: Run
    agent_id: str
    record: OpenRun | None = None
    attempts: list[Attempt[T]] = field(default_factory=list[Attempt[T]])
    elapsed_before: float = 0.0
    unjudged: Produced[T] | None = None
    _began: float = 0.0
    _tending: Tending | None = field(init=False)

    def __post_init__(self) -> None:
        keeper = self.plan.keeper
        self._tending = None if keeper is None else Tending(keeper, self.plan.keeping, self.run)

    async def result(self) -> CoordinationResult[T]:
        """Go through all steps."""
        ended: CoordinationResult[T] | None = None
        async for event in self.events():
            if isinstance(event, LoopStopped):
                ended = event.result
        assert ended is not None
        return ended

    async def events(self) -> AsyncGenerator[LoopEvent, None]:
        """Go through all steps, and tell of each.

        Raises:
            BaseException: What leaves the loop; it carries the result so far as `partial_result`.
        """
        self._began = self.plan.clock() - self.elapsed_before
        steps = self._steps()
        try:
            async for event in steps:
                await self._tell(event)
                yield event
        except BaseException as raised:
            self._attach(raised)
            raise
        finally:
            await steps.aclose()
            if self.record is not None:
                self.record.close()

    async def _steps(self) -> AsyncGenerator[LoopEvent, None]:
        yield LoopStarted(self.agent_id, self.plan.max_attempts, self.run_id)
        await self._begin()
        reason, closing = self._after(self.attempts[-1]) if self.attempts else self._before_next()
        while reason is None:
            number = len(self.attempts) + 1
            feedback = feedback_after(self.attempts)
            if self._tending is not None:
                await self._tending.prepare(self.attempts)
            yield AttemptStarted(number, feedback)
            if self.plan.candidates > 1:
                attempt = await best_candidate(self, number, feedback)
                yield AttemptExecuted(number, attempt.made, attempt.error, attempt.elapsed)
            else:
                execution = await self.make(feedback)
                yield AttemptExecuted(number, execution.made, execution.error, execution.elapsed)
                self.unjudged = execution.made
                snapshot = await self._left(number)
                attempt = await self.judge(number, feedback, execution)
                attempt = attempt if snapshot is None else replace(attempt, snapshot=snapshot)
                self.unjudged = None
            self.attempts.append(attempt)
            if self.record is not None:
                await self._written(partial(self.record.judged, attempt, self._elapsed()))
            yield AttemptJudged(attempt)
            reason, closing = self._after(attempt)
        if self._tending is not None:
            await self._tending.end(self.attempts)
        result = await self._ended(reason, closing)
        if self.record is not None:
            await self._written(partial(self.record.ended, reason.value, result.duration))
        yield LoopStopped(result)

    async def _begin(self) -> None:
        """Keep the state before the loop, or go back to where an earlier process was."""
        recorded = None if self.record is None else self.record.recorded
        if self._tending is not None:
            if recorded is None or recorded.before is None:
                await self._tending.begin()
            else:
                self._tending.before = recorded.before
                last = self.attempts[-1].snapshot if self.attempts else None
                await self._tending.restore(last or recorded.before)
        if self.record is not None and recorded is None:
            before = None if self._tending is None else self._tending.before
            plan = self.plan
            await self._written(
                partial(
                    self.record.began,
                    self.agent_id,
                    plan.acceptance.criteria,
                    plan.max_attempts,
                    before,
                )
            )

    async def _written(self, write: Callable[[], None]) -> None:
        """Write to the journal, which waits for the disk: in a thread where an event loop waits."""
        if self.run.on_loop:
            await in_worker(write)
        else:
            write()

    @property
    def run_id(self) -> str | None:
        """What the run is called, where it is kept in a journal."""
        return None if self.record is None else self.record.run_id

    async def _left(self, number: int) -> str | None:
        """The state in which an attempt left the workspace, where that is kept."""
        return None if self._tending is None else await self._tending.keep(f"attempt {number}")

    @property
    def candidates(self) -> tuple[int, Choice]:
        """How many are made at once, and which is taken."""
        return self.plan.candidates, self.plan.choose

    async def make(self, feedback: Feedback) -> Execution[T]:
        """Have the executor make something, within the time that there is."""
        plan = self.plan
        limits = [plan.attempt_timeout, self._remaining() if plan.interrupt else None]
        seconds = min((limit for limit in limits if limit is not None), default=None)
        return await plan.executor.run(self.run, self.agent_id, feedback, seconds)

    async def judge(self, number: int, feedback: Feedback, execution: Execution[T]) -> Attempt[T]:
        """Decide about what was made; what failed needs no judge."""
        began = perf_counter()
        if execution.made is None:
            decided = Decided(self._failed(number, execution))
        else:
            decided = await self.plan.acceptance.decide(
                self.run, self.agent_id, execution.made.output, self._context(number)
            )
        return Attempt(
            number,
            decided.verdict,
            feedback,
            execution.made,
            execution.error,
            execution.elapsed,
            perf_counter() - began,
            execution.abandoned,
            decided.calls,
            decided.usage,
            decided.confirmation,
        )

    def _context(self, number: int) -> JudgeContext:
        verdicts = tuple([attempt.verdict for attempt in self.attempts])
        remaining = self._remaining()
        return JudgeContext(number, self.plan.max_attempts, verdicts, remaining)

    def _failed(self, number: int, execution: Execution[T]) -> JudgeVerdict:
        final = number >= self.plan.max_attempts
        return JudgeVerdict(
            Decision.REJECT if final else Decision.RETRY,
            f"the attempt failed: {type(execution.error).__name__}: {execution.complaint}",
            0.0,
            (f"Fix execution error: {execution.complaint}",),
            synthetic=True,
        )

    def _after(self, attempt: Attempt[T]) -> tuple[StopReason | None, JudgeVerdict | None]:
        """Why the loop ends after an attempt, if it does."""
        match attempt.verdict.decision:
            case Decision.APPROVE:
                return StopReason.APPROVED, None
            case _ if attempt.number >= self.plan.max_attempts:
                return StopReason.ATTEMPTS_EXHAUSTED, None
            case Decision.REJECT:
                return StopReason.REJECTED, None
            case Decision.RETRY:
                return self._before_next()

    def _before_next(self) -> tuple[StopReason | None, JudgeVerdict | None]:
        """Why no further attempt begins, and the verdict that says so where one is owed."""
        if self.attempts and (reason := first_reason(self.plan.stop_when, tuple(self.attempts))):
            return reason, None
        if self._remaining() == 0 and self.attempts:
            return StopReason.TIMED_OUT, _closing(f"Timed out after {self.plan.timeout:g} s")
        if not self._pays():
            return StopReason.BUDGET, None if self.attempts else _closing(UNPAID)
        return None, None

    def _pays(self) -> bool:
        """Whether the budget pays for another attempt, its judgment, and that of the winner."""
        plan = self.plan
        return plan.budget is None or plan.budget.allows(
            self.attempts,
            self._elapsed(),
            calls=plan.candidates * plan.acceptance.most_calls + plan.rejudge,
            judgments=1 + plan.rejudge,
        )

    def _elapsed(self) -> float:
        return self.plan.clock() - self._began

    def _remaining(self) -> float | None:
        """Seconds of the time limit that are left."""
        timeout = self.plan.timeout
        return None if timeout is None else max(0.0, timeout - self._elapsed())

    async def _ended(
        self, reason: StopReason, closing: JudgeVerdict | None
    ) -> CoordinationResult[T]:
        result = self._so_far(reason, closing)
        if self.plan.rejudge and result.best is not None:
            output = result.best.output
            fresh = await self.plan.acceptance.afresh(self.run, self.agent_id, output)
            result = replace(result, fresh=fresh, duration=self._elapsed())
        if self.plan.escalate is not None and not result.is_approved:
            result = await self._escalated(result, self.plan.escalate)
        return result

    async def _escalated(
        self, result: CoordinationResult[T], escalate: Escalate
    ) -> CoordinationResult[T]:
        answer: object = await called(self.run, lambda: escalate(result), escalate)
        if answer is not None and not isinstance(answer, JudgeVerdict):
            raise PolicyContractError(
                f"escalate returned {bounded_repr(answer)}; return a JudgeVerdict, or None, which "
                "leaves it open"
            )
        if answer is not None and answer.is_approved and not result.has_output:
            raise UsageError("escalate approved a run in which no attempt made anything")
        closing = result.closing if answer is None else answer
        return replace(result, stop_reason=StopReason.ESCALATED, closing=closing)

    def _so_far(
        self, reason: StopReason, closing: JudgeVerdict | None = None
    ) -> CoordinationResult[T]:
        attempts = tuple(self.attempts)
        unjudged = self.unjudged
        return CoordinationResult(
            self.agent_id,
            attempts,
            reason,
            self._elapsed(),
            closing,
            unjudged=unjudged,
            run_id=self.run_id,
        )

    def _attach(self, raised: BaseException) -> None:
        """Let an exception that leaves carry what there was."""
        failed = isinstance(raised, Exception)
        reason = StopReason.POLICY_FAILED if failed else StopReason.CANCELLED
        if self.record is not None:
            with suppress(JournalError, ValueError):  # what is on its way out says more
                self.record.ended(reason.value, self._elapsed())
        with suppress(AttributeError):  # its class has a partial_result of its own
            BaseException.__setattr__(raised, "partial_result", self._so_far(reason))

    async def _tell(self, event: LoopEvent) -> None:
        for observer in self.plan.observers:
            told: object = observer(event)
            if is_awaitable(told):
                await needs_loop(self.run)
                await told


def _closing(reason: str) -> JudgeVerdict:
    """The verdict that says why the loop ended where nobody judged."""
    return JudgeVerdict.reject(reason, 0.0).as_synthetic()
