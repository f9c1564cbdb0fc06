"""What reading a reply gives: a reading, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeAlias, TypeVar

V = TypeVar("V")

Span: TypeAlias = tuple[int, int]
"""Where something stands in the reply: from the first index up to, not including, the second."""


class Fault(Enum):
    """Why a reply is not read.

    EMPTY: there is nothing of the judge's own in it. TRUNCATED: it was cut, or ends inside an
    object or a reasoning block. INCOMPLETE: it ended for a reason that is not known. REFUSED: the
    model declined, or the provider withheld the answer. NO_VERDICT: it says none of what was asked
    for. OFF_MENU: it gives something else as its verdict. CONFLICTING: it says several, and marks
    none as the final one. NEGATED, QUALIFIED, ATTRIBUTED: it names one only to deny it, with a
    condition or a doubt, or as said by somebody else. OUT_OF_RANGE: a number outside the scale.
    WRONG_SCALE: a number on another scale. MALFORMED: its JSON object cannot be read.
    DUPLICATE_KEY: that object has a key twice. NOT_FINITE: that object holds NaN, an infinity or a
    number beyond all floats. WRONG_COUNT: more or fewer verdicts than were asked for.
    """

    EMPTY = "empty"
    TRUNCATED = "truncated"
    INCOMPLETE = "incomplete"
    REFUSED = "refused"
    NO_VERDICT = "no_verdict"
    CONFLICTING = "conflicting"
    NEGATED = "negated"
    QUALIFIED = "qualified"
    ATTRIBUTED = "attributed"
    OFF_MENU = "off_menu"
    OUT_OF_RANGE = "out_of_range"
    WRONG_SCALE = "wrong_scale"
    MALFORMED = "malformed"
    DUPLICATE_KEY = "duplicate_key"
    NOT_FINITE = "not_finite"
    WRONG_COUNT = "wrong_count"


class Form(Enum):
    """How a reply says its verdict; the forms are those of the table in `agent_judge.llm.reading`.

    STRUCTURED: the value the backend gave beside the text. OBJECT: a JSON object in the text. LINE:
    a labelled line. BRACKETS: `[[…]]`. SENTENCE: a sentence that states it. ALONE: the whole answer
    or a whole line of it. FIRST_WORDS: the first words of the answer, before punctuation.
    """

    STRUCTURED = "structured"
    OBJECT = "object"
    LINE = "line"
    BRACKETS = "brackets"
    SENTENCE = "sentence"
    ALONE = "alone"
    FIRST_WORDS = "first_words"


class Note(Enum):
    """What a reader of the judgment should know about the reply.

    COMMENT, TRAILING_COMMA, RAW_CONTROL, UNKNOWN_ESCAPE: what was tolerated in a JSON object.
    WRAPPED: the fields stood in an object inside the object, or in a string that holds one.
    NUMBER_AS_TEXT: a member that should be a number is a string. FINAL_OF_SEVERAL: other verdicts
    stand before the final one. SCORE_MISSING, SCORE_UNREADABLE: a decision without a score that
    can be used.
    """

    COMMENT = "comment"
    TRAILING_COMMA = "trailing_comma"
    RAW_CONTROL = "raw_control"
    UNKNOWN_ESCAPE = "unknown_escape"
    WRAPPED = "wrapped"
    NUMBER_AS_TEXT = "number_as_text"
    FINAL_OF_SEVERAL = "final_of_several"
    SCORE_MISSING = "score_missing"
    SCORE_UNREADABLE = "score_unreadable"


@dataclass(frozen=True, slots=True)
class Reading(Generic[V]):
    """A verdict that a reply states.

    Args:
        value: The label or the number.
        form: How the reply says it.
        rationale: Why, in the reply's own words; empty where it gives no reason.
        remark: What follows the verdict on its line, as in `GRADE: C (barely)`.
        claimed: What the reply itself says about passing, beside the verdict; it decides nothing.
        spans: Where it says it; empty for a structured reply.
        notes: What is peculiar about the reply, each note once.
    """

    value: V
    form: Form
    rationale: str = ""
    remark: str = ""
    claimed: bool | None = None
    spans: tuple[Span, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A reply without a verdict that could be read.

    Args:
        fault: Why.
        text: The reply as it came.
        detail: The same for people: what was found.
    """

    fault: Fault
    text: str
    detail: str
