"""Whether a stored verdict says what its seats say: built-in strategies are counted again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from agent_judge.errors import AgentJudgeError, WireError
from agent_judge.judgment import Judgment, Status
from agent_judge.jury.gates import TierPolicy, apply_gate
from agent_judge.jury.population import Population
from agent_judge.jury.strategies import BUILT_IN
from agent_judge.jury.verdict import Seat, StageAttempt, StageEffect, Verdict, pointer_token

STATUS_GATE = "status_gate"
NOT_ESTABLISHED = "gate_not_established"


def is_verifiable(verdict: Verdict) -> bool:
    """Whether the verdict follows from what is stored with it; a custom strategy's does not."""
    evidence = verdict.judgment.evidence
    if _is_cascade(verdict):
        return all(
            attempt.verdict is None or is_verifiable(attempt.verdict)
            for attempt in verdict.attempts
        ) and _deciding_rule(verdict) in {policy.value for policy in TierPolicy}
    return evidence.get("strategy") in BUILT_IN or _has_crashed_member(verdict)


def verify(verdict: Verdict, path: str) -> None:
    """Count a verdict again, with all verdicts in it, where that can be done.

    Raises:
        WireError: Its status, score or counts are not what its seats give.
    """
    for index, seat in enumerate(verdict.seats):
        _verify_seat(seat, f"{path}.seats[{index}]")
    for index, attempt in enumerate(verdict.attempts):
        if attempt.verdict is not None:
            verify(attempt.verdict, f"{path}.attempts[{index}].verdict")
    if not is_verifiable(verdict):
        return
    if _is_cascade(verdict):
        _verify_cascade(verdict, path)
    elif not _has_crashed_member(verdict):
        _verify_vote(verdict, path)


def _verify_seat(seat: Seat, path: str) -> None:
    if seat.verdict is None:
        return
    verify(seat.verdict, f"{path}.verdict")
    if seat.verdict.judgment != seat.judgment:
        raise WireError(f"{path}.judgment: is not that of the seat's own verdict")


def _verify_vote(verdict: Verdict, path: str) -> None:
    evidence = verdict.judgment.evidence
    counted = _count_again(evidence, _seats(verdict), path)
    for name, value in counted.evidence.items():
        if evidence.get(name) != value:
            raise WireError(
                f"{path}.judgment.metadata.agent_judge.{name}: "
                f"is {evidence.get(name)!r:.80}, but the seats give {value!r:.80}"
            )
    if verdict.decided_by.rule == STATUS_GATE:
        _expect(evidence.get("judges_found"), counted.status.value, f"{path}.judgment.status")
        return
    _expect(verdict.judgment.status.value, counted.status.value, f"{path}.judgment.status")
    if verdict.judgment.score != counted.score:
        raise WireError(
            f"{path}.judgment.score: is {verdict.judgment.score}, "
            f"but the seats give {counted.score}"
        )


def _count_again(evidence: Mapping[str, Any], seats: tuple[Seat, ...], path: str) -> Judgment:
    strategy = BUILT_IN[str(evidence["strategy"])]
    names = {option.name for option in fields(strategy) if option.init}
    options = {name: value for name, value in evidence.items() if name in names}
    try:
        judgment: Judgment = strategy(**options)(Population(seats))
    except (AgentJudgeError, TypeError) as fault:
        raise WireError(
            f"{path}.judgment.metadata.agent_judge: cannot be counted: {fault}"
        ) from None
    return judgment


def _seats(verdict: Verdict) -> tuple[Seat, ...]:
    if verdict.seats:
        return tuple(seat for seat in verdict.seats if not seat.skipped)
    return tuple(
        Seat(attempt.name, index, attempt.verdict.judgment, attempt.weight, conditional=True)
        for index, attempt in enumerate(verdict.attempts)
        if attempt.verdict is not None
    )


def _verify_cascade(verdict: Verdict, path: str) -> None:
    deciding = _deciding_attempt(verdict, path)
    evidence = verdict.judgment.evidence
    held = evidence.get("gates_not_established", ())
    found = _decided_status(deciding, path)
    if found is Status.PASS and held:
        found = Status.ERROR
    status = verdict.judgment.status.value
    if verdict.decided_by.rule == STATUS_GATE:
        status = str(evidence.get("judges_found"))
    _expect(status, found.value, f"{path}.judgment.status")


def _decided_status(deciding: StageAttempt, path: str) -> Status:
    if deciding.verdict is None:
        return Status.ERROR
    outcome = apply_gate(TierPolicy(deciding.rule), deciding.verdict)
    if outcome.effect is not StageEffect.DECIDED:
        raise WireError(f"{path}.decided_by: tier {deciding.name!r} does not decide by its rule")
    return outcome.status or deciding.verdict.status


def _deciding_attempt(verdict: Verdict, path: str) -> StageAttempt:
    deciding = [a for a in verdict.attempts if a.effect is StageEffect.DECIDED]
    stage = verdict.judgment.evidence.get("decided_by")
    if len(deciding) != 1 or f"/{pointer_token(deciding[0].name)}" != stage:
        raise WireError(f"{path}.attempts: exactly one tier decides, the one that is named")
    return deciding[0]


def _deciding_rule(verdict: Verdict) -> str | None:
    return next((a.rule for a in verdict.attempts if a.effect is StageEffect.DECIDED), None)


def _is_cascade(verdict: Verdict) -> bool:
    return any(attempt.rule is not None for attempt in verdict.attempts)


def _has_crashed_member(verdict: Verdict) -> bool:
    return any(attempt.failure is not None for attempt in verdict.attempts)


def _expect(found: object, expected: str, path: str) -> None:
    if found != expected:
        raise WireError(f"{path}: is {found!r:.80}, but the seats give {expected!r}")
