from __future__ import annotations

import csv
from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge import JudgmentContext, NumericalScore, ReasonCode, Status, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.data import CsvJudge, CsvMatchJudge, csv_match, table
from agent_judge.judges.data.table import Dialect, InvalidTableError
from agent_judge.judgment import Judgment

PEOPLE = "name,age\nAda,36\nAlan,41\n"
CELLS = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=5)


def judged(judge: CsvJudge | CsvMatchJudge, output: Any) -> Judgment:
    """What is found of an output."""
    return evaluate(judge, JudgmentContext(output=output))


def share(expected: Any, output: str, **options: Any) -> float:
    """The share of cells that are as expected."""
    score = judged(CsvMatchJudge(expected, threshold=1, **options), output).score
    assert isinstance(score, NumericalScore)
    return score.value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it has no header"),
        ("\n\n", "it has no header"),
        ("a,a\n1,2\n", "two columns are called 'a'"),
        ("a,b\n1\n", "line 2 has 1 cells, and the header has 2"),
        ("a,b\n\n1,2\n1,2,3\n", "line 4 has 3 cells, and the header has 2"),
        ('a\n"1\n', "line 2: unexpected end of data"),
        ('a\n"1"2\n', "line 2: ',' expected after '\"'"),
    ],
)
def test_a_table_is_read_strictly(text: str, why: str) -> None:
    """What a lenient reader would make of it is not guessed."""
    with pytest.raises(InvalidTableError, match=why):
        Dialect().read(text)
    judgment = judged(CsvJudge(), text)

    assert judgment.status is Status.FAIL
    assert judgment.reasoning == f"the output is no table: {why}"


@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), max_size=4), st.sampled_from(",;\t|"))
def test_a_table_that_is_written_is_read_back(rows: list[list[str]], delimiter: str) -> None:
    """Whatever its cells hold, and whatever stands between them."""
    written = StringIO(newline="")
    csv.writer(written, delimiter=delimiter).writerows([["a", "b"], *rows])

    read = Dialect(delimiter).read(written.getvalue())

    assert list(read.columns) == ["a", "b"]
    assert [list(row) for row in read.rows] == rows


def test_marks_and_blank_lines_around_a_table_are_skipped() -> None:
    """A byte order mark is no part of the first name."""
    read = Dialect().read("\ufeff\r\na,b\r\n\r\n1,2")

    assert (list(read.columns), [list(row) for row in read.rows]) == (["a", "b"], [["1", "2"]])


def test_a_table_may_have_so_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded."""
    monkeypatch.setattr(table, "MAX_ROWS", 2)

    assert len(Dialect().read("a\n1\n2\n").rows) == 2
    with pytest.raises(InvalidTableError, match="more than 2 rows"):
        Dialect().read("a\n1\n2\n3\n")


@pytest.mark.parametrize(
    ("options", "passes"),
    [
        ({"columns": ["name", "age"]}, True),
        ({"columns": ["age", "name"]}, False),
        ({"columns": ["name"]}, False),
        ({"columns": ["name", "age", "city"]}, False),
        ({"columns": ["age"], "require": "at_least"}, True),
        ({"columns": ["age", "name"], "require": "at_least"}, True),
        ({"columns": ["city"], "require": "at_least"}, False),
        ({"min_rows": 2, "max_rows": 2}, True),
        ({"min_rows": 3}, False),
        ({"max_rows": 1}, False),
        ({}, True),
    ],
)
def test_columns_and_rows_may_be_required(options: Any, passes: bool) -> None:
    """The header is no row."""
    assert judged(CsvJudge(**options), PEOPLE).passed is passes


@pytest.mark.parametrize(
    ("options", "reasoning"),
    [
        ({}, ""),
        ({"columns": ["name", "city"]}, "; columns: 'city' is missing"),
        ({"columns": ["name"]}, "; columns: 'age' is not expected"),
        ({"columns": ["age", "name"]}, "; columns: they are name, age, in another order"),
        ({"min_rows": 3}, "; min_rows: 2, at least 3 are needed"),
        ({"max_rows": 1}, "; max_rows: 2, at most 1 are allowed"),
    ],
)
def test_the_reasoning_says_what_shape_it_has(options: Any, reasoning: str) -> None:
    """And what is wrong with it first."""
    found = judged(CsvJudge(**options), PEOPLE).reasoning

    assert found == f"the output is a table of 2 columns and 2 rows{reasoning}"


@pytest.mark.parametrize("output", [None, 5, [["a"], ["1"]]])
@pytest.mark.parametrize("judge", [CsvJudge(), CsvMatchJudge("a\n1", threshold=1)])
def test_a_table_is_text(judge: Any, output: Any) -> None:
    """Another value cannot be read as one."""
    assert judged(judge, output).code is ReasonCode.MALFORMED_EVIDENCE


@pytest.mark.parametrize(
    "options",
    [
        {"columns": []},
        {"columns": ["a", "a"]},
        {"columns": [""]},
        {"require": "some"},
        {"min_rows": -1},
        {"min_rows": 2, "max_rows": 1},
        {"delimiter": ""},
        {"delimiter": ",,"},
        {"delimiter": "\n"},
        {"quote": ","},
    ],
)
def test_options_that_mean_nothing_are_refused(options: Any) -> None:
    """When the judge is built."""
    with pytest.raises(ArgumentError):
        CsvJudge(**options)


@pytest.mark.parametrize(
    "options", [{"columns": "a"}, {"columns": [1]}, {"max_rows": 1.5}, {"delimiter": 5}]
)
def test_options_of_other_types_are_refused(options: Any) -> None:
    """A name is no list of names."""
    with pytest.raises(ArgumentTypeError):
        CsvJudge(**options)


@pytest.mark.parametrize(
    ("output", "expected_share"),
    [
        (PEOPLE, 1),
        ("age,name\n36,Ada\n41,Alan\n", 1),
        ("name,age\nAda,36\nAlan,42\n", 3 / 4),
        ("name,age\nAlan,41\nAda,36\n", 0),
        ("name,age\nAda,36\n", 1 / 2),
        ("name,age\nAda,36\nAlan,41\nEve,9\n", 4 / 6),
        ("name\nAda\nAlan\n", 1 / 2),
        ("name,age,x\nAda,36,1\nAlan,41,2\n", 4 / 6),
        ("name,age\n", 0),
    ],
)
def test_the_score_is_the_share_of_cells(output: str, expected_share: float) -> None:
    """Columns go by name, and rows by their order."""
    assert share(PEOPLE, output) == pytest.approx(expected_share)


@pytest.mark.parametrize(
    ("output", "expected_share"),
    [
        ("name,age\nAlan,41\nAda,36\n", 1),
        ("name,age\nAlan,41\nAlan,41\n", 2 / 6),
        ("name,age\nAlan,41\nEve,36\n", 2 / 6),
        ("age\n36\n41\n", 0),
    ],
)
def test_rows_may_go_by_a_key(output: str, expected_share: float) -> None:
    """Another row of a key that was there already is not expected."""
    assert share(PEOPLE, output, key=["name"]) == pytest.approx(expected_share)


def test_what_is_not_expected_can_be_ignored() -> None:
    """Rows and columns, each by name."""
    output = "name,age,x\nAda,36,1\nAlan,41,2\nEve,9,3\n"

    assert share(PEOPLE, output, extra_rows="ignore") == pytest.approx(4 / 6)
    assert share(PEOPLE, output, extra_columns="ignore") == pytest.approx(4 / 6)
    assert share(PEOPLE, output, extra_rows="ignore", extra_columns="ignore") == 1


@pytest.mark.parametrize(
    ("cell", "matches"),
    [
        ("36", 1),
        ("36.0", 1),
        ("3.6e1", 1),
        ("36.5", 1),
        ("36.51", 0),
        ("x", 0),
        ("", 0),
        ("1/2", 0),
    ],
)
def test_a_number_of_a_column_with_a_tolerance_may_be_near(cell: str, matches: int) -> None:
    """Its bound is allowed."""
    assert share("a\n36\n", f"a\n{cell or chr(34) * 2}\n", tolerance={"a": 0.5}) == matches


@pytest.mark.parametrize(
    ("expected", "cell", "matches"),
    [
        ("36", "36.0", 0),
        ("36", " 36", 0),
        ("a", "A", 0),
        (36, "36.0", 1),
        (36, "36.5", 0),
        (0.1, "1e-1", 1),
        (None, '""', 1),
        (None, "x", 0),
        ("", '""', 1),
        ("NaN", "NaN", 1),
    ],
)
def test_without_a_tolerance_text_is_compared_as_text(
    expected: Any, cell: str, matches: int
) -> None:
    """A number that is expected as a number is compared as one."""
    assert share([{"a": expected, "b": "x"}], f"a,b\n{cell},x\n") == (1 + matches) / 2


def test_a_key_may_have_several_columns() -> None:
    """Together they tell rows apart."""
    expected: Any = [{"x": 1, "y": "a", "z": 1}, {"x": 1, "y": "b", "z": 2}]

    judgment = judged(CsvMatchJudge(expected, threshold=1, key=["x", "y"]), "x,y,z\n1,b,2\n1,a,3\n")

    assert [(check.name, check.passed, check.message) for check in judgment.checks] == [
        ("row '1', 'a'", False, "z is '3', expected 1"),
        ("row '1', 'b'", True, "as expected"),
    ]


def test_each_row_is_a_check() -> None:
    """It says what differs, and how many cells were looked at."""
    output = "name,city\nAda,Rome\nEve,Oslo\nBob,Bern\n"

    judgment = judged(CsvMatchJudge(PEOPLE, threshold=1), output)

    assert [(check.name, check.message, check.examined) for check in judgment.checks] == [
        ("row 1", "age is missing, expected '36'; city is not expected", 3),
        (
            "row 2",
            "name is 'Eve', expected 'Alan'; age is missing, expected '41'; city is not expected",
            3,
        ),
        ("row 3", "is not expected", 2),
    ]
    assert judgment.reasoning.startswith("1 of 8 cells match; row 1: age is missing")


def test_the_mark_is_reached_or_not_and_recorded() -> None:
    """A share equal to the threshold passes."""
    output = "name,age\nAda,36\nAlan,42\n"

    assert judged(CsvMatchJudge(PEOPLE, threshold=0.75), output).passed
    below = judged(CsvMatchJudge(PEOPLE, threshold=0.76), output)
    assert not below.passed
    assert below.evidence["threshold"] == 0.76


@pytest.mark.parametrize(
    "expected", [PEOPLE, [{"name": "Ada", "age": 36}, {"name": "Alan", "age": 41}]]
)
def test_the_context_may_say_what_is_expected(expected: Any) -> None:
    """As CSV or as a list of objects."""
    judge = CsvMatchJudge(threshold=1)

    assert evaluate(judge, JudgmentContext(output=PEOPLE, expected=expected)).passed
    assert evaluate(judge, JudgmentContext(output=PEOPLE)).code is ReasonCode.MISSING_INPUT


SOUND: dict[str, Any] = {"expected": PEOPLE, "threshold": 1}
BAD_TABLES = [
    ("", ArgumentError),
    ("a\n", ArgumentError),
    ("a,b\n1\n", ArgumentError),
    ([], ArgumentError),
    ([{}], ArgumentError),
    ([{"a": 1}, {"b": 1}], ArgumentError),
    ([{"a": True}], ArgumentTypeError),
    ([{"a": [1]}], ArgumentTypeError),
    ([1], ArgumentTypeError),
    (5, ArgumentTypeError),
    ({"a": 1}, ArgumentTypeError),
]


@pytest.mark.parametrize(("expected", "error"), BAD_TABLES)
def test_a_table_to_compare_with_has_to_be_one(expected: Any, error: type[Exception]) -> None:
    """Refused where it is given; an error where the context holds it."""
    with pytest.raises(error):
        CsvMatchJudge(expected, threshold=1)
    context = JudgmentContext(output=PEOPLE, expected=expected)

    judgment = evaluate(CsvMatchJudge(threshold=1), context)

    assert judgment.code is ReasonCode.MALFORMED_EVIDENCE


@pytest.mark.parametrize(
    "options",
    [
        {"key": ["city"]},
        {"key": []},
        {"tolerance": {"city": 1}},
        {"tolerance": {"age": -1}},
        {"extra_rows": "fail"},
        {"extra_columns": "fail"},
        {"threshold": 2},
        {"expected": "name,age\nAda,1\nAda,2\n", "key": ["name"]},
    ],
)
def test_options_that_compare_nothing_are_refused(options: Any) -> None:
    """When the judge is built."""
    with pytest.raises(ArgumentError):
        CsvMatchJudge(**{**SOUND, **options})


@pytest.mark.parametrize(
    "options", [{"key": "name"}, {"tolerance": [1]}, {"tolerance": {"age": "1"}}]
)
def test_options_of_the_comparison_have_types(options: Any) -> None:
    """A key is a list of columns, and a tolerance belongs to one."""
    with pytest.raises(ArgumentTypeError):
        CsvMatchJudge(PEOPLE, threshold=1, **options)


def test_too_many_rows_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither of the output nor of what is expected."""
    monkeypatch.setattr(csv_match, "LIMIT", 2)

    assert judged(CsvMatchJudge("a\n1\n", threshold=1), "a\n1\n2\n3\n").code is ReasonCode.TOO_LARGE
    with pytest.raises(ArgumentError, match="more than 2 rows"):
        CsvMatchJudge("a\n1\n2\n3\n", threshold=1)
