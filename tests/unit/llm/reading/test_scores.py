from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.llm.reading import (
    Fault,
    Form,
    Note,
    Reading,
    Scale,
    Unreadable,
    read_object,
    read_score,
)
from agent_judge.models.response import FinishReason

UNIT = Scale(0, 1)
FIVE = Scale(0, 5)
TEN = Scale(1, 10)
HUNDRED = Scale(0, 100)


def read(text: str, scale: Scale = TEN) -> float | Fault:
    """The number that a reply gives, or why it gives none."""
    reading = read_score(text, scale)
    return reading.fault if isinstance(reading, Unreadable) else reading.value


@pytest.mark.parametrize(
    ("reply", "form"),
    [
        ('{"reason": "clear", "score": 8}', Form.OBJECT),
        ('{"evaluation": {"score": 8}}', Form.OBJECT),
        ("Score: 8", Form.LINE),
        ("**Score:** 8/10", Form.LINE),
        ("**Score: 8**/10", Form.LINE),
        ("1. Rating = 8 points", Form.LINE),
        ("Score: 8 - solid", Form.LINE),
        ("Score: 8 (out of 10)", Form.LINE),
        ("My overall rating is 8 out of 10.", Form.SENTENCE),
        ("## Score\n\n8/10", Form.LINE),
        ("It is clear. Rating: [[8]]", Form.BRACKETS),
        ('I would rate the response as follows: "Rating: [[8]]".', Form.BRACKETS),
        ("I rate this an 8 out of 10.", Form.SENTENCE),
        ("It is clear. I'd give it an 8 because it runs.", Form.SENTENCE),
        ("8", Form.ALONE),
        ("**8/10**", Form.ALONE),
        ("<think>9? no</think>\n\n8", Form.ALONE),
    ],
)
def test_a_number_is_read_in_every_form(reply: str, form: Form) -> None:
    """Objects, labelled lines, brackets, sentences and the whole answer. (contract: judges:P14)"""
    reading = read_score(reply, TEN)

    assert isinstance(reading, Reading)
    assert (reading.value, reading.form) == (8, form)


@pytest.mark.parametrize(
    ("reply", "scale", "expected"),
    [
        ("Score: 8/10", UNIT, 0.8),
        ("Score: 85%", UNIT, 0.85),
        ("Score: 85 percent", HUNDRED, 85),
        ("Score: .9", UNIT, 0.9),
        ("Score: 0,9", UNIT, 0.9),
        ("Score: 8.5/10", TEN, 8.5),
        ("Score: \uff18", TEN, 8),  # a full-width digit
        ("Score (0-1): .5", UNIT, 0.5),
        ("Score [1 to 10]: 4", TEN, 4),
        ("Score (out of 10): 4", TEN, 4),
        ("Score (0-10): 4", TEN, Fault.WRONG_SCALE),
        ("Score (out of 10): 4", UNIT, Fault.WRONG_SCALE),
        ("Score: 8/10", FIVE, Fault.WRONG_SCALE),
        ("Score: 85%", TEN, Fault.WRONG_SCALE),
        ("Score: 0/0", UNIT, Fault.WRONG_SCALE),
        ("Score: 11/10", TEN, Fault.OUT_OF_RANGE),
        ("Score: 11/10", UNIT, Fault.OUT_OF_RANGE),
        ("Score: 11", TEN, Fault.OUT_OF_RANGE),
        ("Score: 0", TEN, Fault.OUT_OF_RANGE),
        ("Score: -1", UNIT, Fault.OUT_OF_RANGE),
        ("Score: \u22121", UNIT, Fault.OUT_OF_RANGE),  # a minus sign
        ("Score: " + "9" * 5000, UNIT, Fault.OUT_OF_RANGE),
    ],
)
def test_a_number_is_moved_to_the_unit_scale_alone(
    reply: str, scale: Scale, expected: float | Fault
) -> None:
    """A fraction and a percentage have a meaning there; nothing is clamped. (contract: judges:P14)

    The forms of numbers are those of the loop as well. (contract: loop:L4)
    """
    assert read(reply, scale) == expected


@pytest.mark.parametrize(
    "reply",
    [
        "Score: 7-8",
        "Score: 7 - 8",
        "Score: 7 or 8",
        "Score: about 7",
        "Score: 7?",
        "Score: 7+",
        "Score: 7, 8",
        "Score: 8th",
        "Score: 8.5.2",
        "Score: 8/10/2024",
        "Score: 1,000",
        "Score: 2**3",
        "Score: 8\u00b2",
        "Score: high",
        "I rate the 2nd answer highest.",
        "It scores between 7 and 8.",
        "The submission got 8 of its 10 tests right.",
        "1. first\n2. second",
    ],
)
def test_what_is_no_single_number_is_not_read(reply: str) -> None:
    """A range, a hedge, an ordinal, a date or a list is no score."""
    assert read(reply) is Fault.NO_VERDICT


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ('{"score": 8}', 8),
        ('{"score": 8.0e0}', 8),
        ('{"Score": "8"}', 8),
        ('{"score": "8/10"}', 8),
        ('{"score": "high"}', Fault.OFF_MENU),
        ('{"score": true}', Fault.OFF_MENU),
        ('{"score": null}', Fault.OFF_MENU),
        ('{"score": {"clarity": 8}}', Fault.OFF_MENU),
        ('{"score": 80}', Fault.OUT_OF_RANGE),
        ('{"score": NaN}', Fault.NOT_FINITE),
        ('{"score": -Infinity}', Fault.NOT_FINITE),
        ('{"score": 1e999}', Fault.NOT_FINITE),
        ('{"score": 8, "rating": 8}', 8),
        ('{"score": 8, "rating": 9}', Fault.CONFLICTING),
        ('{"score": 8, "Score": 9}', Fault.CONFLICTING),
        ('{"score": 8', Fault.TRUNCATED),
        ("{'score': 8}", Fault.NO_VERDICT),
        ('{"score": 8 "reason": "x"}', Fault.MALFORMED),
    ],
)
def test_a_member_of_an_object_gives_a_number(members: str, expected: float | Fault) -> None:
    """Off the scale, not finite, twice or contradicted it is refused. (contract: judges:P14)"""
    assert read(members) == expected


def test_a_number_as_text_is_noted() -> None:
    """A schema was not kept to, and whoever looks at the judgment can see that."""
    reading = read_score('{"score": "8/10"}', TEN)

    assert isinstance(reading, Reading)
    assert reading.notes == (Note.NUMBER_AS_TEXT,)


@pytest.mark.parametrize(
    "reply",
    [
        "Score: 8\nScore: 9",
        "Score: 8\nRating: 9",
        "Score: 8\n\n[[9]]",
        'Score: 8\n\n{"score": 9}',
        'Score: 8\n\n```json\n{"score": 9}\n```',
        "Score: 8\nScore: 11",
    ],
)
def test_numbers_that_differ_are_not_chosen_from(reply: str) -> None:
    """Two scores, or one on the scale and one off it, are no score. (contract: judges:P14)"""
    assert read(reply) in (Fault.CONFLICTING, Fault.OUT_OF_RANGE)


def test_one_number_in_several_forms_is_one_verdict() -> None:
    """`Rating: [[8]]` is a labelled line and a bracket, and says one thing."""
    assert read('Rating: [[8]]\n\n{"score": 8}') == 8


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("I would give it not an 8.", Fault.NEGATED),
        ("If it ran, I would rate this 8.", Fault.QUALIFIED),
        ("The author says, I rate this 8.", Fault.ATTRIBUTED),
    ],
)
def test_a_sentence_with_a_number_is_said_by_the_judge(reply: str, fault: Fault) -> None:
    """Denied, on a condition or reported it is no score. (contract: judges:P7)"""
    assert read(reply) is fault


def test_a_structured_reply_gives_the_number() -> None:
    """The object that the backend gave is read, the text beside it not. (contract: judges:P14)"""
    reading = read_score("Score: 3", TEN, structured={"score": 8, "reason": ["a", "b"]})

    assert isinstance(reading, Reading)
    assert (reading.value, reading.form, reading.rationale) == (8, Form.STRUCTURED, "a\nb")


def test_another_key_may_be_asked_for() -> None:
    """The keys are those of the caller's prompt."""
    reading = read_score("Accuracy: 8\nScore: 3", TEN, keys=("accuracy",))

    assert isinstance(reading, Reading)
    assert reading.value == 8


@given(st.floats(0, 1), st.sampled_from(["Score: {}", '{{"score": {}}}', "[[{}]]", "{}"]))
def test_a_number_on_the_scale_comes_back_as_it_was(value: float, form: str) -> None:
    """Plain decimals are read exactly, in whatever form."""
    number = float(f"{value:.12f}")

    assert read(form.format(f"{number:.12f}"), UNIT) == number


@given(st.floats(allow_nan=False, allow_infinity=False).filter(lambda value: not 0 <= value <= 1))
def test_a_number_off_the_scale_is_never_read(value: float) -> None:
    """Neither clamped nor converted. (contract: judges:P14)"""
    assert read(f'{{"score": {value!r}}}', UNIT) is Fault.OUT_OF_RANGE


@pytest.mark.parametrize(("low", "high"), [(1, 0), (1, 1), (math.nan, 1), (0, math.inf)])
def test_a_scale_that_spans_nothing_is_refused(low: float, high: float) -> None:
    """Its ends are finite, the low one first."""
    with pytest.raises(ArgumentError, match="finite bounds with low < high"):
        Scale(low, high)


@pytest.mark.parametrize("bound", [True, "1", None])
def test_a_scale_of_no_numbers_is_refused(bound: object) -> None:
    """A boolean is no bound, and a string is not read as one."""
    with pytest.raises(ArgumentTypeError, match=r"scale\.high must be a number"):
        Scale(0, bound)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("no object", Fault.NO_VERDICT),
        ("[1, 2]", Fault.NO_VERDICT),
        ('{"a": 1,,}', Fault.MALFORMED),
        ('{"a": 1}\n\nand then {\n"b": ', Fault.NO_VERDICT),
        ("", Fault.EMPTY),
    ],
)
def test_a_reply_without_an_object_gives_none(reply: str, fault: Fault) -> None:
    """Nothing is pieced together from what is no object of the judge's."""
    reading = read_object(reply)

    if fault is Fault.NO_VERDICT and reply.startswith("{"):
        assert not isinstance(reading, Unreadable)
    else:
        assert isinstance(reading, Unreadable)
        assert reading.fault is fault


def test_the_members_of_an_object_are_found_in_any_case() -> None:
    """A number and a boolean come back as such, and a fault where there is neither."""
    reading = read_object('{"Score": "4/5", "pass": true, "PASSED": "yes", "reason": "ok"}')

    assert not isinstance(reading, Unreadable)
    assert (reading.number("score", FIVE), reading.boolean("Pass")) == (4, True)
    assert (reading.boolean("passed"), reading.boolean("done")) == (
        Fault.OFF_MENU,
        Fault.NO_VERDICT,
    )
    assert reading.reason == "ok"


def test_an_object_of_a_cut_reply_is_not_read() -> None:
    """Not even one that was complete before the cut. (contract: judges:P11)"""
    reading = read_object('{"score": 1}', finish_reason=FinishReason.LENGTH)

    assert isinstance(reading, Unreadable)
    assert reading.fault is Fault.TRUNCATED


@pytest.mark.parametrize(
    "reply",
    [
        "Score: 1, on a scale of 1 to 10",
        "Score: 1 (0-10)",
        "Score: 1 — no, 0.",
        "Score: 1 (1 to 5)",
    ],
)
def test_a_number_on_a_scale_that_is_named_behind_it_is_not_read(reply: str) -> None:
    """Nor is one that is taken back."""
    assert isinstance(read_score(reply, Scale()), Unreadable)
