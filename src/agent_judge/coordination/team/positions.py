"""What is held in a debate, and by whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

Position: TypeAlias = Callable[[Any], Any]
"""Reads the position out of what a debater said; equal positions agree."""


def position_of(output: object) -> object:
    """The whole of what was said, in text without regard to case and spacing."""
    return " ".join(output.split()).casefold() if isinstance(output, str) else output


def is_same(one: object, other: object) -> bool:
    """Whether two positions are equal; those that cannot be compared are not."""
    try:
        return bool(one == other)
    except Exception:  # noqa: BLE001 - the comparison is code of whoever made the positions
        return False


def all_same(positions: Sequence[object]) -> bool:
    """Whether several positions are one."""
    return all(is_same(positions[0], other) for other in positions[1:])


def none_changed(before: Sequence[object], now: Sequence[object]) -> bool:
    """Whether everybody holds what they held before."""
    return len(before) == len(now) and all(map(is_same, before, now))


def most_held(positions: Sequence[object]) -> int | None:
    """The index of the first position that more hold than any other; `None` where several tie."""
    counts = [sum(is_same(one, other) for other in positions) for one in positions]
    most = max(counts, default=0)
    leading = [index for index, count in enumerate(counts) if count == most]
    if not leading or not all_same([positions[index] for index in leading]):
        return None
    return leading[0]
