"""The reports that a judge goes by: where they are, what makes them, and whether they are fresh."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar, cast

from agent_judge.context import JudgmentContext
from agent_judge.engine import in_worker, shared
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.globs import check_patterns, find, is_glob
from agent_judge.judges.files.paths import Workspace, WorkspaceError, open_workspace
from agent_judge.judges.files.reading import check_limit
from agent_judge.judges.files.tree import WALK_LIMIT, Budget
from agent_judge.judges.process.command import CommandJudge
from agent_judge.judges.process.judging import judge_end, run_shared, working_directory
from agent_judge.judges.reports.source import REPORT_LIMIT, ReportFile, open_report
from agent_judge.judges.showing import shown
from agent_judge.judges.text.reading import check_choice
from agent_judge.judgment import ReasonCode

T = TypeVar("T")

Stale: TypeAlias = Literal["error", "accept"]
"""What becomes of a report that is older than the run: ERROR `stale_evidence`, or nothing."""

CommandOption: TypeAlias = "str | Sequence[str] | Mapping[str, Any] | None"
"""A command as a judge of reports is given it: as `CommandJudge` takes it, or all its options."""

COMMAND_TIMEOUT: Final = 600.0
"""Seconds that a command may take that makes a report, unless its options say otherwise."""

MAX_REPORTS: Final = 1_000
"""Reports that one pattern may match."""


@dataclass(frozen=True, slots=True)
class Read(Generic[T]):
    """A report that was read.

    Attributes:
        path: Where it is in the workspace.
        sha256: The hash of its content.
        content: What it says.
        written: When it was written at the latest, in nanoseconds since 1970, as far as is known.
    """

    path: str
    sha256: str
    content: T
    written: int | None = None


@dataclass(frozen=True, slots=True)
class ReportEvidence:
    """Which reports a judge goes by.

    Attributes:
        paths: Paths or patterns in the workspace.
        command: What makes them; run first.
        stale: What becomes of a report that is older than the run or the command.
        size_limit: Bytes of one report.
    """

    paths: tuple[str, ...]
    command: CommandJudge | None = None
    stale: Stale = "error"
    size_limit: int = REPORT_LIMIT

    async def read(
        self, context: JudgmentContext, how: Callable[[ReportFile], T]
    ) -> tuple[Read[T], ...]:
        """Read every report, once for all judges of a vote that go by the same ones.

        Args:
            context: The run, for its workspace and when it began.
            how: Reads one report, in a worker thread.

        Raises:
            WorkspaceError: There is none, or one cannot be read; a report is stale
                (`stale_evidence`); the command that makes them did not end as it should.
        """
        since = await self._written_since(context)
        key = (self, how, context.workspace, since)
        return await shared(key, lambda: in_worker(lambda: self._read(context, how, since)))

    async def _written_since(self, context: JudgmentContext) -> int | None:
        """The moment from which on a report is fresh, in nanoseconds since 1970."""
        began = None
        if context.started_at is not None:
            began = int(context.started_at.timestamp() * 1e9)
        if self.command is not None:
            began = await _run(self.command, context)
        return began if self.stale == "error" else None

    def _read(
        self, context: JudgmentContext, how: Callable[[ReportFile], T], since: int | None
    ) -> tuple[Read[T], ...]:
        with open_workspace(context.workspace) as workspace:
            paths = dict.fromkeys(self._found(workspace))
            return tuple(self._read_one(workspace, path, how, since) for path in paths)

    def _read_one(
        self,
        workspace: Workspace,
        path: str,
        how: Callable[[ReportFile], T],
        since: int | None,
    ) -> Read[T]:
        with open_report(workspace, path, self.size_limit) as report:
            if since is not None and report.written is not None and report.written < since:
                cause = "the command that makes it" if self.command else "the run"
                raise WorkspaceError(
                    f"the report {shown(path)} is older than {cause}: it was left over from "
                    "before; with stale='accept' it is judged all the same",
                    ReasonCode.STALE_EVIDENCE,
                )
            content = how(report)
            return Read(path, report.sha256, content, report.written)

    def _found(self, workspace: Workspace) -> Iterator[str]:
        """The paths of the reports; a pattern that matches none is as good as a missing file."""
        budget = Budget(WALK_LIMIT)
        for pattern in self.paths:
            if not is_glob(pattern):
                yield pattern
                continue
            count = 0
            for entry in find(workspace, pattern, budget):
                if entry.kind is Kind.FILE:
                    count += 1
                    yield entry.path
            if not count:
                raise WorkspaceError(
                    f"no report matches {shown(pattern)}", ReasonCode.MISSING_INPUT
                )
            if count > MAX_REPORTS:
                raise WorkspaceError(
                    f"{shown(pattern)} matches {count} reports, over {MAX_REPORTS}",
                    ReasonCode.TOO_LARGE,
                )


def report_evidence(
    report: object, command: object, stale: object, size_limit: object, *, exits: Collection[int]
) -> ReportEvidence:
    """Check what a judge of reports is told.

    Args:
        report: A path or pattern in the workspace, or a list of them.
        command: As `CommandOption`.
        stale: As `Stale`.
        size_limit: Bytes.
        exits: The exit codes with which the command may end, unless its options say otherwise.

    Raises:
        ArgumentError: A path that leaves the workspace, an unknown word, a bad number, or what
            `CommandJudge` refuses.
        ArgumentTypeError: A value of the wrong type.
    """
    check_choice(stale, ("error", "accept"), "stale")
    check_limit(size_limit, "size_limit")
    paths = check_patterns([report] if isinstance(report, str) else report, "report")
    judge = _command_judge(command, exits)
    return ReportEvidence(paths, judge, cast("Stale", stale), cast("int", size_limit))


def _command_judge(command: object, exits: Collection[int]) -> CommandJudge | None:
    if command is None:
        return None
    given = cast("Mapping[str, Any]", command) if isinstance(command, Mapping) else None
    options: dict[str, Any] = {"command": command} if given is None else dict(given)
    defaults: dict[str, Any] = {"timeout": COMMAND_TIMEOUT, "expected_exit": exits}
    try:
        return CommandJudge(**(defaults | options))
    except TypeError as fault:
        if isinstance(fault, ArgumentTypeError):
            raise
        raise ArgumentError(f"command has an option that there is not: {fault}") from None


async def _run(judge: CommandJudge, context: JudgmentContext) -> int:
    """Run what makes the reports; when it was begun, in nanoseconds since 1970.

    Raises:
        WorkspaceError: It did not end as it should, so that there is nothing to go by.
    """
    workspace, folder = working_directory(context, judge.cwd)
    completed = await run_shared(judge.prepared(Path(workspace), folder))
    judgment = judge_end(completed, judge.expected_codes)
    if not judgment.passed:
        raise WorkspaceError(
            f"the command that makes the report failed: {judgment.reasoning}",
            judgment.code or ReasonCode.MISSING_INPUT,
        )
    return completed.started_ns
