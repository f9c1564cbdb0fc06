"""Bracketed verdicts: `[[A>>B]]`, `[[7]]`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent_judge.llm.reading.leads import LOOK_BACK, is_quoting, last_sentence, lead_in
from agent_judge.llm.reading.records import Fault, Span
from agent_judge.llm.reading.statements import doubt, is_final, last_clause
from agent_judge.llm.reading.words import MARKUP

_BRACKETS = re.compile(r"\[\[([^\[\]\n]{1,80})\]\]")


@dataclass(frozen=True, slots=True)
class Bracketed:
    """What stands between double square brackets.

    Args:
        content: What stands there.
        span: Where, the brackets included.
        doubt: Why it is no verdict: denied, doubted, or said by another.
        final: Whether its line, or what introduces it, marks it as the final verdict.
    """

    content: str
    span: Span
    doubt: Fault | None
    final: bool


def find_brackets(text: str) -> Iterator[Bracketed]:
    """What a text says in double square brackets."""
    last, final = 0, False
    for match in _BRACKETS.finditer(text):
        start = match.start()
        _, broken, before = text[max(last, start - LOOK_BACK) : start].rpartition("\n")
        final = is_final(before) or (final and not broken)
        if not before.strip(MARKUP):
            final = final or is_final(lead_in(text, start))
        said = Fault.ATTRIBUTED if is_quoting(last_sentence(before)) else None
        yield Bracketed(match[1], match.span(), said or doubt(last_clause(before)), final)
        last = match.end()
