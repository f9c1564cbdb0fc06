"""Whether a stored verdict says what its seats say: it is counted again where that can be done.

What a built-in strategy, the rules of a cascade and the gate on the run's status give follows from
what is stored. What a strategy of somebody's own or a measured confidence gave does not: that is
taken as it is, beside the counts of its seats, and the stored form is marked as not verifiable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, Final, cast

from agent_judge.context import ExecutionStatus, JudgmentContext
from agent_judge.errors import AgentJudgeError, WireError
from agent_judge.frozen import EMPTY, FrozenMap, Json
from agent_judge.judgment import Judgment, ReasonCode, Status, replace_evidence
from agent_judge.jury.evidence import CUSTOM, RETURNED, lost_evidence, own_evidence
from agent_judge.jury.population import Population
from agent_judge.jury.stage import gate_status
from agent_judge.jury.strategies import BUILT_IN
from agent_judge.jury.sum_up import sum_up, with_early_stop
from agent_judge.jury.verdict import Decision, Seat, Verdict, member_seats
from agent_judge.wire.replay import EVIDENCE_PATH, POLICIES, Finding, replayed
from agent_judge.wire.votes import strategy_of

_RULES: Final = frozenset(
    option.name for strategy in BUILT_IN.values() for option in fields(strategy) if option.init
)
"""What a strategy can be told, as evidence names it."""


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
        return all(attempt.rule in POLICIES for attempt in verdict.attempts)
    return _lost_members(verdict) > 0 or _is_counted(verdict)


def _is_cascade(verdict: Verdict) -> bool:
    return any(attempt.rule is not None for attempt in verdict.attempts)


def _lost_members(verdict: Verdict) -> int:
    """How many members of a meta jury crashed."""
    return sum(attempt.failure is not None for attempt in verdict.attempts)


def _is_counted(verdict: Verdict) -> bool:
    """Whether a built-in strategy counted these seats."""
    strategy = verdict.judgment.evidence.get("strategy")
    return strategy in BUILT_IN and strategy == _rule(verdict) and not _is_own(verdict)


def _is_own(verdict: Verdict) -> bool:
    """Whether a strategy of somebody's own summed these seats up."""
    evidence = verdict.judgment.evidence
    return evidence.get(CUSTOM) is True and evidence.get("strategy") == _rule(verdict)


def _is_gated(verdict: Verdict) -> bool:
    """Whether the status of the run laid the judgment down, whatever the judges found."""
    return verdict.decided_by == Decision("", "status_gate", computed=False)


def _rule(verdict: Verdict) -> str:
    """What the judges' findings were summed up by."""
    rule = verdict.decided_by.rule
    return str(verdict.judgment.evidence.get("judges_rule")) if _is_gated(verdict) else rule


def _counted(verdict: Verdict, path: str) -> Finding | None:
    """What the seats or stages give; nothing where that cannot be known.

    Of a strategy of somebody's own the outcome is taken as it is, with the counts of the seats.
    """
    if _is_cascade(verdict):
        return replayed(verdict, path)
    if _lost_members(verdict):
        judgment = _lost(verdict)
    elif _is_counted(verdict):
        judgment = _count_again(verdict, path)
    elif _is_own(verdict):
        judgment = _taken_over(verdict, path)
    else:
        return None
    return Finding(judgment, Decision("", _rule(verdict), computed=True))


def _count_again(verdict: Verdict, path: str) -> Judgment:
    place = f"{path}.{EVIDENCE_PATH}"
    strategy = strategy_of(verdict.judgment.evidence, place)
    asked, not_asked = _seats(verdict)
    try:
        return sum_up(strategy, Population(asked), not_asked=not_asked)
    except AgentJudgeError as fault:
        raise WireError(f"{place}: cannot be counted: {fault}") from None


def _taken_over(verdict: Verdict, path: str) -> Judgment:
    """What a strategy of somebody's own is said to have found, with what its seats give."""
    said = verdict.judgment.evidence
    found = _as_found(verdict, path)
    asked, not_asked = _seats(verdict)
    judgment = replace_evidence(found, cast("FrozenMap[Json]", said.get(RETURNED, EMPTY)))
    evidence = own_evidence(_described(verdict), asked, judgment)
    return with_early_stop(replace_evidence(found, evidence), not_asked)


def _as_found(verdict: Verdict, path: str) -> Judgment:
    """The judgment as it was before the status of the run laid another one down."""
    if not _is_gated(verdict):
        return verdict.judgment
    found: Any = verdict.judgment.evidence.get("judges_found")
    if found is None:
        raise WireError(f"{path}.{EVIDENCE_PATH}.judges_found: missing")
    return Judgment(Status(found), "as it was found", code=ReasonCode.RUN_FAILED)


def _lost(verdict: Verdict) -> Judgment:
    """The error of a meta jury that lost members."""
    judgment = Judgment.erring("members crashed", ReasonCode.STAGE_FAILED)
    seats = member_seats(verdict.attempts)
    evidence = lost_evidence(_described(verdict), seats, _lost_members(verdict))
    return replace_evidence(judgment, evidence)


def _described(verdict: Verdict) -> dict[str, Json]:
    """What is stored of the strategy itself, which the seats do not tell."""
    said = verdict.judgment.evidence
    told = {name: said[name] for name in (CUSTOM, *_RULES) if name in said}
    return {"strategy": _rule(verdict), **told}


def _seats(verdict: Verdict) -> tuple[tuple[Seat, ...], int]:
    """The seats that were counted, in a meta jury its members, and how many were not asked."""
    if not verdict.seats:
        return member_seats(verdict.attempts), 0
    asked = tuple(seat for seat in verdict.seats if not seat.skipped)
    return asked, len(verdict.seats) - len(asked)


def _ruled_by_status(verdict: Verdict, judged: Finding, path: str) -> Finding:
    """What the status of the run makes of what the judges found."""
    status: Any = verdict.judgment.evidence.get("run_status")
    if status is None:
        raise WireError(f"{path}.{EVIDENCE_PATH}.run_status: missing")
    return Finding(*gate_status(JudgmentContext(status=ExecutionStatus(status)), *judged))


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
