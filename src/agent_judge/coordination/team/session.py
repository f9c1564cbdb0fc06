"""One execution of a team: who was asked for what, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Final, cast

from agent_judge.coordination.attempts import Produced
from agent_judge.coordination.executing import CALLERS_MISTAKES
from agent_judge.coordination.feedback import Feedback
from agent_judge.coordination.team.blueprint import Blueprint
from agent_judge.coordination.team.context import TeamContext, Teammate
from agent_judge.coordination.team.events import MemberEnded, MemberStarted, RoundStarted, TeamEvent
from agent_judge.coordination.team.members import AskedMember
from agent_judge.coordination.team.outcome import Outcome
from agent_judge.coordination.team.records import Contribution, ContributionStatus, MemberError
from agent_judge.coordination.team.roles import TeamFormation, TeamPhase
from agent_judge.engine.ask import PROPAGATED
from agent_judge.engine.scope import Scope
from agent_judge.engine.tasks import DeadlineError, is_cancellation, is_stray_cancellation, within
from agent_judge.usage import Usage


@dataclass(frozen=True, slots=True)
class Request:
    """What a member is to be asked.

    Attributes:
        member: Whom.
        phase: For what.
        inputs: The contributions to build on.
        task: Its part of the task; `None` for the whole.
        subtask: The name of that part.
        fault: Why its plan before could not be used.
        keep: Makes what is kept of the output.
        check: Looks at that, and raises where it cannot be used.
    """

    member: AskedMember
    phase: TeamPhase = TeamPhase.WORK
    inputs: tuple[Contribution, ...] = ()
    task: str | None = None
    subtask: str | None = None
    fault: str | None = None
    keep: Callable[[Any], Any] = lambda output: output
    check: Callable[[Any], object] = lambda _output: None


@dataclass(frozen=True, slots=True)
class _Ending:
    """What became of asking a member."""

    status: ContributionStatus
    made: Produced[Any] | None = None
    error: Exception | None = None


def _cancelled(why: str) -> _Ending:
    return _Ending(ContributionStatus.CANCELLED, error=MemberError(why))


_CANCELLED: Final = _cancelled("was cancelled before it had ended")
_LEFT: Final = _cancelled("was cancelled, did not end, and was left behind")


@dataclass(slots=True)
class Session:
    """One execution.

    Attributes:
        blueprint: The team.
        formation: How it works on this task.
        task: The task.
        feedback: What was said of the attempt before.
        tell: Is told of each event.
        rounds: How many rounds have begun.
        notes: What the reviewers said.
    """

    blueprint: Blueprint
    formation: TeamFormation
    task: str
    feedback: Feedback
    tell: Callable[[TeamEvent], None]
    rounds: int = 0
    notes: tuple[Any, ...] = ()
    _whole: Outcome | None = None
    _salvage: Callable[[], Outcome | None] = lambda: None
    _asked: list[tuple[Request, Contribution | None]] = field(
        default_factory=list[tuple[Request, Contribution | None]]
    )
    _closed: bool = False
    _transcript: list[Contribution] = field(default_factory=list[Contribution])
    _workers: tuple[Teammate, ...] = field(init=False)

    def __post_init__(self) -> None:
        self._workers = tuple([member.teammate for member in self.blueprint.workers])

    @property
    def contributions(self) -> tuple[Contribution, ...]:
        """What became of everybody who was asked, in the order of asking."""
        return tuple([one for _, one in self._asked if one is not None])

    def salvage(self, make: Callable[[], Outcome]) -> None:
        """Say what there is to show where the team's deadline passes before the work is whole."""
        self._salvage = make

    def salvaged(self) -> Outcome | None:
        """What there is to show: a whole output that was set aside, or else a part."""
        return self._whole or self._salvage()

    def set_aside(self, outcome: Outcome) -> None:
        """Keep a whole output, which is then reviewed and perhaps revised."""
        self._whole = outcome

    def close(self) -> None:
        """Say of whoever still works that it could not be stopped; what it does comes too late."""
        for place, (request, contribution) in enumerate(self._asked):
            if contribution is None:
                self._keep(request, place, _LEFT, abandoned=True)
        self._closed = True

    def begin_round(self) -> None:
        """Begin a round."""
        self.rounds += 1
        self.tell(RoundStarted(self.rounds))

    async def ask(self, request: Request) -> Contribution:
        """Ask one member; an ordinary exception, or its deadline, is a failed contribution.

        Raises:
            BaseException: What is nobody's failure, or the caller's mistake.
        """
        return await self._ask(request, self._place(request))

    async def ask_at_once(self, requests: Iterable[Request]) -> tuple[Contribution, ...]:
        """Ask several members at once; their contributions in the order of the requests."""
        async with Scope[Contribution]() as scope:
            for request in requests:
                scope.begin(self._ask(request, self._place(request)))
            return await scope.all()

    async def ask_in_turn(self, requests: Iterable[Request]) -> tuple[Contribution, ...]:
        """Ask several members one after the other."""
        return tuple([await self.ask(request) for request in requests])

    def skip(self, request: Request, why: str) -> Contribution:
        """Leave a member unasked."""
        ending = _Ending(ContributionStatus.SKIPPED, error=MemberError(why))
        return self._keep(request, self._place(request), ending)

    def _place(self, request: Request) -> int:
        """A place among the contributions, which are kept in the order of asking."""
        self._asked.append((request, None))
        return len(self._asked) - 1

    async def _ask(self, request: Request, place: int) -> Contribution:
        member, began = request.member, perf_counter()
        left: list[bool] = []
        self.tell(
            MemberStarted(member.name, member.role, request.phase, self.rounds, request.subtask)
        )
        try:
            ending = await self._ending(request, left)
        except BaseException as raised:
            if is_cancellation(raised):
                self._keep(request, place, _CANCELLED, perf_counter() - began, any(left))
            raise
        return self._keep(request, place, ending, perf_counter() - began, any(left))

    async def _ending(self, request: Request, left: list[bool]) -> _Ending:
        """What becomes of asking a member, its failure as a value."""
        member = request.member
        task = self.task if request.task is None else request.task
        try:
            work = member.call(task, self._context(request), left.append)
            said = await within(member.timeout, work)
        except (*PROPAGATED, *CALLERS_MISTAKES):
            raise
        except Exception as raised:  # noqa: BLE001 - whatever an agent raises is its failure
            if isinstance(raised, DeadlineError) and member.timeout is not None:
                left.append(raised.left_behind)
                return _late(member.timeout)
            return _Ending(ContributionStatus.FAILED, error=raised)
        except BaseException as raised:
            if not is_stray_cancellation(raised):
                raise
            error = MemberError("raised CancelledError without having been cancelled")
            return _Ending(ContributionStatus.FAILED, error=error)
        return _read(said, request)

    def _context(self, request: Request) -> TeamContext:
        blueprint, member = self.blueprint, request.member
        return TeamContext(
            blueprint.name,
            blueprint.mission,
            self.task,
            member.name,
            member.role,
            request.phase,
            self.formation,
            self.rounds,
            self._workers,
            request.inputs,
            tuple(self._transcript),
            None if self._whole is None else self._whole.output,
            self.notes,
            self.feedback,
            request.fault,
        )

    def _keep(
        self,
        request: Request,
        place: int,
        ending: _Ending,
        elapsed: float = 0.0,
        abandoned: bool = False,
    ) -> Contribution:
        contribution = Contribution(
            request.member.name,
            request.member.role,
            request.phase,
            ending.status,
            self.rounds,
            len(self._transcript) + 1,
            ending.made,
            ending.error,
            elapsed,
            request.subtask,
            abandoned,
        )
        if not self._closed:
            self._asked[place] = request, contribution
            self._transcript.append(contribution)
            self.tell(MemberEnded(contribution))
        return contribution


def _late(seconds: float) -> _Ending:
    error = MemberError(f"did not end within {seconds:.3g} s")
    return _Ending(ContributionStatus.TIMED_OUT, error=error)


def _read(said: Any, request: Request) -> _Ending:
    """What was made, refused where a function that looks at it raises."""
    made: Produced[Any] = cast("Any", said) if isinstance(said, Produced) else Produced(said)
    if not isinstance(made.usage, Usage | None):
        error = MemberError(f"said that it consumed {made.usage!r:.120}, which is no Usage")
        return _Ending(ContributionStatus.FAILED, error=error)
    try:
        made = replace(made, output=request.keep(made.output))
        request.check(made.output)
    except Exception as fault:  # noqa: BLE001 - it reads what an agent said
        return _Ending(ContributionStatus.REFUSED, made, fault)
    return _Ending(ContributionStatus.DONE, made)
