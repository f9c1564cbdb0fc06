from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import strategies
from agent_judge import Check, Judgment, JudgmentContext, Jury, Location, Verdict
from agent_judge.report import Case, Report, as_markdown
from agent_judge.report.markdown import escape
from agent_judge.testing import always, erring, failing, passing

RENDERER = MarkdownIt("commonmark").enable("table")


def rendered(verdict: Verdict, case: str = "case") -> str:
    """The report on one case as a reader of Markdown shows it."""
    return str(RENDERER.render(as_markdown(Report((Case(case, verdict),)))))


def vote(judgment: Judgment) -> Verdict:
    """The verdict of one judge."""
    return Jury([always(judgment)]).vote(JudgmentContext())


HOSTILE = [
    "a | b\n| x | y |\n|---|---|",
    "<script>alert(1)</script><img src=x onerror=y>",
    "[link](http://evil.example) ![image](x)",
    "`code` ```\nblock\n``` **bold** __strong__ ~~gone~~",
    "# heading\n## another",
    "- item",
    "1. item",
    "123456789. item",
    "12) item",
    "---",
    "===",
    "> quoted",
    "&lt;b&gt; &#60;",
    "\\",
    "\\|",
    "    code",
    "<https://evil.example>",
    "\x1b[31m\u202e\u2028",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_judged_text_is_shown_as_it_is(text: str) -> None:
    """It makes no cell, list, heading, link, image or tag. (contract: edges:S7)"""
    plain = rendered(vote(Judgment.failing("x", checks=[Check("x", False, "x")])))

    page = rendered(vote(Judgment.failing(text, checks=[Check(text, False, text)])))

    assert re.findall(r"</?\w+", page) == re.findall(r"</?\w+", plain)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see http://evil.example", "see http\\://evil.example"),
        ("WWW.evil.example", "WWW\\.evil.example"),
        ("@everyone", "\\@everyone"),
        ("at 12:30, e.g. a-b", "at 12:30, e.g. a-b"),
    ],
)
def test_what_a_page_would_link_by_itself_is_broken(text: str, shown: str) -> None:
    """An address that judged work wrote is nothing to click on. (contract: edges:S7)"""
    assert escape(text) == shown


@given(st.text(st.characters(), max_size=30))
def test_any_text_is_one_line_of_text(text: str) -> None:
    """Rendered, it is one paragraph without markup. (contract: edges:S7)"""
    line = escape(text, 1000)

    assert line.isprintable() or "\u200c" in line or "\u200d" in line
    assert re.findall(r"<[^>]*>", RENDERER.render(line)) in ([], ["<p>", "</p>"])


@given(strategies.verdicts)
def test_every_seat_is_a_row(verdict: Verdict) -> None:
    """Whatever juries judged, and whatever they said. (contract: edges:S7)"""
    seats = sum(1 for _ in verdict.all_seats())
    stages = sum(attempt.verdict is None for _, attempt in verdict.stages())

    assert rendered(verdict).count("<tr>") == 1 + seats + stages


def test_several_cases_have_an_overview() -> None:
    """A line a case, above what is said of each."""
    judges = [passing("fine"), failing("bad")]
    cases = tuple(Case(f"c{i}", Jury([j]).vote(JudgmentContext())) for i, j in enumerate(judges))

    text = as_markdown(Report(cases))

    assert "| c0 | ✅ pass |  | 1 passed, 0 failed |" in text
    assert "| c1 | ❌ fail |  | 0 passed, 1 failed |" in text
    assert text.index("| c1 |") < text.index("### ")


def test_failed_checks_and_errors_are_told_apart() -> None:
    """With their places. (contract: edges:S7)"""
    check = Check("title", False, "none", location=Location("a.md", 3))
    jury = Jury([always(Judgment.failing("f", checks=[check])), erring("no tool")])

    text = as_markdown(Report((Case("c", jury.vote(JudgmentContext())),)))

    assert "- fail — title at a.md:3: none" in text
    assert "| error | 💥 error |  | no tool |" in text
