from __future__ import annotations

import pytest

from agent_judge.judges.meaning.claims import claims


def test_sentences_that_claim_something_are_found() -> None:
    """In order, without the marks around them."""
    text = (
        "- **Ida Krogh** designed the iron bridge.\n- It was closed to trains in `1971` for good."
    )

    found = claims(text)

    assert [claim.text for claim in found.found] == [
        "Ida Krogh designed the iron bridge.",
        "It was closed to trains in 1971 for good.",
    ]
    assert found.left == {}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Would you like to know more about the bridge?", "question"),
        ("These are the things that the sources say about the bridge:", "lead-in"),
        ("It was Ida.", "short"),
        ("# The bridge in the town of Halden and its history", "heading"),
        ("```\nprint('the bridge was opened in May')\n```", "code"),
        ("ᚠᛇᚻ ᛒᛦᚦ ᚠᚱᚩᚠᚢᚱ ᚠᛁᚱᚪ ᚷᛖᚻᚹᛦᛚᚳᚢᛗ ᛋᚳᛖᚪᛚ", "not English"),
        ("Der Mond verursacht an allen Küsten Ebbe und Flut.", "not English"),
    ],
)
def test_what_claims_nothing_is_left_and_counted(text: str, kind: str) -> None:
    """By what it is instead."""
    found = claims(text)

    assert found.found == ()
    assert found.left == {kind: 1}


def test_code_that_never_ends_is_code() -> None:
    """An open fence reaches to the end; what was before it is read."""
    found = claims("The bridge was opened in May.\n```\nx = 1\ny = 2")

    assert len(found.found) == 1
    assert found.left == {"code": 2}


def test_a_claim_that_is_too_long_comes_in_parts() -> None:
    """Each is looked for."""
    found = claims("The bridge was opened " + "and closed and painted and opened " * 60 + "again.")

    assert len(found.found) == 2
    assert all(claim.is_part for claim in found.found)
