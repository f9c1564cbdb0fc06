"""Reports in a workspace: found by pattern, and read within bounds."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Final

from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.globs import find, is_glob
from agent_judge.judges.files.paths import Workspace, WorkspaceError
from agent_judge.judges.files.reading import chunks
from agent_judge.judges.files.tree import Budget
from agent_judge.judges.showing import shown
from agent_judge.judges.testruns.formats import report_reader
from agent_judge.judges.testruns.results import ReportError
from agent_judge.judges.testruns.tally import Tally
from agent_judge.judgment import ReasonCode

REPORT_LIMIT: Final = 100_000_000
"""Bytes of one report that are read unless a judge is told otherwise."""


@dataclass(frozen=True, slots=True)
class OpenReport:
    """A report that is held open.

    Attributes:
        path: Where it is in the workspace.
        status: What the file system knows of it.
    """

    path: str
    status: os.stat_result
    _descriptor: int
    _limit: int

    def read_into(self, tally: Tally, format: str | None) -> None:  # noqa: A002 - the field's word
        """Take its tests in.

        Raises:
            WorkspaceError: It cannot be read (`malformed_evidence`, `too_large`).
        """
        parts = chunks(self._descriptor, self.path, self._limit)
        head = next(parts, b"")
        try:
            tally.take(report_reader(format, head), chain([head], parts))
        except ReportError as fault:
            reason = f"the report {shown(self.path)} {fault}"
            raise WorkspaceError(reason, ReasonCode.MALFORMED_EVIDENCE) from None


@contextmanager
def opened_report(workspace: Workspace, path: str, limit: int) -> Generator[OpenReport, None, None]:
    """Hold a report open.

    Raises:
        WorkspaceError: It leads out of the workspace, or cannot be read.
    """
    with workspace.open(path) as descriptor:
        yield OpenReport(path, os.fstat(descriptor), descriptor, limit)


def find_reports(workspace: Workspace, patterns: Sequence[str], walk_limit: int) -> Iterator[str]:
    """The files, and links to files, that patterns match; each once.

    Raises:
        WorkspaceError: There are too many names to look at.
    """
    seen: set[str] = set()
    budget = Budget(walk_limit)
    for pattern in patterns:
        for path in _matches(workspace, pattern, budget):
            if path not in seen:
                seen.add(path)
                yield path


def _matches(workspace: Workspace, pattern: str, budget: Budget) -> Iterator[str]:
    if not is_glob(pattern):
        if workspace.kind_unfollowed(pattern) in (Kind.FILE, Kind.LINK):
            yield pattern
        return
    for entry in find(workspace, pattern, budget):
        if entry.kind in (Kind.FILE, Kind.LINK):
            yield entry.path
