"""What a coordinator was told, checked where it is built."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from agent_judge.coordination.acceptance import Acceptance
from agent_judge.coordination.budget import Budget
from agent_judge.coordination.candidates import Choice, check_candidates
from agent_judge.coordination.events import LoopEvent
from agent_judge.coordination.executing import AskedExecutor
from agent_judge.coordination.journal import Journal
from agent_judge.coordination.result import CoordinationResult
from agent_judge.coordination.stops import StopRule
from agent_judge.coordination.verdict import JudgeVerdict
from agent_judge.coordination.workspaces.keeping import Keeping
from agent_judge.coordination.workspaces.records import WorkspaceKeeper
from agent_judge.engine import check_seconds, check_timeout
from agent_judge.errors import ArgumentError, ArgumentTypeError

T = TypeVar("T")

Observer: TypeAlias = Callable[[LoopEvent], Awaitable[None] | None]
"""Is told of each event, in order; what it raises leaves the loop."""

Escalate: TypeAlias = Callable[
    [CoordinationResult[Any]], JudgeVerdict | Awaitable[JudgeVerdict | None] | None
]
"""Is asked about a result that was not approved; its verdict closes the loop, `None` leaves it."""


@dataclass(frozen=True, slots=True)
class Plan(Generic[T]):
    """What a coordinator was told, once and for all its runs.

    Attributes:
        executor: Makes the attempts.
        acceptance: Decides about them.
        max_attempts: How many there are at most.
        timeout: Seconds after which no further attempt begins.
        attempt_timeout: Seconds after which an attempt is stopped.
        interrupt: Whether the timeout also stops the attempt under way.
        candidates: How many are made at once in an attempt.
        choose: Whether the first approved one is taken, or the best when all are there.
        stop_when: Rules that end the loop early.
        budget: What it may consume.
        keeper: Keeps the states of the workspace that the agent works in.
        keeping: What each attempt is to find there.
        rejudge: Whether the best output is judged once more at the end, afresh.
        escalate: Who is asked about a result that was not approved.
        journal: Where each step is written down.
        observers: Who is told of each event.
        clock: Counts seconds.
    """

    executor: AskedExecutor[T]
    acceptance: Acceptance
    max_attempts: int
    timeout: float | None
    attempt_timeout: float | None
    interrupt: bool
    candidates: int
    choose: Choice
    stop_when: tuple[StopRule, ...]
    budget: Budget | None
    keeper: WorkspaceKeeper | None
    keeping: Keeping
    rejudge: bool
    escalate: Escalate | None
    journal: Journal | None
    observers: tuple[Observer, ...]
    clock: Callable[[], float]

    def __post_init__(self) -> None:
        check_timeout(self.timeout)
        if self.attempt_timeout is not None:
            check_seconds(self.attempt_timeout, "attempt_timeout")
        check_candidates(self.candidates, self.choose)
        self._check_types()
        self._check_what_belongs_together()

    def _check_types(self) -> None:
        if not isinstance(self.keeping, Keeping):
            raise ArgumentTypeError(f"keeping must be a Keeping, not {self.keeping!r:.120}")
        for name, kind in (("budget", Budget), ("journal", Journal)):
            given = getattr(self, name)
            if given is not None and not isinstance(given, kind):
                raise ArgumentTypeError(f"{name} must be a {kind.__name__}, not {given!r:.120}")
        for name in ("interrupt", "rejudge"):
            if type(getattr(self, name)) is not bool:
                raise ArgumentTypeError(f"{name} must be True or False")
        for name, function in (("escalate", self.escalate), ("clock", self.clock)):
            if function is not None and not callable(function):
                raise ArgumentTypeError(f"{name} must be a function, not {function!r:.120}")
        if self.keeper is not None and not callable(getattr(self.keeper, "snapshot", None)):
            raise ArgumentTypeError(
                f"workspace must be a WorkspaceKeeper such as GitKeeper(folder), "
                f"not {self.keeper!r:.120}"
            )

    def _check_what_belongs_together(self) -> None:
        if self.keeper is not None and self.candidates > 1:
            raise ArgumentError(
                "candidates are made at once, and would disturb each other in one workspace; "
                "leave workspace out, or make one at a time"
            )
        if self.keeper is None and self.keeping is not Keeping.KEEP:
            raise ArgumentError(
                f"keeping={self.keeping} needs a workspace to keep; give it as well"
            )
        if self.interrupt and self.timeout is None:
            raise ArgumentError(
                "interrupt lets the timeout stop an attempt; give a timeout as well"
            )


def functions(
    given: Callable[..., Any] | Iterable[Callable[..., Any]], name: str
) -> tuple[Any, ...]:
    """One function or several, as a tuple.

    Raises:
        ArgumentTypeError: Something else.
    """
    if callable(given):
        return (given,)
    found = tuple(given) if isinstance(given, Iterable) else (given,)
    if not all(map(callable, found)):
        raise ArgumentTypeError(f"{name} must be a function or several, not {given!r:.120}")
    return found
