"""What a team was made of, once and for all its executions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from agent_judge.coordination.team.choosing import Choose
from agent_judge.coordination.team.context import Teammate
from agent_judge.coordination.team.members import AskedMember
from agent_judge.coordination.team.positions import Position
from agent_judge.coordination.team.records import Contribution
from agent_judge.coordination.team.roles import TeamFormation, TeamRole

OnError: TypeAlias = Literal["stop", "skip", "retry"]
"""What a sequential team does where a member fails: end there, go on without it, or ask it again
and end there if that fails too."""

Speaking: TypeAlias = Literal["in_turn", "at_once"]
"""Whether debaters hear those who spoke before them in the same round."""

Merge: TypeAlias = Callable[[Sequence[Contribution]], Awaitable[Any] | Any]
"""Makes the team's output of the contributions that were done; sync or async."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a team works, beside its formation.

    Attributes:
        timeout: Seconds for a task.
        member_timeout: Seconds for a member each time, where it has no limit of its own.
        min_successes: How many members have to do well for PARTIAL.
        on_error: What a sequential team does where a member fails.
        retries: How often a member is asked again, with `"retry"`.
        max_rounds: How many rounds of debate or round robin there are at most.
        speaking: Whether debaters speak one after the other, or at once.
        position: Reads the position out of what a debater said.
        merge: Makes the output of the contributions.
        choose: Chooses the formation of an adaptive team.
        revise: Whether the work is done once more where reviewers have notes.
    """

    timeout: float | None
    member_timeout: float | None
    min_successes: int
    on_error: OnError
    retries: int
    max_rounds: int
    speaking: Speaking
    position: Position
    merge: Merge | None
    choose: Choose
    revise: bool


@dataclass(frozen=True, slots=True)
class Blueprint:
    """A team's name, formation, members and options."""

    id: str
    name: str
    mission: str
    formation: TeamFormation
    members: tuple[AskedMember, ...]
    options: Options

    @property
    def teammates(self) -> tuple[Teammate, ...]:
        """All members, as others know them."""
        return tuple([member.teammate for member in self.members])

    @property
    def workers(self) -> tuple[AskedMember, ...]:
        """Those who do the work."""
        return tuple([member for member in self.members if member.role.works])

    @property
    def leaders(self) -> tuple[AskedMember, ...]:
        """The lead, then the co-leads who would take over."""
        return (*self.of(TeamRole.LEAD), *self.of(TeamRole.CO_LEAD))

    def of(self, role: TeamRole) -> tuple[AskedMember, ...]:
        """Those who have a role."""
        return tuple([member for member in self.members if member.role is role])
