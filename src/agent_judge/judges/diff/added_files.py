"""Whether the work added files that do not belong among sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from posixpath import normpath
from typing import ClassVar, Final, Literal

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError
from agent_judge.judges.diff.findings import counted, finding, left_in, location, sum_up
from agent_judge.judges.diff.reading import Empty, check_empty, judge_changes
from agent_judge.judges.diff.records import ChangeSet, FileChange, Sign, Version
from agent_judge.judges.diff.sources import Changes, check_changes
from agent_judge.judges.files.excludes import Excludes, check_exclude
from agent_judge.judges.files.reading import check_limit
from agent_judge.judges.git.objects import Mode
from agent_judge.judges.showing import shown
from agent_judge.judgment import Check, Judgment
from agent_judge.protocol import Cost, JudgeMetadata

SIZE: Final = 1_000_000
"""Bytes that a file may have unless a judge is told otherwise."""


@dataclass(frozen=True, slots=True)
class AddedFilesJudge:
    """Whether no binary or huge file was added, and no link out of the workspace (extra `diff`).

    A file that was there and has become so counts as well; one that was so before does not, unless
    it is huge and grew. Where only a patch is known, the size of a file that was there before is
    not: a check says so.

    Args:
        changes: Which change is judged.
        size_limit: Bytes from which on a file is too large: it may have as many, not more.
        binary: Whether binary files are refused, which are those with a NUL among their first
            8000 bytes, as git has it: `"refuse"` or `"allow"`.
        allow: Files that may be anything, by patterns as in a `.gitignore` file.
        empty: What a change that touches nothing is: ABSTAIN, PASS or FAIL.

    Raises:
        ArgumentError: A limit below 1, or a pattern that is none.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: `allow` needs `pathspec`.

    Example:
        >>> from pathlib import Path
        >>> from agent_judge import JudgmentContext, evaluate
        >>> from agent_judge.judges.diff import FolderChanges
        >>> for folder in ("before", "work"):
        ...     Path(folder).mkdir()
        >>> _ = Path("work/a.out").write_bytes(bytes(8))
        >>> judge = AddedFilesJudge(FolderChanges("before"))
        >>> evaluate(judge, JudgmentContext(workspace="work")).reasoning
        'a.out: added, and binary'
    """

    changes: Changes
    size_limit: int = SIZE
    binary: Literal["refuse", "allow"] = "refuse"
    allow: Sequence[str] = ()
    empty: Empty = "abstain"
    _allowed: Excludes = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "AddedFilesJudge", cost=Cost.COMMAND, type="added_files", needs=("workspace",), version="1"
    )

    def __post_init__(self) -> None:
        check_changes(self.changes)
        check_empty(self.empty)
        check_limit(self.size_limit, "size_limit")
        if self.binary not in ("refuse", "allow"):
            raise ArgumentError(f"binary must be 'refuse' or 'allow', not {self.binary!r}")
        _set(self, "allow", check_exclude(self.allow, "allow"))
        _set(self, "_allowed", Excludes(self.allow, "allow"))

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Look at every file that was added or changed."""
        return await judge_changes(context, self.changes, self._look, empty=self.empty)

    def _look(self, change: ChangeSet) -> Judgment:
        files = [file for file in left_in(change, self._allowed) if file.after is not None]
        if not files and change.files:
            message = f"nothing was added: {counted(len(change.files), 'file')} deleted or allowed"
            return Judgment.passing(message, checks=[_looked_at(len(change.files), message)])
        findings = [
            finding(file.path, f"{file.kind.value}, and {fault}")
            for file in files
            for fault in self._faults(file)
        ]
        unknown = [_of_unknown_size(file) for file in files if _size(file) is None]
        message = f"{counted(len(files), 'file')} looked at, none binary, huge or leading out"
        return sum_up(findings, [_looked_at(len(files), message), *unknown], message)

    def _faults(self, file: FileChange) -> Iterator[str]:
        before, after = file.before, file.after
        assert after is not None
        if self.binary == "refuse" and after.binary and not (before and before.binary):
            yield "binary"
        size = _size(file)
        added = sum(len(line.text) + 1 for line in file.lines if line.sign is Sign.ADDED)
        least = added if size is None else size
        if least > self.size_limit and least > (before.size or 0 if before else 0):
            holds = "holds at least" if size is None else "holds"
            yield f"{holds} {least} bytes, over {self.size_limit}"
        if leads_out(after) and (before is None or before.content != after.content):
            yield "a symbolic link that leads out of the workspace"


def _size(file: FileChange) -> int | None:
    """The bytes of a file after the change; a submodule has none of its own."""
    assert file.after is not None
    return 0 if file.after.mode is Mode.COMMIT else file.after.size


def _of_unknown_size(file: FileChange) -> Check:
    message = "its size is not known from a patch that does not apply"
    return Check(shown(file.path), False, message, 0, True, location(file.path))


def leads_out(version: Version) -> bool:
    """Whether a file is a link whose target is absolute, or above the workspace."""
    if version.mode is not Mode.LINK or version.content is None:
        return False
    target = version.content.decode("utf-8", "surrogateescape").replace("\\", "/")
    folder = version.path.rpartition("/")[0]
    reached = normpath(f"{folder}/{target}" if folder else target)
    return target.startswith("/") or target[1:2] == ":" or reached.split("/")[0] == ".."


def _looked_at(number: int, message: str) -> Check:
    return Check("files", True, message, number)


_set = object.__setattr__
