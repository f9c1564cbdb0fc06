"""Whether the change is as small as it should be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.diff.findings import counted, left_in
from agent_judge.judges.diff.generated import is_generated
from agent_judge.judges.diff.reading import Empty, check_empty, judge_changes
from agent_judge.judges.diff.records import ChangeSet, FileChange
from agent_judge.judges.diff.sources import Changes, check_changes
from agent_judge.judges.files.excludes import Excludes, check_exclude
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.showing import shown
from agent_judge.judgment import Check, Judgment, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata

_LIMITS = ("files", "added", "removed", "lines")


@dataclass(frozen=True, slots=True)
class DiffSizeJudge:
    """Whether the change touches no more files and lines than it should (extra `diff`).

    Lines are counted as `git diff --numstat` counts them; those of binary files are none, and of
    a file that was too large to be read they are unknown, which is ERROR unless the others are
    too many already.

    Args:
        changes: Which change is judged.
        files: Files that may be touched; a rename touches one.
        added: Lines that may be added.
        removed: Lines that may be removed.
        lines: Lines that may be added and removed together.
        generated: Whether lock files, generated and vendored files count: `"count"`, or
            `"leave_out"`. They are told by well-known names, and generated files also by what
            they said of themselves *before* the change.
        exclude: What else does not count, by patterns as in a `.gitignore` file.
        empty: What a change that touches nothing is: ABSTAIN, PASS or FAIL.

    Raises:
        ArgumentError: No limit at all, or one that is negative.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: `exclude` needs `pathspec`.

    Example:
        >>> from pathlib import Path
        >>> from agent_judge import JudgmentContext, evaluate
        >>> from agent_judge.judges.diff import FolderChanges
        >>> for folder, text in {"before": "one", "work": "two"}.items():
        ...     Path(folder).mkdir()
        ...     _ = Path(folder, "a.txt").write_text(text)
        >>> judge = DiffSizeJudge(FolderChanges("before"), lines=1)
        >>> evaluate(judge, JudgmentContext(workspace="work")).reasoning
        '2 lines changed, and at most 1 may be'
    """

    changes: Changes
    files: int | None = None
    added: int | None = None
    removed: int | None = None
    lines: int | None = None
    generated: Literal["count", "leave_out"] = "count"
    exclude: Sequence[str] = ()
    empty: Empty = "abstain"
    _excludes: Excludes = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "DiffSizeJudge", cost=Cost.COMMAND, type="diff_size", needs=("workspace",), version="1"
    )

    def __post_init__(self) -> None:
        check_changes(self.changes)
        check_empty(self.empty)
        given = [name for name in _LIMITS if getattr(self, name) is not None]
        if not given:
            raise ArgumentError(f"says nothing of a size; give one of {', '.join(_LIMITS)}")
        for name in given:
            _check_bound(getattr(self, name), name)
        if self.generated not in ("count", "leave_out"):
            raise ArgumentError(f"generated must be 'count' or 'leave_out', not {self.generated!r}")
        _set(self, "exclude", check_exclude(self.exclude))
        _set(self, "_excludes", Excludes(self.exclude))

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Count what changed."""
        return await judge_changes(context, self.changes, self._look, empty=self.empty)

    def _look(self, change: ChangeSet) -> Judgment:
        files = [file for file in left_in(change, self._excludes) if self._counts(file)]
        checks = list(self._checks(files, change))
        unread = [file.path for file in files if file.added is None and not file.binary]
        if unread and all(check.passed for check in checks) and self._counts_lines:
            raise WorkspaceError(
                f"{shown(unread[0])} is too large to count its lines; raise bounds.file_bytes",
                ReasonCode.TOO_LARGE,
            )
        facts = {"left_out": len(change.files) - len(files)}
        return Judgment.from_checks(checks, _reasoning(checks), metadata=facts)

    @property
    def _counts_lines(self) -> bool:
        return any(getattr(self, name) is not None for name in _LIMITS[1:])

    def _counts(self, file: FileChange) -> bool:
        return self.generated == "count" or not is_generated(file)

    def _checks(self, files: Sequence[FileChange], change: ChangeSet) -> Iterator[Check]:
        added = sum(file.added or 0 for file in files)
        removed = sum(file.removed or 0 for file in files)
        found = {"files": len(files), "added": added, "removed": removed, "lines": added + removed}
        for name in _LIMITS:
            limit: int | None = getattr(self, name)
            if limit is not None:
                noun, verb = ("file", "touched") if name == "files" else ("line", _VERBS[name])
                message = f"{counted(found[name], noun)} {verb}, and at most {limit} may be"
                yield Check(name, found[name] <= limit, message, examined=len(change.files))


_VERBS = {"added": "added", "removed": "removed", "lines": "changed"}


def _reasoning(checks: Sequence[Check]) -> str:
    failed = [check.message for check in checks if not check.passed]
    return "; ".join(failed or [check.message for check in checks])


def _check_bound(bound: object, name: str) -> None:
    if type(bound) is not int:
        raise ArgumentTypeError(f"{name} must be a whole number, not {bound!r}")
    if bound < 0:
        raise ArgumentError(f"{name} must be at least 0, got {bound}")


_set = object.__setattr__
