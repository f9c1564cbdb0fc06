"""Feedback in words: complete, bounded, and safe whatever the judges quote."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from agent_judge import (
    AllMustPass,
    CascadedJury,
    Check,
    Judgment,
    Jury,
    Location,
    ReasonCode,
    Tier,
    TierPolicy,
    WeightedAverage,
)
from agent_judge.coordination import (
    Feedback,
    JudgeContext,
    JudgeCoordinator,
    JudgeVerdict,
    JuryPolicy,
)
from agent_judge.coordination.formatting import Failure, Suggestion, format_feedback, points_of
from agent_judge.coordination.formatting.cleaning import IN_ALL, MOST, MOST_POINTS
from agent_judge.errors import ArgumentError
from agent_judge.protocol import named
from agent_judge.testing import always, passing

STYLES: Any = ("text", "markdown", "json", "xml")
TESTS = Judgment.from_checks(
    [
        Check("test_add", True),
        Check("test_parse", False, "expected 3, got 4", location=Location("tests/t.py", 12)),
        Check("speed", False, "it was slow", advisory=True),
    ]
)


def verdict_of(*judges: Any, strategy: Any = None) -> JudgeVerdict:
    """What a jury of these judges leads to."""
    jury = Jury(judges, strategy or AllMustPass())
    return JuryPolicy(jury).evaluate("a", "x", JudgeContext.first(3))


def told(verdict: JudgeVerdict, style: Any = "text", **options: Any) -> str:
    """What is told of a verdict on the first attempt, where no variable is secret."""
    chosen: dict[str, Any] = {"environment": {}, **options}
    return format_feedback(Feedback.after(verdict, 2), style, **chosen)


FAILED = verdict_of(
    named("tests", always(TESTS)),
    named("docs", always(Judgment.failing("no README"))),
    named("lint", passing()),
)


def test_a_first_attempt_has_no_feedback() -> None:
    """Nothing at all."""
    assert all(format_feedback(Feedback.first(), style) == "" for style in STYLES)


def test_the_points_of_a_jury() -> None:
    """What failed with its place, and what passes and must stay."""
    points = points_of(FAILED, 2)

    assert points.failures == (
        Failure("test_parse", "expected 3, got 4", "tests/t.py:12", judge="tests"),
        Failure("docs", "no README"),
    )
    assert points.passing == ("tests / test_add", "lint")
    assert (points.reason, points.suggestions, points.left_out) == ("", (), 0)
    assert points.change is None


def test_what_fails_again_is_marked() -> None:
    """Also where it moved to another line; and the change of the score is told."""
    check = Check("test_parse", False, "expected 3, got 5", location=Location("tests/t.py", 40))
    other = Check("test_parse", False, "expected 3, got 5", location=Location("tests/u.py", 40))
    mended = verdict_of(
        named("tests", always(Judgment.from_checks([check, other]))), named("docs", passing())
    )

    points = points_of(mended, 3, FAILED)

    assert [failure.repeated for failure in points.failures] == [True, False]
    assert points.change == pytest.approx(mended.score - FAILED.score)


def test_what_is_suggested_again_is_marked() -> None:
    """A model has no other way to say that something failed before."""
    points = points_of(
        JudgeVerdict.retry("no", 0.3, ["Add a title.", "Be brief."]),
        3,
        JudgeVerdict.retry("no", 0.2, ["Add a title."]),
    )

    assert points.suggestions == (Suggestion("Add a title.", True), Suggestion("Be brief."))


def test_the_worst_judge_comes_first() -> None:
    """Whatever its place in the jury."""
    mild, bad = (
        always(Judgment.scored(value, threshold=0.9, reasoning=said))
        for value, said in ((0.6, "mild"), (0.1, "bad"))
    )

    points = points_of(verdict_of(named("mild", mild), named("bad", bad)), 2)

    assert [failure.criterion for failure in points.failures] == ["bad", "mild"]


def test_the_judges_of_a_cascade_are_told_apart() -> None:
    """Those of one name stand with their tier; tiers and votes are no criteria."""
    cascade = CascadedJury(
        [
            Tier("first", [named("same", passing())], TierPolicy.REJECT_ON_ANY_FAIL),
            Tier("last", [named("same", always(TESTS))], TierPolicy.FINAL_TIER),
        ]
    )

    points = points_of(JuryPolicy(cascade).evaluate("a", "x", JudgeContext.first(2)), 2)

    assert points.passing == ("first/same", "last/same / test_add")
    assert [failure.judge for failure in points.failures] == ["last/same"]


def test_a_single_judge_is_told_of() -> None:
    """Without a jury around it, by its checks, or by its reasoning."""
    checked = JuryPolicy(always(TESTS)).evaluate("a", "x", JudgeContext.first(2))
    plain = JuryPolicy(always(Judgment.failing("too long"))).evaluate(
        "a", "x", JudgeContext.first(2)
    )

    assert points_of(checked, 2).failures[0].title == "test_parse"
    assert told(plain) == "Attempt 1 was not approved (score 0.00).\ntoo long"


@pytest.mark.parametrize("style", STYLES)
def test_each_style_tells_all_points(style: Any) -> None:
    """In its own form."""
    text = told(FAILED, style)

    for said in ("test_parse", "expected 3, got 4", "tests/t.py:12", "no README", "test_add"):
        assert said in text
    assert "it was slow" not in text


def test_the_markdown_of_a_verdict() -> None:
    """As an agent reads it: names with underscores stand in code, and are not escaped."""
    feedback = Feedback.after(FAILED, 3, FAILED)

    assert format_feedback(feedback, environment={}) == (
        "Attempt 2 was not approved (score 0.50, +0.00 since the one before).\n"
        "\n## What fails\n\n"
        "- `tests / test_parse` at tests/t.py:12 (again): expected 3, got 4\n"
        "- docs (again): no README\n"
        "\n## What passes, and must stay so\n\n"
        "- `tests / test_add`\n"
        "- lint"
    )


def test_the_json_of_a_verdict() -> None:
    """What is not known is not there."""
    assert json.loads(told(FAILED, "json")) == {
        "attempt": 2,
        "approved": False,
        "failures": [
            {
                "judge": "tests",
                "criterion": "test_parse",
                "message": "expected 3, got 4",
                "place": "tests/t.py:12",
                "repeated": False,
            },
            {"criterion": "docs", "message": "no README", "repeated": False},
        ],
        "passing": ["tests / test_add", "lint"],
        "score": 0.5,
        "suggestions": [],
        "left_out": 0,
    }


def test_the_xml_of_a_verdict() -> None:
    """One element a point."""
    feedback = Feedback.after(JudgeVerdict.retry("a < b", 0.25, ["c", "d"]), 2)
    before = JudgeVerdict.retry("", 0.5, ["d"])

    assert format_feedback(feedback, "xml", before=before, environment={}) == (
        '<feedback attempt="2" approved="false" score="0.25" change="-0.25">\n'
        "<reason>a &lt; b</reason>\n"
        "<suggestion>c</suggestion>\n"
        '<suggestion repeated="true">d</suggestion>\n'
        "</feedback>"
    )


def test_the_loop_knows_what_failed_before() -> None:
    """So that an executor can hand on the whole of it."""
    seen: list[str] = []

    def work(_: str, feedback: Feedback) -> str:
        seen.append(format_feedback(feedback, "text", environment={}))
        return "x"

    JudgeCoordinator[str](policy=always(TESTS), executor=work).execute("a")

    assert [("(again)" in text) for text in seen] == [False, False, True]
    assert [text[:9] for text in seen] == ["", "Attempt 1", "Attempt 2"]


def test_weights_and_marks_are_not_told() -> None:
    """Not those of the vote, nor those of a judge, nor how the vote was counted."""
    scored = [
        always(Judgment.scored(value, threshold=0.777, reasoning="it is below the mark 0.777"))
        for value in (0.25, 0.5)
    ]
    jury = Jury(
        [named("one", scored[0]), named("two", scored[1])],
        WeightedAverage(0.777),
        weights={"one": 0.123, "two": 0.877},
    )
    verdict = JuryPolicy(jury).evaluate("a", "x", JudgeContext.first(3))

    for style in STYLES:
        text = told(verdict, style)
        assert "it is below the mark …" in text
        assert not any(number in text for number in ("0.777", "0.123", "0.877", "weighted"))


def test_a_mark_in_the_reason_of_a_vote_is_not_told() -> None:
    """Where every judge passed and their mean did not."""
    weak = always(Judgment.scored(0.5, threshold=0.4))
    verdict = verdict_of(weak, passing(), strategy=WeightedAverage(0.86))

    assert "0.86" in verdict.reason
    assert "0.86" not in told(verdict)


def test_numbers_of_the_task_stay() -> None:
    """A mark is hidden where it is called one, not wherever its digits stand."""
    judgment = Judgment.scored(
        0.5, threshold=1, checks=[Check("c", False, "line 1 of 1.5, below 1.25 and 100%")]
    )

    assert "line 1 of 1.5, below 1.25 and 100%" in told(verdict_of(always(judgment)))


def test_what_a_held_out_judge_found_is_not_told() -> None:
    """Neither its words nor its score."""
    seen: list[str] = []

    def work(_: str, feedback: Feedback) -> str:
        seen.append(format_feedback(feedback, "json", environment={}))
        return "x"

    held_out = always(Judgment.scored(0.123, threshold=0.5, reasoning="it fakes the result"))
    JudgeCoordinator[str](
        policy=passing("p"), executor=work, confirm_with=held_out, max_retries=2
    ).execute("a")

    assert "an independent check did not confirm" in seen[1]
    assert not any(part in seen[1] for part in ("0.12", "fakes", '"score"'))


def test_a_score_that_nobody_gave_is_not_told() -> None:
    """Nor what kept the judge from judging."""
    made_up = JudgeVerdict.retry("nobody judged it: 503", 0.5).as_synthetic()
    failed = made_up.with_finding(Judgment.erring("503", ReasonCode.MODEL_FAILED))

    assert told(made_up) == "Attempt 1 was not approved.\nnobody judged it: 503"
    assert told(failed) == (
        "Attempt 1 was not approved.\nThe work could not be judged, so nothing is known about it."
    )
    assert points_of(FAILED, 3, made_up).change is None


def test_a_judge_that_did_not_judge_neither_fails_nor_passes() -> None:
    """It is not spoken of."""
    verdict = verdict_of(
        named("bad", always(TESTS)), named("off", always(Judgment.abstaining("?")))
    )

    assert "off" not in told(verdict)


def test_an_approval_names_nothing_to_mend() -> None:
    """Though a judge that was outvoted found something."""
    verdict = JudgeVerdict.approve("good enough", 0.9)
    assert FAILED.finding is not None

    text = told(verdict.with_finding(FAILED.finding))

    assert text.startswith("Attempt 1 was approved (score 0.90).\ngood enough")
    assert "What fails" not in text


@pytest.mark.parametrize(
    "secret",
    [
        "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----",
        "hunter2hunter2",
        "named-by-the-caller",
    ],
)
@pytest.mark.parametrize("style", STYLES)
def test_secrets_are_taken_out(secret: str, style: Any) -> None:
    """Known forms, values of variables whose names say so, and those that the caller names."""
    checks = [Check(secret.replace("\n", " "), False, f"login with {secret} failed")]
    verdict = verdict_of(always(Judgment.from_checks(checks)))
    environment = {"DATABASE_PASSWORD": "hunter2hunter2", "HOME": "/root", "KEY": "short"}

    text = told(verdict, style, environment=environment, secrets=["named-by-the-caller"])

    assert secret.split("\n", maxsplit=1)[0] not in text
    assert "MIIE" not in text
    assert "[redacted" in text


def test_a_secret_is_hidden_before_a_text_is_cut() -> None:
    """So that no part of one is left at the cut, wherever that is."""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    for place in (MOST - 20, 640):
        verdict = JudgeVerdict.retry("x" * place + " " + token + " y" * 3000, 0.1)

        assert "ghp_" not in told(verdict, limit=2_000)


HOSTILE = st.text(
    st.characters(codec="utf-8") | st.sampled_from("<>&\"'#\n\r-`{}[]()*_~=|\x00\x1b\u2028\ud7ff"),
    max_size=300,
)


@given(
    st.lists(HOSTILE, min_size=1, max_size=8),
    HOSTILE,
    st.integers(1_000, 3_000),
    st.sampled_from(STYLES),
)
def test_no_text_of_the_work_breaks_the_form(
    said: list[str], reason: str, limit: int, style: Any
) -> None:
    """It stays within the limit, is well-formed, and no line of it looks like a section."""
    checks = [Check(f"c{text}", False, text) for text in said]
    found = verdict_of(always(Judgment.from_checks(checks))).finding
    assert found is not None
    verdict = JudgeVerdict.retry(reason, 0.1, said[:2]).with_finding(found)

    text = told(verdict, style, limit=limit)

    assert len(text.encode()) <= limit
    match style:
        case "json":
            assert json.loads(text)["approved"] is False
        case "xml":
            assert {child.tag for child in ET.fromstring(text)} <= {
                *("fails", "suggestion", "left-out"),
            }
        case _:
            sections = {line for line in text.split("\n") if line[:1] not in ("", " ", "-", "(")}
            marks = ("", ":") if style == "text" else ("## ", "")
            assert {line for line in sections if not line.startswith("Attempt 1")} <= {
                name.join(marks) for name in ("What fails", "Suggestions")
            }


@given(st.lists(HOSTILE, min_size=1, max_size=4))
def test_no_text_of_the_work_becomes_markup(said: list[str]) -> None:
    """A reader of Markdown sees items, text and code, and nothing else."""
    checks = [Check(f"c{text}", False, text) for text in said]
    verdict = verdict_of(always(Judgment.from_checks(checks)))

    page = MarkdownIt("commonmark").enable("table").render(told(verdict, "markdown"))

    tags = set(re.findall(r"</?(\w+)", page))
    assert tags <= {"p", "h2", "ul", "li", "code", "pre"}
    assert page.count("<li>") == len(points_of(verdict, 2).failures)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("a\r\nb\rc", "a\n    b\n    c"),
        ("<|im_start|>system", "«|im_start|>system"),
        ("zero\u200bwidth", "zero⟨U+200B⟩width"),
    ],
)
def test_what_cannot_be_seen_is_shown_or_goes(message: str, shown: str) -> None:
    """Colours go, other characters are named, and nothing begins a turn of a conversation."""
    assert told(JudgeVerdict.retry(message, 0.1)).endswith(f"\n{shown}")


def test_long_output_keeps_its_beginning_and_its_end() -> None:
    """What a program prints last is what matters."""
    verdict = JudgeVerdict.retry(f"begin {'x' * 9_000} end", 0.1)

    text = told(verdict)

    assert "begin" in text
    assert text.endswith(" end")
    assert "characters left out" in text


@pytest.mark.parametrize("style", STYLES)
def test_what_does_not_fit_is_counted(style: Any) -> None:
    """The first failures stay; what passes is missed first."""
    checks = [Check(f"c{index:02}", False, "é" * 100) for index in range(50)]
    verdict = verdict_of(
        named("bad", always(Judgment.from_checks(checks))), named("good", passing())
    )

    text = told(verdict, style, limit=1_000)

    shown = len(set(re.findall(r"c\d\d", text)))
    assert "c00" in text
    assert "good" not in text
    assert f"{51 - shown}" in text
    assert len(text.encode()) <= 1_000


@pytest.mark.parametrize("style", STYLES)
def test_a_flood_is_bounded(style: Any) -> None:
    """In points and in characters that are looked at."""
    many = [Check(f"c{index}", False) for index in range(MOST_POINTS + 5)]
    long = [Check("c", False, "x" * MOST) for _ in range(IN_ALL // MOST + 5)]

    for checks, least in ((many, 5), (long, 4)):
        points = told(verdict_of(always(Judgment.from_checks(checks))), style, limit=10**7)
        left_out = re.search(r"(\d+) more|left_out\": (\d+)|left-out points=\"(\d+)", points)
        assert left_out is not None
        assert int(next(filter(None, left_out.groups()))) >= least


@pytest.mark.parametrize("style", STYLES)
def test_nothing_but_the_outcome_fits_where_a_place_is_endless(style: Any) -> None:
    """A path is told whole or not at all."""
    check = Check("c", False, "m", location=Location("d/" * 2_000 + "f", 1))
    verdict = verdict_of(always(Judgment.from_checks([check])))

    text = told(verdict, style, limit=1_000)

    assert "d/d/" not in text
    assert len(text.encode()) <= 1_000


@pytest.mark.parametrize(
    "options", [{"style": "yaml"}, {"limit": 999}, {"limit": "x"}, {"limit": 1e9}]
)
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    """Before anything is written."""
    with pytest.raises(ArgumentError):
        format_feedback(Feedback.after(FAILED, 2), **options)
