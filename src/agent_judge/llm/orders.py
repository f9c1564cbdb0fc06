"""Orders in which to ask, so that no question always comes first.

Models favour what stands at certain places of a list. The orders are those of Williams (1949): over
all of them each item stands at each place equally often, and comes right after each other item
equally often, so that what a place adds or takes away cancels out.
"""

from __future__ import annotations


def orders_of(count: int) -> int:
    """How many orders make a balanced set: `count` where it is even, twice that where it is odd."""
    return count if count % 2 == 0 else 2 * count


def balanced_order(count: int, number: int) -> tuple[int, ...]:
    """One of the balanced orders of so many items.

    Any two neighbouring numbers, the first of them even, give an order and its reverse.

    Args:
        count: How many items there are, from 1 up.
        number: Which order; numbers count on from the last one to the first.

    Example:
        >>> [balanced_order(4, number) for number in range(4)]
        [(0, 1, 3, 2), (2, 3, 1, 0), (1, 2, 0, 3), (3, 0, 2, 1)]
    """
    half = orders_of(count) // 2
    number %= 2 * half
    shift, reverse = divmod(number, 2)
    row = [(item + shift) % count for item in _zigzag(count)]
    return tuple(reversed(row)) if reverse else tuple(row)


def _zigzag(count: int) -> list[int]:
    """`0, 1, n-1, 2, n-2, …`: all steps between neighbours differ."""
    return [(step + 1) // 2 if step % 2 else (count - step // 2) % count for step in range(count)]
