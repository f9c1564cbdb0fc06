"""Where in the workspace a test is, of which a report tells the file in its own way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.paths import Workspace, WorkspaceError
from agent_judge.judges.files.tree import WALK_LIMIT, Budget, walk
from agent_judge.judges.reports.names import WorkspaceNames
from agent_judge.judges.showing import shown
from agent_judge.judges.testruns.results import NAME_LIMIT, CaseResult
from agent_judge.judgment import Location

_LEFT_OUT: Final = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__"})
"""Directories in which no test of the project is."""


class Locator:
    """Finds the files of tests in a workspace, of which it looks through the names once.

    Args:
        workspace: Where to look.
        folder: The folder of the run, to which names may be relative; `"."` is the workspace.
    """

    def __init__(self, workspace: Workspace, folder: str = ".") -> None:
        self._workspace = workspace
        self._folder = folder
        self._names: WorkspaceNames | None = None
        self._known: dict[str, str | None] = {}

    def location(self, result: CaseResult) -> Location | None:
        """The place of a test, where its file can be told; in a workspace too large, it cannot."""
        if not result.file or len(result.file) > NAME_LIMIT:
            return None
        if result.file not in self._known:
            self._known[result.file] = self._find(result.file)
        path = self._known[result.file]
        return None if path is None else Location(shown(path), result.line)

    def _find(self, file: str) -> str | None:
        if self._names is None:
            self._names = WorkspaceNames(self._workspace.path, set(self._files()))
        return self._names.find(file, (self._folder,) if self._folder != "." else ())

    def _files(self) -> Iterator[str]:
        budget = Budget(WALK_LIMIT)
        try:
            for entry in walk(self._workspace, ".", budget, _is_searched):
                if entry.kind is Kind.FILE:
                    yield entry.path
        except WorkspaceError:
            return


def _is_searched(path: str) -> bool:
    return path.rpartition("/")[2] not in _LEFT_OUT
