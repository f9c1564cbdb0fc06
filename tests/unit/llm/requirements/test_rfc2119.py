from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.llm import parse_rfc2119
from agent_judge.llm.requirements.rfc2119 import find_levels
from agent_judge.llm.requirements.roster import Level


def rules(document: str) -> list[tuple[str, str, str]]:
    """The rules of a document, each as its identifier, its key word and its text."""
    return [(one.id, one.keyword, one.text) for one in parse_rfc2119(document).requirements]


@pytest.mark.parametrize(
    ("keyword", "level"),
    [
        ("MUST", Level.MUST),
        ("MUST NOT", Level.MUST),
        ("REQUIRED", Level.MUST),
        ("SHALL", Level.MUST),
        ("SHALL NOT", Level.MUST),
        ("SHOULD", Level.SHOULD),
        ("SHOULD NOT", Level.SHOULD),
        ("RECOMMENDED", Level.SHOULD),
        ("NOT RECOMMENDED", Level.SHOULD),
        ("MAY", Level.MAY),
        ("OPTIONAL", Level.MAY),
    ],
)
def test_each_key_word_has_its_level(keyword: str, level: Level) -> None:
    """In capitals alone, as RFC 8174 has it. (contract: judges:Q1)"""
    assert find_levels(f"It {keyword} be so.") == {level: keyword}
    assert find_levels(f"It {keyword.lower()} be so.") == {}


@pytest.mark.parametrize(
    "text",
    [
        'The key words "MUST" and "MAY" are to be interpreted as described in RFC 2119.',
        "As BCP 14 says, MUST is a word.",
        'Write "MUST" here.',
        "Write `MUST NOT` here.",
        "Write “SHOULD” here.",
        "MUSTARD and MAYBE",
        "```\nIt MUST.\n```",
    ],
)
def test_a_key_word_that_is_spoken_of_makes_no_rule(text: str) -> None:
    """Nor does one in code, or in another word. (contract: judges:Q1)"""
    assert rules(text) == []


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (
            "A MUST b. C is d. E SHOULD NOT f.",
            [("R1", "MUST", "A MUST b."), ("R2", "SHOULD NOT", "E SHOULD NOT f.")],
        ),
        (
            "A MUST b and MAY c.",
            [("R1", "MUST", "A MUST b and MAY c."), ("R2", "MAY", "A MUST b and MAY c.")],
        ),
        ("- [R-7] A MUST b.", [("R-7", "MUST", "A MUST b.")]),
        ("R-7: A MUST b. C MAY d.", [("R-7.1", "MUST", "A MUST b."), ("R-7.2", "MAY", "C MAY d.")]),
        ("## R-7: Retries\nA MUST b.", [("R-7", "MUST", "A MUST b.")]),
        ("## A MUST b", [("R1", "MUST", "A MUST b")]),
        ("## 3.2 Retries\nA MUST b.", [("3.2-1", "MUST", "A MUST b.")]),
        (
            "Servers MUST:\n- answer\n- MAY sleep\n- [R-1] log",
            [
                ("R1", "MUST", "Servers MUST: answer"),
                ("R2", "MAY", "MAY sleep"),
                ("R-1", "MUST", "Servers MUST: log"),
            ],
        ),
        (
            "R-2: Servers SHOULD:\n- answer\n- log",
            [
                ("R-2.1", "SHOULD", "Servers SHOULD: answer"),
                ("R-2.2", "SHOULD", "Servers SHOULD: log"),
            ],
        ),
        ("Headers:\n- A MUST b.", [("R1", "MUST", "A MUST b.")]),
        ("- **R-3**\n\n  A MUST b.", [("R-3", "MUST", "A MUST b.")]),
        ("| id | rule |\n|--|--|\n| R-6 | X SHALL y |", [("R-6", "SHALL", "X SHALL y")]),
        ("A MUST send this:\n```\nx\n```", [("R1", "MUST", "A MUST send this:")]),
    ],
)
def test_rules_are_found_and_named(document: str, expected: list[tuple[str, str, str]]) -> None:
    """Each sentence with a key word, and the items of a list that it opens.

    (contract: judges:Q1)
    """
    assert rules(document) == expected


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ("## R-1: Empty\n\n## Other\nA MUST b.", "it has no body"),
        ("## R-1: Prose\nIt is.\n\n## Other\nA MUST b.", "none of its text has a key word"),
        ("- R-1: It is.\n- A MUST b.", "it has none of the key words"),
        ("- R-1\n- A MUST b.", "it has no body"),
        ("- R-1: MUST.\n- A MUST b.", "it says nothing but its key word"),
    ],
)
def test_what_is_declared_and_not_read_is_reported(document: str, reason: str) -> None:
    """In the count, with its line. (contract: judges:Q1)"""
    roster = parse_rfc2119(document)

    assert (roster.declared, roster.parsed) == (2, 1)
    assert [(fault.line, fault.reason) for fault in roster.unreadable] == [(1, reason)]


@given(
    st.lists(
        st.sampled_from(
            [
                "# ",
                "- ",
                "R-1",
                "R-2: ",
                "A MUST b. ",
                "MUST",
                "Servers SHOULD:",
                "`MAY`",
                "\n",
                "\n\n",
                "  ",
                "| ",
                "RFC 2119",
            ]
        ),
        max_size=25,
    )
)
def test_any_document_has_a_roster(pieces: list[str]) -> None:
    """Its identifiers differ, and each rule has the level of its word. (contract: judges:Q1)"""
    roster = parse_rfc2119("".join(pieces))

    assert len({one.id for one in roster.requirements}) == roster.parsed
    assert all(find_levels(one.text).get(one.level) for one in roster.requirements)
