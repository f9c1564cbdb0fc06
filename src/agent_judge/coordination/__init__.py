"""The judging loop: attempt, verdict, feedback, next attempt, until the work is done.

Everything here is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_judge.lazy import exporting

if TYPE_CHECKING:
    from agent_judge.coordination.context import JudgeContext
    from agent_judge.coordination.errors import (
        JudgeFailedError,
        PolicyContractError,
        TeamBusyError,
        TeamStateError,
        UsageError,
    )
    from agent_judge.coordination.feedback import Feedback
    from agent_judge.coordination.policy import JudgePolicy
    from agent_judge.coordination.verdict import Decision, JudgeVerdict

__all__ = [
    "Decision",
    "Feedback",
    "JudgeContext",
    "JudgeFailedError",
    "JudgePolicy",
    "JudgeVerdict",
    "PolicyContractError",
    "TeamBusyError",
    "TeamStateError",
    "UsageError",
]

_HOMES = {
    "context": ("JudgeContext",),
    "errors": (
        "JudgeFailedError",
        "PolicyContractError",
        "TeamBusyError",
        "TeamStateError",
        "UsageError",
    ),
    "feedback": ("Feedback",),
    "policy": ("JudgePolicy",),
    "verdict": ("Decision", "JudgeVerdict"),
}

__getattr__, __dir__ = exporting(__name__, _HOMES)
