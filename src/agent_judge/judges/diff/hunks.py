"""The lines of a patch, read by `unidiff` (extra `diff`)."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from typing import TYPE_CHECKING, Any

from agent_judge.extras import load
from agent_judge.judges.deadline import Deadline
from agent_judge.judges.diff.records import Hunk, Line, Sign
from agent_judge.judges.git.objects import malformed

if TYPE_CHECKING:
    from unidiff.patch import PatchedFile, PatchSet

_NO_NEWLINE = "\\"


def read_hunks(patch: bytes, deadline: Deadline) -> dict[str, tuple[Hunk, ...]]:
    """The hunks of each file by its name, in a patch that git made of plain names.

    Raises:
        WorkspaceError: It cannot be read, or not in time.
    """
    return {file.path: file_hunks(file) for file in parse_patch(patch, deadline)}


def parse_patch(patch: bytes, deadline: Deadline) -> PatchSet:
    """A patch as `unidiff` reads it; bytes that are not UTF-8 become lone surrogates.

    Raises:
        WorkspaceError: It cannot be read, or not in time.
    """
    unidiff: Any = load("unidiff", extra="diff", needed_by="reading the lines of a change")
    text = StringIO(patch.decode("utf-8", "surrogateescape"), newline="\n")
    try:
        parsed: PatchSet = unidiff.PatchSet(_checked(text, deadline))
    except unidiff.UnidiffParseError as fault:
        raise malformed(f"a patch cannot be read: {str(fault)[:200]!r}") from None
    return parsed


def file_hunks(file: PatchedFile) -> tuple[Hunk, ...]:
    """The hunks of a file."""
    return tuple(
        Hunk(
            tuple(
                Line(Sign(line.line_type), line.source_line_no, line.target_line_no, _text(line))
                for line in hunk
                if line.line_type in (" ", "+", "-")
            ),
            hunk.target_start,
        )
        for hunk in file
    )


def _text(line: Any) -> str:
    text: str = line.value
    return text.removesuffix("\n")


def _checked(lines: StringIO, deadline: Deadline) -> Iterator[str]:
    for number, line in enumerate(lines):
        if not number % 1_000:
            deadline.check()
        yield line
