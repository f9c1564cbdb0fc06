from __future__ import annotations

import asyncio
import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import pytest

from agent_judge.context import ExecutionStatus, JudgmentContext
from agent_judge.engine import evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judgment import Check, Judgment, ReasonCode, Status
from agent_judge.jury import (
    Average,
    CascadedJury,
    ConfidenceGate,
    ErrorPolicy,
    Jury,
    Majority,
    MetaJury,
    StageEffect,
    Tier,
    TierPolicy,
    Verdict,
)
from agent_judge.protocol import Judge, describe
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

REJECT = TierPolicy.REJECT_ON_ANY_FAIL
ACCEPT = TierPolicy.ACCEPT_ON_ALL_PASS
FINAL = TierPolicy.FINAL_TIER


class Crashing:
    """A stage of somebody else's making that raises."""

    def __init__(self, raised: BaseException | None = None) -> None:
        self.raised = raised or RuntimeError("/home/me/secret: token=abc")

    async def avote(self, _context: JudgmentContext) -> Verdict:
        """Raise."""
        raise self.raised


class Foreign:
    """A stage of somebody else's making."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    async def avote(self, _context: JudgmentContext) -> Verdict:
        """Give what it was told to."""
        answer: Verdict = self.answer
        return answer


def gate(
    policy: TierPolicy, *judges: Judge, on_error: Literal["hold", "waive"] = "hold", **options: Any
) -> tuple[Verdict, bool]:
    """Vote in a cascade of a gate and a final tier that passes; whether that one was reached."""
    behind = RecordingJudge(passing(name="behind"))
    cascade = CascadedJury(
        [
            Tier("gate", Jury(judges, **options), policy, on_error=on_error),
            Tier("final", [behind], FINAL),
        ]
    )
    verdict = cascade.vote(a_context())
    return verdict, bool(behind.contexts)


def test_a_reject_gate_that_all_pass_lets_the_run_through() -> None:
    """The next tier is asked. (contract: core:K1)"""
    verdict, reached = gate(REJECT, passing(), passing())

    assert reached
    assert verdict.passed
    assert verdict.attempts[0].effect is StageEffect.CONTINUED
    assert verdict.decided_by.stage == "/final"


@pytest.mark.parametrize(
    ("judges", "strategy"),
    [
        ([passing(), passing(), failing("no", name="strict")], Majority()),
        ([scoring(0.9), scoring(0.9), scoring(0.2)], Average()),
        ([failing()], Majority()),
        ([abstaining(), failing()], Majority()),
        ([not_applicable(), failing()], Majority()),
    ],
)
def test_one_failure_stops_at_a_reject_gate(judges: list[Judge], strategy: Any) -> None:
    """Whatever the aggregate says; later tiers are not asked. (contract: core:K2)"""
    verdict, reached = gate(REJECT, *judges, strategy=strategy)
    attempt = verdict.attempts[0]
    assert attempt.verdict is not None
    failed = [seat.key for seat in attempt.verdict.seats if seat.judgment.status is Status.FAIL]

    assert not reached
    assert verdict.status is Status.FAIL
    assert f"failed: {', '.join(failed)}" in verdict.reasoning
    assert (verdict.decided_by.stage, verdict.decided_by.computed) == ("/gate", False)


def test_a_stopped_cascade_keeps_the_aggregate_of_its_tier() -> None:
    """As evidence, below the root that the rule laid down. (contract: core:K2, core:K12)"""
    verdict, _ = gate(REJECT, passing(), passing(), failing("no"))

    assert verdict.attempts[0].verdict is not None
    assert verdict.attempts[0].verdict.passed
    assert not verdict.passed


def test_a_stopped_cascade_shows_the_checks_that_failed() -> None:
    """Those of the failing judges are its grounds. (contract: core:K2)"""
    checks = [Check("tests", False, "2 of 9 failed"), Check("compiles", True)]

    verdict, _ = gate(REJECT, passing(checks=[Check("other", True)]), failing(checks=checks))

    assert verdict.judgment.checks == tuple(checks)


def test_a_failure_beside_an_error_is_a_failure() -> None:
    """One that is definite, and the error is recorded. (contract: core:K3)"""
    verdict, reached = gate(REJECT, failing(), erring(name="broken"))

    assert not reached
    assert verdict.status is Status.FAIL
    assert "errored: broken" in verdict.reasoning
    assert verdict.attempts[0].note.endswith("errored: broken")


@pytest.mark.parametrize(
    "judges",
    [
        [erring()],
        [passing(), erring()],
        [abstaining(), erring()],
        [passing(), not_applicable(declared=False)],
    ],
)
@pytest.mark.parametrize("policy", [ErrorPolicy.PROPAGATE, ErrorPolicy.IGNORE])
def test_a_gate_with_an_error_is_not_established(judges: list[Judge], policy: ErrorPolicy) -> None:
    """Later tiers run, and cannot pass the run. (contract: core:K4)"""
    verdict, reached = gate(REJECT, *judges, strategy=Majority(on_error=policy))

    assert reached
    assert verdict.status is Status.ERROR
    assert verdict.judgment.code is ReasonCode.GATE_NOT_ESTABLISHED
    assert "the gate of gate was not established" in verdict.reasoning
    assert verdict.attempts[0].effect is StageEffect.NOT_ESTABLISHED
    assert verdict.attempts[1].effect is StageEffect.DECIDED
    assert verdict.decided_by.rule == "gate_not_established"
    assert not verdict.decided_by.computed
    assert verdict.judgment.evidence["gates_not_established"] == ("gate",)


def test_a_gate_that_crashed_is_not_established() -> None:
    """Whatever keeps it from judging. (contract: core:K4)"""
    for stage in (Crashing(), Foreign(None), Foreign(Judgment.passing())):
        cascade = CascadedJury([Tier("gate", stage), Tier("final", [passing()], FINAL)])

        verdict = cascade.vote(a_context())

        assert verdict.judgment.code is ReasonCode.GATE_NOT_ESTABLISHED
        assert verdict.attempts[0].effect is StageEffect.NOT_ESTABLISHED
        assert verdict.attempts[0].failure is not None


@pytest.mark.parametrize("stage", [Jury([erring()]), Crashing()])
@pytest.mark.parametrize(
    ("final", "status"),
    [(failing(), Status.FAIL), (abstaining(), Status.ABSTAIN), (erring(), Status.ERROR)],
)
def test_what_is_no_pass_stands_behind_a_gate_that_was_not_established(
    stage: Any, final: FixedJudge, status: Status
) -> None:
    """A later failure is a failure. (contract: core:K4)"""
    verdict = CascadedJury([Tier("gate", stage), Tier("final", [final], FINAL)]).vote(a_context())

    assert verdict.status is status
    assert verdict.decided_by.rule == "final_tier"


def test_a_later_gate_cannot_accept_what_an_earlier_one_did_not_establish() -> None:
    """An accept gate is no way round it. (contract: core:K4)"""
    cascade = CascadedJury(
        [
            Tier("first", [erring()]),
            Tier("second", [passing()], ACCEPT),
            Tier("last", [passing()], FINAL),
        ]
    )

    verdict = cascade.vote(a_context())

    assert verdict.judgment.code is ReasonCode.GATE_NOT_ESTABLISHED
    assert verdict.decided_by.stage == "/second"


@pytest.mark.parametrize("stage", [Jury([passing(), erring()]), Crashing()])
def test_an_error_at_a_gate_may_be_waived(stage: Any) -> None:
    """By the tier itself, beforehand. (contract: core:K4)"""
    cascade = CascadedJury(
        [Tier("gate", stage, on_error="waive"), Tier("final", [passing()], FINAL)]
    )

    verdict = cascade.vote(a_context())

    assert verdict.passed
    assert verdict.attempts[0].effect is StageEffect.NOT_ESTABLISHED


@pytest.mark.parametrize(
    "judges",
    [[abstaining()], [abstaining(), abstaining()], [passing(), abstaining()], [not_applicable()]],
)
def test_a_gate_that_was_not_fully_exercised_lets_the_run_through(judges: list[Judge]) -> None:
    """And is listed as such. (contract: core:K5)"""
    verdict, reached = gate(REJECT, *judges)

    assert reached
    assert verdict.passed
    assert verdict.attempts[0].effect is StageEffect.NOT_EXERCISED
    assert verdict.judgment.evidence["gates_not_exercised"] == ("gate",)


def test_an_accept_gate_that_all_pass_decides() -> None:
    """Even when its own aggregate would be FAIL. (contract: core:K6)"""
    low = passing(score=None)

    verdict, reached = gate(
        ACCEPT, low, passing(), strategy=lambda _: Judgment.failing("of its own")
    )

    assert not reached
    assert verdict.passed
    assert verdict.attempts[0].verdict is not None
    assert verdict.attempts[0].verdict.status is Status.FAIL
    assert "passed: pass-1, pass-2" in verdict.reasoning
    assert (verdict.decided_by.rule, verdict.decided_by.computed) == ("accept_on_all_pass", False)


def test_who_does_not_apply_has_no_opinion() -> None:
    """One opinion is enough, and it has to be there. (contract: core:K6, core:K7)"""
    with_one, _ = gate(ACCEPT, not_applicable(), passing())
    without, reached = gate(ACCEPT, not_applicable(), not_applicable())

    assert with_one.decided_by.stage == "/gate"
    assert without.decided_by.stage == "/final"
    assert reached
    assert without.attempts[0].note == "no judge had an opinion"


@pytest.mark.parametrize(
    "other", [failing(), abstaining(), erring(), not_applicable(declared=False)]
)
def test_an_accept_gate_that_not_all_pass_asks_the_next_tier(other: Judge) -> None:
    """A failure, an abstention or an error is not held against the run. (contract: core:K7)"""
    verdict, reached = gate(ACCEPT, passing(), other)

    assert reached
    assert verdict.passed
    assert verdict.attempts[0].effect is StageEffect.CONTINUED
    assert verdict.attempts[0].note


def test_an_accept_gate_that_crashed_asks_the_next_tier() -> None:
    """It would only have spared the rest. (contract: core:K7)"""
    cascade = CascadedJury([Tier("gate", Crashing(), ACCEPT), Tier("final", [passing()], FINAL)])

    verdict = cascade.vote(a_context())

    assert verdict.passed
    assert verdict.attempts[0].effect is StageEffect.CONTINUED


@pytest.mark.parametrize("judge", [passing(), failing(), abstaining(), erring(), not_applicable()])
def test_the_final_tier_is_the_verdict(judge: FixedJudge) -> None:
    """Its own aggregate, undecided ones included. (contract: core:K8)"""
    verdict = CascadedJury([Tier("only", [judge], FINAL)]).vote(a_context())

    assert verdict.status is judge.judgment.status
    assert verdict.decided_by.computed
    assert verdict.attempts[0].verdict is not None
    assert verdict.reasoning == verdict.attempts[0].verdict.reasoning


def test_a_final_tier_that_crashed_is_an_error() -> None:
    """Every attempt before it is kept. (contract: core:K9)"""
    cascade = CascadedJury(
        [
            Tier("gate", [passing()]),
            Tier("quick", [abstaining()], ACCEPT),
            Tier("last", Crashing(), FINAL),
        ]
    )

    verdict = cascade.vote(a_context())

    assert verdict.judgment.code is ReasonCode.STAGE_FAILED
    assert [attempt.name for attempt in verdict.attempts] == ["gate", "quick", "last"]
    assert [attempt.verdict is not None for attempt in verdict.attempts] == [True, True, False]
    assert verdict.decided_by.stage == "/last"


@pytest.mark.parametrize(
    ("tiers", "message"),
    [
        ([], "at least one tier"),
        ([Tier("a", [passing()])], "last tier 'a' uses reject_on_any_fail; it must use FINAL_TIER"),
        ([Tier("a", [passing()], ACCEPT)], "must use FINAL_TIER"),
        (
            [Tier("a", [passing()], FINAL), Tier("b", [passing()], FINAL)],
            "tier 'a' uses FINAL_TIER but is followed by 'b'; only the last tier may be final",
        ),
        ([Tier("a", [passing()]), Tier("a", [passing()], FINAL)], "tier names repeat"),
        ([Tier("a", [passing()])] * 32 + [Tier("b", [passing()], FINAL)], "33 tiers"),
    ],
)
def test_tiers_that_cannot_make_a_cascade_are_refused(tiers: list[Tier], message: str) -> None:
    """When it is built, with what is wrong. (contract: core:K10, core:R26)"""
    with pytest.raises(ArgumentError, match=message):
        CascadedJury(tiers)


@pytest.mark.parametrize("name", ["", " a", "a ", "a\nb", "x" * 65, "cafe\u0301"])
def test_the_name_of_a_tier_is_checked(name: str) -> None:
    """It becomes part of a path. (contract: core:K10, core:R24)"""
    with pytest.raises(ArgumentError, match="tier name"):
        Tier(name, [passing()])


@pytest.mark.parametrize(
    ("build", "error"),
    [
        (lambda: Tier("a", []), ArgumentError),
        (lambda: Tier("a", passing()), ArgumentTypeError),  # type: ignore[arg-type]
        (lambda: Tier("a", "judges"), ArgumentTypeError),  # type: ignore[arg-type]
        (lambda: Tier("a", [passing()], "sometimes"), ArgumentError),
        (lambda: Tier("a", [passing()], None), ArgumentTypeError),  # type: ignore[arg-type]
        (lambda: Tier("a", [passing()], on_error="ignore"), ArgumentError),  # type: ignore[arg-type]
        (lambda: CascadedJury([Jury([passing()])]), ArgumentTypeError),  # type: ignore[list-item]
        (lambda: CascadedJury([Tier("a", [passing()], FINAL)], name=""), ArgumentError),
        (lambda: CascadedJury([Tier("a", [passing()], FINAL)], timeout=0), ArgumentError),
    ],
)
def test_a_tier_that_cannot_be_is_refused(
    build: Callable[[], object], error: type[Exception]
) -> None:
    """An empty roster, no stage, no policy. (contract: core:K10)"""
    with pytest.raises(error):
        build()


def test_a_policy_may_be_given_by_its_word() -> None:
    """As configuration writes it. (contract: core:K10)"""
    assert Tier("a", [passing()], "final_tier").policy is FINAL


def test_a_tier_can_be_changed_into_another() -> None:
    """By the standard library's means, with its checks."""
    tier = Tier("a", [passing()])

    assert replace(tier, policy=FINAL) == Tier("a", tier.jury, FINAL)
    with pytest.raises(ArgumentError):
        replace(tier, name="")


def test_tiers_that_were_not_reached_are_listed() -> None:
    """As skipped, with the reason. (contract: core:K11)"""
    cascade = CascadedJury(
        [
            Tier("first", [failing()]),
            Tier("second", [passing(), passing()], ACCEPT),
            Tier("third", [passing()], FINAL),
        ]
    )

    verdict = cascade.vote(a_context())

    assert [attempt.name for attempt in verdict.attempts] == ["first", "second", "third"]
    for attempt in verdict.attempts[1:]:
        assert attempt.effect is StageEffect.SKIPPED
        assert attempt.skipped == "tier 'first' decided by reject_on_any_fail"
        assert attempt.verdict is None
        assert attempt.failure is None


@pytest.mark.parametrize(
    ("policy", "judge", "rule", "computed"),
    [
        (REJECT, failing(), "reject_on_any_fail", False),
        (ACCEPT, passing(), "accept_on_all_pass", False),
        (REJECT, passing(), "final_tier", True),
    ],
)
def test_the_root_says_what_decided(
    policy: TierPolicy, judge: Judge, rule: str, computed: bool
) -> None:
    """Which tier, by which rule, computed or ruled. (contract: core:K12)"""
    verdict, reached = gate(policy, judge)
    stage = "/final" if reached else "/gate"

    assert (verdict.decided_by.stage, verdict.decided_by.rule) == (stage, rule)
    assert verdict.decided_by.computed is computed
    assert verdict.judgment.evidence["decided_by"] == stage
    assert verdict.judgment.evidence["rule"] == rule
    assert verdict.judgment.evidence["computed"] is computed
    assert [attempt.rule for attempt in verdict.attempts] == [policy.value, "final_tier"]


def test_a_cascade_counts_what_it_cost() -> None:
    """Each tier, the total, and what stopping early saved. (contract: core:K13)"""
    used = Usage(input_tokens=5, output_tokens=1, calls=1)
    cascade = CascadedJury(
        [
            Tier("first", [passing(usage=used), passing(usage=used)]),
            Tier("second", [failing(usage=used)]),
            Tier("third", [passing(), Jury([passing(), passing()])], FINAL),
        ]
    )

    verdict = cascade.vote(a_context())
    costs = [attempt.verdict.cost for attempt in verdict.attempts if attempt.verdict is not None]

    assert [cost.usage and cost.usage.calls for cost in costs] == [2, 1]
    assert verdict.cost.usage == Usage(input_tokens=15, output_tokens=3, calls=3)
    assert (verdict.cost.judges, verdict.cost.saved) == (3, 3)
    assert verdict.cost.elapsed >= sum(cost.elapsed for cost in costs)


def confident(confidence: Any, bar: float = 0.8) -> tuple[Verdict, bool]:
    """Vote in a cascade whose first tier decides when it is certain; whether the next was asked."""
    behind = RecordingJudge(failing(name="behind"))
    cascade = CascadedJury(
        [
            Tier("quick", [passing()], ConfidenceGate(bar, lambda _: confidence)),
            Tier("thorough", [behind], FINAL),
        ]
    )
    verdict = cascade.vote(a_context())
    return verdict, bool(behind.contexts)


@pytest.mark.parametrize(
    ("confidence", "escalated"), [(0.8, False), (0.95, False), (0.79, True), (0.0, True)]
)
def test_a_tier_that_is_not_certain_enough_escalates(confidence: float, escalated: bool) -> None:
    """Bar and confidence are recorded. (contract: core:K14)"""
    verdict, reached = confident(confidence)

    assert reached is escalated
    assert verdict.passed is not escalated
    assert verdict.attempts[0].note == f"confidence {confidence:.4g}, bar 0.8"
    assert verdict.decided_by.computed


def test_a_tier_that_found_nothing_escalates_however_certain() -> None:
    """Nobody is certain of an abstention. (contract: core:K14)"""
    gate = ConfidenceGate(0.5, lambda _: 1.0)
    for judge in (abstaining(), erring()):
        cascade = CascadedJury([Tier("quick", [judge], gate), Tier("last", [passing()], FINAL)])

        assert cascade.vote(a_context()).decided_by.stage == "/last"


@pytest.mark.parametrize("confidence", [1.5, -0.1, None, "high", float("nan")])
def test_a_confidence_that_cannot_be_is_a_crash(confidence: Any) -> None:
    """The tier settles nothing. (contract: core:K14)"""
    verdict, reached = confident(confidence)

    assert reached
    assert verdict.attempts[0].failure is not None
    assert verdict.attempts[0].failure.code is ReasonCode.STAGE_FAILED


@pytest.mark.parametrize(
    ("build", "error"),
    [
        (lambda: ConfidenceGate(1.5, lambda _: 1.0), ArgumentError),
        (lambda: ConfidenceGate("high", lambda _: 1.0), ArgumentTypeError),  # type: ignore[arg-type]
        (lambda: ConfidenceGate(0.5, 1.0), ArgumentTypeError),  # type: ignore[arg-type]
    ],
)
def test_a_confidence_gate_is_refused_when_it_is_built(
    build: Callable[[], object], error: type[Exception]
) -> None:
    """A bar in 0..1, and a function. (contract: core:K14)"""
    with pytest.raises(error):
        build()


def test_stages_have_paths() -> None:
    """JSON pointers, parents first. (contract: core:R23)"""
    inner = CascadedJury([Tier("c~d", [passing()], FINAL)])
    outer = CascadedJury([Tier("outer", CascadedJury([Tier("a/b", inner, FINAL)]), FINAL)])

    verdict = outer.vote(a_context())

    assert [path for path, _ in verdict.stages()] == [
        "/outer",
        "/outer/a~1b",
        "/outer/a~1b/c~0d",
    ]
    assert [(path, seat.key) for path, seat in verdict.all_seats()] == [
        ("/outer/a~1b/c~0d", "pass"),
    ]


def test_juries_in_seats_have_paths_as_well() -> None:
    """Under the key of their seat. (contract: core:R23)"""
    verdict = Jury([Jury([passing()], name="in/ner"), failing()]).vote(a_context())

    assert [path for path, _ in verdict.stages()] == ["/in~1ner"]
    assert [path for path, _ in verdict.all_seats()] == ["", "", "/in~1ner"]


@pytest.mark.parametrize("policy", [REJECT, FINAL])
def test_what_a_crashed_stage_says_goes_to_the_log_only(
    policy: TierPolicy, caplog: pytest.LogCaptureFixture
) -> None:
    """The verdict holds a code and the exception's type. (contract: core:R25)"""
    tiers = [Tier("secret", Crashing(), policy)]
    if policy is REJECT:
        tiers.append(Tier("last", [passing()], FINAL))

    verdict = CascadedJury(tiers).vote(a_context())
    failure = verdict.attempts[0].failure

    assert failure is not None
    assert (failure.code, failure.exception) == (ReasonCode.STAGE_FAILED, "RuntimeError")
    assert "token" not in repr(verdict)
    assert "token=abc" in caplog.text
    assert caplog.records[0].name == "agent_judge"


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit, MemoryError])
def test_what_ends_a_process_leaves_a_cascade(end: type[BaseException]) -> None:
    """It is no crash of a stage. (contract: core:J10)"""
    with pytest.raises(end):
        CascadedJury([Tier("a", Crashing(end()), FINAL)]).vote(a_context())


def test_a_cascade_is_over_at_its_deadline() -> None:
    """The tier at work is late, and so is every one behind it. (contract: core:J8, core:K9)"""
    spared = RecordingJudge()
    cascade = CascadedJury(
        [
            Tier("quick", [passing()]),
            Tier("slow", [HangingJudge()]),
            Tier("spared", [spared], ACCEPT),
            Tier("last", [spared], FINAL),
        ],
        timeout=0.05,
    )

    verdict = cascade.vote(a_context())
    failures = [attempt.failure and attempt.failure.code for attempt in verdict.attempts]

    assert failures == [None, None, ReasonCode.TIMEOUT, ReasonCode.TIMEOUT]
    assert verdict.attempts[1].verdict is not None
    assert verdict.attempts[1].verdict.seats[0].judgment.code is ReasonCode.TIMEOUT
    assert verdict.judgment.code is ReasonCode.STAGE_FAILED
    assert not spared.contexts


def test_a_cascade_within_its_deadline_is_as_one_without() -> None:
    """Cheap tiers need no event loop for it. (contract: core:J8)"""
    tiers = [Tier("a", [passing()]), Tier("b", [passing()], FINAL)]

    assert CascadedJury(tiers, timeout=60).vote(a_context()).passed
    assert CascadedJury(tiers, timeout=60).timeout == 60


@pytest.mark.parametrize("stage", ["cascade", "meta"])
def test_a_gate_over_other_stages_sees_their_opinions(stage: str) -> None:
    """Those of the members of a meta jury, and the one of a cascade. (contract: core:K2)"""
    inner: Any = {
        "cascade": CascadedJury([Tier("x", [passing(), failing(), passing()], FINAL)]),
        "meta": MetaJury({"p": Jury([passing()]), "q": Jury([passing()]), "f": Jury([failing()])}),
    }[stage]
    cascade = CascadedJury([Tier("gate", inner), Tier("final", [passing()], FINAL)])

    verdict = cascade.vote(a_context())

    assert verdict.passed is (stage == "cascade")


@pytest.mark.parametrize(
    ("status", "ruled"),
    [(ExecutionStatus.FAILED, Status.FAIL), (ExecutionStatus.CANCELLED, Status.ABSTAIN)],
)
def test_a_run_that_itself_failed_does_not_pass_a_cascade(
    status: ExecutionStatus, ruled: Status
) -> None:
    """Ruled at the root, with what the tiers found below it. (contract: core:J16)"""
    tiers = [Tier("quick", [passing()], ACCEPT), Tier("last", [passing()], FINAL)]

    verdict = CascadedJury(tiers).vote(a_context(status=status))
    open_gate = [
        Tier(tier.name, Jury([passing()], status_gate=False), tier.policy) for tier in tiers
    ]

    assert verdict.status is ruled
    assert verdict.decided_by.rule == "status_gate"
    assert verdict.judgment.evidence["judges_found"] == "pass"
    assert CascadedJury(open_gate, status_gate=False).vote(a_context(status=status)).passed


def test_cascades_nest_only_so_deep() -> None:
    """Refused when built; both limits can be raised. (contract: core:R26)"""

    def nest(depth: int, **options: Any) -> CascadedJury:
        stage: Jury | CascadedJury = Jury([passing()])
        for _ in range(depth - 1):
            stage = CascadedJury([Tier("a", stage, FINAL)], **options)
        assert isinstance(stage, CascadedJury)
        return stage

    assert nest(8).depth == 8
    with pytest.raises(ArgumentError, match="nests 9 stages deep"):
        nest(9)
    assert nest(12, max_depth=12).vote(a_context()).passed
    many = [Tier(f"t{index}", [passing()]) for index in range(40)]
    last = Tier("last", [passing()], FINAL)
    assert CascadedJury([*many, last], max_stages=41).vote(a_context()).passed


def test_a_cascade_is_a_judge() -> None:
    """Its verdict stays in its seat. (contract: core:R22b)"""
    cascade = CascadedJury([Tier("a", [passing()], FINAL)], name="stack")

    verdict = Jury([cascade, passing()]).vote(a_context())

    assert verdict.seats[0].key == "stack"
    assert verdict.seats[0].verdict is not None
    assert [path for path, _ in verdict.stages()] == ["/stack", "/stack/a"]
    assert evaluate(cascade, a_context()).passed
    assert describe(cascade).explicit
    assert describe(cascade).type == "cascade"
    assert asyncio.run(cascade.avote(a_context())).passed


def test_a_cascade_that_is_awaited_as_a_judge_gives_its_judgment() -> None:
    """Called by hand, without an engine around it. (contract: core:R22b)"""

    async def call() -> Judgment:
        return await CascadedJury([Tier("a", [passing()], FINAL)])(a_context())

    assert asyncio.run(call()).passed


def test_a_stage_of_others_takes_part() -> None:
    """Anything with `avote` does. (contract: core:R22b)"""
    given = Jury([failing("theirs")]).vote(a_context())
    cascade = CascadedJury([Tier("theirs", Foreign(given), FINAL)])

    verdict = cascade.vote(a_context())

    assert verdict.attempts[0].verdict == given
    assert verdict.status is Status.FAIL
    assert cascade.depth == 2


def test_a_copied_verdict_is_equal_in_all() -> None:
    """Tiers, failures and skips survive pickle and copy. (contract: core:R22)"""
    cascade = CascadedJury(
        [
            Tier("crashed", Crashing(), on_error="waive"),
            Tier("quick", [passing()], ACCEPT),
            Tier("last", [passing()], FINAL),
        ]
    )
    verdict = cascade.vote(a_context())

    for again in (copy.deepcopy(verdict), pickle.loads(pickle.dumps(verdict))):
        assert again == verdict
        assert hash(again) == hash(verdict)


def test_a_cascade_says_how_it_was_built() -> None:
    """Its tiers, and the options that are not the default ones."""
    tier = Tier("a", [passing()], FINAL)

    assert CascadedJury([tier]).tiers == (tier,)
    assert CascadedJury([tier], timeout=5, max_stages=3).options == {"timeout": 5, "max_stages": 3}


@pytest.mark.parametrize("context", [None, {"output": "4"}])
def test_only_a_context_is_voted_on(context: Any) -> None:
    """What looks like one is refused. (contract: core:J5)"""
    with pytest.raises(ArgumentTypeError, match="context must be a JudgmentContext"):
        CascadedJury([Tier("a", [passing()], FINAL)]).vote(context)
