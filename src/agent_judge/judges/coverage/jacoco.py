"""JaCoCo XML."""

from __future__ import annotations

from typing import Final

from agent_judge.judges.coverage.record import Metric
from agent_judge.judges.coverage.tally import FileTally, Tally
from agent_judge.judges.reports.faults import FormatError, whole_numbers
from agent_judge.judges.reports.xml_events import Attributes, Elements

_METRICS: Final[dict[str, Metric]] = {
    "INSTRUCTION": "statements",
    "LINE": "lines",
    "BRANCH": "branches",
}


class JacocoReader:
    """Reads a JaCoCo document; a file is called by its package and its name.

    A line ran when an instruction of it did, as JaCoCo counts it itself.
    """

    def __init__(self, tally: Tally, _root: Attributes) -> None:
        self._tally = tally
        self._package: str | None = None
        self._file: FileTally | None = None
        self._classes = 0
        self._groups = 0
        self.elements = Elements(
            begin={
                "group": self._begin_group,
                "package": self._begin_package,
                "class": self._begin_class,
                "sourcefile": self._begin_file,
                "line": self._line,
                "counter": self._counter,
            },
            end={
                "group": self._end_group,
                "package": self._end_package,
                "class": self._end_class,
                "sourcefile": self._end_file,
            },
        )

    def _begin_group(self, _attributes: Attributes) -> None:
        self._groups += 1

    def _end_group(self) -> None:
        self._groups -= 1

    def _begin_package(self, attributes: Attributes) -> None:
        self._package = attributes.get("name", "")

    def _end_package(self) -> None:
        self._package = None

    def _begin_class(self, _attributes: Attributes) -> None:
        self._classes += 1

    def _end_class(self) -> None:
        self._classes -= 1

    def _begin_file(self, attributes: Attributes) -> None:
        name = attributes.get("name", "")
        self._file = self._tally.file(f"{self._package}/{name}" if self._package else name)

    def _end_file(self) -> None:
        self._file = None

    def _line(self, attributes: Attributes) -> None:
        file = self._file
        if file is None:
            raise FormatError("a line stands outside of a source file")
        number, instructions, missed, taken = whole_numbers(attributes, "nr", "ci", "mb", "cb")
        file.line(number, ran=instructions > 0)
        if missed or taken:
            file.branch(number, taken, taken + missed)

    def _counter(self, attributes: Attributes) -> None:
        metric = _METRICS.get(attributes.get("type", ""))
        if metric is None or self._classes:
            return
        covered, missed = whole_numbers(attributes, "covered", "missed")
        total = covered + missed
        if self._file is not None:
            self._file.count(metric, covered, total)
        elif self._package is None and not self._groups:
            self._tally.declare(metric, covered, total)
