"""What a policy decides about one attempt: approve it, have it tried again, or reject it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import check_text
from agent_judge.judgment import Judgment
from agent_judge.jury.verdict import Verdict


class Decision(Enum):
    """What the loop does next."""

    APPROVE = "approve"
    RETRY = "retry"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """A policy's decision about one attempt; what a jury answers is a `Verdict`.

    The decision rules, whatever the score: an approval with score 0 is an approval.

    Args:
        decision: What the loop does next.
        reason: Why, for people.
        score: Quality between 0 and 1.
        suggestions: What to change in the next attempt; they are the next attempt's feedback.
        synthetic: The loop or the policy made it up where nobody judged: the attempt failed, the
            time had passed, or the judge's answer could not be read.
        finding: What the judges behind the policy found, where there are any. Feedback for the
            agent is made of it by a formatter, which never shows weights or thresholds.

    Raises:
        ArgumentError: A score outside 0..1.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> verdict = JudgeVerdict.retry("two tests fail", 0.5, ["Mend test_parse."])
        >>> verdict.is_approved, verdict.suggestions
        (False, ('Mend test_parse.',))
    """

    decision: Decision
    reason: str
    score: float
    suggestions: tuple[str, ...] = ()
    synthetic: bool = False
    finding: Judgment | Verdict | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.decision, Decision):
            raise ArgumentTypeError(f"decision must be a Decision, not {self.decision!r:.120}")
        check_text(self.reason, "reason")
        _check_score(self.score)
        object.__setattr__(self, "score", float(self.score))
        object.__setattr__(self, "suggestions", _checked_suggestions(self.suggestions))
        if type(self.synthetic) is not bool:
            raise ArgumentTypeError(f"synthetic must be True or False, not {self.synthetic!r:.120}")
        if not isinstance(self.finding, Judgment | Verdict | None):
            raise ArgumentTypeError(
                f"finding must be a Judgment or a Verdict, not {self.finding!r:.120}"
            )

    @classmethod
    def approve(cls, reason: str, score: float) -> JudgeVerdict:
        """The work is done."""
        return cls(Decision.APPROVE, reason, score)

    @classmethod
    def retry(cls, reason: str, score: float, suggestions: Iterable[str] = ()) -> JudgeVerdict:
        """The work is not done; try again with these suggestions."""
        return cls(Decision.RETRY, reason, score, _as_tuple(suggestions))

    @classmethod
    def reject(cls, reason: str, score: float, suggestions: Iterable[str] = ()) -> JudgeVerdict:
        """The work is not done, and another attempt is not wanted."""
        return cls(Decision.REJECT, reason, score, _as_tuple(suggestions))

    @property
    def is_approved(self) -> bool:
        """Whether the decision is APPROVE."""
        return self.decision is Decision.APPROVE

    def as_synthetic(self) -> JudgeVerdict:
        """The same, marked as made up where nobody judged."""
        return replace(self, synthetic=True)

    def with_finding(self, finding: Judgment | Verdict) -> JudgeVerdict:
        """The same, with what the judges behind it found."""
        return replace(self, finding=finding)


def _check_score(score: object) -> None:
    if type(score) not in (int, float):
        raise ArgumentTypeError(f"score must be a number between 0 and 1, not {score!r:.120}")
    if not 0 <= score <= 1:  # type: ignore[operator]
        raise ArgumentError(f"score must be between 0 and 1, got {score}")


def _as_tuple(suggestions: Iterable[str]) -> tuple[str, ...]:
    return suggestions if isinstance(suggestions, str) else tuple(suggestions)  # type: ignore[return-value]


def _checked_suggestions(suggestions: Iterable[str]) -> tuple[str, ...]:
    if isinstance(suggestions, str) or not isinstance(suggestions, Iterable):
        raise ArgumentTypeError(
            f"suggestions must be a sequence of strings, not {suggestions!r:.120}"
        )
    checked = tuple(suggestions)
    for index, suggestion in enumerate(checked):
        check_text(suggestion, f"suggestions[{index}]")
    return checked
