"""Places in JSON values, named by JSON Pointers (RFC 6901)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias, cast

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.data.values import check_tolerance
from agent_judge.judges.showing import shown

Place: TypeAlias = "tuple[str, ...]"
"""The keys and indexes that lead to a value; `()` is the whole."""

_LONGEST: Final = 200
"""Characters of a pointer that a message shows."""

_BAD_ESCAPE: Final = re.compile("~(?![01])")


def pointer(place: Sequence[object]) -> str:
    """The JSON Pointer of a place, as messages and checks name it; cut where it is long."""
    if not place:
        return "(the whole)"
    parts = (str(part).replace("~", "~0").replace("/", "~1") for part in place)
    text = shown("/" + "/".join(parts))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def parse_pointer(text: object, name: str) -> Place:
    """The place that a JSON Pointer names.

    Raises:
        ArgumentTypeError: It is no string.
        ArgumentError: It is no JSON Pointer.
    """
    if type(text) is not str:
        raise ArgumentTypeError(f"{name} has the key {text!r}; keys are JSON Pointers")
    if text and (not text.startswith("/") or _BAD_ESCAPE.search(text)):
        raise ArgumentError(
            f"{name} has the key {text!r}, which is no JSON Pointer; write '/a/0' for the first "
            "of a, '/a/*' for all, and '' for everything"
        )
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in text.split("/")[1:])


class PlaceNumbers:
    """Numbers, such as weights or tolerances, that belong to places and all that is below them.

    Of several that fit a place the longest counts, and of two of the same length the one that
    names its parts where the other has `*`, which stands for any one key or index.

    Args:
        numbers: A number, not negative, for each JSON Pointer; `""` is everything.
        name: How messages call them.

    Raises:
        ArgumentError: A key that is no JSON Pointer, or a number that is negative or not finite.
        ArgumentTypeError: Anything else.
    """

    __slots__ = ("_numbers",)

    def __init__(self, numbers: object, name: str) -> None:
        if not isinstance(numbers, Mapping):
            raise ArgumentTypeError(f"{name} must map JSON Pointers to numbers, not be {numbers!r}")
        given = cast("Mapping[object, object]", numbers)
        self._numbers = {
            parse_pointer(key, name): check_tolerance(number, f"{name} of {key!r}")
            for key, number in given.items()
        }

    def at(self, place: Place) -> float | None:
        """The number that counts at a place; `None` where none does."""
        if not self._numbers:
            return None
        fitting = [known for known in self._numbers if _fits(known, place)]
        if not fitting:
            return None
        best = max(fitting, key=lambda known: (len(known), [part != "*" for part in known]))
        return self._numbers[best]


def _fits(known: Place, place: Place) -> bool:
    return len(known) <= len(place) and all(
        part in ("*", other) for part, other in zip(known, place, strict=False)
    )
