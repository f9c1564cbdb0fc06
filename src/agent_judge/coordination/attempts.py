"""One try of the loop: what was made, what was decided about it, and what that took."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from agent_judge.coordination.consumption import NOTHING
from agent_judge.coordination.feedback import Feedback
from agent_judge.coordination.verdict import JudgeVerdict
from agent_judge.usage import Usage

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Produced(Generic[T]):
    """What an executor made, with what that consumed.

    An executor may return its output as it is. It returns one of these where it can also say what
    it consumed; a budget of tokens or money needs that.

    Args:
        output: What was made.
        usage: What that consumed.
    """

    output: T
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Attempt(Generic[T]):
    """One try, after it was decided about.

    Attributes:
        number: Which, from 1.
        verdict: What was decided.
        feedback: What the executor was told before.
        made: What it made; `None` where it failed, which is not the same as an output of `None`.
        error: The exception that it raised instead.
        elapsed: Seconds that it took to make.
        judging: Seconds that it took to judge.
        abandoned: A thread was left behind that could not be stopped.
        judge_calls: How often a policy was asked, the held-out one included.
        judge_usage: What they consumed, as far as their findings report it; `None` where one that
            asks a model did not.
        confirmation: What a held-out judge said of an approval; it is kept from the executor.
        candidates: Where several were made at once: all that ended, this one included.
        snapshot: The state in which it left the workspace, where that is kept.
    """

    number: int
    verdict: JudgeVerdict
    feedback: Feedback = field(default_factory=Feedback.first)
    made: Produced[T] | None = None
    error: Exception | None = field(default=None, compare=False)
    elapsed: float = field(default=0.0, compare=False)
    judging: float = field(default=0.0, compare=False)
    abandoned: bool = False
    judge_calls: int = 0
    judge_usage: Usage | None = NOTHING
    confirmation: JudgeVerdict | None = None
    candidates: tuple[Attempt[T], ...] = ()
    snapshot: str | None = None

    @property
    def has_output(self) -> bool:
        """Whether anything was made."""
        return self.made is not None

    @property
    def output(self) -> T | None:
        """What was made; `None` where nothing was."""
        return None if self.made is None else self.made.output

    @property
    def score(self) -> float:
        """The score of its verdict."""
        return self.verdict.score


def feedback_after(attempts: Sequence[Attempt[T]]) -> Feedback:
    """What the executor is told after some attempts: what was decided about the last."""
    if not attempts:
        return Feedback.first()
    before = _told(attempts[-2]) if len(attempts) > 1 else None
    return Feedback.after(_told(attempts[-1]), attempts[-1].number + 1, before)


def _told(attempt: Attempt[T]) -> JudgeVerdict:
    """The verdict, without the score of a held-out judge, by which a worker could climb."""
    verdict = attempt.verdict
    if attempt.confirmation is None:
        return verdict
    return replace(verdict, score=0.0, synthetic=True)


def best_of(attempts: Iterable[Attempt[T]]) -> Attempt[T] | None:
    """The attempt whose output is worth keeping; `None` where none made anything.

    That is the one that was approved. Else it is the one with the highest score, the earliest of
    several; a verdict that was made up counts only where there is no other.
    """
    made = [attempt for attempt in attempts if attempt.has_output]
    approved = [attempt for attempt in made if attempt.verdict.is_approved]
    judged = [attempt for attempt in made if not attempt.verdict.synthetic]
    eligible = approved[-1:] or judged or made
    return max(eligible, key=lambda attempt: attempt.score, default=None)
