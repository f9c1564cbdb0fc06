"""Feedback within a limit: long texts lose their middle, then whole points are left out."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from agent_judge.coordination.formatting.points import Points
from agent_judge.errors import ArgumentError

LEAST: Final = 1_000
"""The lowest limit: what is always told fits into it in every style."""

_LENGTHS: Final = (4_000, 1_500, 600, 250)
"""How long texts may be, tried one after the other."""

_KINDS: Final = ("passing", "suggestions", "failures")
"""What is left out, the first that can be missed first."""

_SHORTEST: Final = 60


def check_limit(limit: object) -> None:
    """Refuse a limit into which not even the outcome fits.

    Raises:
        ArgumentError: It is not a whole number from `LEAST` up.
    """
    if type(limit) is not int or limit < LEAST:
        raise ArgumentError(
            f"limit must be a whole number of bytes from {LEAST:,} up, not {limit!r:.120}"
        )


def fit(points: Points, limit: int, write: Callable[[Points], str]) -> str:
    """Write down as much as fits.

    Args:
        points: What there is to tell.
        limit: Bytes of UTF-8.
        write: Writes it in a style.
    """

    def fits(points: Points) -> bool:
        return len(write(points).encode()) <= limit

    if fits(points):
        return write(points)
    told = points
    for length in _LENGTHS:
        told = _shortened(points, length)
        if fits(told):
            return write(told)
    for kind in _KINDS:
        told = _fewer(told, kind, fits)
        if fits(told):
            return write(told)
    return write(_shortened(told, _SHORTEST))


def _fewer(points: Points, kind: str, fits: Callable[[Points], bool]) -> Points:
    """With as many of a kind as fit, or none."""
    count = len(getattr(points, kind))
    too_many = bisect_left(range(count + 1), True, key=lambda n: not fits(points.first(kind, n)))
    return points.first(kind, max(0, too_many - 1))


def _shortened(points: Points, length: int) -> Points:
    """With no text longer than about that many characters; places stay whole."""

    def short(text: str) -> str:
        return shorten(text, length)

    return replace(
        points,
        reason=short(points.reason),
        failures=tuple(
            replace(
                one,
                criterion=short(one.criterion),
                message=short(one.message),
                judge=short(one.judge),
            )
            for one in points.failures
        ),
        suggestions=tuple(replace(one, text=short(one.text)) for one in points.suggestions),
        passing=tuple(map(short, points.passing)),
    )


def shorten(text: str, length: int) -> str:
    """A text without its middle, where it is longer than that: output ends with what matters.

    Example:
        >>> shorten("0123456789" * 10, 30)
        '01234567890123456789… [70 characters left out] …0123456789'
    """
    if len(text) <= length:
        return text
    tail = length // 3
    head = length - tail
    return f"{text[:head]}… [{len(text) - length:,} characters left out] …{text[-tail:]}"
