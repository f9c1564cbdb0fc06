"""A private copy of a SQLite database of the workspace, so that nothing there is ever touched.

SQLite itself would write beside the database: it makes index files for the write-ahead log, and
rolls back or deletes what a journal names. The copy has the log and no journal.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.paths import Workspace, WorkspaceError
from agent_judge.judges.files.reading import chunks
from agent_judge.judges.showing import shown
from agent_judge.judgment import ReasonCode

_HOT_JOURNAL: Final = bytes.fromhex("d9d505f920a163d7")
"""How the rollback journal of an unfinished transaction begins (SQLite database file format, 3)."""


@contextmanager
def copied(workspace: Workspace, path: str, limit: int) -> Generator[Path, None, None]:
    """A copy that lasts for the context.

    Args:
        workspace: Where the database is.
        path: A file there.
        limit: Bytes that are copied at most, of the database and of its log each.

    Raises:
        WorkspaceError: It cannot be read, is too large, or was left within a transaction.
    """
    _refuse_unfinished(workspace, f"{path}-journal")
    with TemporaryDirectory(prefix="agent-judge-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder, "database")
        _copy(workspace, path, copy, limit)
        if workspace.kind(f"{path}-wal") is Kind.FILE:
            _copy(workspace, f"{path}-wal", Path(folder, "database-wal"), limit)
        yield copy


def _copy(workspace: Workspace, path: str, target: Path, limit: int) -> None:
    with workspace.open(path) as descriptor, target.open("xb") as file:
        for chunk in chunks(descriptor, path, limit):
            file.write(chunk)


def _refuse_unfinished(workspace: Workspace, journal: str) -> None:
    if workspace.kind(journal) is not Kind.FILE:
        return
    with workspace.open(journal) as descriptor:
        if os.read(descriptor, len(_HOT_JOURNAL)) == _HOT_JOURNAL:
            raise WorkspaceError(
                f"{shown(journal)} belongs to a transaction that was never finished; "
                "what the database holds cannot be told without it",
                ReasonCode.UNREADABLE_FILE,
            )
