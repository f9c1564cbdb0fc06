"""How much of the code ran, as the reports of a workspace say it together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import FrozenMap, Json
from agent_judge.judges.coverage.formats import read_coverage
from agent_judge.judges.coverage.record import (
    Counts,
    CoverageReport,
    FileCoverage,
    Lines,
    Metric,
)
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.reports.evidence import Read, ReportEvidence
from agent_judge.judges.showing import shown
from agent_judge.judgment import Check, ReasonCode


@dataclass(frozen=True, slots=True)
class Measured:
    """What the reports of a workspace say together.

    Attributes:
        report: All of them as one.
        metric: What was counted.
        counts: How much of it ran; never of nothing.
        reads: The reports one by one.
    """

    report: CoverageReport
    metric: Metric
    counts: Counts
    reads: tuple[Read[CoverageReport], ...]

    @property
    def percent(self) -> Fraction:
        """The share that ran, exactly, in percent."""
        percent = self.counts.percent
        assert percent is not None
        return percent

    @property
    def facts(self) -> dict[str, Json]:
        """The same for machines."""
        return {
            "metric": self.metric,
            "covered": self.counts.covered,
            "total": self.counts.total,
            "percent": float(self.percent),
            "reports": [
                {"path": shown(read.path), "format": read.content.format, "sha256": read.sha256}
                for read in self.reads
            ],
        }

    def __str__(self) -> str:
        covered, total = self.counts
        return f"{percent_text(self.percent)} of {words(self.metric)} ran ({covered} of {total})"

    def contradictions(self) -> list[Check]:
        """Where a report states another total than its own lines give; that decides nothing."""
        return [
            Check(
                f"the total that {shown(read.path)} states",
                False,
                f"{declared.covered} of {declared.total} {words(self.metric)}, "
                f"but what it lists is {counted.covered} of {counted.total}",
                examined=counted.total,
                advisory=True,
            )
            for read in self.reads
            if (declared := read.content.declared.get(self.metric))
            and (counted := read.content.counts(self.metric))
            and declared != counted
        ]


async def measure(context: JudgmentContext, evidence: ReportEvidence, metric: Metric) -> Measured:
    """Read the reports of a run.

    Raises:
        WorkspaceError: There are none, one cannot be read, or they count nothing of what was asked
            for (`malformed_evidence`).
    """
    reads = await evidence.read(context, read_coverage)
    return measured(reads, metric)


def measured(reads: tuple[Read[CoverageReport], ...], metric: Metric) -> Measured:
    """What reports say together.

    Raises:
        WorkspaceError: They count nothing of what was asked for (`malformed_evidence`).
    """
    report = together([read.content for read in reads])
    counts = report.counts(metric)
    if counts is None:
        names = ", ".join(shown(read.path) for read in reads)
        raise WorkspaceError(
            f"{names}: there are no counters of {words(metric)}, so nothing is known of them",
            ReasonCode.MALFORMED_EVIDENCE,
        )
    return Measured(report, metric, counts, reads)


def together(reports: Sequence[CoverageReport]) -> CoverageReport:
    """Several reports as one; a line ran when one of them says so.

    Raises:
        WorkspaceError: Several count the same file, and do not say which of its lines
            (`malformed_evidence`).
    """
    if len(reports) == 1:
        return reports[0]
    files: dict[str, FileCoverage] = {}
    for file in (file for report in reports for file in report.files):
        known = files.get(file.path)
        files[file.path] = file if known is None else united(known, file)
    return CoverageReport(
        "+".join(dict.fromkeys(report.format for report in reports)),
        tuple(files.values()),
        tuple(dict.fromkeys(source for report in reports for source in report.sources)),
        _declared_together(reports),
    )


def united(one: FileCoverage, other: FileCoverage) -> FileCoverage:
    """What two reports say of one file.

    Raises:
        WorkspaceError: They do not say which lines they count (`malformed_evidence`).
    """
    if one.lines == other.lines and one.counters == other.counters:
        return one
    if not (one.lines and other.lines):
        raise WorkspaceError(
            f"several reports count {shown(one.path)}, and do not say which of its lines",
            ReasonCode.MALFORMED_EVIDENCE,
        )
    covered = {*one.lines.covered, *other.lines.covered}
    branches = {
        line: max(file.branches[line] for file in (one, other) if line in file.branches)
        for line in {*one.branches, *other.branches}
    }
    return FileCoverage(
        one.path, Lines.of(covered, {*one.lines.missed, *other.lines.missed}), branches
    )


def _declared_together(reports: Iterable[CoverageReport]) -> FrozenMap[Counts]:
    """The sum of the totals where there is nothing but totals, as of modules of one project."""
    sums: dict[str, Counts] = {}
    for report in reports:
        for metric, counts in report.declared.items():
            sums[metric] = sums.get(metric, Counts(0, 0)).plus(counts)
    return FrozenMap(sums)


def percent_text(percent: Fraction) -> str:
    """A percentage with two digits at most, cut rather than rounded up."""
    return f"{floor(percent * 100) / 100:.2f}".rstrip("0").rstrip(".") + " %"


def points_text(points: Fraction) -> str:
    """A distance between percentages."""
    number = f"{float(points):.2f}".rstrip("0").rstrip(".")
    return "1 point" if number == "1" else f"{number} points"


def words(metric: Metric) -> str:
    """A metric as a message calls it."""
    return metric.replace("_", " ")


def exact(number: float) -> Fraction:
    """A number as it is written in decimals, which is what was meant: a tenth is a tenth."""
    return Fraction(repr(number))


def check_percent(value: object, name: str) -> float:
    """Refuse what is no percentage, and a fraction of 1 that was meant as one.

    Raises:
        ArgumentTypeError: It is no number.
        ArgumentError: It lies outside of 0..100, or between 0 and 1.
    """
    number = check_points(value, name)
    if 0 < number < 1:
        raise ArgumentError(
            f"{name} is in percent, and {value!r} % is hardly meant; write {number * 100:g}"
        )
    return number


def check_points(value: object, name: str) -> float:
    """Refuse what is no number of percentage points.

    Raises:
        ArgumentTypeError: It is no number.
        ArgumentError: It is negative, above 100 or not finite.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ArgumentTypeError(f"{name} must be a number, not {value!r}")
    if not 0 <= value <= 100:
        raise ArgumentError(f"{name} must lie in 0..100, not {value!r}")
    return value
