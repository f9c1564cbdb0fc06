"""Labelled lines: `Score: 8/10`, `**GRADE:** C`, `My final verdict is PASS`, `## Verdict`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from agent_judge.llm.reading.own_words import OwnWords
from agent_judge.llm.reading.records import Span
from agent_judge.llm.reading.statements import is_final
from agent_judge.llm.reading.words import MARKUP

VERDICT_KEYS: Final = (
    "verdict",
    "decision",
    "judgment",
    "judgement",
    "label",
    "grade",
    "result",
    "answer",
    "classification",
    "winner",
    "choice",
)
WORK_KEYS: Final = ("result", "answer", "choice")
"""Verdict keys that speak of the judged work as often as of the verdict on it."""
SCORE_KEYS: Final = ("score", "rating", "grade", "mark", "points")
REASON_KEYS: Final = (
    "reason",
    "reasoning",
    "rationale",
    "explanation",
    "justification",
    "feedback",
)

_LINE = re.compile(
    r"""^[ \t]*+(?:(?:[-+*•]|\d{1,2}[.)])[ \t]+)?
    (?P<heading>\#{1,6}[ \t]+)?(?P<bold>[*_`"\u201c]{0,3})
    (?:(?:therefore|thus|hence|so|overall|finally),?[ ])?
    (?:(?:my|the|our|this)[ ])?
    (?:(?:final|overall)[ ])?
    (?P<key>[a-z]{1,24}(?:[ _-][a-z]{1,24})?)
    [ \t]{0,3}(?P<range>[(\[][^()\[\]\n]{1,24}[)\]])?
    [*_`]{0,3}[ \t]{0,3}
    (?:(?P<sign>[:=])|[ ](?P<verb>is)\b[ \t]{0,3}[:=]?|$)
    [*_`]{0,3}[ \t]*+(?P<value>[^\n]*)""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class LabelledLine:
    """A key and what it is given on its line, or on the next one.

    Args:
        key: The key in lower case.
        value: What stands behind it, without markup around.
        span: Where the line stands, with the value.
        start: Where the value begins.
        final: Whether the line calls itself final.
        spoken: It has a verb instead of a colon.
        below: The value stands on the next line.
        range: What stands in brackets behind the key, as in `Score (0-10): 4`.
    """

    key: str
    value: str
    span: Span
    start: int
    final: bool = False
    spoken: bool = False
    below: bool = False
    range: str = ""


def find_lines(text: str, keys: tuple[str, ...]) -> Iterator[LabelledLine]:
    """The lines of a text that give one of the keys a value."""
    for match in _LINE.finditer(text):
        key = match["key"].casefold()
        if key in keys:
            line = _labelled(text, match, key)
            if line is not None:
                yield line


@dataclass(frozen=True, slots=True)
class Field:
    """What a labelled line says, over all lines up to the next labelled one.

    Args:
        line: The line it begins on.
        text: What it says.
    """

    line: LabelledLine
    text: str


def find_fields(own: OwnWords, keys: tuple[str, ...]) -> Iterator[Field]:
    """The fields of a reply; only one of the keys, or of a verdict, ends the one before."""
    lines = [line for line in find_lines(own.visible, keys) if not line.spoken]
    ends = [*(line.span[0] for line in lines[1:]), len(own.text)]
    said = own.said() if lines else ""
    for line, end in zip(lines, ends, strict=False):
        start = said.rfind("\n", 0, end) if end < len(said) else end
        yield Field(line, said[line.start : max(start, line.start)].strip())


def _labelled(text: str, match: re.Match[str], key: str) -> LabelledLine | None:
    value, (start, end) = match["value"], match.span("value")
    if not (match["sign"] or match["verb"]) and not _is_heading(match):
        return None
    below = not value.strip(MARKUP)
    if below:
        start, end = _next_line(text, end)
        value = text[start:end]
    return LabelledLine(
        key,
        value.strip(MARKUP),
        (match.start("key"), end),
        start,
        final=is_final(match[0][: match.start("value") - match.start()]),
        spoken=bool(match["verb"]),
        below=below,
        range=match["range"] or "",
    )


def _is_heading(match: re.Match[str]) -> bool:
    return bool(match["heading"]) or match["bold"].startswith(("**", "__"))


def _next_line(text: str, at: int) -> Span:
    """The first line behind an index that is not blank."""
    match = _NEXT.match(text, at)
    return match.span(1) if match else (at, at)


_NEXT = re.compile(r"\s*+([^\n]*)")
