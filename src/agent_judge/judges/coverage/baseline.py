"""What the coverage was before: from a number, a report, or the context's baseline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import Final, TypeAlias

from agent_judge.context import MISSING, JudgmentContext, Output
from agent_judge.frozen import Json
from agent_judge.judges.coverage.formats import read_coverage
from agent_judge.judges.coverage.measuring import check_percent, exact, measured, percent_text
from agent_judge.judges.coverage.record import CoverageReport, Metric
from agent_judge.judges.files.paths import check_trusted_path
from agent_judge.judges.reports.evidence import Read
from agent_judge.judges.reports.source import open_trusted_report
from agent_judge.judges.showing import shown
from agent_judge.judgment import Judgment, ReasonCode

BaselineOption: TypeAlias = "float | str | Path | None"
"""A percentage, or the path of a report on the side of whoever judges; else the context's."""

KEY: Final = "coverage"
"""Where a baseline of the context that is an object has the percentage."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """What the coverage was before.

    Attributes:
        percent: The percentage, exactly.
        origin: Where it comes from, for machines.
        report: The report that it comes from, where it does.
    """

    percent: Fraction
    origin: Mapping[str, Json]
    report: CoverageReport | None = None

    @property
    def facts(self) -> dict[str, Json]:
        """What it is and where it comes from, for machines."""
        return {"percent": float(self.percent), **self.origin}

    def __str__(self) -> str:
        return percent_text(self.percent)


def check_baseline(baseline: object) -> BaselineOption:
    """Refuse what is neither a percentage nor a path.

    Raises:
        ArgumentError: A number that is no percentage, or a path that can be none.
        ArgumentTypeError: Anything else.
    """
    if baseline is None:
        return None
    if isinstance(baseline, str | Path):
        return check_trusted_path(baseline, "baseline")
    return check_percent(baseline, "baseline")


def find_baseline(
    option: BaselineOption,
    context: JudgmentContext,
    metric: Metric,
    size_limit: int,
    *,
    required: bool,
) -> Baseline | Judgment:
    """What the coverage was before, or the judgment that nobody knows.

    Args:
        option: What the judge was told.
        context: The run, for its baseline.
        metric: What is counted.
        size_limit: Bytes of a report that are read.
        required: Whether it is ERROR that there is none; else nothing can be compared: ABSTAIN.

    Raises:
        WorkspaceError: The report that was named cannot be read, or counts nothing.
    """
    if isinstance(option, str | Path):
        return _reported(option, metric, size_limit)
    if option is not None:
        return Baseline(exact(option), {"from": "argument"})
    given = _given(context.baseline, metric)
    if isinstance(given, int | float) and not isinstance(given, bool) and _is_percent(given):
        return Baseline(exact(given), {"from": "context"})
    found = "nothing" if given is MISSING else f"{given!r:.80}"
    reasoning = f"there is no baseline to compare with: the context's is {shown(found)}"
    if required:
        return Judgment.erring(reasoning, ReasonCode.MISSING_INPUT)
    return Judgment.abstaining(reasoning, code=ReasonCode.MISSING_INPUT)


def _reported(path: str | Path, metric: Metric, size_limit: int) -> Baseline:
    with open_trusted_report(path, size_limit) as opened:
        report = read_coverage(opened)
    name = shown(str(path))
    before = measured((Read(str(path), report.sha256, report),), metric)
    origin: dict[str, Json] = {
        "from": "report",
        "path": name,
        "format": report.format,
        "sha256": report.sha256,
        "covered": before.counts.covered,
        "total": before.counts.total,
    }
    return Baseline(before.percent, origin, report)


def _given(baseline: Output, metric: Metric) -> Output:
    """The number in the context's baseline: itself, at `coverage`, or there at the metric."""
    if isinstance(baseline, Mapping):
        baseline = baseline.get(KEY, MISSING)
    if isinstance(baseline, Mapping):
        baseline = baseline.get(metric, MISSING)
    return baseline


def _is_percent(number: float) -> bool:
    return isfinite(number) and 0 <= number <= 100
