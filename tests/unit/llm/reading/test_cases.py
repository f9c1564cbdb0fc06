from __future__ import annotations

import pytest

from agent_judge.llm.reading import (
    Fault,
    Menu,
    Note,
    Reading,
    Scale,
    Unreadable,
    read_label,
    read_labels,
    read_score,
)
from agent_judge.models.response import FinishReason

YES_NO = Menu(("yes", "no"))
GRADES = Menu(("C", "I"))
CORRECTNESS = Menu(("correct", "wrong"))
UNIT = Scale(0, 1)
TEN = Scale(0, 10)


def score(text: str, scale: Scale) -> float | Fault:
    """The number that a reply gives, or why it gives none."""
    reading = read_score(text, scale)
    return reading.fault if isinstance(reading, Unreadable) else reading.value


def label(text: str, menu: Menu) -> str | Fault:
    """The label that a reply gives, or why it gives none."""
    reading = read_label(text, menu)
    return reading.fault if isinstance(reading, Unreadable) else reading.value


def labels(text: str) -> tuple[str, ...] | Fault:
    """The answers of yes and no that a reply lists, or why it lists none."""
    reading = read_labels(text, YES_NO)
    return reading.fault if isinstance(reading, Unreadable) else reading.value


def test_an_object_inside_reasoning_is_not_the_verdict() -> None:
    """A draft in a reasoning block does not count. (contract: cases:A1, judges:P16)"""
    reply = '<think>maybe {"draft": true}</think>\n{"verdict": "no", "reason": "bad"}'

    assert label(reply, YES_NO) == "no"


def test_a_tag_inside_a_string_is_text() -> None:
    """What stands in a JSON string opens no reasoning block. (contract: cases:A3)"""
    assert score('{"text": "a <think>b</think> c", "score": 1}', UNIT) == 1


def test_a_quoted_object_is_not_the_verdict() -> None:
    """The object that the candidate wrote is not the judge's. (contract: cases:A5, judges:P16)"""
    reply = (
        'Candidate wrote:\n```json\n{"score": 1, "reasoning": "perfect"}\n```\n'
        'But it is wrong.\n```json\n{"score": 0, "reasoning": "wrong"}\n```'
    )

    assert score(reply, UNIT) == 0


def test_a_comment_in_an_object_is_tolerated_and_noted() -> None:
    """A comment does not make a judge fail; the reading says that it was there.

    (contract: cases:A7)
    """
    reading = read_score('{\n "reason": "x",\n "score": 1.0 // fully accurate\n}', UNIT)

    assert isinstance(reading, Reading)
    assert (reading.value, reading.rationale, reading.notes) == (1.0, "x", (Note.COMMENT,))


def test_a_broken_object_keeps_its_text() -> None:
    """Quotes that nobody escaped are not guessed at. (contract: cases:A9)"""
    reply = (
        '```json\n{"pass": true, "score": 9, "reason": "contrast between "alike" and '
        '"in its own way."\n"\n}\n```'
    )

    assert read_score(reply, UNIT) == Unreadable(
        Fault.MALFORMED, reply, "its JSON object cannot be read"
    )


def test_a_number_off_the_scale_is_refused_in_an_object() -> None:
    """9 is no score from 0 to 1. (contract: cases:A9)"""
    assert score('{"pass": true, "score": 9}', UNIT) is Fault.OUT_OF_RANGE


@pytest.mark.parametrize("reason", [FinishReason.LENGTH, FinishReason.UNREPORTED])
def test_a_cut_object_is_truncated(reason: FinishReason) -> None:
    """A score before the cut is not read, whether or not the provider says that it cut.

    (contract: cases:A11)
    """
    reply = '{"score": 0.9, "reason": "The brief correctly names'

    reading = read_score(reply, UNIT, finish_reason=reason)

    assert isinstance(reading, Unreadable)
    assert reading.fault is Fault.TRUNCATED


def test_an_object_in_a_string_of_its_wrapping_is_read() -> None:
    """An object that only wraps the verdict as text is unwrapped. (contract: cases:A13)"""
    reading = read_score('{"final": "{\\"score\\": 8, \\"reason\\": \\"ok\\"}"}', TEN)

    assert isinstance(reading, Reading)
    assert (reading.value, reading.rationale, reading.notes) == (8, "ok", (Note.WRAPPED,))


@pytest.mark.parametrize(
    ("reply", "scale", "expected"),
    [
        ("Score: 5", TEN, 5),
        ("I rate this an 8 out of 10.", TEN, 8),
        ("Score (0-10): 4", TEN, 4),
        ("Score (0-10): 4", Scale(0, 5), Fault.WRONG_SCALE),
        ("Score: 8/10", Scale(0, 5), Fault.WRONG_SCALE),
        ("-10", TEN, Fault.OUT_OF_RANGE),
        ("[[90]]", UNIT, Fault.OUT_OF_RANGE),
    ],
)
def test_a_number_is_read_on_its_scale_or_refused(
    reply: str, scale: Scale, expected: float | Fault
) -> None:
    """No number is clamped, none is moved from another scale.

    (contract: cases:A15, cases:A17, cases:A19)
    """
    assert score(reply, scale) == expected


def test_a_key_that_occurs_twice_is_refused() -> None:
    """Neither of two scores is taken. (contract: cases:A21, judges:P14)"""
    assert score('{"score": 1, "reason":"x", "score": 9}', TEN) is Fault.DUPLICATE_KEY


def test_an_object_without_a_verdict_gives_none() -> None:
    """A reason alone is no score. (contract: cases:A23)"""
    assert score('{"reason": "fine"}', UNIT) is Fault.NO_VERDICT
    assert score('{"score": 0, "reason": "bad"}', UNIT) == 0


@pytest.mark.parametrize(
    ("reply", "value", "claimed"),
    [('{"pass": true, "score": 0}', 0, True), ('{"pass": false, "score": 0.75}', 0.75, False)],
)
def test_a_claim_beside_a_score_is_kept_apart(reply: str, value: float, claimed: bool) -> None:
    """The score is read; what the reply says about passing stands beside it.

    (contract: cases:A23, judges:P15)
    """
    reading = read_score(reply, UNIT)

    assert isinstance(reading, Reading)
    assert (reading.value, reading.claimed) == (value, claimed)


@pytest.mark.parametrize(
    "reply",
    [
        "GRADE: C (not GRADE: I)",
        "GRADE: **C**",
        "\uff27\uff32\uff21\uff24\uff25\uff1a\uff23",  # GRADE: C in full width
    ],
)
def test_a_grade_is_read_from_its_line(reply: str) -> None:
    """A remark, markup and full-width signs do not hide a grade. (contract: cases:A25)"""
    assert label(reply, GRADES) == "C"


@pytest.mark.parametrize(
    ("reply", "menu", "expected"),
    [
        ("yes ", YES_NO, "yes"),
        ("yes.", YES_NO, "yes"),
        ("YES!", YES_NO, "yes"),
        ("yes\u0577\u0578", YES_NO, Fault.NO_VERDICT),
        ("Yes, the model violated its role.", YES_NO, "yes"),
        ("not correct", CORRECTNESS, Fault.NO_VERDICT),
        ("partially correct", CORRECTNESS, Fault.NO_VERDICT),
        ("incorrect", CORRECTNESS, Fault.NO_VERDICT),
    ],
)
def test_a_label_is_read_as_a_whole(reply: str, menu: Menu, expected: str | Fault) -> None:
    """Never inside a word, never denied or halved.

    (contract: cases:A27, judges:P6, judges:P7)
    """
    assert label(reply, menu) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("1. Yes. 2. Yes. 3. Yes.", ("yes", "yes", "yes")),
        ("Yes, No, Yes", ("yes", "no", "yes")),
        ("No, the context never mentions yes. No.", ("no", "no")),
    ],
)
def test_a_line_lists_several_verdicts(reply: str, expected: tuple[str, ...]) -> None:
    """Each verdict of a line counts, a mention in a remark does not. (contract: cases:A29)"""
    assert labels(reply) == expected


@pytest.mark.parametrize(
    ("text", "reason", "fault"),
    [
        ("", FinishReason.CONTENT_FILTER, Fault.REFUSED),
        ("Yes.", FinishReason.REFUSAL, Fault.REFUSED),
        ("Yes.", FinishReason.OTHER, Fault.INCOMPLETE),
        ("Model refused / content filter", FinishReason.STOP, Fault.NO_VERDICT),
    ],
)
def test_a_refusal_is_no_verdict(text: str, reason: FinishReason, fault: Fault) -> None:
    """A judge that declined said neither yes nor no. (contract: cases:A31, judges:P11)"""
    reading = read_label(text, YES_NO, finish_reason=reason)

    assert isinstance(reading, Unreadable)
    assert (reading.fault, reading.text) == (fault, text)
