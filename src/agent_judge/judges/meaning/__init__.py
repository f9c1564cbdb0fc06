"""Judges of what an output means, by a small sentence encoder on this machine (extra `local`)."""

from __future__ import annotations

from agent_judge.judges.meaning.groundedness import GroundednessScreen
from agent_judge.judges.meaning.relevance import AnswerRelevanceScreen
from agent_judge.judges.meaning.similarity import SimilarityJudge

__all__ = ["AnswerRelevanceScreen", "GroundednessScreen", "SimilarityJudge"]
