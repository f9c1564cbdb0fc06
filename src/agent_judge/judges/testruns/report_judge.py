"""Whether the tests passed, of which a report tells that is there already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import ClassVar, Final, Literal, cast

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError
from agent_judge.frozen import Json
from agent_judge.judges.files.globs import check_patterns
from agent_judge.judges.files.paths import Workspace, judge_workspace
from agent_judge.judges.files.reading import check_limit
from agent_judge.judges.files.tree import WALK_LIMIT
from agent_judge.judges.reports.source import REPORT_LIMIT
from agent_judge.judges.showing import shown
from agent_judge.judges.testruns.demands import Demands
from agent_judge.judges.testruns.formats import FORMATS
from agent_judge.judges.testruns.locating import Locator
from agent_judge.judges.testruns.reading import Reports
from agent_judge.judges.testruns.summing import Summary
from agent_judge.judges.testruns.tally import Tally
from agent_judge.judges.text.reading import check_choice
from agent_judge.judgment import Judgment
from agent_judge.protocol import Cost, JudgeMetadata


@dataclass(frozen=True, slots=True)
class TestReportJudge:
    """Whether the tests passed of which reports in the workspace tell.

    Nothing is run: the reports are believed, so whoever can write them decides. Use it where the
    tests ran somewhere the work has no hand in, such as a job of continuous integration, and
    `TestsPassJudge` elsewhere.

    Args:
        report: The report, or several, as paths or patterns such as `target/**/TEST-*.xml`.
        format: `"junit"`, `"nunit"`, `"xunit"`, `"trx"`, `"tap"`, `"go"` (`go test -json`),
            `"jest"` (and vitest), `"mocha"`, `"rspec"` or `"dart"`; told by the report itself
            unless given.
        expected: Tests that must be in it and have passed, beside all that must not have failed.
        fail_to_pass: Tests that failed before the work and must pass; where these or the next are
            given, they alone decide.
        pass_to_pass: Tests that passed before the work and must pass still.
        baseline: How many tests ran before the work, fewer of which fail; `tests` of the context's
            baseline unless given.
        stale: `"error"` refuses a report that is older than the run of the context, where it is
            known when that began; `"accept"` does not.
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

    report: str | Sequence[str]
    _: KW_ONLY
    format: str | None = None
    expected: Sequence[str] = ()
    fail_to_pass: Sequence[str] = ()
    pass_to_pass: Sequence[str] = ()
    baseline: int | None = None
    stale: Literal["error", "accept"] = "error"
    size_limit: int = REPORT_LIMIT
    walk_limit: int = WALK_LIMIT
    _demands: Demands = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "TestReportJudge", cost=Cost.FILE, type="test_report", needs=("workspace",), version="1"
    )

    def __post_init__(self) -> None:
        check_format(self.format)
        check_choice(self.stale, ("error", "accept"), "stale")
        check_limit(self.size_limit, "size_limit")
        check_limit(self.walk_limit, "walk_limit")
        demands = Demands(self.expected, self.fail_to_pass, self.pass_to_pass, self.baseline)
        patterns = [self.report] if isinstance(self.report, str) else self.report
        object.__setattr__(self, "report", check_patterns(patterns, "report"))
        for name in ("expected", "fail_to_pass", "pass_to_pass"):
            object.__setattr__(self, name, getattr(demands, name))
        object.__setattr__(self, "_demands", demands)

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Read the reports in the context's workspace."""
        return judge_workspace(context, lambda workspace: self._look(context, workspace))

    def _look(self, context: JudgmentContext, workspace: Workspace) -> Judgment:
        baseline = self._demands.baseline_in(context)
        tally = Tally(self._demands.wanted())
        paths = self._reports.read(workspace, tally, self._since(context))
        names = [shown(path) for path in paths[:_NAMED]]
        facts: dict[str, Json] = {"ran": False, "reports": names, "reports_read": len(paths)}
        summary = Summary(tally, self._demands, baseline, Locator(workspace), facts=facts)
        what = names[0] if len(paths) == 1 else f"{len(paths)} reports"
        return summary.judgment(f"{what} (nothing was run)")

    @property
    def _reports(self) -> Reports:
        patterns = cast("tuple[str, ...]", self.report)
        return Reports(patterns, self.format, self.size_limit, self.walk_limit)

    def _since(self, context: JudgmentContext) -> int | None:
        """The moment from which on a report is fresh, in nanoseconds since 1970."""
        if self.stale == "accept" or context.started_at is None:
            return None
        return int(context.started_at.timestamp() * 1e9)


_NAMED: Final = 20
"""Reports that the metadata names."""


def check_format(name: object) -> None:
    """Refuse what is not the name of a format.

    Raises:
        ArgumentError: It is not.
    """
    if name is not None and name not in FORMATS:
        raise ArgumentError(f"format must be one of {sorted(FORMATS)}, not {name!r}")
