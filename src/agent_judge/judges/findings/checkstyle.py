"""Checkstyle XML, which many other tools write as well (PHP_CodeSniffer, ktlint, hadolint …)."""

from __future__ import annotations

from typing import Final

from agent_judge.judges.findings.gathering import Gathering
from agent_judge.judges.findings.record import Severity
from agent_judge.judges.reports.faults import FormatError
from agent_judge.judges.reports.xml_events import Attributes, Elements

_SEVERITIES: Final = {
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "info": Severity.NOTE,
    "ignore": Severity.NOTE,
}


class CheckstyleReader:
    """Reads a Checkstyle document: each file that was analysed, with what was found in it."""

    def __init__(self, gathering: Gathering, _root: Attributes) -> None:
        self._gathering = gathering
        self._file: str | None = None
        gathering.tool = "checkstyle"
        gathering.analysed_files()
        self.elements = Elements(
            begin={"file": self._begin_file, "error": self._error},
            text={"exception": gathering.problem},
            end={"file": self._end_file},
        )

    def _begin_file(self, attributes: Attributes) -> None:
        self._file = attributes.get("name", "")
        self._gathering.analysed_file(self._file)

    def _end_file(self) -> None:
        self._file = None

    def _error(self, attributes: Attributes) -> None:
        if self._file is None:
            raise FormatError("an error stands outside of a file")
        self._gathering.finding(
            rule=attributes.get("source"),
            message=attributes.get("message"),
            severity=_SEVERITIES.get(attributes.get("severity", "").lower(), Severity.ERROR),
            path=self._file,
            line=attributes.get("line"),
            column=attributes.get("column"),
        )
