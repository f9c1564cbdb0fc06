"""Whether the output is a table in CSV with the columns and as many rows as it should have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.data.reading import read_text_source, source_name
from agent_judge.judges.data.table import Dialect, InvalidTableError, Table
from agent_judge.judges.files.paths import check_path
from agent_judge.judges.showing import shown
from agent_judge.judges.text.reading import check_choice, check_texts, kind_of, quoted
from agent_judge.judgment import Check, Judgment, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata


@dataclass(frozen=True, slots=True)
class CsvJudge:
    r"""Whether the output, or a file of the workspace, is a table in CSV, of the right shape.

    It is read strictly (RFC 4180): the first row names the columns, no two alike, and every row
    has a cell for each. Blank lines are skipped.

    Args:
        columns: The columns that it has to have.
        require: Whether those are `"all"` its columns in that order, or it has `"at_least"` them.
        min_rows: The fewest rows, the header not counted.
        max_rows: The most rows.
        delimiter: What stands between cells.
        quote: What stands around a cell that holds a delimiter or a line end.
        path: A file of the workspace to read instead of the output, in UTF-8.

    Raises:
        ArgumentError: An empty list of columns, bounds that contradict each other, a delimiter or
            quote that is not one character, a path that leaves the workspace.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> judge = CsvJudge(["name", "age"], min_rows=1)
        >>> evaluate(judge, JudgmentContext(output="name,age\nAda,36\n")).reasoning
        'the output is a table of 2 columns and 1 row'
    """

    columns: Sequence[str] | None = None
    require: Literal["all", "at_least"] = "all"
    min_rows: int | None = None
    max_rows: int | None = None
    delimiter: str = ","
    quote: str = '"'
    path: str | None = None
    _dialect: Dialect = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "CsvJudge", cost=Cost.FILE, type="csv", needs=("output", "workspace"), version="1"
    )

    def __post_init__(self) -> None:
        _set(self, "_dialect", Dialect(self.delimiter, self.quote))
        check_choice(self.require, ("all", "at_least"), "require")
        if self.columns is not None:
            _set(self, "columns", check_columns(self.columns, "columns"))
        if self.path is not None:
            _set(self, "path", check_path(self.path))
        _check_rows(self.min_rows, self.max_rows)

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Read the output or file."""
        table = read_table(context, self.path, self._dialect)
        if isinstance(table, Judgment):
            return table
        rows = len(table.rows)
        shape = f"is a table of {_count(len(table.columns), 'column')} and {_count(rows, 'row')}"
        checks = [Check("CSV", True, shape), *self._checks(table)]
        failed = next((check for check in checks if not check.passed), None)
        reasoning = f"{source_name(self.path)} {shape}"
        return Judgment.from_checks(
            checks, f"{reasoning}; {failed.name}: {failed.message}" if failed else reasoning
        )

    def _checks(self, table: Table) -> Iterator[Check]:
        if self.columns is not None:
            yield self._check_columns(table.columns, self.columns)
        rows = len(table.rows)
        if self.min_rows is not None:
            few = rows < self.min_rows
            yield Check("min_rows", not few, f"{rows}, at least {self.min_rows} are needed")
        if self.max_rows is not None:
            many = rows > self.max_rows
            yield Check("max_rows", not many, f"{rows}, at most {self.max_rows} are allowed")

    def _check_columns(self, found: Sequence[str], expected: Sequence[str]) -> Check:
        lacking = [name for name in expected if name not in found]
        extra = [name for name in found if name not in expected]
        if lacking:
            return Check("columns", False, f"{quoted(lacking[0])} is missing")
        if self.require == "all" and extra:
            return Check("columns", False, f"{quoted(extra[0])} is not expected")
        if self.require == "all" and tuple(found) != tuple(expected):
            return Check("columns", False, f"they are {shown(', '.join(found))}, in another order")
        return Check("columns", True, "as expected", examined=len(expected))


def read_table(context: JudgmentContext, path: str | None, dialect: Dialect) -> Table | Judgment:
    """The table that the output or a file is, or the judgment that it is none."""
    text = read_text_source(context, path)
    if isinstance(text, Judgment):
        return text
    if not isinstance(text, str):
        reason = f"the output is {kind_of(text)}, and this judge reads text"
        return Judgment.erring(reason, ReasonCode.MALFORMED_EVIDENCE)
    try:
        return dialect.read(text)
    except InvalidTableError as fault:
        check = Check("CSV", False, str(fault))
        return Judgment.failing(f"{source_name(path)} is no table: {fault}", checks=(check,))


def check_columns(columns: object, name: str) -> tuple[str, ...]:
    """Refuse what is no list of names, no two alike.

    Raises:
        ArgumentTypeError: It is no list of strings.
        ArgumentError: It is empty, or names one twice.
    """
    if isinstance(columns, str):
        raise ArgumentTypeError(f"{name} must be a list of names, not {columns!r}")
    kept = check_texts(columns, name)
    if len(set(kept)) != len(kept):
        raise ArgumentError(f"{name} names a column twice: {', '.join(kept)}")
    return kept


_set = object.__setattr__


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _check_rows(fewest: object, most: object) -> None:
    for name, bound in (("min_rows", fewest), ("max_rows", most)):
        if bound is None:
            continue
        if type(bound) is not int:
            raise ArgumentTypeError(f"{name} must be a whole number, not {bound!r}")
        if bound < 0:
            raise ArgumentError(f"{name} must not be negative, got {bound}")
    if type(fewest) is int and type(most) is int and fewest > most:
        raise ArgumentError(f"min_rows {fewest} is over max_rows, {most}")
