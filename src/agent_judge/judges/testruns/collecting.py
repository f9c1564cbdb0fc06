"""The reports of a run that was not watched: which are its own, and what is in them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.paths import Workspace, WorkspaceError, open_workspace
from agent_judge.judges.reports.source import REPORT_LIMIT, open_report
from agent_judge.judges.showing import shown
from agent_judge.judges.testruns.reading import Reports
from agent_judge.judges.testruns.runners import STDOUT
from agent_judge.judgment import ReasonCode

if TYPE_CHECKING:
    from agent_judge.judges.process.records import Completed
    from agent_judge.judges.testruns.commanding import Commanded

Stamp: TypeAlias = "tuple[int, int, int, int]"
Stamps: TypeAlias = "Mapping[str, Stamp]"
"""What the file system knew of reports before the run."""

MARGIN: Final = 64
"""Bytes by which the kept part of a stream may fall short of its bound when more was dropped."""


@dataclass(frozen=True, slots=True)
class Collected:
    """The reports of a run.

    Attributes:
        reports: Their content by their names.
        stale: Those that were there before the run, and that it did not write.
    """

    reports: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    stale: tuple[str, ...] = ()


def stamps_of(commanded: Commanded, root: Path) -> Stamps:
    """The reports that are there already, where the command writes into the workspace."""
    patterns = _in_workspace(commanded)
    if not patterns:
        return {}
    with open_workspace(root) as workspace:
        reports = Reports(patterns, walk_limit=commanded.walk_limit)
        return {path: _stamp(workspace, path) for path in reports.find(workspace)}


def _in_workspace(commanded: Commanded) -> list[str]:
    return [pattern for pattern in commanded.patterns if pattern != STDOUT]


def collect(commanded: Commanded, root: Path, before: Stamps, completed: Completed) -> Collected:
    """Read the reports that a run wrote.

    Raises:
        WorkspaceError: One is a link, leads out of where it should be, or is too large.
    """
    reports: dict[str, bytes] = {}
    stale: list[str] = []
    if STDOUT in commanded.patterns:
        reports["the standard output"] = _stdout(completed)
    if commanded.report is not None and os.path.lexists(commanded.report):
        with open_workspace(commanded.report.parent) as private:
            reports["the report"] = _content(private, commanded.report.name, since=None)
    if commanded.folder is not None:
        with open_workspace(commanded.folder) as private:
            for path in Reports(["**"]).find(private):
                reports[path] = _content(private, path, since=None)
    reports_there = Reports(_in_workspace(commanded), walk_limit=commanded.walk_limit)
    with open_workspace(root) as workspace:
        for path in reports_there.find(workspace):
            if before.get(path) == _stamp(workspace, path):
                stale.append(path)
            else:
                reports[path] = _content(workspace, path, since=completed.started_ns)
    return Collected(reports, tuple(stale))


def _stdout(completed: Completed) -> bytes:
    content = completed.stdout.encode()
    limit = max(completed.command.output_limit, completed.command.stdout_limit)
    if len(content) > limit - MARGIN:
        raise WorkspaceError(
            f"the report on the standard output holds more than {limit} bytes", ReasonCode.TOO_LARGE
        )
    return content


def _content(workspace: Workspace, path: str, since: int | None) -> bytes:
    """The bytes of a report.

    Raises:
        WorkspaceError: It is no file of its own, is older than the run, or too large.
    """
    if workspace.kind_unfollowed(path) is not Kind.FILE:
        raise WorkspaceError(
            f"the report {shown(path)} is no file of its own but a link, or something else",
            ReasonCode.MALFORMED_EVIDENCE,
        )
    with open_report(workspace, path, REPORT_LIMIT) as report:
        if since is not None and report.written is not None and report.written < since:
            raise WorkspaceError(
                f"the report {report.name} is older than the run", ReasonCode.STALE_EVIDENCE
            )
        return b"".join(report.chunks())


def _stamp(workspace: Workspace, path: str) -> Stamp:
    """What changes when a file is written anew; of a link, nothing."""
    if workspace.kind_unfollowed(path) is not Kind.FILE:
        return (0, 0, 0, 0)
    with workspace.open(path) as descriptor:
        status = os.fstat(descriptor)
    return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
