"""Reading reports in tests."""

from __future__ import annotations

from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.reports.faults import FormatError
from agent_judge.judges.reports.source import ReportFile
from agent_judge.judges.testruns.formats import FORMATS, Report, report_in
from agent_judge.judges.testruns.results import CaseResult, Outcome

REFUSED = (FormatError, WorkspaceError)
"""What is raised where a report is refused."""


def read(kind: str, text: str | bytes) -> list[CaseResult]:
    """The tests of a report in a format."""
    return read_with(FORMATS[kind](), text)


def read_with(report: Report, text: str | bytes) -> list[CaseResult]:
    """The tests of a report, whose reader can be asked for more afterwards."""
    found: list[CaseResult] = []
    report.read(file_of(text), found.append)
    return found


def outcomes(kind: str, text: str) -> dict[str, Outcome]:
    """How each test of a report ended, by its name."""
    return {result.name: result.outcome for result in read(kind, text)}


def faults(kind: str, text: str) -> list[str]:
    """What a report says went wrong outside of its tests."""
    report = FORMATS[kind]()
    read_with(report, text)
    return report.faults.kept


def detected(text: str | bytes) -> list[CaseResult]:
    """The tests of a report that tells its format itself."""
    return read_with(report_in(None, file_of(text)), text)


def file_of(text: str | bytes) -> ReportFile:
    """A report that is open for reading."""
    return ReportFile.of(text.encode() if isinstance(text, str) else text)
