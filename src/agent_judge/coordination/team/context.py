"""What a member is told beside its task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agent_judge.coordination.feedback import Feedback
from agent_judge.coordination.team.records import Contribution
from agent_judge.coordination.team.roles import TeamFormation, TeamPhase, TeamRole


@dataclass(frozen=True, slots=True)
class Teammate:
    """A member as the others know it."""

    name: str
    role: TeamRole


@dataclass(frozen=True, slots=True)
class TeamContext:
    """What a member is told beside its task.

    Attributes:
        team: The team's name.
        mission: What the team is for.
        task: The task of the whole team; a member of a hierarchical team is given a part of it.
        member: The name of who is asked.
        role: Its role.
        phase: What it is asked for.
        formation: How the team works on this task.
        round: Which round it is, from 1.
        members: All who do the work, who are also those to whom a lead can give sub-tasks.
        inputs: The contributions to build on: the earlier ones in SEQUENTIAL, those of the
            sub-tasks that had to come first, or all that is to be merged.
        transcript: Every contribution so far, also the failed ones, in the order in which they
            ended.
        draft: The merged output, for reviewers and for a revision; `None` before.
        notes: What the reviewers said, in a revision.
        feedback: What was said of the attempt before, where a coordinator sends the team back.
        fault: Why the lead's plan could not be used, where it is asked for another.
    """

    team: str
    mission: str
    task: str
    member: str
    role: TeamRole
    phase: TeamPhase
    formation: TeamFormation
    round: int
    members: tuple[Teammate, ...]
    inputs: tuple[Contribution, ...] = ()
    transcript: tuple[Contribution, ...] = ()
    draft: Any = None
    notes: tuple[Any, ...] = ()
    feedback: Feedback = Feedback.first()  # noqa: RUF009 - it cannot change
    fault: str | None = None

    @property
    def outputs(self) -> tuple[Any, ...]:
        """The outputs to build on."""
        return tuple([contribution.output for contribution in self.inputs])

    @property
    def is_revision(self) -> bool:
        """Whether the work is done once more, because of the reviewers' notes."""
        return bool(self.notes)
