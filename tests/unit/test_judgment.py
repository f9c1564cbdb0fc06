from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from datetime import timedelta
from enum import Enum
from typing import Any

import pytest

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judgment import (
    EVIDENCE_KEY,
    Check,
    Judgment,
    Location,
    ReasonCode,
    Status,
    check_threshold,
    with_elapsed,
    with_evidence,
)
from agent_judge.scores import BooleanScore, CategoricalScore, NumericalScore, Score
from agent_judge.usage import Usage

FINDINGS = (Status.PASS, Status.FAIL)
NO_FINDINGS = (Status.ABSTAIN, Status.ERROR, Status.NOT_APPLICABLE)


def judgment_of(status: Status, **details: Any) -> Judgment:
    """A judgment that has what its status requires."""
    required: dict[str, Any] = {}
    if status in NO_FINDINGS:
        required["reasoning"] = "why not"
    if status is Status.ERROR:
        required["code"] = ReasonCode.INTERNAL
    return Judgment(status, **{**required, **details})


@pytest.mark.parametrize("status", [None, "pass", "PASS", True, 1])
def test_a_judgment_needs_a_status(status: object) -> None:
    """One of the five, and not a word that looks like it. (contract: core:R1, core:R21)"""
    with pytest.raises(ArgumentTypeError, match="status must be a Status"):
        Judgment(status)  # type: ignore[arg-type]


def test_a_judgment_without_any_argument_is_refused() -> None:
    """There is no default status. (contract: core:R1)"""
    with pytest.raises(TypeError, match="status"):
        Judgment()  # type: ignore[call-arg]


@pytest.mark.parametrize("word", ["PASS", "Pass", " pass", "passed", "", "true"])
def test_a_status_is_read_in_its_own_spelling_only(word: str) -> None:
    """Another case, or a word like it, is refused. (contract: core:R21)"""
    with pytest.raises(ValueError, match="not a valid Status"):
        Status(word)


@pytest.mark.parametrize("status", NO_FINDINGS)
def test_only_a_finding_carries_a_score(status: Status) -> None:
    """Who found nothing cannot say how good it is. (contract: core:R4)"""
    with pytest.raises(ArgumentError, match=f"{status.name} carries no score"):
        judgment_of(status, score=NumericalScore(0.5))


@pytest.mark.parametrize(("status", "value"), [(Status.PASS, False), (Status.FAIL, True)])
def test_a_boolean_score_agrees_with_the_status(status: Status, value: bool) -> None:
    """Yes and no may not contradict PASS and FAIL. (contract: core:R5)"""
    with pytest.raises(ArgumentError, match=f"{status.name} contradicts"):
        Judgment(status, score=BooleanScore(value))

    assert Judgment(status, score=BooleanScore(not value)).score == BooleanScore(not value)


def test_a_score_is_one_of_the_three_kinds() -> None:
    """A bare number has no scale. (contract: core:R4)"""
    with pytest.raises(ArgumentTypeError, match="score must be a Score"):
        Judgment(Status.PASS, score=0.5)  # type: ignore[arg-type]


def test_an_error_carries_no_label() -> None:
    """A label is a finding, and an ERROR found nothing. (contract: core:R6)"""
    with pytest.raises(ArgumentError, match="an ERROR carries no label"):
        judgment_of(Status.ERROR, label="bad")


@pytest.mark.parametrize("label", ["", " ", "\n\t"])
def test_a_blank_label_is_refused(label: str) -> None:
    """A word for the finding is a word. (contract: core:R6)"""
    with pytest.raises(ArgumentError, match="label must not be blank"):
        Judgment.passing(label=label)


def test_an_abstention_may_carry_a_label() -> None:
    """For example the answer that was off the menu. (contract: core:R6)"""
    assert Judgment.abstaining("cannot tell", label="unclear").label == "unclear"


@pytest.mark.parametrize("status", NO_FINDINGS)
@pytest.mark.parametrize("reasoning", ["", "  ", "\n"])
def test_who_reached_no_finding_says_why(status: Status, reasoning: str) -> None:
    """A blank reasoning is refused there. (contract: core:R7)"""
    with pytest.raises(ArgumentError, match=f"{status.name} needs a reasoning"):
        judgment_of(status, reasoning=reasoning)


@pytest.mark.parametrize("status", FINDINGS)
def test_a_finding_may_go_without_a_reasoning(status: Status) -> None:
    """PASS and FAIL speak for themselves. (contract: core:R7)"""
    assert Judgment(status).reasoning == ""


@pytest.mark.parametrize(
    ("status", "score"),
    [
        (Status.PASS, 1.0),
        (Status.FAIL, 0.0),
        (Status.ABSTAIN, None),
        (Status.ERROR, None),
        (Status.NOT_APPLICABLE, None),
    ],
)
def test_the_effective_score_without_a_stored_one(status: Status, score: float | None) -> None:
    """The status stands in for it; where nothing was found there is none. (contract: core:R8)"""
    assert judgment_of(status).effective_score == score


@pytest.mark.parametrize(
    ("score", "effective"),
    [
        (NumericalScore(0.3), 0.3),
        (NumericalScore(3, 0, 10), 0.3),
        (CategoricalScore("poor", ("poor", "good"), {"poor": 0.25}), 0.25),
        (CategoricalScore("poor", ("poor", "good")), None),
    ],
)
def test_the_effective_score_is_the_stored_one(score: Score, effective: float | None) -> None:
    """Normalised; a category without a number has none. (contract: core:R9)"""
    assert Judgment.failing(score=score).effective_score == effective


@pytest.mark.parametrize(
    ("value", "threshold", "status"),
    [(0.7, 0.7, Status.PASS), (0.7, 0.71, Status.FAIL), (0, 0, Status.PASS), (1, 1, Status.PASS)],
)
def test_a_score_is_held_against_the_pass_mark(
    value: float, threshold: float, status: Status
) -> None:
    """Equal to the mark passes, and the mark is recorded. (contract: core:R10)"""
    judgment = Judgment.scored(value, threshold=threshold)

    assert judgment.status is status
    assert judgment.evidence == {"threshold": threshold}


def test_a_raw_score_is_held_against_the_mark_on_its_own_scale() -> None:
    """82 of 100 reaches .8, and stays 82 of 100. (contract: core:R11)"""
    judgment = Judgment.scored(82, low=0, high=100, threshold=0.8)

    assert judgment.passed
    assert judgment.effective_score == 0.82
    assert judgment.score == NumericalScore(82, 0, 100)


def test_every_score_on_a_likert_scale_reaches_its_own_mark() -> None:
    """4.6 on 1..5 is .9, also in binary fractions. (contract: core:R10)"""
    tenths = range(10, 51)

    missed = [
        tenth
        for tenth in tenths
        if not Judgment.scored(tenth / 10, low=1, high=5, threshold=(tenth - 10) / 40).passed
    ]

    assert not missed


@pytest.mark.parametrize("threshold", [-0.1, 1.1, math.nan])
def test_a_pass_mark_lies_in_the_unit_interval(threshold: float) -> None:
    """A mark on another scale would pass or fail everything. (contract: core:R10)"""
    with pytest.raises(ArgumentError, match=r"must lie in 0\.\.1"):
        Judgment.scored(0.5, threshold=threshold)


@pytest.mark.parametrize("threshold", [None, "0.5", True])
def test_a_pass_mark_is_a_number(threshold: object) -> None:
    """It is not read out of a string or a boolean. (contract: core:R10)"""
    with pytest.raises(ArgumentTypeError, match="mark must be a number"):
        check_threshold(threshold, "mark")


def test_a_reached_mark_makes_failed_checks_advisory() -> None:
    """They stay as evidence and no longer contradict the PASS. (contract: core:R13)"""
    checks = [Check("spelling", False), Check("facts", True)]

    passed = Judgment.scored(0.9, threshold=0.5, checks=checks)
    failed = Judgment.scored(0.1, threshold=0.5, checks=checks)

    assert [check.advisory for check in passed.checks] == [True, False]
    assert failed.checks == tuple(checks)


def test_a_pass_holds_no_failed_check() -> None:
    """Unless that one is marked advisory. (contract: core:R13)"""
    failed = Check("tests ran", False)

    with pytest.raises(ArgumentError, match="PASS holds the failed check 'tests ran'"):
        Judgment.passing(checks=[Check("compiles", True), failed])

    kept = Judgment.passing(checks=[Check("compiles", True), failed.as_advisory()])
    assert [check.passed for check in kept.checks] == [True, False]
    assert kept.failed_checks == ()


def test_a_failure_lists_the_checks_that_decided_it() -> None:
    """Those that failed and do not merely inform."""
    decisive, informing = Check("a", False), Check("b", False, advisory=True)

    judgment = Judgment.failing(checks=[Check("c", True), decisive, informing])

    assert judgment.failed_checks == (decisive,)


@pytest.mark.parametrize("name", ["", " ", "\n"])
def test_a_check_says_what_was_looked_at(name: str) -> None:
    """A blank name is refused. (contract: core:R14)"""
    with pytest.raises(ArgumentError, match=r"check\.name must not be blank"):
        Check(name, True)


def test_a_check_that_examined_nothing_cannot_pass() -> None:
    """That no failure was found is true of nothing. (contract: core:R14)"""
    with pytest.raises(ArgumentError, match="passed with examined=0"):
        Check("tests", True, examined=0)


def test_a_pass_whose_checks_examined_nothing_is_refused() -> None:
    """Not even advisory checks may make it look examined. (contract: core:R14)"""
    nothing = Check("tests", False, examined=0, advisory=True)

    with pytest.raises(ArgumentError, match="every check of this PASS has examined=0"):
        Judgment.passing(checks=[nothing, nothing])

    assert Judgment.passing(checks=[nothing, Check("files", True)]).passed


@pytest.mark.parametrize("examined", [-1, 1.0, True, None])
def test_a_check_counts_what_it_examined(examined: object) -> None:
    """From zero up, in whole numbers."""
    with pytest.raises(ArgumentError, match="examined is a count from 0 up"):
        Check("tests", False, examined=examined)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("details", "message"),
    [
        ({"name": 1}, r"check\.name must be a string"),
        ({"message": None}, r"check\.message must be a string"),
        ({"passed": 1}, "True or False"),
        ({"advisory": "no"}, "True or False"),
        ({"location": "a.py:1"}, "must be a Location"),
    ],
)
def test_a_check_of_wrong_types_is_refused(details: dict[str, Any], message: str) -> None:
    """Each part has its own type, and the message names it."""
    with pytest.raises(ArgumentTypeError, match=message):
        replace(Check("tests", True), **details)


@pytest.mark.parametrize("part", ["name", "message"])
def test_a_check_holds_text_that_utf8_can_carry(part: str) -> None:
    """A lone surrogate is refused where it comes in."""
    changed: dict[str, Any] = {part: "\ud800"}

    with pytest.raises(ArgumentError, match=f"check.{part} holds a lone surrogate"):
        replace(Check("café", True), **changed)


def test_an_advisory_check_stays_the_same_otherwise() -> None:
    """Only its weight changes, and marking it twice changes nothing."""
    check = Check("lint", False, "12 warnings", 3, location=Location("a.py", 2))

    advisory = check.as_advisory()

    assert advisory == replace(check, advisory=True)
    assert advisory.as_advisory() is advisory


def test_an_error_needs_a_reason_code() -> None:
    """Machines read the code, people the reasoning. (contract: core:R15)"""
    with pytest.raises(ArgumentError, match="ERROR needs a ReasonCode"):
        Judgment(Status.ERROR, "why")


@pytest.mark.parametrize("code", ["timeout", 1, Status.ERROR])
def test_a_reason_code_is_one_of_a_closed_set(code: object) -> None:
    """A word that spells one is not one. (contract: core:R15)"""
    with pytest.raises(ArgumentTypeError, match="code must be a ReasonCode"):
        Judgment(Status.ERROR, "why", code=code)  # type: ignore[arg-type]


class Colour(Enum):
    RED = 1


@pytest.mark.parametrize(
    "value",
    [ValueError("x"), timedelta(1), Colour.RED, object(), None, math.nan, {1: 2}, "\ud800"],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("bury", [lambda value: value, lambda value: [0, {"c": value}]])
def test_metadata_that_json_cannot_carry_is_refused(
    value: object, bury: Callable[[object], object]
) -> None:
    """At any depth, with the exact path. (contract: core:R16)"""
    metadata: Any = {"a": {"b": [0, 1, bury(value)]}}

    with pytest.raises((ArgumentError, ArgumentTypeError), match=r"^metadata\.a\.b\[2\]"):
        Judgment.passing(metadata=metadata)


def test_a_metadata_integer_that_readers_would_round_is_refused() -> None:
    """Give it as a string. (contract: core:R17)"""
    with pytest.raises(ArgumentError, match=r"^metadata\.id is an integer beyond"):
        Judgment.passing(metadata={"id": 2**53})

    assert Judgment.passing(metadata={"id": 2**53 - 1}).metadata == {"id": 2**53 - 1}


def test_a_judgment_does_not_follow_what_the_caller_changes() -> None:
    """Neither its checks nor its metadata, at any depth. (contract: core:R18)"""
    inner, checks = [1], [Check("a", False)]
    metadata: dict[str, Any] = {"deep": {"list": inner}}
    judgment = Judgment.failing(checks=checks, metadata=metadata)
    before = hash(judgment)
    inner.append(2)
    metadata["more"] = 1
    checks.clear()

    assert judgment.metadata == {"deep": {"list": (1,)}}
    assert len(judgment.checks) == 1
    assert hash(judgment) == before


def test_a_judgment_cannot_change() -> None:
    """Nor can what it holds. (contract: core:R18)"""
    judgment = Judgment.passing(metadata={"a": {"b": 1}})

    with pytest.raises(FrozenInstanceError):
        judgment.status = Status.FAIL  # type: ignore[misc]
    with pytest.raises((AttributeError, TypeError)):
        judgment.metadata["a"]["b"] = 2  # type: ignore[index]


RESERVED: list[Callable[[dict[str, Any]], Judgment]] = [
    lambda metadata: Judgment(Status.PASS, metadata=metadata),
    lambda metadata: Judgment.passing(metadata=metadata),
    lambda metadata: Judgment.failing(metadata=metadata),
    lambda metadata: Judgment.abstaining("why", metadata=metadata),
    lambda metadata: Judgment.erring("why", ReasonCode.INTERNAL, metadata=metadata),
    lambda metadata: Judgment.not_applicable("why", metadata=metadata),
    lambda metadata: Judgment.scored(1, threshold=1, metadata=metadata),
    lambda metadata: Judgment.from_checks([Check("a", True)], metadata=metadata),
    lambda metadata: replace(Judgment.passing(), metadata=metadata),
]


@pytest.mark.parametrize("key", [EVIDENCE_KEY, f"{EVIDENCE_KEY}.threshold"])
@pytest.mark.parametrize("route", RESERVED)
def test_no_caller_writes_the_evidence_of_the_library(
    route: Callable[[dict[str, Any]], Judgment], key: str
) -> None:
    """The reserved key is refused, whichever way it comes. (contract: core:R19)"""
    with pytest.raises(ArgumentError, match="reserved"):
        route({key: {"threshold": 0}})


def test_the_library_adds_to_its_evidence() -> None:
    """What was recorded first stays, and so does the caller's metadata. (contract: core:R19)"""
    judgment = Judgment.scored(0.9, threshold=0.5, metadata={"a": 1})

    recorded = with_evidence(judgment, {"examined": 3})

    assert recorded.evidence == {"threshold": 0.5, "examined": 3}
    assert recorded.metadata["a"] == 1
    assert judgment.evidence == {"threshold": 0.5}


def test_a_judgment_without_evidence_has_none() -> None:
    """It is empty, not absent."""
    assert dict(Judgment.passing().evidence) == {}


EVERY_KIND = [
    Judgment.passing("ok", score=BooleanScore(True), label="good", usage=Usage(calls=1)),
    Judgment.failing("no", score=NumericalScore(1, 0, 5), checks=[Check("a", False, "b", 2)]),
    Judgment.failing(score=CategoricalScore("x", ("x", "y"), {"x": 0.5})),
    Judgment.abstaining("hm", metadata={"b": [1, {"c": "é"}], "a": 1.5}, code=ReasonCode.QUORUM),
    Judgment.erring("boom", ReasonCode.TIMEOUT, checks=[Check("a", False, location=Location("f"))]),
    Judgment.not_applicable("no web page"),
    Judgment.scored(3, low=1, high=5, threshold=0.5),
    with_elapsed(Judgment.passing(), 1.5),
]


@pytest.mark.parametrize("judgment", EVERY_KIND, ids=lambda judgment: judgment.status.name)
@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda judgment: pickle.loads(pickle.dumps(judgment))]
)
def test_a_copy_of_a_judgment_is_equal_in_all(
    copied: Callable[[Judgment], Judgment], judgment: Judgment
) -> None:
    """Value, hash, order and elapsed time survive pickle and copy. (contract: core:R22)"""
    again = copied(judgment)

    assert again == judgment
    assert hash(again) == hash(judgment)
    assert repr(again) == repr(judgment)
    assert again.elapsed == judgment.elapsed


def test_the_time_it_took_does_not_count_when_compared() -> None:
    """Two judges that found the same found the same, however long it took them."""
    slow = with_elapsed(Judgment.passing("ok"), 2.5)

    assert slow.elapsed == 2.5
    assert slow == Judgment.passing("ok")


@pytest.mark.parametrize("elapsed", [-1, math.nan, math.inf, "1", True])
def test_elapsed_is_a_finite_number_of_seconds(elapsed: object) -> None:
    """It is measured, so it is a number from zero up."""
    with pytest.raises(ArgumentError, match="elapsed must be a finite number"):
        Judgment(Status.PASS, elapsed=elapsed)  # type: ignore[arg-type]


def test_a_judgment_is_neither_true_nor_false() -> None:
    """`if judgment:` would pass every failure."""
    with pytest.raises(TypeError, match=r"ask for judgment\.passed"):
        bool(Judgment.failing())


@pytest.mark.parametrize(
    ("details", "error"),
    [
        ({"reasoning": None}, ArgumentTypeError),
        ({"reasoning": "\ud800"}, ArgumentError),
        ({"label": 1}, ArgumentTypeError),
        ({"checks": ["a"]}, ArgumentTypeError),
        ({"metadata": [("a", 1)]}, ArgumentTypeError),
        ({"usage": {"calls": 1}}, ArgumentTypeError),
    ],
)
def test_a_judgment_of_wrong_types_is_refused(
    details: dict[str, Any], error: type[Exception]
) -> None:
    """Each part has its own type, checked when the judgment is built."""
    with pytest.raises(error):
        Judgment(Status.FAIL, **details)


def test_no_checks_are_an_empty_tuple() -> None:
    """Whatever kind of emptiness was given."""
    assert Judgment(Status.PASS, checks=[]).checks == ()  # type: ignore[arg-type]


def test_checks_decide() -> None:
    """All passed is PASS, one failed is FAIL, and the reasoning names it. (contract: core:R13)"""
    good, bad = Check("builds", True), Check("tests", False, "2 of 9 failed")

    assert Judgment.from_checks([good, good]).reasoning == "all 2 checks passed"
    assert Judgment.from_checks([good, bad]).status is Status.FAIL
    assert Judgment.from_checks([good, bad]).reasoning == "tests: 2 of 9 failed"
    assert Judgment.from_checks([Check("lint", False)]).reasoning == "lint"


@pytest.mark.parametrize("checks", [[], [Check("lint", True, advisory=True)]])
def test_without_a_check_that_decides_nothing_is_decided(checks: list[Check]) -> None:
    """Nothing passes that was not examined. (contract: core:R14)"""
    judgment = Judgment.from_checks(checks)

    assert judgment.status is Status.ABSTAIN
    assert judgment.checks == tuple(checks)


def test_an_advisory_failure_does_not_decide() -> None:
    """It informs, beside the checks that pass. (contract: core:R13)"""
    checks = [Check("builds", True), Check("lint", False, advisory=True)]

    assert Judgment.from_checks(checks, "fine").reasoning == "fine"
    assert Judgment.from_checks(checks).passed


@pytest.mark.parametrize(
    ("location", "text"),
    [
        (Location("a.py"), "a.py"),
        (Location("a.py", 3), "a.py:3"),
        (Location("a.py", 3, 7), "a.py:3:7"),
    ],
)
def test_a_location_reads_as_compilers_write_it(location: Location, text: str) -> None:
    """Path, line and column, joined by colons."""
    assert str(location) == text


@pytest.mark.parametrize(
    "parts", [("",), (" ",), ("a.py", 0), ("a.py", 1, 0), ("a.py", True), ("a.py", None, 1)]
)
def test_a_location_that_is_nowhere_is_refused(parts: tuple[Any, ...]) -> None:
    """Lines and columns count from 1, and a column is in a line."""
    with pytest.raises(ArgumentError, match="location"):
        Location(*parts)
