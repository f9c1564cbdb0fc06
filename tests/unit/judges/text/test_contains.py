from __future__ import annotations

import pytest

from agent_judge import JudgmentContext, ReasonCode, Status, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.text import ContainsJudge


@pytest.mark.parametrize(
    ("require", "output", "passes"),
    [
        ("all", "a b", True),
        ("all", "a", False),
        ("all", "", False),
        ("any", "a", True),
        ("any", "c", False),
        ("none", "c", True),
        ("none", "", True),
        ("none", "b", False),
    ],
)
def test_all_any_or_none_may_be_required(require: str, output: str, passes: bool) -> None:
    """Each text is looked for on its own."""
    judge = ContainsJudge(["a", "b"], require=require)  # type: ignore[arg-type]

    assert evaluate(judge, JudgmentContext(output=output)).passed is passes


def test_each_text_has_a_check() -> None:
    """The check says what should be there and whether it was found."""
    judgment = evaluate(ContainsJudge(["a", "b"]), JudgmentContext(output="a"))

    assert [(check.name, check.message) for check in judgment.checks] == [
        ("contain 'a'", "'a' was found"),
        ("contain 'b'", "'b' was not found"),
    ]
    assert judgment.reasoning == "the output contains 1 of 2 texts; it should contain 'b'"


def test_what_was_found_and_should_not_be_is_named() -> None:
    """The negation is in the name of the check."""
    judgment = evaluate(ContainsJudge("a", require="none"), JudgmentContext(output="a"))

    assert judgment.reasoning == "the output contains 1 of 1 texts; it should not contain 'a'"


def test_texts_of_which_one_is_enough_inform_when_they_are_absent() -> None:
    """The absent ones are advisory once another was found."""
    judgment = evaluate(ContainsJudge(["a", "b"], require="any"), JudgmentContext(output="b"))

    assert [check.advisory for check in judgment.checks] == [True, False]


@pytest.mark.parametrize("expected", ["b", ["b"], ["a", "b"]])
def test_the_context_may_say_what_to_look_for(expected: str | list[str]) -> None:
    """One text or a list of texts."""
    assert evaluate(ContainsJudge(), JudgmentContext(output="abc", expected=expected)).passed


@pytest.mark.parametrize("expected", [5, {"a": "b"}, [], ["a", ""], [1], ""])
def test_what_cannot_be_looked_for_is_an_error(expected: object) -> None:
    """Nothing passes because the context expects nothing. (contract: judges:F8)"""
    context = JudgmentContext(output="abc", expected=expected)  # type: ignore[arg-type]

    judgment = evaluate(ContainsJudge(), context)

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.MALFORMED_EVIDENCE


@pytest.mark.parametrize("expected", ["", [], ["a", ""], ()])
def test_nothing_to_look_for_is_refused(expected: object) -> None:
    """Every text contains an empty one. (contract: judges:F8)"""
    with pytest.raises(ArgumentError, match="empty"):
        ContainsJudge(expected)  # type: ignore[arg-type]


def test_a_text_that_its_form_makes_empty_is_refused() -> None:
    """White space alone is nothing once white space is ignored."""
    with pytest.raises(ArgumentError, match="empty"):
        ContainsJudge(" \n", whitespace="trim")


@pytest.mark.parametrize("expected", [5, {"a"}, [5], b"a"])
def test_what_is_no_text_is_refused(expected: object) -> None:
    """Configuration gives strings."""
    with pytest.raises(ArgumentTypeError):
        ContainsJudge(expected)  # type: ignore[arg-type]


def test_differences_are_ignored_by_name() -> None:
    """On both sides alike."""
    context = JudgmentContext(output="Cafe\u0301  du\nMonde")

    assert not evaluate(ContainsJudge("caf\u00e9 DU monde"), context).passed
    judge = ContainsJudge("caf\u00e9 DU monde", case="ignore", whitespace="collapse", unicode="NFC")
    assert evaluate(judge, context).passed


def test_an_unknown_requirement_is_refused() -> None:
    """The message lists those that there are."""
    with pytest.raises(ArgumentError, match="require must be one of 'all', 'any', 'none'"):
        ContainsJudge("a", require="some")  # type: ignore[arg-type]


def test_what_cannot_be_printed_is_escaped() -> None:
    """Neither a control character nor a long text reaches the report as it is."""
    judgment = evaluate(ContainsJudge("\x1b[2J" + "x" * 200), JudgmentContext(output="a"))

    assert judgment.checks[0].name == r"contain '\x1b[2J" + "x" * 76 + "'…"
