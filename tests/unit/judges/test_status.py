from __future__ import annotations

from typing import Any

import pytest

from agent_judge import ExecutionStatus, JudgmentContext, Status
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.status import StatusJudge
from agent_judge.judgment import ReasonCode


@pytest.mark.parametrize("status", list(ExecutionStatus))
def test_only_success_passes_unless_told_otherwise(status: ExecutionStatus) -> None:
    """Each other end fails, and one that nobody knows leaves it open."""
    expected = {
        ExecutionStatus.SUCCESS: Status.PASS,
        ExecutionStatus.UNKNOWN: Status.ABSTAIN,
    }.get(status, Status.FAIL)

    assert StatusJudge()(JudgmentContext(status=status)).status is expected


@pytest.mark.parametrize("status", list(ExecutionStatus))
def test_what_is_allowed_passes(status: ExecutionStatus) -> None:
    """Any status can be, also that it is unknown."""
    judgment = StatusJudge((status.value,))(JudgmentContext(status=status))

    assert judgment.passed
    assert [check.message for check in judgment.checks] == [status.value]


def test_a_failure_says_why_the_run_ended() -> None:
    """The error of the run is part of the reasoning."""
    context = JudgmentContext(status=ExecutionStatus.FAILED, error="KeyError: 'x'")

    judgment = StatusJudge(("success", "truncated"))(context)

    assert judgment.reasoning == (
        "the run ended as failed: KeyError: 'x'; allowed is success or truncated"
    )


def test_an_unknown_end_has_a_code() -> None:
    """It is an input that is missing."""
    judgment = StatusJudge()(JudgmentContext(status=ExecutionStatus.UNKNOWN))

    assert judgment.code is ReasonCode.MISSING_INPUT


@pytest.mark.parametrize(
    ("allowed", "error"),
    [((), ArgumentError), (("SUCCESS",), ArgumentError), ("success", ArgumentTypeError)],
)
def test_what_is_no_status_is_refused(allowed: Any, error: type[Exception]) -> None:
    """The message lists the known ones."""
    with pytest.raises(error):
        StatusJudge(allowed)
