"""Records of every kind for properties: runs, judgments, and the verdicts that juries give."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta, timezone
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from hypothesis import strategies as st

from agent_judge import (
    MISSING,
    CascadedJury,
    Check,
    ExecutionStatus,
    Judge,
    Judgment,
    JudgmentContext,
    Jury,
    Location,
    Majority,
    MetaJury,
    Source,
    Status,
    Tier,
    TierPolicy,
    ToolCall,
    Usage,
    Verdict,
)
from agent_judge.judgment import EVIDENCE_KEY, with_elapsed
from agent_judge.jury import ConfidenceGate, Population, VotingStrategy
from agent_judge.testing import always, not_applicable
from property.populations import (
    JSON,
    JUDGMENTS,
    STRATEGIES,
    TEXT,
    WORD,
)

AnyJury: TypeAlias = Jury | CascadedJury | MetaJury

seconds = st.floats(0, 1e9)
counts = st.integers(0, 2**53 - 1)
facts = st.dictionaries(TEXT.filter(lambda key: not key.startswith(EVIDENCE_KEY)), JSON, max_size=3)

json_values: st.SearchStrategy[Any] = st.recursive(
    JSON | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=4,
)
"""What an output or an argument may be: any JSON, nulls included."""

hostile_values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([-1, 2**53, -(2**60), 10**400, 10**4000])
    | st.floats()
    | st.text(st.characters())
    | st.sampled_from(["pass", "error", "\ud800", "\x1b[2J", "custom", "status_gate"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
"""What `json.loads` may give and no record takes: NaN, endless integers, lone surrogates."""

usages = st.builds(
    Usage,
    input_tokens=st.none() | counts,
    output_tokens=st.none() | counts,
    total_tokens=st.none() | counts,
    calls=st.none() | counts,
    cost=st.none() | seconds,
)

locations = st.builds(Location, WORD) | st.builds(
    Location, WORD, st.integers(1, 999), st.none() | st.integers(1, 99)
)

passed_checks = st.builds(
    Check, WORD, st.just(True), TEXT, st.integers(1, 9), st.booleans(), st.none() | locations
)

failed_checks = st.builds(
    Check, WORD, st.just(False), TEXT, st.integers(0, 9), st.booleans(), st.none() | locations
)

checks = passed_checks | failed_checks

judgments: st.SearchStrategy[Judgment] = st.one_of(
    JUDGMENTS,
    st.builds(
        Judgment.failing, TEXT, checks=st.lists(checks, max_size=3), metadata=facts, usage=usages
    ),
    st.builds(Judgment.passing, TEXT, checks=st.lists(passed_checks, max_size=3), metadata=facts),
    st.builds(
        Judgment.scored,
        st.floats(0, 5),
        threshold=st.floats(0, 1),
        high=st.just(5),
        checks=st.lists(passed_checks, max_size=2),
        metadata=facts,
    ),
    st.builds(with_elapsed, JUDGMENTS, seconds),
)
"""Judgments of every status, with everything that one may carry."""

moments = st.datetimes(
    timezones=st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
)

sources = st.builds(
    Source, TEXT, st.none() | TEXT, score=st.none() | st.floats(-9, 9), metadata=facts
)

tool_calls = st.builds(
    ToolCall,
    WORD,
    st.dictionaries(TEXT, json_values, max_size=2),
    st.just(MISSING) | json_values,
    st.none() | TEXT,
    st.none() | TEXT,
)

contexts: st.SearchStrategy[JudgmentContext] = st.builds(
    JudgmentContext,
    goal=TEXT,
    output=st.just(MISSING) | json_values,
    workspace=st.none() | st.lists(WORD, min_size=1, max_size=3).map(lambda parts: Path(*parts)),
    status=st.sampled_from(ExecutionStatus),
    started_at=st.none() | moments,
    elapsed=st.none() | seconds,
    error=st.none() | TEXT,
    expected=st.just(MISSING) | json_values,
    baseline=st.just(MISSING) | json_values,
    sources=st.lists(sources, max_size=2),
    tool_calls=st.lists(tool_calls, max_size=2),
    usage=st.none() | usages,
    model=st.none() | TEXT,
    finish_reason=st.none() | TEXT,
    metadata=facts,
)
"""Runs of every kind, with everything that one may carry."""


names = st.text("abü字/~", min_size=1, max_size=4)
"""What stages may be called, with what a path escapes."""


def raising(_asked: object) -> NoReturn:
    """A judge that is broken."""
    raise ValueError("broken")


def first_alone(population: Population) -> Judgment:
    """A strategy that hears nobody but the first, by way of a built-in one."""
    return Majority()(Population(population.seats[:1]))


def sound_of_last(population: Population) -> Judgment:
    """A strategy that takes over a single judgment."""
    return population.seats[-1].judgment


def undecided(_population: Population) -> NoReturn:
    """A strategy that is broken."""
    raise ValueError("broken")


def majority(population: Population) -> Judgment:
    """A strategy of a user's own that is called as a built-in one is."""
    return Judgment.scored(1 / len(population), threshold=0.5)


def unanimous(population: Population) -> Judgment:
    """A strategy of a user's own that can tell when a vote is decided."""
    return Judgment(
        Status.PASS if all(seat.judgment.passed for seat in population) else Status.FAIL
    )


unanimous.monotone = True  # type: ignore[attr-defined]


judges: st.SearchStrategy[Judge] = st.one_of(
    judgments.map(always),
    st.booleans().map(lambda declared: not_applicable(declared=declared)),
    st.just(raising),
)

voting: st.SearchStrategy[VotingStrategy] = st.one_of(
    STRATEGIES,
    STRATEGIES,
    st.sampled_from([first_alone, sound_of_last, undecided, majority, unanimous]),
)
"""Built-in strategies with every option, and some of a user's own."""

gates = st.sampled_from(
    [
        TierPolicy.REJECT_ON_ANY_FAIL,
        TierPolicy.ACCEPT_ON_ALL_PASS,
        ConfidenceGate(0.5, lambda verdict: verdict.score or 0.0),
        ConfidenceGate(0.5, raising),
    ]
)


def weights_of(strategy: VotingStrategy, names: Sequence[str]) -> dict[str, float] | None:
    """Weights where the strategy uses them."""
    if not getattr(strategy, "weighs", False):
        return None
    return {name: float(index + 1) for index, name in enumerate(names)}


def meta_of(members: dict[str, AnyJury], strategy: VotingStrategy, gated: bool) -> MetaJury:
    """A meta jury whose members have different weights."""
    weights = weights_of(strategy, list(members))
    return MetaJury(members, strategy, weights=weights, status_gate=gated)


def cascade_of(tiers: list[Tier], last: AnyJury, gated: bool) -> CascadedJury:
    """A cascade whose tiers are called by their place."""
    placed = [
        Tier(f"{tier.name}/{index}", tier.jury, tier.policy, tier.on_error)
        for index, tier in enumerate(tiers)
    ]
    return CascadedJury([*placed, Tier("last~", last, TierPolicy.FINAL_TIER)], status_gate=gated)


def above(inner: st.SearchStrategy[AnyJury]) -> st.SearchStrategy[AnyJury]:
    """Juries of juries, cascades of them, and meta juries."""
    tiers = st.builds(Tier, names, inner, gates, st.sampled_from(["hold", "waive"]))
    members = st.dictionaries(names, inner | st.just(CrashingStage()), min_size=1, max_size=3)
    return st.one_of(
        st.builds(Jury, st.lists(judges | inner, min_size=1, max_size=3), voting),
        st.builds(cascade_of, st.lists(tiers, max_size=3), inner, st.booleans()),
        st.builds(meta_of, members, voting, st.booleans()),
    )


class CrashingStage:
    """A stage of somebody else's making that gives no verdict."""

    async def avote(self, _context: JudgmentContext) -> Verdict:
        """Crash."""
        raise ValueError("broken")


def jury_of(judges: list[Judge], strategy: VotingStrategy, gated: bool, early: bool) -> Jury:
    """A jury that stops early where its strategy can tell."""
    stops = early and getattr(strategy, "monotone", False)
    return Jury(judges, strategy, status_gate=gated, stop_when_decided=stops)


juries: st.SearchStrategy[AnyJury] = st.recursive(
    st.builds(
        jury_of, st.lists(judges, min_size=1, max_size=4), voting, st.booleans(), st.booleans()
    ),
    above,
    max_leaves=4,
)
"""Juries, cascades and meta juries, nested in each other."""

verdicts: st.SearchStrategy[Verdict] = st.builds(
    lambda jury, context: jury.vote(context), juries, contexts
)
"""What juries of every kind say of runs of every kind."""

seats = verdicts.flatmap(lambda verdict: st.sampled_from([seat for _, seat in verdict.all_seats()]))

records: st.SearchStrategy[Any] = st.one_of(
    checks, locations, usages, judgments, sources, tool_calls, contexts, verdicts
)
"""Whatever can be stored."""
