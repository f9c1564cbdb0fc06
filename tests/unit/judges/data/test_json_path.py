from __future__ import annotations

import sys
from typing import Any

import pytest

from agent_judge import JudgmentContext, ReasonCode, Status, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError, MissingExtraError
from agent_judge.judges.data import JsonPathJudge, json_path
from agent_judge.judgment import Judgment

SHOP = {"items": [{"name": "tea", "price": 2.5}, {"name": "cup", "price": 8}]}


def judged(query: str, output: Any = SHOP, **options: Any) -> Judgment:
    """What is found of an output."""
    return evaluate(JsonPathJudge(query, **options), JudgmentContext(output=output))


@pytest.mark.parametrize(
    ("query", "passes"),
    [("$.items[0].name", True), ("$..price", True), ("$.items[5]", False), ("$['none']", False)],
)
def test_without_an_expectation_something_has_to_be_there(query: str, passes: bool) -> None:
    """A query that selects nothing fails."""
    assert judged(query).passed is passes


@pytest.mark.parametrize(
    ("query", "expected", "require", "passes"),
    [
        ("$.items[0].name", "tea", "all", True),
        ("$.items[1].price", 8.0, "all", True),
        ("$..name", "tea", "all", False),
        ("$..name", "tea", "any", True),
        ("$..name", "pot", "any", False),
        ("$.none", None, "all", False),
        ("$..name", ["tea", "cup"], "list", True),
        ("$..name", ["cup", "tea"], "list", False),
        ("$..name", ["tea"], "list", False),
        ("$.none", [], "list", True),
        ("$.items[?@.price > 5]", {"price": 8, "name": "cup"}, "all", True),
        ("$.items[?match(@.name, 't.a')].price", 2.5, "all", True),
        ("$.items[?search(@.name, 'u')].price", 8, "all", True),
    ],
)
def test_what_is_selected_has_to_be_as_expected(
    query: str, expected: Any, require: str, passes: bool
) -> None:
    """All of it, any of it, or the list of it."""
    assert judged(query, expected=expected, require=require).passed is passes


@pytest.mark.parametrize(("count", "passes"), [(0, False), (1, False), (2, True)])
def test_how_many_are_selected_may_be_expected(count: int, passes: bool) -> None:
    """Exactly so many."""
    assert judged("$.items[*]", count=count).passed is passes


def test_none_may_be_expected() -> None:
    """That nothing is there is found by looking."""
    judgment = judged("$..secret", count=0)

    assert judgment.passed
    assert judgment.checks[0].examined == 1


@pytest.mark.parametrize(
    ("output", "expected", "passes"), [(True, 1, False), (1, True, False), (None, None, True)]
)
def test_true_is_no_number(output: Any, expected: Any, passes: bool) -> None:
    """And null is a value that may be expected."""
    assert judged("$.a", {"a": output}, expected=expected).passed is passes


def test_numbers_may_be_near() -> None:
    """As near as the tolerance says."""
    assert judged("$.a", {"a": 1.1}, expected=1, tolerance=0.1).passed
    assert not judged("$.a", {"a": 1.2}, expected=1, tolerance=0.1).passed


def test_the_context_may_say_what_is_expected() -> None:
    """Where the judge is told to look there."""
    judge = JsonPathJudge("$.a", expected_from="context")

    assert evaluate(judge, JudgmentContext(output={"a": 1}, expected=1)).passed
    assert not evaluate(judge, JudgmentContext(output={"a": 1}, expected=2)).passed
    absent = evaluate(judge, JudgmentContext(output={"a": 1}))
    assert absent.code is ReasonCode.MISSING_INPUT


def test_a_list_to_compare_with_is_a_list() -> None:
    """Refused where it is given; an error where the context holds it."""
    with pytest.raises(ArgumentError, match="takes an array"):
        JsonPathJudge("$.a", expected=1, require="list")
    judge = JsonPathJudge("$.a", require="list", expected_from="context")

    judgment = evaluate(judge, JudgmentContext(output={}, expected=1))

    assert judgment.code is ReasonCode.MALFORMED_EVIDENCE


@pytest.mark.parametrize(
    "query",
    ["", "a.b", "$.a b", "$['a'", "$[?foo(@)]", "$.a[99999999999999999999]", "$[?@.a == ]", " $.a"],
)
def test_what_is_no_query_is_refused(query: str) -> None:
    """When the judge is built, with the reason on one line."""
    with pytest.raises(ArgumentError, match=r"is no JSONPath \(RFC 9535\)[^\n]*$"):
        JsonPathJudge(query)


@pytest.mark.parametrize(
    "options",
    [
        {"require": "some"},
        {"count": -1},
        {"tolerance": -1},
        {"timeout": 0},
        {"expected_from": "x"},
        {"expected": 1, "expected_from": "context"},
    ],
)
def test_options_that_mean_nothing_are_refused(options: Any) -> None:
    """When the judge is built."""
    with pytest.raises(ArgumentError):
        JsonPathJudge("$.a", **options)


@pytest.mark.parametrize("options", [{"count": 1.0}, {"tolerance": "1"}, {"expected": {1}}])
def test_options_of_other_types_are_refused(options: Any) -> None:
    """A count is a whole number."""
    with pytest.raises(ArgumentTypeError):
        JsonPathJudge("$.a", **options)


def test_a_pattern_of_the_judged_work_ends_at_the_deadline() -> None:
    """A query may take its pattern from the document. (contract: judges:F9)"""
    hostile = {"a": ["a" * 100 + "!"], "pattern": "(a|aa)+"}

    judgment = judged("$.a[?match(@, $.pattern)]", hostile, timeout=0.5)

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.TIMEOUT


def test_a_query_that_selects_too_much_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compared in part."""
    monkeypatch.setattr(json_path, "LIMIT", 3)

    assert judged("$[*]", [1, 2, 3]).passed
    assert judged("$[*]", [1, 2, 3, 4]).code is ReasonCode.TOO_LARGE


def test_an_answer_that_is_too_long_is_an_error() -> None:
    """Values within values may add up to more than there is memory for."""
    nested: Any = "x" * 5_000_000
    for _ in range(20):
        nested = [nested]

    assert judged("$..*", nested).code is ReasonCode.JUDGE_RAISED


@pytest.mark.parametrize(
    ("options", "reasoning"),
    [
        ({}, "'$..name' selects 2 values"),
        ({"count": 3}, "'$..name' selects 2 values; 3 expected"),
        (
            {"expected": "tea"},
            '\'$..name\' selects 2 values; /items/1/name is "cup", expected "tea"',
        ),
        (
            {"expected": ["tea"], "require": "list"},
            '\'$..name\' selects 2 values; they are ["tea", "cup"], expected ["tea"]',
        ),
    ],
)
def test_the_reasoning_says_what_was_selected(options: Any, reasoning: str) -> None:
    """And where the first difference is."""
    assert judged("$..name", **options).reasoning == reasoning


def test_a_missing_package_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the judge is built, for the query cannot be checked."""
    monkeypatch.setitem(sys.modules, "jsonpath", None)

    with pytest.raises(MissingExtraError, match=r"agent-judge\[data\]"):
        JsonPathJudge("$.a")
