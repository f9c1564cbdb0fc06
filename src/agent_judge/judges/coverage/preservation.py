"""Whether the coverage is about what it was before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from agent_judge.context import JudgmentContext
from agent_judge.engine import in_worker
from agent_judge.judges.coverage.baseline import Baseline, check_baseline, find_baseline
from agent_judge.judges.coverage.lost import lost_files
from agent_judge.judges.coverage.measuring import (
    Measured,
    check_points,
    exact,
    measure,
    points_text,
    words,
)
from agent_judge.judges.coverage.record import Metric, check_metric
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.process.options import check_flag
from agent_judge.judges.reports.evidence import ReportEvidence, Stale, report_evidence
from agent_judge.judges.reports.source import REPORT_LIMIT
from agent_judge.judgment import Check, Judgment
from agent_judge.protocol import Cost, JudgeMetadata


@dataclass(frozen=True, slots=True)
class CoveragePreservationJudge:
    r"""Whether the coverage did not drop by more than is allowed.

    Where the baseline is a report, each file that it measures and that is still in the workspace
    must be measured: a file that is left out raises the percentage, and is a failure.

    Args:
        report: The report, or several, as for `CoverageJudge`.
        max_drop: How far it may drop, in percentage points; a drop of just as many passes.
        baseline: What it was before: a percentage, or the path of a report on the side of whoever
            judges. Unless given, the baseline of the context: a percentage, or an object that has
            it at `coverage`, as a number or by metric. A percentage counts as it is written, so
            that one which was rounded up may look like a drop.
        required: Whether it is ERROR that there is no baseline; else that is ABSTAIN.
        metric: What is counted, as for `CoverageJudge`.
        command: What writes the report, as for `CoverageJudge`.
        stale: What becomes of an older report, as for `CoverageJudge`.
        size_limit: Bytes of a report that are read at most.

    Raises:
        ArgumentError: A number outside of 0..100, an unknown word, a path that can be none, or a
            bad command.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from tempfile import mkdtemp
        >>> from agent_judge import JudgmentContext, evaluate
        >>> workspace = Path(mkdtemp())
        >>> tracefile = ["SF:app.py", "DA:1,1", "DA:2,0", "end_of_record"]
        >>> _ = (workspace / "lcov.info").write_text("\n".join(tracefile))
        >>> judge = CoveragePreservationJudge("lcov.info", max_drop=0.5)
        >>> evaluate(judge, JudgmentContext(workspace=workspace, baseline=51)).reasoning
        '50 % of lines ran (1 of 2), 1 point less than before (51 %); 0.5 points are allowed'
    """

    report: str | Sequence[str]
    _: KW_ONLY
    max_drop: float = 0.0
    baseline: float | str | Path | None = None
    required: bool = False
    metric: Metric = "lines"
    command: str | Sequence[str] | Mapping[str, Any] | None = None
    stale: Stale = "error"
    size_limit: int = REPORT_LIMIT
    _evidence: ReportEvidence = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "CoveragePreservationJudge",
        cost=Cost.COMMAND,
        type="coverage_preservation",
        needs=("workspace", "baseline"),
        version="1",
    )

    def __post_init__(self) -> None:
        check_points(self.max_drop, "max_drop")
        check_flag(self.required, "required")
        check_metric(self.metric)
        object.__setattr__(self, "baseline", check_baseline(self.baseline))
        evidence = report_evidence(
            self.report, self.command, self.stale, self.size_limit, exits=(0,)
        )
        object.__setattr__(self, "_evidence", evidence)

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the coverage of the context's workspace with what it was."""
        try:
            found = await measure(context, self._evidence, self.metric)
            return await in_worker(lambda: self._compare(context, found))
        except WorkspaceError as fault:
            return fault.judgment

    def _compare(self, context: JudgmentContext, found: Measured) -> Judgment:
        baseline = find_baseline(
            self.baseline, context, self.metric, self.size_limit, required=self.required
        )
        if isinstance(baseline, Judgment):
            return baseline
        drop = self._drop(found, baseline)
        lost = lost_files(context, baseline.report, found.report) if baseline.report else []
        reasoning = drop.message + (
            f"; {len(lost)} files are not measured any more" if lost else ""
        )
        return Judgment.from_checks(
            [drop, *lost, *found.contradictions()],
            reasoning,
            metadata={
                "coverage": found.facts,
                "baseline": baseline.facts,
                "max_drop": self.max_drop,
            },
        )

    def _drop(self, found: Measured, baseline: Baseline) -> Check:
        drop = baseline.percent - found.percent
        change = "less" if drop > 0 else "more"
        message = (
            f"{found}, {points_text(abs(drop))} {change} than before ({baseline}); "
            f"{points_text(exact(self.max_drop))} are allowed"
        )
        kept = drop <= exact(self.max_drop)
        return Check(f"coverage of {words(self.metric)}", kept, message, found.counts.total)
