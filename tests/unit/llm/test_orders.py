from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from agent_judge.llm.orders import balanced_order, orders_of

COUNTS = range(1, 12)


def all_orders(count: int) -> list[tuple[int, ...]]:
    """A whole set of balanced orders."""
    return [balanced_order(count, number) for number in range(orders_of(count))]


@pytest.mark.parametrize("count", COUNTS)
def test_each_item_stands_at_each_place_equally_often(count: int) -> None:
    """What a place adds or takes away cancels out."""
    placed = Counter(place for order in all_orders(count) for place in enumerate(order))

    assert len(placed) == count**2
    assert len(set(placed.values())) == 1


@pytest.mark.parametrize("count", [count for count in COUNTS if count > 1])
def test_each_item_follows_each_other_equally_often(count: int) -> None:
    """So does what the one before it does."""
    pairs = Counter(pair for order in all_orders(count) for pair in pairwise(order))

    assert len(pairs) == count * (count - 1)
    assert len(set(pairs.values())) == 1


@pytest.mark.parametrize("count", COUNTS)
def test_two_neighbours_are_the_reverse_of_each_other(count: int) -> None:
    """Two samples alone already even out which comes first."""
    assert balanced_order(count, 7) == balanced_order(count, 6)[::-1]


@pytest.mark.parametrize("count", COUNTS)
def test_numbers_count_on(count: int) -> None:
    """Any number is an order."""
    assert balanced_order(count, 2**32 * orders_of(count) + 1) == balanced_order(count, 1)
