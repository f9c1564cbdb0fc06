from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import Json
from agent_judge.judges.tools.arguments import (
    Arguments,
    ArgumentsComparison,
    ArgumentsMode,
    canonical,
    parse_arguments_mode,
)

values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-3, 3) | st.text(max_size=2),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("left", "right"),
    [(1, 1.0), ([1, {"a": 2}], [1.0, {"a": 2.0}]), ({"a": 1, "b": 2}, {"b": 2, "a": 1}), (0, -0.0)],
)
def test_values_that_are_the_same(left: Json, right: Json) -> None:
    """A number is a number, and keys have no order. (contract: cases:C5)"""
    assert canonical(left) == canonical(right)
    assert hash(canonical(left)) == hash(canonical(right))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (True, 1),
        (False, 0),
        ([True], [1]),
        ({"a": True}, {"a": 1.0}),
        ("1", 1),
        (None, False),
        ([], {}),
        ([1, 2], [2, 1]),
        ("ab", ["a", "b"]),
        ([["a", 1]], {"a": 1}),
    ],
)
def test_values_that_differ(left: Json, right: Json) -> None:
    """A truth value is no number, whatever Python says. (contract: cases:C5)"""
    assert canonical(left) != canonical(right)


@given(values)
def test_a_value_is_the_same_as_itself(value: Json) -> None:
    """Its form can be compared and hashed."""
    assert canonical(value) == canonical(value)
    assert hash(canonical(value)) == hash(canonical(value))


@pytest.mark.parametrize(
    ("mode", "given_arguments", "agrees"),
    [
        ("exact", {"a": 1, "b": 2}, True),
        ("exact", {"a": 1}, False),
        ("exact", {"a": 1, "b": 2, "c": 3}, False),
        ("subset", {"a": 1}, True),
        ("subset", {}, True),
        ("subset", {"a": 1, "c": 3}, False),
        ("subset", {"a": 9}, False),
        ("superset", {"a": 1, "b": 2, "c": 3}, True),
        ("superset", {"a": 1, "c": 3}, False),
        ("ignore", {"c": 3}, True),
    ],
)
def test_the_mode_says_what_the_given_arguments_are_of_the_expected(
    mode: str, given_arguments: dict[str, Json], agrees: bool
) -> None:
    """As the mode of matching calls does of calls."""
    comparison = ArgumentsComparison(ArgumentsMode(mode))

    assert comparison.agrees(Arguments({"a": 1, "b": 2}), Arguments(given_arguments)) is agrees


@pytest.mark.parametrize(("amount", "agrees"), [(9.5, True), (10.5, True), (10.6, False)])
def test_a_number_may_be_as_far_off_as_its_tolerance(amount: float, agrees: bool) -> None:
    """The bound itself is near enough."""
    comparison = ArgumentsComparison(tolerance={"amount": 0.5})

    assert comparison.agrees(Arguments({"amount": 10}), Arguments({"amount": amount})) is agrees


@pytest.mark.parametrize(("expected", "found"), [(1, True), ("a", "b"), (1, "1"), ([1], [1.1])])
def test_a_tolerance_is_for_numbers_only(expected: Json, found: Json) -> None:
    """Anything else is compared as it is."""
    comparison = ArgumentsComparison(tolerance={"x": 5})

    assert not comparison.agrees(Arguments({"x": expected}), Arguments({"x": found}))


def test_a_comparator_decides_in_the_place_of_equality() -> None:
    """It is given the expected value first."""
    seen: list[tuple[Json, Json]] = []

    def longer(expected: Json, found: Json) -> bool:
        seen.append((expected, found))
        return len(str(found)) > len(str(expected))

    comparison = ArgumentsComparison(comparators={"q": longer})

    assert comparison.agrees(Arguments({"q": "cat"}), Arguments({"q": "cats and dogs"}))
    assert seen == [("cat", "cats and dogs")]


def test_a_comparator_is_not_asked_about_what_is_missing() -> None:
    """There is nothing to compare."""
    comparison = ArgumentsComparison(comparators={"q": lambda _expected, _given: True})

    assert comparison.differences(Arguments({"q": 1}), Arguments({})) == ["q is missing"]


def test_differences_are_said_one_by_one() -> None:
    """What is missing, what is too much, and what has another value."""
    differences = ArgumentsComparison().differences(
        Arguments({"a": 1, "b": "x"}), Arguments({"b": "y", "c": None})
    )

    assert differences == ["a is missing", 'b is "y", expected "x"', "c is not expected"]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"tolerance": {"a": -1}}, ArgumentError),
        ({"tolerance": {"a": float("nan")}}, ArgumentError),
        ({"tolerance": {"a": True}}, ArgumentTypeError),
        ({"tolerance": 1}, ArgumentTypeError),
        ({"comparators": {"a": 1}}, ArgumentTypeError),
        ({"comparators": {"a": max}, "tolerance": {"a": 1}}, ArgumentError),
    ],
)
def test_what_cannot_compare_is_refused(options: dict[str, object], error: type[Exception]) -> None:
    """Refused when it is built."""
    with pytest.raises(error):
        ArgumentsComparison(**options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_an_unknown_mode_is_refused() -> None:
    """The message lists the known ones."""
    with pytest.raises(ArgumentError, match="'superset'"):
        parse_arguments_mode("partial")
