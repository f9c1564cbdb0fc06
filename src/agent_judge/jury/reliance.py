"""Whether a verdict may be acted on: a reading beside it, which never rewrites it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from agent_judge.errors import ArgumentError
from agent_judge.judgment import Status
from agent_judge.jury.verdict import StageEffect, Verdict


class Reliance(Enum):
    """What to do with a verdict.

    RELY: act on it. ABSTAIN: it decides nothing, and nobody needs to look. ESCALATE: a person or
    a costlier judge should look.
    """

    RELY = "rely"
    ABSTAIN = "abstain"
    ESCALATE = "escalate"


@dataclass(frozen=True, slots=True)
class Reading:
    """What to do with a verdict, and why."""

    reliance: Reliance
    reasons: tuple[str, ...]


def read_reliance(verdict: Verdict, *, min_eligible: int, max_errors: int = 0) -> Reading:
    """Say whether a verdict may be acted on.

    Args:
        verdict: The verdict; it stays as it is.
        min_eligible: The fewest seats with a finding, PASS or FAIL, that it may rest on.
        max_errors: The most seats that may have errored.

    Raises:
        ArgumentError: A bound below its least value.

    Example:
        >>> from agent_judge import Judgment, JudgmentContext, Jury
        >>> verdict = Jury([lambda c: Judgment.passing()]).vote(JudgmentContext())
        >>> read_reliance(verdict, min_eligible=2).reliance.name
        'ESCALATE'
    """
    if min_eligible < 1 or max_errors < 0:
        raise ArgumentError("min_eligible counts from 1 up, and max_errors from 0 up")
    if verdict.status in (Status.ABSTAIN, Status.NOT_APPLICABLE):
        return Reading(Reliance.ABSTAIN, (f"the verdict is {verdict.status.name}",))
    doubts = tuple(_doubts(verdict, min_eligible, max_errors))
    if doubts:
        return Reading(Reliance.ESCALATE, doubts)
    return Reading(Reliance.RELY, (f"the verdict is {verdict.status.name}",))


def _doubts(verdict: Verdict, min_eligible: int, max_errors: int) -> list[str]:
    seats = [seat for _, seat in verdict.all_seats() if seat.verdict is None]
    found = sum(seat.judgment.status in (Status.PASS, Status.FAIL) for seat in seats)
    errors = sum(seat.judgment.status is Status.ERROR for seat in seats)
    open_gates = [
        path for path, attempt in verdict.stages() if attempt.effect is StageEffect.NOT_ESTABLISHED
    ]
    doubts = ["the verdict is ERROR"] if verdict.status is Status.ERROR else []
    if found < min_eligible:
        doubts.append(f"{found} seats have a finding, {min_eligible} are needed")
    if errors > max_errors:
        doubts.append(f"{errors} seats errored, {max_errors} are allowed")
    if open_gates:
        doubts.append(f"not established: {', '.join(open_gates)}")
    return doubts
