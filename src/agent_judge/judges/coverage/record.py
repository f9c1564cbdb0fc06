"""What a coverage report says, whichever tool wrote it: which lines of which files ran."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Literal, NamedTuple, TypeAlias

from agent_judge.errors import ArgumentError
from agent_judge.frozen import EMPTY

Metric: TypeAlias = Literal["lines", "branches", "lines_and_branches", "statements"]
"""What is counted.

`"statements"` is the finest unit that a format has: statements of Clover, Istanbul, scoverage and
Go, sequence points of OpenCover, bytecode instructions of JaCoCo. `"lines_and_branches"` is the
total that coverage.py states where branches are measured.
"""

METRICS: Final[tuple[Metric, ...]] = ("lines", "branches", "lines_and_branches", "statements")


class Counts(NamedTuple):
    """How many of a number of things ran."""

    covered: int
    total: int

    @property
    def percent(self) -> Fraction | None:
        """The share that ran, exactly, in percent; of nothing there is none."""
        return Fraction(100 * self.covered, self.total) if self.total else None

    def plus(self, other: Counts) -> Counts:
        """Both together."""
        return Counts(self.covered + other.covered, self.total + other.total)


NOTHING: Final = Counts(0, 0)


@dataclass(frozen=True, slots=True)
class Lines:
    """The executable lines of a file, in four bytes a line.

    Attributes:
        ran: The numbers of the lines that ran, in order, as the bytes of an `array("I")`.
        idle: Those of the lines that did not run.
    """

    ran: bytes = b""
    idle: bytes = b""

    @classmethod
    def of(cls, covered: Iterable[int], missed: Iterable[int] = ()) -> Lines:
        """The lines that ran and those that did not; a line that is in both ran."""
        ran = set(covered)
        idle = set(missed) - ran
        return cls(*(array("I", sorted(numbers)).tobytes() for numbers in (ran, idle)))

    def __bool__(self) -> bool:
        return bool(self.ran or self.idle)

    @property
    def covered(self) -> tuple[int, ...]:
        """The numbers of the lines that ran."""
        return _numbers(self.ran)

    @property
    def missed(self) -> tuple[int, ...]:
        """The numbers of the lines that did not run."""
        return _numbers(self.idle)

    @property
    def counts(self) -> Counts:
        """How many of them ran."""
        size = array("I").itemsize
        return Counts(len(self.ran) // size, (len(self.ran) + len(self.idle)) // size)


def _numbers(stored: bytes) -> tuple[int, ...]:
    numbers = array("I")
    numbers.frombytes(stored)
    return tuple(numbers)


@dataclass(frozen=True, slots=True)
class FileCoverage:
    """What a report says of one file.

    Attributes:
        path: The file, as the report names it, with `/` between its parts.
        lines: Its executable lines, where the report names them.
        branches: Of each line that branches, how many of its branches were taken.
        counters: What the report counts of the file beyond that, by metric.
    """

    path: str
    lines: Lines = field(default_factory=Lines)
    branches: Mapping[int, Counts] = field(default_factory=dict[int, Counts])
    counters: Mapping[str, Counts] = EMPTY

    def counts(self, metric: Metric) -> Counts | None:
        """How much of the file ran; `None` where the report does not say."""
        if metric == "lines_and_branches":
            lines, branches = self.counts("lines"), self.counts("branches")
            return lines if branches is None or lines is None else lines.plus(branches)
        if metric == "lines" and self.lines:
            return self.lines.counts
        if metric == "branches" and self.branches:
            return _sum(self.branches.values())
        return self.counters.get(metric)


@dataclass(frozen=True, slots=True)
class CoverageReport:
    """What a coverage report says.

    Attributes:
        format: The format it is written in, for example `"cobertura"`; `"coverage_py"` is the JSON
            of coverage.py, whose XML is Cobertura.
        files: The files it measures, in its order, each once.
        sources: The folders that its paths may be relative to.
        declared: The totals that it states itself, by metric.
        sha256: The hash of the report.
    """

    format: str
    files: tuple[FileCoverage, ...]
    sources: tuple[str, ...] = ()
    declared: Mapping[str, Counts] = EMPTY
    sha256: str = ""

    def counts(self, metric: Metric) -> Counts | None:
        """How much ran of all files, counted; `None` where nothing was counted.

        Where a report names no line and counts no file, its own totals are all that it says.
        """
        counted = [found for file in self.files if (found := file.counts(metric)) is not None]
        total = _sum(counted)
        if total.total:
            return total
        if metric == "lines_and_branches":
            return self._declared_lines_and_branches()
        declared = self.declared.get(metric)
        return declared if declared is not None and declared.total else None

    def _declared_lines_and_branches(self) -> Counts | None:
        lines = self.declared.get("lines")
        return lines.plus(self.declared.get("branches", NOTHING)) if lines else None


def _sum(parts: Iterable[Counts]) -> Counts:
    covered = total = 0
    for part in parts:
        covered += part.covered
        total += part.total
    return Counts(covered, total)


def check_metric(metric: object) -> None:
    """Refuse what is not a word of `Metric`.

    Raises:
        ArgumentError: It is not.
    """
    if metric not in METRICS:
        raise ArgumentError(f"metric must be one of {', '.join(METRICS)}, not {metric!r}")
