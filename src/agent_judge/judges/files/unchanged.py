"""Whether files that must not be touched are as they were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, cast

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError
from agent_judge.judges.files.baseline import Baseline, Selection
from agent_judge.judges.files.excludes import Excludes, check_exclude
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.globs import check_patterns
from agent_judge.judges.files.hashes import HashBaseline, check_hashes
from agent_judge.judges.files.paths import (
    SIZE_LIMIT,
    Workspace,
    check_trusted_path,
    judge_workspace,
)
from agent_judge.judges.files.reading import check_limit
from agent_judge.judges.files.tree import WALK_LIMIT, Entry
from agent_judge.judges.showing import shown
from agent_judge.judgment import Check, Judgment, Location, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata

if TYPE_CHECKING:
    from agent_judge.judges.git.baseline import GitBaseline

_NAMED: Final = 20
"""Files that the reasoning names; the checks name them all."""


@dataclass(frozen=True, slots=True)
class FilesUnchangedJudge:
    """Whether files that the work must not touch are as they were: none changed, added or deleted.

    What they were is said by `baseline`, or by a `revision` of a git repository, of which the raw
    bytes and the executable bit count: no filter of git (line ends, LFS) is applied. Links are
    compared by their target and never followed. Files that a run leaves behind, such as caches,
    count as added unless they are excluded.

    Args:
        paths: Paths or patterns (see `judges.files.globs`) relative to the workspace; a directory
            means everything in it. If none of them matches a file, neither then nor now, nothing
            was examined, and the judgment is ERROR.
        baseline: The SHA-256 of each file by its path, as `hash_files` gives it.
        revision: A commit, tag or branch. Names are looked up in the repository, which the work
            may have rewritten if it is the workspace's own: there, give the full hash of a commit,
            which cannot be forged.
        repository: The repository of the revision, on the side of whoever judges; the `.git`
            directory of the workspace unless given.
        exclude: What is left out, by patterns as in a `.gitignore` file.
        size_limit: Bytes of a file that are read at most; larger ones are ERROR `too_large`.
        walk_limit: How many names may be looked at, then and now each.
        timeout: Seconds that reading the repository may take.

    Raises:
        ArgumentError: Both or neither of `baseline` and `revision`; a path out of the workspace,
            a hash that is not one, an empty baseline, a bad pattern or limit.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: `exclude` needs the extra `files`.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> from agent_judge.judges import hash_files
        >>> _ = Path("test_app.py").write_text("assert works()")
        >>> judge = FilesUnchangedJudge(["test_*.py"], baseline=hash_files(Path(), ["test_*.py"]))
        >>> _ = Path("test_app.py").write_text("assert True")
        >>> evaluate(judge, JudgmentContext(workspace=Path())).reasoning
        '1 of 1 files touched: test_app.py changed'
    """

    paths: Sequence[str]
    baseline: Mapping[str, str] | None = None
    revision: str | None = None
    repository: str | Path | None = None
    exclude: Sequence[str] = ()
    size_limit: int = SIZE_LIMIT
    walk_limit: int = WALK_LIMIT
    timeout: float = 30.0
    _selection: Selection = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "FilesUnchangedJudge",
        cost=Cost.COMMAND,
        type="files_unchanged",
        needs=("workspace",),
        version="1",
    )

    def __post_init__(self) -> None:
        _set(self, "paths", check_patterns(self.paths, "paths"))
        _set(self, "exclude", check_exclude(self.exclude))
        if (self.baseline is None) == (self.revision is None):
            found = "neither" if self.baseline is None else "both"
            raise ArgumentError(f"needs one of baseline and revision, and got {found}")
        if self.baseline is not None:
            _set(self, "baseline", check_hashes(self.baseline))
        check_limit(self.size_limit, "size_limit")
        check_limit(self.walk_limit, "walk_limit")
        _set(
            self,
            "_selection",
            Selection(tuple(self.paths), Excludes(self.exclude), self.walk_limit),
        )
        if self.repository is not None:
            _set(self, "repository", check_trusted_path(self.repository, "repository"))
        if self.revision is not None:
            _ = self._git
        elif self.repository is not None:
            raise ArgumentError("repository is given without a revision to read from it")

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the files of the context's workspace with what they were."""
        return judge_workspace(context, self._look)

    @property
    def _git(self) -> GitBaseline:
        from agent_judge.judges.git.baseline import GitBaseline

        return GitBaseline(cast("str", self.revision), self.repository, self.timeout)

    def _look(self, workspace: Workspace) -> Judgment:
        baseline = self._git if self.baseline is None else HashBaseline(self.baseline)
        checks = list(compared(baseline, workspace, self._selection, self.size_limit))
        return _sum_up(self.paths, checks)


_set = object.__setattr__


def compared(
    baseline: Baseline, workspace: Workspace, selection: Selection, size_limit: int
) -> Iterator[Check]:
    """A check for each selected file, then or now: whether it is as it was.

    Raises:
        WorkspaceError: What was there, or is there, cannot be read.
    """
    recorded = dict(baseline.recorded(workspace, selection))
    for entry in selection.entries(workspace):
        yield _check(workspace, baseline, entry, recorded.pop(entry.path, None), size_limit)
    for path in recorded:
        yield _finding(path, "deleted")


def _check(
    workspace: Workspace, baseline: Baseline, entry: Entry, recorded: str | None, size_limit: int
) -> Check:
    if recorded is None:
        return _finding(entry.path, f"added, {entry.kind.value}")
    if entry.kind is Kind.SPECIAL:
        return _finding(entry.path, f"changed into {entry.kind.value}")
    if baseline.holds(workspace, entry, recorded, size_limit):
        return _finding(entry.path, "unchanged", passed=True)
    return _finding(entry.path, "changed")


def _finding(path: str, message: str, *, passed: bool = False) -> Check:
    return Check(shown(path), passed, message, location=Location(shown(path)))


def _sum_up(paths: Sequence[str], checks: list[Check]) -> Judgment:
    if not checks:
        return Judgment.erring(
            f"{', '.join(paths)}: there was no such file, and there is none; nothing was examined",
            ReasonCode.MISSING_INPUT,
        )
    touched = [f"{check.name} {check.message}" for check in checks if not check.passed]
    if not touched:
        return Judgment.passing(f"all {len(checks)} files are as they were", checks=checks)
    named = "; ".join(touched[:_NAMED]) + ("; …" if len(touched) > _NAMED else "")
    reasoning = f"{len(touched)} of {len(checks)} files touched: {named}"
    return Judgment.failing(reasoning, checks=checks)
