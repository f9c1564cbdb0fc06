"""Cobertura XML, as Cobertura, coverage.py, coverlet, Istanbul, gcovr and many others write it."""

from __future__ import annotations

import re
from typing import Final

from agent_judge.judges.coverage.record import Metric, posix
from agent_judge.judges.coverage.tally import FileTally, Tally
from agent_judge.judges.reports.faults import FormatError, whole_number, whole_numbers
from agent_judge.judges.reports.xml_events import Attributes, Elements

_TAKEN: Final = re.compile(r"\((\d{1,9})/(\d{1,9})\)")
"""The end of a `condition-coverage`, as in `50% (1/2)`."""

_DECLARED: Final[tuple[tuple[Metric, str], ...]] = (("lines", "lines"), ("branches", "branches"))


class CoberturaReader:
    """Reads a Cobertura document.

    The lines of a class and those of its methods are the same lines; those of several classes in
    one file, such as inner classes, are put together.
    """

    def __init__(self, tally: Tally, root: Attributes) -> None:
        self._tally = tally
        self._file: FileTally | None = None
        for metric, name in _DECLARED:
            self._declare(metric, root.get(f"{name}-covered"), root.get(f"{name}-valid"))
        self.elements = Elements(
            begin={"class": self._begin_class, "line": self._line},
            text={"source": self._source},
            end={"class": self._end_class},
        )

    def _declare(self, metric: Metric, covered: str | None, total: str | None) -> None:
        if covered is not None and total is not None and covered.isdigit() and total.isdigit():
            self._tally.declare(metric, whole_number(covered, metric), whole_number(total, metric))

    def _source(self, text: str) -> None:
        self._tally.sources.append(posix(text.strip()))

    def _begin_class(self, attributes: Attributes) -> None:
        name = attributes.get("filename") or ""
        self._file = self._tally.file(name)

    def _end_class(self) -> None:
        self._file = None

    def _line(self, attributes: Attributes) -> None:
        file = self._file
        if file is None:
            raise FormatError("a line stands outside of a class")
        try:  # a large report has millions of lines
            number, hits = int(attributes["number"]), int(attributes["hits"])
        except (KeyError, ValueError):
            number, hits = whole_numbers(attributes, "number", "hits")
        file.line(number, ran=hits > 0)
        if "condition-coverage" in attributes:
            taken = _TAKEN.search(attributes["condition-coverage"])
            if taken:
                file.branch(number, int(taken[1]), int(taken[2]))
