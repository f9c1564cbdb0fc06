"""Comparing a JSON value with the expected one, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from agent_judge.context import MISSING
from agent_judge.judges.data.pointers import Place, PlaceNumbers
from agent_judge.judges.data.reading import shown_json
from agent_judge.judges.data.values import Array, Object, is_array, is_number, is_object, near
from agent_judge.judges.text.form import TextForm
from agent_judge.judges.text.reading import kind_of
from agent_judge.judges.tools.matching import assign

MAX_PAIRS: Final = 10_000
"""Pairs of elements that are compared to find those that belong together."""


class TooManyError(Exception):
    """There is too much to compare; the message says of what."""


class Finding(Enum):
    """What a field is."""

    MATCHES = "matches"
    DIFFERS = "differs"
    MISSING = "missing"
    EXTRA = "extra"


@dataclass(frozen=True, slots=True)
class Field:
    """One end of a branch of the expected value, or a key or element beyond it.

    Attributes:
        place: Where it is.
        finding: What it is.
        message: What was found.
    """

    place: Place
    finding: Finding
    message: str


@dataclass(frozen=True, slots=True)
class FieldComparison:
    """How fields are compared.

    Args:
        form: The form in which strings are compared.
        tolerance: How far numbers may be from the expected ones.
        unordered: Whether elements of arrays may be in any order.
        open: Whether an object or array may hold more than an empty one that is expected.
    """

    form: TextForm
    tolerance: PlaceNumbers
    unordered: bool
    open: bool

    def fields(self, expected: Any, found: Any, place: Place = ()) -> Iterator[Field]:
        """Every field of the expected value, with those that were found beyond it.

        Raises:
            TooManyError: There are too many elements to try all pairs of them.
        """
        if expected and is_object(expected) and is_object(found):
            yield from self._members(expected, found, place)
        elif expected and is_array(expected) and is_array(found):
            yield from self._elements(expected, found, place)
        elif expected and (is_object(expected) or is_array(expected)):
            yield from _lost(expected, found, place)
        else:
            yield self._end(expected, found, place)

    def _members(self, expected: Object, found: Object, place: Place) -> Iterator[Field]:
        for key, value in expected.items():
            yield from self.fields(value, found.get(key, MISSING), (*place, key))
        for key in found:
            if key not in expected:
                yield _extra(found[key], (*place, key))

    def _elements(self, expected: Array, found: Array, place: Place) -> Iterator[Field]:
        partners = self._partners(expected, found, place)
        for index, value in enumerate(expected):
            partner = partners[index]
            other = MISSING if partner is None else found[partner]
            yield from self.fields(value, other, (*place, str(index)))
        for index in sorted(set(range(len(found))) - set(partners)):
            yield _extra(found[index], (*place, str(index)))

    def _partners(self, expected: Array, found: Array, place: Place) -> list[int | None]:
        """For each expected element, the index of the one that it is compared with."""
        partners: dict[int, int] = {}
        if self.unordered:
            if len(expected) * len(found) > MAX_PAIRS:
                raise TooManyError(f"{len(expected)} and {len(found)} elements in any order")
            partners = dict(assign(self._agreement(expected, found, place)))
        taken = set(partners.values())
        free = iter(index for index in range(len(found)) if index not in taken)
        return [
            partners[index] if index in partners else next(free, None)
            for index in range(len(expected))
        ]

    def _agreement(self, expected: Array, found: Array, place: Place) -> list[list[bool]]:
        return [
            [
                all(
                    field.finding is Finding.MATCHES
                    for field in self.fields(value, other, (*place, str(index)))
                )
                for other in found
            ]
            for index, value in enumerate(expected)
        ]

    def _end(self, expected: Any, found: Any, place: Place) -> Field:
        if found is MISSING:
            return Field(place, Finding.MISSING, f"is missing, expected {shown_json(expected)}")
        if self._same(expected, found, place):
            return Field(place, Finding.MATCHES, "is as expected")
        message = f"is {shown_json(found)}, expected {shown_json(expected)}"
        return Field(place, Finding.DIFFERS, message)

    def _same(self, expected: Any, found: Any, place: Place) -> bool:
        if is_number(expected) and is_number(found):
            return near(found, expected, self.tolerance.at(place) or 0.0)
        if isinstance(expected, str) and isinstance(found, str):
            return self.form(expected) == self.form(found)
        if is_object(expected) or is_array(expected):
            alike = is_object(expected) is is_object(found) and is_array(expected) is is_array(
                found
            )
            return alike and (self.open or not found)
        return type(expected) is type(found) and expected == found


def _lost(expected: Any, found: Any, place: Place) -> Iterator[Field]:
    """The fields of an expected object or array, in whose place something else is, or nothing."""
    if expected and is_object(expected):
        for key, value in expected.items():
            yield from _lost(value, found, (*place, key))
    elif expected and is_array(expected):
        for index, value in enumerate(expected):
            yield from _lost(value, found, (*place, str(index)))
    elif found is MISSING:
        yield Field(place, Finding.MISSING, f"is missing, expected {shown_json(expected)}")
    else:
        around = f"is missing: around it is {kind_of(found)}, expected {shown_json(expected)}"
        yield Field(place, Finding.DIFFERS, around)


def _extra(value: Any, place: Place) -> Field:
    return Field(place, Finding.EXTRA, f"is not expected: {shown_json(value)}")
