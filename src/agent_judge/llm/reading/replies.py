"""A reply taken apart: how it ended, what in it is the judge's own, and the object it gives."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from agent_judge.context import MISSING, Missing
from agent_judge.frozen import EMPTY, Json, thaw
from agent_judge.llm.reading.lines import REASON_KEYS, SCORE_KEYS, VERDICT_KEYS, find_fields
from agent_judge.llm.reading.own_words import Found, OwnWords, sift
from agent_judge.llm.reading.records import Fault, Form, Note, Reading, Span, Unreadable
from agent_judge.llm.reading.statements import unreadable
from agent_judge.llm.reading.tolerant_json import Broken, Parsed, parse_object
from agent_judge.models.response import FinishReason

V = TypeVar("V")
R = TypeVar("R")

WRAPPERS: Final = frozenset(
    {
        "assessment",
        "decision",
        "evaluation",
        "final",
        "judgement",
        "judgment",
        "result",
        "review",
        "verdict",
    }
)
"""Keys under which an object may hold the one that was asked for, and nothing else."""

_CLAIM_KEYS: Final = ("pass", "passed")
_KNOWN_KEYS: Final = (*REASON_KEYS, *VERDICT_KEYS, *SCORE_KEYS)
_UNSTATED: Final = frozenset({Fault.NO_VERDICT, Fault.NEGATED, Fault.QUALIFIED, Fault.ATTRIBUTED})
_ENDED: Final = {
    FinishReason.LENGTH: Fault.TRUNCATED,
    FinishReason.REFUSAL: Fault.REFUSED,
    FinishReason.CONTENT_FILTER: Fault.REFUSED,
    FinishReason.OTHER: Fault.INCOMPLETE,
}


@dataclass(frozen=True, slots=True)
class Answer:
    """The JSON object that a reply gives, in its text or beside it.

    Args:
        members: Its members; empty where it cannot be read.
        form: OBJECT, or STRUCTURED where it was given beside the text.
        span: Where it stands.
        fault: Why it cannot be read.
        notes: What was tolerated in it.
    """

    members: Mapping[str, Json]
    form: Form
    span: Span = (0, 0)
    fault: Fault | None = None
    notes: tuple[Note, ...] = ()

    def give(self, keys: tuple[str, ...]) -> Iterator[Json]:
        """The values of the members that have one of the keys, in any case."""
        return (value for key, value in self.members.items() if key.casefold() in keys)

    def unwrapped(self) -> Answer:
        """The object that this one is nothing but the wrapping of, or else this one."""
        inner = _wrapped(self.members)
        if inner is None:
            return self
        return replace(self, members=inner, notes=(*self.notes, Note.WRAPPED))


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a reply that is read by itself: all but its last fenced block, or that block.

    Args:
        own: The judge's own words in it; none beside a structured answer.
        answer: The object that it gives, if it gives one.
    """

    own: OwnWords
    answer: Answer | None = None

    @property
    def claimed(self) -> bool | None:
        """What its object says about passing, as a boolean."""
        claims = [*self.answer.give(_CLAIM_KEYS)] if self.answer else []
        return claims[0] if len(claims) == 1 and isinstance(claims[0], bool) else None

    def reasons(self, verdicts: tuple[Span, ...]) -> str:
        """The reason that it gives, or else what it says beside its verdicts."""
        given = [*self.answer.give(REASON_KEYS)] if self.answer else []
        if given:
            return as_text(given[0])
        for field in find_fields(self.own, _KNOWN_KEYS):
            if field.line.key in REASON_KEYS and field.text:
                return field.text
        return self.own.reasons(verdicts)

    def explain(self, reading: Reading[V]) -> Reading[V]:
        """The reading with the reason that the part gives."""
        return Reading(
            reading.value,
            reading.form,
            self.reasons(reading.spans),
            reading.remark,
            self.claimed,
            reading.spans,
            reading.notes,
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply in which there is something to be read.

    Args:
        raw: The reply as it came.
        parts: What is read of it, each by itself.
    """

    raw: str
    parts: tuple[Part, ...]

    def read(
        self, read: Callable[[Part], R | Unreadable], verdict_of: Callable[[R], object]
    ) -> R | Unreadable:
        """What the parts give: the same, or one of them alone."""
        readings = [read(part) for part in self.parts]
        stated = [
            reading
            for reading in readings
            if not (isinstance(reading, Unreadable) and reading.fault in _UNSTATED)
        ]
        if not stated:
            return min(readings, key=_is_mute)
        first = stated[0]
        for other in stated[1:]:
            if isinstance(first, Unreadable) or isinstance(other, Unreadable):
                return first if isinstance(first, Unreadable) else other
            if verdict_of(first) != verdict_of(other):
                return unreadable(Fault.CONFLICTING, self.raw)
        return first


def open_reply(
    text: str,
    finish_reason: FinishReason,
    structured: Json | Missing = MISSING,
) -> Reply | Unreadable:
    """Take a reply apart, or say why there is nothing in it to be read."""
    if finish_reason in _ENDED:
        return unreadable(_ENDED[finish_reason], text)
    if isinstance(structured, Mapping):
        answer = Answer(structured, Form.STRUCTURED).unwrapped()
        return Reply(text, (Part(OwnWords("", ""), answer),))
    own = sift(text)
    if own.unfinished:
        return unreadable(Fault.TRUNCATED, text)
    if not own.visible.strip():
        return unreadable(Fault.EMPTY, text)
    parts = (own, own.fenced) if own.fenced else (own,)
    return Reply(text, tuple(_part(part) for part in parts))


def _is_mute(reading: object) -> bool:
    """Whether nothing at all was found, so that another part says better why."""
    return isinstance(reading, Unreadable) and reading.fault is Fault.NO_VERDICT


def _part(own: OwnWords) -> Part:
    return Part(own, _answer(own.object).unwrapped() if own.object else None)


def _answer(found: Found) -> Answer:
    match found.outcome:
        case Parsed(value, _, notes):
            return Answer(value, Form.OBJECT, found.span, notes=notes)
        case Broken(fault):
            return Answer(EMPTY, Form.OBJECT, found.span, fault)


def _wrapped(members: Mapping[str, Json]) -> Mapping[str, Json] | None:
    """The object that is the only member of another, under a key that says so."""
    if len(members) != 1:
        return None
    [(key, value)] = members.items()
    if key.casefold() not in WRAPPERS:
        return None
    if isinstance(value, str):
        parsed = parse_object(value)
        whole = isinstance(parsed, Parsed) and not value[parsed.end :].strip()
        return parsed.value if isinstance(parsed, Parsed) and whole else None
    return value if isinstance(value, Mapping) else None


def as_text(value: Json) -> str:
    """A reason as text: a string as it is, several joined, all else as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return "\n".join(str(item) for item in value)
    return json.dumps(thaw(value), ensure_ascii=False)
