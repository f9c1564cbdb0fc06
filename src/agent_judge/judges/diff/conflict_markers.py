"""Whether the work left the markers of a merge conflict in a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from agent_judge.context import JudgmentContext
from agent_judge.judges.diff.findings import finding, left_in
from agent_judge.judges.diff.lines import judge_lines, lines_after
from agent_judge.judges.diff.reading import Empty, check_empty, judge_changes
from agent_judge.judges.diff.records import ChangeSet, FileChange, Line, Sign
from agent_judge.judges.diff.sources import Changes, check_changes
from agent_judge.judges.files.excludes import Excludes, check_exclude
from agent_judge.judgment import Check, Judgment
from agent_judge.protocol import Cost, JudgeMetadata

_LABELLED: Final = re.compile(r"(<{7}|>{7}|\|{7})[ \t]+\S")
_OPENING: Final = "<<<<<<<"
_SEPARATING: Final = "======="
_CLOSING: Final = ">>>>>>>"
_BARE: Final = re.compile(r"(<{7}|>{7}|={7}|\|{7})[ \t\r]*")


@dataclass(frozen=True, slots=True)
class ConflictMarkersJudge:
    """Whether the work added no markers of a merge conflict (extra `diff`).

    A marker is a line that begins with exactly seven `<`, `|` or `>` and goes on with a space and
    a label, as git writes it. Lines of the seven characters alone, which underline headings in
    reStructuredText and AsciiDoc, and `=======` count only where they stand between an opening
    and a closing marker, in that order.

    Args:
        changes: Which change is judged.
        exclude: Files that are not looked at, by patterns as in a `.gitignore` file: for example
            the data of a test that needs such markers.
        empty: What a change that touches nothing is: ABSTAIN, PASS or FAIL.

    Raises:
        ArgumentError: A pattern that is none.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: `exclude` needs `pathspec`.

    Example:
        >>> from pathlib import Path
        >>> from agent_judge import JudgmentContext, evaluate
        >>> from agent_judge.judges.diff import FolderChanges
        >>> for folder, text in {"before": "a", "work": "<<<<<<< HEAD"}.items():
        ...     Path(folder).mkdir()
        ...     _ = Path(folder, "a.txt").write_text(text)
        >>> judge = ConflictMarkersJudge(FolderChanges("before"))
        >>> evaluate(judge, JudgmentContext(workspace="work")).reasoning
        'a.txt:1: a marker of a merge conflict: <<<<<<<'
    """

    changes: Changes
    exclude: Sequence[str] = ()
    empty: Empty = "abstain"
    _excludes: Excludes = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "ConflictMarkersJudge",
        cost=Cost.COMMAND,
        type="conflict_markers",
        needs=("workspace",),
        version="1",
    )

    def __post_init__(self) -> None:
        check_changes(self.changes)
        check_empty(self.empty)
        _set(self, "exclude", check_exclude(self.exclude))
        _set(self, "_excludes", Excludes(self.exclude))

    async def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Look at every line that was added."""
        return await judge_changes(context, self.changes, self._look, empty=self.empty, lines=True)

    def _look(self, change: ChangeSet) -> Judgment:
        files = left_in(change, self._excludes)
        return judge_lines(files, [found for file in files for found in _markers(file)])


def _markers(file: FileChange) -> Iterator[Check]:
    """The markers among the added lines of a file."""
    lines = list(lines_after(file))
    in_conflict = _conflicts(lines)
    for index, line in enumerate(lines):
        if line.sign is not Sign.ADDED:
            continue
        if _LABELLED.match(line.text) or index in in_conflict:
            message = f"a marker of a merge conflict: {line.text[:7]}"
            yield finding(file.path, message, line.after)


def _conflicts(lines: Sequence[Line]) -> set[int]:
    """The indices of all markers that make up whole conflicts, in which some may have no label."""
    found: set[int] = set()
    pending: list[int] = []
    for index, line in enumerate(lines):
        marker = line.text[:7] if _LABELLED.match(line.text) or _BARE.fullmatch(line.text) else ""
        if marker == _OPENING:
            pending = [index]
        elif marker and pending:
            pending.append(index)
            if marker == _CLOSING:
                if any(lines[place].text[:7] == _SEPARATING for place in pending):
                    found.update(pending)
                pending = []
    return found


_set = object.__setattr__
