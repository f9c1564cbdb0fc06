"""Judgments, seats, strategies and juries of every kind, for properties of the core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from hypothesis import strategies as st

from agent_judge.judgment import Check, Judgment, Location, ReasonCode, Status
from agent_judge.jury import (
    AllMustPass,
    Average,
    Consensus,
    ErrorPolicy,
    Majority,
    Median,
    Minimum,
    Mode,
    NotApplicablePolicy,
    Population,
    Seat,
    TiePolicy,
    WeightedAverage,
)
from agent_judge.jury.rules import VotingRules
from agent_judge.scores import BooleanScore, CategoricalScore, NumericalScore, Score
from agent_judge.usage import Usage

T = TypeVar("T")

UNIT = st.floats(0, 1) | st.sampled_from([0.0, 0.1, 0.3, 0.35, 0.5, 0.7, 1.0])
TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
WORD = st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=6)
LABELS = ("good", "fair", "poor")

JSON: st.SearchStrategy[Any] = st.recursive(
    st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


def numerical() -> st.SearchStrategy[NumericalScore]:
    """Scores on scales of all widths."""
    bound = st.floats(-1e300, 1e300, allow_subnormal=False)
    scales = st.tuples(bound, bound).filter(lambda pair: pair[0] < pair[1])
    return st.builds(NumericalScore, UNIT) | scales.flatmap(
        lambda scale: st.floats(*scale).map(lambda value: NumericalScore(value, *scale))
    )


def categorical(labels: Sequence[str] = LABELS) -> st.SearchStrategy[CategoricalScore]:
    """Categories of one set, with or without numbers."""
    numbers = st.dictionaries(st.sampled_from(labels), UNIT)
    return st.builds(CategoricalScore, st.sampled_from(labels), st.just(tuple(labels)), numbers)


def scores(status: Status) -> st.SearchStrategy[Score]:
    """Every kind of score that a finding may carry."""
    return st.just(BooleanScore(status is Status.PASS)) | numerical() | categorical()


def findings(status: Status) -> st.SearchStrategy[Judgment]:
    """PASS or FAIL, with a score or none."""
    return st.builds(
        Judgment,
        st.just(status),
        TEXT,
        st.none() | scores(status),
        label=st.none() | st.sampled_from(LABELS),
        usage=st.none() | st.builds(Usage, calls=st.integers(0, 9)),
    )


PASSING = findings(Status.PASS)
FAILING = findings(Status.FAIL)
ABSTAINING = st.builds(Judgment.abstaining, st.just("unsure"))
NOT_APPLICABLE = st.builds(Judgment.not_applicable, st.just("no page"))
THEIR_CODES = [ReasonCode.JUDGE_RAISED, ReasonCode.TIMEOUT, ReasonCode.INVALID_JUDGMENT]
ERRING = st.builds(Judgment.erring, st.just("boom"), st.sampled_from(THEIR_CODES))
OWN_ERRORS = st.builds(
    Judgment.erring,
    st.just("ours"),
    st.sampled_from([ReasonCode.AGGREGATION_FAILED, ReasonCode.INTERNAL]),
)

JUDGMENTS = PASSING | FAILING | ABSTAINING | NOT_APPLICABLE | ERRING | OWN_ERRORS

WEIGHTS = st.floats(0, 1e308) | st.sampled_from([0.0, 1.0, 3.0, 5e-324, 1.7e308])


def seats_of(
    judgments: Sequence[Judgment], weights: Sequence[float], conditional: Sequence[bool]
) -> Population:
    """Seat judgments under distinct keys."""
    return Population(
        tuple(
            Seat(f"judge-{index}", index, judgment, weight, conditional=declared)
            for index, (judgment, weight, declared) in enumerate(
                zip(judgments, weights, conditional, strict=True)
            )
        )
    )


def exactly(count: int, each: st.SearchStrategy[T]) -> st.SearchStrategy[list[T]]:
    """So many values."""
    return st.lists(each, min_size=count, max_size=count)


def populations(
    judgments: st.SearchStrategy[Judgment] = JUDGMENTS, most: int = 6
) -> st.SearchStrategy[Population]:
    """Seats of every kind."""
    return st.integers(1, most).flatmap(
        lambda count: st.builds(
            seats_of,
            exactly(count, judgments),
            exactly(count, WEIGHTS),
            exactly(count, st.booleans()),
        )
    )


RULES: dict[str, Any] = {
    "on_error": st.sampled_from(ErrorPolicy),
    "on_not_applicable": st.sampled_from(NotApplicablePolicy),
    "min_eligible": st.integers(1, 3),
}
TIES = st.sampled_from(TiePolicy)

MONOTONE: st.SearchStrategy[VotingRules] = st.one_of(
    st.builds(Majority, tie=TIES, **RULES),
    st.builds(Consensus, split=TIES, **RULES),
    st.builds(AllMustPass, abstain=st.sampled_from(["abstain", "drop"]), **RULES),
    *(
        st.builds(strategy, threshold=UNIT, **RULES)
        for strategy in (Average, WeightedAverage, Median, Minimum)
    ),
)
MODES = st.builds(Mode, st.sets(st.sampled_from(LABELS), min_size=1).map(tuple), TIES, **RULES)
STRATEGIES: st.SearchStrategy[VotingRules] = MONOTONE | MODES

CHECKS = st.builds(
    Check,
    WORD,
    st.just(False),
    TEXT,
    st.integers(0, 9),
    st.booleans(),
    st.none() | st.builds(Location, WORD, st.integers(1, 99)),
)
DETAILED = st.builds(
    Judgment.failing,
    TEXT,
    checks=st.lists(CHECKS, max_size=3),
    metadata=st.dictionaries(
        TEXT.filter(lambda key: not key.startswith("agent_judge")), JSON, max_size=3
    ),
)
