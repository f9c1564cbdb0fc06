"""ROUND_ROBIN and DEBATE: turns, rounds, agreement."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.coordination import TeamFormation, TeamPhase, TeamRole, TeamStatus, TeamStop
from agent_judge.coordination.team.positions import most_held
from unit.coordination.team.agents import Saying, do, outputs_of, statuses, working

ROUND_ROBIN, DEBATE = TeamFormation.ROUND_ROBIN, TeamFormation.DEBATE
ERROR = ValueError("no idea")


def heard(context: Any) -> str:
    """What was said so far."""
    return "".join(one.output for one in context.transcript)


def test_turns_see_the_transcript() -> None:
    """Each what was said before, round after round. (contract: loop:T6)"""
    ann, bob = Saying("ann", "a", "c"), Saying("bob", "b", "d")

    result = do(ROUND_ROBIN, *working(ann, bob), max_rounds=2)

    assert outputs_of(result) == ["a", "b", "c", "d"]
    assert [heard(one) for one in [*ann.contexts, *bob.contexts]] == ["", "ab", "a", "abc"]
    assert [context.round for context in ann.contexts] == [1, 2]
    assert (result.output, result.rounds, result.stop_reason) == ("d", 2, TeamStop.MAX_ROUNDS)
    assert result.consensus is None


def test_a_failed_turn_is_missing_and_the_round_goes_on() -> None:
    """The last good output stays. (contract: loop:T6)"""
    result = do(ROUND_ROBIN, *working(Saying("ann", "a"), Saying("bob", ERROR)), max_rounds=2)

    assert (result.status, result.output) == (TeamStatus.PARTIAL, "a")
    assert statuses(result) == [("ann", "done"), ("bob", "failed")] * 2


def test_rounds_end_where_everybody_fails() -> None:
    """Another round would be no better."""
    result = do(ROUND_ROBIN, *working(Saying("ann", "a", ERROR), Saying("bob", "b", ERROR)))

    assert (result.rounds, result.stop_reason) == (2, TeamStop.MEMBER_FAILED)
    assert (result.status, result.output) == (TeamStatus.PARTIAL, "b")


def test_a_facilitator_speaks_after_each_round_and_sums_up() -> None:
    """Those who have their turn afterwards see what it said. (contract: loop:T6)"""
    ann, mod = Saying("ann", "a"), Saying("mod", "f1", "f2", "sum")

    result = do(ROUND_ROBIN, *working(ann), (mod, TeamRole.FACILITATOR), max_rounds=2)

    assert outputs_of(result) == ["a", "f1", "a", "f2", "sum"]
    assert heard(ann.contexts[1]) == "af1"
    assert mod.contexts[2].outputs == ("a", "a")
    assert result.output == "sum"


def test_a_debate_ends_with_agreement() -> None:
    """Regardless of case and spacing. (contract: loop:T6)"""
    result = do(DEBATE, *working(Saying("ann", "Yes"), Saying("bob", "no", " yes ")))

    assert (result.stop_reason, result.consensus) == (TeamStop.AGREEMENT, True)
    assert (result.output, result.rounds) == ("Yes", 2)
    assert result.status is TeamStatus.COMPLETED


def test_a_debate_ends_where_nobody_moves() -> None:
    """Two against one: what most hold, without agreement. (contract: loop:T6)"""
    agents = [Saying("ann", "no"), Saying("bob", "yes"), Saying("cid", "yes")]

    result = do(DEBATE, *working(*agents), max_rounds=9)

    assert (result.stop_reason, result.consensus) == (TeamStop.NO_CHANGE, False)
    assert (result.output, result.rounds) == ("yes", 2)


def test_a_debate_ends_after_the_last_round() -> None:
    """Where positions go on changing. (contract: loop:T6)"""
    result = do(DEBATE, *working(Saying("ann", 1, 2, 3), Saying("bob", 4, 5, 6)), max_rounds=3)

    assert (result.stop_reason, result.rounds) == (TeamStop.MAX_ROUNDS, 3)
    assert result.consensus is False


def test_a_tie_has_no_winner() -> None:
    """The debate is over, and there is no output. (contract: loop:T6)"""
    result = do(DEBATE, *working(Saying("ann", "no"), Saying("bob", "yes")))

    assert (result.status, result.has_output) == (TeamStatus.COMPLETED, False)
    assert str(result) == "(no position was held by more debaters than any other)"


def test_a_facilitator_does_not_vote() -> None:
    """Neither for agreement nor for the majority. (contract: loop:T6)"""
    mod = Saying("mod", "no")
    agreed = do(
        DEBATE,
        (mod, TeamRole.FACILITATOR),
        *working(Saying("ann", "yes"), Saying("bob", "yes")),
    )
    assert (agreed.consensus, agreed.output) == (True, "yes")
    assert not mod.tasks

    tied = do(
        DEBATE,
        (Saying("mod", ERROR), TeamRole.FACILITATOR),
        *working(Saying("ann", "yes"), Saying("bob", "no")),
    )
    assert (tied.consensus, tied.has_output) == (False, False)


def test_a_facilitator_sums_up_a_debate_without_agreement() -> None:
    """It is given the last word of each debater. (contract: loop:T6)"""
    mod = Saying("mod", "go on", lambda context: " or ".join(context.outputs))

    result = do(
        DEBATE,
        (mod, TeamRole.FACILITATOR),
        *working(Saying("ann", "yes"), Saying("bob", "no")),
    )

    assert (result.output, result.consensus) == ("yes or no", False)
    assert [one.phase for one in mod.contexts] == [TeamPhase.FACILITATE, TeamPhase.MERGE]


@pytest.mark.parametrize(("speaking", "second_hears"), [("in_turn", "a"), ("at_once", "")])
def test_debaters_hear_the_round_or_not(speaking: str, second_hears: str) -> None:
    """At once, all they hear are the rounds before."""
    bob = Saying("bob", "b")

    do(DEBATE, *working(Saying("ann", "a"), bob), speaking=speaking)

    assert [heard(context) for context in bob.contexts] == [second_hears, "ab" + second_hears]


def test_a_position_is_read_out_of_what_was_said() -> None:
    """Different words can hold one position. (contract: loop:T6)"""
    result = do(
        DEBATE,
        *working(Saying("ann", "42, since I asked"), Saying("bob", "42, by the book")),
        position=lambda output: output.split(",")[0],
    )

    assert (result.consensus, result.output) == (True, "42, since I asked")


def test_words_that_hold_no_position_are_refused() -> None:
    """That function reads what an agent said, so what it raises is a value. (contract: loop:T6)"""
    result = do(
        DEBATE,
        *working(Saying("ann", {"answer": 1}), Saying("bob", {}, {"answer": 1})),
        position=lambda output: output["answer"],
    )

    assert statuses(result)[:2] == [("ann", "done"), ("bob", "refused")]
    assert (result.consensus, result.rounds, result.status) == (True, 2, TeamStatus.PARTIAL)


def test_a_debater_without_a_position_keeps_all_from_agreeing() -> None:
    """What it would have said is not known. (contract: loop:T6)"""
    result = do(DEBATE, *working(Saying("ann", "yes"), Saying("bob", "yes"), Saying("cid", ERROR)))

    assert (result.consensus, result.output) == (False, "yes")
    assert result.status is TeamStatus.PARTIAL


def test_a_position_stands_until_it_is_changed() -> None:
    """Also where the debater fails later on. (contract: loop:T6)"""
    result = do(DEBATE, *working(Saying("ann", "no", "yes"), Saying("bob", "yes", ERROR)))

    assert (result.consensus, result.status) == (True, TeamStatus.PARTIAL)


def test_a_debate_ends_where_everybody_fails() -> None:
    """Nobody said anything."""
    result = do(DEBATE, *working(Saying("ann", ERROR), Saying("bob", ERROR)))

    assert (result.status, result.stop_reason) == (TeamStatus.FAILED, TeamStop.MEMBER_FAILED)


def test_positions_that_cannot_be_compared_differ() -> None:
    """A comparison that raises is no agreement, and does not end the debate."""

    class Odd:
        __hash__ = None  # type: ignore[assignment]

        def __eq__(self, other: object) -> bool:
            raise ValueError("odd")

    result = do(DEBATE, *working(Saying("ann", Odd()), Saying("bob", Odd())), max_rounds=2)

    assert (result.consensus, result.stop_reason) == (False, TeamStop.MAX_ROUNDS)


@given(st.lists(st.sampled_from("abc"), max_size=7))
def test_what_is_held_most_is_held_more_often_than_anything_else(positions: list[str]) -> None:
    """And it is the first to hold it that is named."""
    index = most_held(positions)
    counts = sorted((positions.count(one) for one in {*positions}), reverse=True)

    if index is None:
        assert not counts or counts[0] == counts[1]
    else:
        assert positions.count(positions[index]) == counts[0] > max([0, *counts[1:]])
        assert positions.index(positions[index]) == index
