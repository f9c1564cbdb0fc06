"""Judges of answers that rest on retrieved passages, claim by claim.

Everything here is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_judge.lazy import exporting

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

__getattr__, __dir__ = exporting(__name__, _HOMES)
