"""What was found before: by a report on the side of whoever judges, or by that of the base."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agent_judge.context import JudgmentContext
from agent_judge.frozen import Json
from agent_judge.judges.deadline import Deadline
from agent_judge.judges.diff.sides import RevisionSide
from agent_judge.judges.diff.sources import Changes, FolderChanges, GitChanges
from agent_judge.judges.files.excludes import Excludes
from agent_judge.judges.files.paths import WorkspaceError, open_workspace
from agent_judge.judges.files.tree import Budget
from agent_judge.judges.findings.formats import ReadFindings
from agent_judge.judges.findings.record import FindingsReport
from agent_judge.judges.git.place import git_directory
from agent_judge.judges.git.repository import find_git
from agent_judge.judges.git.scratch import Git
from agent_judge.judges.reports.source import ReportFile, open_report, open_trusted_report
from agent_judge.judges.showing import shown
from agent_judge.judgment import ReasonCode


@dataclass(frozen=True, slots=True)
class Baseline:
    """What was found before.

    Attributes:
        report: The report.
        origin: Where it comes from, for machines.
    """

    report: FindingsReport
    origin: Mapping[str, Json]


def read_baseline(path: str | Path, read: ReadFindings, size_limit: int) -> Baseline:
    """Read a report on the side of whoever judges.

    Raises:
        WorkspaceError: It is not there, or cannot be read.
    """
    with open_trusted_report(path, size_limit) as opened:
        report = read(opened)
        origin = {"from": "report", "path": shown(str(path)), "sha256": opened.sha256}
    return Baseline(report, origin)


def baseline_of_base(
    context: JudgmentContext, changes: Changes, path: str, read: ReadFindings, size_limit: int
) -> Baseline:
    """Read the report that the base of a change has under the same path.

    Raises:
        WorkspaceError: The base has none, or it cannot be read.
    """
    match changes:
        case GitChanges():
            opened = _in_revision(context, changes, path, size_limit)
            return Baseline(read(opened), _origin(changes.base, path, opened))
        case FolderChanges():
            with (
                open_workspace(Path(changes.before)) as folder,
                open_report(folder, path, size_limit) as opened,
            ):
                report = read(opened)
                return Baseline(report, _origin(str(changes.before), path, opened))
        case _:
            raise WorkspaceError(
                "a patch has no report from before; name one as baseline", ReasonCode.MISSING_INPUT
            )


def _in_revision(
    context: JudgmentContext, changes: GitChanges, path: str, size_limit: int
) -> ReportFile:
    name = f"{shown(path)} of {changes.base}"
    with open_workspace(context.workspace) as workspace:
        git = Git(find_git(workspace.path), Deadline(changes.bounds.timeout, f"reading {name}"))
        with git.repository(git_directory(workspace, changes.repository)) as repository:
            side = RevisionSide(
                repository, changes.base, Excludes(()), Budget(changes.bounds.names)
            )
            entry = side.entries().get(path)
            if entry is None:
                raise WorkspaceError(f"there is no {name}", ReasonCode.MISSING_INPUT)
            content = side.version(entry, size_limit).content
    if content is None:
        raise WorkspaceError(f"{name} is larger than {size_limit} bytes", ReasonCode.TOO_LARGE)
    return ReportFile.of(content, name, size_limit)


def _origin(base: str, path: str, opened: ReportFile) -> dict[str, Json]:
    return {"from": "base", "base": shown(base), "path": shown(path), "sha256": opened.sha256}
