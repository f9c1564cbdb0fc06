"""Judges of answers that rest on retrieved passages, claim by claim.

Everything here is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent_judge.rag.grounding import FaithfulnessJudge, HallucinationJudge
    from agent_judge.rag.relevance import AnswerRelevanceJudge, ContextualRelevanceJudge
    from agent_judge.rag.retrieval import ContextPrecisionJudge, ContextRecallJudge

__all__ = [
    "AnswerRelevanceJudge",
    "ContextPrecisionJudge",
    "ContextRecallJudge",
    "ContextualRelevanceJudge",
    "FaithfulnessJudge",
    "HallucinationJudge",
]

_HOMES = {
    "grounding": ("FaithfulnessJudge", "HallucinationJudge"),
    "relevance": ("AnswerRelevanceJudge", "ContextualRelevanceJudge"),
    "retrieval": ("ContextPrecisionJudge", "ContextRecallJudge"),
}

_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
