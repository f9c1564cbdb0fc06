"""What holds of every vote, whoever voted what, under every strategy and policy."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agent_judge.judgment import Judgment, ReasonCode, Status
from agent_judge.jury import ErrorPolicy, Jury, Population, Seat
from agent_judge.jury.rules import VotingRules
from agent_judge.jury.sum_up import sum_up
from agent_judge.scores import NumericalScore
from agent_judge.testing import RecordingJudge, a_context, always
from property.populations import (
    ABSTAINING,
    ERRING,
    FAILING,
    JUDGMENTS,
    MONOTONE,
    NOT_APPLICABLE,
    PASSING,
    STRATEGIES,
    populations,
)

GOODNESS = {Status.FAIL: 0, Status.ABSTAIN: 1, Status.PASS: 2}


@given(STRATEGIES, populations(), st.randoms(use_true_random=False))
def test_the_order_of_seats_does_not_matter(
    strategy: VotingRules, population: Population, random: Random
) -> None:
    """Status, score, code and counts are those of any other order. (contract: core:V22)"""
    one = sum_up(strategy, population)
    other = sum_up(strategy, population.shuffled(random))

    assert (one.status, one.score, one.code) == (other.status, other.score, other.code)
    assert one.evidence == other.evidence


@given(STRATEGIES, populations())
def test_a_score_lies_in_the_unit_interval(strategy: VotingRules, population: Population) -> None:
    """Whatever the scales and weights of its votes. (contract: core:V16)"""
    score = sum_up(strategy, population).effective_score

    assert score is None or 0 <= score <= 1


@given(STRATEGIES, populations())
def test_no_aggregate_passes_unless_somebody_passed(
    strategy: VotingRules, population: Population
) -> None:
    """One judgment that counts has to be a pass. (contract: core:V10)"""
    judgment = sum_up(strategy, population)

    if judgment.passed:
        assert any(seat.judgment.passed for seat in population)
        assert judgment.evidence["passed"] != 0


@given(MONOTONE, populations())
def test_a_built_in_strategy_never_raises(strategy: VotingRules, population: Population) -> None:
    """Only labels can be such that they cannot be counted. (contract: core:V30)"""
    assert strategy(population).code is not ReasonCode.AGGREGATION_FAILED or any(
        seat.judgment.code is ReasonCode.AGGREGATION_FAILED for seat in population
    )


@given(STRATEGIES, populations())
def test_every_seat_is_counted_once(strategy: VotingRules, population: Population) -> None:
    """The counts of the evidence add up to the seats. (contract: core:V28)"""
    evidence = sum_up(strategy, population).evidence
    assume(evidence)
    counted = {name: count for name, count in evidence.items() if isinstance(count, int)}
    found = [seat.judgment.status for seat in population]

    assert counted["input"] == len(population)
    assert counted["passed"] == found.count(Status.PASS)
    assert counted["eligible"] == counted["passed"] + counted["failed"]
    assert counted["failed"] == found.count(Status.FAIL) + counted["treated_as_fail"]
    assert counted["abstained"] == found.count(Status.ABSTAIN) + counted["treated_as_abstain"]
    assert counted["errored"] == found.count(Status.ERROR)
    assert counted["not_applicable"] == found.count(Status.NOT_APPLICABLE)


@given(STRATEGIES, populations(JUDGMENTS), ERRING)
def test_an_error_is_never_outvoted_under_propagate(
    strategy: VotingRules, population: Population, error: Judgment
) -> None:
    """However many others there are. (contract: core:V17)"""
    assume(strategy.on_error is ErrorPolicy.PROPAGATE)
    with_error = Population((*population, Seat("errored", len(population), error)))

    assert sum_up(strategy, with_error).status is Status.ERROR


@given(MONOTONE, populations(PASSING | FAILING | ABSTAINING), st.data())
def test_one_more_vote_for_never_turns_the_result_against(
    strategy: VotingRules, population: Population, data: st.DataObject
) -> None:
    """A strategy that says it is monotone is. (contract: core:J17)"""
    before = strategy(population)
    seat = data.draw(st.sampled_from(population.seats))
    better = Seat(seat.key, seat.position, Judgment.passing(), seat.weight)
    after = strategy(_with(population, better))
    worse = Seat(seat.key, seat.position, Judgment.failing(), seat.weight)
    below = strategy(_with(population, worse))

    if seat.judgment.status is not Status.ABSTAIN:
        assert GOODNESS[below.status] <= GOODNESS[before.status] <= GOODNESS[after.status]
    assert GOODNESS[below.status] <= GOODNESS[after.status]


FINDINGS = st.lists(PASSING | FAILING | ABSTAINING | NOT_APPLICABLE, min_size=1, max_size=6)


@pytest.mark.parametrize("parallel", [True, False])
@given(MONOTONE, populations(PASSING | FAILING | ABSTAINING))
def test_an_early_stop_gives_the_status_of_the_full_vote(
    parallel: bool, strategy: VotingRules, population: Population
) -> None:
    """Whatever the judges that were not asked would have found. (contract: core:J17)"""
    judgments = [seat.judgment for seat in population]
    judges = {seat.key: RecordingJudge(always(seat.judgment)) for seat in population}
    weights = {seat.key: seat.weight for seat in population} if strategy.weighs else None
    assume(weights is None or any(weights.values()))
    stopping = Jury(judges, strategy, weights=weights, stop_when_decided=True, parallel=parallel)

    stopped = stopping.vote(a_context())
    full = Jury(judges, strategy, weights=weights).vote(a_context())

    assert stopped.status is full.status
    asked = [seat for seat in stopped.seats if not seat.skipped]
    assert [seat.judgment for seat in asked] == judgments[: len(asked)]
    assert stopped.cost.saved == len(judgments) - len(asked)


@given(MONOTONE, FINDINGS, st.data())
def test_what_was_skipped_could_not_have_mattered(
    strategy: VotingRules, judgments: list[Judgment], data: st.DataObject
) -> None:
    """Put anything but an error in its place: the status is the same. (contract: core:J17)"""
    declared = [data.draw(st.booleans()) for _ in judgments]
    judges = [_judge(judgment, known) for judgment, known in zip(judgments, declared, strict=True)]
    jury = Jury(judges, strategy, stop_when_decided=True, parallel=False)
    stopped = jury.vote(a_context())
    others = st.sampled_from(["pass", "fail", "abstain", "score"])
    seats = [
        Seat(
            seat.key,
            seat.position,
            _finding(data.draw(others), data) if seat.skipped else seat.judgment,
            seat.weight,
            conditional=seat.conditional,
        )
        for seat in stopped.seats
    ]

    assert strategy(Population(tuple(seats))).status is stopped.status


@given(FINDINGS, st.lists(st.floats(0, 10), min_size=6, max_size=6))
def test_equal_scores_reach_a_mark_that_each_reaches(
    judgments: list[Judgment], weights: list[float]
) -> None:
    """The mean of equal scores is that score. (contract: core:V8, core:R10)"""
    from agent_judge.jury import Average, Median, Minimum, WeightedAverage

    for mark in (0.1, 0.35, 0.7, 0.95, 0.99):
        seats = [Judgment.passing(score=NumericalScore(mark)) for _ in judgments]
        heavy = [weight + 0.1 for weight in weights[: len(seats)]]
        population = Population.of(*seats, weights=heavy)
        for kind in (Average, WeightedAverage, Median, Minimum):
            assert kind(threshold=mark)(population).passed


def _with(population: Population, changed: Seat) -> Population:
    return Population(tuple(changed if seat.key == changed.key else seat for seat in population))


def _judge(judgment: Judgment, declared: bool) -> RecordingJudge:
    from dataclasses import replace

    fixed = always(judgment)
    return RecordingJudge(replace(fixed, metadata=replace(fixed.metadata, conditional=declared)))


def _finding(kind: str, data: st.DataObject) -> Judgment:
    match kind:
        case "pass":
            return data.draw(PASSING)
        case "fail":
            return data.draw(FAILING)
        case "abstain":
            return Judgment.abstaining("unsure")
        case _:
            value = data.draw(st.floats(0, 1))
            status = data.draw(st.sampled_from([Status.PASS, Status.FAIL]))
            return Judgment(status, score=NumericalScore(value))
