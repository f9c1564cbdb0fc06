"""Places in the workspace that evidence names, and whether they exist."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agent_judge.errors import ArgumentError
from agent_judge.frozen import FrozenMap, Json
from agent_judge.judges.files.paths import (
    SIZE_LIMIT,
    Workspace,
    WorkspaceError,
    check_path,
    open_workspace,
)
from agent_judge.judges.files.reading import chunks
from agent_judge.judgment import Location

MAX_FILES: Final = 200
"""The most files that are looked into to check the evidence of one judgment."""

_CITED: Final = re.compile(
    r"(?<![\w./@+~-])(?P<path>[\w./@+~-]{1,300})"
    r"(?::(?P<line>[0-9]{1,7})(?:-(?P<end>[0-9]{1,7}))?|#L(?P<hash>[0-9]{1,7})(?:-L?(?P<last>[0-9]{1,7}))?)"
    r"(?![\w/])"
)
_ADDRESS: Final = re.compile(r"\b[a-z][a-z0-9+]{1,15}://\S+")
_NAMED: Final = re.compile(r"/|\.[A-Za-z][A-Za-z0-9_]{0,14}$|^[A-Z][a-z]+file$")


@dataclass(frozen=True, slots=True)
class Citation:
    """A place that evidence names.

    Args:
        path: The file, as it is named.
        line: The line, counted from 1.
        end: The last line, where a range is named.
    """

    path: str
    line: int
    end: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" + (f"-{self.end}" if self.end != self.line else "")


@dataclass(frozen=True, slots=True)
class Checked:
    """A citation that was looked up.

    Args:
        citation: What was named.
        fault: Why there is no such place; `None` where there is.
        location: The place; `None` where there is none.
    """

    citation: Citation
    fault: str | None
    location: Location | None = None

    @property
    def as_evidence(self) -> FrozenMap[Json]:
        """How evidence records it."""
        fault: dict[str, Json] = {} if self.fault is None else {"fault": self.fault}
        return FrozenMap(
            {"location": str(self.citation), "exists": self.location is not None, **fault}
        )


def find_citations(text: str) -> Iterator[Citation]:
    """The places `file:line`, `file:line-line` and `file#Lline` that a text names, each once.

    Example:
        >>> text = "see src/app.py:12, README.md#L3-L5 and http://localhost:8080 at 12:30"
        >>> [str(place) for place in find_citations(text)]
        ['src/app.py:12', 'README.md:3-5']
    """
    seen: set[Citation] = set()
    for match in _CITED.finditer(_ADDRESS.sub(" ", text)):
        path = match["path"]
        if not _NAMED.search(path):
            continue
        line = int(match["line"] or match["hash"])
        end = int(match["end"] or match["last"] or line)
        citation = Citation(path, line, end)
        if citation not in seen:
            seen.add(citation)
            yield citation


def check_citations(
    workspace: Path | None, citations: Iterable[Citation]
) -> Mapping[Citation, Checked]:
    """Look places up in a workspace; empty where there is no workspace to look into.

    Raises:
        WorkspaceError: The workspace cannot be opened.
    """
    if workspace is None:
        return {}
    with open_workspace(workspace) as opened:
        lookup = _Lookup(opened)
        return {citation: lookup.check(citation) for citation in citations}


class _Lookup:
    """Looks places up, each file once."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lines: dict[str, int | str] = {}

    def check(self, citation: Citation) -> Checked:
        """Whether there is such a place."""
        try:
            path = check_path(self._relative(citation.path))
        except ArgumentError:
            return Checked(citation, "is not in the workspace")
        lines = self._count(path)
        if isinstance(lines, str):
            return Checked(citation, lines)
        if not 1 <= citation.line <= citation.end:
            return Checked(citation, "names no line")
        if citation.end > lines:
            return Checked(citation, f"does not exist: the file has {lines} lines")
        return Checked(citation, None, Location(path, citation.line))

    def _relative(self, path: str) -> str:
        """A path that was given as absolute, from the workspace on."""
        root = self._workspace.path.absolute()
        return str(Path(path).relative_to(root)) if Path(path).is_relative_to(root) else path

    def _count(self, path: str) -> int | str:
        """How many lines a file has, or why there is no such file."""
        if path not in self._lines:
            if len(self._lines) >= MAX_FILES:
                return f"was not looked up: more than {MAX_FILES} files are named"
            self._lines[path] = self._read(path)
        return self._lines[path]

    def _read(self, path: str) -> int | str:
        try:
            if self._workspace.kind(path) is None:
                return "does not exist"
            with self._workspace.open(path) as descriptor:
                return _count_lines(chunks(descriptor, path, SIZE_LIMIT))
        except WorkspaceError as fault:
            return f"cannot be read: {fault}"


def _count_lines(content: Iterable[bytes]) -> int:
    count, last = 0, b"\n"
    for chunk in content:
        count += chunk.count(b"\n")
        last = chunk[-1:] or last
    return count + (last != b"\n")
