"""Judges of the text that a run gave."""

from __future__ import annotations

from agent_judge.judges.text.contains import ContainsJudge
from agent_judge.judges.text.equals import EqualsJudge
from agent_judge.judges.text.length import LengthJudge
from agent_judge.judges.text.ngrams import BleuJudge, ChrfJudge
from agent_judge.judges.text.number import NumberJudge
from agent_judge.judges.text.regex import RegexJudge
from agent_judge.judges.text.similarity import TextSimilarityJudge

__all__ = [
    "BleuJudge",
    "ChrfJudge",
    "ContainsJudge",
    "EqualsJudge",
    "LengthJudge",
    "NumberJudge",
    "RegexJudge",
    "TextSimilarityJudge",
]
