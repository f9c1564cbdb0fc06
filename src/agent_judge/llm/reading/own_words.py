"""What of a reply is the judge's own: not its reasoning, and nothing that it quotes.

The reply is gone through once. What is not the judge's own is blanked in a copy of the same length,
so that the forms of a verdict are looked for in that copy and found where they stand in the reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from agent_judge.llm.reading.blanks import OBJECT, QUOTED, SILENT, Blank, blanked
from agent_judge.llm.reading.leads import LOOK_BACK, is_of_another, is_own, lead_in
from agent_judge.llm.reading.quotations import blank_block_quotes, blank_quotations
from agent_judge.llm.reading.records import Span
from agent_judge.llm.reading.tolerant_json import (
    Broken,
    Parsed,
    parse_object,
    parse_plain_object,
)
from agent_judge.llm.reading.words import MARKUP, bare, fold

_REASONING = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad"
_TAG = rf"(?<!`)<(?P<close>/?)(?:{_REASONING})(?:\s[^<>\n]{{0,100}})?>"
_TAGS = re.compile(_TAG, re.IGNORECASE)
_TOKENS = re.compile(
    rf"""
    (?P<tag>{_TAG})
    | (?P<comment><!--)
    | ^[ \t]*+(?:[-+*][ \t]|\d{{1,2}}[.)][ \t])?[ \t]*+(?P<fence>`{{3,12}}|~{{3,12}})[^`\n]*+$
    | (?P<object>\{{(?=\s*+["}}/]))
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_BRACES = re.compile(r"[{}]")
_LEADS = re.compile(r"(?:^|[:=])$")
_ANSWERS = re.compile(
    r"\s*+(?:\{|[-*_#\s]{0,8}[a-z]{1,24}(?: [a-z]{1,24})?[*_]{0,3}\s?[:=])", re.IGNORECASE
)
_UNSEEN: Final = {ord(OBJECT): None, ord(QUOTED): None}
_UNSAID: Final = SILENT + OBJECT
_WORDLESS: Final = OBJECT + " \t\r\n"
_BLANK: Final = MARKUP + "\n.!?:;,#[]()0123456789-"
_AFTER: Final = MARKUP + ".,;"


@dataclass(frozen=True, slots=True)
class Found:
    """A JSON object in a reply, or what begins like one, and where it stands."""

    outcome: Parsed | Broken
    span: Span


@dataclass(frozen=True, slots=True)
class OwnWords:
    """A reply as the forms of a verdict are looked for in it.

    Args:
        text: The reply, its full-width signs folded; the same length.
        visible: The same with all blanked that is not the judge's own words: its reasoning with
            `SILENT`, what it quotes with `QUOTED`, JSON objects with `OBJECT`.
        object: The last JSON object of the judge's own.
        unfinished: It ends inside a reasoning block.
        fenced: The block between fences that ends the reply, where it may be the answer: what
            stands there counts if it contradicts nothing that stands outside.
    """

    text: str
    visible: str
    object: Found | None = None
    unfinished: bool = False
    fenced: OwnWords | None = None

    @property
    def speaks(self) -> bool:
        """Whether it says anything in words, beside an object."""
        return bool(self.visible.strip(_WORDLESS))

    def said(self, without: Iterable[Span] = ()) -> str:
        """The text without reasoning, objects and the given passages; the same length."""
        visible = blanked(self.visible, ((start, end, SILENT) for start, end in without))
        return "".join(
            " " if seen in _UNSAID else said for said, seen in zip(self.text, visible, strict=True)
        )

    def reasons(self, verdicts: Iterable[Span]) -> str:
        """What it says, if it says more than its verdicts."""
        return self.said().strip() if self.said(verdicts).strip(_BLANK) else ""


def sift(reply: str) -> OwnWords:
    """Tell a judge's own words from its reasoning and from what it quotes.

    Example:
        >>> sift("<think>[[A]]?</think>[[B]]").visible.strip()
        '[[B]]'
    """
    return _one_object(reply) or _sifted(reply)


def _one_object(reply: str) -> OwnWords | None:
    """The own words of a reply that is one object of plain JSON and nothing else."""
    written = reply.strip()
    value = parse_plain_object(written) if reply.isascii() else None
    if value is None:
        return None
    start = reply.index("{")
    span = (start, start + len(written))
    blank = "\n".join(OBJECT * len(line) for line in written.split("\n"))
    visible = f"{reply[:start]}{blank}{reply[span[1] :]}"
    return OwnWords(reply, visible, Found(Parsed(value, span[1], ()), span))


def _sifted(reply: str) -> OwnWords:
    sifter = _Sifter(reply)
    sifter.sift()
    return replace(sifter.own_words(), fenced=sifter.fenced())


class _Sifter:
    """Goes through a reply once, and notes what is to be blanked, in order."""

    def __init__(self, reply: str) -> None:
        self.reply = reply
        self.text = fold(reply)
        self.outside = blank_block_quotes(self.text)
        self.end = len(self.text.rstrip())
        self.blanks: list[Blank] = []
        self.fence_ends: set[int] = set()
        self.last_fence: Span | None = None
        self.objects: list[Found] = []
        self.unfinished = False

    def own_words(self) -> OwnWords:
        visible = blank_quotations(blanked(self.outside, self.blanks))
        own = (found for found in reversed(self.objects) if _stands_alone(visible, found.span))
        return OwnWords(self.text, visible, next(own, None), self.unfinished)

    def fenced(self) -> OwnWords | None:
        """The last block of the reply, if it is fenced and may be the answer."""
        if self.last_fence is None:
            return None
        start, end = self.last_fence
        said = blanked(self.outside, self.blanks).translate(_UNSEEN).strip()
        if said and not _ANSWERS.match(self.text, start, end):
            return None
        around = ((0, start, SILENT), (end, len(self.reply), SILENT))
        inner = _Sifter(blanked(self.reply, around))
        inner.sift()
        return inner.own_words()

    def sift(self) -> None:
        at = 0
        while token := _TOKENS.search(self.outside, at):
            at = self.pass_over(token)

    def pass_over(self, token: re.Match[str]) -> int:
        """Deal with what begins at a token, and say where to go on."""
        if token["tag"]:
            return self.pass_reasoning(token)
        if token["comment"]:
            end = self.outside.find("-->", token.end())
            return self.blank(token.start(), len(self.text) if end < 0 else end + 3, SILENT)
        if token["fence"]:
            return self.pass_fence(token)
        return self.pass_object(token.start())

    def pass_reasoning(self, token: re.Match[str]) -> int:
        """A reasoning block; where only its end is there, it began with the reply."""
        if token["close"]:
            self.blanks, self.objects = [], []
            return self.blank(0, token.end(), SILENT)
        depth = 1
        for tag in _TAGS.finditer(self.outside, token.end()):
            depth += -1 if tag["close"] else 1
            if not depth:
                return self.blank(token.start(), tag.end(), SILENT)
        self.unfinished = True
        return self.blank(token.start(), len(self.text), SILENT)

    def pass_fence(self, token: re.Match[str]) -> int:
        """A fenced block; of one of the judge's own, only the two fence lines are blanked."""
        if token.start() in self.fence_ends:
            return self.blank(token.start(), token.end(), SILENT)
        fence = token["fence"]
        closing = re.compile(rf"^[ \t]*+{re.escape(fence)}{fence[0]}*+[ \t]*+$", re.MULTILINE)
        close = closing.search(self.outside, token.end())
        end = close.end() if close else len(self.text)
        lead = self.lead_of(token.start())
        if not is_own(lead):
            if end >= self.end and not is_of_another(lead):
                self.last_fence = token.end(), close.start() if close else end
            return self.blank(token.start(), end, QUOTED)
        if close:
            self.fence_ends.add(close.start())
        return self.blank(token.start(), token.end(), SILENT)

    def lead_of(self, start: int) -> str:
        """What introduces a fenced block."""
        above = max(start - LOOK_BACK, self.blanks[-1][1] if self.blanks else 0)
        return lead_in(self.outside[above:start], start - above)

    def pass_object(self, start: int) -> int:
        outcome = parse_object(self.reply, start)
        end = outcome.end if isinstance(outcome, Parsed) else self.end_of_broken(outcome)
        self.objects.append(Found(outcome, (start, end)))
        return self.blank(start, end, OBJECT)

    def end_of_broken(self, broken: Broken) -> int:
        """Where the braces that are open in a broken object are closed again."""
        depth = broken.depth
        for brace in _BRACES.finditer(self.reply, broken.at):
            depth += 1 if brace[0] == "{" else -1
            if not depth:
                return brace.end()
        return len(self.reply)

    def blank(self, start: int, end: int, sign: str) -> int:
        self.blanks.append((start, end, sign))
        return end


def _stands_alone(text: str, span: Span) -> bool:
    """Whether an object is a block of its own, not quoted, and introduced by nobody else."""
    start, end = span
    before = text[max(0, start - LOOK_BACK) : start].rpartition("\n")[2].replace(OBJECT, "")
    after = text[end : end + LOOK_BACK].partition("\n")[0].replace(OBJECT, "")
    if text[start] != OBJECT or after.strip(_AFTER) or not _LEADS.search(bare(before)):
        return False
    return not is_of_another(lead_in(text, start))
