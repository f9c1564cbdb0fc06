"""Whether the work touched what it may, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError
from agent_judge.judges.diff.findings import counted, finding, sum_up
from agent_judge.judges.diff.reading import Empty, check_empty, judge_changes
from agent_judge.judges.diff.records import ChangeSet
from agent_judge.judges.diff.sources import Changes, check_changes
from agent_judge.judges.files.excludes import Excludes, check_exclude
from agent_judge.judgment import Check, Judgment
from agent_judge.protocol import Cost, JudgeMetadata


@dataclass(frozen=True, slots=True)
class ChangedPathsJudge:
    """Whether the work touched only paths that it may, and those that it must (extra `diff`).

    A file is touched when it was added, deleted, changed in content or mode, or renamed: then both
    its paths are. Patterns are those of `.gitignore` files: `src/` is everything in a directory of
    that name at any depth, `/src/` only at the top, `*.lock` a name, `!` takes back. Upper and
    lower case differ.

    Args:
        changes: Which change is judged.
        allow: Nothing but these may be touched; unless given, everything may.
        deny: None of these may be touched, also where it is allowed.
        require: Of each of these patterns, some path must be touched.
        empty: What a change that touches nothing is: ABSTAIN, PASS (which still needs that files
            were compared), or FAIL. Where something is required, it is FAIL in any case.

    Raises:
        ArgumentError: No pattern at all, or one that is none.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: `pathspec` is not installed.

    Example:
        >>> from pathlib import Path
        >>> from agent_judge import JudgmentContext, evaluate
        >>> from agent_judge.judges.diff import FolderChanges
        >>> for folder in ("before", "work"):
        ...     Path(folder, "tests").mkdir(parents=True)
        >>> _ = Path("work/tests/test_app.py").write_text("")
        >>> judge = ChangedPathsJudge(FolderChanges("before"), deny=["tests/"])
        >>> evaluate(judge, JudgmentContext(workspace="work")).reasoning
        'tests/test_app.py: added, and must not be touched'
    """

    changes: Changes
    allow: Sequence[str] = ()
    deny: Sequence[str] = ()
    require: Sequence[str] = ()
    empty: Empty = "abstain"
    _patterns: tuple[Excludes, Excludes] = field(init=False, repr=False, compare=False)
    _required: Mapping[str, Excludes] = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "ChangedPathsJudge",
        cost=Cost.COMMAND,
        type="changed_paths",
        needs=("workspace",),
        version="1",
    )

    def __post_init__(self) -> None:
        check_changes(self.changes)
        check_empty(self.empty)
        for name in ("allow", "deny", "require"):
            _set(self, name, check_exclude(getattr(self, name), name))
        if not (self.allow or self.deny or self.require):
            raise ArgumentError("says nothing of any path; give allow, deny or require")
        _set(self, "_patterns", (Excludes(self.allow, "allow"), Excludes(self.deny, "deny")))
        required = {pattern: Excludes([pattern], "require") for pattern in self.require}
        _set(self, "_required", required)

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Look at every path that was touched."""
        empty: Empty = "fail" if self.require else self.empty
        return await judge_changes(context, self.changes, self._look, empty=empty)

    def _look(self, change: ChangeSet) -> Judgment:
        touched = {path: file.kind.value for file in change.files for path in file.paths}
        findings = [*self._refused(touched), *self._missing(touched)]
        refused = sum(check.location is not None for check in findings)
        fine = len(touched) - refused
        rest = [Check("paths", True, f"{fine} touched as allowed", fine)] if fine else []
        passed = f"{counted(len(touched), 'path')} touched, each of them allowed"
        return sum_up(findings, rest, passed)

    def _refused(self, touched: Mapping[str, str]) -> Iterator[Check]:
        allow, deny = self._patterns
        for path, kind in touched.items():
            if deny.path(path):
                yield finding(path, f"{kind}, and must not be touched")
            elif self.allow and not allow.path(path):
                yield finding(path, f"{kind}, and is not among what may be touched")

    def _missing(self, touched: Mapping[str, str]) -> Iterator[Check]:
        for pattern, required in self._required.items():
            found = sum(map(required.path, touched))
            if not found:
                message = f"nothing that matches {pattern!r} was touched"
                yield Check("required", False, message, examined=len(touched))


_set = object.__setattr__
