"""scoverage XML, of Scala."""

from __future__ import annotations

from agent_judge.judges.coverage.tally import FileTally, Tally
from agent_judge.judges.reports.faults import FormatError, whole_numbers
from agent_judge.judges.reports.xml_events import Attributes, Elements


class ScoverageReader:
    """Reads a scoverage document: a line ran when a statement that begins on it did."""

    def __init__(self, tally: Tally, root: Attributes) -> None:
        self._tally = tally
        self._file: FileTally | None = None
        if "statement-count" in root:
            totals = whole_numbers(root, "statements-invoked", "statement-count")
            tally.declare("statements", *totals)
        self.elements = Elements(begin={"class": self._class, "statement": self._statement})

    def _class(self, attributes: Attributes) -> None:
        self._file = self._tally.file(attributes.get("filename", ""))

    def _statement(self, attributes: Attributes) -> None:
        if attributes.get("ignored") == "true":
            return
        source = attributes.get("source")
        file = self._tally.file(source) if source else self._file
        if file is None:
            raise FormatError("a statement stands outside of a class")
        number, invocations = whole_numbers(attributes, "line", "invocation-count")
        ran = invocations > 0
        file.line(number, ran=ran)
        file.count("statements", int(ran), 1)
        if attributes.get("branch") == "true":
            file.count("branches", int(ran), 1)
