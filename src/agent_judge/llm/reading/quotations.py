"""Quotations in running text: block quotes, quoted paragraphs, inline code and quotation marks.

What stands in quotation marks or inline code is somebody else's, but for two cases: it ends a
sentence in which the judge gives its verdict (``My final verdict is `[[A]]`.``), or it is a line
below a lead that says so or at the end of the reply, and nothing says that it is another's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

from agent_judge.llm.reading.blanks import OBJECT, QUOTED, Blank, blanked
from agent_judge.llm.reading.leads import (
    LOOK_BACK,
    is_of_another,
    is_own,
    is_quoting,
    last_sentence,
    lead_in,
)
from agent_judge.llm.reading.records import Span
from agent_judge.llm.reading.words import MARKUP, bare, split_lines

_BLOCK_QUOTE = re.compile(r"^[ \t]*+>[^\n]*+", re.MULTILINE)
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)[^`\n]++\1(?!`)")
_DOUBLE = re.compile(r'["“”„«»「」『』]|\n[ \t]*+(?=\n)')
_SINGLE = re.compile(r"['\u2018\u2019\n]")
_OPENS_AFTER = re.compile(r"[\s(\[{<—\u2013:=*_`/|\-,;]")
_OPENING: Final = "„«「『"
_CLOSING: Final = "”»」』"
_ENDS_LEAD = re.compile(r"(?:[:=]|\b(?:is|as|be|an?))$", re.IGNORECASE)
_BLOCKS: Final = (QUOTED, OBJECT)
_TRAILING: Final = MARKUP + '.!\n"”'


def blank_block_quotes(text: str) -> str:
    """The text with every line blanked that begins with `>`."""
    return blanked(text, ((*quote.span(), QUOTED) for quote in _BLOCK_QUOTE.finditer(text)))


def blank_quotations(text: str) -> str:
    """The text with quoted paragraphs, inline code and quotations blanked."""
    text = blanked(text, _quoted(_paragraphs(text)))
    end = len(text.rstrip(_TRAILING))
    inline = chain((code.span() for code in _CODE.finditer(text)), _double(text), _single(text))
    return blanked(text, _quoted(sorted(span for span in inline if not _is_own(text, span, end))))


def _quoted(spans: Iterator[Span] | list[Span]) -> Iterator[Blank]:
    return ((start, end, QUOTED) for start, end in spans)


def _paragraphs(text: str) -> Iterator[Span]:
    """Paragraphs below a line that ends with a colon and says that somebody said them.

    Where a block stands there that is blanked already, that is what was said.
    """
    lines = iter(split_lines(text))
    for start, end in lines:
        if not _announces(text[max(start, end - LOOK_BACK) : end]):
            continue
        began = False
        for below, below_end in lines:
            line = text[below:below_end].strip()
            if began != bool(line) and (began or line.startswith(_BLOCKS)):
                break
            began = bool(line)
            if began:
                yield below, below_end


def _announces(line: str) -> bool:
    words = bare(line)
    if not words.endswith(":"):
        return False
    sentence = last_sentence(words)
    return is_quoting(sentence) and not is_own(sentence)


def _double(text: str) -> Iterator[Span]:
    """What stands between quotation marks, over several paragraphs too.

    A mark that opens and is not closed quotes the rest of its paragraph.
    """
    start = paragraph = -1
    depth = 0
    for mark in _DOUBLE.finditer(text):
        at = mark.start()
        if mark[0][0] == "\n":
            paragraph = at if depth and paragraph < 0 else paragraph
        elif _opens(text, at):
            if depth and paragraph >= 0:
                yield start, paragraph
                depth = 0
            if not depth:
                start, paragraph = at, -1
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield start, mark.end()
    if depth:
        yield start, paragraph if paragraph >= 0 else len(text)


def _opens(text: str, at: int) -> bool:
    sign, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if sign in _OPENING or sign in _CLOSING:
        return sign in _OPENING
    return bool(after.strip()) and (not before or bool(_OPENS_AFTER.match(before)))


def _single(text: str) -> Iterator[Span]:
    """What stands between single quotation marks on one line; an apostrophe is none."""
    start = -1
    for mark in _SINGLE.finditer(text):
        at = mark.start()
        before, after = text[at - 1 : at], text[at + 1 : at + 2]
        if mark[0] == "\n":
            start = -1
        elif start < 0 and mark[0] != "\u2019" and after.strip() and not before.isalnum():
            start = at
        elif start >= 0 and before.strip() and not after.isalnum():
            yield start, mark.end()
            start = -1


def _is_own(text: str, span: Span, end: int) -> bool:
    """Whether inline code or a quotation gives the judge's own verdict."""
    start, stop = span
    before = text[max(0, start - LOOK_BACK) : start].rpartition("\n")[2]
    after = text[stop : stop + LOOK_BACK].partition("\n")[0]
    if "\n" in text[start:stop] or after.strip(_TRAILING):
        return False
    if bare(before):
        lead = last_sentence(bare(before))
        return is_own(lead) and bool(_ENDS_LEAD.search(lead))
    lead = lead_in(text, start)
    return is_own(lead) or (stop >= end and not is_of_another(lead))
