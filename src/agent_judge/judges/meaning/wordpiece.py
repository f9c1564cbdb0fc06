"""WordPiece: how the sentence encoder's vocabulary splits English text into pieces.

It is the uncased scheme of BERT (Devlin et al., 2019): case and accents are dropped, words end at
white space and at punctuation, and of a word the longest piece that the vocabulary knows is taken
from the left, again and again. What it does not know becomes one unknown piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final
from unicodedata import category, normalize

MAX_WORD: Final = 100
"""Characters of a word beyond which it is unknown, as the encoder was trained."""

_BEGIN, _END, _UNKNOWN = "[CLS]", "[SEP]", "[UNK]"

_IDEOGRAPHS: Final = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
"""Ranges of characters that are words of their own; the odd 2B920 is what the encoder learned."""


@dataclass(frozen=True, slots=True)
class WordPieces:
    """A vocabulary, and the splitting of text by it.

    Args:
        numbers: The number of each piece; a piece within a word begins with `##`.

    Example:
        >>> vocabulary().words("Quarterly tokens!")
        [(12174,), (19204, 2015), (999,)]
    """

    numbers: Mapping[str, int]

    @property
    def begin(self) -> int:
        """The piece before every text."""
        return self.numbers[_BEGIN]

    @property
    def end(self) -> int:
        """The piece after every text."""
        return self.numbers[_END]

    @property
    def unknown(self) -> int:
        """What stands for everything that the vocabulary does not know."""
        return self.numbers[_UNKNOWN]

    def words(self, text: str) -> list[tuple[int, ...]]:
        """The pieces of each word and of each punctuation mark, in order."""
        return [self._split(word) for word in _words(text)]

    def knows(self, word: str) -> bool:
        """Whether a word is one piece, and a known one."""
        found = self.words(word)
        return len(found) == 1 and len(found[0]) == 1 and found[0][0] != self.unknown

    def _split(self, word: str) -> tuple[int, ...]:
        if len(word) > MAX_WORD:
            return (self.unknown,)
        found: list[int] = []
        start = 0
        while start < len(word):
            end, piece = self._longest(word, start)
            if piece is None:
                return (self.unknown,)
            found.append(piece)
            start = end
        return tuple(found)

    def _longest(self, word: str, start: int) -> tuple[int, int | None]:
        """Where the longest known piece that begins here ends, and its number."""
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            piece = self.numbers.get(mark + word[start:end])
            if piece is not None:
                return end, piece
        return start, None


@lru_cache(maxsize=1)
def vocabulary() -> WordPieces:
    """The vocabulary that is shipped with this package; NOTICE says where it comes from."""
    text = (
        files("agent_judge.judges.meaning").joinpath("vocabulary.txt").read_text(encoding="utf-8")
    )
    return WordPieces({piece: number for number, piece in enumerate(text.splitlines())})


def _words(text: str) -> Iterator[str]:
    """Words and single punctuation marks, without case and accents."""
    plain = "".join(map(_cleaned, text))
    bare = "".join([char for char in normalize("NFD", plain) if category(char) != "Mn"])
    for word in bare.lower().split():
        yield from _apart(word)


def _apart(word: str) -> Iterator[str]:
    start = 0
    for at, char in enumerate(word):
        if _is_punctuation(char):
            if start < at:
                yield word[start:at]
            yield char
            start = at + 1
    if start < len(word):
        yield word[start:]


@lru_cache(maxsize=4096)
def _cleaned(char: str) -> str:
    """A character as the vocabulary sees it: control characters are none, ideographs are words."""
    if char in "\t\n\r" or category(char) in {"Zs", "Zl", "Zp"}:
        return " "
    if char == "\ufffd" or category(char) in {"Cc", "Cf", "Co", "Cs"}:
        return ""
    code = ord(char)
    return f" {char} " if any(low <= code <= high for low, high in _IDEOGRAPHS) else char


def _is_punctuation(char: str) -> bool:
    if char.isascii():
        return not char.isalnum()
    return category(char).startswith("P")
