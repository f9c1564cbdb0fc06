"""The events that a stream gives."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent_judge.coordination import (
    MemberEnded,
    MemberStarted,
    PlanAccepted,
    RoundStarted,
    SubTask,
    TeamEvent,
    TeamFormation,
    TeamRole,
    TeamStarted,
    TeamStopped,
)
from unit.coordination.team.agents import Saying, a_team, working


def streamed(*members: Any, formation: TeamFormation) -> list[TeamEvent]:
    """All events of a task."""

    async def listen() -> list[TeamEvent]:
        return [event async for event in a_team(formation, *members).stream("the task")]

    return asyncio.run(listen())


def test_a_stream_tells_of_everything_in_order() -> None:
    """From the beginning to the result, which it ends with."""
    plan = [SubTask("1", "Do it.", "ann")]

    events = streamed(
        (Saying("lead", plan, "merged"), TeamRole.LEAD),
        *working(Saying("ann", "a")),
        formation=TeamFormation.HIERARCHICAL,
    )

    assert [type(event) for event in events] == [
        TeamStarted,
        RoundStarted,
        MemberStarted,
        MemberEnded,
        PlanAccepted,
        MemberStarted,
        MemberEnded,
        MemberStarted,
        MemberEnded,
        TeamStopped,
    ]
    started, stopped = events[0], events[-1]
    assert isinstance(started, TeamStarted)
    assert isinstance(stopped, TeamStopped)
    assert (started.task, started.formation) == ("the task", TeamFormation.HIERARCHICAL)
    assert [mate.name for mate in started.members] == ["lead", "ann"]
    assert events[4] == PlanAccepted("lead", tuple(plan))
    ended = [event.contribution for event in events if isinstance(event, MemberEnded)]
    assert tuple(ended) == stopped.result.transcript


def test_events_cannot_change() -> None:
    """They are frozen records."""
    (first, *_) = streamed(*working(Saying("ann", "a")), formation=TeamFormation.PARALLEL)

    with pytest.raises(AttributeError):
        first.task = "another"  # type: ignore[misc, union-attr]


def test_what_leaves_a_team_leaves_its_stream() -> None:
    """After all that was told before."""
    told: list[TeamEvent] = []

    async def listen() -> None:
        team = a_team(TeamFormation.PARALLEL, *working(Saying("ann", KeyboardInterrupt())))
        async for event in team.stream("task"):
            told.append(event)  # noqa: PERF401 - what was told before it raises is wanted

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(listen())
    assert [type(event) for event in told] == [TeamStarted, RoundStarted, MemberStarted]
