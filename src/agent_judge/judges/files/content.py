"""Whether files of the workspace hold what they should."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from itertools import zip_longest
from time import monotonic
from typing import ClassVar, Final, Literal

from agent_judge.context import JudgmentContext
from agent_judge.engine import check_timeout
from agent_judge.errors import ArgumentError
from agent_judge.frozen import check_text
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.globs import check_pattern, find, is_glob
from agent_judge.judges.files.paths import (
    SIZE_LIMIT,
    Workspace,
    WorkspaceError,
    judge_workspace,
)
from agent_judge.judges.files.reading import check_encoding, check_limit, read_text
from agent_judge.judges.files.tree import WALK_LIMIT, Budget
from agent_judge.judges.showing import shown
from agent_judge.judgment import Check, Judgment, Location, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata

_WAYS: Final = ("exact", "contains", "regex")
_QUOTED: Final = 80
"""Characters of a line that a message quotes."""


@dataclass(frozen=True, slots=True)
class FileContentJudge:
    """Whether a file, or each file that a pattern matches, holds what it should.

    Exactly one of `exact`, `contains` and `regex` says what that is. A file that is not there, or
    no file, fails; one that cannot be read to its end is ERROR.

    Args:
        path: Its path relative to the workspace, or a pattern (see `judges.files.globs`). A
            pattern that matches no file fails: nothing was examined.
        exact: The whole text, line ends included.
        contains: A text that is somewhere in it.
        regex: A regular expression, in the dialect of the module `re`, that is found somewhere in
            it; begin it with `(?m)` where `^` and `$` are to stand for the ends of a line.
        require: Of the files that a pattern matches, whether `"all"` must hold it, or `"any"`.
        encoding: The encoding of the files; a byte that it does not allow is ERROR.
        size_limit: Bytes of a file that are read at most; a larger one is ERROR `too_large`.
        walk_limit: How many names a pattern may look at.
        timeout: Seconds that the regular expression may take for all files together; more is
            ERROR `timeout`.

    Raises:
        ArgumentError: A path that is empty, absolute or leaves the workspace; none or several of
            `exact`, `contains` and `regex`; an empty `contains`; a regular expression that is
            not one; an unknown encoding.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from pathlib import Path
        >>> from agent_judge import JudgmentContext, evaluate
        >>> _ = Path("notes.txt").write_text("milk, eggs")
        >>> judge = FileContentJudge("*.txt", contains="eggs")
        >>> evaluate(judge, JudgmentContext(workspace=Path())).passed
        True
    """

    path: str
    exact: str | None = None
    contains: str | None = None
    regex: str | None = None
    require: Literal["all", "any"] = "all"
    encoding: str = "utf-8"
    size_limit: int = SIZE_LIMIT
    walk_limit: int = WALK_LIMIT
    timeout: float = 10.0

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "FileContentJudge", cost=Cost.FILE, type="file_content", needs=("workspace",), version="1"
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", check_pattern(self.path))
        _check_expectation({way: getattr(self, way) for way in _WAYS})
        if self.require not in ("all", "any"):
            raise ArgumentError(f"require must be 'all' or 'any', not {self.require!r}")
        check_encoding(self.encoding)
        check_limit(self.size_limit, "size_limit")
        check_limit(self.walk_limit, "walk_limit")
        check_timeout(self.timeout)

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Read the file or files in the context's workspace."""
        return judge_workspace(context, self._look)

    def _look(self, workspace: Workspace) -> Judgment:
        deadline = monotonic() + self.timeout
        checks = [self._check(workspace, path, deadline) for path in self._paths(workspace)]
        if not checks:
            check = Check(self.path, False, "no file matches", examined=0)
            return Judgment.failing(f"{self.path}: no file matches", checks=[check])
        passed = [check for check in checks if check.passed]
        if self.require == "any" and passed:
            checks = [check if check.passed else check.as_advisory() for check in checks]
        if len(checks) == 1:
            return Judgment.from_checks(checks, f"{checks[0].name}: {checks[0].message}")
        return Judgment.from_checks(checks, _summary(len(passed), checks))

    def _paths(self, workspace: Workspace) -> Iterator[str]:
        if not is_glob(self.path):
            yield self.path
            return
        for entry in find(workspace, self.path, Budget(self.walk_limit)):
            if workspace.kind(entry.path) is Kind.FILE:
                yield entry.path

    def _check(self, workspace: Workspace, path: str, deadline: float) -> Check:
        found = workspace.kind(path)
        if found is not Kind.FILE:
            message = "not there" if found is None else f"{found.value}, no file"
            return Check(shown(path), False, message, location=Location(shown(path)))
        text = read_text(workspace, path, self.encoding, self.size_limit)
        finding = self._compare(text, path, deadline)
        place = Location(shown(path), finding.line)
        return Check(shown(path), finding.passed, finding.message, location=place)

    def _compare(self, text: str, path: str, deadline: float) -> _Finding:
        if self.exact is not None:
            return compare_exactly(text, self.exact)
        if self.contains is not None:
            return _look_for(text, self.contains)
        assert self.regex is not None
        return _search(text, self.regex, path, deadline)


@dataclass(frozen=True, slots=True)
class _Finding:
    """What was found in one text, and on which line."""

    passed: bool
    message: str
    line: int | None = None


def compare_exactly(text: str, expected: str) -> _Finding:
    """Whether two texts are the same; if not, the first line that differs."""
    if text == expected:
        return _Finding(True, "the text is as expected")
    pairs = zip_longest(_lines(text), _lines(expected))
    line, found, wanted = next(
        (number, left, right)
        for number, (left, right) in enumerate(pairs, start=1)
        if left != right
    )
    return _Finding(False, f"line {line} is {_quoted(found)}, expected {_quoted(wanted)}", line)


def _lines(text: str) -> Iterator[str]:
    """The lines with their ends, as editors count them: only a line feed ends one."""
    return iter(StringIO(text, newline="\n"))


def _look_for(text: str, expected: str) -> _Finding:
    start = text.find(expected)
    if start < 0:
        return _Finding(False, f"does not contain {_quoted(expected)}")
    return _at(text, start, f"contains {_quoted(expected)}")


def _search(text: str, pattern: str, path: str, deadline: float) -> _Finding:
    from agent_judge.judges.text.patterns import PatternError, PatternTimeout, search

    try:
        match = search(pattern, text, 0, deadline)
    except PatternTimeout:
        reason = f"the regular expression took too long on {shown(path)}"
        raise WorkspaceError(reason, ReasonCode.TIMEOUT) from None
    except PatternError as fault:
        raise WorkspaceError(f"{shown(path)}: {fault}", ReasonCode.TOO_LARGE) from fault
    if match is None:
        return _Finding(False, f"{_quoted(pattern)} is not found")
    return _at(text, match.start, f"{_quoted(pattern)} is found")


def _at(text: str, start: int, message: str) -> _Finding:
    line = text.count("\n", 0, start) + 1
    return _Finding(True, f"{message} on line {line}", line)


def _quoted(text: str | None) -> str:
    if text is None:
        return "absent"
    return repr(text) if len(text) <= _QUOTED else f"{text[:_QUOTED]!r}…"


def _summary(passed: int, checks: list[Check]) -> str:
    first = next((check for check in checks if not check.passed), None)
    summary = f"{passed} of {len(checks)} files hold it"
    return summary if first is None else f"{summary}; {first.name}: {first.message}"


def _check_expectation(given: dict[str, object]) -> None:
    named = [way for way in _WAYS if given[way] is not None]
    if len(named) != 1:
        raise ArgumentError(
            f"give exactly one of exact, contains and regex, not {', '.join(named) or 'none'}"
        )
    check_text(given[named[0]], named[0])
    if given["regex"] is not None:
        from agent_judge.judges.text.patterns import Pattern

        Pattern(str(given["regex"]))
    if given["contains"] == "":
        raise ArgumentError("contains is empty, and every text contains that")
