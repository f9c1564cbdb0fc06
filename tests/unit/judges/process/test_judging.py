from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent_judge import Judgment, ReasonCode, Status, from_dict, to_dict
from agent_judge.judges.process.judging import judge_end
from agent_judge.judges.process.records import (
    Completed,
    Ending,
    Exited,
    Lost,
    NotStarted,
    Signalled,
    Survived,
    TimedOut,
)
from unit.judges.process.commands import a_command


def ended(ending: Ending, *argv: str, **fields: Any) -> Completed:
    """A command that ended so."""
    return Completed(a_command(Path("/workspace"), *(argv or ("tool",))), ending, **fields)


@pytest.mark.parametrize(
    ("ending", "code"),
    [
        (Exited(126), ReasonCode.COMMAND_NOT_EXECUTABLE),
        (Exited(127), ReasonCode.COMMAND_NOT_FOUND),
        (Signalled(9), ReasonCode.COMMAND_KILLED),
        (NotStarted(2), ReasonCode.COMMAND_NOT_FOUND),
        (NotStarted(13), ReasonCode.COMMAND_NOT_EXECUTABLE),
        (TimedOut(), ReasonCode.TIMEOUT),
        (Lost(), ReasonCode.COMMAND_KILLED),
        (Survived(2), ReasonCode.TIMEOUT),
    ],
)
def test_an_end_that_says_nothing_of_the_work_is_an_error(ending: Ending, code: ReasonCode) -> None:
    """Each has the code that says why. (contract: judges:X3, judges:X4)"""
    judgment = judge_end(ended(ending), {0})

    assert (judgment.status, judgment.code) == (Status.ERROR, code)


@pytest.mark.parametrize("ending", [TimedOut(), Lost(), Survived(1)])
def test_no_exit_code_stands_for_an_end_that_is_not_known(ending: Ending) -> None:
    """Whatever codes are expected, these never pass. (contract: judges:X4)"""
    assert judge_end(ended(ending), range(256)).status is Status.ERROR


@pytest.mark.parametrize(
    ("ending", "expected"),
    [(Signalled(9), 137), (NotStarted(2), 127), (NotStarted(13), 126), (Exited(127), 127)],
)
def test_an_end_that_was_expected_passes(ending: Ending, expected: int) -> None:
    """A shell's number stands for it. (contract: judges:X3)"""
    assert judge_end(ended(ending), {expected}).passed


def test_what_was_printed_cannot_write_to_a_terminal(tmp_path: Path) -> None:
    """Control characters of the last line are escaped in the reason. (contract: judges:X6)"""
    judgment = judge_end(ended(Exited(1), stderr="first\n\x1b[2Jgone\n"), {0})

    assert "\x1b" not in judgment.reasoning
    assert "\\x1b[2Jgone" in judgment.reasoning


def test_a_long_command_is_shortened_where_it_is_named() -> None:
    """The whole of it is in the metadata. (contract: judges:X1)"""
    judgment = judge_end(ended(Exited(0), "tool", "x" * 10_000), {0})

    assert len(judgment.reasoning) < 300
    assert judgment.metadata["command"] == ("tool", "x" * 10_000)


def test_the_judgment_can_be_stored() -> None:
    """Evidence survives being written and read. (contract: judges:X1)"""
    judgment = judge_end(ended(Exited(1), stdout="\ufffd", left_over=2, elapsed=0.5), {0})

    assert from_dict(Judgment, to_dict(judgment)) == judgment
