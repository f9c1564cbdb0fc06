"""Text of judges and of judged work, made harmless for the place it is shown in."""

from __future__ import annotations

from typing import Final
from unicodedata import category

_UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})

_JOINERS: Final = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
"""Emoji and several scripts are written with them."""


def one_line(text: str, limit: int = 200) -> str:
    """Text on one line without anything a terminal would act on, cut with a mark.

    Control characters, escapes, surrogates and characters that change the direction of writing
    are replaced; runs of white space become one space.
    """
    cut = text if len(text) <= limit * 4 else text[: limit * 4]
    safe = "".join(_safe(character) for character in cut)
    line = " ".join(safe.split())
    return line if len(line) <= limit and cut == text else f"{line[: limit - 1]}…"


def safe_lines(text: str) -> str:
    """Text with its lines, without anything else a terminal would act on."""
    return "\n".join("".join(map(_safe, line)) for line in text.split("\n"))


def _safe(character: str) -> str:
    if character in "\t\n\r":
        return " "
    if character.isascii() and character.isprintable():
        return character
    unsafe = category(character) in _UNSAFE and character not in _JOINERS
    return "\N{REPLACEMENT CHARACTER}" if unsafe else character
