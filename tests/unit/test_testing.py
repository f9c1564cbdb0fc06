from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from agent_judge import testing
from agent_judge.engine import aevaluate, evaluate
from agent_judge.errors import ArgumentError
from agent_judge.judgment import Judgment, ReasonCode, Status
from agent_judge.jury import Jury
from agent_judge.protocol import Cost, describe
from agent_judge.testing import (
    AwaitingJudge,
    BlockingJudge,
    FixedJudge,
    HangingJudge,
    RecordingJudge,
    ScriptedJudge,
    a_context,
    abstaining,
    erring,
    failing,
    not_applicable,
    passing,
    scoring,
)


@pytest.mark.parametrize("name", testing.__all__)
def test_a_public_name_is_there_and_documented(name: str) -> None:
    """What users may import says what it is."""
    assert getattr(testing, name).__doc__


def test_a_context_has_what_most_judges_read() -> None:
    """And each test changes what it cares about."""
    assert (a_context().output, a_context().expected) == ("4", "4")
    assert a_context(output=None, model="small").model == "small"
    assert a_context(output=None).output is None


@pytest.mark.parametrize(
    ("make", "status"),
    [
        (passing, Status.PASS),
        (failing, Status.FAIL),
        (abstaining, Status.ABSTAIN),
        (erring, Status.ERROR),
        (not_applicable, Status.NOT_APPLICABLE),
    ],
)
def test_a_fixed_judge_always_finds_the_same(
    make: Callable[..., FixedJudge], status: Status
) -> None:
    """At no cost, under the name of its status or the one it was given."""
    found = evaluate(make("why"), a_context())

    assert (found.status, found.reasoning) == (status, "why")
    assert describe(make()).cost is Cost.MEMORY
    assert describe(make()).name == status.value
    assert describe(make(name="mine")).name == "mine"


def test_fixed_judges_that_are_alike_fit_into_one_jury() -> None:
    """Their names are numbered, as those of real judges are."""
    verdict = Jury([passing(), passing()]).vote(a_context())

    assert [seat.key for seat in verdict.seats] == ["pass-1", "pass-2"]


def test_a_scoring_judge_holds_its_score_against_a_mark() -> None:
    """As `Judgment.scored` does."""
    assert evaluate(scoring(0.4, threshold=0.4), a_context()).passed
    assert evaluate(scoring(0.4), a_context()).effective_score == 0.4


def test_a_judge_may_have_declared_when_it_does_not_apply() -> None:
    """Or not; a vote makes a difference between the two."""
    assert describe(not_applicable()).conditional
    assert not describe(not_applicable(declared=False)).conditional


def test_a_scripted_judge_follows_its_script() -> None:
    """An exception in it is raised, and behind the end it refuses to answer."""
    judge = ScriptedJudge([Judgment.failing("no"), KeyError("x"), Judgment.passing()])

    found = [evaluate(judge, a_context()) for _ in range(4)]

    assert [judgment.status.name for judgment in found] == ["FAIL", "ERROR", "PASS", "ERROR"]
    assert "KeyError" in found[1].reasoning
    assert "asked 4 times" in found[3].reasoning
    assert judge.asked == 4


def test_a_script_has_a_line() -> None:
    """An empty one would never answer."""
    with pytest.raises(ArgumentError, match="at least one answer"):
        ScriptedJudge([])


def test_a_recording_judge_notes_whom_it_judged() -> None:
    """And finds what the judge inside finds."""
    judge = RecordingJudge(failing(name="strict"))
    context = a_context()

    assert evaluate(judge, context).status is Status.FAIL
    assert judge.contexts == [context]
    assert describe(judge).name == "strict"
    assert evaluate(RecordingJudge(), context).passed


def test_an_awaiting_judge_waits_for_its_gate() -> None:
    """Two that wait for one barrier prove that both are asked at once."""

    async def vote() -> list[str]:
        barrier = asyncio.Barrier(2)
        jury = Jury([AwaitingJudge(barrier), AwaitingJudge(barrier, Judgment.failing("no"))])
        return [seat.judgment.status.name for seat in (await jury.avote(a_context())).seats]

    assert asyncio.run(vote()) == ["PASS", "FAIL"]


def test_a_hanging_judge_ends_when_it_is_cancelled() -> None:
    """And only then."""

    async def ask() -> Judgment:
        return await aevaluate(hanging, a_context(), timeout=0.01)

    hanging = HangingJudge()

    assert asyncio.run(ask()).code is ReasonCode.TIMEOUT
    assert hanging.begun.is_set()
    assert hanging.cancelled.is_set()


@pytest.mark.parametrize("gate", [None, threading.Event(), threading.Barrier(2)])
def test_a_blocking_judge_goes_on_when_it_is_released(gate: Any) -> None:
    """At the end of its `with` statement at the latest."""
    with BlockingJudge(gate) as blocking:
        assert evaluate(blocking, a_context(), timeout=0.2).code is ReasonCode.TIMEOUT
        assert blocking.begun.is_set()

    assert blocking.ended.wait(60)


def test_a_blocking_judge_finds_what_it_was_told() -> None:
    """Once it is released."""
    blocking = BlockingJudge(judgment=Judgment.failing("no"))
    blocking.release()

    assert evaluate(blocking, a_context()).reasoning == "no"
