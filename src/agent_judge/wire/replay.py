"""What the tiers of a stored cascade give by their rules."""

from __future__ import annotations

from typing import Final, NamedTuple

from agent_judge.errors import WireError
from agent_judge.frozen import Json
from agent_judge.judgment import Judgment, ReasonCode, with_evidence
from agent_judge.jury.gates import Outcome, TierPolicy, apply_gate, decided_judgment
from agent_judge.jury.verdict import Decision, StageAttempt, StageEffect, Verdict, pointer_token

EVIDENCE_PATH: Final = "judgment.metadata.agent_judge"
"""Where a stored verdict holds its evidence."""

POLICIES: Final = frozenset(policy.value for policy in TierPolicy)
"""The rules of tiers that can be applied again; a measured confidence cannot."""


class Finding(NamedTuple):
    """What a verdict has to say, and by which rule."""

    judgment: Judgment
    decision: Decision


def replayed(verdict: Verdict, path: str) -> Finding:
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
        if attempt.rule in POLICIES:
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
