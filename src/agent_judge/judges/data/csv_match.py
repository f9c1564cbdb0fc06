"""How much of an expected table is in the output, cell by cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal, TypeAlias, cast

from agent_judge.context import MISSING, JudgmentContext, Output
from agent_judge.errors import AgentJudgeError, ArgumentError, ArgumentTypeError
from agent_judge.frozen import EMPTY, FrozenMap, Json, freeze
from agent_judge.judges.data.csv_table import check_columns, read_table
from agent_judge.judges.data.rows import ComparedRow, RowComparison, expected_table
from agent_judge.judges.data.table import Dialect
from agent_judge.judges.data.values import check_tolerance
from agent_judge.judges.files.paths import check_path
from agent_judge.judges.text.reading import check_choice, missing_input
from agent_judge.judgment import Check, Judgment, ReasonCode, check_threshold
from agent_judge.protocol import Cost, JudgeMetadata

Policy: TypeAlias = Literal["count", "ignore"]

LIMIT: Final = 10_000
"""Rows that are compared."""


@dataclass(frozen=True, slots=True)
class CsvMatchJudge:
    r"""How much of an expected table the output, or a file of the workspace, has, cell by cell.

    The score is the share of cells that are as expected. Columns go by their names; rows by the
    key columns, or else by their order. A cell is compared as text, exactly, unless a number is
    expected in it or its column has a tolerance: then as a number (`1.50` is 1.5).

    Args:
        expected: The table, as CSV in the same dialect or as a list of objects, whose numbers are
            compared as numbers and whose nulls are empty cells. Without it, what the context
            expects.
        threshold: The score from which it passes.
        key: The columns that tell which rows belong together.
        tolerance: How far a number may be from the expected one, by the name of its column.
        extra_rows: Whether a row that is not expected counts as cells that differ, or is ignored.
        extra_columns: Whether a column that is not expected counts as cells that differ, one in
            each expected row, or is ignored.
        delimiter: What stands between cells.
        quote: What stands around a cell that holds a delimiter or a line end.
        path: A file of the workspace to read instead of the output, in UTF-8.

    Raises:
        ArgumentError: A threshold outside 0..1, an expected table that is none, is empty, or has a
            key twice, a key or tolerance for a column that it lacks, an unknown word, a path that
            leaves the workspace.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> judge = CsvMatchJudge("name,age\nAda,36\nAlan,41\n", threshold=0.7, key=["name"])
        >>> evaluate(judge, JudgmentContext(output="name,age\nAlan,42\nAda,36\n")).reasoning
        "3 of 4 cells match; row 'Alan': age is '42', expected '41'"
    """

    expected: str | Sequence[Mapping[str, Json]] | None = None
    threshold: float = field(kw_only=True)
    key: Sequence[str] = ()
    tolerance: Mapping[str, float] = EMPTY
    extra_rows: Policy = "count"
    extra_columns: Policy = "count"
    delimiter: str = ","
    quote: str = '"'
    path: str | None = None
    _dialect: Dialect = field(init=False, repr=False, compare=False)
    _comparison: RowComparison | None = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "CsvMatchJudge",
        cost=Cost.FILE,
        type="csv_match",
        needs=("output", "workspace", "expected"),
        version="1",
    )

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        _set(self, "_dialect", Dialect(self.delimiter, self.quote))
        check_choice(self.extra_rows, ("count", "ignore"), "extra_rows")
        check_choice(self.extra_columns, ("count", "ignore"), "extra_columns")
        if self.key != ():
            _set(self, "key", check_columns(self.key, "key"))
        _set(self, "tolerance", _check_tolerances(self.tolerance))
        if self.path is not None:
            _set(self, "path", check_path(self.path))
        expected = None if self.expected is None else freeze(self.expected, "expected")
        _set(self, "expected", expected)
        _set(self, "_comparison", None if expected is None else self._with(expected, "expected"))

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the output or file cell by cell."""
        comparison = self._comparison or self._compared_with(context.expected)
        if isinstance(comparison, Judgment):
            return comparison
        table = read_table(context, self.path, self._dialect)
        if isinstance(table, Judgment):
            return table
        if len(table.rows) > LIMIT:
            reason = f"more than {LIMIT} rows are not compared"
            return Judgment.erring(reason, ReasonCode.TOO_LARGE)
        return self._judge(comparison.compare(table))

    def _compared_with(self, expected: Output) -> RowComparison | Judgment:
        if expected is MISSING:
            return missing_input("the expected output")
        try:
            return self._with(expected, "context.expected")
        except AgentJudgeError as fault:
            return Judgment.erring(str(fault), ReasonCode.MALFORMED_EVIDENCE)

    def _with(self, expected: Json, name: str) -> RowComparison:
        """What compares with an expected table."""
        table = expected_table(expected, self._dialect, name)
        if len(table.rows) > LIMIT:
            raise ArgumentError(f"{name} has more than {LIMIT} rows")
        return RowComparison(
            table,
            key=tuple(self.key),
            tolerance=self.tolerance,
            extra_rows=self.extra_rows == "count",
            extra_columns=self.extra_columns == "count",
        )

    def _judge(self, rows: Sequence[ComparedRow]) -> Judgment:
        cells = sum(row.cells for row in rows)
        matching = sum(row.matching for row in rows)
        reasoning = f"{matching} of {cells} cells match"
        failed = next((row for row in rows if row.matching < row.cells), None)
        return Judgment.scored(
            matching / cells,
            threshold=self.threshold,
            reasoning=f"{reasoning}; {failed.name}: {failed.message}" if failed else reasoning,
            checks=[_check(row) for row in rows],
        )


_set = object.__setattr__


def _check(row: ComparedRow) -> Check:
    return Check(row.name, row.matching == row.cells, row.message, examined=row.cells or 1)


def _check_tolerances(tolerance: object) -> FrozenMap[float]:
    if not isinstance(tolerance, Mapping):
        raise ArgumentTypeError(f"tolerance must map columns to numbers, not be {tolerance!r}")
    given = cast("Mapping[str, object]", tolerance)
    return FrozenMap(
        {
            column: check_tolerance(distance, f"tolerance of {column!r}")
            for column, distance in given.items()
        }
    )
