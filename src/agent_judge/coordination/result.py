"""What a loop ends with: every attempt, the last word, and the output worth keeping."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar, cast

from agent_judge.coordination.attempts import Attempt, Produced, best_of
from agent_judge.coordination.errors import NotApprovedError
from agent_judge.coordination.stops import StopReason
from agent_judge.coordination.verdict import JudgeVerdict

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CoordinationResult(Generic[T]):
    """A loop that ended.

    Attributes:
        agent_id: Who worked.
        attempts: Every attempt that was decided about.
        stop_reason: Why the loop ended.
        duration: Seconds from begin to end.
        closing: A verdict after the last attempt: that the time had passed, or what a person said.
        fresh: What the policy said when it was asked about the best output once more, afresh.
        unjudged: What was made and not decided about, where an exception ended the loop.
        run_id: What the run is called, where it is kept in a journal.
    """

    agent_id: str
    attempts: tuple[Attempt[T], ...]
    stop_reason: StopReason
    duration: float = field(compare=False)
    closing: JudgeVerdict | None = None
    fresh: JudgeVerdict | None = None
    unjudged: Produced[T] | None = None
    run_id: str | None = None

    @property
    def verdict_history(self) -> tuple[JudgeVerdict, ...]:
        """The verdict of each attempt, and the closing one if there is one."""
        closing = () if self.closing is None else (self.closing,)
        return (*(attempt.verdict for attempt in self.attempts), *closing)

    @property
    def final_verdict(self) -> JudgeVerdict:
        """The last verdict.

        Raises:
            LookupError: There is none: an exception ended the loop before its first.
        """
        history = self.verdict_history
        if not history:
            raise LookupError("the loop ended before anything was decided")
        return history[-1]

    @property
    def iterations(self) -> int:
        """How many attempts were made and decided about."""
        return len(self.attempts)

    @property
    def is_approved(self) -> bool:
        """Whether the last verdict is an approval."""
        return bool(self.verdict_history) and self.final_verdict.is_approved

    @property
    def score(self) -> float:
        """The score of the last verdict; that of the output that is returned is `best.score`."""
        return self.final_verdict.score

    @property
    def best(self) -> Attempt[T] | None:
        """The attempt whose output is returned; `None` where no attempt made anything."""
        return best_of(self.attempts)

    @property
    def has_output(self) -> bool:
        """Whether there is an output, which may be `None`."""
        return self.best is not None

    @property
    def output(self) -> T | None:
        """The approved output, or else the best one; `None` where there is none."""
        best = self.best
        return None if best is None else best.output

    def report(
        self, *, false_pass_rate: float | None = None, confirm_false_pass_rate: float = 1.0
    ) -> str:
        """The loop in words, a line for each attempt.

        Args:
            false_pass_rate: How often the judge passes work that should fail, where that is
                known: the account then says how likely it was that hopeless work is approved.
            confirm_false_pass_rate: The same of the held-out judge.

        Raises:
            ArgumentError: A rate outside 0..1.
        """
        from agent_judge.coordination.account import account

        return account(self, false_pass_rate, confirm_false_pass_rate)

    def unwrap(self) -> T:
        """The approved output.

        Raises:
            NotApprovedError: It was not approved; the error carries this result.
        """
        if not self.is_approved:
            why = self.final_verdict.reason if self.verdict_history else "nothing was decided"
            from agent_judge.coordination.account import counted

            raise NotApprovedError(
                f"not approved after {counted(self.iterations)} ({self.stop_reason.value}): {why}",
                self,
            )
        return cast("T", self.output)
