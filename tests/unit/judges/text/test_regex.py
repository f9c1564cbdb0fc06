from __future__ import annotations

import pytest

from agent_judge import JudgmentContext, ReasonCode, Status, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.text import RegexJudge, patterns
from agent_judge.judgment import Judgment

ENGINES = pytest.mark.parametrize("engine", ["re", "regex"])


def judged(judge: RegexJudge, output: str) -> Judgment:
    """What is found of an output."""
    return evaluate(judge, JudgmentContext(output=output))


@ENGINES
def test_a_pattern_without_a_group_extracts_its_match(engine: str) -> None:
    """No group is needed to extract something. (contract: cases:B5)"""
    judgment = judged(RegexJudge(r"\d+", engine=engine), "The answer is 42")  # type: ignore[arg-type]

    assert judgment.passed
    assert judgment.metadata["extracted"] == "42"


@pytest.mark.parametrize(
    ("group", "extracted"), [(None, "4"), (0, "x=4, y"), (1, "4"), (2, "y"), ("name", "y")]
)
def test_a_group_is_extracted(group: int | str | None, extracted: str) -> None:
    """By number or name; by itself it is the first."""
    judge = RegexJudge(r"x=(\d), (?P<name>\w)", group=group)

    assert judged(judge, "that is: x=4, y").metadata["extracted"] == extracted


@pytest.mark.parametrize(("output", "passes"), [("is 42", True), ("is 43", False), ("is", False)])
def test_what_is_extracted_may_have_to_be_something(output: str, passes: bool) -> None:
    """It is compared exactly."""
    assert judged(RegexJudge(r"is (\d+)", expected="42"), output).passed is passes


def test_what_is_extracted_may_have_to_be_what_the_context_expects() -> None:
    """Where the judge is told to look there."""
    judge = RegexJudge(r"is (\d+)", expected_from="context")

    assert evaluate(judge, JudgmentContext(output="it is 42", expected="42")).passed
    assert evaluate(judge, JudgmentContext(output="it is 42", expected="4")).reasoning == (
        r"'is (\\d+)' matches '42', expected '4'"
    )


def test_a_group_that_takes_no_part_extracts_nothing() -> None:
    """Nothing is compared with nothing."""
    judgment = judged(RegexJudge("a|(b)", group=1, expected=""), "a")

    assert judgment.status is Status.FAIL
    assert judgment.reasoning == "'a|(b)' matches without group 1"


@pytest.mark.parametrize(
    ("mode", "output", "passes"),
    [("search", "xay", True), ("fullmatch", "a", True), ("fullmatch", "xay", False)],
)
def test_the_whole_output_may_have_to_match(mode: str, output: str, passes: bool) -> None:
    """By default a part of it is enough."""
    judge = RegexJudge("a|ab", mode=mode)  # type: ignore[arg-type]

    assert judged(judge, output).passed is passes


@ENGINES
def test_flags_have_names(engine: str) -> None:
    """They are those of the module `re`."""
    judge = RegexJudge(
        "^a .b  # comment",
        flags=["ignorecase", "multiline", "dotall", "verbose"],
        engine=engine,  # type: ignore[arg-type]
    )

    assert judged(judge, "x\nA\nB").passed
    assert not judged(RegexJudge(r"\w", flags=["ascii"]), "é").passed


@ENGINES
def test_endless_backtracking_ends_at_the_deadline(engine: str) -> None:
    """A hostile output cannot hold the judge up. (contract: judges:F9)"""
    judge = RegexJudge("(a|aa)+$", timeout=0.2, engine=engine)  # type: ignore[arg-type]

    judgment = judged(judge, "a" * 100 + "!")

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.TIMEOUT
    assert "took more than 0.2 s" in judgment.reasoning


def test_an_output_that_is_too_long_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not searched in part."""
    monkeypatch.setattr(patterns, "MAX_TEXT", 3)

    assert judged(RegexJudge("a"), "aaaa").code is ReasonCode.TOO_LARGE


@pytest.mark.parametrize("pattern", ["(", "", "a{2,1}"])
def test_an_invalid_pattern_is_refused(pattern: str) -> None:
    """When the judge is built; an empty one matches everything. (contract: judges:F8)"""
    with pytest.raises(ArgumentError, match="pattern"):
        RegexJudge(pattern)


@pytest.mark.parametrize("group", [2, -1, "name"])
def test_a_group_that_there_is_not_is_refused(group: int | str) -> None:
    """The message says which groups there are."""
    with pytest.raises(ArgumentError, match=r"no group .* it has 1 groups, named are word"):
        RegexJudge("(?P<word>a)", group=group)


@pytest.mark.parametrize(
    "options",
    [
        {"mode": "match"},
        {"engine": "pcre"},
        {"flags": ["i"]},
        {"timeout": 0},
        {"expected_from": "output"},
        {"expected": "a", "expected_from": "context"},
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, object]) -> None:
    """Unknown words, and words that contradict each other."""
    with pytest.raises(ArgumentError):
        RegexJudge("a", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options", [{"group": True}, {"group": 1.0}, {"flags": "ignorecase"}, {"expected": 42}]
)
def test_options_of_other_types_are_refused(options: dict[str, object]) -> None:
    """A number to compare with belongs into quotes: what is extracted is text."""
    with pytest.raises(ArgumentTypeError):
        RegexJudge("a", **options)  # type: ignore[arg-type]


def test_what_is_kept_of_an_extract_is_bounded() -> None:
    """A match of the whole output is not copied into the judgment."""
    kept = judged(RegexJudge("a+"), "a" * 5000).metadata["extracted"]

    assert kept == "a" * 1000
