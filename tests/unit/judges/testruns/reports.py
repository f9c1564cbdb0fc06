"""Reading reports in tests."""

from __future__ import annotations

from agent_judge.judges.testruns.formats import FORMATS, Report, report_reader
from agent_judge.judges.testruns.results import CaseResult, Outcome


def read(kind: str, text: str | bytes) -> list[CaseResult]:
    """The tests of a report in a format."""
    return read_with(FORMATS[kind](), text)


def read_with(report: Report, text: str | bytes) -> list[CaseResult]:
    """The tests of a report, whose reader can be asked for more afterwards."""
    content = text.encode() if isinstance(text, str) else text
    step = 7 if len(content) < 100_000 else 100_000
    return list(
        report.read([content[start : start + step] for start in range(0, len(content), step)])
    )


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
    content = text.encode() if isinstance(text, str) else text
    return read_with(report_reader(None, content), content)
