"""Cobertura XML, as Cobertura, coverage.py, coverlet, Istanbul, gcovr and many others write it."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from agent_judge.judges.coverage.record import Metric
from agent_judge.judges.coverage.tally import MAX_LINES, FileTally, Tally
from agent_judge.judges.reports.faults import FormatError, whole_number, whole_numbers
from agent_judge.judges.reports.names import posix_name
from agent_judge.judges.reports.xml_events import Attributes, Elements

_TAKEN: Final = re.compile(r"\((\d{1,9})/(\d{1,9})\)")
"""The end of a `condition-coverage`, as in `50% (1/2)`."""

_DECLARED: Final[tuple[tuple[Metric, str], ...]] = (("lines", "lines"), ("branches", "branches"))


_Line: TypeAlias = tuple[int, bool, str | None]
"""Its number, whether it ran, and how many of its conditions were covered."""


class CoberturaReader:
    """Reads a Cobertura document.

    The lines of a class are those that stand in it; those of its methods are the same or, with
    Istanbul, others that are not executable, and count only where the class has none of its own.
    The classes in one file, such as inner ones, are put together.
    """

    def __init__(self, tally: Tally, root: Attributes) -> None:
        self._tally = tally
        self._file: FileTally | None = None
        self._in_methods = False
        self._has_own = False
        self._of_methods: list[_Line] = []
        for metric, name in _DECLARED:
            self._declare(metric, root.get(f"{name}-covered"), root.get(f"{name}-valid"))
        self.elements = Elements(
            begin={
                "class": self._begin_class,
                "methods": self._begin_methods,
                "line": self._line,
            },
            text={"source": self._source},
            end={"methods": self._end_methods, "class": self._end_class},
        )

    def _declare(self, metric: Metric, covered: str | None, total: str | None) -> None:
        if covered is not None and total is not None and covered.isdigit() and total.isdigit():
            self._tally.declare(metric, whole_number(covered, metric), whole_number(total, metric))

    def _source(self, text: str) -> None:
        self._tally.sources.append(posix_name(text.strip()))

    def _begin_class(self, attributes: Attributes) -> None:
        self._file = self._tally.file(attributes.get("filename", ""))
        self._has_own = False
        self._of_methods.clear()

    def _begin_methods(self, _attributes: Attributes) -> None:
        self._in_methods = True

    def _end_methods(self) -> None:
        self._in_methods = False

    def _end_class(self) -> None:
        if not self._has_own:
            for line in self._of_methods:
                self._add(line)
        self._file = None

    def _line(self, attributes: Attributes) -> None:
        if self._file is None:
            raise FormatError("a line stands outside of a class")
        try:  # a large report has millions of lines
            number, hits = int(attributes["number"]), int(attributes["hits"])
        except (KeyError, ValueError):
            number, hits = whole_numbers(attributes, "number", "hits")
        line = (number, hits > 0, attributes.get("condition-coverage"))
        if self._in_methods:
            if len(self._of_methods) >= MAX_LINES:
                raise FormatError(f"the methods of a class have more than {MAX_LINES} lines")
            self._of_methods.append(line)
        else:
            self._has_own = True
            self._add(line)

    def _add(self, line: _Line) -> None:
        number, ran, condition = line
        assert self._file is not None
        self._file.line(number, ran=ran)
        if condition is not None and (taken := _TAKEN.search(condition)):
            self._file.branch(number, int(taken[1]), int(taken[2]))
