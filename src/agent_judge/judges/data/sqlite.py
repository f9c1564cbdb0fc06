"""Whether a query of a SQLite database in the workspace gives the expected rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, TypeAlias, cast

from agent_judge.context import MISSING, JudgmentContext, Output
from agent_judge.engine import check_seconds
from agent_judge.errors import AgentJudgeError, ArgumentError, ArgumentTypeError
from agent_judge.frozen import Json, check_text, freeze
from agent_judge.judges.data.fields import TooManyError
from agent_judge.judges.data.reading import absent, ask, shown_json
from agent_judge.judges.data.sqlite_copy import copied
from agent_judge.judges.data.sqlite_task import fault_of
from agent_judge.judges.data.values import check_tolerance, is_array, is_object, same
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.paths import Workspace, check_path, judge_workspace
from agent_judge.judges.files.reading import check_limit
from agent_judge.judges.killable import Pool
from agent_judge.judges.showing import shown
from agent_judge.judges.text.reading import check_choice, missing_input
from agent_judge.judges.tools.arguments import canonical
from agent_judge.judges.tools.matching import assign
from agent_judge.judgment import Check, Judgment, Location, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata

Rows: TypeAlias = Sequence[Sequence[Any]]

LIMIT: Final = 10_000
"""Rows that a query may give."""

MAX_PAIRS: Final = 250_000
"""Pairs of rows that are compared to match them in any order with a tolerance."""

_READING: Final = ("SELECT", "WITH", "VALUES")
"""How a statement begins that reads; VACUUM INTO would write in spite of every setting."""

_ABSENT: Final = ("no such table", "no such column")
"""What SQLite says of a database that lacks what the query asks for."""

_CHILDREN: Final = Pool(Path(__file__).with_name("sqlite_task.py"))


@dataclass(frozen=True, slots=True)
class SqliteJudge:
    """Whether a query of a SQLite database in the workspace gives the expected rows.

    The database is never touched: a private copy is queried, with its write-ahead log where there
    is one, by a child process that ends at the deadline. The query may only read. A database that
    lacks the table or column that is asked for fails, as does a file that is not there; one that
    cannot be read, or was left within a transaction, is ERROR.

    Values are compared as JSON: numbers by value, NULL as null, and a blob as an object that holds
    its hexadecimal digits, `{"blob": "00ff"}`.

    Args:
        path: The database, relative to the workspace.
        query: One SELECT statement.
        rows: The expected rows, each an array of its values or an object by the names of the
            columns. Without it, what the context expects. No row at all may be expected.
        order: `"exact"` if the order of the rows counts, or `"ignore"`.
        tolerance: How far a number may be from the expected one.
        size_limit: Bytes of the database that are read at most.
        timeout: Seconds that the query may take.

    Raises:
        ArgumentError: A path that is empty or leaves the workspace, an empty query, a negative
            tolerance, an unknown word.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> import sqlite3
        >>> from pathlib import Path
        >>> from agent_judge import JudgmentContext, evaluate
        >>> with sqlite3.connect("shop.db") as shop:
        ...     _ = shop.execute("CREATE TABLE items AS SELECT 'tea' AS name, 2.5 AS price")
        >>> shop.close()
        >>> judge = SqliteJudge("shop.db", "SELECT name, price FROM items", [["tea", 3]])
        >>> evaluate(judge, JudgmentContext(workspace=Path())).reasoning
        'shop.db: row 1 is ["tea", 2.5], expected ["tea", 3]'
    """

    path: str
    query: str
    rows: Sequence[Json] | None = None
    order: Literal["exact", "ignore"] = "exact"
    tolerance: float = 0.0
    size_limit: int = 100_000_000
    timeout: float = 10.0

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "SqliteJudge", cost=Cost.FILE, type="sqlite", needs=("workspace", "expected"), version="1"
    )

    def __post_init__(self) -> None:
        _set(self, "path", check_path(self.path))
        _check_query(self.query)
        check_choice(self.order, ("exact", "ignore"), "order")
        check_tolerance(self.tolerance, "tolerance")
        check_limit(self.size_limit, "size_limit")
        check_seconds(self.timeout, "timeout")
        if self.rows is not None:
            _set(self, "rows", _check_rows(freeze(self.rows, "rows"), "rows"))

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Query the database in the context's workspace."""
        expected = self._expected(context.expected)
        if isinstance(expected, Judgment):
            return expected
        return judge_workspace(context, lambda workspace: self._look(workspace, expected))

    def _expected(self, expected: Output) -> Sequence[Json] | Judgment:
        if self.rows is not None:
            return self.rows
        if expected is MISSING:
            return missing_input("the expected rows")
        try:
            return _check_rows(expected, "context.expected")
        except AgentJudgeError as fault:
            return Judgment.erring(str(fault), ReasonCode.MALFORMED_EVIDENCE)

    def _look(self, workspace: Workspace, expected: Sequence[Json]) -> Judgment:
        kind = workspace.kind(self.path)
        if kind is not Kind.FILE:
            return absent(self.path, kind)
        with copied(workspace, self.path, self.size_limit) as copy:
            request = {"path": str(copy), "query": self.query, "limit": LIMIT + 1}
            answer = ask(_CHILDREN, request, self.timeout, f"the query of {shown(self.path)}")
        if isinstance(answer, Judgment):
            return answer
        if "fault" in answer:
            return self._faulty(answer["fault"])
        if len(answer["rows"]) > LIMIT:
            reason = f"{shown(self.path)}: the query gives more than {LIMIT} rows"
            return Judgment.erring(reason, ReasonCode.TOO_LARGE)
        return self._compare(answer["columns"], answer["rows"], expected)

    def _faulty(self, fault: str) -> Judgment:
        """What a complaint of SQLite says: of the work, if it lacks something, else of neither."""
        reasoning = f"{shown(self.path)}: {shown(fault)}"
        if not fault.startswith(_ABSENT):
            return Judgment.erring(reasoning, ReasonCode.MALFORMED_EVIDENCE)
        return Judgment.failing(reasoning, checks=(self._check(False, shown(fault)),))

    def _compare(self, columns: Sequence[str], found: Rows, expected: Sequence[Json]) -> Judgment:
        compare = self._difference if self.order == "exact" else self._difference_in_any_order
        try:
            difference = compare(found, [_values(row, columns) for row in expected])
        except _OtherColumnsError as fault:
            difference = str(fault)
        except TooManyError as fault:
            return Judgment.erring(f"not compared: {fault}", ReasonCode.TOO_LARGE)
        message = difference or f"{_count(found)}, as expected"
        check = self._check(difference is None, message, len(expected) or 1)
        make = Judgment.failing if difference else Judgment.passing
        return make(f"{check.name}: {message}", checks=(check,))

    def _check(self, passed: bool, message: str, examined: int = 1) -> Check:
        path = shown(self.path)
        return Check(path, passed, message, examined, location=Location(path))

    def _difference(self, found: Rows, expected: Rows) -> str | None:
        for number, (row, wanted) in enumerate(zip(found, expected, strict=False), start=1):
            if not self._same(row, wanted):
                return f"row {number} is {shown_json(row)}, expected {shown_json(wanted)}"
        if len(found) == len(expected):
            return None
        return f"{_count(found)}, expected {len(expected)}"

    def _difference_in_any_order(self, found: Rows, expected: Rows) -> str | None:
        missing: Rows = _without(expected, found)
        extra: Rows = _without(found, expected)
        if self.tolerance and missing and extra:
            missing, extra = self._unmatched(missing, extra)
        if missing:
            return f"{_count(missing)} missing, the first is {shown_json(missing[0])}"
        if extra:
            return f"{_count(extra)} not expected, the first is {shown_json(extra[0])}"
        return None

    def _unmatched(self, missing: Rows, extra: Rows) -> tuple[Rows, Rows]:
        """What is left of both when as many rows as can be are matched within the tolerance."""
        if len(missing) * len(extra) > MAX_PAIRS:
            raise TooManyError(f"{len(missing)} and {len(extra)} rows in any order")
        pairs = assign([[self._same(row, wanted) for row in extra] for wanted in missing])
        rows, columns = {row for row, _ in pairs}, {column for _, column in pairs}
        return (
            [row for index, row in enumerate(missing) if index not in rows],
            [row for index, row in enumerate(extra) if index not in columns],
        )

    def _same(self, row: Sequence[Any], wanted: Sequence[Any]) -> bool:
        return len(row) == len(wanted) and all(
            same(value, other, self.tolerance) for value, other in zip(row, wanted, strict=True)
        )


_set = object.__setattr__


class _OtherColumnsError(Exception):
    """An expected row names other columns than the query gives."""


def _values(row: Json, columns: Sequence[str]) -> Sequence[Any]:
    """The values of an expected row in the order of the columns."""
    if is_array(row):
        return row
    named = cast("dict[str, Any]", row)
    if sorted(named) != sorted(columns):
        raise _OtherColumnsError(
            f"the query gives the columns {shown(', '.join(columns))}, "
            f"expected {', '.join(named) or 'none'}"
        )
    return [named[column] for column in columns]


def _without(rows: Rows, others: Rows) -> list[Sequence[Any]]:
    """The rows that are not among others, each of which stands for one."""
    left = Counter(canonical(list(row)) for row in others)
    kept: list[Sequence[Any]] = []
    for row in rows:
        key = canonical(list(row))
        if left[key]:
            left[key] -= 1
        else:
            kept.append(row)
    return kept


def _count(rows: Rows) -> str:
    return "1 row" if len(rows) == 1 else f"{len(rows)} rows"


def _check_query(query: object) -> None:
    check_text(query, "query")
    first = str(query).lstrip()[:7].upper()
    fault = fault_of(str(query)) if first.startswith(_READING) else "it begins otherwise"
    if fault is not None and not fault.startswith(_ABSENT):
        raise ArgumentError(f"query must be one SELECT statement, not {query!r:.200}: {fault}")


def _check_rows(rows: Json, name: str) -> Sequence[Json]:
    if not is_array(rows):
        raise ArgumentTypeError(f"{name} must be an array of rows, not {rows!r:.100}")
    for row in rows:
        if not is_array(row) and not is_object(row):
            raise ArgumentTypeError(
                f"{name} holds {row!r:.100}; a row is an array of values, or an object by columns"
            )
    if len(rows) > LIMIT:
        raise ArgumentError(f"{name} has more than {LIMIT} rows")
    return rows
