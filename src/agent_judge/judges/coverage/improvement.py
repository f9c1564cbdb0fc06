"""Whether the coverage rose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

from agent_judge.context import JudgmentContext
from agent_judge.engine import in_worker
from agent_judge.errors import ArgumentError
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
from agent_judge.scores import NumericalScore


@dataclass(frozen=True, slots=True)
class CoverageImprovementJudge:
    r"""Whether the coverage rose, and by how much of a full mark.

    The score is the rise as a share of `full_mark`, 1 where it is as much or more. Without a rise
    it fails with 0. A file that the baseline's report measures, that is still there and that is
    not measured any more makes it fail with 0, too: whatever rose then, it was not the coverage.

    Args:
        report: The report, or several, as for `CoverageJudge`.
        full_mark: The rise that is worth a score of 1, in percentage points.
        minimum: The rise that passes; unless given, any.
        baseline: What it was before, as for `CoveragePreservationJudge`.
        required: Whether it is ERROR that there is no baseline; else that is ABSTAIN.
        metric: What is counted, as for `CoverageJudge`.
        command: What writes the report, as for `CoverageJudge`.
        stale: What becomes of an older report, as for `CoverageJudge`.
        size_limit: Bytes of a report that are read at most.

    Raises:
        ArgumentError: A number outside of 0..100, a full mark of 0, a minimum above it, an unknown
            word, a path that can be none, or a bad command.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from tempfile import mkdtemp
        >>> from agent_judge import JudgmentContext, evaluate
        >>> workspace = Path(mkdtemp())
        >>> tracefile = ["SF:app.py", "DA:1,1", "DA:2,0", "end_of_record"]
        >>> _ = (workspace / "lcov.info").write_text("\n".join(tracefile))
        >>> judge = CoverageImprovementJudge("lcov.info", full_mark=50, baseline=20)
        >>> evaluate(judge, JudgmentContext(workspace=workspace)).effective_score
        0.6
    """

    report: str | Sequence[str]
    _: KW_ONLY
    full_mark: float
    minimum: float = 0.0
    baseline: float | str | Path | None = None
    required: bool = False
    metric: Metric = "lines"
    command: str | Sequence[str] | Mapping[str, Any] | None = None
    stale: Stale = "error"
    size_limit: int = REPORT_LIMIT
    _evidence: ReportEvidence = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "CoverageImprovementJudge",
        cost=Cost.COMMAND,
        type="coverage_improvement",
        needs=("workspace", "baseline"),
        version="1",
    )

    def __post_init__(self) -> None:
        if not check_points(self.full_mark, "full_mark"):
            raise ArgumentError("full_mark is 0; say which rise is worth a score of 1")
        if check_points(self.minimum, "minimum") > self.full_mark:
            raise ArgumentError(
                f"minimum {self.minimum!r} is above full_mark {self.full_mark!r}, beyond which "
                "the score does not rise"
            )
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
        rise = found.percent - baseline.percent
        lost = lost_files(context, baseline.report, found.report) if baseline.report else []
        return self._scored(found, baseline, rise, lost)

    def _scored(
        self, found: Measured, baseline: Baseline, rise: Fraction, lost: list[Check]
    ) -> Judgment:
        reached = rise > 0 and rise >= exact(self.minimum) and not lost
        reasoning = self._reasoning(found, baseline, rise, lost)
        check = Check(f"coverage of {words(self.metric)}", reached, str(found), found.counts.total)
        value = 0.0 if lost else float(min(max(rise, Fraction(0)), exact(self.full_mark)))
        score = NumericalScore(value, 0.0, float(self.full_mark))
        judgment = Judgment.passing if reached else Judgment.failing
        return judgment(
            reasoning,
            score=score,
            checks=[check, *lost, *found.contradictions()],
            metadata={
                "coverage": found.facts,
                "baseline": baseline.facts,
                "full_mark": self.full_mark,
                "minimum": self.minimum,
            },
        )

    def _reasoning(
        self, found: Measured, baseline: Baseline, rise: Fraction, lost: list[Check]
    ) -> str:
        change = "more" if rise > 0 else "less"
        said = f"{found}, {points_text(abs(rise))} {change} than before ({baseline})"
        if 0 < rise < exact(self.minimum):
            said += f"; at least {points_text(exact(self.minimum))} are wanted"
        if lost:
            said += f"; {len(lost)} files are not measured any more"
        return said
