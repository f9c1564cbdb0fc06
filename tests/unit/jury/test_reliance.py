from __future__ import annotations

from typing import Any

import pytest

from agent_judge import (
    CascadedJury,
    Consensus,
    ErrorPolicy,
    ExecutionStatus,
    JudgmentContext,
    Jury,
    Majority,
    Tier,
    TierPolicy,
    Verdict,
)
from agent_judge.errors import ArgumentError
from agent_judge.jury import Reliance, read_reliance
from agent_judge.testing import abstaining, erring, failing, not_applicable, passing

RUN = JudgmentContext()
IGNORING = Majority(on_error=ErrorPolicy.IGNORE)


class Crashing:
    """A stage that gives no verdict."""

    async def avote(self, _context: JudgmentContext) -> Verdict:
        """Crash."""
        raise ValueError("secret")


def vote(*judges: Any, **options: Any) -> Verdict:
    """The verdict of a jury."""
    return Jury(judges, **options).vote(RUN)


def cascade(first: Any, policy: TierPolicy, **options: Any) -> Verdict:
    """The verdict of a cascade whose last tier passes."""
    last = Tier("last", [passing()], TierPolicy.FINAL_TIER)
    return CascadedJury([Tier("first", first, policy, **options), last]).vote(RUN)


@pytest.mark.parametrize(
    ("verdict", "reliance", "reason"),
    [
        (vote(passing(), passing()), Reliance.RELY, "the verdict is PASS"),
        (vote(failing(), failing(), passing()), Reliance.RELY, "the verdict is FAIL"),
        (vote(passing(), Jury([passing()])), Reliance.RELY, "the verdict is PASS"),
        (vote(abstaining(), abstaining()), Reliance.ABSTAIN, "the verdict is ABSTAIN"),
        (vote(not_applicable()), Reliance.ABSTAIN, "the verdict is NOT_APPLICABLE"),
        (vote(passing()), Reliance.ESCALATE, "1 seats have a finding, 2 are needed"),
        (vote(passing(), abstaining()), Reliance.ESCALATE, "1 seats have a finding"),
        (vote(passing(), erring()), Reliance.ESCALATE, "the verdict is ERROR"),
        (vote(passing(), passing(), erring(), strategy=IGNORING), Reliance.ESCALATE, "1 seats or"),
        (vote(passing(), failing(), strategy=Consensus()), Reliance.ESCALATE, "split: 1 passed"),
        (
            cascade([passing(), erring()], TierPolicy.REJECT_ON_ANY_FAIL, on_error="waive"),
            Reliance.ESCALATE,
            "not established: /first",
        ),
        (
            cascade(Crashing(), TierPolicy.ACCEPT_ON_ALL_PASS),
            Reliance.ESCALATE,
            "1 seats or stages errored",
        ),
    ],
)
def test_a_verdict_is_relied_on_where_nothing_speaks_against_it(
    verdict: Verdict, reliance: Reliance, reason: str
) -> None:
    """Errors, open gates, splits and too few findings do. (contract: edges:S6)"""
    reading = read_reliance(verdict, min_eligible=2)

    assert reading.reliance is reliance
    assert any(reason in said for said in reading.reasons)


def test_the_bounds_are_the_callers() -> None:
    """What is enough, and what is too much, is said with every reading. (contract: edges:S6)"""
    verdict = vote(passing(), erring(), strategy=IGNORING)

    assert read_reliance(verdict, min_eligible=1, max_errors=1).reliance is Reliance.RELY
    assert read_reliance(verdict, min_eligible=1).reliance is Reliance.ESCALATE
    assert read_reliance(verdict, min_eligible=2, max_errors=1).reliance is Reliance.ESCALATE


def test_every_doubt_is_given() -> None:
    """A person sees all that is to be looked at. (contract: edges:S6)"""
    reading = read_reliance(vote(erring(), passing()), min_eligible=1)

    assert len(reading.reasons) == 2


def test_a_run_that_was_cancelled_needs_no_second_look() -> None:
    """There is nothing to decide. (contract: edges:S6)"""
    verdict = Jury([passing()]).vote(JudgmentContext(status=ExecutionStatus.CANCELLED))

    assert read_reliance(verdict, min_eligible=1).reliance is Reliance.ABSTAIN


@pytest.mark.parametrize("bounds", [{"min_eligible": 0}, {"min_eligible": 1, "max_errors": -1}])
def test_a_bound_below_its_least_value_is_refused(bounds: dict[str, int]) -> None:
    """Nothing is relied on that nobody found."""
    with pytest.raises(ArgumentError, match="min_eligible counts from 1 up"):
        read_reliance(vote(passing()), **bounds)
