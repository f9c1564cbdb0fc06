"""A judge that looks around in the workspace by itself, and has to show what it found."""

from __future__ import annotations

from agent_judge.llm.agentic.judge import AgenticJudge

__all__ = ["AgenticJudge"]
