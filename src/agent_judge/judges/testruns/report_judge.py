"""Whether the tests passed, of which a report tells that is there already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import ClassVar, Literal, cast

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError
from agent_judge.judges.files.globs import check_patterns
from agent_judge.judges.files.paths import Workspace, WorkspaceError, judge_workspace
from agent_judge.judges.files.reading import check_limit
from agent_judge.judges.files.tree import WALK_LIMIT
from agent_judge.judges.showing import shown
from agent_judge.judges.testruns.demands import Demands
from agent_judge.judges.testruns.formats import FORMATS
from agent_judge.judges.testruns.locating import Locator
from agent_judge.judges.testruns.reading import (
    REPORT_LIMIT,
    OpenReport,
    find_reports,
    opened_report,
)
from agent_judge.judges.testruns.summing import Summary
from agent_judge.judges.testruns.tally import Tally
from agent_judge.judgment import Judgment, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata


@dataclass(frozen=True, slots=True)
class TestReportJudge:
    """Whether the tests passed of which reports in the workspace tell.

    Nothing is run: the reports are believed, so whoever can write them decides. Use it where the
    tests ran somewhere the work has no hand in, such as a job of continuous integration, and
    `TestsPassJudge` elsewhere.

    Args:
        path: The report, or several, as paths or patterns such as `target/**/TEST-*.xml`.
        format: `"junit"`, `"nunit"`, `"xunit"`, `"trx"`, `"tap"`, `"go"` (`go test -json`),
            `"jest"` (and vitest), `"mocha"`, `"rspec"` or `"dart"`; told by the report itself
            unless given.
        expected: Tests that must be in it and have passed, beside all that must not have failed.
        fail_to_pass: Tests that failed before the work and must pass; where these or the next are
            given, they alone decide.
        pass_to_pass: Tests that passed before the work and must pass still.
        baseline: How many tests ran before the work, fewer of which fail; `tests` of the context's
            baseline unless given.
        age: `"run"` refuses a report that is older than the run of the context, where it is known
            when that began; `"any"` does not look.
        size_limit: Bytes of one report that are read at most.
        walk_limit: Names that are looked at to find them.

    Raises:
        ArgumentError: A path out of the workspace, an unknown format, a bad number or name.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from pathlib import Path
        >>> from agent_judge import JudgmentContext, evaluate
        >>> _ = Path("report.xml").write_text('<testsuite><testcase name="adds"/></testsuite>')
        >>> evaluate(TestReportJudge("report.xml"), JudgmentContext(workspace=Path())).reasoning
        'report.xml (nothing was run): 1 passed'
    """

    __test__: ClassVar[bool] = False  # pytest takes classes of this name for tests

    path: str | Sequence[str]
    _: KW_ONLY
    format: str | None = None
    expected: Sequence[str] = ()
    fail_to_pass: Sequence[str] = ()
    pass_to_pass: Sequence[str] = ()
    baseline: int | None = None
    age: Literal["run", "any"] = "run"
    size_limit: int = REPORT_LIMIT
    walk_limit: int = WALK_LIMIT
    _demands: Demands = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "TestReportJudge", cost=Cost.FILE, type="test_report", needs=("workspace",), version="1"
    )

    def __post_init__(self) -> None:
        check_format(self.format)
        if self.age not in ("run", "any"):
            raise ArgumentError(f"age must be 'run' or 'any', not {self.age!r}")
        check_limit(self.size_limit, "size_limit")
        check_limit(self.walk_limit, "walk_limit")
        demands = Demands(self.expected, self.fail_to_pass, self.pass_to_pass, self.baseline)
        paths = [self.path] if isinstance(self.path, str) else self.path
        object.__setattr__(self, "path", check_patterns(paths, "path"))
        for name in ("expected", "fail_to_pass", "pass_to_pass"):
            object.__setattr__(self, name, getattr(demands, name))
        object.__setattr__(self, "_demands", demands)

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Read the reports in the context's workspace."""
        return judge_workspace(context, lambda workspace: self._look(context, workspace))

    def _look(self, context: JudgmentContext, workspace: Workspace) -> Judgment:
        baseline = self._demands.baseline_in(context)
        tally = Tally(self._demands.wanted())
        paths = list(find_reports(workspace, self._patterns, self.walk_limit))
        if not paths:
            raise WorkspaceError(
                f"there is no report: nothing in the workspace is {' or '.join(self._patterns)}",
                ReasonCode.MISSING_INPUT,
            )
        for path in paths:
            with opened_report(workspace, path, self.size_limit) as report:
                self._check_age(context, report)
                report.read_into(tally, self.format)
        return self._summed_up(tally, baseline, workspace, paths)

    @property
    def _patterns(self) -> tuple[str, ...]:
        return cast("tuple[str, ...]", self.path)

    def _summed_up(
        self, tally: Tally, baseline: int | None, workspace: Workspace, paths: list[str]
    ) -> Judgment:
        shown_paths = [shown(path) for path in paths]
        summary = Summary(
            tally,
            self._demands,
            baseline,
            Locator(workspace),
            facts={"ran": False, "reports": shown_paths[:_NAMED], "reports_read": len(paths)},
        )
        what = shown_paths[0] if len(paths) == 1 else f"{len(paths)} reports"
        return summary.judgment(f"{what} (nothing was run)")

    def _check_age(self, context: JudgmentContext, report: OpenReport) -> None:
        if self.age == "any" or context.started_at is None:
            return
        if report.status.st_mtime < context.started_at.timestamp():
            raise WorkspaceError(
                f"the report {shown(report.path)} is older than the run, which began at "
                f"{context.started_at.isoformat()}",
                ReasonCode.STALE_EVIDENCE,
            )


_NAMED = 20
"""Reports that the metadata names."""


def check_format(name: object) -> None:
    """Refuse what is not the name of a format.

    Raises:
        ArgumentError: It is not.
    """
    if name is not None and name not in FORMATS:
        raise ArgumentError(f"format must be one of {sorted(FORMATS)}, not {name!r}")
