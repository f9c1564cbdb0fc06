"""What a team is made of, and when it works."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent_judge.coordination import (
    Member,
    Team,
    TeamBusyError,
    TeamContext,
    TeamFormation,
    TeamRole,
    TeamStateError,
)
from agent_judge.errors import ArgumentError, ArgumentTypeError
from unit.coordination.team.agents import Saying, Stuck, a_team, do, working

ANN, BOB = Saying("ann", "a"), Saying("bob", "b")
PARALLEL = TeamFormation.PARALLEL


def faults(**given: Any) -> list[str]:
    """What a team is refused for."""
    options: dict[str, Any] = {
        "name": "t",
        "mission": "m",
        "formation": PARALLEL,
        "members": working(ANN, BOB),
    }
    with pytest.raises(ArgumentError) as refused:
        Team(**{**options, **given})
    return str(refused.value).split("\n- ")[1:]


def test_every_fault_is_listed_at_once() -> None:
    """One message names all that is wrong. (contract: loop:T1)"""
    found = faults(
        name=" ",
        mission="",
        formation=TeamFormation.HIERARCHICAL,
        members=[(ANN, TeamRole.OBSERVER), (ANN, TeamRole.REVIEWER)],
        timeout=0,
        max_rounds=0,
    )

    assert found == [
        "the name is blank",
        "the mission is blank",
        "members 1 and 2 are one agent",
        "timeout must be a positive, finite number of seconds, got 0",
        "max_rounds must be a whole number from 1 up, got 0",
        "nobody does the work: add a LEAD, CO_LEAD, MEMBER or EXPERT",
        "HIERARCHICAL needs exactly one LEAD, and there are 0",
    ]


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"mission": "\t"}, "the mission is blank"),
        ({"mission": "\ud800"}, "mission holds a lone surrogate"),
        ({"members": []}, "nobody does the work"),
        ({"members": [(ANN, TeamRole.FACILITATOR)]}, "nobody does the work"),
        ({"members": working(ANN, BOB, ANN)}, "members 1 and 3 are one agent"),
        ({"members": working(ANN.arun, ANN.arun)}, "members 1 and 2 are one agent"),
        ({"lead": ANN}, "members 1 and 2 are one agent"),
        ({"formation": TeamFormation.HIERARCHICAL}, "exactly one LEAD, and there are 0"),
        (
            {
                "formation": TeamFormation.HIERARCHICAL,
                "members": [(ANN, TeamRole.LEAD), (BOB, TeamRole.LEAD)],
            },
            "exactly one LEAD, and there are 2",
        ),
        (
            {
                "formation": TeamFormation.DEBATE,
                "members": [(ANN, TeamRole.MEMBER), (BOB, TeamRole.FACILITATOR)],
            },
            "two members who debate, and there are 1",
        ),
    ],
)
def test_a_team_that_could_not_work_is_refused(given: dict[str, Any], fault: str) -> None:
    """Each fault that the formation or the members have. (contract: loop:T1)"""
    (found,) = faults(**given)

    assert fault in found


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"name": 5}, "name must be a string"),
        ({"formation": "parallel"}, "formation must be a TeamFormation"),
        ({"members": "ab"}, "members must be pairs"),
        ({"members": 5}, "members must be pairs"),
        ({"members": [*working(BOB), ANN]}, "member 2 is no pair"),
        ({"members": [*working(BOB), (ANN, "member")]}, "the role must be a TeamRole"),
        ({"members": [*working(BOB), (5, TeamRole.MEMBER)]}, "5 is no agent"),
        ({"members": [*working(BOB), (Saying, TeamRole.MEMBER)]}, "is the class Saying"),
        ({"members": working(BOB, lambda task: task)}, "cannot be called with (task, context)"),
        ({"members": [Member(ANN, name=""), *working(BOB)]}, "a name has 1 to 100 characters"),
        ({"members": [Member(ANN, name="n" * 101)]}, "a name has 1 to 100 characters"),
        ({"members": [Member(ANN, name=[])]}, "the name must be a string"),  # type: ignore[arg-type]
        ({"members": [Member(ANN, name="x"), Member(BOB, name="x")]}, "two members are called 'x'"),
        ({"members": [Member(ANN, timeout=-1)]}, "timeout must be a positive"),
        ({"timeout": float("nan")}, "timeout must be a positive"),
        ({"member_timeout": float("inf")}, "member_timeout must be a positive"),
        ({"min_successes": 0}, "min_successes must be a whole number from 1 up"),
        ({"min_successes": "1"}, "min_successes must be a whole number from 1 up"),
        ({"min_successes": 3}, "min_successes is 3, and 2 members do the work"),
        ({"retries": True}, "retries must be a whole number from 1 up"),
        ({"on_error": "ignore"}, "on_error is one of ('stop', 'skip', 'retry')"),
        ({"speaking": []}, "speaking is one of ('in_turn', 'at_once')"),
        ({"position": None}, "position must be a function"),
        ({"choose": 1}, "choose must be a function"),
        ({"choose": ANN.arun}, "choose must be a plain function"),
        ({"position": ANN.arun}, "position must be a plain function"),
        ({"merge": "join"}, "merge must be a function"),
        ({"revise": 1}, "revise must be True or False"),
    ],
)
def test_a_wrong_argument_is_refused(given: dict[str, Any], fault: str) -> None:
    """Each wrong value by itself; it may be that then nobody is left to do the work."""
    found, *_ = faults(**given)

    assert fault in found


def test_the_lead_may_be_named_apart() -> None:
    """It is then the first member."""
    team = a_team(TeamFormation.HIERARCHICAL, *working(BOB), lead=ANN)

    assert [(one.name, one.role) for one in team.members] == [
        ("ann", TeamRole.LEAD),
        ("bob", TeamRole.MEMBER),
    ]


def test_a_lead_among_the_members_may_be_named_again() -> None:
    """That says the same thing twice."""
    team = a_team(TeamFormation.HIERARCHICAL, (ANN, TeamRole.LEAD), lead=ANN)

    assert [one.name for one in team.members] == ["ann"]


def test_every_member_has_a_name_of_its_own() -> None:
    """Names come from functions, objects and classes, and are numbered where they are the same."""

    def works(_: str, __: TeamContext) -> None:
        """Do nothing."""

    class Worker:
        def run(self, _: str, __: TeamContext) -> None:
            """Do nothing."""

    nameless = lambda task, _: task  # noqa: E731 - a lambda is the case
    team = a_team(
        PARALLEL, *working(works, Worker(), Worker(), nameless), Member(ANN, name="Worker")
    )

    assert [one.name for one in team.members] == [
        "works",
        "Worker-2",
        "Worker-3",
        "member-4",
        "Worker",
    ]


def test_teams_have_ids_of_their_own() -> None:
    """Two teams of the same name can be told apart."""
    one, other = a_team(PARALLEL, *working(ANN)), a_team(PARALLEL, *working(ANN))

    assert one.id != other.id
    assert one.name == other.name == "the team"


@pytest.mark.parametrize("shape", ["function", "coroutine", "run", "arun", "object", "late"])
def test_an_agent_of_any_shape_is_called(shape: str) -> None:
    """Functions and methods, sync and async, and functions that give something to await."""

    async def coroutine(task: str, context: TeamContext) -> str:
        return f"{task} by {context.member}"

    class Running:
        def run(self, task: str, context: TeamContext) -> str:
            return f"{task} by {context.member}"

    class AsyncRunning(Running):
        async def arun(self, task: str, context: TeamContext) -> str:
            return await coroutine(task, context)

    class Called:
        async def __call__(self, task: str, context: TeamContext) -> str:
            return await coroutine(task, context)

    agents: dict[str, Any] = {
        "function": lambda task, context: f"{task} by {context.member}",
        "coroutine": coroutine,
        "run": Running(),
        "arun": AsyncRunning(),
        "object": Called(),
        "late": lambda task, context: coroutine(task, context),  # noqa: PLW0108 - it is not async
    }
    result = do(PARALLEL, Member(agents[shape], name="ann"))

    assert result.output == ["the task by ann"]


def test_a_team_works_only_between_start_and_stop() -> None:
    """Before and after it is the caller's mistake. (contract: loop:T2)"""
    team = Team(name="t", mission="m", formation=PARALLEL, members=working(ANN))

    with pytest.raises(TeamStateError, match="was not started yet"):
        team.execute("task")
    team.start()
    assert team.execute("task").output == ["a"]
    team.stop()
    with pytest.raises(TeamStateError, match="was stopped"):
        team.execute("task")


def test_a_team_is_started_and_stopped_by_a_block() -> None:
    """As a sync and as an async context manager. (contract: loop:T2)"""
    team = Team(name="t", mission="m", formation=PARALLEL, members=working(ANN))

    async def within() -> Any:
        async with team:
            return (await team.aexecute("task")).output

    with team:
        assert team.execute("task").output == ["a"]
    assert asyncio.run(within()) == ["a"]
    with pytest.raises(TeamStateError):
        team.execute("task")


def test_a_team_does_one_task_at_a_time() -> None:
    """Asked for a second one meanwhile, it is busy; afterwards it is not. (contract: loop:T2)"""

    async def twice() -> None:
        stuck = Stuck("stuck")
        team = a_team(PARALLEL, *working(stuck))
        first = asyncio.ensure_future(team.aexecute("first"))
        await stuck.began.wait()
        with pytest.raises(TeamBusyError, match="works on another task"):
            await team.aexecute("second")
        with pytest.raises(TeamBusyError):
            async for _ in team.stream("third"):
                pass
        first.cancel()
        await asyncio.wait({first})
        assert not team._busy

    asyncio.run(twice())


def test_a_team_that_was_stopped_ends_what_it_does() -> None:
    """The task under way belongs to whoever asked for it."""

    async def stopped() -> Any:
        def stops(_: TeamContext) -> None:
            team.stop()

        team = a_team(PARALLEL, *working(Saying("ann", stops)))
        return await team.aexecute("task")

    assert asyncio.run(stopped()).status.value == "completed"


def test_a_task_is_text() -> None:
    """Anything else is refused, and leaves the team free."""
    team = a_team(PARALLEL, *working(ANN))

    with pytest.raises(ArgumentTypeError, match="task must be a string"):
        team.execute(5)  # type: ignore[arg-type]
    with pytest.raises(ArgumentTypeError, match="task must be a string"):
        team.as_executor(None)  # type: ignore[arg-type]
    with pytest.raises(ArgumentTypeError, match="feedback must be a Feedback"):
        team.execute("task", feedback=("Do better.",))  # type: ignore[arg-type]
    assert team.execute("task").output == ["a"]


def test_a_team_works_for_a_thread_whose_loop_is_running() -> None:
    """As in a notebook."""

    async def inside() -> Any:
        return a_team(PARALLEL, *working(ANN, lambda *_: "b")).execute("task").output

    assert asyncio.run(inside()) == ["a", "b"]
