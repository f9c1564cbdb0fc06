"""What happens in a loop, as it happens: the events that `stream` gives and observers get."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from agent_judge.coordination.attempts import Attempt, Produced
from agent_judge.coordination.feedback import Feedback
from agent_judge.coordination.result import CoordinationResult

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LoopStarted:
    """A loop begins.

    Attributes:
        agent_id: Who works.
        max_attempts: How many attempts there are at most.
        run_id: What the run is called, where it is kept in a journal.
    """

    agent_id: str
    max_attempts: int
    run_id: str | None = None


@dataclass(frozen=True, slots=True)
class AttemptStarted:
    """The executor is about to be called."""

    number: int
    feedback: Feedback


@dataclass(frozen=True, slots=True)
class AttemptExecuted(Generic[T]):
    """The executor returned, or failed.

    Attributes:
        number: The attempt.
        made: What it made; `None` where it failed.
        error: What it raised instead.
        elapsed: Seconds that it took.
    """

    number: int
    made: Produced[T] | None
    error: Exception | None
    elapsed: float


@dataclass(frozen=True, slots=True)
class AttemptJudged(Generic[T]):
    """An attempt was decided about."""

    attempt: Attempt[T]


@dataclass(frozen=True, slots=True)
class LoopStopped(Generic[T]):
    """A loop ended; it is the last event of each."""

    result: CoordinationResult[T]


LoopEvent: TypeAlias = (
    LoopStarted | AttemptStarted | AttemptExecuted[Any] | AttemptJudged[Any] | LoopStopped[Any]
)
"""Everything that an observer may be given."""
