"""The part that a member takes, and how the members of a team work together."""

from __future__ import annotations

from enum import Enum
from typing import Final


class TeamRole(Enum):
    """The part that a member takes.

    LEAD, CO_LEAD, MEMBER and EXPERT do the work. In HIERARCHICAL the lead plans and merges, and a
    co-lead takes over where the lead fails; elsewhere they work like the others. A REVIEWER gives
    notes on the merged output. A FACILITATOR speaks after each round and sums up, and has no vote.
    An OBSERVER is never asked.
    """

    LEAD = "lead"
    CO_LEAD = "co_lead"
    MEMBER = "member"
    EXPERT = "expert"
    REVIEWER = "reviewer"
    OBSERVER = "observer"
    FACILITATOR = "facilitator"

    @property
    def works(self) -> bool:
        """Whether it does some of the work itself."""
        return self in _WORKING


_WORKING: Final = frozenset(
    {TeamRole.LEAD, TeamRole.CO_LEAD, TeamRole.MEMBER, TeamRole.EXPERT},
)


class TeamFormation(Enum):
    """How the members work together.

    | formation | who works when | output |
    |---|---|---|
    | PARALLEL | all at once | a list of theirs, or what `merge` or a facilitator makes of them |
    | SEQUENTIAL | one after the other, each with the earlier outputs | the last good one |
    | HIERARCHICAL | the lead plans sub-tasks, members do them | what the lead merges them into |
    | DEBATE | in rounds, until they agree | the position that is held by all, or by most |
    | ROUND_ROBIN | in rounds, each with all that was said | the last good one, or as for PARALLEL |
    | ADAPTIVE | as a function of task and members chooses | as of the chosen one |
    """

    PARALLEL = "parallel"
    SEQUENTIAL = "sequential"
    HIERARCHICAL = "hierarchical"
    ADAPTIVE = "adaptive"
    DEBATE = "debate"
    ROUND_ROBIN = "round_robin"


class TeamPhase(Enum):
    """What a member is asked for."""

    PLAN = "plan"
    WORK = "work"
    FACILITATE = "facilitate"
    MERGE = "merge"
    REVIEW = "review"
