"""What a run has to judge a grounded answer by: a question, an answer, passages, a reference.

What the metadata says explicitly goes first: `question`, `answer` and `context`, which is a text or
a list of texts. Else the goal is the question, the output the answer, and the sources are the
passages, in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final

from agent_judge.context import MISSING, JudgmentContext
from agent_judge.frozen import Json
from agent_judge.judgment import Judgment, ReasonCode
from agent_judge.llm.exhibits import Exhibit, as_shown, exhibits


class Material(Enum):
    """A part of what a grounded answer is judged by."""

    QUESTION = "question"
    ANSWER = "answer"
    CONTEXT = "context"
    REFERENCE = "expected answer"


def materials(material: Material, context: JudgmentContext) -> tuple[Exhibit, ...]:
    """What a run has of a material, piece by piece; blank pieces are none."""
    return tuple(one for one in _READERS[material](context) if one.text.strip())


def lacking(context: JudgmentContext, *needed: Material) -> Judgment | None:
    """ABSTAIN where the run lacks something that is needed, so that no model is asked."""
    absent = [material.value for material in needed if not materials(material, context)]
    if not absent:
        return None
    return Judgment.abstaining(
        f"nothing to judge: the run has no {', no '.join(absent)}", code=ReasonCode.MISSING_INPUT
    )


def _question(context: JudgmentContext) -> tuple[Exhibit, ...]:
    return _explicit("question", context) or exhibits("goal", context)


def _answer(context: JudgmentContext) -> tuple[Exhibit, ...]:
    return _explicit("answer", context) or exhibits("output", context)


def _passages(context: JudgmentContext) -> tuple[Exhibit, ...]:
    given = context.metadata.get("context", MISSING)
    if given is MISSING:
        return exhibits("sources", context)
    passages: tuple[Json, ...] = given if isinstance(given, tuple) else (given,)
    numbered = enumerate(passages, 1)
    return tuple(Exhibit(f"source-{number}", as_shown(text)) for number, text in numbered)


def _reference(context: JudgmentContext) -> tuple[Exhibit, ...]:
    return exhibits("expected", context)


def _explicit(name: str, context: JudgmentContext) -> tuple[Exhibit, ...]:
    given = context.metadata.get(name, MISSING)
    return () if given is MISSING else (Exhibit(name, as_shown(given)),)


_READERS: Final[Mapping[Material, Callable[[JudgmentContext], tuple[Exhibit, ...]]]] = {
    Material.QUESTION: _question,
    Material.ANSWER: _answer,
    Material.CONTEXT: _passages,
    Material.REFERENCE: _reference,
}
