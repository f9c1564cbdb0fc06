"""The coordinator: has an agent try until its work is approved, rejected or out of attempts."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from time import monotonic
from typing import Generic, TypeVar, Unpack, overload

from agent_judge.coordination.acceptance import Acceptance
from agent_judge.coordination.asking import AnyPolicy
from agent_judge.coordination.attempts import Produced
from agent_judge.coordination.budget import Budget
from agent_judge.coordination.candidates import Choice
from agent_judge.coordination.errors import JournalError
from agent_judge.coordination.events import LoopEvent
from agent_judge.coordination.executing import AskedExecutor, Executor
from agent_judge.coordination.feedback import Feedback
from agent_judge.coordination.journal import Journal
from agent_judge.coordination.loop import Loop
from agent_judge.coordination.options import LoopOptions
from agent_judge.coordination.plan import Escalate, Observer, Plan, functions
from agent_judge.coordination.result import CoordinationResult
from agent_judge.coordination.stops import StopRule
from agent_judge.coordination.workspaces.keeping import Keeping
from agent_judge.coordination.workspaces.records import WorkspaceKeeper
from agent_judge.engine.doors import aenter, enter
from agent_judge.engine.run import Run
from agent_judge.errors import ArgumentError, ArgumentTypeError

T = TypeVar("T")


class JudgeCoordinator(Generic[T]):
    """Runs a piece of work, has a policy decide about it, and runs it again with the feedback.

    It holds no state: it may be executed many times, also at once. What the executor raises is an
    attempt that failed, and its message the next feedback. What the policy raises leaves
    `execute`, with the result so far as `partial_result`.

    Args:
        policy: Decides about each output: an object with `evaluate`, a function of the agent's id,
            the output and a `JudgeContext`, or any judge, jury or cascade.
        executor: Makes an attempt from the agent's id and the `Feedback`; sync or async.
        max_retries: How many attempts there are in all, the first included; 3 unless said
            otherwise.
        max_attempts: Another name for `max_retries`.
        timeout: Seconds after which no further attempt begins.
        attempt_timeout: Seconds after which an attempt is stopped, and counts as failed. A
            coroutine is cancelled; a thread cannot be, and is left behind.
        interrupt: Let `timeout` also stop the attempt under way.
        candidates: How many outputs each attempt makes at once, from the same feedback.
        choose: Take the first of them that is approved, and cancel the others (`"first"`); or the
            best when all are there (`"best"`).
        stop_when: Rules that end the loop early, such as `Plateau()` or `Unchanged()`.
        budget: What the loop may consume.
        confirm: Ask the policy again about what it approves, as `"2of3"`.
        confirm_below: Approvals with this score or more are taken without asking again; every one
            is asked about again without it.
        confirm_with: A held-out policy or judge that has to agree with an approval. Nothing that
            it says ever reaches the executor.
        blind: Tell the policy neither which attempt it is nor what was decided before.
        workspace: Keeps the states of the folder that the agent works in. That before the loop is
            kept, and that after each attempt; the best attempt's is left at the end. A state that
            cannot be kept stops the loop before anything is reset.
        keeping: What an attempt finds there: what the one before left, what was there before the
            loop, or what the best one left.
        rejudge: Have the best output judged once more at the end, as if for the first time: the
            best of several scores is too high by chance.
        escalate: Who is asked about a result that was not approved. A `JudgeVerdict` closes the
            loop; `None` leaves it open. Either way it stops as ESCALATED.
        journal: Where each step is written down, so that `resume` can go on with a run that was
            killed.
        observers: Functions that are told of each event.
        clock: Counts the seconds of `timeout`.

    Raises:
        ArgumentError: A number out of range, both `max_retries` and `max_attempts`, or an option
            that needs another one, such as `interrupt` without a `timeout`.
        ArgumentTypeError: No policy or executor that could be called, or a value of a wrong type.

    Example:
        >>> from agent_judge.coordination import ThresholdJudgePolicy
        >>> coordinator = JudgeCoordinator(
        ...     policy=ThresholdJudgePolicy(1.0, str, lambda text: (len(text) / 3, ["Longer!"])),
        ...     executor=lambda agent_id, feedback: "ab" + "c" * len(feedback),
        ... )
        >>> coordinator.execute("agent-1").unwrap()
        'abc'
    """

    __slots__ = ("_plan",)

    @overload
    def __init__(
        self,
        *,
        policy: AnyPolicy,
        executor: Callable[[str, Feedback], Awaitable[Produced[T]]],
        **options: Unpack[LoopOptions],
    ) -> None: ...
    @overload
    def __init__(
        self,
        *,
        policy: AnyPolicy,
        executor: Callable[[str, Feedback], Produced[T]],
        **options: Unpack[LoopOptions],
    ) -> None: ...
    @overload
    def __init__(
        self,
        *,
        policy: AnyPolicy,
        executor: Callable[[str, Feedback], Awaitable[T]],
        **options: Unpack[LoopOptions],
    ) -> None: ...
    @overload
    def __init__(
        self,
        *,
        policy: AnyPolicy,
        executor: Callable[[str, Feedback], T],
        **options: Unpack[LoopOptions],
    ) -> None: ...
    def __init__(
        self,
        *,
        policy: AnyPolicy,
        executor: Executor[T],
        max_retries: int | None = None,
        max_attempts: int | None = None,
        timeout: float | None = None,
        attempt_timeout: float | None = None,
        interrupt: bool = False,
        candidates: int = 1,
        choose: Choice = "first",
        stop_when: StopRule | Sequence[StopRule] = (),
        budget: Budget | None = None,
        confirm: str | None = None,
        confirm_below: float | None = None,
        confirm_with: AnyPolicy | None = None,
        blind: bool = False,
        workspace: WorkspaceKeeper | None = None,
        keeping: Keeping = Keeping.KEEP,
        rejudge: bool = False,
        escalate: Escalate | None = None,
        journal: Journal | None = None,
        observers: Observer | Sequence[Observer] = (),
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._plan = Plan(
            AskedExecutor(executor),
            Acceptance(
                policy,
                confirm=confirm,
                confirm_below=confirm_below,
                confirm_with=confirm_with,
                blind=blind,
            ),
            _attempts(max_retries, max_attempts),
            timeout,
            attempt_timeout,
            interrupt,
            candidates,
            choose,
            functions(stop_when, "stop_when"),
            budget,
            workspace,
            keeping,
            rejudge,
            escalate,
            journal,
            functions(observers, "observers"),
            clock,
        )

    def execute(self, agent_id: str, *, run_id: str | None = None) -> CoordinationResult[T]:
        """Work until the output is approved, rejected or out of attempts.

        From any thread, also from one whose event loop is running. Where executor and policy are
        plain functions, both are called right here.

        Args:
            agent_id: Who works; executor and policy are told.
            run_id: What the run is called in the journal; a random name unless said otherwise.

        Raises:
            JournalError: There is a run of that name.
        """
        run = Run()
        return enter(run, self._begin(run, agent_id, run_id).result())

    async def aexecute(self, agent_id: str, *, run_id: str | None = None) -> CoordinationResult[T]:
        """`execute` for callers that run an event loop."""
        run = Run()
        return await aenter(run, self._begin(run, agent_id, run_id).result())

    async def stream(
        self, agent_id: str, *, run_id: str | None = None
    ) -> AsyncGenerator[LoopEvent, None]:
        """`aexecute` as a stream of events, of which `LoopStopped` is the last.

        Whoever stops listening stops the loop.
        """
        run = Run()
        run.on_loop = True
        events = self._begin(run, agent_id, run_id).events()
        try:
            async for event in events:
                yield event
        finally:
            await events.aclose()

    def resume(self, run_id: str) -> CoordinationResult[T]:
        """Go on with a run of the journal where it was interrupted; the result of one that ended.

        The attempt that was under way is made again, from the workspace as it was then.

        Raises:
            ArgumentError: The coordinator has no journal.
            JournalError: There is no such run, another process works on it, or what decides is
                not what decided then.
        """
        run = Run()
        return enter(run, self._resumed(run, run_id).result())

    async def aresume(self, run_id: str) -> CoordinationResult[T]:
        """`resume` for callers that run an event loop."""
        run = Run()
        return await aenter(run, self._resumed(run, run_id).result())

    def _begin(self, run: Run, agent_id: str, run_id: str | None) -> Loop[T]:
        if not isinstance(agent_id, str):
            raise ArgumentTypeError(f"agent_id must be a string, not {agent_id!r:.120}")
        journal = self._plan.journal
        if journal is None:
            if run_id is not None:
                raise ArgumentError("run_id names a run in a journal, and there is no journal")
            return Loop(self._plan, run, agent_id)
        return Loop(self._plan, run, agent_id, journal.begin(run_id))

    def _resumed(self, run: Run, run_id: str) -> Loop[T]:
        plan = self._plan
        if plan.journal is None:
            raise ArgumentError("there is no journal to resume from; give the coordinator one")
        record = plan.journal.resume(run_id)
        recorded = record.recorded
        assert recorded is not None
        found, now = (
            (recorded.criteria, recorded.max_attempts),
            (plan.acceptance.criteria, plan.max_attempts),
        )
        if found != now:
            record.close()
            raise JournalError(
                f"run {run_id!r} was begun with other criteria or another number of attempts; "
                "begin a new run, or go on with the coordinator that began it"
            )
        attempts = [*recorded.attempts]
        return Loop(plan, run, recorded.agent_id, record, attempts, recorded.elapsed)


def _attempts(max_retries: int | None, max_attempts: int | None) -> int:
    if max_retries is not None and max_attempts is not None:
        raise ArgumentError("max_retries and max_attempts mean the same; give one of them")
    number = max_attempts if max_retries is None else max_retries
    number = 3 if number is None else number
    if type(number) is not int or number < 1:
        raise ArgumentError(f"max_retries must be a whole number from 1 up, got {number!r}")
    return number
