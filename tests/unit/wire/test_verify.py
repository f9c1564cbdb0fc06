from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from agent_judge import (
    AllMustPass,
    Average,
    CascadedJury,
    ExecutionStatus,
    Judgment,
    JudgmentContext,
    Jury,
    Majority,
    MetaJury,
    ReasonCode,
    Status,
    Tier,
    TierPolicy,
    Verdict,
    from_dict,
    to_dict,
)
from agent_judge.errors import WireError
from agent_judge.jury import ConfidenceGate, Mode, Population
from agent_judge.testing import abstaining, erring, failing, passing, scoring
from agent_judge.wire import is_verifiable

RUN = JudgmentContext()
FAILED_RUN = JudgmentContext(status=ExecutionStatus.FAILED)


class Crashing:
    """A stage that gives no verdict."""

    async def avote(self, _context: JudgmentContext) -> Verdict:
        """Crash."""
        raise ValueError("secret")


def vote(*judges: Any, context: JudgmentContext = RUN, **options: Any) -> Verdict:
    """The verdict of a jury."""
    return Jury(judges, **options).vote(context)


def last(judge: Any) -> Tier:
    """A final tier of one judge."""
    return Tier("last", [judge], TierPolicy.FINAL_TIER)


def cascade(*judges: Any, context: JudgmentContext = RUN, **options: Any) -> Verdict:
    """The verdict of a cascade with a rejecting tier of these judges before one that passes."""
    return CascadedJury([Tier("gate", judges, **options), last(passing())]).vote(context)


def meta(context: JudgmentContext = RUN, **members: Any) -> Verdict:
    """The verdict of a meta jury."""
    return MetaJury(members).vote(context)


def changed(verdict: Verdict, path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """The stored verdict with one value changed, or taken away where the value is `GONE`."""
    data: Any = json.loads(json.dumps(to_dict(verdict)))
    place = data
    for step in path[:-1]:
        place = place[step]
    if value is GONE:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    stored: dict[str, Any] = data
    return stored


GONE = object()
STATUS = ("judgment", "status")
EVIDENCE = ("judgment", "metadata", "agent_judge")
FIRST = ("seats", 0, "judgment")
GATE = ("attempts", 0)
HELD = (*EVIDENCE, "gates_not_established")


@pytest.mark.parametrize(
    ("verdict", "path", "value"),
    [
        (vote(passing(), failing()), STATUS, "pass"),
        (vote(passing(), passing()), STATUS, "fail"),
        (vote(passing(), failing("no"), passing()), (*FIRST, "status"), "fail"),
        (vote(passing(), passing()), (*EVIDENCE, "passed"), 3),
        (vote(passing(), passing()), (*EVIDENCE, "eligible"), GONE),
        (vote(passing(), passing()), (*EVIDENCE, "extra"), 1),
        (vote(passing(), failing()), (*EVIDENCE, "strategy"), "consensus"),
        (vote(passing(), failing()), (*EVIDENCE, "tie"), "pass"),
        (vote(passing(), failing()), (*EVIDENCE, "tie"), "whatever"),
        (vote(passing(), failing()), ("seats",), []),
        (vote(passing(), failing()), ("verifiable",), False),
        (vote(passing(), failing()), ("verifiable",), GONE),
        (vote(passing(), failing()), ("decided_by", "rule"), "custom"),
        (vote(passing(), failing()), ("decided_by", "computed"), False),
        (vote(passing(), failing()), ("decided_by", "stage"), "/gate"),
        (vote(passing(), failing()), ("judgment", "label"), "good"),
        (vote(passing(), failing()), ("judgment", "code"), "run_failed"),
        (
            vote(scoring(0.8), passing(), strategy=Average()),
            ("judgment", "score", "value"),
            0.95,
        ),
        (
            vote(scoring(0.8), passing(), strategy=Average()),
            ("judgment", "score"),
            GONE,
        ),
        (vote(erring("no"), passing()), STATUS, "pass"),
    ],
)
def test_a_vote_that_its_seats_do_not_give_is_refused(
    verdict: Verdict, path: tuple[Any, ...], value: Any
) -> None:
    """Status, score, code and every count are counted again. (contract: edges:S4)"""
    with pytest.raises(WireError, match=r"^verdict\."):
        from_dict(Verdict, changed(verdict, path, value))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (STATUS, "pass"),
        (("judgment", "code"), "run_cancelled"),
        ((*EVIDENCE, "run_status"), "success"),
        ((*EVIDENCE, "run_status"), "cancelled"),
        ((*EVIDENCE, "run_status"), "fine"),
        ((*EVIDENCE, "run_status"), GONE),
        ((*EVIDENCE, "judges_found"), "abstain"),
        ((*EVIDENCE, "judges_rule"), "consensus"),
        (("decided_by", "rule"), "majority"),
        (("decided_by", "computed"), True),
    ],
)
@pytest.mark.parametrize(
    "verdict",
    [
        vote(passing(), passing(), context=FAILED_RUN),
        cascade(passing(), context=FAILED_RUN),
        meta(FAILED_RUN, a=Jury([passing()]), b=Jury([passing()])),
    ],
    ids=["jury", "cascade", "meta jury"],
)
def test_a_run_that_failed_is_not_made_to_pass(
    verdict: Verdict, path: tuple[Any, ...], value: Any
) -> None:
    """What the run's status laid down stands. (contract: edges:S4)"""
    with pytest.raises(WireError, match=r"^verdict\."):
        from_dict(Verdict, changed(verdict, path, value))


def test_a_run_that_failed_is_not_made_to_pass_by_an_own_strategy() -> None:
    """What the run's status laid down follows whoever counted. (contract: edges:S4)"""
    verdict = vote(passing(), context=FAILED_RUN, strategy=from_last)

    assert from_dict(Verdict, to_dict(verdict)) == verdict
    with pytest.raises(WireError, match=r"^verdict\.judgment\.status"):
        from_dict(Verdict, changed(verdict, STATUS, "pass"))


@pytest.mark.parametrize(
    ("verdict", "path", "value"),
    [
        (cascade(failing("no")), STATUS, "pass"),
        (cascade(failing("no")), ("judgment", "checks"), [{"name": "made up", "passed": False}]),
        (cascade(failing("no")), (*GATE, "effect"), "continued"),
        (cascade(failing("no")), (*GATE, "rule"), "accept_on_all_pass"),
        (cascade(failing("no")), ("attempts", 1, "effect"), "decided"),
        (cascade(failing("no")), ("decided_by", "stage"), "/last"),
        (cascade(passing()), STATUS, "fail"),
        (cascade(passing()), (*EVIDENCE, "passed"), 7),
        (cascade(passing()), (*EVIDENCE, "gates_not_exercised"), ["gate"]),
        (cascade(passing()), HELD, ["gate"]),
        (cascade(abstaining()), (*EVIDENCE, "gates_not_exercised"), []),
        (cascade(abstaining()), (*GATE, "effect"), "continued"),
        (cascade(erring("no")), STATUS, "pass"),
        (cascade(erring("no")), (*GATE, "effect"), "continued"),
        (cascade(erring("no")), HELD, GONE),
        (cascade(erring("no")), HELD, []),
        (cascade(erring("no")), HELD, ["last"]),
        (cascade(passing()), ("attempts",), []),
        (cascade(passing()), ("attempts", 1, "rule"), "reject_on_any_fail"),
    ],
)
def test_a_cascade_that_its_tiers_do_not_give_is_refused(
    verdict: Verdict, path: tuple[Any, ...], value: Any
) -> None:
    """Every tier has the effect of its rule, the root what they give. (contract: edges:S4)"""
    with pytest.raises(WireError, match=r"^verdict\."):
        from_dict(Verdict, changed(verdict, path, value))


@pytest.mark.parametrize("own", [False, True])
def test_a_ruling_is_checked_though_a_tier_counts_by_a_rule_of_its_own(own: bool) -> None:
    """A rejecting gate looks at seats, whoever sums them up. (contract: edges:S4)"""
    jury = Jury([failing("no")], from_last if own else Majority())
    verdict = CascadedJury([Tier("gate", jury), last(passing())]).vote(RUN)

    assert to_dict(verdict)["verifiable"] is not own
    with pytest.raises(WireError, match=r"^verdict\.judgment\.status"):
        from_dict(Verdict, changed(verdict, STATUS, "pass"))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (STATUS, "pass"),
        (STATUS, "fail"),
        (("judgment", "code"), "timeout"),
        ((*EVIDENCE[:2],), {"agent_judge": {"strategy": "majority"}}),
        ((*EVIDENCE, "strategy"), "consensus"),
        ((*EVIDENCE, "crashed"), 2),
        ((*EVIDENCE, "passed"), 2),
        (("decided_by", "computed"), False),
    ],
)
def test_a_meta_jury_that_lost_a_member_stays_an_error(path: tuple[Any, ...], value: Any) -> None:
    """A vote with a member missing was not counted. (contract: edges:S4)"""
    verdict = meta(a=Jury([passing()]), b=Crashing())

    assert from_dict(Verdict, to_dict(verdict)).status is Status.ERROR
    with pytest.raises(WireError, match=r"^verdict\."):
        from_dict(Verdict, changed(verdict, path, value))


def test_verdicts_inside_are_counted_again_first() -> None:
    """The path leads to the innermost contradiction. (contract: edges:S4)"""
    inner = ("attempts", 0, "verdict", "seats", 0, "verdict")
    verdict = meta(a=Jury([Jury([failing()])]), b=Jury([passing()]))

    with pytest.raises(WireError, match=r"^verdict\.attempts\[0\]\.verdict\.seats\[0\]\.verdict\."):
        from_dict(Verdict, changed(verdict, (*inner, "judgment", "status"), "pass"))


def test_a_seat_says_what_its_own_verdict_says() -> None:
    """A nested jury has one judgment, not two. (contract: edges:S4)"""
    verdict = vote(Jury([failing("no")]), passing(), failing())
    path = (*FIRST, "reasoning")

    with pytest.raises(WireError, match=r"^verdict\.seats\[0\]\.judgment"):
        from_dict(Verdict, changed(verdict, path, "better"))


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        (("seats", 1, "position"), 0, r"seats\[1\]\.position: expected 1"),
        (("seats", 1, "key"), "a", r"seats\[1\]\.key: 'a' is there twice"),
    ],
)
def test_a_lost_or_doubled_seat_is_refused(path: tuple[Any, ...], value: Any, fault: str) -> None:
    """Also where nobody can count again. (contract: edges:S4)"""
    verdict = Jury({"a": passing(), "b": failing()}, from_last).vote(RUN)

    with pytest.raises(WireError, match=fault):
        from_dict(Verdict, changed(verdict, path, value))


def test_a_verdict_has_seats_or_stages() -> None:
    """Nothing hides behind seats that were counted. (contract: edges:S4)"""
    stages = to_dict(cascade(passing()))["attempts"]

    with pytest.raises(WireError, match=r"verdict\.attempts: .* not both"):
        from_dict(Verdict, changed(vote(passing()), ("attempts",), stages))


def test_two_stages_of_one_name_are_refused() -> None:
    """A path leads to one stage. (contract: edges:S4, core:R23)"""
    data = changed(cascade(passing()), ("attempts", 1, "name"), "gate")

    with pytest.raises(WireError, match=r"attempts\[1\]\.name: 'gate' is there twice"):
        from_dict(Verdict, data)


def from_last(population: Population) -> Judgment:
    """A strategy of a user's own."""
    return population.seats[-1].judgment


def by_the_first(population: Population) -> Judgment:
    """A strategy of a user's own that lets a built-in one count some of the seats."""
    return Majority()(Population(population.seats[:1]))


@pytest.mark.parametrize("strategy", [from_last, by_the_first])
@pytest.mark.parametrize("context", [RUN, FAILED_RUN])
def test_a_strategy_of_ones_own_is_not_counted_again_and_marked(
    strategy: Callable[[Population], Judgment], context: JudgmentContext
) -> None:
    """Nobody but its owner can count it. (contract: edges:S4)"""
    verdict = vote(failing(), passing(), context=context, strategy=strategy)

    stored = to_dict(verdict)

    assert stored["verifiable"] is False
    assert from_dict(Verdict, stored) == verdict


def own_majority(population: Population) -> Judgment:
    """A strategy of a user's own that states no more than its name."""
    return Judgment.passing("because", checks=population.seats[0].judgment.checks)


own_majority.__name__ = "majority"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((*EVIDENCE, "input"), 4),
        ((*EVIDENCE, "input"), GONE),
        ((*EVIDENCE, "passed"), 2),
        ((*EVIDENCE, "errored"), 0),
        ((*EVIDENCE, "errors_by_code"), {"judge_raised": 2}),
        ((*EVIDENCE, "extra"), 1),
        ((*EVIDENCE, "early_stop"), {"not_asked": 1, "errors_foreseen": False}),
        ((*EVIDENCE, "returned"), "nothing"),
        ((*EVIDENCE, "custom"), GONE),
        ((*EVIDENCE, "custom"), False),
        (("seats", 1, "judgment", "status"), "fail"),
    ],
)
@pytest.mark.parametrize("context", [RUN, FAILED_RUN])
def test_the_counts_of_an_own_strategy_are_those_of_its_seats(
    context: JudgmentContext, path: tuple[Any, ...], value: Any
) -> None:
    """Though its outcome is taken as it is. (contract: edges:S4, core:V28)"""
    judges = [failing("no"), passing(), erring("no")]
    verdict = vote(*judges, context=context, strategy=own_majority)

    assert from_dict(Verdict, to_dict(verdict)) == verdict
    with pytest.raises(WireError, match=r"^verdict\."):
        from_dict(Verdict, changed(verdict, path, value))


@pytest.mark.parametrize("found", ["fine", 7, None, ["pass"]])
def test_an_own_strategy_found_a_status(found: Any) -> None:
    """Also where the status of the run laid down another. (contract: edges:S4)"""
    verdict = vote(passing(), context=FAILED_RUN, strategy=from_last)
    stored = changed(verdict, (*EVIDENCE, "judges_found"), found)

    with pytest.raises(WireError, match=r"^verdict\.judgment\.metadata"):
        from_dict(Verdict, stored)


def test_a_built_in_strategy_that_failed_is_asked_again() -> None:
    """It fails again, with the same counts. (contract: edges:S4, core:V28)"""
    verdict = vote(passing(), failing(), strategy=Mode(("good",)))

    assert verdict.judgment.code is ReasonCode.AGGREGATION_FAILED
    assert to_dict(verdict)["verifiable"] is True
    assert from_dict(Verdict, to_dict(verdict)) == verdict
    with pytest.raises(WireError, match=r"^verdict\.judgment\.status"):
        from_dict(Verdict, changed(verdict, STATUS, "pass"))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("early_stop",), GONE),
        (("early_stop", "not_asked"), 1),
        (("early_stop", "errors_foreseen"), True),
    ],
)
@pytest.mark.parametrize("own", [False, True])
def test_an_early_stop_is_not_hidden(own: bool, path: tuple[Any, ...], value: Any) -> None:
    """As many were not asked as seats say so. (contract: edges:S4, core:J17)"""
    strategy = unanimous if own else AllMustPass()
    verdict = vote(failing(), erring(), erring(), strategy=strategy, stop_when_decided=True)

    assert from_dict(Verdict, to_dict(verdict)) == verdict
    with pytest.raises(WireError, match=r"^verdict\.judgment\.metadata\.agent_judge\.early_stop"):
        from_dict(Verdict, changed(verdict, (*EVIDENCE, *path), value))


def unanimous(population: Population) -> Judgment:
    """A strategy of a user's own that can tell when a vote is decided."""
    everybody = all(seat.judgment.passed for seat in population)
    return Judgment.passing("all") if everybody else Judgment.failing("not all")


unanimous.monotone = True  # type: ignore[attr-defined]


def test_a_confidence_is_not_measured_again_and_marked() -> None:
    """How certain a verdict was is not stored with it. (contract: edges:S4)"""
    gate = Tier("sure", [passing()], ConfidenceGate(0.5, lambda _: 0.9))
    verdict = CascadedJury([gate, last(failing())]).vote(RUN)

    assert not is_verifiable(verdict)
    assert from_dict(Verdict, to_dict(verdict)) == verdict


def test_one_verdict_of_an_own_strategy_marks_those_above_it() -> None:
    """All of it has to follow. (contract: edges:S4)"""
    assert not is_verifiable(meta(a=Jury([passing()], from_last)))
    assert not is_verifiable(vote(Jury([passing()], from_last)))
    assert is_verifiable(vote(Jury([passing()])))


@given(strategies.verdicts)
def test_no_honest_verdict_is_refused(verdict: Verdict) -> None:
    """Whatever juries there are, and whatever they judge. (contract: core:R22, edges:S4)"""
    assert from_dict(Verdict, json.loads(json.dumps(to_dict(verdict)))) == verdict


@given(strategies.verdicts.filter(is_verifiable), st.sampled_from(Status))
def test_no_other_status_is_accepted(verdict: Verdict, status: Status) -> None:
    """A verdict that can be counted has one status. (contract: edges:S4)"""
    stored = changed(verdict, STATUS, status.value)

    try:
        read = from_dict(Verdict, stored)
    except WireError:
        return
    assert read == verdict


def test_a_verdict_that_rests_on_nothing_is_refused() -> None:
    """No seat and no stage: nobody judged. (contract: edges:S4)"""
    jury = Jury([passing()], lambda _: Judgment.passing("trust me"))
    data = to_dict(jury.vote(JudgmentContext()))
    data["seats"] = []

    with pytest.raises(WireError, match=r"verdict\.seats"):
        from_dict(Verdict, data)
