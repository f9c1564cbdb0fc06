"""A table of stored replies in a SQLite file that many threads and processes may share."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from agent_judge.models.errors import CacheError

APPLICATION_ID: Final = 0x414A5243
"""What marks the file as one of these, in its header: `AJRC`."""

BUSY_SECONDS: Final = 30.0
"""How long a writer waits for those of other processes."""


class ReplyStore:
    """Texts by key. Reading is done at once; writing in one thread, so that no event loop waits.

    The file is in write-ahead mode: nobody who reads waits for anybody who writes.

    Args:
        path: The file; it and its folder are made when first needed, the file for its owner alone.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._open: _Open | None = None
        self._lock = threading.Lock()

    def get(self, key: str) -> str | None:
        """The text under a key.

        Raises:
            CacheError: The file cannot be used.
        """
        opened = self._opened()
        try:
            with opened.reading:
                row = opened.reader.execute(_GET, (key,)).fetchone()
        except sqlite3.Error as fault:
            raise self._unusable(fault) from fault
        return None if row is None else str(row[0])

    async def put(self, key: str, text: str) -> None:
        """Store a text; one that is there already stays.

        Raises:
            CacheError: The file cannot be written.
        """
        await self._write(_PUT, (key, text))

    async def delete(self, key: str) -> None:
        """Forget the text under a key, if there is one.

        Raises:
            CacheError: The file cannot be written.
        """
        await self._write(_DELETE, (key,))

    async def clear(self) -> None:
        """Forget everything.

        Raises:
            CacheError: The file cannot be written.
        """
        await self._write(_CLEAR, ())

    def close(self) -> None:
        """Close the file, after what is being written; using the store again opens it again."""
        with self._lock:
            opened, self._open = self._open, None
        if opened is not None:
            opened.close()

    async def _write(self, statement: str, values: tuple[str, ...]) -> None:
        opened = self._opened()
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(opened.thread, opened.writer.execute, statement, values)
        except sqlite3.Error as fault:
            raise self._unusable(fault) from fault

    def _opened(self) -> _Open:
        """What is open in this process: neither a connection nor a thread survives a fork."""
        opened = self._open
        if opened is not None and opened.process == os.getpid():
            return opened
        with self._lock:
            if self._open is None or self._open.process != os.getpid():
                inherited = self._open
                try:
                    self._open = _Open(self.path)
                except (sqlite3.Error, OSError) as fault:
                    raise self._unusable(fault) from fault
                if inherited is not None:
                    _inherited.append(inherited)
            return self._open

    def _unusable(self, fault: Exception) -> CacheError:
        return CacheError(f"the cache {self.path} cannot be used: {fault}")


_GET: Final = "SELECT reply FROM replies WHERE key = ?"
_PUT: Final = "INSERT INTO replies (key, reply) VALUES (?, ?) ON CONFLICT DO NOTHING"
_DELETE: Final = "DELETE FROM replies WHERE key = ?"
_CLEAR: Final = "DELETE FROM replies"
_CREATE: Final = (
    "CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL) WITHOUT ROWID"
)


class _Open:
    """The connections and the writing thread of one process."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        self.process = os.getpid()
        self.reading = threading.Lock()
        self.writer = _connect(path)
        self.reader = _connect(path)
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="agent-judge-cache")

    def close(self) -> None:
        if self.process == os.getpid():
            self.thread.shutdown()
            self.reader.close()
            self.writer.close()


_inherited: Final[list[_Open]] = []
"""What a forked child took over: closing it there would disturb the parent."""


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        _set_up(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _set_up(connection: sqlite3.Connection) -> None:
    """Make the table, unless the file is something else.

    Turning on write-ahead mode fails at once where another process is doing so, without the usual
    waiting: it is tried again.
    """
    connection.execute("BEGIN")  # both are read as of one moment: another process may be here too
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    connection.execute("COMMIT")
    if application not in (0, APPLICATION_ID) or (tables and application == 0):
        raise sqlite3.DatabaseError("it is a database of another program")
    _persist(connection, "PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    if application == 0:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(_CREATE)
        connection.execute("COMMIT")


def _persist(connection: sqlite3.Connection, statement: str) -> None:
    give_up = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute(statement)
        except sqlite3.OperationalError:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.01)
        else:
            return
