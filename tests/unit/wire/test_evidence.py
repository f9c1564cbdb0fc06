from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

import strategies
from agent_judge import (
    AllMustPass,
    Average,
    CascadedJury,
    Consensus,
    ErrorPolicy,
    ExecutionStatus,
    Judgment,
    JudgmentContext,
    Jury,
    Majority,
    MetaJury,
    Seat,
    Tier,
    TierPolicy,
    Verdict,
    all_of,
    any_of,
    evaluate,
    from_dict,
    to_dict,
    with_timeout,
)
from agent_judge.errors import WireError
from agent_judge.jury import Mode, NotApplicablePolicy, Population, StageAttempt
from agent_judge.testing import (
    HangingJudge,
    abstaining,
    erring,
    failing,
    not_applicable,
    passing,
    scoring,
)

RUN = JudgmentContext()
GONE = object()


def own(_population: Population) -> Judgment:
    """A strategy of a user's own."""
    return Judgment.scored(0.5, threshold=0.5)


class Crashing:
    """A stage that gives no verdict."""

    async def avote(self, _context: JudgmentContext) -> Verdict:
        """Crash."""
        raise ValueError("secret")


def vote(*judges: Any, run: JudgmentContext = RUN, **options: Any) -> Judgment:
    """The judgment of a jury."""
    return Jury(judges, **options).vote(run).judgment


def changed(judgment: Judgment, value: Any, *path: str) -> dict[str, Any]:
    """The stored judgment with one value changed, or taken away where the value is `GONE`.

    A path of one name leads into the evidence, unless the judgment has a field of that name.
    """
    data: dict[str, Any] = json.loads(json.dumps(to_dict(judgment)))
    evidence = data["metadata"]["agent_judge"]
    place = data if path[0] in ("status", "code", "score") else evidence
    for step in path[:-1]:
        place = place[step]
    if value is GONE:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return data


TREATING = Majority(
    on_error=ErrorPolicy.TREAT_AS_FAIL, on_not_applicable=NotApplicablePolicy.AS_FAIL
)
MIXED = (passing(), passing(), passing(), failing(), abstaining(), erring(), not_applicable())
FAILED = JudgmentContext(status=ExecutionStatus.FAILED)
CANCELLED = JudgmentContext(status=ExecutionStatus.CANCELLED)
EARLY = vote(failing(), passing(), strategy=AllMustPass(), stop_when_decided=True)
LOST = MetaJury({"a": Jury([passing()]), "b": Crashing()}).vote(RUN).judgment
CASCADE = CascadedJury([Tier("a", [passing()], TierPolicy.FINAL_TIER)]).vote(RUN).judgment
SCORED = Judgment.scored(0.8, threshold=0.7)
CHILDREN = evaluate(all_of(passing(), erring()), RUN)

HONEST = [
    vote(*MIXED, strategy=TREATING),
    vote(*MIXED, strategy=Majority(on_error=ErrorPolicy.TREAT_AS_ABSTAIN)),
    vote(*MIXED, strategy=Average(on_error=ErrorPolicy.IGNORE, min_eligible=9)),
    vote(*MIXED, strategy=own),
    vote(*MIXED),
    vote(passing(), strategy=Mode(("good",))),
    vote(erring(), strategy=Majority(on_error=ErrorPolicy.TREAT_AS_FAIL)),
    vote(erring(), strategy=Consensus(on_error=ErrorPolicy.TREAT_AS_FAIL), run=CANCELLED),
    vote(not_applicable(declared=True)),
    vote(passing(), run=FAILED),
    evaluate(with_timeout(HangingJudge(), 0.001), RUN),
    evaluate(any_of(failing(), not_applicable()), RUN),
    EARLY,
    LOST,
    CASCADE,
    SCORED,
    CHILDREN,
]


@pytest.mark.parametrize("judgment", HONEST, ids=lambda judgment: judgment.status.value)
def test_what_the_library_recorded_is_read_back(judgment: Judgment) -> None:
    """Whatever there was to record. (contract: core:R19, core:R22)"""
    assert judgment.evidence or judgment.status.name == "ERROR"
    assert from_dict(Judgment, json.loads(json.dumps(to_dict(judgment)))) == judgment


@pytest.mark.parametrize("records", [10_000])
def test_a_vote_of_many_seats_is_read_without_making_them_up(records: int) -> None:
    """A file decides over nobody's memory. (contract: core:R19)"""
    data = changed(vote(passing()), records, "passed")
    data["metadata"]["agent_judge"].update({"eligible": records, "input": records})

    assert from_dict(Judgment, data).passed


PLACE = r"^judgment\.metadata\.agent_judge\."
ONE = vote(passing())
BROKEN = vote(erring())
OWN = vote(passing(), strategy=own)
CUT = vote(passing(), run=FAILED)
UNHEARD = vote(scoring(0.9, threshold=1.0), strategy=Average())


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            changed(SCORED, 2, "threshold"),
            PLACE + "threshold: .*number from 0 up to 1",
        ),
        (changed(SCORED, "0.7", "threshold"), PLACE + "threshold: expected a number"),
        (changed(CHILDREN, "two", "children"), PLACE + "children: expected a list"),
        (changed(CHILDREN, [{"name": "a"}], "children"), PLACE + r"children\[0\]\.status: missing"),
        (changed(EARLY, 3, "early_stop"), PLACE + "early_stop: expected an object"),
        (changed(EARLY, 0, "early_stop", "not_asked"), PLACE + r"early_stop\.not_asked"),
        (
            changed(EARLY, True, "early_stop", "errors_foreseen"),
            PLACE + "early_stop.*only be F",
        ),
        (changed(EARLY, GONE, "strategy"), PLACE + "strategy: missing"),
        (changed(ONE, 1, "custom"), PLACE + "custom: can only be True"),
        (changed(ONE, "borda", "strategy"), PLACE + "strategy: 'borda' is no built-in"),
        (changed(ONE, ["majority"], "strategy"), PLACE + "strategy: expected a string"),
        (changed(ONE, "perhaps", "tie"), r"agent_judge: cannot be counted: tie is one"),
        (changed(ONE, "1", "passed"), PLACE + "passed: expected a whole number"),
        (changed(ONE, -1, "failed"), PLACE + "failed: expected a finite number from 0"),
        (changed(ONE, True, "passed"), PLACE + "passed: expected a whole number"),
        (changed(ONE, GONE, "ignored"), PLACE + "ignored: missing"),
        (changed(OWN, GONE, "errored"), PLACE + "errored: missing"),
        (changed(LOST, GONE, "passed"), PLACE + "passed: missing"),
        (changed(BROKEN, [], "errors_by_code"), PLACE + "errors_by_code: expected an obj"),
        (
            changed(BROKEN, {"no": 1}, "errors_by_code"),
            PLACE + "errors_by_code: expected one",
        ),
        (changed(CASCADE, "yes", "computed"), PLACE + "computed: expected true or false"),
        (changed(CASCADE, [3], "gates_not_exercised"), PLACE + r"gates_not_exercised\[0\]"),
        (changed(CUT, "fine", "run_status"), PLACE + "run_status"),
        (changed(CUT, "fine", "judges_found"), PLACE + "judges_found"),
        (
            changed(CUT, GONE, "judges_found"),
            PLACE + "judges_found: missing",
        ),
        (
            changed(OWN, "all", "returned"),
            PLACE + "returned: expected an",
        ),
    ],
)
def test_evidence_of_another_form_is_refused(data: dict[str, Any], message: str) -> None:
    """By its path: no caller can write it, and no file either. (contract: core:R19, edges:S4)"""
    with pytest.raises(WireError, match=message):
        from_dict(Judgment, data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            changed(ONE, 2, "passed"),
            PLACE + "eligible: is 1, but the counts add up to 2",
        ),
        (changed(ONE, 2, "input"), PLACE + "input: is 2, but the counts add up to 1"),
        (
            changed(BROKEN, 2, "errored"),
            PLACE + "errored: is 2, but the counts add up to 1",
        ),
        (changed(ONE, 1, "treated_as_fail"), "treated more seats as others"),
        (
            changed(vote(*MIXED, strategy=TREATING), 1, "ignored"),
            PLACE + "ignored: is 1, but the pol",
        ),
        (changed(OWN, 2, "input"), PLACE + "input"),
        (changed(LOST, 2, "crashed"), PLACE + "input"),
    ],
)
def test_counts_that_do_not_add_up_are_refused(data: dict[str, Any], message: str) -> None:
    """Whoever summed up the vote. (contract: core:R19, core:V28)"""
    with pytest.raises(WireError, match=message):
        from_dict(Judgment, data)


def none_there() -> dict[str, Any]:
    """A vote of nobody."""
    data = changed(ONE, 0, "passed")
    data["metadata"]["agent_judge"].update({"eligible": 0, "input": 0})
    return data


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (changed(vote(passing(), failing(), failing()), "pass", "status"), "counts give 'fail'"),
        (changed(vote(passing(), passing()), "fail", "status"), "counts give 'pass'"),
        (changed(vote(passing(), abstaining(), strategy=AllMustPass()), "pass", "status"), "'abst"),
        (changed(vote(failing(), strategy=Average()), "pass", "status"), "not reach the mark"),
        (changed(UNHEARD, "pass", "status"), "no judgment passed"),
        (changed(vote(scoring(0.3), strategy=Average()), "pass", "status"), "not reach the"),
        (changed(vote(passing(), strategy=Average(min_eligible=2)), "pass", "status"), "'abstain'"),
        (changed(SCORED, 0.9, "threshold"), "its score 0.8 does not reach the mark 0.9"),
        (changed(CUT, "pass", "status"), "the run ended as 'failed'"),
        (changed(CUT, "success", "run_status"), "ended as 'success'"),
        (changed(CUT, "fail", "judges_found"), "the counts give 'pass'"),
        (changed(vote(passing(), run=CANCELLED), "fail", "status"), "the run ended as 'cancelled'"),
    ],
)
def test_a_status_that_the_evidence_does_not_give_is_refused(
    data: dict[str, Any], why: str
) -> None:
    """A judgment alone is not turned with an editor either. (contract: core:R19, edges:S4)"""
    data.pop("code", None)

    with pytest.raises(WireError, match=rf"^judgment\.status: is '\w+', but .*({why})"):
        from_dict(Judgment, data)


@pytest.mark.parametrize(
    ("judgment", "evidence", "message"),
    [
        (Judgment.passing(), {"errors_alone": True}, "'errors_alone' is said of a failure"),
        (Judgment.failing(), {"errors_alone": False}, "errors_alone: can only be True"),
        (Judgment.passing(), {"abandoned": True}, r"judgment\.code: is not that of a judge"),
        (Judgment.failing(), {"late_by": 3}, r"judgment\.code: is not that of a judge"),
        (
            Judgment.passing(),
            {"children": [{"name": "a", "status": "fail"}]},
            "none of the judges inside",
        ),
        (Judgment.passing(), {"children": []}, "none of the judges inside"),
        (Judgment.passing(), {"custom": True}, "strategy: missing"),
        (Judgment.passing(), {"eligible": 3, "passed": 3}, "strategy: missing"),
        (Judgment.failing(), {"run_status": "failed"}, "judges_found: missing"),
        (Judgment.passing(), 3, "expected an object"),
    ],
)
def test_evidence_that_contradicts_the_judgment_is_refused(
    judgment: Judgment, evidence: Any, message: str
) -> None:
    """What only a failure, a late judge or a vote has. (contract: core:R19)"""
    data = {**to_dict(judgment), "metadata": {"agent_judge": evidence}}

    with pytest.raises(WireError, match=message):
        from_dict(Judgment, data)


def test_a_vote_of_nobody_is_refused() -> None:
    """Nothing passes unexamined. (contract: core:R19)"""
    with pytest.raises(WireError, match="input: is 0; nobody voted"):
        from_dict(Judgment, none_there())


def test_a_vote_that_lost_a_member_is_an_error() -> None:
    """Nobody counted it. (contract: core:R19, core:M3)"""
    data = changed(LOST, "pass", "status")
    del data["code"]

    with pytest.raises(WireError, match=r"^judgment\.status: is 'pass', but a member crashed"):
        from_dict(Judgment, data)


def test_what_the_library_does_not_know_is_kept() -> None:
    """A judge of another release may have recorded more. (contract: core:R22)"""
    data = {**to_dict(Judgment.passing()), "metadata": {"agent_judge": {"model": "m-1"}}}

    assert from_dict(Judgment, data).evidence == {"model": "m-1"}


@given(strategies.verdicts)
def test_the_judgments_of_a_verdict_are_read_by_themselves(verdict: Verdict) -> None:
    """Out of the verdict as in it. (contract: core:R22, core:R19)"""
    for judgment in (verdict.judgment, *(seat.judgment for _, seat in verdict.all_seats())):
        assert from_dict(Judgment, json.loads(json.dumps(to_dict(judgment)))) == judgment


def test_a_verdict_in_a_seat_or_attempt_is_counted_again() -> None:
    """Also where that is stored by itself. (contract: edges:S4)"""
    verdict = Jury([Jury([passing(), failing()])]).vote(RUN)
    cascade = CascadedJury([Tier("a", [passing()], TierPolicy.FINAL_TIER)]).vote(RUN)
    seat, attempt = to_dict(verdict.seats[0]), to_dict(cascade.attempts[0])
    seat["verdict"]["seats"][1]["judgment"]["status"] = "pass"
    attempt["verdict"]["seats"][0]["judgment"]["status"] = "fail"

    with pytest.raises(WireError, match=r"^seat\.verdict\."):
        from_dict(Seat, seat)
    with pytest.raises(WireError, match=r"^stage_attempt\.verdict\."):
        from_dict(StageAttempt, attempt)
