from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge import JudgmentContext, NumericalScore, ReasonCode, Status, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.data import JsonMatchJudge, fields, json_match
from agent_judge.judgment import Judgment

SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=3)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS.filter(lambda value: not isinstance(value, str)),
    lambda inner: (
        st.lists(inner | SCALARS, max_size=3)
        | st.dictionaries(st.text(max_size=2), inner | SCALARS, max_size=3)
    ),
    max_leaves=8,
)

SOUND: dict[str, Any] = {"expected": {}, "threshold": 1}


def judged(expected: Any, output: Any, **options: Any) -> Judgment:
    """What is found of an output."""
    judge = JsonMatchJudge(expected, threshold=options.pop("threshold", 1), **options)
    return evaluate(judge, JudgmentContext(output=output))


def score(expected: Any, output: Any, **options: Any) -> float:
    """How much of the expected value an output has."""
    found = judged(expected, output, **options).score
    assert isinstance(found, NumericalScore)
    return found.value


@pytest.mark.parametrize("value", [{}, [], {"tags": []}, {"a": {}}, [[]], 0, None, False])
def test_a_value_matches_itself(value: Any) -> None:
    """An empty one as well. (contract: cases:B9)"""
    assert score(value, value) == 1


@given(VALUES)
def test_any_value_matches_itself(value: Any) -> None:
    """In every order of its elements. (contract: cases:B9)"""
    assert score(value, value) == 1
    assert score(value, value, arrays="unordered") == 1


@given(VALUES, VALUES)
def test_a_score_is_a_share(expected: Any, output: Any) -> None:
    """Whatever is compared with whatever."""
    assert 0 <= score(expected, output) <= 1
    assert score(expected, output) == 1 or judged(expected, output).failed_checks


@pytest.mark.parametrize(
    ("expected", "output", "share"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, 1 / 2),
        ({"a": 1, "b": 2}, {"a": 1}, 1 / 2),
        ({"a": 1}, {"a": 1, "b": 2}, 1 / 2),
        ({"a": {"b": 1, "c": 2}, "d": 3}, {"a": 5, "d": 3}, 1 / 3),
        ({"a": 1}, {"a": 1.0}, 1),
        ({"a": 1}, {"a": True}, 0),
        ({"a": 0}, {"a": False}, 0),
        ({"a": None}, {}, 0),
        ({"a": "1"}, {"a": 1}, 0),
        ([1, 2, 3], [1, 3, 2], 1 / 3),
        ([1, 2], [1, 2, 3], 2 / 3),
        ([1, 2], [1], 1 / 2),
        ({}, {"a": 1}, 0),
        ([], [1], 0),
        ({}, [], 0),
        ([], {}, 0),
        ({"a": {}}, {"a": None}, 0),
        ({"a": [{"b": 1}]}, {"a": {"0": {"b": 1}}}, 0),
    ],
)
def test_the_score_is_the_share_of_fields(expected: Any, output: Any, share: float) -> None:
    """Fields are the ends of the branches, and what is beyond them. (contract: cases:B9)"""
    assert score(expected, output) == pytest.approx(share)


@pytest.mark.parametrize(
    ("options", "share"),
    [
        ({"weights": {"/a": 3}}, 3 / 5),
        ({"weights": {"/b": 0}}, 1 / 2),
        ({"weights": {"": 0, "/a": 1}}, 1),
        ({"weights": {"/c": 0.5}}, 1 / 2.5),
        ({"extra": "ignore"}, 1 / 2),
        ({"extra": "ignore", "weights": {"/b": 0}}, 1),
    ],
)
def test_weights_and_policies_say_what_counts(options: Any, share: float) -> None:
    """One key is right, one is wrong, and one is not expected."""
    assert score({"a": 1, "b": 2}, {"a": 1, "b": 0, "c": 0}, **options) == pytest.approx(share)


def test_a_missing_field_can_be_ignored() -> None:
    """What is there still has to be right."""
    expected = {"a": 1, "b": {"c": 2}}

    assert score(expected, {"a": 1}, missing="ignore") == 1
    assert score(expected, {"a": 2}, missing="ignore") == 0
    assert score(expected, {"a": 1, "b": 5}, missing="ignore") == 1 / 2


def test_nothing_that_counts_is_no_pass() -> None:
    """Where every field is ignored, nothing was compared."""
    judgment = judged({"a": 1}, {}, missing="ignore")

    assert judgment.status is Status.ABSTAIN
    assert "nothing was compared" in judgment.reasoning
    assert judged({"a": 1}, {"a": 1}, weights={"": 0}).status is Status.ABSTAIN


def test_an_object_that_may_hold_more_may_be_expected_to_be_empty() -> None:
    """Its kind is what is left to compare."""
    assert score({}, {"a": 1}, extra="ignore") == 1
    assert score([], [1], extra="ignore") == 1
    assert score({}, [1], extra="ignore") == 0


@pytest.mark.parametrize(
    ("output", "matches"), [({"x": [{"p": 1.1}]}, 1), ({"x": [{"p": 1.11}]}, 0)]
)
def test_numbers_may_be_near_by_the_place_they_are_in(output: Any, matches: int) -> None:
    """A star stands for any element."""
    assert score({"x": [{"p": 1}]}, output, tolerance={"/x/*/p": 0.1}) == matches
    assert score({"x": [{"p": 1}]}, output, tolerance={"/y": 0.1}) == 0


def test_a_tolerance_is_for_numbers() -> None:
    """A boolean is none, nor is a text."""
    assert score(1, True, tolerance={"": 5}) == 0
    assert score({"a": "1"}, {"a": "2"}, tolerance={"": 5}) == 0


def test_differences_of_text_are_ignored_by_name() -> None:
    """In every string of the value."""
    expected, output = {"a": ["Caf\u00e9"]}, {"a": ["CAFE\u0301 "]}

    assert score(expected, output) == 0
    assert score(expected, output, case="ignore", whitespace="trim", unicode="NFC") == 1


@pytest.mark.parametrize(
    ("expected", "output", "share"),
    [
        ([1, 2, 3], [3, 1, 2], 1),
        ([1, 1, 2], [1, 2, 2], 2 / 3),
        ([{"a": 1, "b": 1}, {"a": 2, "b": 2}], [{"a": 2, "b": 2}, {"a": 1, "b": 9}], 3 / 4),
        ([[1, 2]], [[2, 1]], 1),
        ([1, 2], [2], 1 / 2),
        ([1], [2, 1], 1 / 2),
    ],
)
def test_elements_can_be_in_any_order(expected: Any, output: Any, share: float) -> None:
    """As many as can be are paired with an equal one, and the rest in order."""
    assert score(expected, output, arrays="unordered") == pytest.approx(share)


@given(
    st.lists(st.integers(0, 3) | st.lists(st.integers(0, 1), max_size=2), max_size=6), st.randoms()
)
def test_any_order_is_any_order(values: list[Any], random: Any) -> None:
    """A shuffled array matches."""
    shuffled = random.sample(values, len(values))

    assert score(values, shuffled, arrays="unordered") == 1


def test_each_field_has_a_check() -> None:
    """Named by its JSON Pointer, with both sides."""
    judgment = judged({"a": [1, "x"], "b": 2}, {"a": [1, "y"], "c": {}})

    assert [(check.name, check.passed, check.message) for check in judgment.checks] == [
        ("/a/0", True, "is as expected"),
        ("/a/1", False, 'is "y", expected "x"'),
        ("/b", False, "is missing, expected 2"),
        ("/c", False, "is not expected: {}"),
    ]
    assert judgment.reasoning == '1 of 4 fields match; /a/1 is "y", expected "x"'


def test_what_is_in_the_place_of_an_object_is_named() -> None:
    """A field cannot be looked for in a number."""
    judgment = judged({"a": {"b": 1}}, {"a": 5})

    assert judgment.checks[0].message == "is missing: around it is a number, expected 1"


def test_ignored_fields_inform() -> None:
    """They are in the checks, and do not decide."""
    judgment = judged({"a": 1}, {"a": 1, "b": 2}, extra="ignore")

    assert judgment.passed
    assert [(check.name, check.advisory) for check in judgment.checks] == [
        ("/a", False),
        ("/b", True),
    ]


def test_the_mark_is_reached_or_not_and_recorded() -> None:
    """A score equal to the threshold passes."""
    assert judged({"a": 1, "b": 2}, {"a": 1}, threshold=0.5).passed
    below = judged({"a": 1, "b": 2}, {"a": 1}, threshold=0.51)

    assert not below.passed
    assert below.evidence["threshold"] == 0.51


@pytest.mark.parametrize("expected", [{"a": 1}, '{"a": 1}'])
def test_the_context_may_say_what_is_expected(expected: Any) -> None:
    """As a value or as JSON."""
    judge = JsonMatchJudge(threshold=1)

    assert evaluate(judge, JudgmentContext(output='{"a": 1}', expected=expected)).passed
    assert evaluate(judge, JudgmentContext(output="{}")).code is ReasonCode.MISSING_INPUT
    unreadable = evaluate(judge, JudgmentContext(output="{}", expected="{"))
    assert unreadable.code is ReasonCode.MALFORMED_EVIDENCE


@pytest.mark.parametrize(
    "options",
    [
        {"threshold": 2},
        {"missing": "fail"},
        {"extra": "fail"},
        {"arrays": "sorted"},
        {"case": "lower"},
        {"weights": {"a": 1}},
        {"tolerance": {"/a": -1}},
        {"expected": "{"},
        {"expected": float("nan")},
    ],
)
def test_options_that_mean_nothing_are_refused(options: Any) -> None:
    """When the judge is built."""
    with pytest.raises(ArgumentError):
        JsonMatchJudge(**{**SOUND, **options})


@pytest.mark.parametrize("options", [{"expected": {1}}, {"weights": [1]}, {"threshold": "1"}])
def test_options_of_other_types_are_refused(options: Any) -> None:
    """A weight belongs to a pointer."""
    with pytest.raises(ArgumentTypeError):
        JsonMatchJudge(**{**SOUND, **options})


def test_too_much_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither too many fields, nor too many pairs of elements."""
    monkeypatch.setattr(json_match, "LIMIT", 3)
    monkeypatch.setattr(fields, "MAX_PAIRS", 3)

    assert judged([1], [1, 2, 3, 4]).code is ReasonCode.TOO_LARGE
    assert judged([1, 2], [1, 2], arrays="unordered").code is ReasonCode.TOO_LARGE
