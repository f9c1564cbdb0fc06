from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any

import pytest

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judgment import Judgment, ReasonCode, Status
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
    VotingStrategy,
    WeightedAverage,
)
from agent_judge.jury.rules import VotingRules, strategy_name
from agent_judge.jury.strategies import BUILT_IN
from agent_judge.scores import BooleanScore, CategoricalScore, NumericalScore

P = Judgment.passing("good")
F = Judgment.failing("bad")
A = Judgment.abstaining("unsure")
E = Judgment.erring("boom", ReasonCode.JUDGE_RAISED)
N = Judgment.not_applicable("no page")

PASS, FAIL, ABSTAIN, ERROR = Status.PASS, Status.FAIL, Status.ABSTAIN, Status.ERROR
NOT_APPLICABLE = Status.NOT_APPLICABLE

STRATEGIES: list[VotingRules] = [
    Majority(),
    Consensus(),
    AllMustPass(),
    Average(),
    WeightedAverage(),
    Median(),
    Minimum(),
]
SCORING = [Average, WeightedAverage, Median, Minimum]


def scored(*values: float, passed: bool | None = None) -> list[Judgment]:
    """Judgments of these scores, which pass from .5 up unless said otherwise."""
    return [
        Judgment(
            Status.PASS if (value >= 0.5 if passed is None else passed) else Status.FAIL,
            score=NumericalScore(value),
        )
        for value in values
    ]


def count(strategy: VotingStrategy, *judgments: Judgment, **options: Any) -> Judgment:
    """Count judgments."""
    return strategy(Population.of(*judgments, **options))


def evidence(judgment: Judgment, *names: str) -> list[object]:
    """What was recorded under these names."""
    return [judgment.evidence[name] for name in names]


def test_a_majority_passes() -> None:
    """By heads, without a score, and with its counts. (contract: core:V1)"""
    judgment = count(Majority(), P, P, F)

    assert judgment.status is PASS
    assert judgment.score is None
    assert evidence(judgment, "passed", "failed") == [2, 1]


@pytest.mark.parametrize(
    ("tie", "status"),
    [(None, FAIL), (TiePolicy.FAIL, FAIL), (TiePolicy.PASS, PASS), (TiePolicy.ABSTAIN, ABSTAIN)],
)
def test_a_tie_fails_unless_told_otherwise(tie: TiePolicy | None, status: Status) -> None:
    """One for, one against. (contract: core:V2)"""
    majority = Majority() if tie is None else Majority(tie=tie)

    assert count(majority, P, F).status is status


def test_who_abstains_is_not_counted() -> None:
    """Neither for nor against; with nobody left it is undecided. (contract: core:V3)"""
    one, none = count(Majority(), P, A), count(Majority(), A, A)

    assert one.status is PASS
    assert evidence(one, "passed", "failed", "eligible", "abstained") == [1, 0, 1, 1]
    assert none.status is ABSTAIN
    assert none.code is ReasonCode.NO_VOTES


def test_a_majority_ignores_scores() -> None:
    """Two failures that were nearly good are two failures. (contract: core:V4)"""
    assert count(Majority(), *scored(0.9, 0.95, passed=False)).status is FAIL


@pytest.mark.parametrize(
    ("judgments", "status"), [([P, P], PASS), ([F, F], FAIL), ([P, A], PASS), ([F, A], FAIL)]
)
def test_a_consensus_is_what_all_say(judgments: list[Judgment], status: Status) -> None:
    """All who found something. (contract: core:V5)"""
    assert count(Consensus(), *judgments).status is status


def test_a_split_is_undecided() -> None:
    """And its counts tell it from "nobody applicable". (contract: core:V6)"""
    split, nobody = count(Consensus(), P, F), count(Consensus(), A, A)

    assert split.status is nobody.status is ABSTAIN
    assert evidence(split, "passed", "failed", "eligible") == [1, 1, 2]
    assert evidence(nobody, "passed", "failed", "eligible") == [0, 0, 0]
    assert split.code is not nobody.code


@pytest.mark.parametrize(("split", "status"), [(TiePolicy.FAIL, FAIL), (TiePolicy.PASS, PASS)])
def test_a_split_may_be_decided_beforehand(split: TiePolicy, status: Status) -> None:
    """By policy. (contract: core:V6)"""
    assert count(Consensus(split=split), P, F).status is status


def test_an_average_is_the_mean_score() -> None:
    """And reaches the default mark. (contract: core:V7)"""
    judgment = count(Average(), *scored(0.8, 0.6))

    assert judgment.status is PASS
    assert judgment.effective_score == 0.7


@pytest.mark.parametrize("strategy", SCORING)
def test_exactly_the_threshold_passes(strategy: Callable[..., VotingRules]) -> None:
    """And the threshold is recorded. (contract: core:V8, core:V28)"""
    for threshold in (0.1, 0.35, 0.5, 0.7, 0.99):
        judgments = scored(threshold, threshold, threshold, passed=True)

        judgment = count(strategy(threshold=threshold), *judgments)

        assert judgment.status is PASS
        assert judgment.evidence["threshold"] == threshold


def test_an_average_of_one_for_and_one_against() -> None:
    """Passes at exactly one half. (contract: core:V8)"""
    judgment = count(Average(threshold=0.5), P, F)

    assert (judgment.status, judgment.effective_score) == (PASS, 0.5)
    assert count(Average(threshold=0.51), P, F).status is FAIL


def test_an_abstention_leaves_the_denominator() -> None:
    """One for of one. (contract: core:V9)"""
    judgment = count(Average(), P, A)

    assert judgment.effective_score == 1.0
    assert judgment.evidence["eligible"] == 1


@pytest.mark.parametrize("strategy", SCORING)
def test_no_aggregate_passes_when_nobody_passed(strategy: Callable[..., VotingRules]) -> None:
    """Two failures of .9 are above the mark, and are failures. (contract: core:V10)"""
    judgment = count(strategy(), *scored(0.9, 0.9, passed=False))

    assert judgment.status is FAIL
    assert judgment.effective_score == 0.9
    assert judgment.evidence["passed"] == 0
    assert "no judgment passed" in judgment.reasoning


def test_a_pass_of_no_weight_lets_no_aggregate_pass() -> None:
    """A judge that counts nothing cannot decide. (contract: core:V10, core:V14)"""
    judgments = [*scored(0.9, passed=False), *scored(0.9)]

    assert count(WeightedAverage(), *judgments, weights=[1, 0]).status is FAIL
    assert count(WeightedAverage(), *judgments, weights=[1, 0.1]).status is PASS


@pytest.mark.parametrize(
    ("judgments", "median"),
    [
        (scored(0.1, 0.9, 0.8), 0.8),
        (scored(0.2, 0.4, 0.6, 0.8), 0.5),
        ([*scored(1.0), A, A], 1.0),
        (scored(0.3), 0.3),
    ],
)
def test_a_median_is_the_middle_score(judgments: list[Judgment], median: float) -> None:
    """Of an even number, the mean of the two in the middle. (contract: core:V11)"""
    assert count(Median(), *judgments).effective_score == pytest.approx(median)


def test_a_weight_counts_its_score_so_many_times() -> None:
    """Three to one. (contract: core:V12)"""
    assert count(WeightedAverage(), *scored(1.0, 0.0), weights=[3, 1]).effective_score == 0.75


def test_only_the_judge_with_weight_abstained() -> None:
    """Then nobody counts. (contract: core:V15)"""
    judgment = count(WeightedAverage(), A, P, weights=[1, 0])

    assert judgment.status is ABSTAIN
    assert evidence(judgment, "input_weight", "eligible_weight") == [1.0, 0.0]


def test_the_largest_weights_do_not_overflow() -> None:
    """Their mean is a mean, and their sum is bounded. (contract: core:V16)"""
    largest = sys.float_info.max

    judgment = count(WeightedAverage(), *scored(1.0, 0.5), weights=[largest, largest])

    assert judgment.effective_score == 0.75
    assert evidence(judgment, "input_weight", "eligible_weight") == [largest, largest]


def test_the_smallest_weights_do_not_vanish() -> None:
    """Only their ratio counts. (contract: core:V16)"""
    smallest = sys.float_info.min * sys.float_info.epsilon

    judgment = count(WeightedAverage(), *scored(1.0, 0.0), weights=[smallest, smallest])

    assert judgment.effective_score == 0.5


@pytest.mark.parametrize("strategy", STRATEGIES, ids=strategy_name)
def test_an_error_makes_the_vote_an_error(strategy: VotingRules) -> None:
    """By default: what is not known cannot be outvoted. (contract: core:V17)"""
    judgment = count(strategy, P, E)

    assert judgment.status is ERROR
    assert judgment.code is ReasonCode.JUDGE_RAISED
    assert "judge-2 errored: boom" in judgment.reasoning


def with_policy(strategy: type[VotingRules], policy: ErrorPolicy) -> VotingRules:
    """A strategy with an error policy."""
    return strategy(on_error=policy)


def test_an_error_may_be_held_against_the_work() -> None:
    """As a vote against, of score 0. (contract: core:V18)"""
    policy = ErrorPolicy.TREAT_AS_FAIL

    assert count(Majority(on_error=policy), P, E, A).status is FAIL
    assert count(Consensus(on_error=policy), P, E, A).status is ABSTAIN
    average = count(Average(on_error=policy), P, E, A)
    assert average.effective_score == 0.5
    assert evidence(average, "eligible", "errored", "treated_as_fail") == [2, 1, 1]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=strategy_name)
def test_an_error_may_be_left_out(strategy: VotingRules) -> None:
    """As an abstention or altogether; the counts tell which. (contract: core:V19)"""
    kind = type(strategy)
    as_abstention = count(with_policy(kind, ErrorPolicy.TREAT_AS_ABSTAIN), P, E, A)
    ignored = count(with_policy(kind, ErrorPolicy.IGNORE), P, E, A)
    strict = kind is AllMustPass

    assert as_abstention.status is ignored.status is (ABSTAIN if strict else PASS)
    assert as_abstention.evidence["eligible"] == ignored.evidence["eligible"] == 1
    names = ("abstained", "treated_as_abstain", "ignored")
    assert evidence(as_abstention, *names) == [2, 1, 0]
    assert evidence(ignored, *names) == [1, 0, 1]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=strategy_name)
@pytest.mark.parametrize(
    ("policy", "status"),
    [
        (ErrorPolicy.PROPAGATE, ERROR),
        (ErrorPolicy.TREAT_AS_FAIL, FAIL),
        (ErrorPolicy.TREAT_AS_ABSTAIN, ABSTAIN),
        (ErrorPolicy.IGNORE, ABSTAIN),
    ],
)
def test_nothing_but_errors(strategy: VotingRules, policy: ErrorPolicy, status: Status) -> None:
    """Is what the policy makes of an error, and never a pass. (contract: core:V20)"""
    assert count(with_policy(type(strategy), policy), E, E).status is status


def test_an_ignored_judge_takes_its_weight_along() -> None:
    """What it would have counted is recorded as input. (contract: core:V21)"""
    strategy = WeightedAverage(on_error=ErrorPolicy.IGNORE)

    judgment = count(strategy, E, *scored(0.8), weights=[3, 1])

    assert judgment.effective_score == 0.8
    assert evidence(judgment, "input_weight", "eligible_weight") == [4.0, 1.0]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=strategy_name)
def test_the_order_of_seats_does_not_matter(strategy: VotingRules) -> None:
    """For any mix: status, score, code, reasoning and counts. (contract: core:V22, cases:D5)"""
    other = Judgment.erring("bang", ReasonCode.TIMEOUT)
    for mix in ([P, F, A, *scored(0.3, 0.7)], [P, E, other, N], [A, N, F]):
        seats = Population.of(*mix, weights=[1, 2, 3, 4, 5][: len(mix)]).seats

        counted = {strategy(Population(order)) for order in permutations(seats)}

        assert len(counted) == 1


def test_a_lowest_score_is_the_lowest_in_any_order() -> None:
    """NaN never gets in, so the order cannot bring it out. (contract: cases:D5)"""
    with pytest.raises(ArgumentError):
        NumericalScore(float("nan"))
    assert count(Minimum(), *scored(0.9, 0.1)).effective_score == 0.1
    assert count(Minimum(), *scored(0.1, 0.9)).effective_score == 0.1


def test_an_empty_population_is_refused() -> None:
    """Nothing passes that nobody voted on. (contract: core:V23)"""
    with pytest.raises(ArgumentError, match="at least one seat"):
        Population(())
    with pytest.raises(ArgumentError, match="at least one seat"):
        Population.of()


def test_a_population_holds_seats() -> None:
    """A judgment has no key and no weight. (contract: core:V23)"""
    with pytest.raises(ArgumentTypeError, match="holds seats"):
        Population((P,))  # type: ignore[arg-type]


def test_a_population_needs_a_weight_for_each_judgment() -> None:
    """Or none at all. (contract: core:V13)"""
    with pytest.raises(ArgumentError, match="2 judgments need as many weights, not 1"):
        Population.of(P, F, weights=[1])


def test_a_minimum_is_set_by_the_lowest() -> None:
    """Every judge is a bar, and the binding one is named. (contract: core:V24)"""
    judgment = count(Minimum(threshold=0.6), *scored(0.9, 0.5, 0.8))

    assert judgment.status is FAIL
    assert judgment.effective_score == 0.5
    assert "judge-2" in judgment.reasoning
    assert "judge-1" not in judgment.reasoning


def test_all_must_pass_means_all_of_the_roster() -> None:
    """An abstention leaves it open, unless it is dropped. (contract: core:V25)"""
    assert count(AllMustPass(), P, A).status is ABSTAIN
    assert count(AllMustPass(abstain="drop"), P, A).status is PASS
    assert count(AllMustPass(), P, P).status is PASS
    assert count(AllMustPass(), P, A, F).status is FAIL
    assert "judge-3" in count(AllMustPass(), P, A, F).reasoning


def conditional(*judgments: Judgment) -> Population:
    """Seats of judges that declared beforehand when they do not apply."""
    return Population(
        tuple(
            Seat(f"judge-{index}", index, judgment, conditional=True)
            for index, judgment in enumerate(judgments)
        )
    )


@pytest.mark.parametrize("strategy", STRATEGIES, ids=strategy_name)
def test_an_undeclared_not_applicable_is_refused(strategy: VotingRules) -> None:
    """Or any judge could leave the vote when it likes. (contract: core:V26)"""
    for policy in (NotApplicablePolicy.DECLARED, NotApplicablePolicy.REFUSE):
        judgment = count(type(strategy)(on_not_applicable=policy), P, N)

        assert judgment.status is ERROR
        assert judgment.code is ReasonCode.NOT_APPLICABLE_REFUSED
        assert "judge-2" in judgment.reasoning


@pytest.mark.parametrize("strategy", STRATEGIES, ids=strategy_name)
def test_a_declared_not_applicable_leaves_the_vote(strategy: VotingRules) -> None:
    """Numerator, denominator, votes and weight. (contract: core:V26)"""
    judgment = strategy(conditional(P, N))

    assert judgment.status is PASS
    assert evidence(judgment, "eligible", "not_applicable", "excluded") == [1, 1, 1]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=strategy_name)
def test_not_applicable_follows_its_policy(strategy: VotingRules) -> None:
    """Left out, a vote against, or refused although declared. (contract: core:V26)"""
    kind = type(strategy)
    excluding = kind(on_not_applicable=NotApplicablePolicy.EXCLUDE)
    failing = kind(on_not_applicable=NotApplicablePolicy.AS_FAIL)
    refusing = kind(on_not_applicable=NotApplicablePolicy.REFUSE)

    assert count(excluding, P, N).status is PASS
    assert count(failing, N).status is FAIL
    assert count(failing, P, N).evidence["treated_as_fail"] == 1
    assert refusing(conditional(P, N)).code is ReasonCode.NOT_APPLICABLE_REFUSED


@pytest.mark.parametrize("strategy", STRATEGIES, ids=strategy_name)
def test_if_nobody_applies_the_vote_does_not_apply(strategy: VotingRules) -> None:
    """But one abstention is a judge that applied. (contract: core:V26)"""
    assert strategy(conditional(N, N)).status is NOT_APPLICABLE
    assert strategy(conditional(N, A)).status is ABSTAIN


@pytest.mark.parametrize(
    "code", [ReasonCode.AGGREGATION_FAILED, ReasonCode.INTERNAL, ReasonCode.STAGE_FAILED]
)
@pytest.mark.parametrize("strategy", STRATEGIES, ids=strategy_name)
def test_an_error_of_the_library_is_never_held_against_the_work(
    strategy: VotingRules, code: ReasonCode
) -> None:
    """Not even under treat-as-fail. (contract: core:V27)"""
    own = Judgment.erring("ours", code)

    judgment = count(with_policy(type(strategy), ErrorPolicy.TREAT_AS_FAIL), P, own)

    assert judgment.status is ERROR
    assert judgment.code is code
    assert judgment.evidence["treated_as_fail"] == 0


@pytest.mark.parametrize("code", [ReasonCode.JUDGE_RAISED, ReasonCode.TIMEOUT])
def test_an_error_of_a_judge_is_not_one_of_the_library(code: ReasonCode) -> None:
    """Its exception or its timeout is a vote against, if so told. (contract: core:V27)"""
    strategy = Majority(on_error=ErrorPolicy.TREAT_AS_FAIL)

    assert count(strategy, Judgment.erring("theirs", code)).status is FAIL


COUNTS = [
    "input",
    "eligible",
    "passed",
    "failed",
    "abstained",
    "not_applicable",
    "errored",
    "treated_as_fail",
    "treated_as_abstain",
    "ignored",
    "excluded",
]


@pytest.mark.parametrize("strategy", [*STRATEGIES, Mode(("x",))], ids=strategy_name)
@pytest.mark.parametrize("mix", [[P], [F, A], [A, A], [P, E], [N], [E, E, A, N, P, F]])
def test_every_aggregate_says_how_it_was_counted(
    strategy: VotingRules, mix: Sequence[Judgment]
) -> None:
    """Strategy, policies, and a count for whatever can happen to a seat. (contract: core:V28)"""
    labelled = [
        judgment if judgment.status not in (PASS, FAIL) else Judgment(judgment.status, label="x")
        for judgment in mix
    ]
    for policy in ErrorPolicy:
        rules: Any = {"on_error": policy, "min_eligible": 1}
        told = Mode(("x",), **rules) if isinstance(strategy, Mode) else type(strategy)(**rules)
        if policy is ErrorPolicy.TREAT_AS_FAIL and isinstance(strategy, Mode) and E in mix:
            continue

        recorded = told(Population.of(*labelled)).evidence

        assert recorded["strategy"] == strategy_name(strategy)
        assert recorded["on_error"] == policy.value
        assert recorded["on_not_applicable"] == "declared"
        assert recorded["min_eligible"] == 1
        assert recorded["input"] == len(mix)
        assert all(isinstance(recorded[name], int) for name in COUNTS)
        assert recorded["errored"] == mix.count(E)


def test_errors_are_counted_by_their_codes() -> None:
    """So that a run of timeouts shows. (contract: core:V28)"""
    late = Judgment.erring("late", ReasonCode.TIMEOUT)

    judgment = count(Majority(on_error=ErrorPolicy.IGNORE), P, E, late, late)

    assert judgment.evidence["errors_by_code"] == {"judge_raised": 1, "timeout": 2}


@pytest.mark.parametrize("strategy", STRATEGIES, ids=strategy_name)
def test_a_vote_needs_its_quorum(strategy: VotingRules) -> None:
    """With fewer votes it is undecided, and says by how many. (contract: core:V29)"""
    kind = type(strategy)

    short, enough = count(kind(min_eligible=2), P, A), count(kind(min_eligible=2), P, P)

    assert short.status is ABSTAIN
    assert short.code is ReasonCode.QUORUM
    assert "1 eligible, 2 needed" in short.reasoning
    assert enough.status is PASS


@pytest.mark.parametrize("quorum", [0, -1, 1.5, True, None])
def test_a_quorum_counts_from_one(quorum: Any) -> None:
    """Zero would let nobody decide. (contract: core:V29)"""
    with pytest.raises(ArgumentError, match="min_eligible counts from 1 up"):
        Majority(min_eligible=quorum)


def labelled(
    label: str, categories: tuple[str, ...] = ("good", "poor"), **numbers: float
) -> Judgment:
    """A judgment of a category, which passes if it is the first one."""
    status = PASS if label == categories[0] else FAIL
    return Judgment(status, score=CategoricalScore(label, categories, numbers))


@pytest.mark.parametrize("strategy", SCORING)
def test_a_category_without_a_number_counts_by_its_status(
    strategy: Callable[..., VotingRules],
) -> None:
    """As 1 or 0, and that is recorded. (contract: core:V31, cases:D3)"""
    judgment = count(strategy(), labelled("good"), labelled("good"), labelled("good"))
    mixed = count(Average(), labelled("good"), labelled("poor"), labelled("poor", poor=0.5))

    assert judgment.effective_score == 1.0
    assert judgment.evidence["scored_by_status"] == 3
    assert mixed.effective_score == pytest.approx(0.5)
    assert mixed.evidence["scored_by_status"] == 2


def test_a_category_with_a_number_counts_by_it() -> None:
    """And nothing is recorded that did not happen. (contract: core:V31)"""
    judgment = count(Average(), labelled("good", good=0.8))

    assert judgment.effective_score == 0.8
    assert "scored_by_status" not in judgment.evidence


def test_a_mode_counts_labels() -> None:
    """The label most judges gave decides, and is the label of the result. (contract: core:V31)"""
    judges = [labelled("good"), labelled("good"), labelled("poor")]

    judgment = count(Mode(("good",)), *judges)

    assert (judgment.status, judgment.label) == (PASS, "good")
    assert count(Mode(("poor",)), *judges).status is FAIL


def test_labels_are_compared_without_regard_to_case() -> None:
    """Two and two are a tie. (contract: cases:D7)"""
    votes = [Judgment.passing(label=label) for label in ("Yes", "yes", "no", "no")]

    judgment = count(Mode(("YES",)), *votes)

    assert judgment.status is ABSTAIN
    assert "no, yes, 2 votes each" in judgment.reasoning
    assert count(Mode(("yes",), tie=TiePolicy.FAIL), *votes).status is FAIL
    assert count(Mode(("yes",), tie=TiePolicy.PASS), *votes).status is PASS


def test_different_sets_of_labels_cannot_be_counted_together() -> None:
    """The better of two is not the best of five; the order within a set does not count.

    (contract: core:V31)
    """
    two, five = labelled("good"), labelled("good", ("good", "fair", "poor"))

    with pytest.raises(ArgumentError, match="cannot mix label sets"):
        count(Mode(("good",)), two, five)
    with pytest.raises(ArgumentError, match="cannot mix label sets"):
        count(Mode(("good",)), two, Judgment.passing(score=BooleanScore(True)))
    reordered = Judgment.passing(score=CategoricalScore("good", ("poor", "good")))
    assert count(Mode(("good",)), two, reordered).passed


def test_a_vote_without_a_label_cannot_be_counted_as_one() -> None:
    """No label is made up for it. (contract: core:V31)"""
    with pytest.raises(ArgumentError, match="'judge-2' gave none"):
        count(Mode(("good",)), labelled("good"), P)


@pytest.mark.parametrize("tie", TiePolicy)
def test_no_label_passes_when_nobody_passed(tie: TiePolicy) -> None:
    """Whatever the labels say, every judge failed the run. (contract: core:V10)"""
    failing = [Judgment.failing(label=label) for label in ("good", "fine")]

    assert count(Mode(("good",), tie=tie), failing[0]).status is FAIL
    assert count(Mode(("good",), tie=tie), *failing).status is not PASS


@pytest.mark.parametrize("passing", [(), "good", [], ("good", ""), ("good", 1), (None,)])
def test_a_mode_names_the_labels_that_pass(passing: Any) -> None:
    """At least one, each a word. (contract: core:V31)"""
    with pytest.raises((ArgumentError, ArgumentTypeError), match="passing"):
        Mode(passing)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Majority(tie="draw"), "tie is one of"),  # type: ignore[arg-type]
        (lambda: Consensus(split=True), "split is one of"),  # type: ignore[arg-type]
        (lambda: Average(on_error="panic"), "on_error is one of"),  # type: ignore[arg-type]
        (lambda: Median(on_not_applicable=None), "on_not_applicable is one of"),  # type: ignore[arg-type]
        (lambda: AllMustPass(abstain="fail"), "'abstain' or 'drop'"),  # type: ignore[arg-type]
        (lambda: Average(threshold=1.5), r"threshold must lie in 0\.\.1"),
        (lambda: Minimum(threshold=float("nan")), r"threshold must lie in 0\.\.1"),
    ],
)
def test_a_strategy_is_refused_when_it_is_built(
    build: Callable[[], VotingRules], message: str
) -> None:
    """Not at the first tie. (contract: core:V14)"""
    with pytest.raises(ArgumentError, match=message):
        build()


def test_a_policy_may_be_given_by_its_word() -> None:
    """As configuration writes it."""
    assert Majority(tie="pass", on_error="ignore") == Majority(  # type: ignore[arg-type]
        tie=TiePolicy.PASS, on_error=ErrorPolicy.IGNORE
    )


@pytest.mark.parametrize("strategy", [*STRATEGIES, Mode(("x", "y"))], ids=strategy_name)
@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda strategy: pickle.loads(pickle.dumps(strategy))]
)
def test_a_copied_strategy_is_the_same(
    copied: Callable[[VotingRules], VotingRules], strategy: VotingRules
) -> None:
    """Juries go to worker processes and back. (contract: core:R22)"""
    again = copied(strategy)

    assert again == strategy
    assert hash(again) == hash(strategy)
    assert again.options == strategy.options


def test_the_built_in_strategies_have_names() -> None:
    """Which evidence and configuration use; one's own goes by the name of its code."""

    def newest_wins(population: Population) -> Judgment:
        return population.seats[-1].judgment

    assert {strategy_name(strategy) for strategy in STRATEGIES} == set(BUILT_IN) - {"mode"}
    assert strategy_name(newest_wins) == "newest_wins"
    assert strategy_name(Whole()) == "Whole"


class Whole:
    def __call__(self, population: Population, /) -> Judgment:
        """Fail."""
        return population.seats[0].judgment
