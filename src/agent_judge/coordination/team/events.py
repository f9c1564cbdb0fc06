"""What happens in a team, as it happens: the events that `stream` gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from agent_judge.coordination.team.context import Teammate
from agent_judge.coordination.team.plans import SubTask
from agent_judge.coordination.team.records import Contribution
from agent_judge.coordination.team.result import TeamResult
from agent_judge.coordination.team.roles import TeamFormation, TeamPhase, TeamRole


@dataclass(frozen=True, slots=True)
class TeamStarted:
    """A team begins a task.

    Attributes:
        team_id: The team.
        task: The task.
        formation: How it works on it; for ADAPTIVE, what was chosen.
        members: All members, those who are not asked included.
    """

    team_id: str
    task: str
    formation: TeamFormation
    members: tuple[Teammate, ...]


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round begins."""

    number: int


@dataclass(frozen=True, slots=True)
class MemberStarted:
    """A member is about to be asked."""

    member: str
    role: TeamRole
    phase: TeamPhase
    round: int
    subtask: str | None = None


@dataclass(frozen=True, slots=True)
class MemberEnded:
    """A member answered, failed, or was stopped."""

    contribution: Contribution


@dataclass(frozen=True, slots=True)
class PlanAccepted:
    """The lead's plan can be carried out."""

    lead: str
    plan: tuple[SubTask, ...]


@dataclass(frozen=True, slots=True)
class TeamStopped:
    """A team ended its task; it is the last event."""

    result: TeamResult


TeamEvent: TypeAlias = (
    TeamStarted | RoundStarted | MemberStarted | MemberEnded | PlanAccepted | TeamStopped
)
"""Everything that `stream` gives."""
