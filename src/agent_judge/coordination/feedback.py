"""What an executor is told about the attempt before: suggestions, as a tuple of strings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from agent_judge.coordination.verdict import JudgeVerdict


class Feedback(tuple[str, ...]):  # noqa: SLOT001 - CPython allows a tuple no slots
    """The suggestions of the previous attempt alone; nothing accumulates.

    It is a tuple of strings, empty on the first attempt, that also says which attempt it is for.
    So an executor can tell a first call from a retry for which nobody had a suggestion.

    Attributes:
        attempt: The number of the attempt that is to be made, from 1.
        verdict: What was decided about the attempt before; `None` on the first.
        before: What was decided about the one before that, so that what fails again can be told.

    Example:
        >>> feedback = Feedback.after(JudgeVerdict.retry("too long", 0.5, ["Shorten it."]), 2)
        >>> feedback, feedback.attempt, feedback.is_retry
        (('Shorten it.',), 2, True)
        >>> Feedback.first().is_retry
        False
    """

    attempt: int
    verdict: JudgeVerdict | None
    before: JudgeVerdict | None

    def __new__(
        cls,
        suggestions: Iterable[str] = (),
        attempt: int = 1,
        verdict: JudgeVerdict | None = None,
        before: JudgeVerdict | None = None,
    ) -> Self:
        """Make feedback for an attempt; see `first` and `after`."""
        feedback = super().__new__(cls, suggestions)
        feedback.attempt = attempt
        feedback.verdict = verdict
        feedback.before = before
        return feedback

    @classmethod
    def first(cls) -> Self:
        """The feedback of a first attempt: none."""
        return cls()

    @classmethod
    def after(cls, verdict: JudgeVerdict, attempt: int, before: JudgeVerdict | None = None) -> Self:
        """The feedback of an attempt that follows a verdict."""
        return cls(verdict.suggestions, attempt, verdict, before)

    @property
    def is_retry(self) -> bool:
        """Whether an attempt was made before."""
        return self.verdict is not None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (tuple(self), self.attempt, self.verdict, self.before)
