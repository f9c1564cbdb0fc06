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


class Arguments:
    """The arguments of one call, with a form of each that can be compared fast."""

    __slots__ = ("forms", "values")

    def __init__(self, values: Mapping[str, Json]) -> None:
        self.values = values
        self.forms = {name: canonical(value) for name, value in values.items()}

    def distance(self, other: Arguments) -> int:
        """How many arguments only one of them has, or has with another value."""
        return len({name for name, _ in self.forms.items() ^ other.forms.items()})


class Difference(Enum):
    """How one argument is not as expected."""

    MISSING = "missing"
    UNEXPECTED = "unexpected"
    VALUE = "value"


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

    def agrees(self, expected: Arguments, given: Arguments) -> bool:
        """Whether arguments are as expected."""
        if self.mode is ArgumentsMode.EXACT and not self.tolerance and not self.comparators:
            return expected.forms == given.forms
        names = {**expected.forms, **given.forms}
        return all(self._difference(name, expected, given) is None for name in names)

    def differences(self, expected: Arguments, given: Arguments) -> list[str]:
        """What is not as expected, each as a message may say it."""
        found: list[str] = []
        for name in {**expected.forms, **given.forms}:
            match self._difference(name, expected, given):
                case None:
                    pass
                case Difference.MISSING:
                    found.append(f"{shown_name(name)} is missing")
                case Difference.UNEXPECTED:
                    found.append(f"{shown_name(name)} is not expected")
                case Difference.VALUE:
                    value, wanted = given.values[name], expected.values[name]
                    text = f"is {shown_value(value)}, expected {shown_value(wanted)}"
                    found.append(f"{shown_name(name)} {text}")
        return found

    def _difference(self, name: str, expected: Arguments, given: Arguments) -> Difference | None:
        if name not in given.forms:
            return None if self.mode in _MAY_LACK else Difference.MISSING
        if name not in expected.forms:
            return None if self.mode in _MAY_ADD else Difference.UNEXPECTED
        if self.mode is ArgumentsMode.IGNORE or self._same(name, expected, given):
            return None
        return Difference.VALUE

    def _same(self, name: str, expected: Arguments, given: Arguments) -> bool:
        wanted, value = expected.values[name], given.values[name]
        if name in self.comparators:
            return self.comparators[name](wanted, value)
        tolerance = self.tolerance.get(name)
        if tolerance is not None and _is_number(wanted) and _is_number(value):
            return abs(cast("float", wanted) - cast("float", value)) <= tolerance
        return expected.forms[name] == given.forms[name]


_MAY_LACK: Final = (ArgumentsMode.SUBSET, ArgumentsMode.IGNORE)
_MAY_ADD: Final = (ArgumentsMode.SUPERSET, ArgumentsMode.IGNORE)


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
