"""The judging loop: attempt, verdict, feedback, next attempt, until the work is done.

Everything here is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_judge.lazy import exporting

if TYPE_CHECKING:
    from agent_judge.coordination.account import chance_of_false_approval
    from agent_judge.coordination.attempts import (
        Attempt,
        Produced,
    )
    from agent_judge.coordination.budget import (
        Budget,
    )
    from agent_judge.coordination.commands import CommandExecutor
    from agent_judge.coordination.context import (
        JudgeContext,
    )
    from agent_judge.coordination.coordinator import (
        JudgeCoordinator,
    )
    from agent_judge.coordination.errors import (
        JournalError,
        JudgeFailedError,
        NotApprovedError,
        PolicyContractError,
        RestoreError,
        SnapshotError,
        TeamBusyError,
        TeamStateError,
        UsageError,
    )
    from agent_judge.coordination.events import (
        AttemptExecuted,
        AttemptJudged,
        AttemptStarted,
        LoopEvent,
        LoopStarted,
        LoopStopped,
    )
    from agent_judge.coordination.executing import (
        AttemptTimeoutError,
        Executor,
    )
    from agent_judge.coordination.feedback import (
        Feedback,
    )
    from agent_judge.coordination.formatting import Style, format_feedback
    from agent_judge.coordination.journal import Journal
    from agent_judge.coordination.judged import judged
    from agent_judge.coordination.policies.combined import AllOf, FirstOf
    from agent_judge.coordination.policies.jury import (
        JuryPolicy,
    )
    from agent_judge.coordination.policies.llm import LLMJudgePolicy
    from agent_judge.coordination.policies.threshold import (
        ThresholdJudgePolicy,
    )
    from agent_judge.coordination.policy import (
        JudgePolicy,
    )
    from agent_judge.coordination.result import (
        CoordinationResult,
    )
    from agent_judge.coordination.stops import (
        Oscillation,
        Plateau,
        RepeatedFailure,
        StopReason,
        StopRule,
        Unchanged,
    )
    from agent_judge.coordination.verdict import (
        Decision,
        JudgeVerdict,
    )

__all__ = [
    "AllOf",
    "Attempt",
    "AttemptExecuted",
    "AttemptJudged",
    "AttemptStarted",
    "AttemptTimeoutError",
    "Budget",
    "CommandExecutor",
    "CoordinationResult",
    "Decision",
    "Executor",
    "Feedback",
    "FirstOf",
    "Journal",
    "JournalError",
    "JudgeContext",
    "JudgeCoordinator",
    "JudgeFailedError",
    "JudgePolicy",
    "JudgeVerdict",
    "JuryPolicy",
    "LLMJudgePolicy",
    "LoopEvent",
    "LoopStarted",
    "LoopStopped",
    "NotApprovedError",
    "Oscillation",
    "Plateau",
    "PolicyContractError",
    "Produced",
    "RepeatedFailure",
    "RestoreError",
    "SnapshotError",
    "StopReason",
    "StopRule",
    "Style",
    "TeamBusyError",
    "TeamStateError",
    "ThresholdJudgePolicy",
    "Unchanged",
    "UsageError",
    "chance_of_false_approval",
    "format_feedback",
    "judged",
]

_HOMES = {
    "account": ("chance_of_false_approval",),
    "attempts": (
        "Attempt",
        "Produced",
    ),
    "budget": ("Budget",),
    "commands": ("CommandExecutor",),
    "context": ("JudgeContext",),
    "coordinator": ("JudgeCoordinator",),
    "errors": (
        "JournalError",
        "JudgeFailedError",
        "NotApprovedError",
        "PolicyContractError",
        "RestoreError",
        "SnapshotError",
        "TeamBusyError",
        "TeamStateError",
        "UsageError",
    ),
    "events": (
        "AttemptExecuted",
        "AttemptJudged",
        "AttemptStarted",
        "LoopEvent",
        "LoopStarted",
        "LoopStopped",
    ),
    "executing": (
        "AttemptTimeoutError",
        "Executor",
    ),
    "feedback": ("Feedback",),
    "formatting": ("Style", "format_feedback"),
    "journal": ("Journal",),
    "judged": ("judged",),
    "policies.combined": ("AllOf", "FirstOf"),
    "policies.jury": ("JuryPolicy",),
    "policies.llm": ("LLMJudgePolicy",),
    "policies.threshold": ("ThresholdJudgePolicy",),
    "policy": ("JudgePolicy",),
    "result": ("CoordinationResult",),
    "stops": (
        "Oscillation",
        "Plateau",
        "RepeatedFailure",
        "StopReason",
        "StopRule",
        "Unchanged",
    ),
    "verdict": (
        "Decision",
        "JudgeVerdict",
    ),
}

__getattr__, __dir__ = exporting(__name__, _HOMES)
