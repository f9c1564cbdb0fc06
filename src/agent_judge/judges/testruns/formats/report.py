"""What a reader of a report of tests has to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias

from agent_judge.judges.testruns.results import CaseResult, Counts, Faults

if TYPE_CHECKING:
    from agent_judge.judges.reports.source import ReportFile

Take: TypeAlias = "Callable[[CaseResult], None]"
"""What is called with each test of a report, as it comes."""


class Report(Protocol):
    """Reads one report, once.

    Attributes:
        declared: What the report sums up itself, once it is read.
        faults: What it says went wrong outside of any test, once it is read.
    """

    declared: Counts
    faults: Faults

    def read(self, file: ReportFile, take: Take, /) -> None:
        """Hand the tests on, of which it tells.

        Raises:
            FormatError: It is no such report.
            WorkspaceError: It cannot be read (`malformed_evidence`), or is beyond a bound
                (`too_large`).
        """
        ...
