"""Which sentences of an output claim something that its sources could say."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from agent_judge.judges.meaning.english import has_subject, is_english
from agent_judge.judges.meaning.passages import Passage, passages

_FENCE: Final = re.compile(r"\s*(?:```|~~~)")


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of an output, and what else is in it.

    Attributes:
        found: The claims, in order; one that is too long for the encoder is in several parts.
        left: How many sentences were no claims, by kind: `"short"`, `"question"`, `"lead-in"`,
            `"not English"`; and lines of `"code"` and `"heading"`.
    """

    found: tuple[Passage, ...]
    left: Counter[str]


def claims(text: str) -> Claims:
    """The claims of an output, as far as the form of a sentence tells."""
    left: Counter[str] = Counter()
    found: list[Passage] = []
    for passage in passages(prose(text, left)):
        kind = _kind(passage)
        if kind:
            left[kind] += 1
        else:
            found.append(passage)
    return Claims(tuple(found), +left)


def prose(text: str, left: Counter[str]) -> str:
    """A text without fenced code and headings, whose lines are counted."""
    kept: list[str] = []
    fenced = False
    for line in text.splitlines():
        fence = _FENCE.match(line) is not None
        if fenced or fence:
            left["code"] += not fence
            fenced ^= fence
        elif line.lstrip().startswith("#"):
            left["heading"] += 1
        else:
            kept.append(line.replace("**", "").replace("`", ""))
    return "\n".join(kept)


def _kind(passage: Passage) -> str | None:
    """What a sentence is instead of a claim."""
    if passage.text.endswith("?"):
        return "question"
    if passage.text.endswith(":"):
        return "lead-in"
    if not has_subject(passage.text):
        return "short"
    return None if is_english(passage.text) else "not English"
