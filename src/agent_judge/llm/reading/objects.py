"""Reading the JSON object that a reply gives."""

from __future__ import annotations

from dataclasses import dataclass

from agent_judge.context import MISSING, Missing
from agent_judge.frozen import FrozenMap, Json
from agent_judge.llm.reading.records import Fault, Form, Note, Span, Unreadable
from agent_judge.llm.reading.replies import open_reply
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


def read_object(
    text: str,
    *,
    keys: tuple[str, ...] = (),
    finish_reason: FinishReason = FinishReason.UNREPORTED,
    structured: Json | Missing = MISSING,
) -> ObjectReading | Unreadable:
    r"""Read the object that a reply gives: the last one of the judge's own, on lines of its own.

    Args:
        text: The reply.
        keys: Keys of the object that is looked for, in lower case; one that has none of them and
            is nothing but the wrapping of another is unwrapped.
        finish_reason: Why it ended; nothing is read from one that is not complete.
        structured: The object that the backend gave beside the text, which is then not looked at.

    Example:
        >>> reading = read_object('Draft: {"done": false}\n\n{"done": true,}')
        >>> dict(reading.members), reading.notes
        ({'done': True}, (<Note.TRAILING_COMMA: 'trailing_comma'>,))
    """
    reply = open_reply(text, keys, finish_reason, structured)
    if isinstance(reply, Unreadable):
        return reply
    answer = reply.answer
    if answer is None:
        return unreadable(Fault.NO_VERDICT, text)
    if answer.fault:
        return unreadable(answer.fault, text)
    span = answer.span if answer.form is Form.OBJECT else None
    return ObjectReading(FrozenMap(answer.members), answer.form, span, answer.notes)
