"""`agent-judge hook`: keep a coding agent from stopping until the configured jury passes."""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from agent_judge.cli.terminal import emit, emit_document
from agent_judge.errors import AgentJudgeError

if TYPE_CHECKING:
    from agent_judge.coordination import JudgeVerdict
    from agent_judge.coordination.stop_hooks import StopEvent, StopTool

BLOCKED = 2
"""The exit code by which these tools keep an agent going where there is no answer in JSON."""


def hook(
    tool: Annotated[
        str,
        typer.Argument(help="Whose hook it is: claude-code, codex, copilot, gemini-cli or cursor."),
    ],
    config: Annotated[
        Path | None,
        typer.Option("-c", "--config", help="Configuration; else the one nearest the workspace."),
    ] = None,
    jury: Annotated[
        str | None, typer.Option("--jury", help="Which of the configured juries, by its name.")
    ] = None,
    attempts: Annotated[
        int, typer.Option("-n", "--attempts", min=1, help="How often it may try in all.")
    ] = 3,
    fail_open: Annotated[
        bool,
        typer.Option("--fail-open", help="Let the agent stop where nobody could judge."),
    ] = False,
    state: Annotated[
        Path | None, typer.Option(help="Folder that counts attempts; the user's unless given.")
    ] = None,
) -> None:
    """Read a stop hook from standard input, judge the workspace, and say whether to go on.

    Register it as the command of the tool's stop hook. Where the jury passes, the agent may stop;
    where it fails, the agent goes on with the feedback, until its attempts are used up. Where
    nobody could judge it goes on as well, unless --fail-open is given.
    """
    from agent_judge.coordination.stop_hooks import (
        StopTool,
        keep_going,
        let_stop,
        read_stop_event,
    )

    try:
        chosen = StopTool(tool)
        event = read_stop_event(chosen, json.loads(sys.stdin.buffer.read()))
    except (AgentJudgeError, ValueError) as fault:
        _without_answer(f"agent-judge: the hook of {tool} cannot be read: {fault}", fail_open)
    if not event.finished:
        emit_document(json.dumps(let_stop(chosen)))
        return
    counter = _Counter(state, chosen, event)
    try:
        verdict = _judge(event, config, jury, counter.made + 1, attempts)
        if verdict.is_approved:
            counter.forget()
            answer = let_stop(chosen)
        elif counter.made + 1 >= attempts:
            counter.forget()
            answer = let_stop(chosen, f"agent-judge: not approved: {verdict.reason}")
        else:
            counter.count()
            answer = keep_going(chosen, _told(verdict, counter.made + 1))
    except (AgentJudgeError, OSError, ValueError) as fault:
        if counter.made + 1 >= attempts or fail_open:
            counter.forget()
            answer = let_stop(chosen, f"agent-judge: nobody could judge: {fault}")
        else:
            counter.count()
            answer = keep_going(chosen, f"agent-judge could not judge the work: {fault}")
    emit_document(json.dumps(answer))


def _without_answer(message: str, fail_open: bool) -> NoReturn:
    emit(f"{message}\n", sys.stderr)
    raise typer.Exit(0 if fail_open else BLOCKED)


def _judge(
    event: StopEvent, config: Path | None, jury: str | None, attempt: int, attempts: int
) -> JudgeVerdict:
    from agent_judge.config import build, find_configuration, read_configuration
    from agent_judge.context import MISSING, JudgmentContext
    from agent_judge.coordination import JudgeContext, JuryPolicy

    workspace = event.workspace or Path.cwd()
    configuration = read_configuration(config or find_configuration(workspace))
    context = JudgmentContext(
        goal=event.goal,
        output=MISSING if event.output is None else event.output,
        workspace=workspace,
    )
    policy = JuryPolicy(build(configuration, jury))
    return policy.evaluate("agent", context, JudgeContext(attempt, max(attempt, attempts)))


def _told(verdict: JudgeVerdict, attempt: int) -> str:
    from agent_judge.coordination import Feedback
    from agent_judge.coordination.formatting import format_feedback

    return format_feedback(Feedback.after(verdict, attempt), "markdown")


class _Counter:
    """How often an agent was kept going since it last worked by itself.

    A conversation that does not go on because of a hook begins anew. Where the count cannot be
    kept, an agent that goes on already is on its last attempt, so that nobody runs in circles.
    """

    def __init__(self, folder: Path | None, tool: StopTool, event: StopEvent) -> None:
        name = sha256(f"{tool.value}\0{event.session}".encode("utf-8", "replace")).hexdigest()
        self._place = (folder or _state_folder()) / f"{name}.count"
        self.made = self._read() if event.continued else 0

    def count(self) -> None:
        """One more."""
        self.made += 1
        self._place.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self._place.with_suffix(".new")
        unfinished.write_text(str(self.made), "ascii")
        unfinished.replace(self._place)

    def forget(self) -> None:
        """The agent may stop."""
        self._place.unlink(missing_ok=True)

    def _read(self) -> int:
        try:
            return max(1, int(self._place.read_text("ascii")))
        except (OSError, ValueError):
            return _UNKNOWN


_UNKNOWN = 10**6


def _state_folder() -> Path:
    from agent_judge.extras import load

    platformdirs = load("platformdirs", extra="cli", needed_by="agent-judge hook")
    return Path(platformdirs.user_state_path("agent-judge")) / "hooks"
