"""Whether the lines that the work changed ran."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar, Final, Literal, TypeAlias

from agent_judge.context import JudgmentContext
from agent_judge.engine import in_worker
from agent_judge.errors import ArgumentError
from agent_judge.frozen import Json
from agent_judge.judges.coverage.changed_lines import (
    ChangedLines,
    kind_of_file,
    measured_files,
)
from agent_judge.judges.coverage.formats import read_coverage
from agent_judge.judges.coverage.measuring import check_percent, exact, measured, percent_text
from agent_judge.judges.coverage.record import Counts, CoverageReport
from agent_judge.judges.diff.findings import counted, location
from agent_judge.judges.diff.reading import facts_of, shared_changes
from agent_judge.judges.diff.records import ChangeSet, FileChange
from agent_judge.judges.diff.sources import Changes, FolderChanges, check_changes
from agent_judge.judges.files.excludes import Excludes, check_exclude
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.git.objects import Mode
from agent_judge.judges.reports.evidence import Read, ReportEvidence, Stale, report_evidence
from agent_judge.judges.reports.names import workspace_names
from agent_judge.judges.reports.source import REPORT_LIMIT
from agent_judge.judges.showing import shown
from agent_judge.judges.text.reading import check_choice
from agent_judge.judgment import Check, Judgment, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata

Unmeasured: TypeAlias = Literal["fail", "note"]
"""What a changed file is that the report does not name: a failure, or worth a note."""

MAX_CHECKS: Final = 1_000
"""Runs of lines that did not run which have a check of their own."""

_NAMED: Final = 5
"""Runs of lines that the reasoning names."""


@dataclass(frozen=True, slots=True)
class DiffCoverageJudge:
    r"""Whether enough of the lines that the work added or changed ran (extra `diff`).

    Only lines count that the report lists as executable. Where none of them was changed, it
    abstains. A changed file of a kind that is measured, such as a new module that no test imports,
    and that the report does not name fails; leave out what need not be measured, such as the tests
    themselves, by `exclude`.

    Args:
        report: The report, or several, as for `CoverageJudge`; it names lines.
        changes: Which change is judged, for example `GitChanges("main")`.
        minimum: The percentage of changed executable lines that passes.
        exclude: Files that do not count, by patterns as in a `.gitignore` file.
        unmeasured: Whether a changed file that the report does not name is a failure, or a note.
        command: What writes the report, as for `CoverageJudge`.
        stale: What becomes of an older report, as for `CoverageJudge`; also of one that is older
            than a changed file, of which it cannot tell the lines.
        size_limit: Bytes of a report that are read at most.

    Raises:
        ArgumentError: A minimum that is no percentage, an unknown word, a path out of the
            workspace, a bad pattern or a bad command.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: `pathspec` is not installed.

    Example:
        >>> from pathlib import Path
        >>> from agent_judge import JudgmentContext, evaluate
        >>> from agent_judge.judges.diff import FolderChanges
        >>> for folder, code in (("before", "a = 1\n"), ("work", "a = 1\nb = 2\n")):
        ...     Path(folder).mkdir()
        ...     _ = Path(folder, "app.py").write_text(code)
        >>> tracefile = ["SF:app.py", "DA:1,1", "DA:2,0", "end_of_record"]
        >>> _ = Path("work/lcov.info").write_text("\n".join(tracefile))
        >>> judge = DiffCoverageJudge("lcov.info", FolderChanges("before"), minimum=80)
        >>> evaluate(judge, JudgmentContext(workspace="work")).reasoning
        '0 % of the changed lines ran (0 of 1); at least 80 % is wanted; app.py:2 did not run'
    """

    report: str | Sequence[str]
    changes: Changes
    _: KW_ONLY
    minimum: float
    exclude: Sequence[str] = ()
    unmeasured: Unmeasured = "fail"
    command: str | Sequence[str] | Mapping[str, Any] | None = None
    stale: Stale = "error"
    size_limit: int = REPORT_LIMIT
    _evidence: ReportEvidence = field(init=False, repr=False, compare=False)
    _excludes: Excludes = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "DiffCoverageJudge",
        cost=Cost.COMMAND,
        type="diff_coverage",
        needs=("workspace",),
        version="1",
    )

    def __post_init__(self) -> None:
        check_changes(self.changes)
        if isinstance(self.changes, FolderChanges) and self.changes.after != ".":
            raise ArgumentError("changes must be of the whole workspace, as the report is")
        check_percent(self.minimum, "minimum")
        check_choice(self.unmeasured, ("fail", "note"), "unmeasured")
        object.__setattr__(self, "exclude", check_exclude(self.exclude))
        object.__setattr__(self, "_excludes", Excludes(self.exclude))
        evidence = report_evidence(
            self.report, self.command, self.stale, self.size_limit, exits=(0,)
        )
        object.__setattr__(self, "_evidence", evidence)

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Look at the changed lines of the context's workspace."""
        try:
            reads = await self._evidence.read(context, read_coverage)
            change = await shared_changes(context, self.changes, lines=True)
            return await in_worker(lambda: self._look(context, reads, change))
        except WorkspaceError as fault:
            return fault.judgment

    def _look(
        self, context: JudgmentContext, reads: tuple[Read[CoverageReport], ...], change: ChangeSet
    ) -> Judgment:
        report = measured(reads, "lines").report
        if not any(file.lines for file in report.files):
            raise WorkspaceError(
                "the report does not say which lines ran", ReasonCode.MALFORMED_EVIDENCE
            )
        files = [file for file in change.files if self._counts(file)]
        known = measured_files(workspace_names(context), report, files)
        lines = [ChangedLines.of(file, known[file.path]) for file in files if file.path in known]
        if self.stale == "error":
            _refuse_older(context, reads, lines)
        kinds = {kind_of_file(file.path) for file in report.files}
        unmeasured = [
            file for file in files if file.path not in known and kind_of_file(file.path) in kinds
        ]
        facts: dict[str, Json] = {
            "change": facts_of(change),
            "reports": [{"path": shown(read.path), "sha256": read.sha256} for read in reads],
        }
        return self._sum_up(lines, unmeasured, facts)

    def _counts(self, file: FileChange) -> bool:
        """Whether there can be executable lines in a file: it is there, and is not left out."""
        if file.after is None or file.after.mode not in (Mode.FILE, Mode.EXECUTABLE):
            return False
        return not file.binary and not self._excludes.path(file.path)

    def _sum_up(
        self,
        lines: Sequence[ChangedLines],
        unmeasured: Sequence[FileChange],
        facts: dict[str, Json],
    ) -> Judgment:
        counts = Counts(sum(len(file.ran) for file in lines), sum(map(len, lines)))
        missing = [self._missing(file.path) for file in unmeasured]
        failed = bool(missing) and self.unmeasured == "fail"
        percent = counts.percent
        facts = {**facts, "covered": counts.covered, "total": counts.total}
        if percent is None:
            return _nothing_executable(missing, facts, failed=failed)
        said = (
            f"{percent_text(percent)} of the changed lines ran ({counts.covered} of {counts.total})"
        )
        wanted = percent_text(exact(self.minimum))
        gaps = [gap for file in lines for gap in file.gaps()]
        reasoning = "; ".join([said, f"at least {wanted} is wanted", *_named(gaps, missing)])
        check = Check("changed lines", percent >= exact(self.minimum), said, counts.total)
        checks = [check, *gaps[:MAX_CHECKS], *missing]
        if failed:
            return Judgment.failing(reasoning, checks=checks, metadata=facts)
        return Judgment.scored(
            float(percent),
            threshold=float(exact(self.minimum) / 100),
            high=100.0,
            reasoning=reasoning,
            checks=checks,
            metadata=facts,
        )

    def _missing(self, path: str) -> Check:
        """What it means that a changed file is not measured."""
        return Check(
            shown(path),
            False,
            "was changed, and is not in the report",
            advisory=self.unmeasured == "note",
            location=location(path),
        )


def _refuse_older(
    context: JudgmentContext, reads: Iterable[Read[CoverageReport]], lines: Iterable[ChangedLines]
) -> None:
    """Refuse a report that is older than a file whose lines it names.

    Raises:
        WorkspaceError: It is (`stale_evidence`).
    """
    moments = [read.written for read in reads if read.written is not None]
    if not moments or context.workspace is None:
        return
    for file in lines:
        try:
            modified = (context.workspace / file.path).lstat().st_mtime_ns
        except OSError:
            continue
        if modified > max(moments):
            raise WorkspaceError(
                f"{shown(file.path)} was modified after the report was written, which cannot tell "
                "its lines; with stale='accept' it is judged all the same",
                ReasonCode.STALE_EVIDENCE,
            )


def _nothing_executable(
    missing: Sequence[Check], facts: Mapping[str, Json], *, failed: bool
) -> Judgment:
    if failed:
        return Judgment.failing("; ".join(_named([], missing)), checks=missing, metadata=facts)
    reasoning = "; ".join(["no executable line was changed", *_named([], missing)])
    return Judgment.abstaining(
        reasoning, checks=missing, metadata=facts, code=ReasonCode.MISSING_INPUT
    )


def _named(gaps: Sequence[Check], missing: Sequence[Check]) -> Iterator[str]:
    """What the reasoning names of what did not run, and of what was not measured."""
    for checks, what in ((gaps, "did not run"), (missing, "changed, and not in the report")):
        names = [check.name for check in checks[:_NAMED]]
        if names:
            more = len(checks) - len(names)
            others = f" and {counted(more, 'other')}" if more else ""
            yield f"{', '.join(names)}{others} {what}"
