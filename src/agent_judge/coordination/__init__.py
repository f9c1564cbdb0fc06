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
        TeamFailedError,
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
    from agent_judge.coordination.team.choosing import (
        choose_formation,
    )
    from agent_judge.coordination.team.context import (
        TeamContext,
        Teammate,
    )
    from agent_judge.coordination.team.events import (
        MemberEnded,
        MemberStarted,
        PlanAccepted,
        RoundStarted,
        TeamEvent,
        TeamStarted,
        TeamStopped,
    )
    from agent_judge.coordination.team.members import (
        Member,
    )
    from agent_judge.coordination.team.plans import (
        SubTask,
    )
    from agent_judge.coordination.team.records import (
        Contribution,
        ContributionStatus,
        MemberError,
        TeamStatus,
        TeamStop,
    )
    from agent_judge.coordination.team.result import (
        TeamResult,
    )
    from agent_judge.coordination.team.roles import (
        TeamFormation,
        TeamPhase,
        TeamRole,
    )
    from agent_judge.coordination.team.team import (
        Team,
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
    "Contribution",
    "ContributionStatus",
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
    "Member",
    "MemberEnded",
    "MemberError",
    "MemberStarted",
    "NotApprovedError",
    "Oscillation",
    "PlanAccepted",
    "Plateau",
    "PolicyContractError",
    "Produced",
    "RepeatedFailure",
    "RestoreError",
    "RoundStarted",
    "SnapshotError",
    "StopReason",
    "StopRule",
    "Style",
    "SubTask",
    "Team",
    "TeamBusyError",
    "TeamContext",
    "TeamEvent",
    "TeamFailedError",
    "TeamFormation",
    "TeamPhase",
    "TeamResult",
    "TeamRole",
    "TeamStarted",
    "TeamStateError",
    "TeamStatus",
    "TeamStop",
    "TeamStopped",
    "Teammate",
    "ThresholdJudgePolicy",
    "Unchanged",
    "UsageError",
    "chance_of_false_approval",
    "choose_formation",
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
        "TeamFailedError",
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
    "team.choosing": ("choose_formation",),
    "team.context": (
        "TeamContext",
        "Teammate",
    ),
    "team.events": (
        "MemberEnded",
        "MemberStarted",
        "PlanAccepted",
        "RoundStarted",
        "TeamEvent",
        "TeamStarted",
        "TeamStopped",
    ),
    "team.members": ("Member",),
    "team.plans": ("SubTask",),
    "team.records": (
        "Contribution",
        "ContributionStatus",
        "MemberError",
        "TeamStatus",
        "TeamStop",
    ),
    "team.result": ("TeamResult",),
    "team.roles": (
        "TeamFormation",
        "TeamPhase",
        "TeamRole",
    ),
    "team.team": ("Team",),
    "verdict": (
        "Decision",
        "JudgeVerdict",
    ),
}

__getattr__, __dir__ = exporting(__name__, _HOMES)
