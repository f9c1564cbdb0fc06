from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.errors import ArgumentError
from agent_judge.jury.keys import seat_keys
from agent_judge.jury.verdict import KeySource
from agent_judge.protocol import MAX_NAME, NAMELESS, JudgeMetadata, check_name

EXPLICIT, DERIVED, POSITIONAL = KeySource.EXPLICIT, KeySource.DERIVED, KeySource.POSITIONAL


def derived(name: str) -> JudgeMetadata:
    """A judge whose name comes from its code."""
    return JudgeMetadata(name)


def chosen(name: str) -> JudgeMetadata:
    """A judge whose name a person chose."""
    return JudgeMetadata(name, explicit=True)


NOBODY = derived(NAMELESS)


@pytest.mark.parametrize(
    ("known", "keys"),
    [
        ([chosen("a"), derived("b")], [("a", EXPLICIT), ("b", DERIVED)]),
        ([NOBODY, NOBODY], [("judge-1", POSITIONAL), ("judge-2", POSITIONAL)]),
        ([derived("a"), NOBODY], [("a", DERIVED), ("judge-2", POSITIONAL)]),
    ],
)
def test_a_key_comes_from_a_person_the_code_or_the_place(
    known: list[JudgeMetadata], keys: list[tuple[str, KeySource]]
) -> None:
    """In that order of preference. (contract: core:J2)"""
    assert list(seat_keys(known)) == keys


def test_derived_names_that_repeat_are_numbered_in_order() -> None:
    """All of them, so that no first one is special. (contract: core:J6, cases:D1)"""
    known = [derived("a"), derived("b"), derived("a"), derived("a")]

    assert [key for key, _ in seat_keys(known)] == ["a-1", "b", "a-2", "a-3"]


def test_a_number_that_is_taken_is_left_out() -> None:
    """A key that somebody has anyway is not given twice. (contract: core:J6)"""
    known = [derived("a"), derived("a-1"), derived("a")]

    assert [key for key, _ in seat_keys(known)] == ["a-2", "a-1", "a-3"]


@pytest.mark.parametrize("other", [derived("judge-1"), NOBODY])
def test_a_name_that_a_person_chose_stays(other: JudgeMetadata) -> None:
    """Weights and reports refer to it; the other one is numbered. (contract: core:J6)"""
    keys = [key for key, _ in seat_keys([other, chosen("judge-1")])]

    assert keys == ["judge-1-1", "judge-1"]


def test_two_equal_names_that_people_chose_are_refused() -> None:
    """One of them is a mistake. (contract: core:J6)"""
    with pytest.raises(ArgumentError, match="two judges are named 'a'"):
        seat_keys([chosen("a"), chosen("b"), chosen("a")])


def test_equal_names_are_numbered_on_demand() -> None:
    """With `dedupe`, chosen ones too. (contract: core:J6)"""
    known = [chosen("a"), chosen("b"), chosen("a")]

    assert [key for key, _ in seat_keys(known, dedupe=True)] == ["a-1", "b", "a-2"]


def test_the_number_of_a_long_name_fits_into_it() -> None:
    """A key is a name like any other. (contract: core:J6, core:R24)"""
    long = derived("x" * MAX_NAME)

    keys = [key for key, _ in seat_keys([long] * 11)]

    assert keys[0] == "x" * (MAX_NAME - 2) + "-1"
    assert keys[-1] == "x" * (MAX_NAME - 3) + "-11"


NAMES = st.sampled_from(["a", "b", "a-1", "a-2", "a-1-1", "judge-1", NAMELESS, "x" * MAX_NAME])
METADATA = st.builds(JudgeMetadata, NAMES, explicit=st.booleans())


@given(st.lists(METADATA, min_size=1, max_size=12))
def test_every_judge_has_a_key_of_its_own(known: list[JudgeMetadata]) -> None:
    """There is never one seat fewer than judges, whatever they are called. (contract: core:J6)"""
    keys = [key for key, _ in seat_keys(known, dedupe=True)]

    assert len(set(keys)) == len(known)
    for key in keys:
        check_name(key)
