from __future__ import annotations

from typing import Any

import pytest

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.llm import Criterion, Scale
from agent_judge.llm.criteria import as_criteria, digest_of

PLAIN: dict[str, Any] = {"name": "tests", "description": "It has tests."}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": ""}, "is empty"),
        ({"description": " \n"}, "description of criterion 'tests' must not be blank"),
        ({"applies_when": ""}, "applies_when of criterion 'tests' must not be blank"),
        ({"weight": 0}, "weighs nothing; make it a gate"),
        ({"weight": float("nan")}, "must lie in"),
        ({"weight": float("inf")}, "must lie in"),
        ({"weight": -2_000_000}, "must lie in"),
        ({"threshold": 0.5}, "a threshold but no scale"),
        ({"scale": Scale(1, 5), "threshold": 1.5}, "must lie in 0..1"),
        ({"scale": Scale(1, 5), "gate": True}, "a gate with a scale; give the threshold"),
        ({"scale": Scale(0, 2**60)}, "bounds must be finite"),
    ],
)
def test_a_criterion_that_cannot_be_meant_is_refused(changes: dict[str, Any], said: str) -> None:
    """Each message names the criterion or the value."""
    with pytest.raises(ArgumentError, match=said):
        Criterion(**{**PLAIN, **changes})


@pytest.mark.parametrize(
    "changes",
    [
        {"name": 1},
        {"description": None},
        {"weight": True},
        {"weight": "2"},
        {"gate": 1},
        {"scale": (1, 5)},
        {"applies_when": 3},
        {"scale": Scale(), "threshold": "high"},
    ],
)
def test_a_value_of_the_wrong_type_is_refused(changes: dict[str, Any]) -> None:
    """A number is no truth value, and a text no number."""
    with pytest.raises(ArgumentTypeError):
        Criterion(**{**PLAIN, **changes})


def test_a_gate_may_weigh_nothing() -> None:
    """It decides without counting."""
    assert Criterion(**PLAIN, weight=0, gate=True).weight == 0


@pytest.mark.parametrize("scale", [[1, 5], {"low": 1, "high": 5}, Scale(1, 5), None])
def test_a_table_is_a_criterion(scale: object) -> None:
    """As configuration writes it."""
    (criterion,) = as_criteria([{**PLAIN, "weight": 2, "scale": scale}])

    assert criterion == Criterion("tests", "It has tests.", 2, scale=scale and Scale(1, 5))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "there must be 1 to 500 criteria, got 0"),
        ([{**PLAIN, "wieght": 2}], r"criteria\[0\] has the key 'wieght'; known are name, "),
        ([{"name": "tests"}], r"criteria\[0\] needs the key 'description'"),
        ([{**PLAIN, "scale": [1]}], r"criteria\[0\].scale must be a list of two bounds"),
        ([{**PLAIN, "scale": {"low": 1, "high": 2, "by": 1}}], "a list of two bounds"),
        ([{**PLAIN, "scale": [5, 1]}], "low < high"),
        ([PLAIN, {**PLAIN, "name": "Tests"}], "two criteria have the name 'Tests'"),
    ],
)
def test_tables_that_are_no_criteria_are_refused(given: Any, said: str) -> None:
    """With the place of the fault."""
    with pytest.raises(ArgumentError, match=said):
        as_criteria(given)


@pytest.mark.parametrize("given", ["tests", PLAIN, None, ["tests"], [None]])
def test_what_is_no_sequence_of_criteria_is_refused(given: Any) -> None:
    """A text is not taken apart, and one table is not a list."""
    with pytest.raises(ArgumentTypeError):
        as_criteria(given)


def test_the_digest_is_that_of_the_content() -> None:
    """The same criteria, however they are written, have the same."""
    code = digest_of([Criterion(**PLAIN, weight=2.0, scale=Scale(1.0, 5.0))])
    table = digest_of(as_criteria([{**PLAIN, "weight": 2, "scale": [1, 5]}]))

    assert code == table


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "test"},
        {"description": "It has tests"},
        {"weight": 1.5},
        {"gate": True},
        {"applies_when": "There is code."},
        {"scale": Scale()},
    ],
)
def test_any_change_of_a_criterion_changes_the_digest(changes: dict[str, Any]) -> None:
    """So that no reply to another rubric is found. (contract: judges:P20)"""
    changed = digest_of([Criterion(**{**PLAIN, **changes})])

    assert changed != digest_of([Criterion(**PLAIN)])
    assert digest_of([Criterion(**PLAIN, scale=Scale(), threshold=0.5)]) != changed
