"""PMD XML."""

from __future__ import annotations

from typing import Final

from agent_judge.judges.findings.gathering import Gathering
from agent_judge.judges.findings.record import Severity
from agent_judge.judges.reports.faults import FormatError
from agent_judge.judges.reports.xml_events import Attributes, Elements

_SEVERITIES: Final = {
    "1": Severity.ERROR,
    "2": Severity.ERROR,
    "3": Severity.WARNING,
    "4": Severity.NOTE,
    "5": Severity.NOTE,
}
"""PMD's priorities, high to low, in the levels that it gives them in SARIF."""


class PmdReader:
    """Reads a PMD document, which names files with violations only."""

    def __init__(self, gathering: Gathering, _root: Attributes) -> None:
        self._gathering = gathering
        self._file: str | None = None
        self._violation: Attributes = {}
        gathering.tool = "pmd"
        self.elements = Elements(
            begin={
                "file": self._begin_file,
                "violation": self._begin_violation,
                "suppressedviolation": self._suppressed,
                "error": self._error,
                "configerror": self._error,
            },
            text={"violation": self._end_violation},
            end={"file": self._end_file},
        )

    def _begin_file(self, attributes: Attributes) -> None:
        self._file = attributes.get("name", "")

    def _end_file(self) -> None:
        self._file = None

    def _begin_violation(self, attributes: Attributes) -> None:
        self._violation = attributes

    def _end_violation(self, message: str) -> None:
        if self._file is None:
            raise FormatError("a violation stands outside of a file")
        self._gathering.finding(
            rule=self._violation.get("rule"),
            message=message,
            severity=_SEVERITIES.get(self._violation.get("priority", ""), Severity.WARNING),
            path=self._file,
            line=self._violation.get("beginline"),
            column=self._violation.get("begincolumn"),
        )

    def _suppressed(self, _attributes: Attributes) -> None:
        self._gathering.suppressed += 1

    def _error(self, attributes: Attributes) -> None:
        where = attributes.get("filename") or attributes.get("rule") or ""
        self._gathering.problem(f"{where}: {attributes.get('msg', '')}")
