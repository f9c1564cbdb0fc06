"""Whether the evidence has the words that a model quotes from it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from unicodedata import normalize

from agent_judge.llm.exhibits import Exhibit
from agent_judge.llm.fence import neutralise

_GAP: Final = re.compile(r"\[?(?:\.\.\.|…)\]?")
_OUTER: Final = " \t\n\"'`*"
_ALIKE: Final = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-"})  # noqa: RUF001 - the marks that editors put in place of the plain ones


class Quotable:
    r"""Evidence that a model may quote.

    Args:
        shown: The pieces of evidence.

    Example:
        >>> evidence = Quotable([Exhibit("output", "The tests  pass on\nmain.")])
        >>> evidence.has("the tests pass"), evidence.has("The tests … main"), evidence.has("fail")
        (True, True, False)
    """

    def __init__(self, shown: Iterable[Exhibit]) -> None:
        self._exhibits: Final = tuple(shown)
        self._texts: tuple[str, ...] | None = None

    def has(self, quote: str) -> bool:
        """Whether the words stand in one piece of evidence, in this order.

        Case, white space, and straight or curly marks do not matter; `…` stands for a gap. A quote
        without a letter or digit is none.
        """
        parts = [_folded(part.strip(_OUTER)) for part in _GAP.split(quote)]
        wanted = [part for part in parts if part]
        if not any(character.isalnum() for part in wanted for character in part):
            return False
        if self._texts is None:
            self._texts = tuple(
                text for exhibit in self._exhibits for text in _as_read(exhibit.text)
            )
        return any(_in_order(wanted, text) for text in self._texts)


def _as_read(text: str) -> tuple[str, ...]:
    """A text as it is, and as the fence shows it."""
    return tuple(dict.fromkeys((_folded(text), _folded(neutralise(text, "\0")))))


def _folded(text: str) -> str:
    plain = text if text.isascii() else normalize("NFKC", text).translate(_ALIKE)
    return " ".join(plain.casefold().split())


def _in_order(parts: Iterable[str], text: str) -> bool:
    at = 0
    for part in parts:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return True
