from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge import JudgmentContext, Status, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.text import EqualsJudge
from agent_judge.judges.text.equals import _first_difference
from agent_judge.judges.text.form import TextForm

NFC, NFD = "caf\u00e9", "cafe\u0301"


def judged(judge: EqualsJudge, output: object) -> bool:
    """Whether an output passes."""
    judgment = evaluate(judge, JudgmentContext(output=output))  # type: ignore[arg-type]
    assert judgment.status in (Status.PASS, Status.FAIL)
    return judgment.passed


def test_the_context_may_say_what_is_expected() -> None:
    """What was given to the judge goes before it."""
    context = JudgmentContext(output="4", expected="4")

    assert evaluate(EqualsJudge(), context).passed
    assert not evaluate(EqualsJudge("5"), context).passed


@pytest.mark.parametrize("output", ["paris", " Paris", "Paris\n", "Par\u200bis", NFD])
def test_texts_are_compared_exactly(output: str) -> None:
    """Every difference counts unless it is ignored by name."""
    assert not judged(EqualsJudge(NFC if output == NFD else "Paris"), output)


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_normalisation_is_named(form: str) -> None:
    """Composed and decomposed letters are equal under each form. (contract: cases:B11)"""
    assert judged(EqualsJudge(NFC, unicode=form), NFD)  # type: ignore[arg-type]
    assert judged(EqualsJudge(NFD, unicode=form), NFC)  # type: ignore[arg-type]


def test_compatible_characters_are_equal_under_a_form_of_that_name_only() -> None:
    """NFC keeps apart what NFKC equates."""
    assert judged(EqualsJudge("1", unicode="NFKC"), "①")
    assert not judged(EqualsJudge("1", unicode="NFC"), "①")


@pytest.mark.parametrize(("one", "other"), [("PARIS", "paris"), ("STRASSE", "straße"), ("Ω", "ω")])
def test_case_is_folded_as_unicode_says(one: str, other: str) -> None:
    """Folding is more than lower case."""
    assert judged(EqualsJudge(one, case="ignore"), other)


@pytest.mark.parametrize("output", ["a b", " a b\n", "\ta b\u00a0"])
def test_white_space_around_can_be_ignored(output: str) -> None:
    """What is within still counts."""
    assert judged(EqualsJudge(" a b ", whitespace="trim"), output)
    assert not judged(EqualsJudge("a  b", whitespace="trim"), output)


def test_runs_of_white_space_can_count_as_one_space() -> None:
    """Line ends are white space."""
    assert judged(EqualsJudge("a b\nc", whitespace="collapse"), "  a\r\n\t b c ")
    assert not judged(EqualsJudge("ab", whitespace="collapse"), "a b")


@given(
    st.text(max_size=20),
    st.builds(
        TextForm,
        st.sampled_from(["exact", "ignore"]),
        st.sampled_from(["exact", "trim", "collapse"]),
        st.sampled_from(["exact", "NFC", "NFD", "NFKC", "NFKD"]),
    ),
)
def test_a_form_is_reached_at_once(text: str, form: TextForm) -> None:
    """A text that is in the form stays as it is."""
    assert form(form(text)) == form(text)


@pytest.mark.parametrize(
    ("expected", "output"),
    [
        (1, 1.0),
        (False, False),
        (None, None),
        (0, 0),
        ({"a": 1, "b": [1.0, None]}, {"b": [1, None], "a": 1.0}),
        ([], []),
    ],
)
def test_values_are_compared_as_json(expected: object, output: object) -> None:
    """Numbers by value, objects without order. (contract: cases:B13)"""
    assert judged(EqualsJudge(expected), output)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("expected", "output"),
    [
        (1, True),
        (0, False),
        ("1", 1),
        (None, ""),
        ("", None),
        ("null", None),
        ([1, 2], [2, 1]),
        ({}, []),
        ({"a": True}, {"a": 1}),
        (False, ""),
        (0, ""),
    ],
)
def test_values_of_different_kinds_differ(expected: object, output: object) -> None:
    """`true` is no number and `""` no null. (contract: cases:B13, cases:C5)"""
    assert not judged(EqualsJudge(expected), output)  # type: ignore[arg-type]


def test_an_empty_text_may_be_expected() -> None:
    """Some runs must answer nothing."""
    assert judged(EqualsJudge(""), "")
    assert not judged(EqualsJudge(""), " ")


@pytest.mark.parametrize(
    ("output", "reasoning"),
    [
        ("London\n", r"the output is 'London\n', expected 'Paris'"),
        (5, 'the output is 5, expected "Paris"'),
        (
            "x" * 100,
            f"the output differs from character 1 on: '{'x' * 80}'…, expected 'Paris'",
        ),
    ],
)
def test_a_difference_is_shown(output: object, reasoning: str) -> None:
    """Both sides, quoted and cut."""
    judgment = evaluate(EqualsJudge("Paris"), JudgmentContext(output=output))  # type: ignore[arg-type]

    assert judgment.reasoning == reasoning
    assert [check.name for check in judgment.failed_checks] == ["output"]


def test_long_texts_are_shown_from_where_they_part() -> None:
    """The quotation begins a little before the first difference."""
    judge = EqualsJudge("a" * 500 + "b")

    assert evaluate(judge, JudgmentContext(output="a" * 500 + "c")).reasoning == (
        f"the output differs from character 501 on: '{'a' * 20}c', expected '{'a' * 20}b'"
    )


@given(st.text("ab", max_size=9), st.text("ab", max_size=9), st.text("ab", max_size=9))
def test_the_first_difference_is_found(start: str, one: str, other: str) -> None:
    """It is where a reader from left to right would stop."""
    one, other = start + one, start + other
    pairs = enumerate(zip(one, other, strict=False))
    wanted = next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))

    assert _first_difference(one, other) == wanted


def test_it_passes_with_a_check() -> None:
    """What was looked at is on record."""
    judgment = evaluate(EqualsJudge("4"), JudgmentContext(output="4"))

    assert [(check.name, check.passed) for check in judgment.checks] == [("output", True)]


@pytest.mark.parametrize(
    "options", [{"case": "fold"}, {"whitespace": "ignore"}, {"unicode": "nfc"}, {"unicode": None}]
)
def test_unknown_words_are_refused(options: dict[str, object]) -> None:
    """The message lists the words that there are."""
    with pytest.raises(ArgumentError, match="must be one of 'exact'"):
        EqualsJudge("a", **options)  # type: ignore[arg-type]


def test_an_expected_value_that_json_cannot_carry_is_refused() -> None:
    """NaN equals nothing, itself included. (contract: cases:E11)"""
    with pytest.raises(ArgumentError, match="expected is nan"):
        EqualsJudge(float("nan"))
    with pytest.raises(ArgumentTypeError):
        EqualsJudge({1, 2})  # type: ignore[arg-type]
