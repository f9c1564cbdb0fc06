"""Whether the workspace holds at least the files of a reference."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import ClassVar

from agent_judge.context import JudgmentContext
from agent_judge.judges.files.excludes import Excludes, check_exclude
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.paths import (
    SIZE_LIMIT,
    Workspace,
    WorkspaceError,
    check_path,
    check_trusted_path,
    judge_workspace,
    open_workspace,
)
from agent_judge.judges.files.reading import check_limit, chunks
from agent_judge.judges.files.tree import WALK_LIMIT, Budget, walk
from agent_judge.judges.showing import shown
from agent_judge.judgment import Check, Judgment, Location, ReasonCode, check_threshold
from agent_judge.protocol import Cost, JudgeMetadata


@dataclass(frozen=True, slots=True)
class FileSupersetJudge:
    """Whether each file of a reference tree is in the workspace, byte for byte.

    The score is the share of the reference files that are. Files that only the workspace has do
    not count. A reference that is not there, or has no file left after `exclude`, says nothing
    about the work: ABSTAIN, or ERROR where it is `required`.

    Args:
        reference: The tree to compare with, on the side of whoever judges; a relative path
            begins at the current directory. Its `.git` and linked directories are not entered.
        path: The directory of the workspace that must hold it.
        exclude: What of the reference is left out, by patterns as in a `.gitignore` file.
        threshold: The share from which it passes.
        required: Whether a missing or empty reference is ERROR.
        size_limit: Bytes of a file that are compared at most; larger ones are ERROR `too_large`.
        walk_limit: How many names of the reference may be looked at.

    Raises:
        ArgumentError: A path out of the workspace, a bad pattern, threshold or limit.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: `exclude` needs the extra `files`.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> for name in ("wanted/a.txt", "work/a.txt", "work/b.txt"):
        ...     Path(name).parent.mkdir(exist_ok=True)
        ...     _ = Path(name).write_text("same")
        >>> evaluate(FileSupersetJudge("wanted"), JudgmentContext(workspace=Path("work"))).passed
        True
    """

    reference: str | Path
    path: str = "."
    exclude: Sequence[str] = ()
    threshold: float = 1.0
    required: bool = False
    size_limit: int = SIZE_LIMIT
    walk_limit: int = WALK_LIMIT
    _excludes: Excludes = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "FileSupersetJudge", cost=Cost.FILE, type="file_superset", needs=("workspace",), version="1"
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "reference", check_trusted_path(self.reference, "reference"))
        if self.path != ".":
            object.__setattr__(self, "path", check_path(self.path))
        object.__setattr__(self, "exclude", check_exclude(self.exclude))
        object.__setattr__(self, "_excludes", Excludes(self.exclude))
        check_threshold(self.threshold)
        check_limit(self.size_limit, "size_limit")
        check_limit(self.walk_limit, "walk_limit")

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the context's workspace with the reference."""
        return judge_workspace(context, self._look)

    @property
    def _shown_reference(self) -> str:
        return shown(str(self.reference))

    def _look(self, workspace: Workspace) -> Judgment:
        try:
            reference = open_workspace(Path(self.reference))
        except WorkspaceError:
            return self._nothing_to_compare("is not a directory that can be opened")
        with reference:
            paths = tuple(self._reference_files(reference))
            checks = [self._compare(reference, workspace, path) for path in paths]
        if not checks:
            return self._nothing_to_compare("has no file to compare with")
        found = sum(check.passed for check in checks)
        return Judgment.scored(
            found / len(checks),
            threshold=self.threshold,
            reasoning=f"{found} of {len(checks)} files of {self._shown_reference} are there",
            checks=checks,
            metadata={"reference": self._shown_reference, "exclude": list(self.exclude)},
        )

    def _reference_files(self, reference: Workspace) -> Iterator[str]:
        def enters(path: str) -> bool:
            return path.rpartition("/")[2] != ".git" and not self._excludes.folder(path)

        for entry in walk(reference, ".", Budget(self.walk_limit), enters):
            if entry.kind is Kind.FOLDER or self._excludes.file(entry.path):
                continue
            if entry.kind is Kind.FILE or reference.kind(entry.path) is Kind.FILE:
                yield entry.path

    def _compare(self, reference: Workspace, workspace: Workspace, path: str) -> Check:
        place = path if self.path == "." else f"{self.path}/{path}"
        found = workspace.kind(place)
        if found is Kind.FILE:
            same = self._same_bytes(reference, path, workspace, place)
            message = "as in the reference" if same else "differs from the reference"
        else:
            same = False
            message = "not there" if found is None else f"{found.value}, no file"
        return Check(shown(path), same, message, location=Location(shown(place)))

    def _same_bytes(
        self, reference: Workspace, path: str, workspace: Workspace, place: str
    ) -> bool:
        with reference.open(path) as wanted, workspace.open(place) as given:
            if os.fstat(wanted).st_size != os.fstat(given).st_size:
                return False
            pairs = zip_longest(
                chunks(wanted, path, self.size_limit), chunks(given, place, self.size_limit)
            )
            return all(left == right for left, right in pairs)

    def _nothing_to_compare(self, fault: str) -> Judgment:
        reasoning = f"the reference {self._shown_reference} {fault}"
        if self.required:
            return Judgment.erring(reasoning, ReasonCode.MISSING_INPUT)
        return Judgment.abstaining(reasoning, code=ReasonCode.MISSING_INPUT)
