"""How words are compared: without regard to width, case, markup around them and an end mark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from unicodedata import normalize

from agent_judge.llm.reading.records import Span

MARKUP: Final = " \t*_`~"
"""What may stand around a word or line without being part of it."""
QUOTED_MARKUP: Final = MARKUP + '"“”'
"""The same, and quotation marks."""

_FOLDED: Final = {
    **{wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)},
    **dict.fromkeys(map(ord, "\u3000\u00a0\ufeff\r"), " "),
    **dict.fromkeys(map(ord, "\u2028\u2029\u0085"), "\n"),
    ord("\u2212"): "-",
    ord("。"): ".",
}

_LEADING: Final = re.compile(r"[ \t>]*(?:(?:[-+*•]|\d{1,2}[.)]|#{1,6})[ \t]+)?")
_BULLET: Final = re.compile(r"[ \t]*(?:(?:[-+*•]|#{1,6})[ \t]+)?")


def fold(text: str) -> str:
    """The text with full-width signs as plain ones; every sign keeps its place."""
    return text.translate(_FOLDED)


def split_lines(text: str, start: int = 0) -> Iterator[Span]:
    """Where the lines of a text stand, from an index on."""
    while (end := text.find("\n", start)) >= 0:
        yield start, end
        start = end + 1
    yield start, len(text)


def bare(line: str) -> str:
    """A line without bullet, number, heading sign and the markup around it."""
    start = _LEADING.match(line)
    assert start is not None
    return line[start.end() :].strip(MARKUP)


def unmarked(line: str) -> str:
    """A line without bullet, heading sign and the markup around it; a number stays."""
    start = _BULLET.match(line)
    assert start is not None
    return line[start.end() :].strip(MARKUP)


def canonical(words: str) -> str:
    """The form in which words are compared.

    Example:
        >>> canonical("**Pass.** "), canonical('"N/A"'), canonical("yes?")
        ('pass', 'n/a', 'yes?')
    """
    words, before = fold(words), ""
    while words != before:
        words, before = words.strip(QUOTED_MARKUP).rstrip(".!"), words
    return " ".join(normalize("NFC", words).casefold().split())
