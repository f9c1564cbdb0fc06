"""Judges that run commands, contained: `CommandJudge` and `BuildSuccessJudge`."""

from __future__ import annotations

from agent_judge.judges.process.build import BuildSuccessJudge
from agent_judge.judges.process.command import CommandJudge
from agent_judge.judges.process.isolation import Isolation, IsolationUnavailableError, Limits

__all__ = [
    "BuildSuccessJudge",
    "CommandJudge",
    "Isolation",
    "IsolationUnavailableError",
    "Limits",
]
