"""Comparing the arguments of a call with the expected ones."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import isfinite
from typing import Any, Final, TypeAlias, cast

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import EMPTY, FrozenMap, Json
from agent_judge.judges.tools.record import shown_name, shown_value

Comparator: TypeAlias = Callable[[Json, Json], bool]
"""Whether an argument, given second, is as good as the expected one, given first."""

_ABSENT: Final = object()


class ArgumentsMode(Enum):
    """How the arguments that were given must relate to the expected ones.

    As with the modes of matching calls, the word says what the given ones are of the expected.
    """

    EXACT = "exact"
    SUBSET = "subset"
    SUPERSET = "superset"
    IGNORE = "ignore"


def canonical(value: Json) -> Hashable:
    """A form of a JSON value that equals another's when the values are the same.

    `1` and `1.0` are the same number; `true` is no number. The order of keys does not count.
    """
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, Mapping):
        return ("map", frozenset((key, canonical(item)) for key, item in value.items()))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ("list", tuple(canonical(item) for item in value))
    return value


@dataclass(frozen=True, slots=True)
class ArgumentsComparison:
    """How arguments are compared, each by its name at the top level.

    Args:
        mode: Whether arguments may be missing or come in addition.
        tolerance: How far a number may be from the expected one, by the argument's name.
        comparators: Functions that decide instead, by the argument's name.

    Raises:
        ArgumentError: A negative tolerance, or an argument with both.
        ArgumentTypeError: A value of the wrong type.
    """

    mode: ArgumentsMode = ArgumentsMode.EXACT
    tolerance: Mapping[str, float] = EMPTY
    comparators: Mapping[str, Comparator] = EMPTY

    def __post_init__(self) -> None:
        object.__setattr__(self, "tolerance", _check_tolerance(self.tolerance))
        object.__setattr__(self, "comparators", _check_comparators(self.comparators))
        both = sorted(self.tolerance.keys() & self.comparators.keys())
        if both:
            raise ArgumentError(f"{both[0]!r} has both a tolerance and a comparator; give one")

    def agrees(self, expected: Mapping[str, Json], given: Mapping[str, Json]) -> bool:
        """Whether arguments are as expected."""
        return not self.differences(expected, given)

    def differences(self, expected: Mapping[str, Json], given: Mapping[str, Json]) -> list[str]:
        """What is not as expected, each as a message may say it."""
        return [
            difference
            for name in {**expected, **given}
            if (difference := self._difference(name, expected, given)) is not None
        ]

    def _difference(
        self, name: str, expected: Mapping[str, Json], given: Mapping[str, Json]
    ) -> str | None:
        if name not in given:
            return None if self._may_lack() else f"{shown_name(name)} is missing"
        if name not in expected:
            return None if self._may_add() else f"{shown_name(name)} is not expected"
        if self.mode is ArgumentsMode.IGNORE or self._same(name, expected[name], given[name]):
            return None
        found, wanted = shown_value(given[name]), shown_value(expected[name])
        return f"{shown_name(name)} is {found}, expected {wanted}"

    def _may_lack(self) -> bool:
        return self.mode in (ArgumentsMode.SUBSET, ArgumentsMode.IGNORE)

    def _may_add(self) -> bool:
        return self.mode in (ArgumentsMode.SUPERSET, ArgumentsMode.IGNORE)

    def _same(self, name: str, expected: Json, given: Json) -> bool:
        if name in self.comparators:
            return self.comparators[name](expected, given)
        tolerance = self.tolerance.get(name)
        if tolerance is not None and _is_number(expected) and _is_number(given):
            return abs(cast("float", expected) - cast("float", given)) <= tolerance
        return canonical(expected) == canonical(given)


def _is_number(value: object) -> bool:
    return type(value) is int or type(value) is float


def _check_tolerance(tolerance: object) -> FrozenMap[float]:
    for name, distance in _named(tolerance, "tolerance").items():
        if not _is_number(distance):
            raise ArgumentTypeError(f"tolerance of {name!r} must be a number, not {distance!r}")
        if not isfinite(distance) or distance < 0:
            raise ArgumentError(f"tolerance of {name!r} must not be negative, got {distance}")
    return FrozenMap(cast("Mapping[str, float]", tolerance))


def _check_comparators(comparators: object) -> FrozenMap[Comparator]:
    for name, comparator in _named(comparators, "comparators").items():
        if not callable(comparator):
            raise ArgumentTypeError(
                f"comparator of {name!r} must be a function, not {comparator!r}"
            )
    return FrozenMap(cast("Mapping[str, Comparator]", comparators))


def _named(mapping: object, what: str) -> Mapping[str, Any]:
    if not isinstance(mapping, Mapping):
        raise ArgumentTypeError(f"{what} must map names of arguments, not be {mapping!r}")
    return cast("Mapping[str, Any]", mapping)


def parse_arguments_mode(mode: object) -> ArgumentsMode:
    """Read how arguments are compared.

    Raises:
        ArgumentError: There is no such way.
    """
    try:
        return ArgumentsMode(mode)
    except ValueError:
        known = ", ".join(repr(member.value) for member in ArgumentsMode)
        raise ArgumentError(f"arguments must be one of {known}, not {mode!r}") from None
