from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.judgment import ReasonCode
from agent_judge.llm.hearing import Unread
from agent_judge.llm.requirements.answers import Answer, Answers, Finding, Reader, read_answers
from agent_judge.models import FinishReason, ModelResponse

IDS = ("R1", "REQ-2", "1.1")


def entry(name: str, finding: str = "fail", evidence: Any = "app.py:3") -> dict[str, Any]:
    """An answer as JSON."""
    return {"id": name, "evidence": evidence, "finding": finding}


def read(answers: Any, **members: Any) -> Answers | Unread:
    """What is read of a JSON reply."""
    text = json.dumps({"answers": answers, **members})
    return read_answers(ModelResponse(text), IDS, lines=False)


def read_lines(text: str) -> Answers | Unread:
    """What is read of a reply in lines."""
    return read_answers(ModelResponse(text), IDS, lines=True)


def test_an_object_answers_by_identifiers() -> None:
    """In any order; what is left out is missing."""
    found = read([entry("1.1", "undetermined", ""), entry(" R1 ", "Pass.", ["a", "b"])])

    assert found == {
        "1.1": Answer(Finding.UNDETERMINED),
        "R1": Answer(Finding.PASS, "a\nb"),
    }


@pytest.mark.parametrize(
    ("line", "name", "answer"),
    [
        ("R1 | PASS | app.py:3 compares", "R1", Answer(Finding.PASS, "app.py:3 compares")),
        ("- **R1** | fail |", "R1", Answer(Finding.FAIL)),
        ("| REQ-2 | failed | a | b |", "REQ-2", Answer(Finding.FAIL, "a | b")),
        ("`1.1` | *Undetermined*", "1.1", Answer(Finding.UNDETERMINED)),
        (
            'R1 | excluded | there is "no" disk',
            "R1",
            Answer(Finding.EXCLUDED, 'there is "no" disk'),
        ),
        ("R1 | n/a | no disk", "R1", Answer(Finding.EXCLUDED, "no disk")),
    ],
)
def test_lines_answer_by_identifiers(line: str, name: str, answer: Answer) -> None:
    """With or without the look of a table."""
    assert read_lines(f"Here it is:\n\n{line}") == {name: answer}
    assert read_lines(f"ID | FINDING | EVIDENCE\n---|---|---\n{line}") == {name: answer}


@pytest.mark.parametrize(
    ("answers", "detail"),
    [
        ([entry("R9")], "'R9', which was not asked"),
        ([entry("R1"), entry("R1")], "R1 twice"),
        ([entry("R1", "maybe")], "'maybe' of R1"),
        ([entry("R1", "pass", "")], "passes R1 without evidence"),
        ([entry("R1", "pass", " - ")], "passes R1 without evidence"),
        ([entry("R1", "pass", "N/A.")], "passes R1 without evidence"),
        ([entry("R1", "pass", None)], "passes R1 without evidence"),
        ([entry("R1", "excluded", "")], "excludes R1 without a reason"),
        (["R1"], "answer 1 of its list"),
        ([entry("R1"), {"id": "REQ-2"}], "answer 2 of its list"),
        ([{"id": 1, "finding": "pass"}], "answer 1 of its list"),
        ({"R1": "pass"}, "no list of answers"),
        (None, "no list of answers"),
    ],
)
def test_what_breaks_the_protocol_is_not_read(answers: Any, detail: str) -> None:
    """An unknown identifier, one answered twice, a PASS without evidence. (contract: judges:Q5)"""
    found = read(answers)

    assert isinstance(found, Unread)
    assert found.code is ReasonCode.PROTOCOL
    assert detail in found.detail


@pytest.mark.parametrize("text", ["", "All of them pass.", "R1 passes | I think", "R1: pass"])
@pytest.mark.parametrize("lines", [True, False])
def test_prose_is_not_read(text: str, lines: bool) -> None:
    """It answers nothing by its identifier. (contract: judges:Q5)"""
    found = read_answers(ModelResponse(text), IDS, lines=lines)

    assert isinstance(found, Unread)
    assert found.code is ReasonCode.PROTOCOL


@pytest.mark.parametrize(
    "text",
    [
        "<think>\nR1 | pass | looks fine\n</think>",
        "> R1 | pass | looks fine",
        "The candidate wrote:\n```\nR1 | pass | looks fine\n```\nWhich is no proof.",
        "<!-- R1 | pass | looks fine -->",
    ],
)
def test_lines_of_somebody_else_do_not_answer(text: str) -> None:
    """Reasoning and quotations are not the judge's own words. (contract: judges:P16)"""
    assert isinstance(read_lines(text), Unread)


def test_a_cut_reply_is_not_read() -> None:
    """Not even as far as it goes."""
    cut = ModelResponse("R1 | fail | a", finish_reason=FinishReason.LENGTH)

    assert isinstance(read_answers(cut, IDS, lines=True), Unread)


def test_a_missing_answer_is_asked_for_and_the_others_kept() -> None:
    """Nobody else may answer it."""
    reader = Reader(IDS, lines=False)

    found = reader(ModelResponse(json.dumps({"answers": [entry("R1")]})))

    assert isinstance(found, Unread)
    assert "REQ-2, 1.1" in found.detail
    assert reader.partial == {"R1": Answer(Finding.FAIL, "app.py:3")}


@given(st.text(st.sampled_from("R1|pas fil.-*`\n{}\"':"), max_size=80), st.booleans())
def test_any_reply_is_read_or_not(text: str, lines: bool) -> None:
    """It never raises, and gives no PASS without evidence."""
    found = read_answers(ModelResponse(text), IDS, lines=lines)

    if not isinstance(found, Unread):
        assert set(found) <= set(IDS)
        assert all(one.evidence for one in found.values() if one.finding is Finding.PASS)
