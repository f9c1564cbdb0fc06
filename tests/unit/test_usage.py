from __future__ import annotations

import math
from dataclasses import fields

import pytest

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.usage import Usage

COUNTS = [field.name for field in fields(Usage) if field.name != "cost"]


@pytest.mark.parametrize("field", COUNTS)
def test_a_count_is_a_whole_number_from_zero_up(field: str) -> None:
    """Nobody reads half a token or a negative one."""
    assert getattr(Usage(**{field: 0}), field) == 0
    with pytest.raises(ArgumentError, match=f"usage.{field} must not be negative"):
        Usage(**{field: -1})
    for value in (1.0, True, "1"):
        with pytest.raises(ArgumentTypeError, match=f"usage.{field} must be a whole number"):
            Usage(**{field: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("cost", [-0.01, math.nan, math.inf])
def test_a_cost_is_finite_and_not_negative(cost: float) -> None:
    """A price that is unknown is left out, not written as NaN."""
    with pytest.raises(ArgumentError, match=r"usage\.cost must be finite"):
        Usage(cost=cost)


def test_a_cost_is_a_number() -> None:
    """A price is not read out of a string."""
    with pytest.raises(ArgumentTypeError, match=r"usage\.cost must be a number"):
        Usage(cost="1")  # type: ignore[arg-type]


def test_what_everybody_reported_is_added_up() -> None:
    """The sum holds each amount by itself. (contract: core:K13)"""
    total = Usage.total([Usage(input_tokens=1, calls=1, cost=0.5), Usage(input_tokens=2, calls=3)])

    assert total == Usage(input_tokens=3, calls=4)


def test_what_one_did_not_report_is_unknown_in_the_sum() -> None:
    """A sum over what is known would understate it. (contract: core:K13)"""
    assert Usage.total([Usage(input_tokens=1), Usage()]).input_tokens is None


def test_the_sum_of_nothing_is_unknown() -> None:
    """Where nobody reported, nothing is known; it is not zero."""
    assert Usage.total([]) == Usage()


@pytest.mark.parametrize("most", [Usage(calls=2**53 - 1), Usage(cost=1.7e308)])
def test_a_sum_too_large_to_be_kept_is_unknown(most: Usage) -> None:
    """What judges claim to have consumed never stops a vote."""
    assert Usage.total([most, most]) == Usage()


def test_a_count_beyond_what_json_keeps_is_refused() -> None:
    """It would come back as another one."""
    with pytest.raises(ArgumentError, match=r"usage\.calls"):
        Usage(calls=2**53)
