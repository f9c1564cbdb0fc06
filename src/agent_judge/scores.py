"""The three kinds of score, a closed union, and the one function that reads them all.

Example:
    >>> normalize(NumericalScore(82, low=0, high=100))
    0.82
    >>> normalize(CategoricalScore("good", ("good", "poor"))) is None
    True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Final, TypeAlias, assert_never

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import EMPTY, FrozenMap, check_text, fits_json


@dataclass(frozen=True, slots=True)
class BooleanScore:
    """Yes or no.

    Raises:
        ArgumentTypeError: The value is not a `bool`.
    """

    value: bool

    def __post_init__(self) -> None:
        if type(self.value) is not bool:
            raise ArgumentTypeError(f"a BooleanScore is True or False, not {self.value!r}")


@dataclass(frozen=True, slots=True)
class NumericalScore:
    """A number between two bounds, both included; the raw value and its scale are kept.

    Raises:
        ArgumentTypeError: A value that is not a number.
        ArgumentError: A value outside its bounds or not finite, or bounds that span nothing.
    """

    value: float
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        value, low, high = self.value, self.low, self.high
        if not (_is_number(value) and _is_number(low) and _is_number(high)):
            raise ArgumentTypeError(
                f"a NumericalScore takes numbers, not value={value!r}, low={low!r}, high={high!r}"
            )
        if not (fits_json(low) and fits_json(high) and low < high):
            raise ArgumentError(f"score bounds must be finite and low < high, not {low}..{high}")
        if not low <= value <= high:
            raise ArgumentError(f"a score of {value} lies outside its bounds {low}..{high}")
        if not fits_json(value):
            raise ArgumentError(f"a score of {value} is an integer beyond ±(2**53 - 1)")


@dataclass(frozen=True, slots=True)
class CategoricalScore:
    """One of a set of declared categories, each with an optional number in 0..1.

    Args:
        value: The category that was chosen.
        categories: All that could have been chosen, in their order.
        numbers: What some or all of the categories are worth; one without a number has no
            normal form.

    Raises:
        ArgumentTypeError: A category that is not a string, a number that is not one.
        ArgumentError: A blank, repeated or undeclared category, a number outside 0..1.
    """

    value: str
    categories: tuple[str, ...]
    numbers: Mapping[str, float] = EMPTY

    def __post_init__(self) -> None:
        if isinstance(self.categories, str):
            raise ArgumentTypeError("categories must be a sequence of strings, not one string")
        object.__setattr__(self, "categories", tuple(self.categories))
        object.__setattr__(self, "numbers", FrozenMap(self.numbers))
        self._check_categories()
        self._check_numbers()

    def _check_categories(self) -> None:
        for category in self.categories:
            check_text(category, "a category")
            if not category.strip():
                raise ArgumentError("a category must not be blank")
        if len(set(self.categories)) != len(self.categories):
            raise ArgumentError(f"categories repeat: {', '.join(self.categories)}")
        if self.value not in self.categories:
            raise ArgumentError(
                f"category {self.value!r} is not declared; declared are {self.categories}"
            )

    def _check_numbers(self) -> None:
        for category, number in self.numbers.items():
            if category not in self.categories:
                raise ArgumentError(f"numbers names {category!r}, which is not a category")
            if not _is_number(number):
                raise ArgumentTypeError(f"the number of {category!r} is {number!r}, not a number")
            if not 0 <= number <= 1:
                raise ArgumentError(f"the number of {category!r} is {number}, outside 0..1")


Score: TypeAlias = BooleanScore | NumericalScore | CategoricalScore


def normalize(score: Score) -> float | None:
    """Map a score to the unit interval.

    A category without a declared number has none: the answer is `None`, never a made-up zero.
    """
    match score:
        case BooleanScore(value):
            return 1.0 if value else 0.0
        case NumericalScore(value, low, high):
            return _position(value, low, high)
        case CategoricalScore(value, numbers=numbers):
            return numbers.get(value)
        case _:
            assert_never(score)


ROUNDING: Final = 1e-12
"""More than binary fractions take from the mean of decimal scores, less than anybody means."""


def reaches(value: float, threshold: float) -> bool:
    """Whether a score in 0..1 reaches a pass mark; one that equals it on paper does.

    Example:
        >>> sum([0.7, 0.7, 0.7]) / 3 >= 0.7, reaches(sum([0.7, 0.7, 0.7]) / 3, 0.7)
        (False, True)
    """
    return value >= threshold - ROUNDING


def _position(value: float, low: float, high: float) -> float:
    """Where a value lies between its bounds, halved first where their distance overflows."""
    span = high - low
    if isfinite(span):
        return (value - low) / span
    return (value / 2 - low / 2) / (high / 2 - low / 2)


def _is_number(value: object) -> bool:
    kind = type(value)
    return kind is float or kind is int
