"""Deadlines, cancellation, and what is left behind."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from agent_judge.coordination import (
    Member,
    SubTask,
    Team,
    TeamContext,
    TeamFormation,
    TeamResult,
    TeamRole,
    TeamStatus,
    TeamStop,
)
from unit.coordination.team.agents import Saying, Stuck, a_team, do, statuses, working

SOON = 0.01


@pytest.mark.parametrize("formation", [*TeamFormation])
def test_a_team_ends_at_its_deadline_in_every_formation(formation: TeamFormation) -> None:
    """Whoever works is cancelled and awaited, and what was gathered stays. (contract: loop:T8)"""
    stuck = Stuck("stuck")
    plan = [SubTask("1", "x", "ann"), SubTask("2", "x", "stuck", after=("1",))]
    lead = Saying("lead", plan)

    result = do(formation, (lead, TeamRole.LEAD), *working(Saying("ann", "a"), stuck), timeout=SOON)

    assert (result.status, result.stop_reason) == (TeamStatus.TIMED_OUT, TeamStop.TIMED_OUT)
    assert stuck.cleaned == 1
    assert statuses(result) == [("lead", "done"), ("ann", "done"), ("stuck", "cancelled")]


@pytest.mark.parametrize(
    ("formation", "options", "output"),
    [
        (TeamFormation.PARALLEL, {}, ["a"]),
        (TeamFormation.PARALLEL, {"merge": len}, None),
        (TeamFormation.PARALLEL, {"min_successes": 2}, None),
        (TeamFormation.SEQUENTIAL, {}, "a"),
        (TeamFormation.ROUND_ROBIN, {}, "a"),
        (TeamFormation.DEBATE, {}, None),
    ],
)
def test_a_part_is_shown_where_it_is_one(
    formation: TeamFormation, options: dict[str, Any], output: Any
) -> None:
    """Never something that nobody merged or agreed to. (contract: loop:T8)"""
    result = do(formation, *working(Saying("ann", "a"), Stuck("stuck")), timeout=SOON, **options)

    assert (result.output, result.has_output) == (output, output is not None)


def test_a_member_ends_at_its_own_deadline() -> None:
    """Siblings go on, and the result says that time ran out. (contract: loop:T8)"""
    stuck = Stuck("stuck")

    result = do(TeamFormation.PARALLEL, Member(stuck, timeout=SOON), *working(Saying("ann", "a")))

    assert statuses(result) == [("stuck", "timed_out"), ("ann", "done")]
    assert (result.status, result.stop_reason) == (TeamStatus.TIMED_OUT, TeamStop.FINISHED)
    assert (result.output, stuck.cleaned) == (["a"], 1)
    assert "did not end within 0.01 s" in result.contributions[0].complaint


def test_a_limit_for_all_members_yields_to_ones_own() -> None:
    """`member_timeout` is a default. (contract: loop:T8)"""
    free = threading.Event()

    def waits(_: str, __: TeamContext) -> str:
        free.wait(60)
        return "w"

    async def frees(_: str, __: TeamContext) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            free.set()

    result = do(
        TeamFormation.PARALLEL, Member(waits, timeout=60), *working(frees), member_timeout=SOON
    )

    assert statuses(result) == [("waits", "done"), ("frees", "timed_out")]


def test_a_thread_that_is_late_is_left_behind_and_marked() -> None:
    """It cannot be stopped. (contract: loop:T8)"""
    free = threading.Event()

    def waits(_: str, __: TeamContext) -> None:
        free.wait(60)

    try:
        own = do(TeamFormation.PARALLEL, Member(waits, timeout=SOON))
        teams = do(TeamFormation.PARALLEL, *working(waits), timeout=SOON)
    finally:
        free.set()

    assert own.contributions[0].abandoned
    assert teams.contributions[0].abandoned
    assert statuses(teams) == [("waits", "cancelled")]


def test_a_lead_that_is_late_is_followed_by_the_co_lead() -> None:
    """Then nothing is missing. (contract: loop:T5, loop:T8)"""
    second = Saying("second", [SubTask("1", "x", "second")], "s", "merged")

    result = do(
        TeamFormation.HIERARCHICAL,
        Member(Stuck("lead"), TeamRole.LEAD, timeout=SOON),
        (second, TeamRole.CO_LEAD),
    )

    assert (result.status, result.output) == (TeamStatus.COMPLETED, "merged")


def test_a_late_review_shows_the_output_as_timed_out() -> None:
    """The work is there; the review is not. (contract: loop:T8)"""
    result = do(
        TeamFormation.SEQUENTIAL,
        *working(Saying("ann", "a")),
        (Stuck("rev"), TeamRole.REVIEWER),
        timeout=SOON,
    )

    assert (result.status, result.output) == (TeamStatus.TIMED_OUT, "a")


def test_a_member_that_ignores_cancellation_does_not_let_the_row_go_on() -> None:
    """Nobody is asked after the deadline. (contract: loop:T8)"""
    last = Saying("last", "c")

    async def deaf(_: str, __: TeamContext) -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "too late"
        return "never"

    result = do(TeamFormation.SEQUENTIAL, *working(Saying("ann", "a"), deaf, last), timeout=SOON)

    assert statuses(result) == [("ann", "done"), ("deaf", "cancelled")]
    assert not last.tasks


def test_a_member_that_fails_to_clean_up_does_not_let_the_row_go_on() -> None:
    """Neither past the deadline, nor past a cancellation. (contract: loop:T8, loop:T9)"""
    last = Saying("last", "c")

    async def clumsy(_: str, __: TeamContext) -> None:
        try:
            began.set()
            await asyncio.Event().wait()
        finally:
            raise ValueError("tripped")

    async def cancelled(team: Team) -> bool:
        task = asyncio.ensure_future(team.aexecute("task"))
        await began.wait()
        task.cancel()
        await asyncio.wait({task})
        return task.cancelled()

    began = asyncio.Event()
    row = working(Saying("ann", "a"), clumsy, last)
    result = do(TeamFormation.SEQUENTIAL, *row, timeout=SOON)
    assert statuses(result) == [("ann", "done"), ("clumsy", "cancelled")]

    began = asyncio.Event()
    assert asyncio.run(cancelled(a_team(TeamFormation.SEQUENTIAL, *row, on_error="skip")))
    assert not last.tasks


@pytest.mark.parametrize("whose", ["timeout", "member_timeout"])
def test_a_member_that_will_not_end_is_named_all_the_same(whose: str) -> None:
    """It is left behind, and marked. (contract: loop:T8)"""

    async def deaf(_: str, __: TeamContext) -> None:
        tasks.append(asyncio.current_task())
        while not freed.is_set():
            try:
                await freed.wait()
            except asyncio.CancelledError:
                continue

    async def inside() -> TeamResult:
        team = a_team(TeamFormation.PARALLEL, *working(deaf, Saying("ann", "a")), **{whose: SOON})
        result = await team.aexecute("task")
        freed.set()
        await asyncio.wait([task for task in tasks if task is not None])
        return result

    freed = asyncio.Event()
    tasks: list[asyncio.Task[Any] | None] = []
    result = asyncio.run(inside())

    said = "cancelled" if whose == "timeout" else "timed_out"
    assert statuses(result) == [("deaf", said), ("ann", "done")]
    assert result.contributions[0].abandoned


@pytest.mark.parametrize("formation", [*TeamFormation])
def test_cancellation_from_outside_cancels_and_awaits_the_members(
    formation: TeamFormation,
) -> None:
    """Then it goes through. (contract: loop:T9)"""

    async def cancelled() -> tuple[bool, int, int]:
        stuck = Stuck("stuck")
        plan = [SubTask("1", "x", "stuck")]
        team = a_team(formation, (Saying("lead", plan), TeamRole.LEAD), *working(stuck))
        task = asyncio.ensure_future(team.aexecute("task"))
        await stuck.began.wait()
        task.cancel()
        await asyncio.wait({task})
        return task.cancelled(), stuck.cleaned, len(asyncio.all_tasks())

    assert asyncio.run(cancelled()) == (True, 1, 1)


def test_whoever_stops_listening_stops_the_members() -> None:
    """They are cancelled and awaited. (contract: loop:T9)"""

    async def listened() -> tuple[int, int]:
        stuck = Stuck("stuck")
        events = a_team(TeamFormation.PARALLEL, *working(stuck)).stream("task")
        async for _ in events:
            if stuck.began.is_set():
                break
            await stuck.began.wait()
        await events.aclose()
        return stuck.cleaned, len(asyncio.all_tasks())

    assert asyncio.run(listened()) == (1, 1)
