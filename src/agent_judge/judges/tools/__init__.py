"""Judges of the tools that an agent called."""

from __future__ import annotations

from agent_judge.judges.tools.calls import ToolCallsJudge
from agent_judge.judges.tools.given import ToolArgumentsJudge
from agent_judge.judges.tools.limits import (
    RepeatedCallsJudge,
    ToolErrorsJudge,
    ToolNotCalledJudge,
)

__all__ = [
    "RepeatedCallsJudge",
    "ToolArgumentsJudge",
    "ToolCallsJudge",
    "ToolErrorsJudge",
    "ToolNotCalledJudge",
]
