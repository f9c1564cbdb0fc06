"""Whether the work left the tests as strong as they were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, Literal

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError, MissingExtraError
from agent_judge.extras import require
from agent_judge.judges.deadline import Deadline
from agent_judge.judges.diff.findings import counted, location, sum_up
from agent_judge.judges.diff.kept.languages import (
    GRAMMARS,
    holds_tests,
    is_named_as_tests,
    language_of,
    supports_tests,
)
from agent_judge.judges.diff.kept.outlines import Outline, outline_of
from agent_judge.judges.diff.kept.weakening import Finding, Pair, weakenings
from agent_judge.judges.diff.reading import Empty, check_empty, judge_changes
from agent_judge.judges.diff.records import ChangeSet, FileChange, Version
from agent_judge.judges.diff.sources import Changes, check_changes
from agent_judge.judges.files.excludes import Excludes, check_exclude
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.showing import shown
from agent_judge.judgment import Check, Judgment, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata

_NOTHING: Final = Outline()


@dataclass(frozen=True, slots=True)
class TestsKeptJudge:
    """Whether no test was deleted, skipped or weakened (extra `diff`; `compare` beyond Python).

    Tests are found and compared by syntax tree, in Python, Java, JavaScript, TypeScript, Go and
    Rust. It is a finding with file and line, where a test that was there

    - is gone, or no longer where or what a runner looks for (a test that was moved or renamed to
      another test is not gone);
    - is skipped, expected to fail, or under a condition that it was not under;
    - has fewer assertions that can fail: some were removed, hold whatever happens, come after a
      `return` or in `if False`, or fail where that is caught; assertions of functions of the same
      file that it calls count as well;
    - has assertions that now run only under a condition;
    - has fewer cases, a looser tolerance, or an assertion that says less of the same thing;
    - is in a file that cannot be parsed any more.

    That a test expects something else than before is reported and decides nothing, unless
    `expectations="keep"`. What a test file in another language holds cannot be told: where one
    was changed, and nothing else was found, the judgment is ABSTAIN and names it.

    Args:
        changes: Which change is judged.
        tests: Which files hold tests, by patterns as in a `.gitignore` file; unless given, those
            that the usual runners look at, by their names.
        exclude: Files that are not looked at, by such patterns.
        expectations: Whether a test may expect something else than before: `"report"`, `"keep"`.
        empty: What a change that touches nothing is: ABSTAIN, PASS or FAIL.

    Raises:
        ArgumentError: A pattern that is none.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: `tests` and `exclude` need `pathspec`.

    Example:
        >>> from pathlib import Path
        >>> from agent_judge import JudgmentContext, evaluate
        >>> from agent_judge.judges.diff import FolderChanges
        >>> before = ["def test_sum():", "    assert add(1, 1) == 2"]
        >>> work = ["@pytest.mark.skip", *before]
        >>> for folder, lines in {"before": before, "work": work}.items():
        ...     Path(folder).mkdir()
        ...     _ = Path(folder, "test_sum.py").write_text(chr(10).join(lines))
        >>> judge = TestsKeptJudge(FolderChanges("before"))
        >>> evaluate(judge, JudgmentContext(workspace="work")).reasoning
        "test_sum.py:1: test_sum may no longer be run, or fail: '@pytest.mark.skip'"
    """

    __test__: ClassVar[bool] = False

    changes: Changes
    tests: Sequence[str] = ()
    exclude: Sequence[str] = ()
    expectations: Literal["report", "keep"] = "report"
    empty: Empty = "abstain"
    _patterns: tuple[Excludes, Excludes] = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "TestsKeptJudge", cost=Cost.COMMAND, type="tests_kept", needs=("workspace",), version="1"
    )

    def __post_init__(self) -> None:
        check_changes(self.changes)
        check_empty(self.empty)
        for name in ("tests", "exclude"):
            _set(self, name, check_exclude(getattr(self, name), name))
        if self.expectations not in ("report", "keep"):
            raise ArgumentError(
                f"expectations must be 'report' or 'keep', not {self.expectations!r}"
            )
        _set(self, "_patterns", (Excludes(self.tests, "tests"), Excludes(self.exclude)))

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the tests before and after the change."""
        return await judge_changes(context, self.changes, self._look, empty=self.empty, lines=True)

    def _look(self, change: ChangeSet) -> Judgment:
        reading = _Reading(self, Deadline(self.changes.bounds.timeout, "parsing the tests"))
        for file in change.files:
            reading.take(file)
        findings = list(reading.gone)
        notes: list[Check] = []
        for found in weakenings(reading.pairs):
            decides = found.decides or self.expectations == "keep"
            (findings if decides else notes).append(_check(found, decides=decides))
        return reading.judgment(findings, notes, len(change.files))

    def looks_at(self, path: str) -> bool:
        """Whether a file is looked at at all."""
        return (self.runs(path) or supports_tests(path)) and not self._patterns[1].path(path)

    def runs(self, path: str) -> bool:
        """Whether tests in a file are run."""
        return self._patterns[0].path(path) if self.tests else holds_tests(path)


class _Reading:
    """The files of tests that a change touches, read one by one."""

    def __init__(self, judge: TestsKeptJudge, deadline: Deadline) -> None:
        self.pairs: list[Pair] = []
        self.gone: list[Check] = []
        self._judge = judge
        self._deadline = deadline
        self._unread: list[Check] = []
        self._fault: WorkspaceError | MissingExtraError | None = None
        self._files = 0
        self._tests = 0

    def take(self, file: FileChange) -> None:
        """Read a file, before and after, if there may be tests in it."""
        if not any(map(self._judge.looks_at, file.paths)):
            return
        self._files += 1
        try:
            before, after = self._outline(file.before), self._outline(file.after)
            if after is not None and _loses_its_name(file):
                after = _supporting(after)
        except (WorkspaceError, MissingExtraError) as fault:
            self._fault = self._fault or fault
            self._not_examined(file, str(fault))
            return
        if before is None:
            self._not_examined(file, "tests in its language cannot be read")
        elif before.fault is not None:
            self._not_examined(file, f"it could not be parsed before: {before.fault}")
        else:
            old = None if file.before is None else file.before.path
            new = None if file.after is None else file.after.path
            self._tests += len(before.tests)
            self.pairs.append(Pair(old, new, before, after or _NOTHING, file.line_after))

    def judgment(self, findings: list[Check], notes: list[Check], changed: int) -> Judgment:
        """FAIL with what was found; else PASS where everything could be read."""
        rest = [*notes, *self._unread]
        if not findings and self._fault is not None:
            raise self._fault
        if not self._files:
            message = f"none of {counted(changed, 'changed file')} holds tests"
            check = Check("tests", True, message, examined=changed)
            return Judgment.passing(message, checks=[check, *rest])
        if not findings and self._unread:
            names = ", ".join(check.name for check in self._unread[:5])
            reasoning = f"tests were not examined in {names}"
            return Judgment.abstaining(reasoning, checks=rest, code=ReasonCode.MISSING_INPUT)
        files = counted(len(self.pairs), "file")
        message = f"{counted(self._tests, 'test')} of {files} as strong as before"
        examined = [] if findings else [Check("tests", True, message, examined=self._files)]
        return sum_up(findings, [*examined, *rest], message)

    def _outline(self, version: Version | None) -> Outline | None:
        """The outline of a version; `None` where its language cannot be read."""
        if version is None or not self._judge.looks_at(version.path):
            return _NOTHING
        language = language_of(version.path)
        if language is None:
            return None
        content = _content(version)
        if language in GRAMMARS:
            for package in ("tree_sitter", GRAMMARS[language]):
                require(package, extra="compare", needed_by=f"reading tests in {language}")
        outline = outline_of(version.path, content, language, self._deadline.left)
        return outline if self._judge.runs(version.path) else _supporting(outline)

    def _not_examined(self, file: FileChange, why: str) -> None:
        """What is gone can be told all the same."""
        before, after = file.before, file.after
        if before is not None and self._judge.runs(before.path):
            if after is None:
                message = "the test file was deleted"
                self.gone.append(_check(Finding(before.path, 1, message), decides=True))
                return
            if not self._judge.runs(after.path):
                message = f"the test file {before.path} is none here"
                self.gone.append(_check(Finding(after.path, 1, message), decides=True))
                return
        message, place = f"not examined: {why}", location(file.path)
        self._unread.append(Check(shown(file.path), False, shown(message), 0, True, place))


def _content(version: Version) -> bytes:
    if version.content is not None:
        return version.content
    if version.size is None:
        reason = f"what {shown(version.path)} holds is not known from a patch alone"
        raise WorkspaceError(reason, ReasonCode.MISSING_INPUT)
    reason = f"{shown(version.path)} is too large to be read; raise bounds.file_bytes"
    raise WorkspaceError(reason, ReasonCode.TOO_LARGE)


def _loses_its_name(file: FileChange) -> bool:
    """Whether a file of tests is now called something by which not every runner finds it."""
    before, after = file.before, file.after
    if before is None or after is None:
        return False
    return is_named_as_tests(before.path) and not is_named_as_tests(after.path)


def _supporting(outline: Outline) -> Outline:
    """A file that runners do not look at: what are called tests in it are not run."""
    functions = {
        name: replace(function, is_test=False) for name, function in outline.functions.items()
    }
    return replace(outline, functions=functions)


def _check(found: Finding, *, decides: bool) -> Check:
    place = location(found.path, found.line)
    return Check(shown(found.path), False, shown(found.message), 1, not decides, place)


_set = object.__setattr__
