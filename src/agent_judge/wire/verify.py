"""Whether a stored verdict says what its seats say: it is counted again where that can be done.

What a built-in strategy, the rules of a cascade and the gate on the run's status give follows from
what is stored. What a strategy of somebody's own or a measured confidence gave does not: that is
taken as it is, and the stored form is marked as not verifiable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Final, NamedTuple

from agent_judge.context import ExecutionStatus, JudgmentContext
from agent_judge.errors import AgentJudgeError, WireError
from agent_judge.frozen import Json
from agent_judge.judgment import Judgment, ReasonCode, with_evidence
from agent_judge.jury.gates import Outcome, TierPolicy, apply_gate, decided_judgment
from agent_judge.jury.population import Population
from agent_judge.jury.stage import gate_status
from agent_judge.jury.strategies import BUILT_IN
from agent_judge.jury.verdict import (
    Decision,
    Seat,
    StageAttempt,
    StageEffect,
    Verdict,
    pointer_token,
)

EVIDENCE_PATH: Final = "judgment.metadata.agent_judge"
_POLICIES: Final = frozenset(policy.value for policy in TierPolicy)


class Finding(NamedTuple):
    """What a verdict has to say, and by which rule."""

    judgment: Judgment
    decision: Decision


def is_verifiable(verdict: Verdict) -> bool:
    """Whether all of a verdict follows from what is stored with it.

    Example:
        >>> from agent_judge import Judgment, JudgmentContext, Jury
        >>> seats, run = [lambda context: Judgment.passing()], JudgmentContext()
        >>> is_verifiable(Jury(seats).vote(run))
        True
        >>> own_rule = lambda population: Judgment.passing("because")
        >>> is_verifiable(Jury(seats, own_rule).vote(run))
        False
    """
    return _follows(verdict) and all(is_verifiable(inner) for _, inner in _inner(verdict))


def verify(verdict: Verdict, path: str) -> None:
    """Count a verdict again, with all verdicts in it, as far as that can be done.

    Raises:
        WireError: It does not say what its seats give; the message begins with the path.
    """
    if not verdict.seats and not verdict.attempts:
        raise WireError(f"{path}.seats: a verdict rests on at least one seat or attempt")
    for place, inner in _inner(verdict):
        verify(inner, f"{path}.{place}.verdict")
    for index, seat in enumerate(verdict.seats):
        if seat.verdict is not None and seat.verdict.judgment != seat.judgment:
            raise WireError(
                f"{path}.seats[{index}].judgment: is not that of the seat's own verdict"
            )
    counted = _counted(verdict, path)
    found = counted
    if _is_gated(verdict):
        taken = Finding(verdict.judgment, Decision("", _rule(verdict), computed=True))
        found = _ruled_by_status(verdict, counted or taken, path)
    if found is not None:
        _compare(verdict, found, path)
    if found is not None and counted is not None:
        _compare_evidence(verdict, found, path)


def _inner(verdict: Verdict) -> Iterator[tuple[str, Verdict]]:
    """The verdicts in a verdict, with their places."""
    for index, seat in enumerate(verdict.seats):
        if seat.verdict is not None:
            yield f"seats[{index}]", seat.verdict
    for index, attempt in enumerate(verdict.attempts):
        if attempt.verdict is not None:
            yield f"attempts[{index}]", attempt.verdict


def _follows(verdict: Verdict) -> bool:
    if _is_cascade(verdict):
        return all(attempt.rule in _POLICIES for attempt in verdict.attempts)
    return _lost_member(verdict) or _is_counted(verdict)


def _is_cascade(verdict: Verdict) -> bool:
    return any(attempt.rule is not None for attempt in verdict.attempts)


def _lost_member(verdict: Verdict) -> bool:
    """Whether it is of a meta jury a member of which crashed."""
    return any(attempt.failure is not None for attempt in verdict.attempts)


def _is_counted(verdict: Verdict) -> bool:
    """Whether a built-in strategy counted these seats, and not for a strategy around it."""
    strategy = verdict.judgment.evidence.get("strategy")
    return strategy in BUILT_IN and strategy == _rule(verdict)


def _is_gated(verdict: Verdict) -> bool:
    """Whether the status of the run laid the judgment down, whatever the judges found."""
    return verdict.decided_by == Decision("", "status_gate", computed=False)


def _rule(verdict: Verdict) -> str:
    """What the judges' findings were summed up by."""
    rule = verdict.decided_by.rule
    return str(verdict.judgment.evidence.get("judges_rule")) if _is_gated(verdict) else rule


def _counted(verdict: Verdict, path: str) -> Finding | None:
    """What the seats or stages give; nothing where that cannot be known."""
    if _is_cascade(verdict):
        return _replayed(verdict, path)
    if _lost_member(verdict):
        judgment = Judgment.erring("members crashed", ReasonCode.STAGE_FAILED)
    elif _is_counted(verdict):
        judgment = _count_again(verdict.judgment.evidence, _seats(verdict), path)
    else:
        return None
    return Finding(judgment, Decision("", _rule(verdict), computed=True))


def _count_again(evidence: Mapping[str, Any], seats: tuple[Seat, ...], path: str) -> Judgment:
    strategy = BUILT_IN[str(evidence["strategy"])]
    names = {option.name for option in fields(strategy) if option.init}
    options = {name: value for name, value in evidence.items() if name in names}
    try:
        judgment: Judgment = strategy(**options)(Population(seats))
    except (AgentJudgeError, TypeError) as fault:
        raise WireError(f"{path}.{EVIDENCE_PATH}: cannot be counted: {fault}") from None
    return judgment


def _seats(verdict: Verdict) -> tuple[Seat, ...]:
    """The seats that were counted; those of a meta jury are its members'."""
    if verdict.seats:
        return tuple(seat for seat in verdict.seats if not seat.skipped)
    return tuple(
        Seat(attempt.name, index, attempt.verdict.judgment, attempt.weight, conditional=True)
        for index, attempt in enumerate(verdict.attempts)
        if attempt.verdict is not None
    )


def _replayed(verdict: Verdict, path: str) -> Finding:
    """What the tiers of a cascade give by their rules."""
    deciding = _deciding(verdict, path)
    judgment, computed = _settled(deciding)
    stage, rule = f"/{pointer_token(deciding.name)}", str(deciding.rule)
    held = _held_gates(verdict, path)
    if held and judgment.passed:
        judgment = Judgment.erring("not established", ReasonCode.GATE_NOT_ESTABLISHED)
        rule, computed = "gate_not_established", False
    evidence: dict[str, Json] = {
        "decided_by": stage,
        "rule": rule,
        "computed": computed,
        "gates_not_established": held,
        "gates_not_exercised": _names(verdict, StageEffect.NOT_EXERCISED),
    }
    return Finding(with_evidence(judgment, evidence), Decision(stage, rule, computed))


def _deciding(verdict: Verdict, path: str) -> StageAttempt:
    """The tier that settled the matter, once every tier had the effect that its rule gives."""
    deciding: StageAttempt | None = None
    for index, attempt in enumerate(verdict.attempts):
        effect = StageEffect.SKIPPED if deciding else _outcome(attempt).effect
        asked = attempt.skipped is None
        if attempt.effect is not effect or asked is (effect is StageEffect.SKIPPED):
            raise WireError(
                f"{path}.attempts[{index}].effect: is {attempt.effect.value!r}, "
                f"but the tiers give {effect.value!r}"
            )
        deciding = attempt if effect is StageEffect.DECIDED else deciding
    if deciding is None:
        raise WireError(f"{path}.attempts: no tier decided")
    return deciding


def _outcome(attempt: StageAttempt) -> Outcome:
    if attempt.verdict is not None:
        if attempt.rule in _POLICIES:
            return apply_gate(TierPolicy(attempt.rule), attempt.verdict)
        return Outcome(attempt.effect)
    match attempt.rule:
        case TierPolicy.FINAL_TIER.value:
            return Outcome(StageEffect.DECIDED)
        case TierPolicy.REJECT_ON_ANY_FAIL.value:
            return Outcome(StageEffect.NOT_ESTABLISHED)
        case _:
            return Outcome(StageEffect.CONTINUED)


def _settled(deciding: StageAttempt) -> tuple[Judgment, bool]:
    """The judgment of the tier that decided, and whether it is the tier's own aggregate."""
    if deciding.verdict is None:
        return Judgment.erring("the final tier crashed", ReasonCode.STAGE_FAILED), False
    outcome = _outcome(deciding)
    if outcome.status is None:
        return deciding.verdict.judgment, True
    rule = str(deciding.rule)
    laid_down = decided_judgment(
        outcome.status, deciding.name, rule, outcome.note, deciding.verdict
    )
    return laid_down, False


def _held_gates(verdict: Verdict, path: str) -> tuple[str, ...]:
    """The gates that keep the run from passing; one that was waived is not among them."""
    noted = verdict.judgment.evidence.get("gates_not_established")
    failed = _names(verdict, StageEffect.NOT_ESTABLISHED)
    held = tuple(name for name in failed if isinstance(noted, tuple) and name in noted)
    if held != noted:
        raise WireError(
            f"{path}.{EVIDENCE_PATH}.gates_not_established: are among {failed}, not {noted!r:.80}"
        )
    return held


def _names(verdict: Verdict, effect: StageEffect) -> tuple[str, ...]:
    return tuple(attempt.name for attempt in verdict.attempts if attempt.effect is effect)


def _ruled_by_status(verdict: Verdict, judged: Finding, path: str) -> Finding:
    """What the status of the run makes of what the judges found."""
    status: Any = verdict.judgment.evidence.get("run_status")
    try:
        run = JudgmentContext(status=ExecutionStatus(status))
    except ValueError:
        raise WireError(f"{path}.{EVIDENCE_PATH}.run_status: {status!r} is no status") from None
    return Finding(*gate_status(run, *judged))


def _compare(verdict: Verdict, found: Finding, path: str) -> None:
    for name in ("status", "code", "score", "label", "checks"):
        said, given = getattr(verdict.judgment, name), getattr(found.judgment, name)
        if said != given:
            _refuse(f"{path}.judgment.{name}", said, given)
    for name in ("stage", "rule", "computed"):
        said, given = getattr(verdict.decided_by, name), getattr(found.decision, name)
        if said != given:
            _refuse(f"{path}.decided_by.{name}", said, given)


def _compare_evidence(verdict: Verdict, found: Finding, path: str) -> None:
    said, given = verdict.judgment.evidence, found.judgment.evidence
    for name in {**given, **said}:
        if said.get(name) != given.get(name):
            _refuse(f"{path}.{EVIDENCE_PATH}.{name}", said.get(name), given.get(name))


def _refuse(path: str, said: object, given: object) -> None:
    raise WireError(f"{path}: is {_shown(said)}, but the seats give {_shown(given)}")


def _shown(value: object) -> str:
    return f"{getattr(value, 'value', value)!r:.80}"
