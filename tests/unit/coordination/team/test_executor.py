"""A team as the executor of a coordinator."""

from __future__ import annotations

import asyncio
import pickle
from pathlib import Path
from typing import Any

import pytest

from agent_judge import JudgmentContext
from agent_judge.coordination import (
    CoordinationResult,
    Journal,
    JudgeContext,
    JudgeCoordinator,
    JudgeVerdict,
    JuryPolicy,
    Produced,
    TeamBusyError,
    TeamFailedError,
    TeamFormation,
    TeamResult,
    TeamRole,
    TeamStateError,
)
from agent_judge.judges.text import ContainsJudge
from agent_judge.usage import Usage
from unit.coordination.team.agents import Saying, Stuck, a_team, working

PARALLEL = TeamFormation.PARALLEL
ERROR = ValueError("no idea")


def has_done(_: str, output: TeamResult, __: JudgeContext) -> JudgeVerdict:
    """Approve what holds the word."""
    if "done" in str(output):
        return JudgeVerdict.approve("it is done", 1.0)
    return JudgeVerdict.retry("it is not", 0.5, ["Say done."])


def coordinated(team: Any, **options: Any) -> CoordinationResult[TeamResult]:
    """What comes of a loop around a team."""
    given: dict[str, Any] = {"policy": has_done, **options}
    return JudgeCoordinator[TeamResult](executor=team.as_executor("the task"), **given).execute(
        team.id
    )


def test_feedback_reaches_the_members() -> None:
    """In every role. (contract: loop:T11)"""
    ann, rev = Saying("ann", "draft", "done"), Saying("rev", None)

    result = coordinated(a_team(PARALLEL, *working(ann), (rev, TeamRole.REVIEWER)))

    assert result.unwrap().output == ["done"]
    assert [tuple(one.feedback) for one in ann.contexts] == [(), ("Say done.",)]
    assert [tuple(one.feedback) for one in rev.contexts] == [(), ("Say done.",)]
    assert ann.contexts[1].feedback.attempt == 2


def test_a_team_that_failed_is_an_execution_error() -> None:
    """Its attempt counts, and says what went wrong. (contract: loop:T11)"""
    result = coordinated(a_team(PARALLEL, *working(Saying("ann", ERROR, "done"))))

    first, second = result.attempts
    assert isinstance(first.error, TeamFailedError)
    assert first.error.result.contributions[0].error is ERROR
    assert first.verdict.suggestions == (
        "Fix execution error: the team failed: ann: ValueError: no idea",
    )
    assert second.verdict.is_approved


def test_a_team_that_ran_out_of_time_with_nothing_is_an_execution_error() -> None:
    """With something, that is judged. (contract: loop:T11)"""
    nothing = coordinated(a_team(PARALLEL, *working(Stuck("a")), timeout=0.01), max_retries=1)
    assert isinstance(nothing.attempts[0].error, TeamFailedError)

    ann = Saying("ann", "done")
    part = coordinated(a_team(PARALLEL, *working(Stuck("s"), ann), timeout=0.01), max_retries=1)
    assert part.unwrap().output == ["done"]


def test_what_the_members_consumed_is_the_attempts() -> None:
    """So a budget of tokens counts it."""
    ann = Saying("ann", Produced("done", Usage(total_tokens=5)))

    result = coordinated(a_team(PARALLEL, *working(ann)))

    assert result.attempts[0].made is not None
    assert result.attempts[0].made.usage == Usage(total_tokens=5)


def test_a_team_that_was_not_started_leaves_the_loop() -> None:
    """It is never retried. (contract: loop:T11)"""
    team = a_team(PARALLEL, *working(Saying("ann", "done")))
    team.stop()

    with pytest.raises(TeamStateError):
        coordinated(team)


def test_a_team_cannot_make_several_candidates_at_once() -> None:
    """That is the caller's mistake, too."""
    with pytest.raises(TeamBusyError):
        coordinated(a_team(PARALLEL, *working(Saying("ann", "done"))), candidates=2)


def test_a_jury_judges_what_a_team_made() -> None:
    """Told how to see it."""
    policy = JuryPolicy(
        ContainsJudge("done"), lambda _, result, __: JudgmentContext(output=result.output)
    )

    result = coordinated(
        a_team(TeamFormation.SEQUENTIAL, *working(Saying("ann", "draft", "done"))), policy=policy
    )

    assert (result.is_approved, result.iterations) == (True, 2)


def test_a_journal_keeps_the_results_of_a_team(tmp_path: Path) -> None:
    """By their two functions. (contract: loop:T10)"""
    journal = Journal(tmp_path, encode=TeamResult.to_dict, decode=TeamResult.from_dict)

    team = a_team(PARALLEL, *working(Saying("ann", "draft", "done")))
    coordinator = JudgeCoordinator[TeamResult](
        policy=has_done, executor=team.as_executor("the task"), journal=journal
    )
    result = coordinator.execute(team.id, run_id="run")

    read = journal.read("run")
    assert [one.output for one in read.attempts] == [one.output for one in result.attempts]


def test_the_error_of_a_team_can_be_pickled() -> None:
    """With its result."""
    result = asyncio.run(a_team(PARALLEL, *working(Saying("ann", ERROR))).aexecute("task"))

    error = pickle.loads(pickle.dumps(TeamFailedError(result)))

    assert (str(error), error.result) == ("the team failed: ann: ValueError: no idea", result)
