"""What the end of a command says of the work in which it ran."""

from __future__ import annotations

import os
import shlex
from collections.abc import Collection
from errno import ENOENT
from pathlib import Path
from typing import Final, assert_never

from agent_judge.context import JudgmentContext
from agent_judge.engine import shared
from agent_judge.frozen import Json
from agent_judge.judges.files.paths import WorkspaceError, open_workspace
from agent_judge.judges.process.contained import run
from agent_judge.judges.process.isolation import Isolation, IsolationUnavailableError
from agent_judge.judges.process.records import (
    Command,
    Completed,
    Exited,
    Lost,
    NotStarted,
    Signalled,
    Survived,
    TimedOut,
)
from agent_judge.judges.showing import shown
from agent_judge.judgment import Check, Judgment, ReasonCode

NOT_EXECUTABLE: Final = 126
NOT_FOUND: Final = 127
"""What a shell ends with when it cannot execute, or cannot find, a program."""

_LINE: Final = 200
"""Characters of a command, and of the last line that it printed, in a sentence."""


def working_directory(context: JudgmentContext, cwd: str) -> tuple[Path, Path]:
    """The workspace, and the folder in it to work in.

    Raises:
        WorkspaceError: There is none (`no_workspace`), or it leads out (`outside_workspace`).
    """
    with open_workspace(context.workspace) as opened:
        workspace = Path(os.path.realpath(opened.path))
    place = Path(os.path.realpath(workspace / cwd))
    if not place.is_relative_to(workspace):
        raise WorkspaceError(f"{cwd!r} leads out of the workspace", ReasonCode.OUTSIDE_WORKSPACE)
    if not place.is_dir():
        raise WorkspaceError(
            f"{cwd!r} is not a directory in the workspace", ReasonCode.NO_WORKSPACE
        )
    return workspace, place


async def judge_command(command: Command, expected: Collection[int]) -> Judgment:
    """Run a command, once for all judges of a vote that want the same, and judge its end."""
    try:
        return judge_end(await run_shared(command), expected)
    except WorkspaceError as fault:
        return fault.judgment


async def run_shared(command: Command) -> Completed:
    """Run a command, once for all judges of a vote that want the same.

    Raises:
        WorkspaceError: The isolation that was asked for cannot be had.
    """
    try:
        return await shared(command.key, lambda: run(command))
    except IsolationUnavailableError as fault:
        raise WorkspaceError(shown(str(fault)), ReasonCode.ISOLATION_UNAVAILABLE) from fault


def judge_end(completed: Completed, expected: Collection[int]) -> Judgment:
    """PASS or FAIL by the exit code; ERROR where the command did not run to an end of its own."""
    code = exit_code_as_in_a_shell(completed)
    line = _shortened(shlex.join(completed.command.argv))
    facts = _facts(completed)
    if code not in expected:
        fault = _fault(completed)
        if fault is not None:
            why, reason = fault
            return Judgment.erring(f"{line} {why}", reason, metadata=facts)
    wanted = " or ".join(map(str, expected))
    check = Check(f"exit code of {line}", code in expected, f"{code}, expected {wanted}")
    if check.passed:
        return Judgment.passing(f"{line} ended with {code}", checks=[check], metadata=facts)
    why = f"{line} ended with {code}, expected {wanted}{_last_words(completed)}"
    return Judgment.failing(why, checks=[check], metadata=facts)


def exit_code_as_in_a_shell(completed: Completed) -> int | None:
    """127 or 126 for what could not be started, 128 + n for a death by signal n.

    `None` where nothing is known of the end that the command would have come to.
    """
    match completed.ending:
        case Exited(code):
            return code
        case Signalled(number):
            return 128 + number
        case NotStarted(errno):
            return NOT_FOUND if errno == ENOENT else NOT_EXECUTABLE
        case TimedOut() | Lost() | Survived():
            return None
        case _:
            assert_never(completed.ending)


def _fault(completed: Completed) -> tuple[str, ReasonCode] | None:
    """Why the end says nothing of the work, where that is so."""
    match completed.ending:
        case Exited(code):
            return _SHELL_FAULTS.get(code)
        case Signalled(number):
            return f"was killed by signal {number}", ReasonCode.COMMAND_KILLED
        case NotStarted(errno):
            return _not_started(completed.command, errno)
        case TimedOut():
            why = f"was killed after {completed.command.timeout:g} s"
            return why, ReasonCode.TIMEOUT
        case Lost():
            why = "was killed, and the process that watched it, too"
            return why, ReasonCode.COMMAND_KILLED
        case Survived(count):
            return f"left {count} processes that could not be killed", ReasonCode.TIMEOUT
        case _:
            assert_never(completed.ending)


_SHELL_FAULTS: Final = {
    NOT_FOUND: ("ended with 127: a program was not found", ReasonCode.COMMAND_NOT_FOUND),
    NOT_EXECUTABLE: (
        "ended with 126: a program could not be executed",
        ReasonCode.COMMAND_NOT_EXECUTABLE,
    ),
}


def _not_started(command: Command, errno: int) -> tuple[str, ReasonCode]:
    if errno != ENOENT:
        why = f"could not be started: {os.strerror(errno)}"
        return why, ReasonCode.COMMAND_NOT_EXECUTABLE
    why = "could not be started: there is no such program, or no interpreter for it"
    if command.isolation is Isolation.BUBBLEWRAP:
        why += "; if the sandbox hides it, name its directory in readable="
    return why, ReasonCode.COMMAND_NOT_FOUND


def _facts(completed: Completed) -> dict[str, Json]:
    facts: dict[str, Json] = {
        "command": list(completed.command.argv),
        "isolation": completed.command.isolation.value,
        "elapsed": completed.elapsed,
        "stdout": completed.stdout,
        "stderr": completed.stderr,
    }
    if completed.exit_code is not None:
        facts["exit_code"] = completed.exit_code
    if completed.signal is not None:
        facts["signal"] = completed.signal
    if completed.left_over:
        facts["processes_left_over"] = completed.left_over
    return facts


def _last_words(completed: Completed) -> str:
    """The last line that the command printed, which mostly says what went wrong."""
    printed = (completed.stderr.strip() or completed.stdout.strip()).splitlines()
    return f": {_shortened(printed[-1])}" if printed else ""


def _shortened(text: str) -> str:
    """A text of the judged work, or that names it, as a part of one line."""
    return shown(text if len(text) <= _LINE else text[: _LINE - 1] + "…")
