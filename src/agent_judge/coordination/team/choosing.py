"""Choosing a formation for a task: a function of the task and the members, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from agent_judge.coordination.team.context import Teammate
from agent_judge.coordination.team.roles import TeamFormation, TeamRole

Choose: TypeAlias = Callable[[str, Sequence[Teammate]], TeamFormation]
"""Chooses how a team works on a task; equal arguments should give equal answers."""

_SEVERAL: Final = 2


def choose_formation(task: str, members: Sequence[Teammate]) -> TeamFormation:  # noqa: ARG001 - a chooser is told the task
    """Choose by the roles there are, whatever the task.

    A lead with others to lead makes it HIERARCHICAL, a facilitator with two or more to hear makes
    it DEBATE, one alone SEQUENTIAL, and anything else PARALLEL.

    Args:
        task: The task.
        members: All members.

    Example:
        >>> from agent_judge.coordination import TeamRole, Teammate
        >>> members = [Teammate("ann", TeamRole.LEAD), Teammate("bob", TeamRole.MEMBER)]
        >>> choose_formation("Add a flag", members)
        <TeamFormation.HIERARCHICAL: 'hierarchical'>
    """
    roles = [member.role for member in members]
    workers = sum(role.works for role in roles)
    if roles.count(TeamRole.LEAD) == 1 and workers >= _SEVERAL:
        return TeamFormation.HIERARCHICAL
    if TeamRole.FACILITATOR in roles and workers >= _SEVERAL:
        return TeamFormation.DEBATE
    return TeamFormation.SEQUENTIAL if workers == 1 else TeamFormation.PARALLEL
