"""The team: agents that work on one task together."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable
from contextlib import contextmanager
from enum import Enum
from typing import Any, Self

from agent_judge.coordination.attempts import Produced
from agent_judge.coordination.errors import TeamBusyError, TeamFailedError, TeamStateError
from agent_judge.coordination.feedback import Feedback
from agent_judge.coordination.team.blueprint import Blueprint, Merge, OnError, Options, Speaking
from agent_judge.coordination.team.checking import blueprint_of
from agent_judge.coordination.team.choosing import Choose, choose_formation
from agent_judge.coordination.team.context import Teammate
from agent_judge.coordination.team.events import TeamEvent, TeamStarted, TeamStopped
from agent_judge.coordination.team.members import Agent, Member
from agent_judge.coordination.team.performing import formation_for, perform
from agent_judge.coordination.team.positions import Position, position_of
from agent_judge.coordination.team.records import TeamStatus
from agent_judge.coordination.team.result import TeamResult
from agent_judge.coordination.team.roles import TeamFormation, TeamRole
from agent_judge.coordination.team.session import Session
from agent_judge.engine.doors import aenter, enter, needs_loop
from agent_judge.engine.run import Run
from agent_judge.engine.scope import streamed
from agent_judge.errors import ArgumentTypeError
from agent_judge.frozen import check_text


class _State(Enum):
    NEW = "was not started yet"
    STARTED = "was started"
    STOPPED = "was stopped"


class Team:
    """Agents that work on one task together, in one of six formations.

    What a member raises, and its deadline, is a value among the contributions; it never leaves
    `execute`. A team does one task at a time, and is used as a context manager, or between
    `start` and `stop`.

    Args:
        name: What the team is called.
        mission: What it is for; members are told.
        formation: How the members work together.
        members: Pairs of an agent and its role, or `Member`s. An agent is a function of the task
            and a `TeamContext`, sync or async, or an object with such a method `run` or `arun`.
            A sync one is called in a worker thread.
        lead: The agent that leads, where it is not among the members.
        timeout: Seconds for a task. Then those at work are cancelled and awaited, and the result
            is TIMED_OUT with what was gathered.
        member_timeout: Seconds for a member each time that it is asked, where it has no limit of
            its own.
        min_successes: How many members have to do well for a result with gaps to be PARTIAL, and
            not FAILED.
        on_error: What a SEQUENTIAL team does where a member fails: `"stop"`, `"skip"` it, or
            `"retry"` and then stop.
        retries: How often a member is asked again with `"retry"`.
        max_rounds: How many rounds a ROUND_ROBIN has, and a DEBATE at most.
        speaking: Whether debaters speak `"in_turn"`, and hear those before them, or `"at_once"`.
        position: Reads the position out of what a debater said; equal positions agree. By default
            it is the whole, in text without regard to case and spacing.
        merge: Makes the output of the contributions that were done, in PARALLEL, in ROUND_ROBIN
            and in a debate without agreement.
        choose: Chooses the formation of an ADAPTIVE team from the task and the members.
        revise: Whether the work is done once more, with the notes, where reviewers have any.

    Raises:
        ArgumentError: The team cannot work like this; the message lists every fault.

    Example:
        >>> def drafts(task, context):
        ...     return f"draft of {task!r}"
        >>> def shortens(task, context):
        ...     return context.outputs[-1].removeprefix("draft of ")
        >>> with Team(
        ...     name="writers",
        ...     mission="Write short texts.",
        ...     formation=TeamFormation.SEQUENTIAL,
        ...     members=[(drafts, TeamRole.MEMBER), (shortens, TeamRole.EXPERT)],
        ... ) as team:
        ...     team.execute("a note").output
        "'a note'"
    """

    __slots__ = ("_blueprint", "_busy", "_lock", "_state")

    def __init__(
        self,
        *,
        name: str,
        mission: str,
        formation: TeamFormation,
        members: Iterable[Member | tuple[Agent, TeamRole]] = (),
        lead: Agent | None = None,
        timeout: float | None = None,
        member_timeout: float | None = None,
        min_successes: int = 1,
        on_error: OnError = "stop",
        retries: int = 1,
        max_rounds: int = 3,
        speaking: Speaking = "in_turn",
        position: Position = position_of,
        merge: Merge | None = None,
        choose: Choose = choose_formation,
        revise: bool = False,
    ) -> None:
        options = Options(
            timeout,
            member_timeout,
            min_successes,
            on_error,
            retries,
            max_rounds,
            speaking,
            position,
            merge,
            choose,
            revise,
        )
        self._blueprint: Blueprint = blueprint_of(name, mission, formation, members, lead, options)
        self._lock = threading.Lock()
        self._state = _State.NEW
        self._busy = False

    @property
    def id(self) -> str:
        """A random name that no other team has."""
        return self._blueprint.id

    @property
    def name(self) -> str:
        """What the team is called."""
        return self._blueprint.name

    @property
    def members(self) -> tuple[Teammate, ...]:
        """Names and roles of all members, the lead included."""
        return self._blueprint.teammates

    def start(self) -> Self:
        """Let the team work; one that was started already stays so."""
        with self._lock:
            self._state = _State.STARTED
        return self

    def stop(self) -> None:
        """Let the team begin no further task; one that is under way goes on to its end."""
        with self._lock:
            self._state = _State.STOPPED

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def __aenter__(self) -> Self:
        return self.start()

    async def __aexit__(self, *_: object) -> None:
        self.stop()

    def execute(self, task: str, *, feedback: Feedback | None = None) -> TeamResult:
        """Work on a task, from any thread, also from one whose event loop is running.

        Args:
            task: What is to be done.
            feedback: What was said of the attempt before; members find it in their context.

        Raises:
            TeamStateError: The team was not started, or was stopped.
            TeamBusyError: It works on another task.
            ArgumentError: An adaptive team's function chose what the members cannot do.
        """
        run = Run()
        return enter(run, self._executed(run, task, feedback, _ignore))

    async def aexecute(self, task: str, *, feedback: Feedback | None = None) -> TeamResult:
        """`execute` for callers that run an event loop; cancelling it cancels the members."""
        run = Run()
        return await aenter(run, self._executed(run, task, feedback, _ignore))

    async def stream(
        self, task: str, *, feedback: Feedback | None = None
    ) -> AsyncGenerator[TeamEvent, None]:
        """`aexecute` as a stream of events, of which `TeamStopped` is the last.

        Whoever stops listening has the members cancelled and awaited.
        """
        run = Run()
        run.on_loop = True

        def work(tell: Callable[[TeamEvent], None]) -> Awaitable[TeamResult]:
            return self._executed(run, task, feedback, tell)

        events = streamed(work)
        try:
            async for event in events:
                yield event
        finally:
            await events.aclose()

    def as_executor(self, task: str) -> Callable[[str, Feedback], Awaitable[Produced[TeamResult]]]:
        """The team as the executor of a `JudgeCoordinator`, which judges its `TeamResult`.

        The feedback on an attempt reaches the members in their context. A team that fails raises
        `TeamFailedError`, which makes it an attempt that failed.

        Args:
            task: What is to be done in each attempt.

        Example:
            >>> from agent_judge.coordination import JudgeCoordinator, ThresholdJudgePolicy
            >>> def writes(task, context):
            ...     return "three words here" if context.feedback else "one"
            >>> def words(result):
            ...     return len(str(result).split()) / 3, ["Write three words."]
            >>> with Team(
            ...     name="one",
            ...     mission="Write.",
            ...     formation=TeamFormation.SEQUENTIAL,
            ...     members=[(writes, TeamRole.MEMBER)],
            ... ) as team:
            ...     result = JudgeCoordinator(
            ...         policy=ThresholdJudgePolicy(1.0, TeamResult, words),
            ...         executor=team.as_executor("Write three words"),
            ...     ).execute(team.id)
            >>> result.iterations, result.unwrap().output
            (2, 'three words here')
        """
        check_text(task, "task")

        async def execute_team(_: str, feedback: Feedback) -> Produced[TeamResult]:
            result = await self.aexecute(task, feedback=feedback)
            if result.status is TeamStatus.FAILED or (
                result.status is TeamStatus.TIMED_OUT and not result.has_output
            ):
                raise TeamFailedError(result)
            return Produced(result, result.usage)

        return execute_team

    async def _executed(
        self, run: Run, task: str, feedback: Feedback | None, tell: Callable[[TeamEvent], None]
    ) -> TeamResult:
        check_text(task, "task")
        if not isinstance(feedback, Feedback | None):
            raise ArgumentTypeError(f"feedback must be a Feedback, not {feedback!r:.120}")
        blueprint = self._blueprint
        with self._working():
            formation = formation_for(blueprint, task)
            await needs_loop(run)
            tell(TeamStarted(blueprint.id, task, formation, blueprint.teammates))
            given = Feedback.first() if feedback is None else feedback
            result = await perform(Session(blueprint, formation, task, given, tell))
            tell(TeamStopped(result))
            return result

    @contextmanager
    def _working(self) -> Generator[None]:
        """Hold the team for one task."""
        with self._lock:
            if self._state is not _State.STARTED:
                raise TeamStateError(
                    f"team {self.name!r} {self._state.value}; call start(), or use it in a `with`"
                )
            if self._busy:
                raise TeamBusyError(
                    f"team {self.name!r} works on another task; await that, or make another team"
                )
            self._busy = True
        try:
            yield
        finally:
            self._busy = False


def _ignore(_: Any) -> None:
    """Tell nobody."""
