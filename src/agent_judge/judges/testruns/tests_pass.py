"""Whether the tests of the workspace pass, run under our eyes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import ClassVar, Final, Literal, cast

from agent_judge.context import JudgmentContext
from agent_judge.engine import in_worker, shared
from agent_judge.errors import ArgumentError
from agent_judge.frozen import EMPTY, check_text
from agent_judge.judges.files.globs import check_patterns
from agent_judge.judges.files.paths import WorkspaceError, check_trusted_path, open_workspace
from agent_judge.judges.files.reading import check_limit
from agent_judge.judges.files.tree import WALK_LIMIT
from agent_judge.judges.git.baseline import GitBaseline
from agent_judge.judges.process import options
from agent_judge.judges.process.build_tools import Project
from agent_judge.judges.process.command import CommandJudge
from agent_judge.judges.process.judging import working_directory
from agent_judge.judges.testruns.demands import Demands
from agent_judge.judges.testruns.judging import Setting, judge_run
from agent_judge.judges.testruns.pristine import Before, FolderBefore, RevisionBefore
from agent_judge.judges.testruns.reading import Reports
from agent_judge.judges.testruns.report_judge import check_format
from agent_judge.judges.testruns.runners import (
    BY_NAME,
    REPORT,
    REPORTS,
    STDOUT,
    Runner,
    only_runner,
)
from agent_judge.judges.testruns.running import TestRun
from agent_judge.judges.testruns.tampering import touched
from agent_judge.judges.text.reading import check_choice
from agent_judge.judgment import Check, Judgment
from agent_judge.protocol import Cost, JudgeMetadata

GIT_SECONDS: Final = 60.0
"""How long reading the repository may take."""


@dataclass(frozen=True, slots=True)
class TestsPassJudge:
    r"""Whether the tests of the workspace pass: they are run, and watched.

    It passes when the command ends with 0, its report says that tests ran and none failed, and
    every test that is named is among those that passed. What is printed decides nothing.

    pytest and unittest are run by a program of our own in the interpreter of the project, which
    tells of each test as it ends on a pipe that the work does not have. Other tools write a report,
    which must be of this run. `docs/code.md` lists what can be tried against that, and what cannot
    be seen.

    Args:
        runner: `"pytest"`, `"unittest"`, `"go"`, `"cargo-nextest"`, `"maven"`, `"gradle"`,
            `"jest"`, `"vitest"`, `"mocha"`, `"node"`, `"dotnet"`, `"rspec"`, `"phpunit"`,
            `"ctest"`, `"dart"` or `"flutter"`; told by the files that are there unless given.
        command: A command of one's own instead, as for `CommandJudge`. `{report}` in it stands for
            a new file, `{reports}` for a new folder, both outside of the workspace.
        report: Where that command writes its reports, if it cannot be told: paths or patterns in
            the workspace, or `"-"` for its standard output.
        format: The format of the reports, as for `TestReportJudge`.
        args: Further words for the tool, for example the tests to run.
        python: The interpreter that has pytest and what the project needs: a program on the PATH,
            or a path. A relative one is in the workspace, where the work may have changed it.
        expected: Tests that must have passed, beside all that must not have failed.
        fail_to_pass: Tests that failed before the work and must pass; where these or the next are
            given, they alone decide.
        pass_to_pass: Tests that passed before the work and must pass still.
        baseline: How many tests ran before the work, fewer of which fail (`counted` in the metadata
            of a judgment); `tests` of the context's baseline unless given.
        left_out: `"fail"`: a test that pytest found, and that a marker, a setting or a hook then
            left out, fails unless the lists alone decide; `"report"`: it is told of.
        pristine: Paths or patterns of files that are put back for the run to what they were. The
            tests then run in a copy of the workspace.
        protected: Paths or patterns of files that the work must not have touched.
        revision: The commit, tag or branch that says what was there before the work. In the
            workspace's own repository, give the full hash of a commit, which cannot be forged.
        repository: The repository of the revision; the workspace's own unless given.
        reference: A folder that holds what was there before the work, instead of a revision.
        timeout: Seconds after which it is killed, and the judgment is ERROR.
        cwd: The folder of the workspace to run in.
        env: Variables to set, as for `CommandJudge`.
        inherit: Names of further variables to hand on.
        isolation: What it is kept from; `"bubblewrap"` also keeps it from the network.
        limits: Limits of the kernel, as for `CommandJudge`.
        readable: Directories that a sandbox leaves readable.
        output_limit: Bytes that are kept of what it prints.
        walk_limit: Names that are looked at in the workspace, to copy it or to find reports.

    Raises:
        ArgumentError: An unknown runner or format, a runner beside a command, `pristine` or
            `protected` without anything that says what was there, or what `CommandJudge` refuses.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> import sys
        >>> from tempfile import mkdtemp
        >>> from agent_judge import JudgmentContext, evaluate
        >>> project = Path(mkdtemp())
        >>> _ = (project / "test_sum.py").write_text(
        ...     "from unittest import TestCase\n\n"
        ...     "class SumTest(TestCase):\n"
        ...     "    def test_adds(self):\n"
        ...     "        self.assertEqual(1 + 1, 2)\n"
        ... )
        >>> judge = TestsPassJudge("unittest", python=sys.executable)
        >>> evaluate(judge, JudgmentContext(workspace=project)).reasoning
        'unittest: 1 passed'
    """

    __test__: ClassVar[bool] = False  # pytest takes classes of this name for tests

    runner: str | None = None
    _: KW_ONLY
    command: str | Sequence[str] = ()
    report: str | Sequence[str] = ()
    format: str | None = None
    args: Sequence[str] = ()
    python: str = "python3"
    expected: Sequence[str] = ()
    fail_to_pass: Sequence[str] = ()
    pass_to_pass: Sequence[str] = ()
    baseline: int | None = None
    left_out: Literal["fail", "report"] = "fail"
    pristine: Sequence[str] = ()
    protected: Sequence[str] = ()
    revision: str | None = None
    repository: str | Path | None = None
    reference: str | Path | None = None
    timeout: float = 600.0
    cwd: str = "."
    env: Mapping[str, str] = EMPTY
    inherit: Sequence[str] = ()
    isolation: Literal["none", "rlimits", "bubblewrap"] = "none"
    limits: Mapping[str, int] = EMPTY
    readable: Sequence[str] = ()
    output_limit: int = 65_536
    walk_limit: int = WALK_LIMIT
    _demands: Demands = field(init=False, repr=False, compare=False)
    _command: CommandJudge = field(init=False, repr=False, compare=False)
    _before: Before | None = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "TestsPassJudge", cost=Cost.COMMAND, type="tests_pass", needs=("workspace",), version="1"
    )

    def __post_init__(self) -> None:
        check_format(self.format)
        check_choice(self.left_out, ("fail", "report"), "left_out")
        check_text(self.python, "python")
        check_limit(self.walk_limit, "walk_limit")
        demands = Demands(self.expected, self.fail_to_pass, self.pass_to_pass, self.baseline)
        command = self._checked_command()
        checked: dict[str, object] = {
            "args": options.texts(self.args, "args"),
            "report": _patterns(self.report, "report", but=STDOUT),
            "pristine": _patterns(self.pristine, "pristine"),
            "protected": _patterns(self.protected, "protected"),
            "_demands": demands,
            "_command": command,
        }
        for name in ("expected", "fail_to_pass", "pass_to_pass"):
            checked[name] = getattr(demands, name)
        for name in ("cwd", "env", "inherit", "limits", "readable"):
            checked[name] = getattr(command, name)
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_before", self._checked_before())

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Run the tests of the context's workspace."""
        try:
            baseline = self._demands.baseline_in(context)
            workspace, _ = working_directory(context, self.cwd)
            run = self._run(workspace)
            checks = await in_worker(lambda: list(self._touched(workspace)))
            ran = await shared((run, workspace, self.cwd), lambda: run.run_in(workspace, self.cwd))
            allows = self.left_out == "report"
            setting = Setting(workspace, self.cwd, self._demands, baseline, checks, allows)
            return await in_worker(lambda: judge_run(run, ran, setting))
        except WorkspaceError as fault:
            return fault.judgment

    def _run(self, workspace: Path) -> TestRun:
        """What to run there.

        Raises:
            WorkspaceError: No tool is named, and the files point to none or to several.
        """
        reports = Reports(tuple(self.report), self.format, walk_limit=self.walk_limit)
        if self.command:
            runner = Runner("command")
        else:
            runner = self._runner(workspace)
            places = tuple(self._placed(place) for place in runner.report)
            reports = Reports(places, runner.format, walk_limit=self.walk_limit)
        return TestRun(
            runner,
            self._command,
            tuple(self.args),
            self.python,
            tuple(self.pristine),
            self._before,
            reports,
        )

    def _placed(self, place: str) -> str:
        """Where a report is in the workspace, of which the runner knows the place in its folder."""
        return place if self.cwd == "." or place == STDOUT else f"{self.cwd}/{place}"

    def _runner(self, workspace: Path) -> Runner:
        if self.runner is not None:
            return BY_NAME[self.runner]
        with open_workspace(workspace) as opened:
            return only_runner(Project(opened, self.cwd))

    def _touched(self, workspace: Path) -> Iterator[Check]:
        """What the work touched of that which decides about it."""
        if self._before is None:
            return
        with open_workspace(workspace) as opened:
            yield from touched(
                self._before,
                opened,
                protected=self.protected,
                pristine=self.pristine,
                walk_limit=self.walk_limit,
            )

    def _checked_command(self) -> CommandJudge:
        if self.runner is not None and self.runner not in BY_NAME:
            raise ArgumentError(f"runner must be one of {sorted(BY_NAME)}, not {self.runner!r}")
        if self.runner is not None and self.command:
            raise ArgumentError("give a runner or a command, not both")
        command = CommandJudge(
            self.command or ("true",),
            timeout=self.timeout,
            cwd=self.cwd,
            env=self.env,
            inherit=self.inherit,
            isolation=self.isolation,
            limits=self.limits,
            readable=self.readable,
            output_limit=self.output_limit,
        )
        if self.command and not self.report and not _names_report(command.argv):
            raise ArgumentError(
                "a command needs a place for its report: write {report} where it takes one, or "
                "give report="
            )
        if self.report and not self.command:
            raise ArgumentError("report= belongs to a command of your own; a runner knows its own")
        return command

    def _checked_before(self) -> Before | None:
        if self.revision is not None and self.reference is not None:
            raise ArgumentError("give a revision or a reference, not both")
        if self.repository is not None and self.revision is None:
            raise ArgumentError("repository is given without a revision to read from it")
        if self.revision is not None:
            repository = self.repository
            if repository is not None:
                repository = check_trusted_path(repository, "repository")
            return RevisionBefore(GitBaseline(self.revision, repository, GIT_SECONDS))
        if self.reference is not None:
            return FolderBefore(Path(check_trusted_path(self.reference, "reference")))
        if self.pristine or self.protected:
            raise ArgumentError(
                "pristine and protected need to know what was there before the work: give a "
                "revision, or a folder as reference"
            )
        return None


def _patterns(patterns: object, name: str, but: str = "") -> tuple[str, ...]:
    """Paths or patterns, none or several; `but` is a word that is none and allowed."""
    given = [patterns] if isinstance(patterns, str) and patterns else patterns
    words = list(cast("Sequence[object]", given)) if isinstance(given, list | tuple) else [given]
    others = [word for word in words if word not in (but, "")]
    kept = check_patterns(others, name) if others else ()
    return (but, *kept) if but and but in words else kept


def _names_report(words: Sequence[str]) -> bool:
    return any(place in word for word in words for place in (REPORT, REPORTS))
