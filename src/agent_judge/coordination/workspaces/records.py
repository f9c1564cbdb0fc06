"""What a snapshot is, what differs between two, and what keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a workspace at a moment.

    Attributes:
        id: Identifies the state: two snapshots of the same state have the same.
        label: What it was called.
        files: How many files and links it holds.
        bytes: How many bytes those hold.
    """

    id: str
    label: str
    files: int
    bytes: int


class ChangeKind(Enum):
    """What became of a path between two snapshots."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Change:
    """A path that differs between two snapshots: in content, in kind, or in mode."""

    path: str
    kind: ChangeKind


class WorkspaceKeeper(Protocol):
    """Keeps states of a workspace. Its methods block; the loop calls them in a thread."""

    def snapshot(self, label: str) -> Snapshot:
        """Keep the present state.

        Raises:
            SnapshotError: It cannot be kept; nothing was changed.
        """
        ...

    def diff(self, older: Snapshot, newer: Snapshot) -> tuple[Change, ...]:
        """What differs between two states, by path."""
        ...

    def restore(self, snapshot: Snapshot) -> None:
        """Put the workspace back into a state.

        Raises:
            RestoreError: It cannot be; doing it again goes on where this ended.
        """
        ...

    def close(self) -> None:
        """Forget what is kept, unless it was to outlast this object."""
        ...
