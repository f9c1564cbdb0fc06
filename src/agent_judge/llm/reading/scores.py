"""Reading the one number that a reply gives."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_judge.context import MISSING, Missing
from agent_judge.frozen import Json
from agent_judge.llm.reading.brackets import find_brackets
from agent_judge.llm.reading.lines import SCORE_KEYS, LabelledLine, find_lines
from agent_judge.llm.reading.numbers import NUMBER, Amount, Scale, read_amount
from agent_judge.llm.reading.records import Fault, Form, Note, Reading, Span, Unreadable
from agent_judge.llm.reading.replies import Answer, Part, open_reply
from agent_judge.llm.reading.sentences import find_scores
from agent_judge.llm.reading.statements import Found, Statement, is_final, line_before, settle
from agent_judge.models.response import FinishReason

_RANGE = re.compile(
    rf"[(\[]\s*(?:(?P<low>{NUMBER})\s*(?:-|\u2013|—|to|\.\.+)\s*|(?:/|out\s+of|of)\s*)"
    rf"(?P<high>{NUMBER})\s*[)\]]",
    re.IGNORECASE,
)


def read_score(
    text: str,
    scale: Scale,
    *,
    keys: tuple[str, ...] = SCORE_KEYS,
    finish_reason: FinishReason = FinishReason.UNREPORTED,
    structured: Json | Missing = MISSING,
) -> Reading[float] | Unreadable:
    """Read the number that a reply gives, in any of the forms of `agent_judge.llm.reading`.

    Args:
        text: The reply.
        scale: The scale that it was asked to score on; a number is never clamped to it.
        keys: The keys under which a labelled line or a JSON object gives the number, in lower case.
        finish_reason: Why it ended; nothing is read from one that is not complete.
        structured: The object that the backend gave beside the text, which is then not looked at.

    Example:
        >>> read_score("Clear and correct. I rate this an 8 out of 10.", Scale(1, 10)).value
        8.0
        >>> read_score("Score: 8/10", Scale(0, 5)).fault
        <Fault.WRONG_SCALE: 'wrong_scale'>
    """
    reply = open_reply(text, finish_reason, structured)
    if isinstance(reply, Unreadable):
        return reply

    def read(part: Part) -> Reading[float] | Unreadable:
        found = [*_of_object(part.answer, scale, keys)]
        if part.own.speaks:
            found += _of_text(part.own.visible, scale, keys)
        reading = settle(found, text)
        return part.explain(reading) if isinstance(reading, Reading) else reading

    return reply.read(read, lambda reading: reading.value)


def number_of(value: Json, scale: Scale) -> tuple[float | Fault, tuple[Note, ...]]:
    """The number that a JSON value is on a scale; a string is read like a labelled line."""
    match value:
        case bool():
            return Fault.OFF_MENU, ()
        case int() | float():
            return scale.place(float(value)), ()
        case str():
            amount = read_amount(value)
            return amount.on(scale) if amount else Fault.OFF_MENU, (Note.NUMBER_AS_TEXT,)
        case _:
            return Fault.OFF_MENU, ()


def _of_object(
    answer: Answer | None, scale: Scale, keys: tuple[str, ...]
) -> Iterator[Found[float]]:
    if answer is None:
        return
    if answer.fault:
        yield Statement(answer.fault, answer.form, answer.span)
    for value in answer.give(keys):
        number, notes = number_of(value, scale)
        yield Statement(number, answer.form, answer.span, notes=(*answer.notes, *notes))


def _of_text(text: str, scale: Scale, keys: tuple[str, ...]) -> Iterator[Found[float]]:
    for line in find_lines(text, keys):
        yield from _on_line(line, scale)
    for bracketed in find_brackets(text):
        amount = read_amount(bracketed.content)
        if amount is not None:
            yield bracketed.doubt or _statement(
                amount, scale, Form.BRACKETS, bracketed.span, final=bracketed.final
            )
    for amount, span, doubt in find_scores(text):
        final = is_final(line_before(text, span[1]))
        yield doubt or _statement(amount, scale, Form.SENTENCE, span, final=final)
    whole = read_amount(text.strip())
    if whole is not None and not whole.remark:
        yield _statement(whole, scale, Form.ALONE, (0, len(text)))


def _on_line(line: LabelledLine, scale: Scale) -> Iterator[Found[float]]:
    amount = read_amount(line.value)
    if amount is None:
        return
    stated = _statement(amount, scale, Form.LINE, line.span, final=line.final)
    fits = not line.range or _fits(line.range, scale)
    yield stated if fits else Statement(Fault.WRONG_SCALE, Form.LINE, line.span, final=line.final)


def _fits(stated: str, scale: Scale) -> bool:
    """Whether the range behind a key is the scale; brackets that hold no range do not matter."""
    match = _RANGE.fullmatch(stated)
    if match is None:
        return True
    low = float(match["low"].replace(",", ".")) if match["low"] else scale.low
    return (low, float(match["high"].replace(",", "."))) == (scale.low, scale.high)


def _statement(
    amount: Amount, scale: Scale, form: Form, span: Span, *, final: bool = False
) -> Statement[float]:
    return Statement(amount.on(scale), form, span, amount.remark, final)
