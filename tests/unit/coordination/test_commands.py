"""An agent that is a command."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from agent_judge import ExecutionStatus, JudgmentContext
from agent_judge.coordination import (
    CommandExecutor,
    Feedback,
    JudgeCoordinator,
    JudgeVerdict,
    UsageError,
)
from agent_judge.errors import ArgumentError, ArgumentTypeError


def run(executor: CommandExecutor, feedback: Feedback | None = None) -> JudgmentContext:
    """One attempt."""
    return asyncio.run(executor("agent-1", Feedback.first() if feedback is None else feedback))


def test_the_output_is_a_run(tmp_path: Path) -> None:
    """What was asked, where, what was printed, and how it ended."""
    context = run(CommandExecutor(["echo", "hello"], tmp_path, task="Greet."))

    assert (context.goal, context.output, context.workspace) == ("Greet.", "hello\n", tmp_path)
    assert context.status is ExecutionStatus.SUCCESS
    assert context.elapsed is not None
    assert context.started_at is not None


@pytest.mark.parametrize(
    ("line", "status", "error"),
    [
        ("echo no >&2; exit 3", ExecutionStatus.FAILED, "exit code 3: no"),
        ("kill -9 $$", ExecutionStatus.FAILED, "signal 9"),
        ("sleep 60", ExecutionStatus.TIMEOUT, "did not end in time"),
    ],
)
def test_how_it_ended_is_told(
    tmp_path: Path, line: str, status: ExecutionStatus, error: str
) -> None:
    """It is no exception: the work is judged all the same."""
    context = run(CommandExecutor(["sh", "-c", line], tmp_path, timeout=0.5))

    assert context.status is status
    assert context.error is not None
    assert error in context.error


def test_a_command_that_cannot_be_started_is_the_callers_mistake(tmp_path: Path) -> None:
    """Another attempt would not change that."""
    with pytest.raises(UsageError, match="cannot be started"):
        run(CommandExecutor("no-such-program --flag", tmp_path))


def test_what_is_told_is_not_looked_at_again(tmp_path: Path) -> None:
    """Feedback that holds a place, or a word of the shell, is text."""
    verdict = JudgeVerdict.retry("{prompt} {feedback} $(touch hacked)", 0.1)
    executor = CommandExecutor(
        ["echo", "[{feedback}]", "{prompt}"], tmp_path, task="T", style="text"
    )

    output = run(executor, Feedback.after(verdict, 2)).output

    assert isinstance(output, str)
    assert output.count("{prompt} {feedback} $(touch hacked)") == 2
    assert not (tmp_path / "hacked").exists()


def test_the_feedback_file_is_gone_afterwards(tmp_path: Path) -> None:
    """It lies outside of the workspace."""
    where = run(CommandExecutor(["sh", "-c", "echo $AGENT_JUDGE_FEEDBACK_FILE"], tmp_path)).output

    assert isinstance(where, str)
    assert not Path(where.strip()).exists()
    assert not Path(where.strip()).is_relative_to(tmp_path)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"command": ""}, ArgumentError),
        ({"command": []}, ArgumentError),
        ({"command": 3}, ArgumentTypeError),
        ({"workspace": "/nowhere/at/all"}, ArgumentError),
        ({"timeout": 0}, ArgumentError),
        ({"style": "yaml"}, ArgumentError),
        ({"limit": 3}, ArgumentError),
        ({"task": 3}, ArgumentTypeError),
    ],
)
def test_wrong_arguments_are_refused(
    tmp_path: Path, arguments: dict[str, Any], error: type[Exception]
) -> None:
    """Where the executor is built."""
    given: dict[str, Any] = {"command": "true", "workspace": tmp_path, **arguments}
    with pytest.raises(error):
        CommandExecutor(**given)


def test_an_attempt_that_is_stopped_leaves_nothing_alive(tmp_path: Path) -> None:
    """The whole tree of processes is killed. (contract: loop:G4)"""
    program = (
        "import os, sys, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    open('pid', 'w').write(str(os.getpid()))\n"
        "time.sleep(60)\n"
    )
    coordinator = JudgeCoordinator[JudgmentContext](
        policy=lambda _, __, ___: JudgeVerdict.approve("", 1),
        executor=CommandExecutor([sys.executable, "-c", program], tmp_path),
        max_retries=1,
        attempt_timeout=1.0,
    )

    result = coordinator.execute("a")

    assert "AttemptTimeoutError" in result.final_verdict.reason
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
