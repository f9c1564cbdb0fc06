"""Comparing JSON values: numbers by value, `true` as no number, objects without order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, TypeAlias, TypeGuard, cast

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import Json
from agent_judge.judges.text.numerals import exact
from agent_judge.judges.tools.arguments import canonical

Object: TypeAlias = Mapping[str, Any]
Array: TypeAlias = Sequence[Any]


def same(found: object, expected: object, tolerance: float = 0.0) -> bool:
    """Whether two values are the same, two numbers if they are at most so far apart."""
    if is_number(found) and is_number(expected):
        return near(found, expected, tolerance)
    return canonical(cast("Json", found)) == canonical(cast("Json", expected))


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a JSON number."""
    return type(value) is int or type(value) is float


def is_object(value: object) -> TypeGuard[Object]:
    """Whether a value is a JSON object."""
    return isinstance(value, Mapping)


def is_array(value: object) -> TypeGuard[Array]:
    """Whether a value is a JSON array."""
    return isinstance(value, list | tuple)


def near(found: float, expected: float, tolerance: float) -> bool:
    """Whether two numbers, as they are written, are at most so far apart."""
    if found == expected:
        return True
    finite = isfinite(found) and isfinite(expected)
    return finite and tolerance > 0 and abs(exact(found) - exact(expected)) <= exact(tolerance)


def check_tolerance(tolerance: object, name: str) -> float:
    """Refuse what is no distance between numbers.

    Raises:
        ArgumentTypeError: It is not a number.
        ArgumentError: It is negative or not finite.
    """
    if not is_number(tolerance):
        raise ArgumentTypeError(f"{name} must be a number, not {tolerance!r}")
    if not 0 <= tolerance < float("inf"):
        raise ArgumentError(f"{name} must be finite and not negative, got {tolerance}")
    return tolerance
