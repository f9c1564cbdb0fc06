"""An agent that is a command: run in the workspace, told by file, variable, argument or stdin."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from agent_judge.context import ExecutionStatus, JudgmentContext
from agent_judge.coordination.errors import UsageError
from agent_judge.coordination.feedback import Feedback
from agent_judge.coordination.formatting import Style, format_feedback
from agent_judge.engine import check_seconds
from agent_judge.errors import ArgumentError
from agent_judge.frozen import check_text
from agent_judge.judges.process.contained import run
from agent_judge.judges.process.options import command_words
from agent_judge.judges.process.records import (
    Command,
    Completed,
    Exited,
    NotStarted,
    Signalled,
    TimedOut,
)

FEEDBACK: Final = "{feedback}"
PROMPT: Final = "{prompt}"

_FOREVER: Final = 10**8
_KEPT: Final = 256_000


class CommandExecutor:
    """Has a command make each attempt, in the workspace, and tells it what was wrong with the last.

    The feedback is told in all of these ways at once, and is empty on the first attempt:
    `{feedback}` in an argument stands for it, and `{prompt}` for the task followed by it; the
    variable `AGENT_JUDGE_FEEDBACK` holds it, `AGENT_JUDGE_FEEDBACK_FILE` names a file that does,
    and `AGENT_JUDGE_ATTEMPT` the number of the attempt; with `stdin` the prompt is what the
    command reads. No shell runs. Every process that it started is dead when the attempt ends.

    The output is a `JudgmentContext` of the task, the workspace, what the command printed, how it
    ended, and how long it took. A command that ends with another code than 0 is a run that
    FAILED, which a jury's status gate does not let pass.

    Args:
        command: The program and its arguments: a list, or a string that is split as a shell
            would split it.
        workspace: Where it works.
        task: What it is asked to do.
        stdin: Let it read the prompt.
        style: How feedback is written.
        limit: The most bytes of feedback, in UTF-8.
        timeout: Seconds after which an attempt is killed, and counts as timed out.
        env: Further variables; beside these the command sees those of this process.

    Raises:
        ArgumentError: No command, or no folder.
        ArgumentTypeError: A value of the wrong type.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        workspace: str | Path,
        *,
        task: str = "",
        stdin: bool = False,
        style: Style = "markdown",
        limit: int = 8_000,
        timeout: float | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.argv: Final = command_words(command, shell=False)
        self.workspace: Final = Path(workspace).resolve()
        if not self.workspace.is_dir():
            raise ArgumentError(f"the workspace {self.workspace} is no folder")
        check_text(task, "task")
        if timeout is not None:
            check_seconds(timeout, "timeout")
        format_feedback(Feedback.first(), style, limit=limit)
        self._task = task
        self._stdin = stdin
        self._style: Style = style
        self._limit = limit
        self._timeout = timeout
        self._env = dict(env or {})

    async def __call__(self, _agent_id: str, feedback: Feedback, /) -> JudgmentContext:
        """Make one attempt.

        Raises:
            UsageError: The command cannot be started, which another attempt would not change.
        """
        told = format_feedback(feedback, self._style, limit=self._limit)
        began = datetime.now(UTC)
        with _file(told) as file:
            completed = await run(self._command(told, file, feedback.attempt))
        if isinstance(completed.ending, NotStarted):
            raise UsageError(
                f"the command {self.argv[0]!r} cannot be started: "
                f"{os.strerror(completed.ending.errno)}"
            )
        return self._context(completed, began)

    def _command(self, told: str, file: Path, attempt: int) -> Command:
        prompt = "\n\n".join(filter(None, (self._task, told)))
        told_as = {FEEDBACK: told, PROMPT: prompt}
        variables = {
            "AGENT_JUDGE_FEEDBACK": told,
            "AGENT_JUDGE_FEEDBACK_FILE": str(file),
            "AGENT_JUDGE_ATTEMPT": str(attempt),
        }
        return Command(
            argv=tuple(_filled(word, told_as) for word in self.argv),
            workspace=self.workspace,
            cwd=self.workspace,
            env={**os.environ, **self._env, **variables},
            timeout=self._timeout or _FOREVER,
            stdin=prompt if self._stdin else "",
            output_limit=_KEPT,
        )

    def _context(self, completed: Completed, began: datetime) -> JudgmentContext:
        status, error = _status(completed)
        return JudgmentContext(
            goal=self._task,
            output=completed.stdout,
            workspace=self.workspace,
            status=status,
            started_at=began,
            elapsed=completed.elapsed,
            error=error,
        )


@contextmanager
def _file(text: str) -> Generator[Path, None, None]:
    """A temporary file that holds a text."""
    with tempfile.TemporaryDirectory(prefix="agent-judge-") as folder:
        file = Path(folder, "feedback")
        file.write_text(text, "utf-8")
        yield file


def _filled(word: str, told_as: Mapping[str, str]) -> str:
    """An argument with its places filled in, once: what is told is not looked at again."""
    parts = word.split(PROMPT)
    return told_as[PROMPT].join(part.replace(FEEDBACK, told_as[FEEDBACK]) for part in parts)


def _status(completed: Completed) -> tuple[ExecutionStatus, str | None]:
    said = completed.stderr.strip()[-500:]
    match completed.ending:
        case Exited(code=0):
            return ExecutionStatus.SUCCESS, None
        case Exited(code=code):
            return ExecutionStatus.FAILED, f"the command ended with exit code {code}: {said}"
        case Signalled(number=number):
            return ExecutionStatus.FAILED, f"the command was killed by signal {number}: {said}"
        case TimedOut():
            return ExecutionStatus.TIMEOUT, "the command did not end in time, and was killed"
        case ending:
            return ExecutionStatus.FAILED, f"the command was lost sight of: {ending!r}"
