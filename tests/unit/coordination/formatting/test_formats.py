"""Feedback in words: complete, bounded, and safe whatever the judges quote."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge import (
    AllMustPass,
    Check,
    Judgment,
    Jury,
    Location,
    WeightedAverage,
)
from agent_judge.coordination import Feedback, JudgeContext, JudgeVerdict, JuryPolicy
from agent_judge.coordination.formatting import Failure, format_feedback, points_of, redact
from agent_judge.errors import ArgumentError
from agent_judge.protocol import named
from agent_judge.testing import always, passing

STYLES: Any = ("text", "markdown", "json", "xml")
TESTS = Judgment.from_checks(
    [
        Check("test_add", True),
        Check("test_parse", False, "expected 3, got 4", location=Location("tests/t.py", 12)),
    ]
)


def verdict_of(*judges: Any, strategy: Any = None) -> JudgeVerdict:
    """What a jury of these judges leads to."""
    jury = Jury(judges, strategy or AllMustPass())
    return JuryPolicy(jury).evaluate("a", "x", JudgeContext.first(3))


FAILED = verdict_of(
    named("tests", always(TESTS)),
    named("docs", always(Judgment.failing("no README"))),
    named("lint", passing()),
)


def test_a_first_attempt_has_no_feedback() -> None:
    """Nothing at all."""
    assert all(format_feedback(Feedback.first(), style) == "" for style in STYLES)


def test_the_points_of_a_jury() -> None:
    """What failed with its place, what passes and must stay, and what is new."""
    points = points_of(FAILED, 2)

    assert points.failures == (
        Failure("test_parse", "expected 3, got 4", "tests/t.py:12"),
        Failure("docs", "no README"),
    )
    assert points.passing == ("test_add", "lint")
    assert points.change is None
    assert points.suggestions == ()


def test_what_fails_again_is_marked() -> None:
    """And the change of the score is told."""
    mended = verdict_of(
        named("tests", always(TESTS)), named("docs", passing()), named("lint", passing())
    )

    points = points_of(mended, 3, FAILED)

    assert [failure.repeated for failure in points.failures] == [True]
    assert points.change is not None
    assert points.change > 0


@pytest.mark.parametrize("style", STYLES)
def test_each_style_tells_all_points(style: Any) -> None:
    """In its own form."""
    text = format_feedback(Feedback.after(FAILED, 2), style)

    for said in (
        "test_parse",
        "expected 3, got 4",
        "tests/t.py:12",
        "no README",
        "test_add",
        "lint",
    ):
        assert said in text


def test_the_markdown_of_a_verdict() -> None:
    """As an agent reads it."""
    assert format_feedback(Feedback.after(FAILED, 2), before=FAILED) == (
        "Attempt 1 was not approved (score 0.50, +0.00 since the one before).\n"
        "\n## What fails\n\n"
        "- test_parse at tests/t.py:12 (again): expected 3, got 4\n"
        "- docs (again): no README\n"
        "\n## What passes, and must stay so\n\n"
        "- test_add\n"
        "- lint"
    )


def test_weights_and_marks_are_not_told() -> None:
    """Nor how the vote was counted, nor a judge that could not judge."""
    scored = [
        always(Judgment.scored(value, threshold=0.777, checks=[Check("c", False, "thin")]))
        for value in (0.25, 0.5)
    ]
    jury = Jury(
        [named("one", scored[0]), named("two", scored[1])],
        WeightedAverage(0.777),
        weights={"one": 0.123, "two": 0.877},
    )
    verdict = JuryPolicy(jury).evaluate("a", "x", JudgeContext.first(3))

    for style in STYLES:
        text = format_feedback(Feedback.after(verdict, 2), style)
        assert "thin" in text
        assert not any(number in text for number in ("0.777", "0.123", "0.877", "weighted"))


def test_other_suggestions_are_told() -> None:
    """Those that no failure says already."""
    verdict = JudgeVerdict.retry("no", 0.2, ["Add a title."])

    assert "- Add a title." in format_feedback(Feedback.after(verdict, 2))


@pytest.mark.parametrize(
    "secret",
    [
        "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----",
        "hunter2hunter2",
    ],
)
@pytest.mark.parametrize("style", STYLES)
def test_secrets_are_taken_out(secret: str, style: Any) -> None:
    """Known forms, and the values of variables whose names say so."""
    verdict = verdict_of(always(Judgment.failing(f"login with {secret} failed")))
    environment = {"DATABASE_PASSWORD": "hunter2hunter2", "HOME": "/root", "KEY": "short"}

    text = format_feedback(Feedback.after(verdict, 2), style, environment=environment)

    assert secret.split("\n", maxsplit=1)[0] not in text
    assert "MIIE" not in text
    assert "[redacted]" in text


def test_ordinary_words_stay() -> None:
    """Only what is long enough and named as a secret goes."""
    assert redact("see /root, short", {"HOME": "/root", "API_KEY": "short"}) == "see /root, short"


HOSTILE = st.text(
    st.characters(codec="utf-8") | st.sampled_from("<>&\"'#\n-`{}\x00\x1b"),
    max_size=400,
)


@given(st.lists(HOSTILE, min_size=1, max_size=8), st.integers(300, 2000), st.sampled_from(STYLES))
def test_no_text_of_the_work_breaks_the_form(said: list[str], limit: int, style: Any) -> None:
    """It stays within the limit, is well-formed, and no line of it looks like a heading."""
    checks = [Check(f"c{index}", False, text) for index, text in enumerate(said)]
    verdict = verdict_of(always(Judgment.from_checks(checks)))

    text = format_feedback(Feedback.after(verdict, 2), style, limit=limit, environment={})

    assert len(text) <= limit
    assert text.isprintable() or {c for c in text if not c.isprintable()} <= {"\n"}
    match style:
        case "json":
            assert json.loads(text)["approved"] is False
        case "xml":
            assert ET.fromstring(text).tag == "feedback"
        case _:
            headings = [line for line in text.split("\n") if line.startswith("#")]
            assert set(headings) <= {"## What fails"}


def test_what_does_not_fit_is_counted() -> None:
    """The first failures stay."""
    checks = [Check(f"c{index}", False, "x" * 100) for index in range(50)]
    verdict = verdict_of(always(Judgment.from_checks(checks)))

    text = format_feedback(Feedback.after(verdict, 2), "text", limit=1000)

    assert "c0" in text
    assert "more points are left out" in text


@pytest.mark.parametrize("options", [{"style": "yaml"}, {"limit": 10}, {"limit": "x"}])
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    """Before anything is written."""
    with pytest.raises(ArgumentError):
        format_feedback(Feedback.after(FAILED, 2), **options)


def test_a_single_judge_is_told_of() -> None:
    """Without a jury around it."""
    verdict = JuryPolicy(always(TESTS)).evaluate("a", "x", JudgeContext.first(2))

    assert points_of(verdict, 2).failures[0].criterion == "test_parse"
