"""Files of the workspace as a model is shown them, with their lines numbered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.globs import find, is_glob
from agent_judge.judges.files.paths import Workspace, WorkspaceError, open_workspace
from agent_judge.judges.files.reading import read_bytes
from agent_judge.judges.files.tree import WALK_LIMIT, Budget
from agent_judge.judges.showing import shown
from agent_judge.judgment import ReasonCode
from agent_judge.llm.exhibits import Exhibit

MAX_BYTES: Final = 1_000_000
"""The most bytes of all files together; more than most prompts can hold."""


@dataclass(frozen=True, slots=True)
class ShownFiles:
    """What of the workspace a model is shown.

    Args:
        exhibits: The files, and what was looked for and is not there.
        found: How many files were found.
    """

    exhibits: tuple[Exhibit, ...] = ()
    found: int = 0


def show_files(workspace: Path | None, patterns: Sequence[str]) -> ShownFiles:
    """The files that patterns name, each numbered by line; what is not there is said to be so.

    Raises:
        WorkspaceError: There is no workspace, a link leads out of it, or the files are too large.
    """
    with open_workspace(workspace) as opened:
        shower = _Shower(opened)
        texts = [text for pattern in patterns for text in shower.show(pattern)]
    exhibits = (Exhibit(f"file-{number}", text) for number, text in enumerate(texts, 1))
    return ShownFiles(tuple(exhibits), shower.found)


class _Shower:
    """Shows files, each once, as long as there is room."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._budget = Budget(WALK_LIMIT)
        self._seen: set[str] = set()
        self._left = MAX_BYTES

    @property
    def found(self) -> int:
        """How many files were shown."""
        return len(self._seen)

    def show(self, pattern: str) -> Iterator[str]:
        """The files that a pattern matches."""
        paths = self._paths(pattern)
        if not paths:
            yield f"{pattern}\n(there is no such file)"
        for path in paths:
            if path not in self._seen:
                self._seen.add(path)
                yield self._numbered(path)

    def _paths(self, pattern: str) -> list[str]:
        if is_glob(pattern):
            entries = find(self._workspace, pattern, self._budget)
            return [entry.path for entry in entries if entry.kind is Kind.FILE]
        return [pattern] if self._workspace.kind(pattern) is Kind.FILE else []

    def _numbered(self, path: str) -> str:
        content = read_bytes(self._workspace, path, MAX_BYTES)
        self._left -= len(content)
        if self._left < 0:
            raise WorkspaceError(
                f"the files to show hold more than {MAX_BYTES:,} bytes; name fewer",
                ReasonCode.TOO_LARGE,
            )
        if b"\x00" in content:
            return f"{shown(path)}\n(a file of {len(content)} bytes that is not text)"
        lines = content.decode(errors="replace").split("\n")
        if lines and not lines[-1]:
            lines.pop()
        numbered = [f"{number}| {line}" for number, line in enumerate(lines, 1)]
        return "\n".join([shown(path), *(numbered or ["(the file is empty)"])])
