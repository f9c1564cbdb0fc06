from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.judges.tools.matching import Pair, align, assign

tables = st.integers(0, 5).flatmap(
    lambda columns: st.lists(
        st.lists(st.booleans(), min_size=columns, max_size=columns), max_size=5
    )
)


def best_in_any_order(table: list[list[bool]]) -> int:
    """By trying every way to give columns to rows."""
    rows, columns = len(table), len(table[0]) if table else 0
    padded: list[int] = [*range(columns), *[-1] * rows]
    return max(
        sum(int(column >= 0 and table[row][column]) for row, column in enumerate(given))
        for given in permutations(padded, rows)
    )


def best_in_order(table: list[list[bool]]) -> int:
    """By trying every choice of pairs, the largest first."""
    pairs = [
        (row, column)
        for row, agrees in enumerate(table)
        for column, agree in enumerate(agrees)
        if agree
    ]
    for size in range(min(len(table), len(table[0]) if table else 0), 0, -1):
        for chosen in combinations(pairs, size):
            if all(a < c and b < d for (a, b), (c, d) in pairwise(chosen)):
                return size
    return 0


@given(tables)
def test_an_assignment_has_as_many_pairs_as_can_be(table: list[list[bool]]) -> None:
    """No other one has more."""
    assert len(assign(table)) == best_in_any_order(table)


@given(tables)
def test_an_alignment_has_as_many_pairs_as_can_be(table: list[list[bool]]) -> None:
    """No other one in order has more."""
    assert len(align(table)) == best_in_order(table)


@pytest.mark.parametrize("match", [assign, align])
@given(table=tables)
def test_pairs_agree_and_share_no_row_and_no_column(
    match: Callable[[list[list[bool]]], tuple[Pair, ...]], table: list[list[bool]]
) -> None:
    """They are sorted by row."""
    pairs = match(table)

    assert all(table[row][column] for row, column in pairs)
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs)
    assert list(pairs) == sorted(pairs)


def test_rows_give_their_columns_up_along_a_long_way() -> None:
    """Each row could have two columns; only all of them moving on lets the last one in."""
    size = 60
    table = [[column in (row, row + 1) for column in range(size)] for row in range(size - 1)]
    table.append([column == 0 for column in range(size)])

    assert len(assign(table)) == size
