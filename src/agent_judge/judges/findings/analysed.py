"""How many files were analysed, as far as anybody knows."""

from __future__ import annotations

from collections.abc import Sequence

from agent_judge.context import JudgmentContext
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.globs import Globs, find_below
from agent_judge.judges.files.paths import WorkspaceError, open_workspace
from agent_judge.judges.files.tree import Budget
from agent_judge.judges.findings.record import FindingsReport
from agent_judge.judges.reports.evidence import Read
from agent_judge.judges.reports.names import NAMES_LIMIT
from agent_judge.judges.showing import shown
from agent_judge.judgment import ReasonCode


def count_analysed(
    context: JudgmentContext, reads: Sequence[Read[FindingsReport]], files: Sequence[str]
) -> int | None:
    """How many files were analysed at least; `None` where a report says nothing of any.

    Args:
        context: The run, for its workspace.
        reads: The reports; one that does not say how many it is of is of those that it finds
            something in.
        files: Files that the tool was to look at, by patterns, for reports that say nothing.

    Raises:
        WorkspaceError: A report says that there were none, or none of those that the tool was to
            look at is there (`missing_input`).
    """
    total = 0
    for read in reads:
        report = read.content
        if report.analysed == 0:
            raise WorkspaceError(
                f"{shown(read.path)} says that no file was analysed", ReasonCode.MISSING_INPUT
            )
        named = len({finding.path for finding in report.findings if finding.path})
        analysed = report.analysed or named
        if not analysed and not files:
            return None
        total += analysed
    return total or _present(context, files)


def _present(context: JudgmentContext, files: Sequence[str]) -> int:
    with open_workspace(context.workspace) as workspace:
        entries = find_below(workspace, ".", Globs(files), Budget(NAMES_LIMIT))
        count = sum(entry.kind is Kind.FILE for entry in entries)
    if not count:
        raise WorkspaceError(
            f"there is no file to analyse: {', '.join(files)}", ReasonCode.MISSING_INPUT
        )
    return count
