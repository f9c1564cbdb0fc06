"""How an aggregate came about, where no built-in strategy recorded it: its evidence.

Nobody but its owner knows what a strategy of somebody's own makes of the seats that it is given.
So there are counts of what these are, and none of what a policy did to them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from agent_judge.frozen import FrozenMap, Json
from agent_judge.judgment import HOLLOW, Judgment, Status, is_hollow
from agent_judge.jury.rules import is_built_in, rules_of, strategy_name
from agent_judge.jury.verdict import Seat

CUSTOM: Final = "custom"
"""Marks the evidence of a strategy that is no built-in one: only its owner can count again."""

RETURNED: Final = "returned"
"""Where the evidence is kept that came with the judgment of somebody's own strategy."""


def described(strategy: object) -> dict[str, Json]:
    """Which strategy it is, and what it was told, as evidence begins."""
    own = {} if is_built_in(strategy) else {CUSTOM: True}
    return {"strategy": strategy_name(strategy), **own, **rules_of(strategy)}


def own_evidence(
    strategy: Mapping[str, Json], seats: Iterable[Seat], judgment: Judgment
) -> FrozenMap[Json]:
    """The evidence of a strategy of somebody's own.

    Args:
        strategy: The strategy as `described`.
        seats: What it was given.
        judgment: What it returned.
    """
    given = tuple(seats)
    returned = {name: fact for name, fact in judgment.evidence.items() if name != RETURNED}
    applied = {name: returned[name] for name in ("threshold",) if name in returned}
    evidence: dict[str, Json] = {**strategy, **applied, **_counts(given)}
    if judgment.status is Status.FAIL and _stands_on_nothing(judgment, given):
        evidence[HOLLOW] = True
    if returned:
        evidence[RETURNED] = FrozenMap(returned)
    return FrozenMap(evidence)


def lost_evidence(
    strategy: Mapping[str, Json], seats: Iterable[Seat], crashed: int
) -> FrozenMap[Json]:
    """The evidence of a meta jury that lost members, so that nobody counted the others.

    Args:
        strategy: The strategy as `described`.
        seats: What the other members found.
        crashed: How many members crashed.
    """
    left = tuple(seats)
    return FrozenMap(
        {**strategy, **_counts(left), "input": len(left) + crashed, "crashed": crashed}
    )


def _counts(seats: tuple[Seat, ...]) -> dict[str, Json]:
    """How many seats of each kind there are; those with a finding are `eligible`."""
    kinds = Counter(seat.judgment.status for seat in seats)
    codes = Counter(
        seat.judgment.code.value
        for seat in seats
        if seat.judgment.status is Status.ERROR and seat.judgment.code is not None
    )
    return {
        "input": len(seats),
        "eligible": kinds[Status.PASS] + kinds[Status.FAIL],
        "passed": kinds[Status.PASS],
        "failed": kinds[Status.FAIL],
        "abstained": kinds[Status.ABSTAIN],
        "not_applicable": kinds[Status.NOT_APPLICABLE],
        "errored": kinds[Status.ERROR],
        "errors_by_code": FrozenMap(codes),
    }


def _stands_on_nothing(judgment: Judgment, seats: tuple[Seat, ...]) -> bool:
    """Whether no judge found what a FAIL says: of those that did not pass, none has a finding."""
    against = [seat.judgment for seat in seats if not seat.judgment.passed]
    found = any(one.status is Status.FAIL and not is_hollow(one) for one in against)
    return is_hollow(judgment) or (bool(against) and not found)
