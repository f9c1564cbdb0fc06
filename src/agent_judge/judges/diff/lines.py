"""Judging the lines that were added, and saying which were not looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from agent_judge.judges.diff.findings import counted, sum_up
from agent_judge.judges.diff.records import FileChange, Line, Sign
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.showing import shown
from agent_judge.judgment import Check, Judgment, ReasonCode


def lines_after(file: FileChange) -> Iterator[Line]:
    """The lines of a file after the change, as far as they are known.

    Where only a patch is known, these are the ones that it shows.
    """
    content = None if file.after is None else file.after.content
    if content is None:
        yield from (line for line in file.lines if line.after is not None)
        return
    added = {line.after for line in file.lines if line.sign is Sign.ADDED}
    for number, text in enumerate(content.decode("utf-8", "surrogateescape").split("\n"), 1):
        yield Line(Sign.ADDED if number in added else Sign.KEPT, None, number, text)


def judge_lines(
    files: Sequence[FileChange],
    findings: Sequence[Check],
    *,
    shown_as: Callable[[str], str] = shown,
) -> Judgment:
    """FAIL with what was found in the added lines of files, else PASS with how many there were.

    Args:
        files: The files that were looked at.
        findings: What was found in them.
        shown_as: How a message names a file.

    Raises:
        WorkspaceError: Nothing was found, and a file was too large to be looked at.
    """
    unread = [file.path for file in files if file.added is None and not file.binary]
    if unread and not findings:
        raise WorkspaceError(
            f"{shown(shown_as(unread[0]))} is too large for its lines to be looked at; "
            "raise bounds.file_bytes",
            ReasonCode.TOO_LARGE,
        )
    if not files:
        return Judgment.abstaining("every file that changed is left out", code=_NOTHING)
    text = [file for file in files if not file.binary]
    lines = sum(file.added or 0 for file in text)
    message = f"{counted(lines, 'added line')} in {counted(len(text), 'file')} looked at"
    rest = [Check("lines", True, message, len(text))] if text else []
    rest += [
        _not_examined(shown_as(file.path))
        for file in files
        if file.binary and file.after is not None
    ]
    if not text and not findings:
        reasoning = "every file that changed is binary, and was not looked at"
        return Judgment.abstaining(reasoning, checks=rest, code=_NOTHING)
    return sum_up(findings, rest, message)


_NOTHING = ReasonCode.MISSING_INPUT


def _not_examined(path: str) -> Check:
    return Check(shown(path), False, "binary, not looked at", examined=0, advisory=True)
