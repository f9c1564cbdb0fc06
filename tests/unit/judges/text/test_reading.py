from __future__ import annotations

import pytest

from agent_judge import JudgmentContext, ReasonCode, Status, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.text import (
    BleuJudge,
    ChrfJudge,
    ContainsJudge,
    EqualsJudge,
    LengthJudge,
    NumberJudge,
    RegexJudge,
    TextSimilarityJudge,
)
from agent_judge.judges.text.reading import kind_of
from agent_judge.protocol import Judge

READERS = [
    BleuJudge("null", threshold=0.5),
    ChrfJudge("null", threshold=0.5),
    ContainsJudge("null"),
    LengthJudge(maximum=9),
    RegexJudge("null"),
    TextSimilarityJudge("null", threshold=0.5),
]
EVERY = [*READERS, EqualsJudge("null"), NumberJudge(0)]
COMPARING = [
    BleuJudge(threshold=0.5),
    ChrfJudge(threshold=0.5),
    ContainsJudge(),
    EqualsJudge(),
    NumberJudge(),
    RegexJudge(".", expected_from="context"),
    TextSimilarityJudge(threshold=0.5),
]


def name(judge: Judge) -> str:
    """The class of a judge names the test."""
    return type(judge).__name__


@pytest.mark.parametrize("judge", EVERY, ids=name)
def test_without_an_output_there_is_nothing_to_judge(judge: Judge) -> None:
    """A missing output is no finding, and not an empty one. (contract: cases:B13)"""
    judgment = evaluate(judge, JudgmentContext())

    assert judgment.status is Status.ABSTAIN
    assert judgment.code is ReasonCode.MISSING_INPUT
    assert judgment.reasoning == "the output is missing"


@pytest.mark.parametrize("judge", EVERY, ids=name)
def test_an_empty_output_is_an_output(judge: Judge) -> None:
    """It is judged as any other text is. (contract: cases:B13)"""
    judgment = evaluate(judge, JudgmentContext(output=""))

    assert judgment.status in (Status.PASS, Status.FAIL)


@pytest.mark.parametrize("judge", COMPARING, ids=name)
def test_without_an_expectation_there_is_nothing_to_compare_with(judge: Judge) -> None:
    """Neither the judge nor the context says what is right."""
    judgment = evaluate(judge, JudgmentContext(output="5"))

    assert judgment.status is Status.ABSTAIN
    assert judgment.code is ReasonCode.MISSING_INPUT


@pytest.mark.parametrize("output", [None, 0, False, {"a": 1}, ["null"]])
@pytest.mark.parametrize("judge", READERS, ids=name)
def test_what_is_no_text_is_not_read_as_one(judge: Judge, output: object) -> None:
    """A judge of text cannot judge another value unless it is told how. (contract: cases:B13)"""
    judgment = evaluate(judge, JudgmentContext(output=output))  # type: ignore[arg-type]

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.MALFORMED_EVIDENCE
    assert "non_text='json'" in judgment.reasoning


@pytest.mark.parametrize(
    "judge",
    [
        BleuJudge("null", threshold=0.5, non_text="json"),
        ChrfJudge("null", threshold=0.5, non_text="json"),
        ContainsJudge("null", non_text="json"),
        LengthJudge(minimum=4, maximum=4, non_text="json"),
        RegexJudge("null", non_text="json"),
        TextSimilarityJudge("null", threshold=1, non_text="json"),
    ],
    ids=name,
)
def test_the_json_text_of_other_values_can_be_judged(judge: Judge) -> None:
    """`None` is a real output; as JSON it reads null. (contract: cases:B13)"""
    assert evaluate(judge, JudgmentContext(output=None)).passed


def test_json_text_keeps_letters_and_order() -> None:
    """It is JSON as a person would write it."""
    judge = ContainsJudge('{"b": "é", "a": [1, true]}', non_text="json")

    assert evaluate(judge, JudgmentContext(output={"b": "é", "a": [1, True]})).passed


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "null"),
        (True, "a boolean"),
        (1, "a number"),
        (1.5, "a number"),
        ("", "a string"),
        ({}, "an object"),
        ([], "an array"),
    ],
)
def test_kinds_of_values_have_names(value: object, kind: str) -> None:
    """Messages use the words of JSON."""
    assert kind_of(value) == kind


@pytest.mark.parametrize("judge", [ContainsJudge, LengthJudge, RegexJudge])
def test_an_unknown_word_for_other_values_is_refused(judge: type[ContainsJudge]) -> None:
    """The message says which words there are."""
    with pytest.raises(ArgumentError, match="non_text must be one of 'error', 'json'"):
        judge("1", non_text="text")  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", " \n"])
@pytest.mark.parametrize("judge", [BleuJudge, ChrfJudge, TextSimilarityJudge])
def test_nothing_can_be_like_a_blank_text(judge: type[BleuJudge], text: str) -> None:
    """Refused where it is given; an error where the context holds it. (contract: judges:F8)"""
    with pytest.raises(ArgumentError, match=r"blank|empty"):
        judge(text, threshold=0.5)
    judgment = evaluate(judge(threshold=0.5), JudgmentContext(output="5", expected=text))

    assert judgment.code is ReasonCode.MALFORMED_EVIDENCE


@pytest.mark.parametrize("judge", [BleuJudge, ChrfJudge, TextSimilarityJudge])
@pytest.mark.parametrize("threshold", [1.1, -0.1, float("nan")])
def test_a_threshold_is_a_share(judge: type[BleuJudge], threshold: float) -> None:
    """It lies in 0..1 whatever the metric's own scale."""
    with pytest.raises(ArgumentError, match=r"threshold must lie in 0\.\.1"):
        judge("text", threshold=threshold)


@pytest.mark.parametrize("judge", [BleuJudge, ChrfJudge, TextSimilarityJudge])
def test_a_threshold_has_to_be_given(judge: type[BleuJudge]) -> None:
    """No mark is chosen for the user."""
    with pytest.raises(TypeError, match="threshold"):
        judge("text")  # type: ignore[call-arg]


@pytest.mark.parametrize("judge", [BleuJudge, ChrfJudge, TextSimilarityJudge])
@pytest.mark.parametrize("text", [5, {"a": "b"}])
def test_an_expected_text_is_a_text(judge: type[BleuJudge], text: object) -> None:
    """Anything else is refused, where it is given or in the context."""
    with pytest.raises(ArgumentTypeError):
        judge(text, threshold=0.5)  # type: ignore[arg-type]
    judgment = evaluate(
        judge(threshold=0.5),
        JudgmentContext(output="5", expected=text),  # type: ignore[arg-type]
    )

    assert judgment.code is ReasonCode.MALFORMED_EVIDENCE
