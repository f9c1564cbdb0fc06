from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.llm.stopping import chance_of_majority

COUNTS = st.integers(0, 12)


def by_urn(leading: int, others: int, remaining: int) -> Fraction:
    """The same chance by Pólya's urn: each sample makes another one like it more probable."""
    chance = Fraction(0)
    for future in product((True, False), repeat=remaining):
        agreeing, disagreeing, path = leading, others, Fraction(1)
        for agrees in future:
            share = Fraction(agreeing + 1, agreeing + disagreeing + 2)
            path *= share if agrees else 1 - share
            agreeing += agrees
            disagreeing += not agrees
        if 2 * agreeing > agreeing + disagreeing:
            chance += path
    return chance


@pytest.mark.parametrize("counts", list(product(range(4), range(4), range(6))))
def test_the_chance_is_that_of_an_urn(counts: tuple[int, int, int]) -> None:
    """An independent way to the beta-binomial distribution with a uniform prior."""
    assert chance_of_majority(*counts) == float(by_urn(*counts))


@given(COUNTS, COUNTS)
def test_with_nothing_left_to_ask_it_is_certain(leading: int, others: int) -> None:
    """One way or the other."""
    assert chance_of_majority(leading, others, 0) == float(leading > others)


@given(COUNTS, COUNTS, COUNTS)
def test_another_one_that_agrees_never_lowers_it(leading: int, others: int, remaining: int) -> None:
    """And it is a probability."""
    before = chance_of_majority(leading, others, remaining + 1)
    agreed = chance_of_majority(leading + 1, others, remaining)
    differed = chance_of_majority(leading, others + 1, remaining)

    assert 0 <= differed <= before <= agreed <= 1


@given(COUNTS, COUNTS, COUNTS)
def test_above_one_half_what_leads_already_has_the_majority(
    leading: int, others: int, remaining: int
) -> None:
    """So whoever stops there stops with a finding."""
    if chance_of_majority(leading, others, remaining) > 0.5:
        assert leading > others or leading + others == 0


def test_many_samples_are_counted_exactly() -> None:
    """No rounding, no overflow."""
    assert chance_of_majority(300, 200, 500) == pytest.approx(0.9997, abs=0.0005)
