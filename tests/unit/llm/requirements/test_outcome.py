from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from agent_judge.judgment import Check, Judgment, Location, ReasonCode, Status
from agent_judge.llm import Requirement, Roster
from agent_judge.llm.requirements.answers import Answer, Finding
from agent_judge.llm.requirements.citations import Checked, Citation
from agent_judge.llm.requirements.outcome import Gap, decide, record, rule
from agent_judge.llm.requirements.roster import Level, Unreadable

HERE, NOWHERE = Citation("app.py", 1, 1), Citation("none.py", 9, 9)
PLACES = {
    HERE: Checked(HERE, None, Location("app.py", 1)),
    NOWHERE: Checked(NOWHERE, "does not exist"),
}


def decided(
    findings: Sequence[Finding | None],
    levels: Sequence[Level] = (),
    evidence: str = "because",
    **changes: object,
) -> Judgment:
    """What findings come to; levels are MUST unless they are given."""
    padded = [*levels, *[Level.MUST] * len(findings)]
    requirements = tuple(
        Requirement(f"R{number}", "it MUST", number, level, level.value)
        for number, level in zip(range(1, len(findings) + 1), padded, strict=False)
    )
    roster = Roster(requirements, **changes)  # type: ignore[arg-type]
    answers = {
        requirement.id: Answer(finding, evidence)
        for requirement, finding in zip(requirements, findings, strict=True)
        if finding is not None
    }
    return decide(rule(roster, answers, {}, PLACES, [Level.MUST]), roster)


def check(judgment: Judgment, name: str) -> Check:
    """The check of one requirement."""
    [found] = [check for check in judgment.checks if check.name.startswith(name)]
    return found


@given(
    st.lists(
        st.tuples(st.sampled_from([*Finding, None]), st.sampled_from(Level)), min_size=1, max_size=8
    )
)
def test_code_decides_what_findings_come_to(given: list[tuple[Finding | None, Level]]) -> None:
    """By what rejects: FAIL, then ERROR, ABSTAIN, NOT_APPLICABLE, PASS; never a score.

    (contract: judges:Q3, judges:Q4, judges:Q6)
    """
    judgment = decided([finding for finding, _ in given], [level for _, level in given])

    rejecting = {finding for finding, level in given if level is Level.MUST}
    if Finding.FAIL in rejecting:
        expected = Status.FAIL
    elif None in {finding for finding, _ in given}:
        expected = Status.ERROR
    elif Finding.UNDETERMINED in rejecting:
        expected = Status.ABSTAIN
    else:
        expected = Status.PASS if Finding.PASS in rejecting else Status.NOT_APPLICABLE
    assert judgment.status is expected
    assert judgment.score is None


def test_an_unanswered_requirement_is_an_error_that_names_it() -> None:
    """Nothing passes that was not examined. (contract: judges:Q4)"""
    judgment = decided([Finding.PASS, None])

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.PROTOCOL)
    assert judgment.reasoning == "without a finding: R2 [MUST] (it was not answered)"
    assert check(judgment, "R2").examined == 0


def test_many_requirements_are_all_named() -> None:
    """Only the first are explained in the reason; each has its check."""
    judgment = decided([Finding.FAIL] * 12)

    assert judgment.reasoning.count("because") == 10
    assert judgment.reasoning.endswith("R11 [MUST], R12 [MUST]")
    assert len(judgment.failed_checks) == 12


def test_a_failure_lists_what_was_not_answered() -> None:
    """It stands whatever the gap would have been. (contract: judges:Q4)"""
    judgment = decided([Finding.FAIL, None])

    assert judgment.status is Status.FAIL
    assert judgment.code is None
    assert "not met: R1 [MUST] (because)" in judgment.reasoning
    assert "without a finding: R2 [MUST] (it was not answered)" in judgment.reasoning


def test_a_violation_is_reported_at_its_own_strength() -> None:
    """SHOULD does not reject by default. (contract: judges:Q6)"""
    judgment = decided([Finding.PASS, Finding.FAIL], [Level.MUST, Level.SHOULD])

    assert judgment.passed
    assert "not of a level that rejects: R2 [SHOULD] (because)" in judgment.reasoning
    violated = check(judgment, "R2 [SHOULD]")
    assert not violated.passed
    assert violated.advisory


def test_an_excluded_requirement_has_no_check() -> None:
    """It was neither met nor not met; the reason says so."""
    judgment = decided([Finding.PASS, Finding.EXCLUDED])

    assert judgment.passed
    assert [check.name for check in judgment.checks] == ["R1 [MUST]: it MUST"]
    assert "1 of 2 requirements are met. excluded: R2 [MUST] (because)" in judgment.reasoning


def test_a_pass_on_places_that_do_not_exist_is_no_finding() -> None:
    """It does not count as evidenced, and the place is marked. (contract: judges:Q5, judges:Q7)"""
    judgment = decided([Finding.PASS], evidence="see none.py:9")

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.PROTOCOL)
    marked = check(judgment, "R1")
    assert not marked.passed
    assert "none.py:9 does not exist" in marked.message


def test_a_pass_on_one_place_that_exists_counts() -> None:
    """The other one is marked all the same. (contract: judges:Q7)"""
    judgment = decided([Finding.PASS], evidence="none.py:9, app.py:1")

    assert judgment.passed
    marked = check(judgment, "R1")
    assert marked.location == Location("app.py", 1)
    assert "none.py:9 does not exist" in marked.message


def test_a_failure_needs_no_place() -> None:
    """What is missing is nowhere."""
    judgment = decided([Finding.FAIL], evidence="none.py:9")

    assert judgment.status is Status.FAIL
    assert "none.py:9 does not exist" in check(judgment, "R1").message


def test_what_could_not_be_read_is_counted() -> None:
    """Declared and parsed, in the reason, a check and the evidence. (contract: judges:Q1)"""
    unreadable = (Unreadable("REQ-3", 7, "it has no body"),)

    judgment = decided([Finding.PASS], unreadable=unreadable)

    assert judgment.passed
    assert "1 of 2 that are declared cannot be read" in judgment.reasoning
    told = check(judgment, "every declared requirement")
    assert told.advisory
    assert told.message == "1 of 2 could be read. line 7: 'REQ-3': it has no body"
    assert record((), Roster((), unreadable))["declared"] == 1


def test_a_gap_gives_the_code() -> None:
    """Why a question has no answer decides what machines read."""
    roster = Roster((Requirement("R1", "it shall", 1),))
    gaps = {"R1": Gap("the model is away", ReasonCode.MODEL_FAILED)}

    judgment = decide(rule(roster, {}, gaps, {}, [Level.MUST]), roster)

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.MODEL_FAILED)
