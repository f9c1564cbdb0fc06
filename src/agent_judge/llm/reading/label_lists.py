"""Reading one label for each of several questions: `1. Yes. 2. No.`, `Yes, No, Yes`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent_judge.errors import ArgumentError
from agent_judge.llm.reading.menus import Menu, is_hedged
from agent_judge.llm.reading.records import Fault, Form, Reading, Span, Unreadable
from agent_judge.llm.reading.replies import Part, open_reply
from agent_judge.llm.reading.statements import unreadable
from agent_judge.llm.reading.words import split_lines
from agent_judge.models.response import FinishReason

_NUMBER = re.compile(r"[\s,;]*+(?:[-+*•][ \t]+)?(?:(?P<number>[0-9]{1,3})[.):][ \t]*)?[*_`\"]{0,3}")
_END = re.compile(r"[*_`\"]{0,3}(?:[.!;…]+(?=\s|$)|[,:]|\s+[-\u2013—]+\s|\s*(?=\()|\s*$)")
_SENTENCE_END = re.compile(r"[.!?;](?=\s|$)")
_WORD = re.compile(r"\S")
_REMARK: Final = 60
"""How much of a remark is looked at to see whether it takes the label back."""


@dataclass(frozen=True, slots=True)
class _Item:
    label: str
    number: int | None
    span: Span


def read_labels(
    text: str,
    menu: Menu,
    *,
    count: int | None = None,
    finish_reason: FinishReason = FinishReason.UNREPORTED,
) -> Reading[tuple[str, ...]] | Unreadable:
    """Read the labels that a reply lists, in its order.

    Each line begins with a label; behind it comes punctuation, then the next one or a remark.
    Numbers before the labels have to count up from 1.

    Args:
        text: The reply.
        menu: The labels that it was asked to choose from.
        count: How many it was asked for, where that is known.
        finish_reason: Why it ended; nothing is read from one that is not complete.

    Raises:
        ArgumentError: A count below 1.

    Example:
        >>> menu = Menu(("yes", "no"))
        >>> read_labels("No, the context never mentions yes. No.", menu).value
        ('no', 'no')
        >>> read_labels("1. Yes. 3. No.", menu).fault
        <Fault.WRONG_COUNT: 'wrong_count'>
    """
    if count is not None and count < 1:
        raise ArgumentError(f"count must be at least 1, got {count}")
    reply = open_reply(text, finish_reason)
    if isinstance(reply, Unreadable):
        return reply

    def read(part: Part) -> Reading[tuple[str, ...]] | Unreadable:
        items = _read_lines(part.own.visible, menu)
        if isinstance(items, Fault):
            return unreadable(items, text)
        if not _is_counted(items, count):
            return unreadable(Fault.WRONG_COUNT, text)
        spans = tuple(item.span for item in items)
        labels = tuple(item.label for item in items)
        return part.explain(Reading(labels, Form.ALONE, spans=spans))

    return reply.read(read, lambda reading: reading.value)


def _read_lines(text: str, menu: Menu) -> list[_Item] | Fault:
    items: list[_Item] = []
    for start, end in split_lines(text):
        line = text[start:end]
        if not items and line.rstrip().endswith(":"):
            continue
        found = _read_line(line, start, menu)
        if isinstance(found, Fault):
            return found
        items += found
    return items or Fault.NO_VERDICT


def _read_line(line: str, start: int, menu: Menu) -> list[_Item] | Fault:
    """The labels of one line; what begins with none is a remark on the one before."""
    items: list[_Item] = []
    at = 0
    while _WORD.search(line, at):
        number = _NUMBER.match(line, at)
        assert number is not None
        label = menu.label_at(line, number.end())
        end = _END.match(line, label[1]) if label else None
        if label and end:
            span = (start + number.end(), start + label[1])
            items.append(_Item(label[0], int(number["number"] or 0) or None, span))
            at = end.end()
            if is_hedged(line[at : at + _REMARK]):
                return Fault.QUALIFIED
        elif items:
            remark = _SENTENCE_END.search(line, at)
            at = remark.end() if remark else len(line)
        else:
            return Fault.NO_VERDICT
    return items


def _is_counted(items: Sequence[_Item], count: int | None) -> bool:
    """Whether there are as many as were asked for, and their numbers say so too."""
    numbers = [item.number for item in items]
    numbered = any(number is not None for number in numbers)
    return count in (None, len(items)) and (not numbered or numbers == [*range(1, len(items) + 1)])
