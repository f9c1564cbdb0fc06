from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from agent_judge import JudgmentContext, ReasonCode, Status, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.data import SqliteJudge, sqlite
from agent_judge.judges.data.sqlite_task import connect
from agent_judge.judgment import Judgment

ITEMS = "SELECT name, price FROM items ORDER BY name"


def build(path: Path, *statements: str) -> None:
    """Make a database by statements."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A workspace with a database of two items."""
    build(
        tmp_path / "shop.db",
        "CREATE TABLE items (name TEXT, price REAL)",
        "INSERT INTO items VALUES ('tea', 2.5), ('cup', 8)",
    )
    return tmp_path


def judged(workspace: Path, query: str, rows: Any = None, **options: Any) -> Judgment:
    """What is found of the database in a workspace."""
    judge = SqliteJudge("shop.db", query, rows, **options)
    return evaluate(judge, JudgmentContext(workspace=workspace))


@pytest.mark.parametrize(
    ("rows", "passes"),
    [
        ([["cup", 8], ["tea", 2.5]], True),
        ([{"name": "cup", "price": 8.0}, {"price": 2.5, "name": "tea"}], True),
        ([["tea", 2.5], ["cup", 8]], False),
        ([["cup", 8]], False),
        ([["cup", 8], ["tea", 2.5], ["pot", 1]], False),
        ([["cup", 8], ["tea", "2.5"]], False),
        ([["cup", 8, 1], ["tea", 2.5, 1]], False),
        ([{"name": "cup"}, {"name": "tea"}], False),
        ([], False),
    ],
)
def test_the_rows_of_a_query_are_compared(shop: Path, rows: Any, passes: bool) -> None:
    """In their order, by position or by the names of the columns."""
    assert judged(shop, ITEMS, rows).passed is passes


def test_no_row_may_be_expected(shop: Path) -> None:
    """That there is none is found by looking."""
    judgment = judged(shop, "SELECT * FROM items WHERE price > 10", [])

    assert judgment.passed
    assert judgment.checks[0].examined == 1


@pytest.mark.parametrize(
    ("rows", "tolerance", "passes"),
    [
        ([["tea", 2.5], ["cup", 8]], 0, True),
        ([["tea", 2.4], ["cup", 8]], 0, False),
        ([["tea", 2.4], ["cup", 8.1]], 0.1, True),
        ([["tea", 2.3], ["cup", 8.1]], 0.1, False),
        ([["tea", 2.5]], 0, False),
        ([["tea", 2.5], ["tea", 2.5]], 1, False),
    ],
)
def test_the_order_of_rows_can_be_ignored(
    shop: Path, rows: Any, tolerance: float, passes: bool
) -> None:
    """Each row stands for one."""
    judgment = judged(shop, ITEMS, rows, order="ignore", tolerance=tolerance)

    assert judgment.passed is passes


def test_numbers_may_be_near(shop: Path) -> None:
    """As near as the tolerance says."""
    assert judged(shop, ITEMS, [["cup", 8.1], ["tea", 2.4]], tolerance=0.1).passed
    assert not judged(shop, ITEMS, [["cup", 8.2], ["tea", 2.4]], tolerance=0.1).passed


def test_values_are_compared_as_json(shop: Path) -> None:
    """NULL is null, and a blob is an object with its digits."""
    query = "SELECT NULL, x'00ff', 9223372036854775807, 1e308 * 10, 1 = 1"

    found = judged(shop, query, [[None, {"blob": "00ff"}, "9223372036854775807", None, 1]])

    assert found.reasoning == (
        'shop.db: row 1 is [null, {"blob": "00ff"}, 9223372036854775807, Infinity, 1], '
        'expected [null, {"blob": "00ff"}, "9223372036854775807", null, 1]'
    )
    assert judged(shop, "SELECT NULL, x'00ff'", [[None, {"blob": "00ff"}]]).passed


def test_text_that_is_not_utf_8_is_replaced(shop: Path) -> None:
    """It cannot be what was expected, and it breaks nothing."""
    assert judged(shop, "SELECT CAST(x'ff' AS TEXT)", [["\ufffd"]]).passed


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ([["cup", 8], ["tea", 2.5]], {}, "2 rows, as expected"),
        ([["cup", 8], ["tea", 3]], {}, 'row 2 is ["tea", 2.5], expected ["tea", 3]'),
        ([["cup", 8]], {}, "2 rows, expected 1"),
        ([{"a": 1}], {}, "the query gives the columns name, price, expected a"),
        ([["cup", 8], ["pot", 1]], {"order": "ignore"}, '1 row missing, the first is ["pot", 1]'),
        ([["cup", 8]], {"order": "ignore"}, '1 row not expected, the first is ["tea", 2.5]'),
    ],
)
def test_the_check_says_what_was_found(shop: Path, rows: Any, options: Any, message: str) -> None:
    """With the first difference."""
    (check,) = judged(shop, ITEMS, rows, **options).checks

    assert (check.name, check.message, str(check.location)) == ("shop.db", message, "shop.db")


def test_the_context_may_say_what_is_expected(shop: Path) -> None:
    """As an array of rows."""
    judge = SqliteJudge("shop.db", "SELECT count(*) AS n FROM items")

    def found(**context: Any) -> Judgment:
        return evaluate(judge, JudgmentContext(workspace=shop, **context))

    assert found(expected=[{"n": 2}]).passed
    assert found().code is ReasonCode.MISSING_INPUT
    assert found(expected=2).code is ReasonCode.MALFORMED_EVIDENCE
    assert found(expected=[2]).code is ReasonCode.MALFORMED_EVIDENCE


def test_a_database_that_is_not_there_fails(tmp_path: Path) -> None:
    """And is not made by looking for it. (contract: judges:F6)"""
    judgment = judged(tmp_path, "SELECT 1", [[1]])

    assert judgment.status is Status.FAIL
    assert judgment.reasoning == "shop.db: not there"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("query", ["SELECT * FROM orders", "SELECT total FROM items"])
def test_a_database_that_lacks_what_is_asked_for_fails(shop: Path, query: str) -> None:
    """The work did not make that table or column."""
    judgment = judged(shop, query, [[1]])

    assert judgment.status is Status.FAIL
    assert "no such" in judgment.reasoning


def test_what_is_no_database_is_an_error(tmp_path: Path) -> None:
    """As every file that cannot be read. (contract: judges:F7)"""
    (tmp_path / "shop.db").write_bytes(b"not a database at all" * 100)

    judgment = judged(tmp_path, ITEMS, [[1]])

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.MALFORMED_EVIDENCE


def test_a_database_over_the_size_limit_is_an_error(shop: Path) -> None:
    """It is not read in part. (contract: judges:F7)"""
    assert judged(shop, ITEMS, [[1]], size_limit=1000).code is ReasonCode.TOO_LARGE


def test_a_link_out_of_the_workspace_is_not_followed(shop: Path, tmp_path: Path) -> None:
    """Neither to the database nor to its log. (contract: judges:F3)"""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "shop.db").symlink_to("../shop.db")
    assert judged(workspace, ITEMS, [[1]]).code is ReasonCode.OUTSIDE_WORKSPACE

    (workspace / "shop.db").unlink()
    (workspace / "shop.db").write_bytes((shop / "shop.db").read_bytes())
    (workspace / "shop.db-wal").symlink_to("../shop.db")
    assert judged(workspace, ITEMS, [[1]]).code is ReasonCode.OUTSIDE_WORKSPACE


@pytest.fixture
def logged(tmp_path: Path) -> Iterator[Path]:
    """A workspace whose database keeps its last rows in the write-ahead log."""
    with closing(sqlite3.connect(tmp_path / "shop.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE items (name TEXT, price REAL)")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("INSERT INTO items VALUES ('tea', 2.5)")
        yield tmp_path


def test_what_is_in_the_log_counts_and_nothing_is_touched(logged: Path) -> None:
    """The workspace is byte for byte as it was, whatever SQLite does to its copy."""
    before = {file.name: file.read_bytes() for file in logged.iterdir()}

    assert judged(logged, ITEMS, [["tea", 2.5]]).passed

    assert {file.name: file.read_bytes() for file in logged.iterdir()} == before


def test_a_database_in_log_mode_without_a_log_is_read(shop: Path) -> None:
    """Nor is a log made in the workspace."""
    build(shop / "shop.db", "PRAGMA journal_mode=WAL")

    assert judged(shop, ITEMS, [["cup", 8], ["tea", 2.5]]).passed
    assert [file.name for file in shop.iterdir()] == ["shop.db"]


def test_a_transaction_that_was_never_finished_is_an_error(shop: Path) -> None:
    """Without its journal nobody knows what holds, and the journal may name any file."""
    program = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size=1")
connection.execute("BEGIN")
connection.execute("CREATE TABLE filler AS WITH RECURSIVE n(i) AS "
    "(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i, hex(randomblob(50)) FROM n")
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", program, str(shop / "shop.db")], check=True)
    assert (shop / "shop.db-journal").stat().st_size

    judgment = judged(shop, ITEMS, [[1]])

    assert judgment.code is ReasonCode.UNREADABLE_FILE
    assert "was never finished" in judgment.reasoning


def test_a_journal_that_is_done_with_is_no_fault(shop: Path) -> None:
    """In journal mode PERSIST it stays, with nothing in its beginning."""
    (shop / "shop.db-journal").write_bytes(bytes(512))

    assert judged(shop, ITEMS, [["cup", 8], ["tea", 2.5]]).passed


@pytest.mark.parametrize(
    "query",
    [
        "",
        "-- nothing",
        "SELECT name FROM",
        "SELECT 1; SELECT 2",
        "SELECT ?",
        "SELECT absent(1)",
        "SELECT load_extension('x')",
        "SELECT 1 \0",
        "INSERT INTO items VALUES (1, 2)",
        "DROP TABLE items",
        "ATTACH 'other.db' AS other",
        "VACUUM INTO 'other.db'",
        "PRAGMA writable_schema=ON",
        "CREATE TEMP TABLE t (x)",
    ],
)
def test_a_query_is_one_statement_that_reads(query: str) -> None:
    """What is known to be something else is refused when the judge is built."""
    with pytest.raises(ArgumentError, match="query must be one SELECT statement"):
        SqliteJudge("shop.db", query, [[1]])


@pytest.mark.parametrize(
    "query",
    [
        "WITH x AS (SELECT 1) INSERT INTO items SELECT 'pot', 1 FROM x",
        "WITH x AS (SELECT 1) DELETE FROM items WHERE price IN x",
        "SELECT * FROM hidden",
        "SELECT * FROM loading",
    ],
)
def test_a_statement_that_would_do_more_is_stopped(shop: Path, query: str) -> None:
    """Whether the query says so or a view of the hostile database."""
    build(
        shop / "shop.db",
        "CREATE VIEW loading AS SELECT load_extension('./evil.so') AS x",
        "CREATE VIEW hidden AS SELECT * FROM pragma_database_list",
    )

    judgment = judged(shop, query, [[1]])

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.MALFORMED_EVIDENCE


@pytest.mark.parametrize(
    "statement",
    ["ATTACH 'other.db' AS other", "PRAGMA journal_mode=DELETE", "UPDATE items SET price = 0"],
)
def test_no_statement_can_write(shop: Path, statement: str) -> None:
    """The connection itself refuses it."""
    with (
        closing(connect(str(shop / "shop.db"))) as connection,
        pytest.raises(sqlite3.DatabaseError, match="not authorized"),
    ):
        connection.execute(statement)


def test_a_query_without_end_is_stopped(shop: Path) -> None:
    """Also where a view of the hostile database hides it."""
    build(
        shop / "shop.db",
        "CREATE VIEW slow AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        "SELECT sum(i) FROM n",
    )

    judgment = judged(shop, "SELECT * FROM slow", [[1]], timeout=0.5)

    assert judgment.code is ReasonCode.TIMEOUT


def test_a_value_that_would_fill_the_memory_is_an_error(shop: Path) -> None:
    """A view can ask for a gigabyte."""
    build(shop / "shop.db", "CREATE VIEW big AS SELECT zeroblob(1000000000) AS x")

    assert judged(shop, "SELECT * FROM big", [[1]]).status is Status.ERROR


def test_too_many_rows_are_not_compared(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in order, nor in pairs."""
    rows = [[float(number)] for number in range(3)]
    query = "SELECT 0.1 UNION SELECT 1.1 UNION SELECT 2.1"
    assert judged(shop, query, rows, order="ignore", tolerance=0.1).passed

    monkeypatch.setattr(sqlite, "MAX_PAIRS", 5)
    judgment = judged(shop, query, rows, order="ignore", tolerance=0.1)
    assert judgment.code is ReasonCode.TOO_LARGE

    monkeypatch.setattr(sqlite, "LIMIT", 1)
    assert judged(shop, ITEMS, [[1]]).code is ReasonCode.TOO_LARGE
    with pytest.raises(ArgumentError, match="more than 1 rows"):
        SqliteJudge("shop.db", "SELECT 1", [[1], [2]])


def test_a_file_name_may_hold_what_an_address_may_not(shop: Path) -> None:
    """Question marks and percent signs are no options."""
    (shop / "shop.db").rename(shop / "a?mode=rwc%20#.db")
    judge = SqliteJudge("a?mode=rwc%20#.db", "SELECT count(*) FROM items", [[2]])

    assert evaluate(judge, JudgmentContext(workspace=shop)).passed


@pytest.mark.parametrize(
    "options", [{"order": "any"}, {"tolerance": -1}, {"timeout": 0}, {"size_limit": 0}]
)
def test_options_that_mean_nothing_are_refused(options: Any) -> None:
    """When the judge is built."""
    with pytest.raises(ArgumentError):
        SqliteJudge("shop.db", "SELECT 1", [[1]], **options)


@pytest.mark.parametrize("rows", [5, "rows", [1], {"a": 1}])
def test_rows_are_arrays_or_objects(rows: Any) -> None:
    """A single value is no row."""
    with pytest.raises(ArgumentTypeError):
        SqliteJudge("shop.db", "SELECT 1", rows)


@pytest.mark.parametrize("query", [5, None])
def test_a_query_is_text(query: Any) -> None:
    """Configuration gives strings."""
    with pytest.raises(ArgumentTypeError):
        SqliteJudge("shop.db", query, [[1]])
