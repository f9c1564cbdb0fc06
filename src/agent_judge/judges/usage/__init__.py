"""Judges of what a run consumed: `ElapsedJudge`, `TokensJudge`, `CostJudge`, `StepsJudge`."""

from __future__ import annotations

from agent_judge.judges.usage.limits import CostJudge, ElapsedJudge, StepsJudge, TokensJudge

__all__ = ["CostJudge", "ElapsedJudge", "StepsJudge", "TokensJudge"]
