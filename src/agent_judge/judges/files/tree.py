"""Walking through the directories of a workspace, without following links and within a budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from agent_judge.judges.files.folder import Folder, Kind, kind_of
from agent_judge.judges.files.paths import MAX_DEPTH, Workspace, WorkspaceError, reading
from agent_judge.judges.showing import shown
from agent_judge.judgment import ReasonCode

WALK_LIMIT: Final = 100_000
"""Names that are looked at in a workspace unless a judge is told otherwise."""


class Budget:
    """How many names may still be looked at."""

    __slots__ = ("_left", "limit")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._left = limit

    @property
    def spent(self) -> int:
        """How many names were looked at."""
        return self.limit - self._left

    def spend(self) -> None:
        """Count one name.

        Raises:
            WorkspaceError: The budget is used up (`too_large`).
        """
        if not self._left:
            raise WorkspaceError(
                f"there are more than {self.limit} files and directories to look at; "
                "raise walk_limit or narrow the paths",
                ReasonCode.TOO_LARGE,
            )
        self._left -= 1


@dataclass(frozen=True, slots=True)
class Entry:
    """A name found in a workspace: its path, what it is (links not followed), and its size."""

    path: str
    kind: Kind
    size: int


def walk(
    workspace: Workspace, path: str, budget: Budget, enters: Callable[[str], bool]
) -> Iterator[Entry]:
    """Everything below a directory, sorted within each directory, a directory before its content.

    Args:
        workspace: Where to walk.
        path: The directory to begin at; `"."` is the workspace.
        budget: How many names may be looked at.
        enters: Asked of every directory that is found, whether to go in.
    """
    with workspace.folder(path) as folder:
        prefix = "" if path == "." else f"{path}/"
        yield from _walk(folder, prefix, budget, enters, MAX_DEPTH)


def _walk(
    folder: Folder, prefix: str, budget: Budget, enters: Callable[[str], bool], depth: int
) -> Iterator[Entry]:
    if not depth:
        raise WorkspaceError(
            f"{shown(prefix)[:80]}… nests deeper than {MAX_DEPTH} directories", ReasonCode.TOO_LARGE
        )
    for name, entry in _sorted_entries(folder, prefix, budget):
        yield entry
        if entry.kind is Kind.FOLDER and enters(entry.path):
            with reading(entry.path):
                inner = folder.enter(name)
            try:
                yield from _walk(inner, f"{entry.path}/", budget, enters, depth - 1)
            finally:
                inner.close()


def _sorted_entries(folder: Folder, prefix: str, budget: Budget) -> list[tuple[str, Entry]]:
    entries: list[tuple[str, Entry]] = []
    with reading(prefix or "."):
        for found in folder.entries():
            budget.spend()
            status = found.stat(follow_symlinks=False)
            entry = Entry(prefix + found.name, kind_of(status), status.st_size)
            entries.append((found.name, entry))
    return sorted(entries, key=lambda named: named[0])
