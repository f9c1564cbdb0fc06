"""Whether something is in the workspace, or is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.globs import check_pattern, find, is_glob
from agent_judge.judges.files.paths import Workspace, judge_workspace
from agent_judge.judges.files.reading import check_limit
from agent_judge.judges.files.tree import WALK_LIMIT, Budget
from agent_judge.judges.showing import shown
from agent_judge.judgment import Check, Judgment, Location
from agent_judge.protocol import Cost, JudgeMetadata

_WANTED: Final = {"file": Kind.FILE, "directory": Kind.FOLDER}


@dataclass(frozen=True, slots=True)
class FileExistsJudge:
    """Whether a file is in the workspace.

    Args:
        path: Its path relative to the workspace, or a pattern (see `judges.files.globs`) of which
            at least one file must be found.
        kind: `"file"` or `"directory"`. A symbolic link is what it leads to; one that leads out
            of the workspace is ERROR `outside_workspace`, one that leads nowhere is no file.
        walk_limit: How many names a pattern may look at.

    Raises:
        ArgumentError: A path that is empty, absolute or leaves the workspace; an unknown kind.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from pathlib import Path
        >>> from agent_judge import JudgmentContext, evaluate
        >>> _ = Path("README.md").write_text("Hello")
        >>> evaluate(FileExistsJudge("README.md"), JudgmentContext(workspace=Path())).passed
        True
    """

    path: str
    kind: Literal["file", "directory"] = "file"
    walk_limit: int = WALK_LIMIT

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "FileExistsJudge", cost=Cost.FILE, type="file_exists", needs=("workspace",), version="1"
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", check_pattern(self.path))
        if self.kind not in _WANTED:
            raise ArgumentError(f"kind must be one of {sorted(_WANTED)}, not {self.kind!r}")
        check_limit(self.walk_limit, "walk_limit")

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Look for it in the context's workspace."""
        return judge_workspace(context, self._look)

    def _look(self, workspace: Workspace) -> Judgment:
        if is_glob(self.path):
            return self._search(workspace)
        found = workspace.kind(self.path)
        message = "not there" if found is None else found.value
        passed = found is _WANTED[self.kind]
        check = Check(self.path, passed, message, location=Location(self.path))
        reasoning = f"{self.path}: {message}" + ("" if passed else f", expected a {self.kind}")
        return Judgment.from_checks([check], reasoning)

    def _search(self, workspace: Workspace) -> Judgment:
        budget = Budget(self.walk_limit)
        for entry in find(workspace, self.path, budget):
            if workspace.kind(entry.path) is _WANTED[self.kind]:
                check = Check(self.path, True, f"found {shown(entry.path)}")
                return Judgment.from_checks([check], f"{self.path}: found {shown(entry.path)}")
        message = f"no {self.kind} matches, of {budget.spent} names looked at"
        check = Check(self.path, False, message, examined=0)
        return Judgment.failing(f"{self.path}: {message}", checks=[check])


@dataclass(frozen=True, slots=True)
class FileAbsentJudge:
    """Whether nothing has a certain name in the workspace.

    A file, a directory and a symbolic link, even one that leads nowhere, are all something.

    Args:
        path: The path relative to the workspace, or a pattern (see `judges.files.globs`) that
            must match nothing.
        walk_limit: How many names a pattern may look at.

    Raises:
        ArgumentError: A path that is empty, absolute or leaves the workspace.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from pathlib import Path
        >>> from agent_judge import JudgmentContext, evaluate
        >>> evaluate(FileAbsentJudge("**/*.orig"), JudgmentContext(workspace=Path())).passed
        True
    """

    path: str
    walk_limit: int = WALK_LIMIT

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "FileAbsentJudge", cost=Cost.FILE, type="file_absent", needs=("workspace",), version="1"
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", check_pattern(self.path))
        check_limit(self.walk_limit, "walk_limit")

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Look for it in the context's workspace."""
        return judge_workspace(context, self._look)

    def _look(self, workspace: Workspace) -> Judgment:
        if is_glob(self.path):
            return self._search(workspace)
        found = workspace.kind_unfollowed(self.path)
        message = "not there" if found is None else found.value
        check = Check(self.path, found is None, message, location=Location(self.path))
        return Judgment.from_checks([check], f"{self.path}: {message}")

    def _search(self, workspace: Workspace) -> Judgment:
        budget = Budget(self.walk_limit)
        found = [
            Check(shown(entry.path), False, entry.kind.value, location=Location(shown(entry.path)))
            for entry in find(workspace, self.path, budget)
        ]
        if found:
            return Judgment.from_checks(found, f"{len(found)} match {self.path}: {found[0].name}…")
        message = f"nothing matches, of {budget.spent} names looked at"
        return Judgment.from_checks([Check(self.path, True, message)], f"{self.path}: {message}")
