"""The workspace between attempts: its state kept, compared and put back.

Everything here is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_judge.lazy import exporting

if TYPE_CHECKING:
    from agent_judge.coordination.workspaces.directory import DirectoryKeeper
    from agent_judge.coordination.workspaces.git import GitKeeper
    from agent_judge.coordination.workspaces.keeping import Keeping
    from agent_judge.coordination.workspaces.records import (
        Change,
        ChangeKind,
        Snapshot,
        WorkspaceKeeper,
    )

__all__ = [
    "Change",
    "ChangeKind",
    "DirectoryKeeper",
    "GitKeeper",
    "Keeping",
    "Snapshot",
    "WorkspaceKeeper",
]

_HOMES = {
    "directory": ("DirectoryKeeper",),
    "git": ("GitKeeper",),
    "keeping": ("Keeping",),
    "records": ("Change", "ChangeKind", "Snapshot", "WorkspaceKeeper"),
}

__getattr__, __dir__ = exporting(__name__, _HOMES)
