"""Where in the workspace a test is, of which a report tells the file in its own way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from agent_judge.errors import ArgumentError
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.paths import Workspace, WorkspaceError, check_path
from agent_judge.judges.showing import shown
from agent_judge.judges.testruns.results import CaseResult
from agent_judge.judgment import Location

_CACHED: Final = 10_000
_PARTS: Final = 30
"""Components by which a path may be too long."""

_WIDTH: Final = 1_000
"""Characters of a path that are looked at."""

_SOURCES: Final = ("", "src/test/java/", "src/test/kotlin/", "src/test/scala/", "src/main/java/")
"""Where a file may be of which only the package is known (Maven, Gradle)."""


class Locator:
    """Finds the files of tests in a workspace.

    A path may be relative to the folder of the run or to the workspace, or absolute on whichever
    machine the tests ran: it is shortened from the left until there is such a file.

    Args:
        workspace: Where to look.
        folder: The folder of the run; `"."` for the workspace itself.
    """

    def __init__(self, workspace: Workspace, folder: str = ".") -> None:
        self._workspace = workspace
        self._folder = "" if folder == "." else f"{folder}/"
        self._known: dict[str, str | None] = {}

    def location(self, result: CaseResult) -> Location | None:
        """The place of a test, where its file is in the workspace."""
        if not result.file:
            return None
        path = self._path(result.file)
        return None if path is None else Location(shown(path), result.line)

    def _path(self, file: str) -> str | None:
        if file not in self._known:
            if len(self._known) >= _CACHED:
                return None
            self._known[file] = next(filter(self._is_file, self._candidates(file)), None)
        return self._known[file]

    def _candidates(self, file: str) -> Iterator[str]:
        path = file.removeprefix("file://").replace("\\", "/")
        parts = [part for part in PurePosixPath(path[:_WIDTH]).parts if part not in ("/", "..")]
        for prefix in _SOURCES:
            yield f"{self._folder}{prefix}{'/'.join(parts)}"
        for start in range(min(len(parts), _PARTS)):
            yield self._folder + "/".join(parts[start:])
            yield "/".join(parts[start:])

    def _is_file(self, path: str) -> bool:
        try:
            return self._workspace.kind(check_path(path)) is Kind.FILE
        except (ArgumentError, WorkspaceError):
            return False
