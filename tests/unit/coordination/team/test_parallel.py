"""PARALLEL: everybody at once."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from agent_judge.coordination import (
    Contribution,
    Member,
    Produced,
    TeamContext,
    TeamFormation,
    TeamPhase,
    TeamRole,
    TeamStateError,
    TeamStatus,
    TeamStop,
)
from agent_judge.errors import MissingExtraError
from agent_judge.usage import Usage
from unit.coordination.team.agents import Saying, a_team, do, outputs_of, statuses, working

PARALLEL = TeamFormation.PARALLEL
ERROR = ValueError("no idea")


def test_siblings_of_a_member_that_raises_go_on() -> None:
    """The error is a value, and the contributions are in member order. (contract: loop:T3)"""
    result = do(PARALLEL, *working(Saying("ann", "a"), Saying("bob", ERROR), Saying("cid", "c")))

    assert result.status is TeamStatus.PARTIAL
    assert statuses(result) == [("ann", "done"), ("bob", "failed"), ("cid", "done")]
    assert result.output == ["a", "c"]
    assert result.contributions[1].error is ERROR
    assert result.contributions[1].complaint == "ValueError: no idea"


@pytest.mark.parametrize(
    ("well", "min_successes", "status"),
    [
        (3, 3, TeamStatus.COMPLETED),
        (2, 2, TeamStatus.PARTIAL),
        (2, 3, TeamStatus.FAILED),
        (1, 1, TeamStatus.PARTIAL),
        (0, 1, TeamStatus.FAILED),
    ],
)
def test_enough_members_have_to_do_well(well: int, min_successes: int, status: TeamStatus) -> None:
    """PARTIAL from `min_successes` up, else FAILED and no output. (contract: loop:T3)"""
    agents = [Saying(f"m{number}", "ok" if number < well else ERROR) for number in range(3)]

    result = do(PARALLEL, *working(*agents), min_successes=min_successes)

    assert result.status is status
    assert result.has_output is (status is not TeamStatus.FAILED)


def test_members_work_at_once() -> None:
    """Each waits until all are there."""
    barrier = threading.Barrier(5)

    def meets(_: str, __: TeamContext) -> int:
        return barrier.wait(timeout=60)

    members = [Member(lambda *given: meets(*given)) for _ in range(5)]  # noqa: PLW0108 - five agents

    assert sorted(do(PARALLEL, *members).output) == [0, 1, 2, 3, 4]


def test_contributions_keep_the_order_of_members_and_turns_that_of_ending() -> None:
    """The transcript tells who ended first. (contract: loop:T3, loop:T10)"""
    first_may_end = asyncio.Event()

    async def first(_: str, __: TeamContext) -> str:
        await first_may_end.wait()
        return "first"

    async def second(_: str, __: TeamContext) -> str:
        first_may_end.set()
        return "second"

    result = do(PARALLEL, *working(first, second))

    assert outputs_of(result) == ["first", "second"]
    assert [one.output for one in result.transcript] == ["second", "first"]


def test_none_is_an_output() -> None:
    """It is told from nothing."""
    result = do(PARALLEL, *working(Saying("ann", None)))

    assert result.output == [None]
    assert result.contributions[0].has_output


@pytest.mark.parametrize("is_async", [False, True])
def test_a_function_merges(is_async: bool) -> None:
    """It gets the contributions that were done, and may be async."""

    def joined(done: Any) -> str:
        return "+".join(one.output for one in done)

    async def ajoined(done: Any) -> str:
        await asyncio.sleep(0)
        return joined(done)

    result = do(
        PARALLEL,
        *working(Saying("ann", "a"), Saying("bob", ERROR), Saying("cid", "c")),
        merge=ajoined if is_async else joined,
    )

    assert result.output == "a+c"


def test_what_a_merging_function_raises_leaves() -> None:
    """It is the caller's own code, not a member's."""
    team = a_team(PARALLEL, *working(Saying("ann", "a")), merge=lambda _: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        team.execute("task")
    with pytest.raises(ZeroDivisionError):
        team.execute("and it is not busy")


def test_a_facilitator_sums_up() -> None:
    """It does not work itself, and is given what was done."""
    cid = Saying("cid", lambda context: "+".join(context.outputs))

    result = do(
        PARALLEL, (cid, TeamRole.FACILITATOR), *working(Saying("ann", "a"), Saying("bob", "b"))
    )

    assert result.output == "a+b"
    assert [context.phase for context in cid.contexts] == [TeamPhase.MERGE]


def test_what_a_facilitator_fails_to_sum_up_is_left_as_it_is() -> None:
    """The work is there; that something is missing shows."""
    result = do(
        PARALLEL, (Saying("cid", ERROR), TeamRole.FACILITATOR), *working(Saying("ann", "a"))
    )

    assert result.output == ["a"]
    assert result.status is TeamStatus.PARTIAL


def test_observers_are_never_asked() -> None:
    """They take no part."""
    observer = Saying("obs", "x")

    for formation in TeamFormation:
        do(
            formation,
            (observer, TeamRole.OBSERVER),
            (Saying("lead", "l"), TeamRole.LEAD),
            *working(Saying("ann", "a")),
        )

    assert not observer.tasks


def test_members_are_told_about_the_team() -> None:
    """Name, mission, task, role, formation, round and who works."""
    ann = Saying("ann", "a")

    do(PARALLEL, (ann, TeamRole.EXPERT), (Saying("rev", None), TeamRole.REVIEWER))

    (context,) = ann.contexts
    assert (context.team, context.mission, context.task) == ("the team", "Test teams.", "the task")
    assert (context.member, context.role, context.phase) == ("ann", TeamRole.EXPERT, TeamPhase.WORK)
    assert (context.formation, context.round) == (PARALLEL, 1)
    assert [mate.name for mate in context.members] == ["ann"]
    assert (context.inputs, context.transcript, context.notes) == ((), (), ())
    assert not context.feedback.is_retry


def test_what_members_consumed_is_added_up() -> None:
    """Where all of them say it; else it is unknown."""
    told = Saying("ann", Produced("a", Usage(total_tokens=3)))
    other = Saying("bob", Produced("b", Usage(total_tokens=4)))

    assert do(PARALLEL, *working(told, other)).usage == Usage(total_tokens=7)
    assert do(PARALLEL, *working(told, other)).output == ["a", "b"]
    assert do(PARALLEL, *working(told, Saying("cid", "c"))).usage is None


def test_what_is_no_usage_is_refused() -> None:
    """Nothing could be added up with it."""
    result = do(PARALLEL, *working(Saying("ann", Produced("a", 5)), Saying("bob", "b")))  # type: ignore[arg-type]

    assert statuses(result) == [("ann", "failed"), ("bob", "done")]
    assert "which is no Usage" in result.contributions[0].complaint


def test_a_member_that_raises_cancellation_by_itself_failed() -> None:
    """Nobody cancelled it."""
    result = do(PARALLEL, *working(Saying("ann", asyncio.CancelledError()), Saying("bob", "b")))

    assert statuses(result) == [("ann", "failed"), ("bob", "done")]
    assert "without having been cancelled" in result.contributions[0].complaint


@pytest.mark.parametrize("raised", [KeyboardInterrupt(), SystemExit(3), MemoryError()])
def test_what_is_nobodys_failure_leaves_at_once(raised: BaseException) -> None:
    """It is never a contribution."""
    team = a_team(PARALLEL, *working(Saying("ann", raised), Saying("bob", "b")))

    with pytest.raises(type(raised)):
        team.execute("task")


@pytest.mark.parametrize("raised", [TeamStateError("not started"), MissingExtraError("install")])
def test_the_callers_mistake_leaves(raised: Exception) -> None:
    """Such as an inner team that was not started."""
    team = a_team(PARALLEL, *working(Saying("ann", raised)))

    with pytest.raises(type(raised)):
        team.execute("task")


def test_a_team_may_be_a_member_of_another() -> None:
    """Its result is then the contribution."""
    inner = a_team(PARALLEL, *working(Saying("ann", "a")))

    async def delegates(task: str, _: TeamContext) -> Any:
        return (await inner.aexecute(task)).output

    assert do(TeamFormation.SEQUENTIAL, *working(delegates)).output == ["a"]


def test_the_work_of_a_parallel_team_ends_when_all_were_asked() -> None:
    """Also where some failed."""
    result = do(PARALLEL, *working(Saying("ann", ERROR), Saying("bob", "b")))

    assert result.stop_reason is TeamStop.FINISHED
    assert (result.rounds, result.consensus, result.plan) == (1, None, ())
    assert all(isinstance(one, Contribution) for one in result.contributions)
