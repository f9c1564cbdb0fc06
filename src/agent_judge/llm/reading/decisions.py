"""Reading a decision: DECISION, SCORE, REASON and SUGGESTIONS, as lines or as a JSON object."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agent_judge.context import MISSING, Missing
from agent_judge.frozen import Json
from agent_judge.llm.reading.lines import Field, find_fields
from agent_judge.llm.reading.menus import Menu
from agent_judge.llm.reading.numbers import UNIT, read_amount
from agent_judge.llm.reading.records import Fault, Form, Note, Span, Unreadable
from agent_judge.llm.reading.replies import Answer, Part, as_text, open_reply
from agent_judge.llm.reading.scores import number_of
from agent_judge.llm.reading.statements import Found, Statement, settle
from agent_judge.llm.reading.words import bare, canonical
from agent_judge.models.json_reading import read_structured
from agent_judge.models.response import FinishReason

DECISIONS: Final = Menu(
    ("APPROVE", "RETRY", "REJECT"),
    {"APPROVED": "APPROVE", "REJECTED": "REJECT"},
    keys=("decision",),
)
"""The decisions there are, and the key that gives one."""

_SCORE: Final = ("score",)
_REASON: Final = ("reason", "reasoning")
_SUGGESTIONS: Final = ("suggestions", "suggestion")
_KEYS: Final = (*DECISIONS.keys, *_SCORE, *_REASON, *_SUGGESTIONS)
_NOTHING: Final = frozenset(
    {"", "-", "\u2013", "—", "n/a", "na", "nil", "none", "none needed", "nothing"}
)
_ITEM = re.compile(r"[ \t]*(?:[-+*•]|[0-9]{1,2}[.)])[ \t]+")


@dataclass(frozen=True, slots=True)
class DecisionReading:
    """A decision and what was said with it.

    Args:
        decision: `"APPROVE"`, `"RETRY"` or `"REJECT"`.
        score: The score in 0..1; `None` where there is none that can be used, as a note says.
        reason: Why, in the reply's own words.
        suggestions: What to do next, one each.
        remark: What follows the decision on its line.
        form: Whether it stands on lines or in an object.
        spans: Where the decision stands.
        notes: What is peculiar about the reply.
    """

    decision: str
    score: float | None
    reason: str
    suggestions: tuple[str, ...]
    remark: str
    form: Form
    spans: tuple[Span, ...]
    notes: tuple[Note, ...]


def read_decision(
    text: str,
    *,
    finish_reason: FinishReason = FinishReason.UNREPORTED,
    structured: Json | Missing = MISSING,
) -> DecisionReading | Unreadable:
    r"""Read a decision, its score, its reason and its suggestions.

    The lines come in any order, with bullets, markup or a fence around them; a value goes on up to
    the next of the four keys. Without a decision that can be read nothing is.

    Args:
        text: The reply.
        finish_reason: Why it ended; nothing is read from one that is not complete.
        structured: The object that the backend gave beside the text, which is then not looked at.

    Example:
        >>> reading = read_decision("DECISION: RETRY\nSCORE: 8/10\nSUGGESTIONS: test it, run it")
        >>> reading.decision, reading.score, reading.suggestions
        ('RETRY', 0.8, ('test it', 'run it'))
    """
    reply = open_reply(text, finish_reason, structured)
    if isinstance(reply, Unreadable):
        return reply
    return reply.read(lambda part: _read_part(part, text), lambda reading: reading.decision)


def _read_part(part: Part, text: str) -> DecisionReading | Unreadable:
    fields = [*find_fields(part.own, _KEYS)]
    reading = settle([*_decided(part.answer), *_decided_on_lines(fields)], text)
    if isinstance(reading, Unreadable):
        return reading
    answer = part.answer if reading.form is not Form.LINE else None
    said = _Said.of_object(answer) if answer else _Said.of_lines(fields)
    return DecisionReading(
        reading.value,
        said.score,
        said.reason,
        said.suggestions,
        reading.remark,
        reading.form,
        reading.spans,
        tuple(dict.fromkeys((*reading.notes, *said.notes))),
    )


@dataclass(frozen=True, slots=True)
class _Said:
    """What was said with a decision."""

    score: float | None
    reason: str
    suggestions: tuple[str, ...]
    notes: tuple[Note, ...]

    @classmethod
    def of_object(cls, answer: Answer) -> _Said:
        scores = [number_of(value, UNIT) for value in answer.give(_SCORE) if value is not None]
        noted = tuple(note for _, notes in scores for note in notes)
        score, notes = _one_score([score for score, _ in scores])
        suggestions = [item for value in answer.give(_SUGGESTIONS) for item in _listed(value)]
        reasons = [value for value in answer.give(_REASON) if value is not None]
        reason = "\n".join(map(as_text, reasons))
        return cls(score, reason, tuple(suggestions), (*noted, *notes))

    @classmethod
    def of_lines(cls, fields: Sequence[Field]) -> _Said:
        amounts = [read_amount(field.line.value) for field in fields if field.line.key in _SCORE]
        score, notes = _one_score(
            [amount.on(UNIT) if amount else Fault.OFF_MENU for amount in amounts]
        )
        suggestions = [
            item for field in _with(fields, _SUGGESTIONS) for item in split_suggestions(field.text)
        ]
        reason = "\n".join(field.text for field in _with(fields, _REASON))
        return cls(score, reason, tuple(suggestions), notes)


def _decided(answer: Answer | None) -> Iterator[Found[str]]:
    if answer is None:
        return
    if answer.fault:
        yield Statement(answer.fault, answer.form, answer.span)
    for value in answer.give(DECISIONS.keys):
        words = value if isinstance(value, str) else ""
        decision, remark = DECISIONS.read_value(words, contrast=True)
        yield Statement(decision, answer.form, answer.span, remark, notes=answer.notes)


def _decided_on_lines(fields: Sequence[Field]) -> Iterator[Found[str]]:
    for field in _with(fields, DECISIONS.keys):
        line = field.line
        decision, remark = DECISIONS.read_value(line.value, contrast=True)
        yield Statement(decision, Form.LINE, line.span, remark, line.final)


def _with(fields: Sequence[Field], keys: tuple[str, ...]) -> Iterator[Field]:
    return (field for field in fields if field.line.key in keys)


def _one_score(scores: Sequence[float | Fault]) -> tuple[float | None, tuple[Note, ...]]:
    """The score, if all that are given are the same usable one."""
    if not scores:
        return None, (Note.SCORE_MISSING,)
    score = scores[0]
    if isinstance(score, Fault) or any(other != score for other in scores):
        return None, (Note.SCORE_UNREADABLE,)
    return score, ()


def _listed(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield from split_suggestions(value)
    elif isinstance(value, list | tuple):
        yield from (text for item in value if (text := as_text(item).strip()))


def split_suggestions(text: str) -> tuple[str, ...]:
    r"""The suggestions of a text: one a bullet or line, or parted by commas on a single line.

    Example:
        >>> split_suggestions("fix a, b, and c"), split_suggestions("N/A")
        (('fix a', 'b', 'and c'), ())
        >>> split_suggestions("1. fix a, b\n2. test it")
        ('fix a, b', 'test it')
    """
    listed = _json_list(text)
    lines = [line for line in text.split("\n") if line.strip()]
    if listed is not None:
        items = listed
    elif len(lines) == 1 and not _ITEM.match(lines[0]):
        items = lines[0].split(",")
    elif any(_ITEM.match(line) for line in lines):
        items = _bulleted(lines)
    else:
        items = lines
    cleaned = (bare(item) for item in items)
    return tuple(item for item in cleaned if canonical(item) not in _NOTHING)


def _json_list(text: str) -> list[str] | None:
    """The strings of a text that is a JSON array of nothing else."""
    bare_text = text.strip()
    if not (bare_text.startswith("[") and bare_text.endswith("]")):
        return None
    value = read_structured(bare_text)
    if not isinstance(value, list | tuple):
        return None
    strings = [item for item in value if isinstance(item, str)]
    return strings if len(strings) == len(value) else None


def _bulleted(lines: Sequence[str]) -> list[str]:
    """The items of a list; a line without a bullet goes on with the one before."""
    items: list[str] = []
    for line in lines:
        if items and not _ITEM.match(line):
            items[-1] = f"{items[-1].rstrip()} {line.strip()}"
        else:
            items.append(line)
    return items
