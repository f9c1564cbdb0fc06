"""SpotBugs and FindBugs XML."""

from __future__ import annotations

from functools import partial
from typing import Final

from agent_judge.judges.findings.gathering import Gathering
from agent_judge.judges.findings.record import Severity
from agent_judge.judges.reports.faults import whole_number
from agent_judge.judges.reports.xml_events import Attributes, Elements

_SEVERITIES: Final = {"1": Severity.ERROR, "2": Severity.WARNING, "3": Severity.NOTE}
"""Priorities, high to low."""

_PARTS: Final = ("Method", "Field", "LocalVariable", "Type", "Class")
"""What a bug is in, the most telling first; each may have a source line of its own."""


_OWN: Final = "BugInstance"


class SpotBugsReader:
    """Reads a SpotBugs document.

    The place of a bug is the first source line that is its own; where it has none, that of the
    method, the field or else the class that it is in.
    """

    def __init__(self, gathering: Gathering, _root: Attributes) -> None:
        self._gathering = gathering
        self._bug: Attributes | None = None
        self._inside: list[str] = []
        self._lines: dict[str, Attributes] = {}
        self._message = ""
        gathering.tool = "spotbugs"
        self.elements = Elements(
            begin={
                "BugInstance": self._begin_bug,
                "SourceLine": self._source_line,
                "FindBugsSummary": self._summary,
                "Errors": self._errors,
                **{part: partial(self._begin_part, part) for part in _PARTS},
            },
            text={"LongMessage": self._take_message, "ErrorMessage": gathering.problem},
            end={"BugInstance": self._end_bug, **dict.fromkeys(_PARTS, self._end_part)},
        )

    def _begin_bug(self, attributes: Attributes) -> None:
        self._bug, self._message = attributes, ""
        self._lines.clear()

    def _begin_part(self, part: str, _attributes: Attributes) -> None:
        self._inside.append(part)

    def _end_part(self) -> None:
        self._inside.pop()

    def _source_line(self, attributes: Attributes) -> None:
        part = self._inside[-1] if self._inside else _OWN
        self._lines.setdefault(part, attributes)

    def _take_message(self, text: str) -> None:
        if self._bug is not None:
            self._message = text

    def _end_bug(self) -> None:
        assert self._bug is not None
        parts = (part for part in (_OWN, *_PARTS) if part in self._lines)
        place = self._lines.get(next(parts, _OWN), {})
        kind = self._bug.get("type", "")
        self._gathering.finding(
            rule=kind,
            message=self._message or kind,
            severity=_SEVERITIES.get(self._bug.get("priority", ""), Severity.WARNING),
            path=place.get("sourcepath") or place.get("sourcefile") or "",
            line=place.get("start"),
        )
        self._bug = None

    def _summary(self, attributes: Attributes) -> None:
        if "total_classes" in attributes:
            self._gathering.analysed_count(whole_number(attributes["total_classes"], "classes"))

    def _errors(self, attributes: Attributes) -> None:
        if attributes.get("errors", "0") != "0" and attributes.get("errors"):
            self._gathering.problem(f"{attributes['errors']} errors while it analysed")
