"""The account of a loop in words, and how far its approval can be trusted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from agent_judge.coordination.stops import StopReason
from agent_judge.errors import ArgumentError
from agent_judge.judges.showing import shown

if TYPE_CHECKING:
    from agent_judge.coordination.attempts import Attempt
    from agent_judge.coordination.result import CoordinationResult
    from agent_judge.coordination.verdict import JudgeVerdict


def chance_of_false_approval(
    false_pass_rate: float, attempts: int, confirm_false_pass_rate: float = 1.0
) -> float:
    """The probability that a loop approves work that is hopeless in every attempt.

    That is 1 - (1 - p)^n for n independent judgments, each of which lets such work pass with
    probability p: that of the judge, times that of a held-out judge which has to agree.

    Args:
        false_pass_rate: How often the judge passes work that should fail, in 0..1.
        attempts: How many outputs it judged.
        confirm_false_pass_rate: The same of the held-out judge; 1 without one.

    Raises:
        ArgumentError: A rate outside 0..1, or fewer than no attempts.

    Example:
        >>> round(chance_of_false_approval(0.2, 5), 3)
        0.672
        >>> round(chance_of_false_approval(0.2, 5, 0.1), 3)
        0.096
    """
    for name, rate in (
        ("false_pass_rate", false_pass_rate),
        ("confirm_false_pass_rate", confirm_false_pass_rate),
    ):
        if type(rate) not in (int, float) or not 0 <= rate <= 1:
            raise ArgumentError(f"{name} must lie in 0..1, got {rate!r}")
    if type(attempts) is not int or attempts < 0:
        raise ArgumentError(f"attempts must be a whole number from 0 up, got {attempts!r}")
    return 1.0 - (1.0 - false_pass_rate * confirm_false_pass_rate) ** attempts


def account(
    result: CoordinationResult[Any],
    false_pass_rate: float | None,
    confirm_false_pass_rate: float,
) -> str:
    """The account of a result, a line for each attempt."""
    return "\n".join(_lines(result, false_pass_rate, confirm_false_pass_rate))


def _lines(
    result: CoordinationResult[Any], rate: float | None, confirm_rate: float
) -> Iterator[str]:
    outcome = "approved" if result.is_approved else "not approved"
    why = "" if result.stop_reason is StopReason.APPROVED else f" ({result.stop_reason.value})"
    yield (
        f"{shown(result.agent_id)}: {outcome} after {counted(result.iterations)}{why}, "
        f"{result.duration:.3g} s"
    )
    for attempt in result.attempts:
        yield _line(attempt, attempt is result.best)
    if result.closing is not None:
        yield f"  then: {_said(result.closing)}  {_one(result.closing.reason)}"
    if result.fresh is not None:
        yield f"  judged afresh: {_said(result.fresh)}"
    if rate is not None:
        judged = sum(_judged(attempt) for attempt in result.attempts)
        chance = chance_of_false_approval(rate, judged, confirm_rate)
        yield (
            f"  Hopeless work would have been approved by now with a probability of {chance:.1%}: "
            f"{judged} judgments, each of which passes it with {rate * confirm_rate:.1%}."
        )


def _line(attempt: Attempt[Any], best: bool) -> str:
    verdict = attempt.verdict
    marks = "".join(
        mark
        for mark, applies in (
            (", made up", verdict.synthetic),
            (", not confirmed", attempt.confirmation and not attempt.confirmation.is_approved),
            (", kept", best),
        )
        if applies
    )
    return f"  {attempt.number}. {_said(verdict)}{marks}  {_one(verdict.reason)}"


def _said(verdict: JudgeVerdict) -> str:
    return f"{verdict.decision.value.upper()} {verdict.score:.2f}"


def _judged(attempt: Attempt[Any]) -> int:
    """How many outputs of an attempt were judged."""
    tries = attempt.candidates or (attempt,)
    return sum(one.has_output for one in tries)


def counted(attempts: int) -> str:
    """A number of attempts in words."""
    return "1 attempt" if attempts == 1 else f"{attempts} attempts"


def _one(text: str, limit: int = 100) -> str:
    """A text on one line that a terminal can show, cut where it is too long."""
    line = " ".join(text[: 4 * limit].split())
    cut = len(line) > limit or len(text) > 4 * limit
    return f"{shown(line[:limit])}…" if cut else shown(line) if line else ""
