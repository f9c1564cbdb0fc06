from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.rag.shares import MOST_OPEN, average_precision, share

DEGREES = st.lists(st.sampled_from([0.0, 1.0, None]), min_size=1, max_size=8)


@given(DEGREES)
def test_the_bounds_hold_whatever_an_open_piece_is(degrees: list[float | None]) -> None:
    """Each way to settle the open pieces gives a score between them."""
    for score in (share, average_precision):
        bounds = score(degrees)
        settled = [
            score([guesses.get(at, degree) for at, degree in enumerate(degrees)]).low
            for guesses in ways(degrees)
        ]

        assert min(settled) == pytest.approx(bounds.low)
        assert max(settled) == pytest.approx(bounds.high)
        assert 0 <= bounds.low <= bounds.high <= 1


def ways(degrees: list[float | None]) -> list[dict[int, float | None]]:
    """Every way to settle the open pieces."""
    unknown = [at for at, degree in enumerate(degrees) if degree is None]
    return [
        dict(zip(unknown, guess, strict=True)) for guess in product((0.0, 1.0), repeat=len(unknown))
    ]


@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=20))
def test_without_open_pieces_the_score_is_exact(degrees: list[float | None]) -> None:
    """Its bounds are one number."""
    assert share(degrees).exact
    assert average_precision(degrees).exact


def test_with_many_open_ranks_nothing_is_known() -> None:
    """They are not tried one by one."""
    bounds = average_precision([None] * (MOST_OPEN + 1))

    assert (bounds.low, bounds.high) == (0.0, 1.0)
