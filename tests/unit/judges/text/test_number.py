from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge import JudgmentContext, ReasonCode, Status, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.text import NumberJudge
from agent_judge.judges.text.number import MAX_TEXT
from agent_judge.judges.text.numerals import NumberFormat


def values(text: str, **marks: Any) -> list[float | None]:
    """What is found in a text, `None` for what is unclear."""
    found = NumberFormat(**marks).find(text)
    return [None if numeral.value is None else float(numeral.value) for numeral in found]


def status(output: object, expected: float | str, **options: Any) -> Status:
    """What is found of an output."""
    judge = NumberJudge(expected, **options)
    return evaluate(judge, JudgmentContext(output=output)).status  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("output", "expected"), [("ANSWER: 711", 11), ("5", -5), ("-5", 5), ("33.14", 3.14)]
)
def test_a_number_is_read_whole(output: str, expected: float) -> None:
    """Neither the end of it nor the number without its sign is the number. (contract: cases:B1)"""
    assert status(output, expected) is Status.FAIL


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("42", 42),
        ("The answer is 42.", 42),
        ("**42**", 42),
        ("_42_", 42),
        ("$42$", 42),
        (r"\boxed{42}", 42),
        ("#### 42", 42),
        ("(42)", 42),
        ("x=42,", 42),
        ("answer:42", 42),
        ("€42", 42),
        ("-5", -5),
        ("\u22125", -5),
        ("+5", 5),
        ("x=-5", -5),
        ("-$5", -5),
        ("$-5", -5),
        ("- 5 apples", 5),
        ("3.14.", 3.14),
        (".5", 0.5),
        ("-.5", -0.5),
        ("007", 7),
        ("1,000.50", 1000.5),
        ("-1,234,567", -1234567),
        ("1.5e3", 1500),
        ("2E-2", 0.02),
        ("\uff14\uff12", 42),
    ],
)
def test_numbers_are_found_in_prose_and_markup(text: str, value: float) -> None:
    """Whatever stands around them, as long as it says nothing about them."""
    assert values(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "none",
        "NaN",
        "null",
        "Infinity",
        "-inf",
        "__import__('os').system('true')",
        "GPT-4",
        "x2",
        "user_1",
        "C++11",
        "v1.2",
    ],
)
def test_digits_of_a_word_are_no_number(text: str) -> None:
    """Neither is anything that an evaluation could make one of. (contract: cases:E11)"""
    assert values(text) == []
    assert status(text, 0) is Status.FAIL


@pytest.mark.parametrize(
    "text",
    [
        "1.000,50",
        "1 000",
        "1\u00a0000",
        "1'000",
        "1_000",
        "1,2,3",
        "1.2.3",
        "0,5",
        "1,0000",
        "\u0663\u066b\u0665",
        "5km",
        "10k",
        "3 million",
        "10²",
        "1½",
        "½",
        "5‰",
        "is - 5",
        "--5",
        "±5",
        "\u20135",
        "3/4",
        "3 / 4",
        "50%",
        "50 percent",
        "1e9999",
        "9" * 500,
        f"1.{'0' * 500}1",
        "0x1F",
        "1e",
    ],
)
def test_what_may_be_another_number_is_unclear(text: str) -> None:
    """Nothing is concluded from it, whatever is expected. (contract: cases:B3)"""
    assert values(text) == [None]
    assert status(text, 5) is Status.ABSTAIN


@pytest.mark.parametrize(
    "text", ["2+2", "10-20", "2019\u20132020", "10:30", "10^5", "10**5", "3\u00d74"]
)
def test_joined_numbers_are_unclear(text: str) -> None:
    """An expression is not evaluated, and none of its parts is its value. (contract: cases:E11)"""
    assert values(text) == [None, None]
    assert status(text, 2) is Status.ABSTAIN


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1, 2, 3", [1, 2, 3]),
        ("2020 300", [2020, 300]),
        ("10 - 5 = 5", [10, 5, 5]),
        ("5+3=8", [None, None, 8]),
        ("GPT-4 says 42", [42]),
        ("2024-01-02", [None, None, None]),
        ("10^{5}", [None, None]),
        (r"\frac{3}{4}", [None, None]),
    ],
)
def test_several_numbers_are_found_in_order(text: str, found: list[float | None]) -> None:
    """Clear and unclear ones alike."""
    assert values(text) == found


@pytest.mark.parametrize(
    ("text", "marks", "value"),
    [
        ("1.000,50", {"decimal": ",", "grouping": "."}, 1000.5),
        ("0,5", {"decimal": ",", "grouping": ""}, 0.5),
        ("1 000", {"grouping": " "}, 1000),
        ("1\u202f000,5", {"grouping": " ", "decimal": ","}, 1000.5),
        ("1'000", {"grouping": "'"}, 1000),
        ("1\u2019000", {"grouping": "'"}, 1000),
        ("1_000", {"grouping": "_"}, 1000),
        ("1,000", {"grouping": ""}, None),
        ("3/4", {"fractions": "read"}, 0.75),
        ("-3 / 4", {"fractions": "read"}, -0.75),
        ("3/0", {"fractions": "read"}, None),
        ("1/2/3", {"fractions": "read"}, None),
        ("1.5/2", {"fractions": "read"}, None),
        ("50%", {"percent": "fraction"}, 0.5),
        ("12.5 per cent", {"percent": "fraction"}, 0.125),
        ("50 %", {"percent": "number"}, 50),
    ],
)
def test_how_numbers_are_written_is_declared(
    text: str, marks: dict[str, str], value: float | None
) -> None:
    """Each way of writing has a name. (contract: cases:B3)"""
    assert values(text, **marks) == [value]


def test_a_mixed_number_is_not_its_fraction() -> None:
    """`1 3/4` is more than `3/4`. (contract: cases:B3)"""
    assert values("1 3/4", fractions="read") == [1, None]


@given(st.decimals(-(10**12), 10**12, places=3), st.sampled_from(["", ","]))
def test_a_number_that_is_written_is_read_back(number: Any, grouping: str) -> None:
    """With and without groups, within a sentence."""
    written = f"{number:,f}" if grouping else f"{number:f}"

    (found,) = NumberFormat(grouping=grouping).find(f"It is {written}, I think.")  # type: ignore[arg-type]

    assert found.value == Fraction(number)


@given(st.text("0123456789.,-+/%eE ^_x()\n½²\u00d7:", max_size=30))
def test_any_text_can_be_read(text: str) -> None:
    """Reading never fails, and gives only what is written there."""
    for numeral in NumberFormat(fractions="read", percent="fraction").find(text):
        assert numeral.text.removeprefix("-") in text


@pytest.mark.parametrize(
    ("output", "options", "passes"),
    [
        ("10.4", {}, False),
        ("10.4", {"absolute_tolerance": 0.4}, True),
        ("9.6", {"absolute_tolerance": 0.4}, True),
        ("10.41", {"absolute_tolerance": 0.4}, False),
        ("10.4", {"relative_tolerance": 0.04}, True),
        ("10.41", {"relative_tolerance": 0.04}, False),
        ("10.41", {"relative_tolerance": 0.04, "absolute_tolerance": 1}, True),
    ],
)
def test_a_tolerance_includes_its_bound(
    output: str, options: dict[str, float], passes: bool
) -> None:
    """Numbers are exact: 10.4 is within 0.4 of 10."""
    assert (status(output, 10, **options) is Status.PASS) is passes


def test_a_decimal_is_what_is_written() -> None:
    """The float 0.1 was written 0.1, and that is what is expected."""
    assert status("0.1", 0.1) is Status.PASS
    assert status(0.1, "0.10") is Status.PASS
    assert status("0.1000000000000000055511151231257827", 0.1) is Status.FAIL


@pytest.mark.parametrize(("output", "expected"), [(0, 0), (4, 4.0), (-0.5, "-0.5")])
def test_a_number_is_read_as_it_is(output: float, expected: float | str) -> None:
    """Zero is an output like any other. (contract: cases:B13)"""
    assert status(output, expected) is Status.PASS


@pytest.mark.parametrize("output", [False, None, [0], {"a": 0}])
def test_other_values_are_no_numbers(output: object) -> None:
    """False is not zero. (contract: cases:B13, cases:E11)"""
    assert status(output, 0) is Status.ERROR


@pytest.mark.parametrize(
    ("which", "expected", "found"),
    [
        ("only", 3, Status.ABSTAIN),
        ("only", 7, Status.FAIL),
        ("first", 1, Status.PASS),
        ("first", 3, Status.FAIL),
        ("last", 3, Status.PASS),
        ("last", 1, Status.FAIL),
    ],
)
def test_of_several_numbers_one_counts_by_name(which: str, expected: int, found: Status) -> None:
    """Where none counts by name, the output fails only if all of them are wrong."""
    assert status("1, then 2, so 3", expected, which=which) is found


def test_an_unclear_number_among_others_leaves_it_open() -> None:
    """It may be the right one."""
    assert status("12 apples, 10k pears", 5) is Status.ABSTAIN
    assert status("12 apples, 10k pears", 12, which="first") is Status.PASS
    assert status("12 apples, 10k pears", 12, which="last") is Status.ABSTAIN


def test_the_context_may_say_which_number_is_expected() -> None:
    """As a number, or as a text that holds one."""
    assert evaluate(NumberJudge(), JudgmentContext(output="is 18", expected=18)).passed
    assert evaluate(NumberJudge(), JudgmentContext(output="is 18", expected="#### 18")).passed


@pytest.mark.parametrize("expected", ["none", "1 or 2", "5km", None, True, [1]])
def test_an_expectation_that_is_no_number_is_an_error(expected: object) -> None:
    """It says nothing about the output."""
    context = JudgmentContext(output="5", expected=expected)  # type: ignore[arg-type]

    assert evaluate(NumberJudge(), context).code is ReasonCode.MALFORMED_EVIDENCE


@pytest.mark.parametrize("expected", ["none", "1 or 2", "5km", float("nan"), float("inf")])
def test_an_expected_value_that_is_no_number_is_refused(expected: float | str) -> None:
    """NaN equals nothing. (contract: cases:E11)"""
    with pytest.raises(ArgumentError, match="not one clear and finite number"):
        NumberJudge(expected)


@pytest.mark.parametrize(
    "options",
    [
        {"absolute_tolerance": -1},
        {"relative_tolerance": float("nan")},
        {"absolute_tolerance": float("inf")},
        {"which": "any"},
        {"decimal": ";"},
        {"decimal": ",", "grouping": ","},
        {"grouping": "x"},
        {"fractions": "maybe"},
        {"percent": "yes"},
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, Any]) -> None:
    """When the judge is built."""
    with pytest.raises(ArgumentError):
        NumberJudge(5, **options)


@pytest.mark.parametrize(
    "arguments", [{"expected": True}, {"expected": [1]}, {"absolute_tolerance": "1"}]
)
def test_options_of_other_types_are_refused(arguments: dict[str, Any]) -> None:
    """A boolean is no number."""
    with pytest.raises(ArgumentTypeError):
        NumberJudge(**arguments)


def test_numbers_are_not_looked_for_in_a_book() -> None:
    """The time it takes is bounded."""
    judgment = evaluate(NumberJudge(5), JudgmentContext(output="5 " * MAX_TEXT))

    assert judgment.code is ReasonCode.TOO_LARGE


@pytest.mark.parametrize(
    ("output", "reasoning"),
    [
        ("no idea", "no number is found in 'no idea'"),
        ("is 4", "found '4', expected 2.5"),
        ("3, 4", "none of '3', '4' is 2.5"),
        (
            "2.5, 2.5",
            (
                "the output holds 2 numbers ('2.5', '2.5'); "
                "which='first' or 'last' says which of them counts"
            ),
        ),
    ],
)
def test_the_reasoning_says_what_was_found(output: str, reasoning: str) -> None:
    """And what was expected."""
    assert evaluate(NumberJudge(2.5), JudgmentContext(output=output)).reasoning == reasoning


@pytest.mark.parametrize(
    "output", ["__import__('os').sep.count('a')", "null", "NaN", "0 if True else 1"]
)
def test_an_output_is_never_evaluated(output: str) -> None:
    """What is not the number 0 does not become it. (contract: cases:E11)"""
    judgment = evaluate(NumberJudge(0), JudgmentContext(output=output))

    assert not judgment.passed
