"""The voting rows of the contract, as tables: who said what, and what comes of it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from agent_judge import (
    AllMustPass,
    Average,
    CategoricalScore,
    Consensus,
    ErrorPolicy,
    Judgment,
    JudgmentContext,
    Jury,
    Majority,
    Median,
    Minimum,
    NumericalScore,
    ReasonCode,
    Status,
    TiePolicy,
    WeightedAverage,
)
from agent_judge.errors import ArgumentError
from agent_judge.jury import Mode, NotApplicablePolicy, Population, Seat
from agent_judge.testing import abstaining, failing, not_applicable, passing

P = Judgment.passing()
F = Judgment.failing()
A = Judgment.abstaining("open")
E = Judgment.erring("broken", ReasonCode.JUDGE_RAISED)
N = Judgment.not_applicable("not here")


def scored(value: float) -> Judgment:
    """A judgment of this score that passes from .5 on."""
    return Judgment.scored(value, threshold=0.5)


def failing_with(value: float) -> Judgment:
    """A FAIL of this score."""
    return Judgment.failing(score=NumericalScore(value))


def vote(strategy: Any, *judgments: Judgment, weights: list[float] | None = None) -> Judgment:
    """What a strategy makes of judgments."""
    judgment: Judgment = strategy(Population.of(*judgments, weights=weights))
    return judgment


def value(judgment: Judgment) -> float | None:
    """The value of the aggregate's score."""
    return None if judgment.score is None else float(getattr(judgment.score, "value", "nan"))


def test_majority_of_two_to_one() -> None:
    """PASS without a score, with its counts. (contract: core:V1)"""
    judgment = vote(Majority(), P, P, F)

    assert (judgment.status, judgment.score) == (Status.PASS, None)
    assert (judgment.evidence["passed"], judgment.evidence["failed"]) == (2, 1)


@pytest.mark.parametrize("tie", TiePolicy)
def test_a_tie_is_what_the_policy_says(tie: TiePolicy) -> None:
    """FAIL by default. (contract: core:V2)"""
    assert vote(Majority(), P, F).status is Status.FAIL
    assert vote(Majority(tie=tie), P, F).status.value == tie.value


def test_abstentions_leave_a_majority() -> None:
    """One to nothing passes; nobody decides nothing. (contract: core:V3)"""
    assert vote(Majority(), P, A).status is Status.PASS
    assert vote(Majority(), P, A).evidence["eligible"] == 1
    assert vote(Majority(), A, A).status is Status.ABSTAIN


def test_a_majority_ignores_scores() -> None:
    """Two failures of high score are two failures. (contract: core:V4)"""
    assert vote(Majority(), failing_with(0.9), failing_with(0.95)).status is Status.FAIL


@pytest.mark.parametrize(
    ("judgments", "status"),
    [((P, P), Status.PASS), ((F, F), Status.FAIL), ((P, A), Status.PASS), ((F, A), Status.FAIL)],
)
def test_consensus_of_those_who_have_an_opinion(
    judgments: tuple[Judgment, ...], status: Status
) -> None:
    """All that are not open agree. (contract: core:V5)"""
    assert vote(Consensus(), *judgments).status is status


def test_a_split_consensus_is_told_apart_from_nobody() -> None:
    """Both abstain, and the counts differ; FAIL is to be had. (contract: core:V6)"""
    split, nobody = vote(Consensus(), P, F), vote(Consensus(), A, A)

    assert split.status is nobody.status is Status.ABSTAIN
    assert (split.evidence["eligible"], nobody.evidence["eligible"]) == (2, 0)
    assert vote(Consensus(split=TiePolicy.FAIL), P, F).status is Status.FAIL


def test_an_average() -> None:
    """.8 and .6 make .7. (contract: core:V7)"""
    judgment = vote(Average(), scored(0.8), scored(0.6))

    assert judgment.status is Status.PASS
    assert value(judgment) == pytest.approx(0.7)


def test_an_average_at_its_threshold_passes() -> None:
    """Exactly .5 reaches .5, and the threshold is recorded. (contract: core:V8)"""
    judgment = vote(Average(), P, F)

    assert (judgment.status, value(judgment)) == (Status.PASS, 0.5)
    assert judgment.evidence["threshold"] == 0.5


def test_abstentions_leave_an_average() -> None:
    """The mean is over those that judged. (contract: core:V9)"""
    judgment = vote(Average(), P, A)

    assert (value(judgment), judgment.evidence["eligible"]) == (1.0, 1)


@pytest.mark.parametrize("strategy", [Average(), WeightedAverage(), Median(), Minimum()])
def test_an_aggregate_never_passes_when_nobody_passed(strategy: Any) -> None:
    """However high the scores of failures are. (contract: core:V10)"""
    judgment = vote(strategy, failing_with(0.9), failing_with(0.9))

    assert (judgment.status, value(judgment)) == (Status.FAIL, 0.9)
    assert "no judgment passed" in judgment.reasoning


@pytest.mark.parametrize(
    ("judgments", "middle"),
    [
        ((scored(0.1), scored(0.9), scored(0.8)), 0.8),
        ((scored(0.2), scored(0.4), scored(0.6), scored(0.8)), 0.5),
        ((scored(1.0), A, A), 1.0),
    ],
)
def test_a_median(judgments: tuple[Judgment, ...], middle: float) -> None:
    """The middle one, or the mean of the two. (contract: core:V11)"""
    assert value(vote(Median(), *judgments)) == pytest.approx(middle)


def test_a_weighted_average() -> None:
    """A pass of weight 3 beside a fail of weight 1. (contract: core:V12)"""
    assert value(vote(WeightedAverage(), P, F, weights=[3, 1])) == 0.75


def test_a_weight_for_nobody_is_refused_and_a_missing_one_is_one() -> None:
    """The message lists who there is. (contract: core:V13)"""
    judges = {"a": passing(), "b": failing()}
    with pytest.raises(ArgumentError, match=r"weights names 'c'; the judges are \['a', 'b'\]"):
        Jury(judges, WeightedAverage(), weights={"c": 1})

    verdict = Jury(judges, WeightedAverage(), weights={"a": 3}).vote(JudgmentContext())

    assert [seat.weight for seat in verdict.seats] == [3, 1]


@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf")])
def test_a_weight_that_is_none_is_refused_early(weight: float) -> None:
    """Negative, NaN and infinite weights, and only zeros. (contract: core:V14)"""
    judges = {"a": passing(), "b": failing()}
    with pytest.raises(ArgumentError, match="weight of 'a'"):
        Jury(judges, WeightedAverage(), weights={"a": weight})
    with pytest.raises(ArgumentError, match="all weights are 0"):
        Jury(judges, WeightedAverage(), weights={"a": 0, "b": 0})

    assert Jury(judges, WeightedAverage(), weights={"b": 0}).vote(JudgmentContext()).passed


def test_when_all_weight_abstained_nobody_decides() -> None:
    """What is left has no weight. (contract: core:V15)"""
    judgment = vote(WeightedAverage(), A, P, weights=[1, 0])

    assert judgment.status is Status.ABSTAIN
    assert judgment.evidence["eligible_weight"] == 0


def test_huge_weights_do_not_overflow() -> None:
    """Near the largest float the mean is what it is. (contract: core:V16)"""
    huge = sys.float_info.max
    judgment = vote(WeightedAverage(), P, F, weights=[huge, huge])

    assert value(judgment) == 0.5


STRATEGIES: list[Callable[..., Any]] = [
    Majority,
    Consensus,
    AllMustPass,
    Average,
    WeightedAverage,
    Median,
    Minimum,
]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_an_error_makes_the_vote_an_error(strategy: Callable[..., Any]) -> None:
    """Unless one says otherwise, and with its code. (contract: core:V17)"""
    judgment = vote(strategy(), P, E)

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.JUDGE_RAISED)


def test_errors_as_failures() -> None:
    """An error counts against, with score 0. (contract: core:V18)"""
    policy = ErrorPolicy.TREAT_AS_FAIL

    assert vote(Majority(on_error=policy), P, E, A).status is Status.FAIL
    assert vote(Consensus(on_error=policy), P, E, A).status is Status.ABSTAIN
    assert value(vote(Average(on_error=policy), P, E, A)) == 0.5


def test_errors_as_abstentions_or_ignored() -> None:
    """Either way one vote is left, and the counts tell the two apart. (contract: core:V19)"""
    abstained = vote(Majority(on_error=ErrorPolicy.TREAT_AS_ABSTAIN), P, E, A)
    ignored = vote(Majority(on_error=ErrorPolicy.IGNORE), P, E, A)

    for judgment in (abstained, ignored):
        assert (judgment.status, judgment.evidence["eligible"]) == (Status.PASS, 1)
    assert (abstained.evidence["abstained"], abstained.evidence["ignored"]) == (2, 0)
    assert (ignored.evidence["abstained"], ignored.evidence["ignored"]) == (1, 1)


@pytest.mark.parametrize(
    ("policy", "status"),
    [
        (ErrorPolicy.PROPAGATE, Status.ERROR),
        (ErrorPolicy.TREAT_AS_FAIL, Status.FAIL),
        (ErrorPolicy.TREAT_AS_ABSTAIN, Status.ABSTAIN),
        (ErrorPolicy.IGNORE, Status.ABSTAIN),
    ],
)
def test_only_errors(policy: ErrorPolicy, status: Status) -> None:
    """Nothing but errors never passes. (contract: core:V20)"""
    assert vote(Majority(on_error=policy), E, E).status is status


def test_an_ignored_error_takes_its_weight_with_it() -> None:
    """What is left is .8, over weight 1 of 4. (contract: core:V21)"""
    strategy = WeightedAverage(on_error=ErrorPolicy.IGNORE)
    judgment = vote(strategy, E, scored(0.8), weights=[3, 1])

    assert value(judgment) == pytest.approx(0.8)
    assert (judgment.evidence["input_weight"], judgment.evidence["eligible_weight"]) == (4, 1)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("policy", ErrorPolicy)
def test_order_does_not_matter(strategy: Callable[..., Any], policy: ErrorPolicy) -> None:
    """Same status, score and counts, whoever is counted first. (contract: core:V22)"""
    judgments = [P, F, A, E, scored(0.3), scored(0.7), failing_with(0.1)]
    population = Population.of(*judgments, weights=[1, 2, 3, 4, 0.1, 0.2, 0.3])
    one = strategy(on_error=policy)(population)

    for seed in range(20):
        other = strategy(on_error=policy)(population.shuffled(Random(seed)))
        assert (other.status, other.score, other.evidence) == (one.status, one.score, one.evidence)


def test_an_empty_population_is_refused() -> None:
    """Nobody voted is no vote. (contract: core:V23)"""
    with pytest.raises(ArgumentError, match="at least one seat"):
        Population(())


def test_a_minimum_names_the_judge_that_binds() -> None:
    """Every judge is a bar to clear. (contract: core:V24, cases:D5)"""
    judgment = vote(Minimum(threshold=0.6), scored(0.9), scored(0.5), scored(0.8))

    assert (judgment.status, value(judgment)) == (Status.FAIL, 0.5)
    assert "judge-2" in judgment.reasoning


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_nan_never_reaches_a_minimum(score: float) -> None:
    """A score that is no number is refused where it is made. (contract: cases:D5)"""
    with pytest.raises(ArgumentError):
        NumericalScore(score)


def test_all_must_pass_is_strict_about_its_roster() -> None:
    """An abstention leaves it open, unless it is dropped. (contract: core:V25)"""
    assert vote(AllMustPass(), P, A).status is Status.ABSTAIN
    assert vote(AllMustPass(abstain="drop"), P, A).status is Status.PASS
    assert vote(AllMustPass(), F, A).status is Status.FAIL


@pytest.mark.parametrize(
    ("policy", "status"),
    [
        (NotApplicablePolicy.DECLARED, Status.ERROR),
        (NotApplicablePolicy.REFUSE, Status.ERROR),
        (NotApplicablePolicy.EXCLUDE, Status.PASS),
        (NotApplicablePolicy.AS_FAIL, Status.FAIL),
    ],
)
def test_what_undeclared_not_applicable_does(policy: NotApplicablePolicy, status: Status) -> None:
    """Refused unless one says otherwise. (contract: core:V26)"""
    judgment = vote(Majority(on_not_applicable=policy), P, N)

    assert judgment.status is status
    if status is Status.ERROR:
        assert judgment.code is ReasonCode.NOT_APPLICABLE_REFUSED


def test_declared_not_applicable_is_left_out() -> None:
    """All left out is NOT_APPLICABLE. (contract: core:V26)"""
    conditional = Seat("a", 0, N, conditional=True)
    seat = Seat("b", 1, P)

    assert Majority()(Population((conditional, seat))).status is Status.PASS
    assert Majority()(Population((conditional,))).status is Status.NOT_APPLICABLE


@pytest.mark.parametrize("code", [ReasonCode.AGGREGATION_FAILED, ReasonCode.INTERNAL])
def test_the_library_s_own_errors_are_no_votes_against_the_work(code: ReasonCode) -> None:
    """They stay errors even where errors count as failures. (contract: core:V27)"""
    own = Judgment.erring("ours", code)
    theirs = Judgment.erring("late", ReasonCode.TIMEOUT)
    strategy = Majority(on_error=ErrorPolicy.TREAT_AS_FAIL)

    assert (vote(strategy, P, own).status, vote(strategy, P, own).code) == (Status.ERROR, code)
    assert vote(strategy, theirs, theirs).status is Status.FAIL


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_how_it_was_counted_is_recorded(strategy: Callable[..., Any]) -> None:
    """Strategy, policies, and every count. (contract: core:V28)"""
    evidence = vote(strategy(on_error=ErrorPolicy.IGNORE), P, F, A, E).evidence

    expected = {"input": 4, "eligible": 2, "abstained": 1, "not_applicable": 0, "errored": 1}
    assert {name: evidence[name] for name in expected} == expected
    assert evidence["errors_by_code"] == {"judge_raised": 1}
    assert evidence["on_error"] == "ignore"
    assert evidence["ignored"] == 1
    assert {"strategy", "on_not_applicable", "min_eligible"} <= set(evidence)


def test_a_quorum_that_is_not_reached() -> None:
    """ABSTAIN that names the shortfall. (contract: core:V29)"""
    judgment = vote(Majority(min_eligible=3), P, P, A)

    assert (judgment.status, judgment.code) == (Status.ABSTAIN, ReasonCode.QUORUM)
    assert "2 eligible, 3 needed" in judgment.reasoning


def nonsense(_: Population) -> Any:
    """A strategy that returns no judgment."""
    return "PASS"


def raising(_: Population) -> Any:
    """A strategy that raises."""
    raise ZeroDivisionError("empty")


async def asynchronous(_: Population) -> Any:
    """A strategy that cannot be one."""


@pytest.mark.parametrize("strategy", [nonsense, raising, asynchronous])
def test_a_strategy_that_fails_loses_no_seat(strategy: Any) -> None:
    """ERROR aggregation_failed, with every seat. (contract: core:V30, core:J7)"""
    verdict = Jury([passing(), failing()], strategy).vote(JudgmentContext())

    assert (verdict.status, verdict.judgment.code) == (
        Status.ERROR,
        ReasonCode.AGGREGATION_FAILED,
    )
    assert len(verdict.seats) == 2


def test_a_strategy_is_any_function_of_a_population() -> None:
    """A plain function is accepted. (contract: core:V30)"""
    verdict = Jury([failing(), passing()], lambda seats: seats.seats[1].judgment).vote(
        JudgmentContext()
    )

    assert verdict.passed


def test_categories_without_numbers_take_part_by_status() -> None:
    """A word is not a number, and that is recorded. (contract: core:V31)"""
    good = Judgment.passing(score=CategoricalScore("good", ("good", "poor")))
    judgment = vote(Average(), good, failing_with(0.5))

    assert value(judgment) == 0.75
    assert judgment.evidence["scored_by_status"] == 1


def test_mixed_label_sets_are_refused_under_mode() -> None:
    """Words of different scales are not counted together. (contract: core:V31)"""
    one = Judgment.passing(score=CategoricalScore("good", ("good", "poor")))
    other = Judgment.passing(score=CategoricalScore("yes", ("yes", "no")))

    with pytest.raises(ArgumentError, match="label sets"):
        vote(Mode(passing=("good",)), one, other)


def test_labels_that_differ_in_case_only_are_one() -> None:
    """Yes, yes, no, no is a tie. (contract: cases:D7)"""
    labels = [Judgment.passing(label=word) for word in ("Yes", "yes", "no", "no")]
    judgment = vote(Mode(passing=("yes",)), *labels)

    assert judgment.status is Status.ABSTAIN
    assert "tie" in judgment.reasoning


def test_one_judge_that_raises_leaves_the_others_their_seats() -> None:
    """A row for each judge, exactly one. (contract: cases:D9, core:J3)"""

    def broken(_: JudgmentContext) -> Judgment:
        raise ValueError("no")

    verdict = Jury([passing(), broken, abstaining("a"), not_applicable("n")]).vote(
        JudgmentContext()
    )

    assert [seat.judgment.status for seat in verdict.seats] == [
        Status.PASS,
        Status.ERROR,
        Status.ABSTAIN,
        Status.NOT_APPLICABLE,
    ]
