"""Why a loop ends, and rules that end it before its attempts are used up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Protocol

from agent_judge.context import JudgmentContext
from agent_judge.coordination.attempts import Attempt
from agent_judge.coordination.errors import PolicyContractError
from agent_judge.engine.ask import bounded_repr
from agent_judge.errors import ArgumentError


class StopReason(Enum):
    """Why a loop ended.

    ATTEMPTS_EXHAUSTED: the last attempt was not approved, whether it was rejected or not.
    REJECTED: an earlier one was rejected. BUDGET: the next attempt could not have been paid, or
    not have been judged. POLICY_FAILED and CANCELLED: an exception left the loop; it carries the
    result so far.
    """

    APPROVED = "approved"
    REJECTED = "rejected"
    ATTEMPTS_EXHAUSTED = "attempts_exhausted"
    TIMED_OUT = "timed_out"
    BUDGET = "budget"
    PLATEAU = "plateau"
    UNCHANGED = "unchanged"
    OSCILLATION = "oscillation"
    REPEATED_FAILURE = "repeated_failure"
    ESCALATED = "escalated"
    POLICY_FAILED = "policy_failed"
    CANCELLED = "cancelled"


class StopRule(Protocol):
    """Says when going on is pointless: a pure function of the attempts so far."""

    def __call__(self, attempts: Sequence[Attempt[Any]], /) -> StopReason | None:
        """Why to stop now; `None` to go on. The last attempt was not approved."""
        ...


@dataclass(frozen=True, slots=True)
class Plateau:
    """Stops when the best score has not risen for some attempts.

    A judge that gives the same work another score each time makes scores rise by chance: a rise
    counts only where it is more than `noise`.

    Args:
        patience: How many attempts may pass without a rise.
        noise: How far the scores of the same work lie apart, for example twice the standard
            deviation of repeated judgments.

    Example:
        >>> Plateau(patience=2, noise=0.05)
        Plateau(patience=2, noise=0.05)
    """

    patience: int = 2
    noise: float = 0.0

    def __post_init__(self) -> None:
        _check_count(self.patience, "patience", 1)
        if not 0 <= self.noise < 1:
            raise ArgumentError(f"noise must lie in 0..1, got {self.noise!r}")

    def __call__(self, attempts: Sequence[Attempt[Any]], /) -> StopReason | None:
        """Stop where the last attempts brought nothing."""
        scores = [attempt.score for attempt in attempts if not attempt.verdict.synthetic]
        if len(scores) <= self.patience:
            return None
        before, since = max(scores[: -self.patience]), max(scores[-self.patience :])
        return None if since > before + self.noise else StopReason.PLATEAU


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Stops when the agent makes the same again, so that the same would be said of it.

    Args:
        times: How many equal outputs in a row are enough.
    """

    times: int = 2

    def __post_init__(self) -> None:
        _check_count(self.times, "times", 2)

    def __call__(self, attempts: Sequence[Attempt[Any]], /) -> StopReason | None:
        """Stop where the last outputs are equal."""
        last = attempts[-self.times :]
        if len(last) < self.times or not all(attempt.has_output for attempt in last):
            return None
        same = all(_is_same(last[0], attempt) for attempt in last[1:])
        return StopReason.UNCHANGED if same else None


@dataclass(frozen=True, slots=True)
class Oscillation:
    """Stops when the agent goes round in circles: A, B, A, B.

    Args:
        longest: The most different outputs that a circle may have.
    """

    longest: int = 3

    def __post_init__(self) -> None:
        _check_count(self.longest, "longest", 2)

    def __call__(self, attempts: Sequence[Attempt[Any]], /) -> StopReason | None:
        """Stop where the last outputs repeat those before them, and are not all the same."""
        for period in range(2, self.longest + 1):
            last, before = attempts[-period:], attempts[-2 * period : -period]
            if len(before) == period and _repeats(before, last):
                return StopReason.OSCILLATION
        return None


@dataclass(frozen=True, slots=True)
class RepeatedFailure:
    """Stops when attempts keep failing in the same way: the same exception, or the same reason.

    Where the score rises meanwhile, the same words are no standstill.

    Args:
        times: How many in a row are enough.
    """

    times: int = 3

    def __post_init__(self) -> None:
        _check_count(self.times, "times", 2)

    def __call__(self, attempts: Sequence[Attempt[Any]], /) -> StopReason | None:
        """Stop where the last attempts failed alike."""
        last = attempts[-self.times :]
        failures = {(attempt.verdict.reason, attempt.verdict.suggestions) for attempt in last}
        repeated = len(last) == self.times and len(failures) == 1
        rising = repeated and max(attempt.score for attempt in last) > last[0].score
        return StopReason.REPEATED_FAILURE if repeated and not rising else None


_NO_RULES_WORD: Final = (StopReason.APPROVED, StopReason.POLICY_FAILED, StopReason.CANCELLED)


def first_reason(rules: Sequence[StopRule], attempts: Sequence[Attempt[Any]]) -> StopReason | None:
    """What the first rule says that ends the loop.

    Raises:
        PolicyContractError: A rule said what only the loop itself can know, or no `StopReason`.
    """
    for rule in rules:
        reason: object = rule(attempts)
        if reason is None:
            continue
        if not isinstance(reason, StopReason) or reason in _NO_RULES_WORD:
            raise PolicyContractError(
                f"the rule {bounded_repr(rule)} returned {bounded_repr(reason)}; return None to go "
                "on, or why the loop stops without an approval, such as StopReason.PLATEAU"
            )
        return reason
    return None


def _repeats(before: Sequence[Attempt[Any]], last: Sequence[Attempt[Any]]) -> bool:
    pairs = zip(before, last, strict=True)
    if not all(old.has_output and new.has_output and _is_same(old, new) for old, new in pairs):
        return False
    return not all(_is_same(last[0], attempt) for attempt in last[1:])


def _is_same(one: Attempt[Any], other: Attempt[Any]) -> bool:
    """Whether two outputs are equal; what cannot say so is not."""
    if one.snapshot is not None and one.snapshot != other.snapshot:
        return False
    try:
        return bool(_compared(one.output) == _compared(other.output))
    except Exception:  # noqa: BLE001 - values compare as they like, an array not at all
        return False


def _compared(output: object) -> object:
    """What of an output makes it another; how long a run took does not."""
    if isinstance(output, JudgmentContext):
        return output.output, output.tool_calls, output.status
    return output


def _check_count(count: object, name: str, least: int) -> None:
    if type(count) is not int or count < least:
        raise ArgumentError(f"{name} must be a whole number from {least} up, got {count!r}")
