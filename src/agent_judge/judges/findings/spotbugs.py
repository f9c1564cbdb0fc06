"""SpotBugs and FindBugs XML."""

from __future__ import annotations

from typing import Final

from agent_judge.judges.findings.gathering import Gathering
from agent_judge.judges.findings.record import Severity
from agent_judge.judges.reports.faults import whole_number
from agent_judge.judges.reports.xml_events import Attributes, Elements

_SEVERITIES: Final = {"1": Severity.ERROR, "2": Severity.WARNING, "3": Severity.NOTE}
"""Priorities, high to low."""

_PARTS: Final = ("Class", "Method", "Field", "LocalVariable", "Type")
"""What a bug is in; each may have a source line of its own."""


class SpotBugsReader:
    """Reads a SpotBugs document.

    The place of a bug is the first source line that is its own; where it has none, the first of
    what it is in.
    """

    def __init__(self, gathering: Gathering, _root: Attributes) -> None:
        self._gathering = gathering
        self._bug: Attributes | None = None
        self._inside = 0
        self._own: Attributes | None = None
        self._other: Attributes | None = None
        self._message = ""
        gathering.tool = "spotbugs"
        self.elements = Elements(
            begin={
                "BugInstance": self._begin_bug,
                "SourceLine": self._source_line,
                "FindBugsSummary": self._summary,
                "Errors": self._errors,
                **dict.fromkeys(_PARTS, self._begin_part),
            },
            text={"LongMessage": self._take_message, "ErrorMessage": gathering.problem},
            end={"BugInstance": self._end_bug, **dict.fromkeys(_PARTS, self._end_part)},
        )

    def _begin_bug(self, attributes: Attributes) -> None:
        self._bug, self._own, self._other = attributes, None, None
        self._inside, self._message = 0, ""

    def _begin_part(self, _attributes: Attributes) -> None:
        self._inside += 1

    def _end_part(self) -> None:
        self._inside -= 1

    def _source_line(self, attributes: Attributes) -> None:
        if self._inside:
            self._other = self._other or attributes
        else:
            self._own = self._own or attributes

    def _take_message(self, text: str) -> None:
        if self._bug is not None:
            self._message = text

    def _end_bug(self) -> None:
        assert self._bug is not None
        place = self._own or self._other or {}
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
