"""Long texts in parts that the encoder can see: nothing is cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from agent_judge.judges.meaning.encoder import MAX_PIECES
from agent_judge.judges.meaning.english import MIN_WORDS, WORD
from agent_judge.judges.meaning.wordpiece import vocabulary

_WRAPPED: Final = 60
"""Characters from which a line that ends no sentence is taken to go on in the next one."""

_MARK: Final = re.compile(r"\s*+(?:[-*+•>|]\s++|\#++\s++|\d{1,3}[.)]\s++)?+")
"""What stands before the text of a line: the mark of a list, a quotation or a heading."""

_END: Final = re.compile(
    r"""(?<![.!?]) [.!?]++ ["')\]\u201d\u2019]*+ \s++ (?=["'(\[\u201c\u2018]?[^\Wa-z_])""",
    re.VERBOSE,
)
"""Where a sentence may end: behind its mark, before anything but a small letter."""

_ABBREVIATED: Final = re.compile(
    r"""(?: \b(?: [A-Za-z] | e\.g | i\.e | etc | vs | cf | approx | No | Fig | Eq | Sec | Vol | pp
      | Dr | Mr | Mrs | Ms | Prof | St | Jr | Sr | Inc | Ltd | Co ) ) \.\s*\Z""",
    re.VERBOSE,
)
"""A full stop that ends no sentence."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A text, or a part of it, that the encoder sees whole.

    Attributes:
        text: As it stands in the text that was judged.
        pieces: What the encoder sees of it, at most `MAX_PIECES`.
        is_part: Whether there are other parts of the same text.
    """

    text: str
    pieces: tuple[int, ...]
    is_part: bool = False


def parts(text: str) -> list[tuple[int, ...]]:
    """A text's pieces in as few parts of about equal size as the encoder allows, between words."""
    words = vocabulary().words(text)
    count = sum(map(len, words))
    wanted = -(-count // -(-count // MAX_PIECES)) if count else 0
    found: list[tuple[int, ...]] = []
    part: list[int] = []
    for word in words:
        if part and (len(part) >= wanted or len(part) + len(word) > MAX_PIECES):
            found.append(tuple(part))
            part = []
        part.extend(word)
    return [*found, tuple(part)] if part else found


def passages(text: str) -> list[Passage]:
    """Each sentence of a text that has any pieces; one that is too long is in several parts."""
    return [passage for sentence in sentences(text) for passage in _passages_of(sentence)]


def joined(text: str) -> list[Passage]:
    """As `passages`, but a sentence of few words is together with what follows it."""
    found: list[Passage] = []
    waiting: list[str] = []
    words = 0
    for sentence in sentences(text):
        waiting.append(sentence)
        words += len(WORD.findall(sentence))
        if words >= MIN_WORDS:
            found.extend(_passages_of(" ".join(waiting)))
            waiting, words = [], 0
    return [*found, *_passages_of(" ".join(waiting))]


def _passages_of(text: str) -> list[Passage]:
    split = parts(text)
    return [Passage(text, pieces, is_part=len(split) > 1) for pieces in split]


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, without marks of lists and headings."""
    return chain.from_iterable(map(_sentences_of, _blocks(text.splitlines())))


def _blocks(lines: Sequence[str]) -> Iterator[str]:
    """Lines, those together that were only wrapped."""
    block: list[str] = []
    for line in lines:
        mark = _MARK.match(line)
        assert mark is not None
        bare = line[mark.end() :].strip()
        if block and (not bare or mark[0].strip()):
            yield " ".join(block)
            block = []
        if bare:
            block.append(bare)
        if bare and (len(bare) < _WRAPPED or bare[-1] in ".!?:"):
            yield " ".join(block)
            block = []
    if block:
        yield " ".join(block)


def _sentences_of(block: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(block):
        if not _ABBREVIATED.search(block, max(start, end.end() - 12), end.end()):
            yield block[start : end.end()].strip()
            start = end.end()
    if block[start:].strip():
        yield block[start:].strip()
