"""Reports of tests in a workspace: found by pattern, and read within bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.globs import find, is_glob
from agent_judge.judges.files.paths import Workspace, WorkspaceError
from agent_judge.judges.files.tree import WALK_LIMIT, Budget
from agent_judge.judges.reports.source import REPORT_LIMIT, ReportFile, open_report
from agent_judge.judges.testruns.tally import Tally
from agent_judge.judgment import ReasonCode


@dataclass(frozen=True, slots=True)
class Reports:
    """Which reports there should be.

    Attributes:
        patterns: Paths or patterns in the workspace.
        format: A key of `FORMATS`; `None` where each report itself tells.
        size_limit: Bytes of one report.
        walk_limit: Names that are looked at to find them.
    """

    patterns: Sequence[str]
    format: str | None = None
    size_limit: int = REPORT_LIMIT
    walk_limit: int = WALK_LIMIT

    def find(self, workspace: Workspace) -> Iterator[str]:
        """The files, and links to files, that patterns match; each once.

        Raises:
            WorkspaceError: There are too many names to look at (`too_large`).
        """
        seen: set[str] = set()
        budget = Budget(self.walk_limit)
        for pattern in self.patterns:
            for path in _matches(workspace, pattern, budget):
                if path not in seen:
                    seen.add(path)
                    yield path

    def read(self, workspace: Workspace, tally: Tally, since: int | None) -> list[str]:
        """Take all of them in; their paths.

        Args:
            workspace: Where they are.
            tally: What takes them in.
            since: The moment before which a report is stale, in nanoseconds since 1970.

        Raises:
            WorkspaceError: There is none (`missing_input`), one is older (`stale_evidence`), leads
                out of the workspace, or cannot be read.
        """
        paths: list[str] = []
        for path in self.find(workspace):
            with open_report(workspace, path, self.size_limit) as report:
                _check_age(report, since)
                tally.read(report, self.format)
            paths.append(path)
        if not paths:
            raise WorkspaceError(
                f"there is no report: nothing in the workspace is {' or '.join(self.patterns)}",
                ReasonCode.MISSING_INPUT,
            )
        return paths


def _check_age(report: ReportFile, since: int | None) -> None:
    if since is not None and report.written is not None and report.written < since:
        raise WorkspaceError(
            f"the report {report.name} is older than the run: it was left over from before; with "
            "stale='accept' it is judged all the same",
            ReasonCode.STALE_EVIDENCE,
        )


def _matches(workspace: Workspace, pattern: str, budget: Budget) -> Iterator[str]:
    if not is_glob(pattern):
        if workspace.kind_unfollowed(pattern) in (Kind.FILE, Kind.LINK):
            yield pattern
        return
    for entry in find(workspace, pattern, budget):
        if entry.kind in (Kind.FILE, Kind.LINK):
            yield entry.path
