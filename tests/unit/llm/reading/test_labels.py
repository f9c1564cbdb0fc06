from __future__ import annotations

import pytest

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.llm.reading import Fault, Form, Menu, Note, Reading, Unreadable, read_label
from agent_judge.models.response import FinishReason

VERDICTS = Menu(("pass", "fail"))
YES_NO = Menu(("yes", "no"))
PAIR = Menu(("A>>B", "A>B", "A=B", "B>A", "B>>A"))
LETTERS = Menu(("A", "B"))
OUTPUTS = Menu(("a", "b"), {"Output (a)": "a", "Output (b)": "b"}, sentence="{label} is better")


def read(text: str, menu: Menu = VERDICTS) -> str | Fault:
    """The label that a reply gives, or why it gives none."""
    reading = read_label(text, menu)
    return reading.fault if isinstance(reading, Unreadable) else reading.value


@pytest.mark.parametrize(
    "reply",
    [
        " PASS\n",
        "pass",
        "**PASS**",
        "Pass.",
        "`pass`",
        '"Pass"',
        "__pass__!",
        "- PASS",
        "## Pass",
        "\ufeffpass",
        "```\npass\n```",
        "The work is done.\n\nPASS",
    ],
)
def test_outer_markup_and_an_end_mark_do_not_hide_a_label(reply: str) -> None:
    """A label is the whole answer or a whole line of it. (contract: judges:P6)"""
    assert read(reply) == "pass"


@pytest.mark.parametrize(
    ("reply", "menu", "fault"),
    [
        ("irrelevant", Menu(("relevant", "other")), Fault.NO_VERDICT),
        ("not relevant", Menu(("relevant", "other")), Fault.NO_VERDICT),
        ("Answer: NOT SURE", YES_NO, Fault.OFF_MENU),
        ("yes?", YES_NO, Fault.NO_VERDICT),
        ("Yes it did", YES_NO, Fault.NO_VERDICT),
        ("Yes-ish", YES_NO, Fault.NO_VERDICT),
        ("It was yesterday: no one knows", YES_NO, Fault.NO_VERDICT),
        ("Yes, but only partly.", YES_NO, Fault.QUALIFIED),
        ("Yes (maybe)", YES_NO, Fault.QUALIFIED),
        ("Verdict: not pass", VERDICTS, Fault.NEGATED),
        ("Verdict: pass with reservations", VERDICTS, Fault.QUALIFIED),
        ("Verdict: probably pass", VERDICTS, Fault.QUALIFIED),
        ("Verdict: pass/fail", VERDICTS, Fault.CONFLICTING),
        ("Verdict: pass, fail", VERDICTS, Fault.CONFLICTING),
        ("Verdict: maybe", VERDICTS, Fault.OFF_MENU),
        ("Verdict: pass?", VERDICTS, Fault.QUALIFIED),
        ("PASS: one\nFAIL: two", VERDICTS, Fault.CONFLICTING),
        ("Pass:\n- it has to run", VERDICTS, Fault.NO_VERDICT),
        ("1. Yes\n2. No", YES_NO, Fault.NO_VERDICT),
    ],
)
def test_a_label_in_a_word_a_sentence_or_doubt_is_none(
    reply: str, menu: Menu, fault: Fault
) -> None:
    """Never inside a word or sentence, never negated or qualified. (contract: judges:P7)"""
    assert read(reply, menu) is fault


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("NO … yesterday …", "no"),
        ("Yes, the model violated its role.", "yes"),
        ("No. It was never asked.", "no"),
        ("**No** — it was never asked.", "no"),
        ("Yes - no issues found", "yes"),
        ("no: see above", "no"),
        ("Yes (clearly)", "yes"),
    ],
)
def test_the_first_words_before_punctuation_are_a_label(reply: str, expected: str) -> None:
    """What follows the punctuation is a remark. (contract: judges:P7)"""
    assert read(reply, YES_NO) == expected


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("", Fault.EMPTY),
        (" \n\t", Fault.EMPTY),
        ("<think>pass</think>", Fault.EMPTY),
        ("<think>pass", Fault.TRUNCATED),
        ("It is done.", Fault.NO_VERDICT),
        ("$ERROR$", Fault.NO_VERDICT),
        ("pass\n\nfail", Fault.CONFLICTING),
        ("[[pass]] … [[fail]]", Fault.CONFLICTING),
        ("Verdict: pass\nVerdict: fail", Fault.CONFLICTING),
        ("Verdict: pass\nVerdict: maybe", Fault.OFF_MENU),
        ("[[pass]]\n\nFinal verdict: [[draw]]", Fault.OFF_MENU),
    ],
)
def test_no_label_two_labels_and_an_empty_reply_are_unreadable(reply: str, fault: Fault) -> None:
    """Nothing is guessed, and the raw reply is kept. (contract: judges:P8)"""
    reading = read_label(reply, VERDICTS)

    assert isinstance(reading, Unreadable)
    assert (reading.fault, reading.text) == (fault, reply)


@pytest.mark.parametrize(
    ("reply", "form"),
    [
        ('{"verdict": "pass"}', Form.OBJECT),
        ('Because.\n\n{"Verdict": "PASS",}', Form.OBJECT),
        ('{"result": {"verdict": "pass"}}', Form.OBJECT),
        ("Verdict: pass - barely", Form.LINE),
        ("**Final verdict:** PASS", Form.LINE),
        ("- *Decision* = pass", Form.LINE),
        ("My verdict is pass.", Form.LINE),
        ("### Verdict\n\npass - barely", Form.LINE),
        ('My final verdict is "pass".', Form.LINE),
        ("It is done, so [[pass]].", Form.BRACKETS),
        ("My final verdict is `[[pass]]`.", Form.BRACKETS),
        ("It is done.\n\npass", Form.ALONE),
        ("Pass, it is done.", Form.FIRST_WORDS),
    ],
)
def test_a_label_is_read_in_every_form(reply: str, form: Form) -> None:
    """Objects, labelled lines, brackets, whole lines and first words. (contract: judges:P14)"""
    reading = read_label(reply, VERDICTS)

    assert isinstance(reading, Reading)
    assert (reading.value, reading.form) == ("pass", form)


def test_the_span_of_a_verdict_is_where_it_stands() -> None:
    """The indices are those of the reply as it came, reasoning and all."""
    reply = "<think>[[B>A]]</think>Both are fine. [[A>B]]"

    reading = read_label(reply, PAIR)

    assert isinstance(reading, Reading)
    assert [reply[start:end] for start, end in reading.spans] == ["[[A>B]]"]


@pytest.mark.parametrize("value", ["pass", " PASS. "])
def test_a_structured_reply_comes_first(value: str) -> None:
    """The object that the backend gave is read, the text beside it is not.

    (contract: judges:P14)
    """
    reading = read_label("FAIL", VERDICTS, structured={"verdict": value, "reason": "ok"})

    assert reading == Reading("pass", Form.STRUCTURED, "ok", spans=((0, 0),))


@pytest.mark.parametrize(
    ("members", "menu", "expected"),
    [
        ('{"verdict": 1}', Menu(("0", "1")), "1"),
        ('{"verdict": true}', Menu(("true", "false")), "true"),
        ('{"verdict": null}', VERDICTS, Fault.OFF_MENU),
        ('{"verdict": ["pass"]}', VERDICTS, Fault.OFF_MENU),
        ('{"verdict": "passed"}', VERDICTS, Fault.OFF_MENU),
        ('{"verdict": "pass", "label": "fail"}', VERDICTS, Fault.CONFLICTING),
        ('{"verdict": "pass", "result": "42"}', VERDICTS, "pass"),
        ('{"verdict": NaN}', VERDICTS, Fault.NOT_FINITE),
        ('{"verdict": "pass", "verdict": "pass"}', VERDICTS, Fault.DUPLICATE_KEY),
    ],
)
def test_a_member_of_an_object_gives_a_label(
    members: str, menu: Menu, expected: str | Fault
) -> None:
    """It is a string, or a number or boolean as JSON writes it. (contract: judges:P14)"""
    assert read(members, menu) == expected


def test_the_last_object_is_the_verdict() -> None:
    """An object before it is a draft. (contract: judges:P14)"""
    assert read('{"verdict": "pass"}\n\nOn reflection:\n{"verdict": "fail"}') == "fail"


@pytest.mark.parametrize(
    "reply",
    [
        "Verdict: pass\n\nFinal verdict: fail",
        "[[pass]]\n\nAll in all it fails.\n\nFinal Verdict: [[fail]]",
        "## First look\n\npass\n\n## Final verdict\n\nfail",
    ],
)
def test_the_verdict_marked_as_final_counts(reply: str) -> None:
    """It supersedes those before it, and the reading says that there were some."""
    reading = read_label(reply, VERDICTS)

    assert isinstance(reading, Reading)
    assert (reading.value, reading.notes) == ("fail", (Note.FINAL_OF_SEVERAL,))


@pytest.mark.parametrize(
    "reply",
    [
        "Final verdict: [[pass]]\n\nNo: [[fail]]",
        "My final verdict is: [[pass]]\n\nMy final verdict is: [[fail]]",
        "Therefore, [[pass]]\n\nVerdict: fail",
    ],
)
def test_two_final_verdicts_or_one_overturned_are_conflicting(reply: str) -> None:
    """What comes after the final verdict, or is marked so too, has to say the same."""
    assert read(reply) is Fault.CONFLICTING


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Output (a) is better.", "a"),
        ("# **Output (b)** is better.", "b"),
        ("(b) is wrong. Therefore, Output (a) is better for the given instruction.", "a"),
        ("After a careful look, I have come to the conclusion that Output (b) is better.", "b"),
        ("While Assistant (a) argues that Output (a) is better, I say Output (b) is better.", "b"),
        ("Output (b) is better. Output (a) is off. Therefore, Output (a) is better.", "a"),
        ("Assistant (a) argues that Output (a) is better because it is short.", Fault.ATTRIBUTED),
        ("The candidate wrote Therefore, Output (b) is better. at its end.", Fault.ATTRIBUTED),
        ("Neither Output (a) nor Output (b) is better.", Fault.NEGATED),
        ("I do not believe that Output (a) is better.", Fault.NEGATED),
        ("If you are in a hurry, Output (a) is better.", Fault.QUALIFIED),
        ("Output (a) is better if you are in a hurry.", Fault.QUALIFIED),
        ("Output (a) is better in terms of length.", Fault.QUALIFIED),
        ("Output (a) is not better.", Fault.NO_VERDICT),
        ("Therefore, Output (a) is", Fault.NO_VERDICT),
        ("Output (a) is better. Output (b) is better.", Fault.CONFLICTING),
    ],
)
def test_the_sentence_that_was_asked_for_is_read_as_a_main_clause(
    reply: str, expected: str | Fault
) -> None:
    """Said by the judge, of the whole, and without condition. (contract: judges:P7)"""
    assert read(reply, OUTPUTS) == expected


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("It is not [[A]].", Fault.NEGATED),
        ("Neither [[A]] nor anything else", Fault.NEGATED),
        ("Perhaps [[A]]", Fault.QUALIFIED),
        ("The candidate claims [[A]].", Fault.ATTRIBUTED),
        ("Either [[A]] or [[B]]", Fault.CONFLICTING),
        ("[[A]", Fault.NO_VERDICT),
        ("dp = [[A]*n for n in range(3)]", Fault.NO_VERDICT),
    ],
)
def test_brackets_that_are_denied_or_reported_are_no_verdict(reply: str, fault: Fault) -> None:
    """A mark is one only where the judge stands by it. (contract: judges:P7)"""
    assert read(reply, LETTERS) is fault


def test_one_denied_and_another_given_is_the_other() -> None:
    """A denial is no statement, so nothing conflicts."""
    assert read("My verdict is not [[A]] but [[B]].", LETTERS) == "B"


def test_a_solution_of_the_judge_is_no_verdict() -> None:
    """`Answer` may be the judge's own solution: off the menu it spoils nothing."""
    assert read("**Final Answer:** DDDDD\n\n**Final Verdict:** [[A>B]]", PAIR) == "A>B"


def test_prose_behind_a_key_is_no_value() -> None:
    """A sentence behind `Final Verdict:` says something about it and does not give one."""
    reply = "Final Verdict: Assistant A gives the better proof.\n\nMy final verdict is: [[A>B]]"

    assert read(reply, PAIR) == "A>B"


@pytest.mark.parametrize(
    ("reply", "rationale", "remark"),
    [
        ('{"reason": "short", "verdict": "pass"}', "short", ""),
        ('{"reasons": "unknown", "verdict": "pass"}', "", ""),
        ('Thorough.\n\n{"verdict": "pass"}', "Thorough.", ""),
        ("REASON: it runs\nand passes\nVERDICT: pass", "it runs\nand passes", ""),
        ("Thorough.\n\npass", "Thorough.\n\npass", ""),
        ("pass", "", ""),
        ("<think>hm</think>\nPass. It runs.", "Pass. It runs.", "It runs."),
        ("Verdict: pass (barely)", "", "(barely)"),
    ],
)
def test_the_reason_is_kept(reply: str, rationale: str, remark: str) -> None:
    """The reason that is given, or what is said beside the verdict, without the reasoning."""
    reading = read_label(reply, VERDICTS)

    assert isinstance(reading, Reading)
    assert (reading.rationale.strip(), reading.remark) == (rationale, remark)


def test_a_cut_reply_gives_no_label() -> None:
    """Not even one that was complete before the cut. (contract: judges:P11)"""
    reading = read_label("PASS\n\nBecause", VERDICTS, finish_reason=FinishReason.LENGTH)

    assert isinstance(reading, Unreadable)
    assert reading.fault is Fault.TRUNCATED


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"labels": ()}, "at least one"),
        ({"labels": ("",)}, "needs a letter or digit"),
        ({"labels": ("**",)}, "needs a letter or digit"),
        ({"labels": ("Pass", "pass.")}, "cannot be told from another"),
        ({"labels": ("pass", "pass")}, "cannot be told from another"),
        ({"labels": ("a", "b"), "spellings": {"A": "b"}}, "cannot be told from another"),
        ({"labels": ("a",), "spellings": {"x": "y"}}, "no label"),
        ({"labels": ("a",), "keys": ()}, "at least one"),
        ({"labels": ("a",), "sentence": "is better"}, "must hold {label} once"),
        ({"labels": ("a",), "sentence": "{label}."}, "must hold {label} once"),
    ],
)
def test_a_menu_that_cannot_be_told_apart_is_refused(
    arguments: dict[str, object], message: str
) -> None:
    """One label twice, a blank one or none are mistakes of the caller. (contract: judges:P10)"""
    with pytest.raises(ArgumentError, match=message):
        Menu(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "arguments", [{"labels": "pass"}, {"labels": (1,)}, {"labels": ("a",), "keys": "verdict"}]
)
def test_a_menu_of_a_wrong_type_is_refused(arguments: dict[str, object]) -> None:
    """One string is no sequence of labels. (contract: judges:P10)"""
    with pytest.raises(ArgumentTypeError):
        Menu(**arguments)  # type: ignore[arg-type]
