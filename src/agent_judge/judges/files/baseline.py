"""Which files of a workspace are meant, and what a record of them as they were can be asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from agent_judge.judges.files.excludes import Excludes
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.globs import Globs, find_below
from agent_judge.judges.files.paths import Workspace
from agent_judge.judges.files.tree import WALK_LIMIT, Budget, Entry


class Baseline(Protocol):
    """What files were once, as one fingerprint each."""

    def recorded(self, workspace: Workspace, selection: Selection, /) -> Mapping[str, str]:
        """The fingerprints of the selected files as they were."""
        ...

    def holds(self, workspace: Workspace, entry: Entry, recorded: str, size_limit: int) -> bool:
        """Whether a file or link still has the fingerprint that was recorded."""
        ...


@dataclass(frozen=True, slots=True)
class Selection:
    """Which files of a tree are meant: patterns, less what is excluded, within a budget of names.

    A pattern that matches a directory means everything in it.
    """

    patterns: tuple[str, ...]
    excludes: Excludes
    walk_limit: int = WALK_LIMIT

    @property
    def globs(self) -> Globs:
        """The patterns, and everything below what they match."""
        return Globs([*self.patterns, *(f"{pattern}/**" for pattern in self.patterns)])

    def entries(self, workspace: Workspace) -> Iterator[Entry]:
        """What is selected in the workspace, directories left out and no link followed."""
        budget = Budget(self.walk_limit)
        for entry in find_below(workspace, ".", self.globs, budget, self.excludes.folder):
            if entry.kind is not Kind.FOLDER and not self.excludes.file(entry.path):
                yield entry
