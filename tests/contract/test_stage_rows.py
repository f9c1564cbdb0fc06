"""The rows of the contract on juries, cascades and meta juries, as a user sees them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import pytest

from agent_judge import (
    Average,
    CascadedJury,
    Check,
    Consensus,
    ErrorPolicy,
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
    Usage,
    Verdict,
    WeightedAverage,
    all_of,
    any_of,
    evaluate,
    negate,
)
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.jury import ConfidenceGate, Reliance, StageEffect, read_reliance
from agent_judge.testing import HangingJudge, abstaining, always, erring, failing, passing, scoring

REJECT = TierPolicy.REJECT_ON_ANY_FAIL
ACCEPT = TierPolicy.ACCEPT_ON_ALL_PASS
FINAL = TierPolicy.FINAL_TIER
CONTEXT = JudgmentContext(output="4")


class Crashing:
    """A stage of somebody's own that crashes with a secret in its message."""

    async def avote(self, context: JudgmentContext) -> Verdict:  # noqa: ARG002 - as a stage has it
        """Crash."""
        raise ConnectionError("/home/me/key.pem: secret-token")


def cascade(policy: Any, judges: Any, *, then: Any = None, **options: Any) -> Verdict:
    """The verdict of one tier under a policy, before a final tier."""
    last = Tier("last", [then or passing("at last")], FINAL)
    return CascadedJury([Tier("first", judges, policy, **options), last]).vote(CONTEXT)


def effects(verdict: Verdict) -> list[StageEffect]:
    """What each tier did."""
    return [attempt.effect for attempt in verdict.attempts]


def test_a_gate_that_all_pass_opens() -> None:
    """The next tier runs. (contract: core:K1)"""
    verdict = cascade(REJECT, [passing(), passing()])

    assert verdict.passed
    assert verdict.decided_by.stage == "/last"
    assert effects(verdict) == [StageEffect.CONTINUED, StageEffect.DECIDED]


@pytest.mark.parametrize(
    "jury",
    [
        Jury({"a": passing(), "b": passing(), "c": failing("c failed")}, Majority()),
        Jury(
            {
                "a": scoring(0.9, threshold=0.5),
                "b": scoring(0.9, threshold=0.5),
                "c": scoring(0.2, threshold=0.5),
            },
            Average(),
        ),
    ],
)
def test_one_failure_closes_a_rejecting_gate(jury: Jury) -> None:
    """Whatever the aggregate says, and the failing judge is named. (contract: core:K2)"""
    verdict = cascade(REJECT, jury)

    assert verdict.status is Status.FAIL
    assert verdict.attempts[0].verdict is not None
    assert verdict.attempts[0].verdict.passed
    assert "failed: c" in verdict.reasoning
    assert verdict.attempts[1].effect is StageEffect.SKIPPED


def test_a_failure_beside_an_error_rejects_and_records_both() -> None:
    """A definite failure is one. (contract: core:K3)"""
    verdict = cascade(REJECT, Jury({"f": failing(), "e": erring("no")}))

    assert verdict.status is Status.FAIL
    assert "errored: e" in verdict.reasoning


def test_a_gate_with_an_error_is_not_established() -> None:
    """Later tiers run, can fail the run, and cannot pass it. (contract: core:K4)"""
    passed = cascade(REJECT, [passing(), erring("no")])
    failed = cascade(REJECT, [passing(), erring("no")], then=failing())
    waived = cascade(REJECT, [passing(), erring("no")], on_error="waive")

    assert (passed.status, passed.judgment.code) == (
        Status.ERROR,
        ReasonCode.GATE_NOT_ESTABLISHED,
    )
    assert failed.status is Status.FAIL
    assert waived.status is Status.PASS
    assert passed.attempts[0].effect is StageEffect.NOT_ESTABLISHED


def test_a_crashed_gate_is_not_established() -> None:
    """A crash is no better than an error. (contract: core:K4)"""
    assert cascade(REJECT, Crashing()).judgment.code is ReasonCode.GATE_NOT_ESTABLISHED
    assert cascade(REJECT, Crashing(), on_error="waive").passed


@pytest.mark.parametrize("judges", [[abstaining("a")], [passing(), abstaining("a")]])
def test_a_gate_with_an_abstention_is_listed_as_not_exercised(judges: Sequence[Any]) -> None:
    """The next tier runs, and the gate is named. (contract: core:K5)"""
    verdict = cascade(REJECT, judges)

    assert verdict.passed
    assert verdict.attempts[0].effect is StageEffect.NOT_EXERCISED
    assert verdict.judgment.evidence["gates_not_exercised"] == ("first",)


def test_an_accepting_gate_that_all_pass_settles_it() -> None:
    """PASS even where the tier's own vote would fail. (contract: core:K6)"""
    jury = Jury([scoring(0.6, threshold=0.5), scoring(0.6, threshold=0.5)], Average(threshold=0.9))
    verdict = cascade(ACCEPT, jury, then=failing())

    assert verdict.attempts[0].verdict is not None
    assert verdict.attempts[0].verdict.status is Status.FAIL
    assert (verdict.status, verdict.decided_by.rule) == (Status.PASS, "accept_on_all_pass")


@pytest.mark.parametrize(
    "judges",
    [
        [passing(), failing()],
        [passing(), abstaining("a")],
        [passing(), erring("e")],
        [abstaining("a")],
        Crashing(),
    ],
)
def test_an_accepting_gate_with_anything_else_goes_on(judges: Any) -> None:
    """A failure, abstention, error, crash or no opinion. (contract: core:K7)"""
    verdict = cascade(ACCEPT, judges, then=failing("last word"))

    assert verdict.status is Status.FAIL
    assert verdict.decided_by.stage == "/last"


def test_the_final_tier_gives_its_own_vote() -> None:
    """ABSTAIN included. (contract: core:K8)"""
    verdict = cascade(REJECT, [passing()], then=abstaining("cannot say"))

    assert verdict.status is Status.ABSTAIN
    assert verdict.decided_by.computed


def test_a_final_tier_that_crashes_is_an_error_with_every_attempt() -> None:
    """What was found before is kept. (contract: core:K9)"""
    verdict = CascadedJury(
        [Tier("first", [passing()], REJECT), Tier("last", Crashing(), FINAL)]
    ).vote(CONTEXT)

    assert (verdict.status, verdict.judgment.code) == (Status.ERROR, ReasonCode.STAGE_FAILED)
    assert [attempt.name for attempt in verdict.attempts] == ["first", "last"]
    assert verdict.attempts[0].verdict is not None


@pytest.mark.parametrize(
    "tiers",
    [
        [],
        [Tier("a", [passing()], REJECT)],
        [Tier("a", [passing()], FINAL), Tier("b", [passing()], FINAL)],
        [Tier("a", [passing()], REJECT), Tier("a", [passing()], FINAL)],
    ],
)
def test_tiers_that_do_not_fit_are_refused(tiers: list[Tier]) -> None:
    """None, no final one, one too early, or a name twice. (contract: core:K10)"""
    with pytest.raises(ArgumentError):
        CascadedJury(tiers)


@pytest.mark.parametrize("name", ["", "x" * 65, " a", "a\n", "a\u0301"])
def test_a_stage_s_name_can_be_read_and_told_apart(name: str) -> None:
    """Empty, long, spaced, unprintable or not NFC is refused. (contract: core:K10, core:R24)"""
    with pytest.raises(ArgumentError, match="tier name"):
        Tier(name, [passing()])


def test_a_tier_that_is_not_reached_says_why() -> None:
    """Skipped, with the reason. (contract: core:K11)"""
    verdict = cascade(REJECT, [failing()])

    assert verdict.attempts[1].skipped == "tier 'first' decided by reject_on_any_fail"
    assert verdict.attempts[1].verdict is None


def test_the_root_says_who_decided_and_how() -> None:
    """Which tier, by which rule, computed or ruled. (contract: core:K12)"""
    ruled = cascade(REJECT, [failing()]).decided_by
    computed = cascade(REJECT, [passing()]).decided_by

    assert (ruled.stage, ruled.rule, ruled.computed) == ("/first", "reject_on_any_fail", False)
    assert (computed.stage, computed.rule, computed.computed) == ("/last", "final_tier", True)


def test_the_cost_is_kept_by_tier_and_in_all() -> None:
    """Judges asked, tokens, time, and what stopping saved. (contract: core:K13)"""
    costly = always(Judgment.failing(usage=Usage(input_tokens=5, calls=1)))
    verdict = cascade(REJECT, [passing(), costly])

    first = verdict.attempts[0].verdict
    assert first is not None
    assert (first.cost.judges, verdict.cost.judges, verdict.cost.saved) == (2, 2, 1)
    assert first.cost.usage is not None
    assert (first.cost.usage.input_tokens, first.cost.usage.calls) == (5, 1)
    assert verdict.cost.elapsed >= first.cost.elapsed > 0


@pytest.mark.parametrize(("bar", "stage"), [(0.6, "/first"), (0.95, "/last")])
def test_a_confidence_gate_settles_what_is_certain_enough(bar: float, stage: str) -> None:
    """Below its bar the next tier is asked, and both are recorded. (contract: core:K14)"""
    gate = ConfidenceGate(bar, lambda verdict: verdict.score or 0.0)
    jury = Jury([scoring(0.9, threshold=0.5)], Average())

    verdict = cascade(gate, jury)

    assert verdict.decided_by.stage == stage
    assert verdict.attempts[0].note == f"confidence 0.9, bar {bar:g}"


def test_a_meta_jury_sums_up_its_members() -> None:
    """A passing and a failing jury: a tie, or .5. (contract: core:M1)"""
    members = {"p": Jury([passing()]), "f": Jury([failing()])}

    assert MetaJury(members).vote(CONTEXT).status is Status.FAIL
    assert MetaJury(members, WeightedAverage()).vote(CONTEXT).score == 0.5


def test_members_that_disagree_have_no_consensus() -> None:
    """ABSTAIN. (contract: core:M2)"""
    members = {"p": Jury([passing()]), "f": Jury([failing()])}

    assert MetaJury(members, Consensus()).vote(CONTEXT).status is Status.ABSTAIN


def test_a_member_that_crashes_leaves_the_others_their_verdicts() -> None:
    """The strategy is not asked, and the root is an error. (contract: core:M3)"""
    asked: list[object] = []

    def strategy(population: object) -> Judgment:
        asked.append(population)
        return Judgment.passing()

    verdict = MetaJury({"x": Crashing(), "y": Jury([passing()])}, strategy).vote(CONTEXT)

    assert verdict.status is Status.ERROR
    assert asked == []
    assert verdict.attempts[1].verdict is not None
    assert verdict.attempts[1].verdict.passed


def test_a_member_whose_vote_errors_follows_the_error_policy() -> None:
    """As a judge's error does in a jury. (contract: core:M4)"""
    members = {"e": Jury([erring("no")]), "p": Jury([passing()])}

    assert MetaJury(members).vote(CONTEXT).status is Status.ERROR
    assert MetaJury(members, Majority(on_error=ErrorPolicy.IGNORE)).vote(CONTEXT).passed


@pytest.mark.parametrize("members", [{}, {"": Jury([passing()])}])
def test_members_that_cannot_be_are_refused(members: dict[str, Jury]) -> None:
    """None, or one without a name. (contract: core:M5)"""
    with pytest.raises(ArgumentError):
        MetaJury(members)


def test_a_member_that_gives_no_verdict_is_refused() -> None:
    """A plain judge is no stage. (contract: core:M5, core:R22b)"""
    with pytest.raises(ArgumentTypeError, match="avote"):
        MetaJury({"a": passing()})  # type: ignore[dict-item]


def test_members_keep_their_order() -> None:
    """In parallel, which is the default, and one by one. (contract: core:M6)"""
    members = {name: Jury([passing()]) for name in "zaq"}

    for parallel in (True, False):
        verdict = MetaJury(members, parallel=parallel).vote(CONTEXT)
        assert [attempt.name for attempt in verdict.attempts] == ["z", "a", "q"]


def test_the_paths_of_stages_are_json_pointers() -> None:
    """Preorder, with ~ and / escaped (RFC 6901). (contract: core:R23)"""
    inner = MetaJury({"c~d": Jury([passing()])})
    outer = CascadedJury([Tier("a/b", inner, FINAL)])
    verdict = MetaJury({"outer": outer}).vote(CONTEXT)

    assert [path for path, _ in verdict.stages()] == ["/outer", "/outer/a~1b", "/outer/a~1b/c~0d"]


def test_a_jury_has_as_many_seats_as_it_likes() -> None:
    """Stages are limited, seats are not. (contract: core:R22b)"""
    assert len(Jury([passing()] * 1000).vote(CONTEXT).seats) == 1000


def test_what_a_stage_said_when_it_crashed_goes_to_the_log_only(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Stored are a code and the exception's type. (contract: core:R25)"""
    from agent_judge import to_dict

    with caplog.at_level(logging.ERROR, "agent_judge"):
        verdict = MetaJury({"x": Crashing()}).vote(CONTEXT)

    failure = verdict.attempts[0].failure
    assert failure is not None
    assert (failure.code, failure.exception) == (ReasonCode.STAGE_FAILED, "ConnectionError")
    assert "secret-token" not in str(to_dict(verdict))
    assert "secret-token" in caplog.text


def nested(depth: int) -> Any:
    """A meta jury in a meta jury, and so on."""
    stage: Any = Jury([passing()])
    for _ in range(depth - 1):
        stage = MetaJury({"m": stage}, max_depth=100)
    return stage


def test_stages_that_nest_too_deep_or_are_too_many_are_refused() -> None:
    """Before anything runs, and both limits can be set. (contract: core:R26)"""
    with pytest.raises(ArgumentError, match="max_depth=8"):
        MetaJury({"m": nested(8)})
    with pytest.raises(ArgumentError, match="max_stages=32"):
        MetaJury({f"m{index}": Jury([passing()]) for index in range(33)})
    with pytest.raises(ArgumentError, match="max_stages=1"):
        CascadedJury([Tier("a", [passing()]), Tier("b", [passing()], FINAL)], max_stages=1)

    assert MetaJury({"m": nested(8)}, max_depth=9).vote(CONTEXT).passed


def test_seats_hold_all_that_is_known_of_a_vote() -> None:
    """Position, key, its source, weight, judgment and time. (contract: core:J11)"""

    def tidy(_: JudgmentContext) -> Judgment:
        return Judgment.passing()

    jury = Jury([tidy, tidy], WeightedAverage(), weights={"tidy-1": 3})
    seat = jury.vote(CONTEXT).seats[0]

    assert (seat.position, seat.key, seat.key_source.value, seat.weight) == (
        0,
        "tidy-1",
        "derived",
        3,
    )
    assert seat.judgment.passed
    assert seat.elapsed is not None


def test_every_seat_that_was_described_is_in_the_verdict() -> None:
    """The description comes before, and holds. (contract: core:J12)"""
    jury = Jury([passing(), Jury([failing(), passing()]), erring("no"), abstaining("a")])

    described = [(seat.key, seat.position) for seat in jury.describe().seats]

    assert [(seat.key, seat.position) for seat in jury.vote(CONTEXT).seats] == described
    assert jury.describe().seats[1].jury is not None


@pytest.mark.parametrize(
    ("status", "found"),
    [
        (ExecutionStatus.FAILED, Status.FAIL),
        (ExecutionStatus.TIMEOUT, Status.FAIL),
        (ExecutionStatus.TRUNCATED, Status.FAIL),
        (ExecutionStatus.REFUSED, Status.FAIL),
        (ExecutionStatus.CANCELLED, Status.ABSTAIN),
        (ExecutionStatus.UNKNOWN, Status.PASS),
        (ExecutionStatus.SUCCESS, Status.PASS),
    ],
)
def test_a_run_that_did_not_end_well_does_not_pass(status: ExecutionStatus, found: Status) -> None:
    """The seats run, and the root is ruled, in each kind of jury. (contract: core:J16)"""
    context = JudgmentContext(status=status)
    jury = Jury([passing()])
    for stage in (jury, CascadedJury([Tier("a", jury, FINAL)]), MetaJury({"m": jury})):
        verdict = stage.vote(context)
        assert verdict.status is found
        assert all(seat.judgment.passed for _, seat in verdict.all_seats())
        assert verdict.decided_by.computed is (found is Status.PASS)
    assert Jury([passing()], status_gate=False).vote(context).passed


def test_a_reading_never_rewrites_the_verdict() -> None:
    """RELY, ABSTAIN or ESCALATE stands beside it. (contract: edges:S6)"""
    verdicts = {
        Reliance.RELY: Jury([passing(), passing()]).vote(CONTEXT),
        Reliance.ABSTAIN: Jury([abstaining("a")]).vote(CONTEXT),
        Reliance.ESCALATE: Jury(
            [passing(), erring("no"), passing()], Majority(on_error=ErrorPolicy.IGNORE)
        ).vote(CONTEXT),
    }
    before = dict(verdicts)

    for reliance, verdict in verdicts.items():
        assert read_reliance(verdict, min_eligible=2).reliance is reliance

    assert verdicts == before
    assert read_reliance(verdicts[Reliance.RELY], min_eligible=3).reliance is Reliance.ESCALATE


def test_checks_of_a_rejecting_tier_reach_the_root() -> None:
    """Whoever has to mend the work sees what failed."""
    judge = always(Judgment.failing(checks=[Check("title", False, "none")]))

    assert [check.name for check in cascade(REJECT, [judge]).judgment.checks] == ["title"]


def test_a_judge_that_a_gate_did_not_ask_leaves_it_not_established() -> None:
    """An early stop hides no failure behind a gate. (contract: core:K2)"""
    jury = Jury([passing(), passing(), failing("x")], stop_when_decided=True)

    verdict = cascade(REJECT, jury)

    assert verdict.judgment.code is ReasonCode.GATE_NOT_ESTABLISHED
    assert "not asked" in verdict.attempts[0].note


def test_a_deadline_above_keeps_what_was_said_in_time_below() -> None:
    """Every described seat is in the verdict, also of juries in juries. (contract: core:J12)"""
    late = HangingJudge()
    inner = Jury({"fails": failing("boom"), "hangs": late})  # type: ignore[arg-type]
    meta = MetaJury({"a": inner, "b": Jury([passing()])}, timeout=0.2)
    tiers = CascadedJury([Tier("a", inner, REJECT), Tier("b", [passing()], FINAL)], timeout=0.2)

    seats = [seat for _, seat in meta.vote(CONTEXT).all_seats()]
    rejected = tiers.vote(CONTEXT)
    nested = Jury([Jury([late])], timeout=0.2).vote(CONTEXT).seats[0]

    assert [seat.judgment.status for seat in seats] == [Status.FAIL, Status.ERROR, Status.PASS]
    assert rejected.status is Status.FAIL
    assert nested.verdict is not None
    assert nested.judgment.code is ReasonCode.TIMEOUT


def test_the_failure_of_a_run_is_not_negated() -> None:
    """That the run failed is no finding of a judge. (contract: core:J16)"""
    context = JudgmentContext(status=ExecutionStatus.FAILED)

    assert evaluate(negate(Jury([passing()])), context).status is Status.FAIL


def test_errors_that_count_as_failures_are_no_ground_to_pass() -> None:
    """The negation of nothing but errors is ABSTAIN. (contract: core:C12)"""
    strict = Jury([erring("boom")], Majority(on_error=ErrorPolicy.TREAT_AS_FAIL))

    for judge in (strict, all_of(passing(), strict), Jury([Jury([strict])]), any_of(strict)):
        assert evaluate(judge, CONTEXT).status is Status.FAIL
        assert evaluate(negate(judge), CONTEXT).status is Status.ABSTAIN
    rejecting = CascadedJury([Tier("a", [strict], REJECT), Tier("b", [passing()], FINAL)])
    assert evaluate(negate(rejecting), CONTEXT).status is Status.ABSTAIN


def uncountable(_: object) -> Judgment:
    """A strategy that cannot count."""
    raise ZeroDivisionError


def test_a_tier_whose_vote_crashed_settles_nothing() -> None:
    """Its gate is not established, or the next tier is asked. (contract: core:K4, core:K7)"""
    jury = Jury([passing(), passing()], uncountable)

    assert cascade(REJECT, jury).judgment.code is ReasonCode.GATE_NOT_ESTABLISHED
    assert cascade(ACCEPT, jury, then=failing("no")).status is Status.FAIL


def test_a_cascade_that_opts_out_of_the_status_gate_does() -> None:
    """Also where a tier is given as a list of judges. (contract: core:J16)"""
    tiers = [Tier("only", [passing()], FINAL)]
    context = JudgmentContext(status=ExecutionStatus.FAILED)

    assert CascadedJury(tiers, status_gate=False).vote(context).passed
    assert CascadedJury(tiers).vote(context).status is Status.FAIL
