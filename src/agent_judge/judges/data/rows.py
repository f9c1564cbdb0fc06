"""Comparing a table with the expected one, row by row and cell by cell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, TypeAlias

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import Json
from agent_judge.judges.data.table import Dialect, InvalidTableError, Row, Table
from agent_judge.judges.data.values import is_array, is_number, is_object
from agent_judge.judges.showing import shown
from agent_judge.judges.text.numerals import exact
from agent_judge.judges.text.reading import quoted

Cell: TypeAlias = "str | float | None"
"""What is expected in a cell: a text, a number, or nothing."""

Key: TypeAlias = "tuple[str | int, ...]"
"""What tells a row from the others: the cells of its key columns, or its number."""

_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,300}(\.[0-9]{1,300})?([eE][+-]?[0-9]{1,3})?")

_LISTED: Final = 5
"""Differences of a row that a message lists."""


@dataclass(frozen=True, slots=True)
class ExpectedTable:
    """A table to compare with.

    Attributes:
        columns: The names of its columns.
        rows: What is expected in each cell.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """What came of an expected row, or of one that is not expected.

    Attributes:
        name: The row, by its key or number.
        cells: How many cells count.
        matching: How many of those are as expected.
        message: What was found.
    """

    name: str
    cells: int
    matching: int
    message: str


def expected_table(given: Json, dialect: Dialect, name: str) -> ExpectedTable:
    """Read a table to compare with, from CSV or from a list of objects.

    Raises:
        ArgumentError: It is no table, or there is nothing in it.
        ArgumentTypeError: It is neither, or has a cell of another kind.
    """
    if isinstance(given, str):
        try:
            read = dialect.read(given)
        except InvalidTableError as fault:
            raise ArgumentError(f"{name} is no table: {fault}") from None
        table = ExpectedTable(read.columns, read.rows)
    elif is_array(given) and all(is_object(record) for record in given):
        columns = tuple(dict.fromkeys(key for record in given for key in record))
        rows = [[_cell(record, column, name) for column in columns] for record in given]
        table = ExpectedTable(columns, rows)
    else:
        raise ArgumentTypeError(f"{name} must be CSV or a list of objects, not {given!r:.100}")
    if not table.columns or not table.rows:
        raise ArgumentError(f"{name} has no rows; nothing would be compared")
    return table


def _cell(record: Mapping[str, Json], column: str, name: str) -> Cell:
    if column not in record:
        raise ArgumentError(f"{name} has a row without {column!r}; every row needs every column")
    cell = record[column]
    if cell is None or isinstance(cell, str) or is_number(cell):
        return cell
    raise ArgumentTypeError(
        f"{name} has {cell!r:.100} in {column!r}; a cell is a string, a number or null"
    )


@dataclass(frozen=True, slots=True)
class RowComparison:
    """Compares tables with an expected one.

    Args:
        expected: The expected table.
        key: The columns that tell which rows belong together; without any, rows go by their order.
        tolerance: How far a number may be from the expected one, by the name of its column.
        extra_rows: Whether rows that are not expected count.
        extra_columns: Whether columns that are not expected count.

    Raises:
        ArgumentError: The expected table lacks a column of the key or of a tolerance, or has two
            rows of one key.
    """

    expected: ExpectedTable
    key: Sequence[str]
    tolerance: Mapping[str, float]
    extra_rows: bool
    extra_columns: bool
    _keys: Sequence[Key] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for column in (*self.key, *self.tolerance):
            if column not in self.expected.columns:
                raise ArgumentError(
                    f"the expected table has no column {column!r}; "
                    f"it has {', '.join(self.expected.columns)}"
                )
        keys = _keys(self.expected.columns, self.expected.rows, self.key)
        if len(set(keys)) != len(keys):
            ((twice, _),) = Counter(keys).most_common(1)
            raise ArgumentError(f"the expected table has two of {_name(twice)}")
        object.__setattr__(self, "_keys", keys)

    def compare(self, found: Table) -> Sequence[ComparedRow]:
        """Every expected row, then those that are not expected, if they count."""
        wanted = set(self._keys)
        partners: dict[Key, Row] = {}
        extra: list[ComparedRow] = []
        keys = _keys(found.columns, found.rows, self.key)
        for key, row in zip(keys, found.rows, strict=True):
            if key in wanted and key not in partners:
                partners[key] = row
            elif self.extra_rows:
                message = "occurs again" if key in wanted else "is not expected"
                extra.append(ComparedRow(_name(key), len(self.expected.columns), 0, message))
        pairs = zip(self._keys, self.expected.rows, strict=True)
        compared = [self._compare(key, row, found, partners.get(key)) for key, row in pairs]
        return [*compared, *extra]

    def _compare(
        self, key: Key, expected: Sequence[Cell], found: Table, row: Row | None
    ) -> ComparedRow:
        if row is None:
            return ComparedRow(_name(key), len(expected), 0, "is missing")
        cells = dict(zip(found.columns, row, strict=True))
        pairs = zip(self.expected.columns, expected, strict=True)
        wrong = [
            f"{shown(column)} is {_found(cells, column)}, expected {_wanted(cell)}"
            for column, cell in pairs
            if not self._agrees(column, cell, cells.get(column))
        ]
        extra = [column for column in cells if column not in self.expected.columns]
        wrong += [f"{shown(column)} is not expected" for column in extra if self.extra_columns]
        total = len(expected) + len(extra) * self.extra_columns
        message = "; ".join(wrong[:_LISTED]) + "; …" * (len(wrong) > _LISTED)
        return ComparedRow(_name(key), total, total - len(wrong), message or "as expected")

    def _agrees(self, column: str, expected: Cell, found: str | None) -> bool:
        if found is None:
            return False
        if found == ("" if expected is None else expected):
            return True
        wanted, value = _number(expected), _number(found)
        if wanted is None or value is None:
            return False
        if isinstance(expected, str) and column not in self.tolerance:
            return False
        return abs(value - wanted) <= exact(self.tolerance.get(column, 0))


def _keys(
    columns: Sequence[str], rows: Sequence[Sequence[Cell]], key: Sequence[str]
) -> Sequence[Key]:
    """What tells each row from the others: its cells in the key columns, or its number."""
    if not key:
        return [(index,) for index in range(1, len(rows) + 1)]
    if not set(key) <= set(columns):
        return [()] * len(rows)
    places = [columns.index(column) for column in key]
    return [tuple(_text(row[place]) for place in places) for row in rows]


def _name(key: Key) -> str:
    return f"row {', '.join(quoted(part) if isinstance(part, str) else str(part) for part in key)}"


def _text(cell: Cell) -> str:
    return "" if cell is None else str(cell)


def _number(cell: Cell) -> Fraction | None:
    """What a cell is worth, in the plain notation of programs; `None` if it is no number."""
    if cell is None:
        return None
    if not isinstance(cell, str):
        return exact(cell)
    return Fraction(cell) if _NUMBER.fullmatch(cell) else None


def _found(cells: Mapping[str, str], column: str) -> str:
    return quoted(cells[column]) if column in cells else "missing"


def _wanted(cell: Cell) -> str:
    return quoted(cell) if isinstance(cell, str) else _text(cell) or "an empty cell"
