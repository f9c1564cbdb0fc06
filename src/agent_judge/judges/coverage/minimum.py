"""Whether enough of the code ran."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar

from agent_judge.context import JudgmentContext
from agent_judge.judges.coverage.measuring import check_percent, exact, measure, percent_text, words
from agent_judge.judges.coverage.record import Metric, check_metric
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.reports.evidence import ReportEvidence, Stale, report_evidence
from agent_judge.judges.reports.source import REPORT_LIMIT
from agent_judge.judgment import Check, Judgment
from agent_judge.protocol import Cost, JudgeMetadata


@dataclass(frozen=True, slots=True)
class CoverageJudge:
    r"""Whether enough of the code ran, by a coverage report in the workspace.

    The format is recognised by its content: Cobertura (of coverage.py as well), coverage.py's JSON,
    JaCoCo, LCOV, Clover, OpenCover, Istanbul's JSON, Go's cover profiles, scoverage and gcov. What
    is counted is what the report lists; where it lists nothing, its own totals count.

    Args:
        report: The report, or several that are put together: paths or patterns in the workspace.
        minimum: The percentage that passes.
        metric: What is counted: `"lines"`, `"branches"`, `"lines_and_branches"` as coverage.py
            totals them, or `"statements"`, the finest unit of a format (statements of Clover,
            Istanbul, scoverage and Go, sequence points of OpenCover, instructions of JaCoCo).
        command: What writes the report, run first: as `CommandJudge` takes it, or a table of its
            options. Another exit code than 0 is ERROR unless its `expected_exit` says otherwise.
        stale: Whether a report that is older than the command, or than the beginning of the run
            where that is known, is ERROR `stale_evidence`, or accepted.
        size_limit: Bytes of a report that are read at most.

    Raises:
        ArgumentError: A minimum that is no percentage, an unknown word, a path out of the
            workspace, or a bad command.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import mkdtemp
        >>> from agent_judge import JudgmentContext, evaluate
        >>> workspace = Path(mkdtemp())
        >>> tracefile = ["SF:app.py", "DA:1,1", "DA:2,0", "end_of_record"]
        >>> _ = (workspace / "lcov.info").write_text("\n".join(tracefile))
        >>> judge = CoverageJudge("lcov.info", minimum=80)
        >>> evaluate(judge, JudgmentContext(workspace=workspace)).reasoning
        '50 % of lines ran (1 of 2); at least 80 % is wanted'
    """

    report: str | Sequence[str]
    _: KW_ONLY
    minimum: float
    metric: Metric = "lines"
    command: str | Sequence[str] | Mapping[str, Any] | None = None
    stale: Stale = "error"
    size_limit: int = REPORT_LIMIT
    _evidence: ReportEvidence = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "CoverageJudge", cost=Cost.COMMAND, type="coverage", needs=("workspace",), version="1"
    )

    def __post_init__(self) -> None:
        check_percent(self.minimum, "minimum")
        check_metric(self.metric)
        evidence = report_evidence(
            self.report, self.command, self.stale, self.size_limit, exits=(0,)
        )
        object.__setattr__(self, "_evidence", evidence)

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the coverage of the context's workspace with the minimum."""
        try:
            found = await measure(context, self._evidence, self.metric)
        except WorkspaceError as fault:
            return fault.judgment
        reached = found.percent >= exact(self.minimum)
        wanted = f"at least {percent_text(exact(self.minimum))} is wanted"
        check = Check(f"coverage of {words(self.metric)}", reached, str(found), found.counts.total)
        return Judgment.scored(
            float(found.percent),
            threshold=float(exact(self.minimum) / 100),
            high=100.0,
            reasoning=f"{found}; {wanted}",
            checks=[check, *found.contradictions()],
            metadata={"coverage": found.facts},
        )
