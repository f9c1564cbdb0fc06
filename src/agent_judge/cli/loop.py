"""`agent-judge loop`: have an agent command work until the configured jury passes its work."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from agent_judge.cli.terminal import emit, errors_explained, fail

if TYPE_CHECKING:
    from agent_judge.context import JudgmentContext
    from agent_judge.coordination import (
        CoordinationResult,
        JudgeCoordinator,
        LoopEvent,
        StopReason,
        StopRule,
    )
    from agent_judge.coordination.workspaces import WorkspaceKeeper

JUDGING_FAILED = 3
LEFT_TO_A_PERSON = 4


def loop(
    command: Annotated[
        list[str], typer.Argument(help="The agent's command, behind --; {prompt} and {feedback}.")
    ],
    config: Annotated[
        Path | None, typer.Option("-c", "--config", help="Configuration; else the nearest one.")
    ] = None,
    jury: Annotated[
        str | None, typer.Option("--jury", help="Which of the configured juries, by its name.")
    ] = None,
    confirm_jury: Annotated[
        str | None,
        typer.Option("--confirm-jury", help="A held-out jury that has to agree with an approval."),
    ] = None,
    workspace: Annotated[
        Path, typer.Option("-w", "--workspace", help="Folder that the agent works in.")
    ] = Path(),
    attempts: Annotated[int, typer.Option("-n", "--attempts", min=1, help="Attempts in all.")] = 3,
    task: Annotated[
        str, typer.Option(help="What the agent is asked to do; @FILE reads it from a file.")
    ] = "",
    stdin: Annotated[
        bool, typer.Option("--stdin", help="Let the command read task and feedback.")
    ] = False,
    feedback: Annotated[
        Literal["markdown", "text", "json", "xml"], typer.Option(help="How feedback is written.")
    ] = "markdown",
    timeout: Annotated[
        float | None, typer.Option(help="Seconds after which no further attempt begins.")
    ] = None,
    attempt_timeout: Annotated[
        float | None, typer.Option("--attempt-timeout", help="Seconds for each attempt.")
    ] = None,
    keep: Annotated[
        Literal["keep", "reset_on_fail", "reset_on_stall"],
        typer.Option(help="What an attempt finds in the workspace."),
    ] = "keep",
    snapshots: Annotated[
        Literal["auto", "git", "directory", "none"],
        typer.Option(help="How states of the workspace are kept."),
    ] = "auto",
    stop_on: Annotated[
        str,
        typer.Option(
            "--stop-on", help="plateau, unchanged, oscillation, repeated_failure; comma-separated."
        ),
    ] = "",
    journal: Annotated[
        Path | None, typer.Option(help="Folder to write the run down in, so that it can go on.")
    ] = None,
    run_id: Annotated[
        str | None, typer.Option("--run-id", help="What the run is called in the journal.")
    ] = None,
    resume: Annotated[
        str | None, typer.Option(help="Go on with the run of this name in the journal.")
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option("-o", "--output", help="Report to write: .md .json .html; repeatable."),
    ] = None,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print nothing but errors.")] = False,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Show the feedback and what was printed.")
    ] = False,
) -> None:
    """Have an agent work until its work passes, with the jury's feedback after each attempt.

    Ends with 0 if the work was approved, 1 if it was not, 2 if the call or the configuration is
    wrong, 3 if the judges could not judge.
    """
    from agent_judge.config import build_all, find_configuration, read_configuration
    from agent_judge.coordination import (
        CommandExecutor,
        Journal,
        JudgeCoordinator,
        JuryPolicy,
    )
    from agent_judge.coordination.workspaces import Keeping
    from agent_judge.report.trajectory import check_trajectory, write_trajectory

    with errors_explained(), ExitStack() as stack:
        for path in output or ():
            check_trajectory(path)
        if journal is None and (run_id or resume):
            fail("--run-id and --resume need --journal, where the run is written down")
        juries = build_all(read_configuration(config or find_configuration(Path.cwd())))
        executor = CommandExecutor(
            command,
            workspace,
            task=_task(task),
            stdin=stdin,
            style=feedback,
            timeout=attempt_timeout,
        )
        keeper = _keeper(snapshots, workspace.resolve(), journal)
        if keeper is not None:
            stack.callback(keeper.close)
        held_out = None if confirm_jury is None else juries.choose(confirm_jury)
        coordinator = JudgeCoordinator["JudgmentContext"](
            policy=JuryPolicy(juries.choose(jury)),
            executor=executor,
            max_attempts=attempts,
            timeout=timeout,
            stop_when=_rules(stop_on),
            confirm_with=None if held_out is None else JuryPolicy(held_out),
            workspace=keeper,
            keeping=Keeping(keep) if keeper is not None else Keeping.KEEP,
            journal=None if journal is None else Journal(journal, encode=_encoded, decode=_decoded),
            observers=() if quiet else _Shown(verbose=verbose).tell,
        )
        result = _run(coordinator, executor.argv[0], run_id, resume)
        for path in output or ():
            write_trajectory(result, path)
    raise typer.Exit(_exit_code(result.stop_reason, approved=result.is_approved))


def _run(
    coordinator: JudgeCoordinator[JudgmentContext],
    agent_id: str,
    run_id: str | None,
    resume: str | None,
) -> CoordinationResult[JudgmentContext]:
    from agent_judge.coordination import JudgeFailedError

    working = (
        coordinator.aexecute(Path(agent_id).name, run_id=run_id)
        if resume is None
        else coordinator.aresume(resume)
    )
    try:
        return asyncio.run(working)
    except JudgeFailedError as failure:
        fail(str(failure), JUDGING_FAILED)


def _exit_code(reason: StopReason, *, approved: bool) -> int:
    from agent_judge.coordination import StopReason

    if approved:
        return 0
    return LEFT_TO_A_PERSON if reason is StopReason.ESCALATED else 1


def _task(task: str) -> str:
    return Path(task[1:]).read_text("utf-8") if task.startswith("@") else task


def _keeper(
    kind: Literal["auto", "git", "directory", "none"], workspace: Path, journal: Path | None
) -> WorkspaceKeeper | None:
    """What keeps the states of the workspace; with a journal they outlast this process."""
    from agent_judge.coordination.workspaces import DirectoryKeeper, GitKeeper

    if kind == "none":
        return None
    if kind == "auto":
        kind = "git" if (workspace / ".git").exists() else "directory"
    keep_in = None if journal is None else journal.resolve() / f"states-{kind}"
    if kind == "git":
        return GitKeeper(workspace, keep_in=keep_in)
    return DirectoryKeeper(workspace, keep_in=keep_in)


def _rules(names: str) -> Sequence[StopRule]:
    from agent_judge.coordination import Oscillation, Plateau, RepeatedFailure, Unchanged

    known: dict[str, StopRule] = {
        "plateau": Plateau(),
        "unchanged": Unchanged(),
        "oscillation": Oscillation(),
        "repeated_failure": RepeatedFailure(),
    }
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    for name in wanted:
        if name not in known:
            fail(f"--stop-on: {name!r} is none of {', '.join(known)}")
    return [known[name] for name in wanted]


def _encoded(output: JudgmentContext) -> Any:
    from agent_judge import to_dict

    return to_dict(output)


def _decoded(stored: Any) -> JudgmentContext:
    from agent_judge import JudgmentContext, from_dict

    return from_dict(JudgmentContext, stored)


class _Shown:
    """What is told of a loop while it runs, on standard error."""

    def __init__(self, *, verbose: bool) -> None:
        self._verbose = verbose

    def tell(self, event: LoopEvent) -> None:
        from agent_judge.coordination import (
            AttemptExecuted,
            AttemptJudged,
            AttemptStarted,
            LoopStarted,
            LoopStopped,
        )
        from agent_judge.coordination.formatting import format_feedback

        match event:
            case LoopStarted(agent_id=agent, max_attempts=most, run_id=run_id):
                name = f", run {run_id}" if run_id else ""
                _say(f"{agent}: up to {most} attempts{name}")
            case AttemptStarted(number=number, feedback=feedback):
                _say(f"attempt {number}: working")
                if self._verbose and feedback:
                    _say(format_feedback(feedback, "text"), indent="  | ")
            case AttemptExecuted(number=number, made=made, error=error, elapsed=elapsed):
                failed = "" if error is None else f", failed: {type(error).__name__}: {error}"
                _say(f"attempt {number}: done after {elapsed:.1f} s{failed}; judging")
                if self._verbose and made is not None:
                    _say(str(made.output.output), indent="  > ")
            case AttemptJudged(attempt=attempt):
                verdict = attempt.verdict
                _say(
                    f"attempt {attempt.number}: {verdict.decision.value.upper()} "
                    f"({verdict.score:.2f}) {verdict.reason}"
                )
            case LoopStopped(result=result):
                emit(f"{result.report().splitlines()[0]}\n", sys.stdout)


def _say(text: str, indent: str = "") -> None:
    """A line or several, cut where they are very long, on standard error."""
    from agent_judge.report.text import safe_lines

    lines = safe_lines(text).rstrip("\n").split("\n")
    shown = [f"{indent}{line[:300]}" for line in lines[:40]]
    more = [f"{indent}… {len(lines) - 40} more lines"] if len(lines) > 40 else []
    emit("\n".join([*shown, *more]) + "\n", sys.stderr)
