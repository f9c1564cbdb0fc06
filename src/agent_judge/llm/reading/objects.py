"""Reading the JSON object that a reply gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agent_judge.context import MISSING, Missing
from agent_judge.frozen import FrozenMap, Json
from agent_judge.llm.reading.lines import REASON_KEYS
from agent_judge.llm.reading.numbers import Scale
from agent_judge.llm.reading.records import Fault, Form, Note, Span, Unreadable
from agent_judge.llm.reading.replies import Part, as_text, open_reply
from agent_judge.llm.reading.scores import number_of
from agent_judge.llm.reading.statements import unreadable
from agent_judge.models.response import FinishReason


@dataclass(frozen=True, slots=True)
class ObjectReading:
    """The JSON object that a reply gives.

    Args:
        members: Its members.
        form: Whether it stands in the text, or was given beside it.
        span: Where it stands; `None` where it was given beside the text.
        notes: What was tolerated in it.
    """

    members: FrozenMap[Json]
    form: Form
    span: Span | None = None
    notes: tuple[Note, ...] = ()

    @property
    def reason(self) -> str:
        """The reason that it gives; empty where it gives none."""
        return as_text(next(self._give(REASON_KEYS), ""))

    def number(self, key: str, scale: Scale) -> float | Fault:
        """The number under a key in any case; as text it is read like a labelled line."""
        value = self.value(key)
        return value if isinstance(value, Fault) else number_of(value, scale)[0]

    def boolean(self, key: str) -> bool | Fault:
        """The boolean under a key in any case; nothing else stands for one."""
        value = self.value(key)
        return value if isinstance(value, Fault | bool) else Fault.OFF_MENU

    def value(self, key: str) -> Json | Fault:
        """The value under a key in any case, where there is one and no other."""
        values = [*self._give((key.casefold(),))]
        if len(values) > 1:
            return Fault.CONFLICTING
        return values[0] if values else Fault.NO_VERDICT

    def _give(self, keys: tuple[str, ...]) -> Iterator[Json]:
        return (value for key, value in self.members.items() if key.casefold() in keys)


def read_object(
    text: str,
    *,
    finish_reason: FinishReason = FinishReason.UNREPORTED,
    structured: Json | Missing = MISSING,
) -> ObjectReading | Unreadable:
    r"""Read the object that a reply gives: the last one of the judge's own.

    It stands on lines of its own. One that is nothing but the wrapping of another is unwrapped.

    Args:
        text: The reply.
        finish_reason: Why it ended; nothing is read from one that is not complete.
        structured: The object that the backend gave beside the text, which is then not looked at.

    Example:
        >>> reading = read_object('Draft: {"done": false}\n\n{"done": true,}')
        >>> dict(reading.members), reading.notes
        ({'done': True}, (<Note.TRAILING_COMMA: 'trailing_comma'>,))
    """
    reply = open_reply(text, finish_reason, structured)
    if isinstance(reply, Unreadable):
        return reply

    def read(part: Part) -> ObjectReading | Unreadable:
        answer = part.answer
        if answer is None:
            return unreadable(Fault.NO_VERDICT, text)
        if answer.fault:
            return unreadable(answer.fault, text)
        span = answer.span if answer.form is Form.OBJECT else None
        return ObjectReading(FrozenMap(answer.members), answer.form, span, answer.notes)

    return reply.read(read, lambda reading: reading.members)
