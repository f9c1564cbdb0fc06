"""What the rule of a tier makes of the tier's verdict: stop, go on, and with which reservation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judgment import (
    HOLLOW,
    Judgment,
    Status,
    check_threshold,
    is_hollow,
    with_evidence,
)
from agent_judge.jury.tally import LIBRARY_CODES
from agent_judge.jury.verdict import Seat, StageEffect, Verdict


class TierPolicy(Enum):
    """When a tier settles the cascade.

    REJECT_ON_ANY_FAIL: one failing judge stops with FAIL, whatever the aggregate. A judge that
    errors leaves the gate not established: later tiers run, and cannot pass the run.
    ACCEPT_ON_ALL_PASS: stops with PASS when every judge that applies passes and there is one.
    FINAL_TIER: the tier's own aggregate is the verdict.
    """

    REJECT_ON_ANY_FAIL = "reject_on_any_fail"
    ACCEPT_ON_ALL_PASS = "accept_on_all_pass"
    FINAL_TIER = "final_tier"


Confidence: TypeAlias = Callable[[Verdict], float]
"""How certain a verdict is, in 0..1."""

CONFIDENCE_GATE: Final = "confidence_gate"
"""What evidence and configuration call a `ConfidenceGate`."""


@dataclass(frozen=True, slots=True)
class ConfidenceGate:
    """Settles the cascade with the tier's own aggregate when that is certain enough.

    Args:
        bar: The confidence in 0..1 that suffices; below it the next tier is asked.
        confidence: How certain a verdict is, in 0..1, calibrated by whoever gives it.

    Raises:
        ArgumentError: A bar outside 0..1.
        ArgumentTypeError: A confidence that is not a function.
    """

    bar: float
    confidence: Confidence

    def __post_init__(self) -> None:
        check_threshold(self.bar, "bar")
        if not callable(self.confidence):
            raise ArgumentTypeError(f"confidence must be a function, not {self.confidence!r}")

    @property
    def value(self) -> str:
        """What evidence calls it."""
        return CONFIDENCE_GATE


Gate: TypeAlias = TierPolicy | ConfidenceGate


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a gate says of a verdict.

    Attributes:
        effect: What it does to the cascade.
        status: PASS or FAIL laid down when the gate itself decides; `None` when the tier's
            aggregate stands.
        note: Who failed, errored or abstained.
    """

    effect: StageEffect
    status: Status | None = None
    note: str = ""


def apply_gate(gate: Gate, verdict: Verdict) -> Outcome:
    """What the gate of a tier says of the tier's verdict.

    Raises:
        ArgumentError: A confidence outside 0..1.
    """
    match gate:
        case TierPolicy.REJECT_ON_ANY_FAIL:
            return _reject_gate(individual_seats(verdict), _crashed(verdict))
        case TierPolicy.ACCEPT_ON_ALL_PASS:
            return _accept_gate(individual_seats(verdict), _crashed(verdict))
        case TierPolicy.FINAL_TIER:
            return Outcome(StageEffect.DECIDED)
        case ConfidenceGate():
            return _confidence_gate(gate, verdict)


def individual_seats(verdict: Verdict) -> tuple[Seat, ...]:
    """The single opinions behind a verdict.

    They are its seats, else what the members of a meta jury found, else what a cascade found.
    """
    if verdict.seats:
        return verdict.seats
    members = [
        Seat(attempt.name, index, attempt.verdict.judgment, verdict=attempt.verdict)
        for index, attempt in enumerate(verdict.attempts)
        if attempt.effect is StageEffect.COUNTED and attempt.verdict is not None
    ]
    return tuple(members) or (Seat(verdict.name, 0, verdict.judgment, conditional=True),)


def names_with(seats: tuple[Seat, ...], status: Status) -> list[str]:
    """The keys of the seats that have this status."""
    return [seat.key for seat in seats if seat.judgment.status is status]


def _reject_gate(seats: tuple[Seat, ...], crashed: list[str]) -> Outcome:
    failed = names_with(seats, Status.FAIL)
    errored = _unusable(seats) + crashed
    skipped = [seat.key for seat in seats if seat.skipped]
    abstained = [key for key in names_with(seats, Status.ABSTAIN) if key not in skipped]
    note = _note(failed=failed, errored=errored, not_asked=skipped, abstained=abstained)
    if failed:
        return Outcome(StageEffect.DECIDED, Status.FAIL, note)
    if errored or skipped:
        return Outcome(StageEffect.NOT_ESTABLISHED, note=note)
    if abstained or not names_with(seats, Status.PASS):
        return Outcome(StageEffect.NOT_EXERCISED, note=note)
    return Outcome(StageEffect.CONTINUED)


def _accept_gate(seats: tuple[Seat, ...], crashed: list[str]) -> Outcome:
    passed = names_with(seats, Status.PASS)
    against = [*names_with(seats, Status.FAIL), *names_with(seats, Status.ABSTAIN)]
    errored = _unusable(seats) + crashed
    if passed and not against and not errored:
        return Outcome(StageEffect.DECIDED, Status.PASS, f"passed: {', '.join(passed)}")
    note = _note(not_passed=against, errored=errored) or "no judge had an opinion"
    return Outcome(StageEffect.CONTINUED, note=note)


def _confidence_gate(gate: ConfidenceGate, verdict: Verdict) -> Outcome:
    confidence = gate.confidence(verdict)
    check_threshold(confidence, "confidence")
    note = f"confidence {confidence:.4g}, bar {gate.bar:g}"
    decided = verdict.status in (Status.PASS, Status.FAIL) and confidence >= gate.bar
    return Outcome(StageEffect.DECIDED if decided else StageEffect.CONTINUED, note=note)


def _crashed(verdict: Verdict) -> list[str]:
    """The jury itself, where its vote could not be counted."""
    return [verdict.name] if verdict.judgment.code in LIBRARY_CODES else []


def _unusable(seats: tuple[Seat, ...]) -> list[str]:
    """Judges that errored, or that say they do not apply without having declared when."""
    undeclared = [
        seat.key
        for seat in seats
        if seat.judgment.status is Status.NOT_APPLICABLE and not seat.conditional
    ]
    return names_with(seats, Status.ERROR) + undeclared


def _note(**groups: list[str]) -> str:
    parts = [
        f"{name.replace('_', ' ')}: {', '.join(keys)}" for name, keys in groups.items() if keys
    ]
    return "; ".join(parts)


def check_gate(gate: object) -> Gate:
    """A tier's rule, from a member, a `ConfidenceGate` or a policy's word.

    Raises:
        ArgumentError: A word that names no policy.
        ArgumentTypeError: Something else.
    """
    if isinstance(gate, TierPolicy | ConfidenceGate):
        return gate
    if not isinstance(gate, str):
        raise ArgumentTypeError(f"policy must be a TierPolicy or ConfidenceGate, not {gate!r}")
    try:
        return TierPolicy(gate)
    except ValueError:
        known = [policy.value for policy in TierPolicy]
        raise ArgumentError(f"policy is one of {known}, not {gate!r}") from None


def decided_judgment(status: Status, tier: str, rule: str, note: str, verdict: Verdict) -> Judgment:
    """The root judgment that a gate lays down, with the checks that are its grounds."""
    grounds = [s.judgment for s in individual_seats(verdict) if s.judgment.status is status]
    checks = tuple(
        check
        for judgment in grounds
        for check in judgment.checks
        if check.passed or status is Status.FAIL
    )
    decided = Judgment(status, f"tier {tier!r} decided by {rule}: {note}", checks=checks)
    hollow = status is Status.FAIL and all(map(is_hollow, grounds))
    return with_evidence(decided, {HOLLOW: True}) if hollow else decided
