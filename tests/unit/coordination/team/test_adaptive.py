"""ADAPTIVE: a function chooses."""

from __future__ import annotations

from typing import Any

import pytest

from agent_judge.coordination import (
    TeamFormation,
    Teammate,
    TeamRole,
    choose_formation,
)
from agent_judge.errors import ArgumentError
from unit.coordination.team.agents import Saying, a_team, do, working

ADAPTIVE = TeamFormation.ADAPTIVE
LEAD, MEMBER, FACILITATOR = TeamRole.LEAD, TeamRole.MEMBER, TeamRole.FACILITATOR


@pytest.mark.parametrize(
    ("roles", "formation"),
    [
        ([MEMBER], TeamFormation.SEQUENTIAL),
        ([LEAD], TeamFormation.SEQUENTIAL),
        ([MEMBER, FACILITATOR], TeamFormation.SEQUENTIAL),
        ([MEMBER, MEMBER], TeamFormation.PARALLEL),
        ([LEAD, LEAD, MEMBER], TeamFormation.PARALLEL),
        ([MEMBER, LEAD], TeamFormation.HIERARCHICAL),
        ([MEMBER, MEMBER, FACILITATOR], TeamFormation.DEBATE),
    ],
)
def test_the_choice_follows_from_the_roles(roles: list[TeamRole], formation: TeamFormation) -> None:
    """It is a function of task and members, and nothing else. (contract: loop:T7)"""
    members = [Teammate(str(index), role) for index, role in enumerate(roles)]

    assert choose_formation("task", members) is formation


def test_the_choice_is_recorded() -> None:
    """Beside what the team was made with. (contract: loop:T7)"""
    result = do(ADAPTIVE, *working(Saying("ann", "a"), Saying("bob", "b")))

    assert result.formation is TeamFormation.PARALLEL
    assert result.configured is ADAPTIVE
    assert "parallel, as was chosen" in result.report()


def test_the_function_can_be_replaced() -> None:
    """It is given the task and all members. (contract: loop:T7)"""
    asked: list[Any] = []

    def choose(task: str, members: Any) -> TeamFormation:
        asked.append((task, [member.name for member in members]))
        return TeamFormation.ROUND_ROBIN

    result = do(ADAPTIVE, *working(Saying("ann", "a")), choose=choose, max_rounds=1)

    assert result.formation is TeamFormation.ROUND_ROBIN
    assert asked == [("the task", ["ann"])]


@pytest.mark.parametrize(
    ("chosen", "fault"),
    [
        (ADAPTIVE, "another TeamFormation"),
        ("parallel", "another TeamFormation"),
        (TeamFormation.DEBATE, "DEBATE needs two members"),
        (TeamFormation.HIERARCHICAL, "exactly one LEAD"),
    ],
)
def test_a_choice_that_the_members_cannot_follow_is_refused(chosen: Any, fault: str) -> None:
    """Nothing else is done instead. (contract: loop:T7)"""
    ann = Saying("ann", "a")
    team = a_team(ADAPTIVE, *working(ann), choose=lambda *_: chosen)

    with pytest.raises(ArgumentError, match=fault):
        team.execute("task")
    assert not ann.tasks
