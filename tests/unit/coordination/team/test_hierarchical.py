"""HIERARCHICAL: plan, do, merge."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.coordination import (
    SubTask,
    TeamContext,
    TeamFormation,
    TeamPhase,
    TeamResult,
    TeamRole,
    TeamStatus,
    TeamStop,
)
from agent_judge.coordination.team.plans import MAX_SUBTASKS, faults_of
from agent_judge.coordination.team.reading import PlanError, read_plan
from agent_judge.errors import ArgumentTypeError
from unit.coordination.team.agents import Saying, do, statuses, working

HIERARCHICAL = TeamFormation.HIERARCHICAL
ERROR = ValueError("no idea")
PLAN = [
    SubTask("read", "Read it.", "ann"),
    SubTask("run", "Run it.", "bob"),
    SubTask("mend", "Mend it.", "ann", after=("read", "run")),
]


def lead(*outputs: Any) -> tuple[Saying, TeamRole]:
    """Who leads."""
    return Saying("lead", *outputs), TeamRole.LEAD


def led(
    *outputs: Any, ann: Any = "a", bob: Any = "b", members: Any = (), **options: Any
) -> TeamResult:
    """What a team of a lead, ann and bob makes of a task."""
    agents = working(Saying("ann", ann), Saying("bob", bob))
    return do(HIERARCHICAL, lead(*outputs), *members, *agents, **options)


def test_the_lead_plans_members_do_and_the_lead_merges() -> None:
    """Members get their part, and what it needs. (contract: loop:T5)"""
    leader = Saying("lead", PLAN, lambda context: "+".join(context.outputs))
    ann, bob = Saying("ann", "a1", "a2"), Saying("bob", "b")

    result = do(HIERARCHICAL, (leader, TeamRole.LEAD), *working(ann, bob))

    assert (result.status, result.output) == (TeamStatus.COMPLETED, "a1+b+a2")
    assert ann.tasks == ["Read it.", "Mend it."]
    assert ann.contexts[1].outputs == ("a1", "b")
    assert ann.contexts[1].task == "the task"
    assert [context.phase for context in leader.contexts] == [TeamPhase.PLAN, TeamPhase.MERGE]
    assert result.plan == tuple(PLAN)


def test_independent_sub_tasks_are_done_at_once() -> None:
    """Each waits until the other has begun. (contract: loop:T5)"""
    here, there = asyncio.Event(), asyncio.Event()

    async def ann(_: str, __: TeamContext) -> str:
        here.set()
        await there.wait()
        return "a"

    async def bob(_: str, __: TeamContext) -> str:
        there.set()
        await here.wait()
        return "b"

    result = do(HIERARCHICAL, lead(PLAN[:2], "merged"), *working(ann, bob))

    assert (result.status, result.output) == (TeamStatus.COMPLETED, "merged")


def test_a_member_does_one_thing_at_a_time() -> None:
    """Agents need not be made for several conversations at once."""
    at_work = 0

    async def ann(_: str, __: TeamContext) -> int:
        nonlocal at_work
        at_work += 1
        try:
            await asyncio.sleep(0)
            return at_work
        finally:
            at_work -= 1

    plan = [SubTask(str(number), "Do it.", "ann") for number in range(5)]
    result = do(HIERARCHICAL, lead(plan, lambda context: [*context.outputs]), *working(ann))

    assert result.output == [1] * 5


def test_what_needs_a_failed_sub_task_is_skipped() -> None:
    """The rest goes on and is merged. (contract: loop:T5)"""
    result = led(PLAN, lambda context: [*context.outputs], bob=ERROR)

    assert (result.status, result.output) == (TeamStatus.PARTIAL, ["a"])
    assert [(one.subtask, one.status.value) for one in result.contributions[1:4]] == [
        ("read", "done"),
        ("run", "failed"),
        ("mend", "skipped"),
    ]
    assert "needs the sub-task 'run'" in result.contributions[3].complaint


def test_skipping_goes_all_the_way() -> None:
    """Also what needs something skipped is; a plan need not be in order."""
    plan = [
        SubTask("3", "Do it.", "ann", after=("2",)),
        SubTask("2", "Do it.", "ann", after=("1",)),
        SubTask("1", "Do it.", "ann"),
    ]
    result = led(plan, ann=ERROR)

    assert result.status is TeamStatus.FAILED
    assert result.stop_reason is TeamStop.MEMBER_FAILED
    assert sorted(statuses(result)[1:]) == [
        ("ann", "failed"),
        ("ann", "skipped"),
        ("ann", "skipped"),
    ]


@pytest.mark.parametrize(
    ("plan", "fault"),
    [
        ([SubTask("1", "Do it.", "zoe")], "'zoe', who is not among"),
        ([SubTask("1", "Do it.", "rev")], "'rev', who is not among"),
        (
            [SubTask("1", "x", "ann", after=("2",)), SubTask("2", "x", "bob", after=("1",))],
            "'1', '2' wait for one another in a cycle",
        ),
        ([SubTask("1", "x", "ann", after=("1",))], "in a cycle"),
        ([SubTask("1", "x", "ann", after=("9",))], "comes after '9', which is none"),
        ([SubTask("1", "x", "ann"), SubTask("1", "y", "bob")], "the same id"),
        ([SubTask("1", " ", "ann")], "blank id or task"),
        ([], "no sub-tasks"),
        ("no plan today", "no JSON object can be read"),
        (None, "it is none"),
        (7, "it is none"),
        ([7], "subtasks[0] is none"),
        ([{"id": "1", "task": "x"}], "lacks ['member']"),
        ([{"id": "1", "task": "x", "member": "ann", "who": 1}], "unknown ['who']"),
        ([{"id": 1, "task": "x", "member": "ann"}], "subtask.id must be a string"),
    ],
)
def test_a_plan_with_a_fault_is_asked_for_once_more(plan: Any, fault: str) -> None:
    """The lead is told what is wrong. (contract: loop:T5)"""
    leader = Saying("lead", plan, PLAN, "merged")

    result = do(
        HIERARCHICAL,
        (leader, TeamRole.LEAD),
        *working(Saying("ann", "a"), Saying("bob", "b")),
        (Saying("rev", None), TeamRole.REVIEWER),
    )

    assert (result.status, result.output) == (TeamStatus.COMPLETED, "merged")
    assert leader.contexts[0].fault is None
    assert fault in str(leader.contexts[1].fault)
    assert statuses(result)[:2] == [("lead", "refused"), ("lead", "done")]


def test_a_lead_whose_plan_has_a_fault_twice_has_failed() -> None:
    """Without a co-lead, so has the team. (contract: loop:T5)"""
    result = led("no plan", "still none", PLAN)

    assert (result.status, result.stop_reason) == (TeamStatus.FAILED, TeamStop.LEAD_FAILED)
    assert statuses(result) == [("lead", "refused"), ("lead", "refused")]


@pytest.mark.parametrize("outputs", [[ERROR], ["no plan"]])
def test_the_co_lead_takes_over_the_plan(outputs: list[Any]) -> None:
    """And leads on from there; nothing is missing. (contract: loop:T5)"""
    second = Saying("second", PLAN, "merged by second")

    result = led(*outputs, members=[(second, TeamRole.CO_LEAD)])

    assert (result.status, result.output) == (TeamStatus.COMPLETED, "merged by second")


def test_the_co_lead_takes_over_the_merge() -> None:
    """It sees what the members made. (contract: loop:T5)"""
    second = Saying("second", lambda context: [*context.outputs])

    result = led(PLAN, ERROR, members=[(second, TeamRole.CO_LEAD)])

    assert (result.status, result.output) == (TeamStatus.COMPLETED, ["a", "b", "a"])


def test_work_that_nobody_merges_is_no_result() -> None:
    """What the members made is in the contributions. (contract: loop:T5)"""
    result = led(PLAN, ERROR, members=[(Saying("second", ERROR), TeamRole.CO_LEAD)])

    assert (result.status, result.stop_reason) == (TeamStatus.FAILED, TeamStop.LEAD_FAILED)
    assert not result.has_output
    assert [one.output for one in result.contributions if one.subtask] == ["a", "b", "a"]


@pytest.mark.parametrize(
    "said",
    [
        '{"subtasks": [{"id": "1", "task": "Do it.", "member": "ann", "after": []}]}',
        'Here it is:\n\n{"subtasks": [{"id": "1", "task": "Do it.", "member": "ann"}]}',
        {"subtasks": [{"id": "1", "task": "Do it.", "member": "ann"}]},
        [{"id": "1", "task": "Do it.", "member": "ann"}],
        (SubTask("1", "Do it.", "ann"),),
    ],
)
def test_a_plan_of_any_shape_is_read(said: Any) -> None:
    """A model's reply, JSON values, or records."""
    assert read_plan(said) == (SubTask("1", "Do it.", "ann"),)


@pytest.mark.parametrize("after", ["12", None, [1], 5])
def test_the_needs_of_a_sub_task_are_names(after: Any) -> None:
    """A string is not a list of them."""
    with pytest.raises(ArgumentTypeError, match=r"subtask\.after"):
        SubTask("1", "Do it.", "ann", after)
    with pytest.raises(PlanError):
        read_plan([{"id": "1", "task": "Do it.", "member": "ann", "after": after}])


def test_a_plan_that_ran_away_is_refused() -> None:
    """Before its graph is looked at."""
    plan = [SubTask(str(number), "Do it.", "ann") for number in range(MAX_SUBTASKS + 1)]

    assert [*faults_of(plan, ["ann"])] == ["it has 1001 sub-tasks; there may be 1000"]


@given(st.lists(st.sets(st.integers(0, 7)), min_size=1, max_size=8), st.randoms())
def test_a_plan_is_carried_out_exactly_where_it_has_no_cycle(
    needs: list[set[int]], random: Any
) -> None:
    """Whatever its order, each sub-task once, and after all that it needs. (contract: loop:T5)"""
    count = len(needs)
    plan = [
        SubTask(
            str(index),
            "Do it.",
            random.choice(["ann", "bob"]),
            tuple(f"{n}" for n in after if n < count),
        )
        for index, after in enumerate(needs)
    ]
    reachable: set[str] = set()
    while more := [one for one in plan if one.id not in reachable and {*one.after} <= reachable]:
        reachable |= {one.id for one in more}

    result = led(plan, plan if len(reachable) < count else "merged", "merged")

    if len(reachable) < count:
        assert result.stop_reason is TeamStop.LEAD_FAILED
        return
    done = [one.subtask for one in result.transcript if one.subtask is not None]
    assert sorted(done) == sorted(reachable)
    assert all(done.index(need) < done.index(one.id) for one in plan for need in one.after)
