from __future__ import annotations

import asyncio
import copy
import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from agent_judge.combinators import all_of
from agent_judge.context import ExecutionStatus, JudgmentContext
from agent_judge.engine import aevaluate, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judgment import Check, Judgment, ReasonCode, Status
from agent_judge.jury import (
    AllMustPass,
    Average,
    Consensus,
    ErrorPolicy,
    Jury,
    KeySource,
    Majority,
    Mode,
    Population,
    Seat,
    Verdict,
    WeightedAverage,
)
from agent_judge.protocol import Cost, Judge, describe, judge, named
from agent_judge.testing import (
    FixedJudge,
    HangingJudge,
    RecordingJudge,
    a_context,
    abstaining,
    erring,
    failing,
    not_applicable,
    passing,
    scoring,
)
from agent_judge.usage import Usage


def codes(verdict: Verdict) -> list[ReasonCode | None]:
    """The reason code of each seat."""
    return [seat.judgment.code for seat in verdict.seats]


def statuses(verdict: Verdict) -> list[str]:
    """The status of each seat."""
    return [seat.judgment.status.name for seat in verdict.seats]


@pytest.mark.parametrize("judges", [[], (), {}, iter(())])
def test_a_jury_of_nobody_is_refused(judges: Any) -> None:
    """Nothing passes that was not examined. (contract: core:J1)"""
    with pytest.raises(ArgumentError, match="a jury needs at least one judge"):
        Jury(judges)


@pytest.mark.parametrize("judges", [[None], [passing(), None], {"a": None}, "judges", [FixedJudge]])
def test_what_is_no_judge_is_refused(judges: Any) -> None:
    """When the jury is built, not at its first vote. (contract: core:J1)"""
    with pytest.raises(ArgumentTypeError):
        Jury(judges)


@pytest.mark.parametrize("judges", [None, 3, passing()])
def test_judges_come_as_a_list_or_mapping(judges: Any) -> None:
    """One judge is not a list of one. (contract: core:J1)"""
    with pytest.raises(ArgumentTypeError, match="must be a list or mapping of judges"):
        Jury(judges)


@pytest.mark.parametrize("strategy", [None, "majority", Majority, 3])
def test_what_is_no_strategy_is_refused(strategy: Any) -> None:
    """A word is not one, nor is a class instead of its instance. (contract: core:J1)"""
    with pytest.raises(ArgumentTypeError, match="strategy must be a function of a population"):
        Jury([passing()], strategy)


def tidy(_context: JudgmentContext) -> Judgment:
    """Pass."""
    return Judgment.passing("tidy")


class Strict:
    def __call__(self, _context: JudgmentContext, /) -> Judgment:
        """Fail."""
        return Judgment.failing("strict")


def test_every_seat_has_a_key() -> None:
    """From a person, from the code, or from the place. (contract: core:J2)"""
    jury = Jury([named("Mine", tidy), tidy, Strict(), lambda _: Judgment.passing()])

    seats = jury.vote(a_context()).seats

    assert [(seat.key, seat.key_source) for seat in seats] == [
        ("Mine", KeySource.EXPLICIT),
        ("tidy", KeySource.DERIVED),
        ("Strict", KeySource.DERIVED),
        ("judge-4", KeySource.POSITIONAL),
    ]


def test_the_keys_of_a_mapping_are_names() -> None:
    """Chosen by a person, in their order. (contract: core:J2)"""
    judges: dict[str, Judge] = {"b": tidy, "a": named("Mine", tidy)}

    seats = Jury(judges).vote(a_context()).seats

    assert [(seat.key, seat.key_source) for seat in seats] == [
        ("b", KeySource.EXPLICIT),
        ("a", KeySource.EXPLICIT),
    ]


def raising(_context: JudgmentContext) -> Judgment:
    """Raise."""
    raise KeyError("no such field")


def nothing(_context: JudgmentContext) -> Any:
    """Return nothing."""


def wrong(_context: JudgmentContext) -> Any:
    """Return what is no judgment."""
    return {"passed": True}


async def later(_context: JudgmentContext) -> Judgment:
    """Pass, asynchronously."""
    await asyncio.sleep(0)
    return Judgment.passing("later")


@pytest.mark.parametrize("parallel", [True, False])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_that_fails_does_not_keep_the_others_from_judging(parallel: bool, place: int) -> None:
    """Each has its one seat, wherever the broken one sits. (contract: core:J3, cases:D9)"""
    judges: list[Judge] = [tidy, later]
    judges.insert(place, raising)

    verdict = Jury(judges, parallel=parallel).vote(a_context())

    assert len(verdict.seats) == 3
    assert statuses(verdict) == ["ERROR" if index == place else "PASS" for index in range(3)]


@pytest.mark.parametrize("timeout", [None, 60.0])
def test_parallel_or_in_turn_is_the_same_verdict(timeout: float | None) -> None:
    """In configuration order. (contract: core:J4)"""
    judges: list[Judge] = [later, tidy, passing("cheap"), raising, Strict(), abstaining()]
    strategy = Majority(on_error=ErrorPolicy.TREAT_AS_FAIL)

    at_once = Jury(judges, strategy, timeout=timeout).vote(a_context())
    in_turn = Jury(judges, strategy, timeout=timeout, parallel=False).vote(a_context())

    assert at_once.seats == in_turn.seats
    assert at_once.judgment == in_turn.judgment
    assert [seat.position for seat in at_once.seats] == list(range(6))
    assert statuses(at_once) == ["PASS", "PASS", "PASS", "ERROR", "FAIL", "ABSTAIN"]


@pytest.mark.parametrize(
    ("broken", "code", "words"),
    [
        (raising, ReasonCode.JUDGE_RAISED, "judge 'raising' raised KeyError: 'no such field'"),
        (nothing, ReasonCode.INVALID_JUDGMENT, "judge 'nothing' returned None"),
        (wrong, ReasonCode.INVALID_JUDGMENT, "judge 'wrong' returned {'passed': True}"),
    ],
)
def test_a_broken_judge_has_an_error_for_a_seat(
    broken: Judge, code: ReasonCode, words: str
) -> None:
    """It names judge and cause, and the others are kept. (contract: core:J5)"""
    verdict = Jury([broken, passing()]).vote(a_context())

    assert codes(verdict) == [code, None]
    assert words in verdict.seats[0].judgment.reasoning
    assert verdict.status is Status.ERROR


def test_the_error_of_a_judge_names_the_key_of_its_seat() -> None:
    """Also where several are called alike. (contract: core:J5, core:J6)"""
    verdict = Jury([raising, raising]).vote(a_context())

    assert [seat.judgment.reasoning.split("'")[1] for seat in verdict.seats] == [
        "raising-1",
        "raising-2",
    ]


def test_two_equal_names_are_refused() -> None:
    """One of them is a mistake, unless told otherwise. (contract: core:J6)"""
    twins = [passing(name="same"), failing(name="same")]

    with pytest.raises(ArgumentError, match="two judges are named 'same'"):
        Jury(twins)

    verdict = Jury(twins, dedupe=True).vote(a_context())
    assert [seat.key for seat in verdict.seats] == ["same-1", "same-2"]
    assert statuses(verdict) == ["PASS", "FAIL"]


def test_two_judges_of_one_class_have_two_seats() -> None:
    """Never one result fewer. (contract: core:J6, cases:D1)"""
    verdict = Jury([Strict(), tidy, Strict()]).vote(a_context())

    assert [seat.key for seat in verdict.seats] == ["Strict-1", "tidy", "Strict-2"]
    assert statuses(verdict) == ["FAIL", "PASS", "FAIL"]


def strategy_that(work: Callable[[], Any]) -> Callable[[Population], Judgment]:
    """A strategy of one's own."""

    def mine(_population: Population) -> Judgment:
        result: Judgment = work()
        return result

    return mine


async def not_awaited() -> Judgment:
    """Pass."""
    return Judgment.passing()


def broken_strategy() -> Judgment:
    """Raise."""
    raise ZeroDivisionError("by zero")


@pytest.mark.parametrize(
    ("work", "words"),
    [
        (broken_strategy, "strategy mine raised ZeroDivisionError: by zero"),
        (lambda: None, "strategy mine returned a NoneType, not a Judgment"),
        (lambda: True, "strategy mine returned a bool, not a Judgment"),
        (not_awaited, "strategy mine returned a coroutine, not a Judgment"),
    ],
)
def test_a_broken_strategy_keeps_every_seat(work: Callable[[], Any], words: str) -> None:
    """And the vote is an error of its own code. (contract: core:J7, core:V30)"""
    verdict = Jury([passing(), failing()], strategy_that(work)).vote(a_context())

    assert verdict.judgment.code is ReasonCode.AGGREGATION_FAILED
    assert verdict.reasoning == words
    assert statuses(verdict) == ["PASS", "FAIL"]


def test_labels_that_cannot_be_counted_together_keep_every_seat() -> None:
    """A built-in strategy may refuse a population as well. (contract: core:J7, core:V31)"""
    verdict = Jury([passing(label="good"), passing()], Mode(("good",))).vote(a_context())

    assert verdict.judgment.code is ReasonCode.AGGREGATION_FAILED
    assert len(verdict.seats) == 2


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit, MemoryError])
def test_what_ends_a_process_leaves_a_strategy(end: type[BaseException]) -> None:
    """It is no failure of the strategy. (contract: core:J10)"""

    def ending() -> Judgment:
        raise end

    with pytest.raises(end):
        Jury([passing()], strategy_that(ending)).vote(a_context())


def test_a_strategy_may_be_any_function_of_a_population() -> None:
    """Its judgment is the verdict's. (contract: core:V30)"""

    def newest_wins(population: Population) -> Judgment:
        return population.seats[-1].judgment

    verdict = Jury([passing(), failing("last word")], newest_wins).vote(a_context())

    assert verdict.reasoning == "last word"
    assert verdict.decided_by.rule == "newest_wins"
    assert verdict.decided_by.computed


def test_a_judge_that_is_late_has_an_error_for_a_seat() -> None:
    """The vote is over at the jury's deadline, and the others are kept. (contract: core:J8)"""
    verdict = Jury([HangingJudge(), passing(), later], timeout=0.05).vote(a_context())

    assert codes(verdict) == [ReasonCode.TIMEOUT, None, None]
    assert "'hanging' did not finish within its deadline, 0.05 s" in verdict.reasoning


@pytest.mark.parametrize("timeout", [0, -1, "1", float("nan"), float("inf")])
def test_a_deadline_is_refused_when_the_jury_is_built(timeout: Any) -> None:
    """A jury that is always late is a mistake. (contract: core:J8)"""
    with pytest.raises(ArgumentError, match="timeout must be a positive"):
        Jury([passing()], timeout=timeout)


def test_weights_are_joined_to_their_seats() -> None:
    """With place, key, where the key comes from, judgment and elapsed time. (contract: core:J11)"""
    jury = Jury([scoring(1.0, name="a"), tidy], WeightedAverage(), weights={"a": 3})

    first, second = jury.vote(a_context()).seats

    assert (first.position, first.key, first.key_source, first.weight) == (
        0,
        "a",
        KeySource.EXPLICIT,
        3,
    )
    assert (second.position, second.key, second.weight) == (1, "tidy", 1.0)
    assert first.judgment.passed
    assert first.elapsed == first.judgment.elapsed is not None


def test_a_weight_for_nobody_is_refused() -> None:
    """A misspelt key would silently count 1. (contract: core:V13)"""
    with pytest.raises(ArgumentError, match=r"weights names 'tydi'; the judges are \['tidy'\]"):
        Jury([tidy], WeightedAverage(), weights={"tydi": 2})


def test_a_missing_weight_is_one() -> None:
    """Only what was said differs. (contract: core:V13)"""
    jury = Jury([tidy, Strict()], WeightedAverage(), weights={"Strict": 3})

    assert jury.vote(a_context()).score == 0.25


@pytest.mark.parametrize(
    ("weights", "error"),
    [
        ({"tidy": 0, "Strict": 0}, ArgumentError),
        ({"tidy": -1}, ArgumentError),
        ({"tidy": float("nan")}, ArgumentError),
        ({"tidy": float("inf")}, ArgumentError),
        ({"tidy": "2"}, ArgumentTypeError),
        ({"tidy": True}, ArgumentTypeError),
    ],
)
def test_a_weight_that_cannot_be_is_refused(weights: Any, error: type[Exception]) -> None:
    """When the jury is built. (contract: core:V14)"""
    with pytest.raises(error, match="weight"):
        Jury([tidy, Strict()], WeightedAverage(), weights=weights)


def test_one_weight_may_be_zero() -> None:
    """That judge is heard and does not count. (contract: core:V14)"""
    jury = Jury([tidy, Strict()], WeightedAverage(), weights={"Strict": 0})

    verdict = jury.vote(a_context())

    assert verdict.passed
    assert statuses(verdict) == ["PASS", "FAIL"]


def test_weights_that_nobody_uses_are_refused() -> None:
    """Whoever gives weights expects them to count. (contract: core:V14)"""
    with pytest.raises(ArgumentError, match="majority does not use them"):
        Jury([tidy], Majority(), weights={"tidy": 2})


def test_a_strategy_of_ones_own_may_use_weights() -> None:
    """It finds them at the seats. (contract: core:V30, core:J11)"""

    def heaviest(population: Population) -> Judgment:
        return max(population, key=lambda seat: seat.weight).judgment

    jury = Jury([tidy, Strict()], heaviest, weights={"Strict": 2})

    assert jury.vote(a_context()).status is Status.FAIL


def test_what_is_described_is_in_the_verdict() -> None:
    """Seat for seat: key, its source, place and weight. (contract: core:J12)"""
    jury = Jury(
        [tidy, tidy, lambda _: Judgment.passing()], WeightedAverage(), weights={"tidy-2": 2}
    )

    described = [
        (seat.key, seat.key_source, seat.position, seat.weight) for seat in jury.describe().seats
    ]
    seats = jury.vote(a_context()).seats

    assert [(seat.key, seat.key_source, seat.position, seat.weight) for seat in seats] == described


@pytest.mark.parametrize(
    ("status", "ruled"),
    [
        (ExecutionStatus.FAILED, Status.FAIL),
        (ExecutionStatus.TIMEOUT, Status.FAIL),
        (ExecutionStatus.TRUNCATED, Status.FAIL),
        (ExecutionStatus.REFUSED, Status.FAIL),
        (ExecutionStatus.CANCELLED, Status.ABSTAIN),
    ],
)
def test_a_run_that_itself_failed_does_not_pass(status: ExecutionStatus, ruled: Status) -> None:
    """Old files may satisfy every check: the root is ruled, not computed. (contract: core:J16)"""
    recording = RecordingJudge()
    context = a_context(status=status, error="RuntimeError: out of steps")

    verdict = Jury([recording, passing()]).vote(context)

    assert verdict.status is ruled
    assert verdict.judgment.code is (
        ReasonCode.RUN_FAILED if ruled is Status.FAIL else ReasonCode.RUN_CANCELLED
    )
    assert (verdict.decided_by.rule, verdict.decided_by.computed) == ("status_gate", False)
    assert verdict.judgment.evidence["run_status"] == status.value
    assert verdict.judgment.evidence["judges_found"] == "pass"
    assert recording.contexts == [context]
    assert statuses(verdict) == ["PASS", "PASS"]


def test_the_ruling_says_how_the_run_ended() -> None:
    """With the error, where there was one. (contract: core:J16)"""
    context = a_context(status=ExecutionStatus.FAILED, error="RuntimeError: out of steps")

    assert "failed: RuntimeError: out of steps" in Jury([passing()]).vote(context).reasoning


@pytest.mark.parametrize("status", [ExecutionStatus.SUCCESS, ExecutionStatus.UNKNOWN])
def test_other_runs_are_judged_by_their_judges(status: ExecutionStatus) -> None:
    """Nothing is ruled. (contract: core:J16)"""
    verdict = Jury([passing()]).vote(a_context(status=status))

    assert verdict.passed
    assert verdict.decided_by.computed


def test_the_status_gate_may_be_left_open() -> None:
    """For juries that judge failures. (contract: core:J16)"""
    jury = Jury([passing()], status_gate=False)

    assert jury.vote(a_context(status=ExecutionStatus.FAILED)).passed


@pytest.mark.parametrize(
    ("judges", "strategy", "status", "asked"),
    [
        ([passing(), passing(), RecordingJudge()], Majority(), Status.PASS, 2),
        ([failing(), failing(), RecordingJudge()], Majority(), Status.FAIL, 2),
        ([passing(), failing(), RecordingJudge()], Majority(), None, 3),
        ([failing(), RecordingJudge(), RecordingJudge()], AllMustPass(), Status.FAIL, 1),
        ([passing(), failing(), RecordingJudge()], Consensus(), Status.ABSTAIN, 2),
        ([erring(), RecordingJudge()], Majority(), Status.ERROR, 1),
        ([passing(), passing(), RecordingJudge()], Average(threshold=0.6), Status.PASS, 2),
        ([passing(), RecordingJudge()], Majority(), None, 2),
        ([abstaining(), RecordingJudge()], Majority(), None, 2),
    ],
)
def test_a_vote_that_is_decided_asks_nobody_else(
    judges: list[Judge], strategy: Any, status: Status | None, asked: int
) -> None:
    """As soon as no finding could change it. (contract: core:J17)"""
    jury = Jury(judges, strategy, stop_when_decided=True, parallel=False)
    full = Jury(judges, strategy).vote(a_context())

    verdict = jury.vote(a_context())

    assert verdict.status is full.status
    assert status in (None, verdict.status)
    assert [seat.skipped for seat in verdict.seats] == [
        index >= asked for index in range(len(judges))
    ]


def test_what_is_skipped_says_so_and_is_saved() -> None:
    """Each in its seat, and together in the cost. (contract: core:J17, core:K13)"""
    spared = RecordingJudge()
    jury = Jury(
        [failing(), spared, Jury([passing(), passing()])], AllMustPass(), stop_when_decided=True
    )

    verdict = jury.vote(a_context())

    assert not spared.contexts
    assert codes(verdict) == [None, ReasonCode.SKIPPED, ReasonCode.SKIPPED]
    assert statuses(verdict) == ["FAIL", "ABSTAIN", "ABSTAIN"]
    assert (verdict.cost.judges, verdict.cost.saved) == (1, 3)
    assert verdict.judgment.evidence["input"] == 1


def test_an_early_stop_needs_a_strategy_that_can_tell() -> None:
    """Of one's own, it says so by `monotone`. (contract: core:J17)"""

    def mine(population: Population) -> Judgment:
        return Majority()(population)

    with pytest.raises(ArgumentError, match="mine does not say monotone=True"):
        Jury([passing()], mine, stop_when_decided=True)
    with pytest.raises(ArgumentError, match="mode does not say monotone=True"):
        Jury([passing()], Mode(("a",)), stop_when_decided=True)
    mine.monotone = True  # type: ignore[attr-defined]
    assert (
        Jury([failing(), failing(), passing()], mine, stop_when_decided=True)
        .vote(a_context())
        .seats[2]
        .skipped
    )


def test_a_quorum_out_of_reach_is_decided_as_the_full_vote_would_be() -> None:
    """Judges that do not apply, and nobody else asked, would be another result.

    (contract: core:J17, core:V29)
    """
    for judges in ([not_applicable(), passing()], [not_applicable(), not_applicable()]):
        strategy = Majority(min_eligible=2)

        stopped = Jury(judges, strategy, stop_when_decided=True, parallel=False).vote(a_context())

        assert stopped.status is Jury(judges, strategy).vote(a_context()).status


def test_a_jury_counts_what_it_cost() -> None:
    """Judges, usage where reported, and who did not report. (contract: core:K13)"""

    @judge(cost=Cost.MODEL)
    async def silent(_context: JudgmentContext) -> bool:
        return True

    usage = Usage(input_tokens=10, output_tokens=2, calls=1, cost=0.01)
    inner = Jury([passing(usage=usage), passing()])

    verdict = Jury([passing(usage=usage), silent, inner]).vote(a_context())
    cost = verdict.cost

    assert [seat.usage for seat in verdict.seats] == [usage, None, None]
    assert (cost.judges, cost.saved, cost.unreported) == (4, 0, 1)
    assert cost.usage == Usage(input_tokens=20, output_tokens=4, calls=2, cost=0.02)
    assert cost.elapsed > 0


def test_a_jury_that_asked_no_model_consumed_nothing_that_is_known() -> None:
    """Nothing is not zero. (contract: core:K13)"""
    assert Jury([passing()]).vote(a_context()).cost.usage is None


def test_a_jury_is_a_judge() -> None:
    """Its verdict stays in its seat, and its judgment counts. (contract: core:R22b)"""
    inner = Jury([passing(), failing(), passing()], name="inner")

    verdict = Jury([inner, named("Renamed", inner), all_of(inner)]).vote(a_context())

    assert [seat.key for seat in verdict.seats] == ["inner", "Renamed", "all_of"]
    assert verdict.seats[1].verdict is not None
    assert verdict.seats[1].judgment == verdict.seats[1].verdict.judgment
    assert [seat.key for seat in verdict.seats[1].verdict.seats] == ["pass-1", "fail", "pass-2"]
    assert evaluate(inner, a_context()).passed
    assert asyncio.run(aevaluate(inner, a_context())).passed


def test_a_jury_knows_what_it_costs_as_a_judge() -> None:
    """The dearest of its judges; unknown if one is. (contract: core:R22b)"""
    assert describe(Jury([passing()])).cost is Cost.MEMORY
    assert describe(Jury([passing(), Jury([tidy])])).cost is None
    assert describe(Jury([passing()], name="Mine")).explicit
    assert not describe(Jury([passing()])).explicit


def test_a_jury_that_is_awaited_as_a_judge_gives_its_judgment() -> None:
    """Called by hand, without an engine around it. (contract: core:R22b)"""

    async def call() -> Judgment:
        return await Jury([passing(), later])(a_context())

    assert asyncio.run(call()).passed


def test_a_not_applicable_jury_leaves_the_vote_of_another() -> None:
    """Its judges declared their conditions. (contract: core:V26)"""
    verdict = Jury([Jury([not_applicable()]), passing()]).vote(a_context())

    assert verdict.passed
    assert verdict.seats[0].judgment.status is Status.NOT_APPLICABLE


@pytest.mark.parametrize("context", [None, "4", {"output": "4"}])
def test_only_a_context_is_voted_on(context: Any) -> None:
    """What looks like one is refused. (contract: core:J5)"""
    with pytest.raises(ArgumentTypeError, match="context must be a JudgmentContext"):
        Jury([passing()]).vote(context)


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 65])
def test_a_jury_has_a_name_like_any_other(name: str) -> None:
    """It may become a stage. (contract: core:R24)"""
    with pytest.raises(ArgumentError, match="jury name"):
        Jury([passing()], name=name)


def test_juries_nest_only_so_deep() -> None:
    """Refused when built; the limit can be raised. (contract: core:R26)"""

    def nest(depth: int, **options: Any) -> Jury:
        jury = Jury([passing()])
        for _ in range(depth - 1):
            jury = Jury([all_of(jury), passing()], **options)
        return jury

    assert nest(8).depth == 8
    with pytest.raises(ArgumentError, match="nests 9 stages deep, and max_depth=8"):
        nest(9)
    assert nest(12, max_depth=12).vote(a_context()).passed


def test_the_number_of_seats_is_not_limited() -> None:
    """Only stages are. (contract: core:R22b)"""
    assert len(Jury([passing()] * 500).vote(a_context()).seats) == 500


def test_a_seat_is_found_by_its_key() -> None:
    """And a wrong key lists the right ones."""
    verdict = Jury([passing(name="a"), failing(name="b")]).vote(a_context())

    assert verdict.seat("b").judgment.status is Status.FAIL
    with pytest.raises(KeyError, match=r"no seat 'c'; there are \['a', 'b'\]"):
        verdict.seat("c")


def test_a_verdict_reads_like_its_judgment() -> None:
    """Status, score and reasoning; and it is neither true nor false."""
    verdict = Jury([scoring(0.75)], Average()).vote(a_context())

    assert (verdict.passed, verdict.status, verdict.score) == (True, Status.PASS, 0.75)
    assert verdict.reasoning == verdict.judgment.reasoning
    with pytest.raises(TypeError, match=r"ask for verdict\.passed"):
        bool(verdict)


def test_a_jury_says_how_it_was_built() -> None:
    """Its judges, strategy, and the options that are not the default ones."""
    inner = passing(name="a")
    strategy = Average(threshold=0.7)
    jury = Jury([inner], strategy, timeout=5, concurrency={"model": 2}, parallel=False)

    assert jury.judges == (inner,)
    assert jury.strategy is strategy
    assert jury.options == {"timeout": 5, "parallel": False, "concurrency": {"model": 2}}
    assert dict(Jury([inner]).options) == {}


def verdicts() -> Iterator[Verdict]:
    """Verdicts with all that one may hold."""
    yield Jury([passing(checks=[Check("a", True)]), failing(), erring()]).vote(a_context())
    yield Jury([Jury([passing()]), passing(usage=Usage(calls=1))]).vote(a_context())
    yield Jury([failing(), passing()], AllMustPass(), stop_when_decided=True).vote(a_context())


@pytest.mark.parametrize("verdict", list(verdicts()))
@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda verdict: pickle.loads(pickle.dumps(verdict))]
)
def test_a_copied_verdict_is_equal_in_all(
    copied: Callable[[Verdict], Verdict], verdict: Verdict
) -> None:
    """Value and hash survive pickle and copy. (contract: core:R22)"""
    again = copied(verdict)

    assert again == verdict
    assert hash(again) == hash(verdict)


@pytest.mark.parametrize(
    ("parts", "error"),
    [
        ({"key": ""}, ArgumentError),
        ({"judgment": None}, ArgumentTypeError),
        ({"weight": -1.0}, ArgumentError),
        ({"weight": float("nan")}, ArgumentError),
        ({"weight": "1"}, ArgumentTypeError),
    ],
)
def test_a_seat_that_cannot_be_is_refused(parts: dict[str, Any], error: type[Exception]) -> None:
    """A key, a judgment, and a weight from 0 up. (contract: core:V14)"""
    with pytest.raises(error):
        replace(Seat("a", 0, Judgment.passing()), **parts)
