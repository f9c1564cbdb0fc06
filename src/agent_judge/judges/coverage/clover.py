"""Clover XML, as OpenClover, PHPUnit and Istanbul write it."""

from __future__ import annotations

from typing import Final

from agent_judge.judges.coverage.record import Metric
from agent_judge.judges.coverage.tally import FileTally, Tally
from agent_judge.judges.reports.faults import FormatError, whole_number, whole_numbers
from agent_judge.judges.reports.xml_events import Attributes, Elements

_DECLARED: Final[tuple[tuple[Metric, str], ...]] = (
    ("statements", "statements"),
    ("branches", "conditionals"),
)


class CloverReader:
    """Reads a Clover document.

    Lines are those of statements and of conditions; the first line of a method says how often it
    was called, and is no statement. A condition has two branches, of which Clover counts how often
    each was taken. Istanbul writes how many branches of a line were taken, and how many were not,
    and beside them how often the line ran.
    """

    def __init__(self, tally: Tally, _root: Attributes) -> None:
        self._tally = tally
        self._file: FileTally | None = None
        self._package = ""
        self._inner = 0
        self.elements = Elements(
            begin={
                "package": self._begin_package,
                "file": self._begin_file,
                "line": self._line,
                "metrics": self._metrics,
            },
            end={"package": self._end_package, "file": self._end_file},
        )

    def _begin_package(self, attributes: Attributes) -> None:
        self._package = attributes.get("name", "")
        self._inner += 1

    def _end_package(self) -> None:
        self._package = ""
        self._inner -= 1

    def _begin_file(self, attributes: Attributes) -> None:
        name = attributes.get("name", "")
        folder = self._package.replace(".", "/")
        named = f"{folder}/{name}" if folder and "/" not in name else name
        self._file = self._tally.file(attributes.get("path") or named)
        self._inner += 1

    def _end_file(self) -> None:
        self._file = None
        self._inner -= 1

    def _line(self, attributes: Attributes) -> None:
        file = self._file
        if file is None:
            raise FormatError("a line stands outside of a file")
        kind = attributes.get("type")
        if kind == "method":
            return
        if kind == "cond":
            self._condition(file, attributes)
        else:
            number, count = whole_numbers(attributes, "num", "count")
            _statement(file, number, ran=count > 0)

    def _condition(self, file: FileTally, attributes: Attributes) -> None:
        number, true, false = whole_numbers(attributes, "num", "truecount", "falsecount")
        if "count" in attributes:
            (count,) = whole_numbers(attributes, "count")
            file.branch(number, true, true + false)
            _statement(file, number, ran=count > 0)
        else:
            file.branch(number, (true > 0) + (false > 0), 2)
            _statement(file, number, ran=true > 0 or false > 0)

    def _metrics(self, attributes: Attributes) -> None:
        """Keep the totals of the whole project, which stand outside of packages and files."""
        if self._inner or "statements" in self._tally.declared:
            return
        for metric, name in _DECLARED:
            if name in attributes:
                covered = whole_number(attributes.get(f"covered{name}", "0"), f"covered{name}")
                self._tally.declare(metric, covered, whole_number(attributes[name], name))


def _statement(file: FileTally, number: int, *, ran: bool) -> None:
    file.line(number, ran=ran)
    file.count("statements", int(ran), 1)
