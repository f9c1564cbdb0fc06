"""Best of n: several candidates made and judged at once in one attempt."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, Protocol, TypeAlias, TypeVar

from agent_judge.coordination.attempts import Attempt, best_of
from agent_judge.coordination.executing import Execution
from agent_judge.coordination.feedback import Feedback
from agent_judge.engine.doors import needs_loop
from agent_judge.engine.run import Run
from agent_judge.engine.tasks import race
from agent_judge.errors import ArgumentError
from agent_judge.usage import Usage

T = TypeVar("T")

Choice: TypeAlias = Literal["first", "best"]
"""Whether the first candidate that is approved is taken, and the others are cancelled; or the best
one when all are there."""


class Trying(Protocol[T]):
    """A loop that can make and judge candidates."""

    @property
    def run(self) -> Run:
        """The call from outside that it belongs to."""
        ...

    @property
    def candidates(self) -> tuple[int, Choice]:
        """How many there are to be, and which is taken."""
        ...

    async def make(self, feedback: Feedback) -> Execution[T]:
        """Make one."""
        ...

    async def judge(self, number: int, feedback: Feedback, execution: Execution[T]) -> Attempt[T]:
        """Decide about one."""
        ...


async def best_candidate(loop: Trying[T], number: int, feedback: Feedback) -> Attempt[T]:
    """Make and judge several candidates at once; the one that is taken, with all that ended."""
    many, choose = loop.candidates

    async def one() -> Attempt[T]:
        return await loop.judge(number, feedback, await loop.make(feedback))

    def decides(attempt: Attempt[T]) -> bool:
        return choose == "first" and attempt.verdict.is_approved

    await needs_loop(loop.run)
    results = await race([one() for _ in range(many)], decides)
    ended = [attempt for attempt in results if attempt is not None]
    return replace(
        chosen(ended),
        candidates=tuple(ended),
        elapsed=max(attempt.elapsed for attempt in ended),
        judging=max(attempt.judging for attempt in ended),
        judge_calls=sum(attempt.judge_calls for attempt in ended),
        judge_usage=_together([attempt.judge_usage for attempt in ended]),
    )


def chosen(ended: list[Attempt[T]]) -> Attempt[T]:
    """The approved one with the highest score, or else the best one, the earliest of several."""
    approved = [attempt for attempt in ended if attempt.verdict.is_approved]
    return max(approved, key=lambda attempt: attempt.score, default=None) or (
        best_of(ended) or ended[0]
    )


def _together(used: list[Usage | None]) -> Usage | None:
    """The sum; `None` where a part was not reported."""
    return None if None in used else Usage.total(filter(None, used))


def check_candidates(many: object, choose: object) -> None:
    """Refuse a number of candidates that is none, or another word.

    Raises:
        ArgumentError: It is.
    """
    if type(many) is not int or many < 1:
        raise ArgumentError(f"candidates must be a whole number from 1 up, got {many!r}")
    if choose not in ("first", "best"):
        raise ArgumentError(f"choose is 'first' or 'best', not {choose!r}")
