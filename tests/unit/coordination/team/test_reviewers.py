"""Reviewers look at the merged output."""

from __future__ import annotations

import pytest

from agent_judge.coordination import TeamFormation, TeamPhase, TeamRole, TeamStatus
from unit.coordination.team.agents import Saying, do, outputs_of, working

SEQUENTIAL = TeamFormation.SEQUENTIAL
ERROR = ValueError("no idea")


def test_reviewers_run_after_the_merge() -> None:
    """Their notes are attached to the result. (contract: loop:T12)"""
    rev = Saying("rev", "too short")

    result = do(
        TeamFormation.PARALLEL,
        (rev, TeamRole.REVIEWER),
        *working(Saying("ann", "a"), Saying("bob", "b")),
        merge=lambda done: "+".join(one.output for one in done),
    )

    assert (result.output, result.notes) == ("a+b", ("too short",))
    assert (rev.contexts[0].draft, rev.contexts[0].phase) == ("a+b", TeamPhase.REVIEW)
    assert rev.contexts[0].outputs == ("a", "b")
    assert (result.rounds, result.revised) == (1, False)


def test_notes_lead_to_one_more_round() -> None:
    """With `revise=True`; the members see notes and draft. (contract: loop:T12)"""
    ann, rev = Saying("ann", "draft", "final"), Saying("rev", "longer")

    result = do(SEQUENTIAL, *working(ann), (rev, TeamRole.REVIEWER), revise=True)

    assert (result.output, result.rounds, result.revised) == ("final", 2, True)
    assert outputs_of(result) == ["draft", "longer", "final"]
    assert not ann.contexts[0].is_revision
    assert (ann.contexts[1].notes, ann.contexts[1].draft) == (("longer",), "draft")
    assert ann.contexts[1].is_revision
    assert len(rev.tasks) == 1


@pytest.mark.parametrize("nothing", [None, "", " \n"])
def test_without_notes_there_is_nothing_to_revise(nothing: str | None) -> None:
    """A reviewer that has nothing to say says nothing. (contract: loop:T12)"""
    result = do(
        SEQUENTIAL,
        *working(Saying("ann", "a")),
        (Saying("rev", nothing), TeamRole.REVIEWER),
        revise=True,
    )

    assert (result.rounds, result.notes, result.revised) == (1, (), False)
    assert result.status is TeamStatus.COMPLETED


def test_a_review_that_failed_is_missing() -> None:
    """The output is there, and was not looked at by all. (contract: loop:T12)"""
    result = do(SEQUENTIAL, *working(Saying("ann", "a")), (Saying("rev", ERROR), TeamRole.REVIEWER))

    assert (result.status, result.output) == (TeamStatus.PARTIAL, "a")
    assert [review.status.value for review in result.reviews] == ["failed"]


def test_a_revision_that_fails_leaves_the_draft() -> None:
    """And it shows that something is missing. (contract: loop:T12)"""
    result = do(
        SEQUENTIAL,
        *working(Saying("ann", "draft", ERROR)),
        (Saying("rev", "longer"), TeamRole.REVIEWER),
        revise=True,
    )

    assert (result.output, result.revised) == ("draft", False)
    assert (result.status, result.rounds) == (TeamStatus.PARTIAL, 2)


def test_reviewers_have_nothing_to_say_of_nothing() -> None:
    """Where no output was made they are not asked. (contract: loop:T12)"""
    rev = Saying("rev", "note")

    result = do(SEQUENTIAL, *working(Saying("ann", ERROR)), (rev, TeamRole.REVIEWER))

    assert (result.status, result.reviews, rev.tasks) == (TeamStatus.FAILED, (), [])
