"""Tables in CSV (RFC 4180), read strictly in a declared dialect."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Final, TypeAlias

from agent_judge.errors import ArgumentError
from agent_judge.frozen import check_text
from agent_judge.judges.text.reading import quoted

Row: TypeAlias = Sequence[str]

MAX_ROWS: Final = 100_000
"""Rows that a table may have."""


class InvalidTableError(ValueError):
    """Why a text is no table."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a header.

    Attributes:
        columns: The names of the columns, no two alike.
        rows: The rows, each with as many cells as there are columns.
    """

    columns: Row
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a table is written.

    Args:
        delimiter: What stands between cells, one character.
        quote: What stands around a cell that holds a delimiter, a line end or itself, doubled.

    Raises:
        ArgumentError: Not one character, a line end, or one character for both.
        ArgumentTypeError: Not a string.
    """

    delimiter: str = ","
    quote: str = '"'

    def __post_init__(self) -> None:
        for name, mark in (("delimiter", self.delimiter), ("quote", self.quote)):
            check_text(mark, name)
            if len(mark) != 1 or mark in "\r\n\0":
                raise ArgumentError(f"{name} must be one character and no line end, not {mark!r}")
        if self.delimiter == self.quote:
            raise ArgumentError(f"delimiter and quote are both {self.quote!r}; give two marks")

    def read(self, text: str) -> Table:
        """Read a text as a table. Blank lines are skipped, and so is a byte order mark.

        Raises:
            InvalidTableError: It has no header, two columns of one name, a row with more or fewer
                cells, a quote that is not closed or where none may be, or too many rows.
        """
        reader = csv.reader(
            StringIO(text.removeprefix("\ufeff"), newline=""),
            delimiter=self.delimiter,
            quotechar=self.quote,
            strict=True,
        )
        lines: list[Row] = []
        try:
            for row in reader:
                if row:
                    lines.append(_checked(row, lines, reader.line_num))
        except csv.Error as fault:
            raise InvalidTableError(f"line {reader.line_num}: {fault}") from None
        if not lines:
            raise InvalidTableError("it has no header")
        return Table(lines[0], lines[1:])


def _checked(row: Row, before: Sequence[Row], line: int) -> Row:
    if not before:
        twice = [name for index, name in enumerate(row) if name in row[:index]]
        if twice:
            raise InvalidTableError(f"two columns are called {quoted(twice[0])}")
    elif len(row) != len(before[0]):
        raise InvalidTableError(
            f"line {line} has {len(row)} cells, and the header has {len(before[0])}"
        )
    if len(before) > MAX_ROWS:
        raise InvalidTableError(f"it has more than {MAX_ROWS} rows")
    return row
