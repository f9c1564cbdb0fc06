"""Querying a hostile SQLite database, in a child process of `killable`.

The file is a copy that belongs to this process alone. Statements may read, and nothing else: what
is attached, written, loaded or set is refused, also where a view of the database would do it.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any
from urllib.parse import quote

READING = frozenset(
    {
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_RECURSIVE,
    }
)
"""What a statement may do; extensions are never loaded, and their loader is refused by name."""

MAX_LENGTH = 10_000_000
"""Bytes that one value may have."""

SETTINGS = ("trusted_schema=OFF", "query_only=ON", "cell_size_check=ON", "temp_store=MEMORY")


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The columns and rows of a query, up to a limit, or what SQLite says is wrong."""
    try:
        with closing(connect(request["path"])) as connection:
            cursor = connection.execute(request["query"])
            columns = [column[0] for column in cursor.description or ()]
            rows = [[plain(value) for value in row] for row in cursor.fetchmany(request["limit"])]
    except (sqlite3.Error, sqlite3.Warning) as fault:
        return {"fault": str(fault)}
    return {"columns": columns, "rows": rows}


def fault_of(query: str) -> str | None:
    """What SQLite says of a query before it knows any database; `None` if it says nothing."""
    try:
        with closing(connect(":memory:")) as connection:
            connection.execute(f"EXPLAIN {query}")
    except (sqlite3.Error, sqlite3.Warning) as fault:
        return str(fault)
    return None


def connect(path: str) -> sqlite3.Connection:
    """Open a database that may only be read from now on; `:memory:` for an empty one."""
    if path == ":memory:":
        connection = sqlite3.connect(path, isolation_level=None)
    else:
        uri = f"file:{quote(path)}?mode=rw"
        connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    connection.text_factory = decode
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_LENGTH)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    for setting in SETTINGS:
        connection.execute(f"PRAGMA {setting}").close()
    connection.set_authorizer(authorize)
    return connection


def authorize(action: int, *details: str | None) -> int:
    """Whether a statement may do something."""
    if action in READING and "load_extension" not in details:
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def decode(text: bytes) -> str:
    """A text of the database, which need not be UTF-8."""
    return text.decode("utf-8", "replace")


def plain(value: Any) -> Any:
    """A value as JSON carries it; bytes as an object that holds their digits."""
    return {"blob": value.hex()} if isinstance(value, bytes) else value
