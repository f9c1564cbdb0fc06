"""SEQUENTIAL: one after the other."""

from __future__ import annotations

import pytest

from agent_judge.coordination import TeamFormation, TeamStatus, TeamStop
from unit.coordination.team.agents import Saying, do, statuses, working

SEQUENTIAL = TeamFormation.SEQUENTIAL
ERROR = ValueError("no idea")


def test_each_member_gets_the_task_and_the_earlier_outputs() -> None:
    """The last output is the team's. (contract: loop:T4)"""
    ann, bob, cid = Saying("ann", "a"), Saying("bob", "b"), Saying("cid", "c")

    result = do(SEQUENTIAL, *working(ann, bob, cid))

    assert (result.output, result.status) == ("c", TeamStatus.COMPLETED)
    assert cid.tasks == ["the task"]
    assert [agent.contexts[0].outputs for agent in (ann, bob, cid)] == [(), ("a",), ("a", "b")]


def test_an_error_stops_the_row() -> None:
    """The last good output stays, and nobody after it is asked. (contract: loop:T4)"""
    last = Saying("cid", "c")

    result = do(SEQUENTIAL, *working(Saying("ann", "a"), Saying("bob", ERROR), last))

    assert (result.status, result.output) == (TeamStatus.PARTIAL, "a")
    assert result.stop_reason is TeamStop.MEMBER_FAILED
    assert not last.tasks


def test_an_error_of_the_first_leaves_nothing() -> None:
    """Then the team failed. (contract: loop:T4)"""
    result = do(SEQUENTIAL, *working(Saying("ann", ERROR), Saying("bob", "b")))

    assert (result.status, result.has_output) == (TeamStatus.FAILED, False)


def test_a_failed_member_can_be_skipped() -> None:
    """The next one gets what there is. (contract: loop:T4)"""
    cid = Saying("cid", "c")

    result = do(
        SEQUENTIAL, *working(Saying("ann", "a"), Saying("bob", ERROR), cid), on_error="skip"
    )

    assert (result.status, result.output) == (TeamStatus.PARTIAL, "c")
    assert result.stop_reason is TeamStop.FINISHED
    assert cid.contexts[0].outputs == ("a",)


def test_a_failed_member_can_be_asked_again() -> None:
    """Where that helps, nothing is missing. (contract: loop:T4)"""
    result = do(
        SEQUENTIAL, *working(Saying("ann", ERROR, "a"), Saying("bob", "b")), on_error="retry"
    )

    assert (result.status, result.output) == (TeamStatus.COMPLETED, "b")
    assert statuses(result) == [("ann", "failed"), ("ann", "done"), ("bob", "done")]


@pytest.mark.parametrize("retries", [1, 3])
def test_asking_again_has_a_bound(retries: int) -> None:
    """Then the row stops. (contract: loop:T4)"""
    ann = Saying("ann", ERROR)

    result = do(SEQUENTIAL, *working(ann, Saying("bob", "b")), on_error="retry", retries=retries)

    assert len(ann.tasks) == 1 + retries
    assert (result.status, result.stop_reason) == (TeamStatus.FAILED, TeamStop.MEMBER_FAILED)
    assert len(result.contributions) == 1 + retries


def test_too_few_successes_are_a_failure() -> None:
    """Also where somebody did well. (contract: loop:T4)"""
    result = do(SEQUENTIAL, *working(Saying("ann", "a"), Saying("bob", ERROR)), min_successes=2)

    assert (result.status, result.has_output) == (TeamStatus.FAILED, False)
