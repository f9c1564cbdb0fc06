"""Reading the one label that a reply gives."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from agent_judge.context import MISSING, Missing
from agent_judge.frozen import Json
from agent_judge.llm.reading.brackets import find_brackets
from agent_judge.llm.reading.leads import is_of_another, lead_in
from agent_judge.llm.reading.lines import WORK_KEYS, LabelledLine, find_lines
from agent_judge.llm.reading.menus import Menu, is_hedged
from agent_judge.llm.reading.records import Fault, Form, Reading, Span, Unreadable
from agent_judge.llm.reading.replies import Answer, Part, open_reply
from agent_judge.llm.reading.sentences import doubt_of_sentence
from agent_judge.llm.reading.statements import Found, Statement, is_final, line_before, settle
from agent_judge.llm.reading.words import split_lines, unmarked
from agent_judge.models.response import FinishReason

_WORDS_OF_A_VALUE: Final = 4
"""A labelled line with more words says something about the verdict; it does not give one."""


def read_label(
    text: str,
    menu: Menu,
    *,
    finish_reason: FinishReason = FinishReason.UNREPORTED,
    structured: Json | Missing = MISSING,
) -> Reading[str] | Unreadable:
    """Read the label that a reply gives, in any of the forms of `agent_judge.llm.reading`.

    Args:
        text: The reply.
        menu: The labels that it was asked to choose from.
        finish_reason: Why it ended; nothing is read from one that is not complete.
        structured: The object that the backend gave beside the text, which is then not looked at.

    Example:
        >>> menu = Menu(("yes", "no"))
        >>> read_label("No, the context never mentions yesterday.", menu).value
        'no'
        >>> read_label("Answer: NOT SURE", menu).fault
        <Fault.OFF_MENU: 'off_menu'>
    """
    reply = open_reply(text, finish_reason, structured)
    if isinstance(reply, Unreadable):
        return reply

    def read(part: Part) -> Reading[str] | Unreadable:
        found = [*_of_object(part.answer, menu)]
        if part.own.speaks:
            found += _of_text(part.own.visible, menu)
        reading = settle(found, text)
        return part.explain(reading) if isinstance(reading, Reading) else reading

    return reply.read(read, lambda reading: reading.value)


def _of_object(answer: Answer | None, menu: Menu) -> Iterator[Found[str]]:
    """What the members with one of the keys say; one off the menu counts where none is on it."""
    if answer is None:
        return
    if answer.fault:
        yield Statement(answer.fault, answer.form, answer.span)
    labels = [_label_of(value, menu) for value in answer.give(menu.keys)]
    for label in [label for label in labels if label] or labels[:1]:
        yield Statement(label or Fault.OFF_MENU, answer.form, answer.span, notes=answer.notes)


def _label_of(value: Json, menu: Menu) -> str | None:
    """The label that a JSON value is: a string, or a number or boolean as JSON writes it."""
    match value:
        case bool():
            return menu.label_of(str(value).lower())
        case str() | int() | float():
            return menu.label_of(str(value))
        case _:
            return None


def _of_text(text: str, menu: Menu) -> Iterator[Found[str]]:
    lines = [(line, *menu.read_value(line.value)) for line in find_lines(text, menu.keys)]
    found = [
        *(
            Statement(label, Form.LINE, line.span, remark, line.final)
            for line, label, remark in lines
            if not isinstance(label, Fault)
        ),
        *_in_brackets(text, menu),
        *_in_sentences(text, menu),
        *_on_lines(text, menu),
    ]
    yield from found
    yield from _off_menu([(line, label) for line, label, _ in lines], found)


def _off_menu(
    lines: Sequence[tuple[LabelledLine, str | Fault]], found: Sequence[Found[str]]
) -> Iterator[Found[str]]:
    """Labelled lines without a label, unless another form or another key gives it."""
    keys = {line.key for line, label in lines if not isinstance(label, Fault)}
    starts = sorted(stated.span[0] for stated in found if isinstance(stated, Statement))
    for line, fault in lines:
        start, end = line.span
        if not isinstance(fault, Fault) or keys - {line.key} or _any_between(starts, start, end):
            continue
        prose = line.spoken or line.below or len(line.value.split()) > _WORDS_OF_A_VALUE
        yield (
            fault
            if prose or line.key in WORK_KEYS
            else Statement(fault, Form.LINE, line.span, final=line.final)
        )


def _any_between(starts: Sequence[int], start: int, end: int) -> bool:
    return bisect_left(starts, start) < bisect_left(starts, end)


def _in_brackets(text: str, menu: Menu) -> Iterator[Found[str]]:
    for bracketed in find_brackets(text):
        label = menu.label_of(bracketed.content)
        if label is not None:
            yield bracketed.doubt or Statement(
                label, Form.BRACKETS, bracketed.span, final=bracketed.final
            )


def _in_sentences(text: str, menu: Menu) -> Iterator[Found[str]]:
    for match in menu.sentences(text):
        label = menu.label_of(match["label"])
        assert label is not None
        final = is_final(line_before(text, match.start()))
        yield doubt_of_sentence(text, match.span()) or Statement(
            label, Form.SENTENCE, match.span(), final=final
        )


def _on_lines(text: str, menu: Menu) -> Iterator[Found[str]]:
    """Lines that are a label, and the label that the answer begins with."""
    first = True
    for start, end in split_lines(text):
        line = text[start:end]
        label = menu.label_of(unmarked(line)) if line.strip() else None
        if label is not None:
            lead = lead_in(text, start)
            yield (
                Fault.ATTRIBUTED
                if is_of_another(lead)
                else Statement(label, Form.ALONE, (start, end), final=is_final(lead))
            )
        elif first and line.strip():
            yield from _first_words(text, (start, end), menu)
        first = first and not line.strip()


def _first_words(text: str, span: Span, menu: Menu) -> Iterator[Found[str]]:
    """The label before the first punctuation of the answer, if it is not one of a list."""
    leading = menu.leading(text[slice(*span)])
    if leading is None or not leading.rest:
        return
    if menu.is_followed(leading.rest, listed=leading.listed) or any(
        other is not None and other.label != leading.label
        for other in (menu.leading(text[slice(*line)]) for line in split_lines(text, span[1]))
    ):
        yield Fault.CONFLICTING
    elif is_hedged(leading.rest):
        yield Fault.QUALIFIED
    else:
        start = span[0] + text[slice(*span)].index(leading.words)
        words = start, start + len(leading.words)
        yield Statement(leading.label, Form.FIRST_WORDS, words, leading.rest)
