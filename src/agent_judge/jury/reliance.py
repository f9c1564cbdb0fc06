"""Whether a verdict may be acted on: a reading beside it, which never rewrites it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
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

    Errors, gates that were not established and a verdict left open because its judges disagree
    are for somebody to look at, and so is PASS or FAIL on too few findings.

    Args:
        verdict: The verdict; it stays as it is.
        min_eligible: The fewest seats with a finding, PASS or FAIL, that it may rest on.
        max_errors: The most seats and stages that may have errored.

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
    decided = verdict.status in (Status.PASS, Status.FAIL)
    found = Counter(seat.judgment.status for _, seat in verdict.all_seats() if seat.verdict is None)
    doubts = [*_faults(verdict, found, max_errors), *_disagreement(verdict, found)]
    findings = found[Status.PASS] + found[Status.FAIL]
    if decided and findings < min_eligible:
        doubts.append(f"{findings} seats have a finding, {min_eligible} are needed")
    if doubts:
        return Reading(Reliance.ESCALATE, tuple(doubts))
    reliance = Reliance.RELY if decided else Reliance.ABSTAIN
    return Reading(reliance, (f"the verdict is {verdict.status.name}",))


def _faults(verdict: Verdict, found: Counter[Status], max_errors: int) -> Iterator[str]:
    """What kept judges from judging."""
    if verdict.status is Status.ERROR:
        yield "the verdict is ERROR"
    stages = tuple(verdict.stages())
    errors = found[Status.ERROR] + sum(attempt.failure is not None for _, attempt in stages)
    if errors > max_errors:
        yield f"{errors} seats or stages errored, {max_errors} are allowed"
    gates = [path for path, attempt in stages if attempt.effect is StageEffect.NOT_ESTABLISHED]
    if gates:
        yield f"not established: {', '.join(gates)}"


def _disagreement(verdict: Verdict, found: Counter[Status]) -> Iterator[str]:
    """What the judges found, where the verdict is open because they disagree."""
    if verdict.status is Status.ABSTAIN and found[Status.PASS] and found[Status.FAIL]:
        yield f"split: {found[Status.PASS]} passed, {found[Status.FAIL]} failed"
