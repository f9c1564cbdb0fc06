from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.llm import Roster, parse_ears
from agent_judge.llm.requirements.ears import read_criterion
from agent_judge.llm.requirements.roster import MAX_DOCUMENT, Pattern

KIRO = """\
# Requirements Document

## Introduction

A shop. Things should be nice, and must be cheap.

- [Requirement 1: Login](#requirement-1-login)

### Requirement 1: Login

**User Story:** As a user, I want to log in, so that I can pay.

#### Acceptance Criteria

1. WHEN a user submits valid credentials THEN the system SHALL open a session
2. IF the password is wrong THEN the system SHALL
   show an error
3. The page should be blue

### Requirement 2

#### Acceptance Criteria

1. WHERE dark mode is included, the system SHALL:
   - invert colours
   - keep contrast
"""


def ids(roster: Roster) -> list[str]:
    """The identifiers of a roster."""
    return [requirement.id for requirement in roster.requirements]


def texts(document: str) -> list[tuple[str, str]]:
    """The requirements of a document, each as its identifier and its text."""
    return [(one.id, one.text) for one in parse_ears(document).requirements]


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("The system shall log in.", Pattern.UBIQUITOUS),
        ("WHEN a key is pressed THE SYSTEM SHALL wake.", Pattern.EVENT),
        ("When pressed, the system shall not sleep.", Pattern.EVENT),
        ("While **idle**, the system shall sleep.", Pattern.STATE),
        ("IF the key is wrong THEN the system MUST stop.", Pattern.UNWANTED),
        ("Where dark mode is there, the system shall be dark.", Pattern.OPTIONAL),
        ("While idle, when pressed, the system shall wake.", Pattern.COMPLEX),
        ("WHEN a AND b THEN the system SHALL c", Pattern.EVENT),
        ("WHEN a AND WHILE b THEN the system SHALL c", Pattern.COMPLEX),
        ("The system shall say when it is done.", Pattern.UBIQUITOUS),
    ],
)
def test_each_pattern_of_ears_is_known(text: str, pattern: Pattern) -> None:
    """By the words that its clauses begin with. (contract: judges:Q1)"""
    assert read_criterion(text) is pattern


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The system should be fast.", "it says 'should', not 'shall'"),
        ("The system is fast.", "it says nowhere 'shall'"),
        ("The system shall .", "it does not say what shall be"),
        ("WHEN SHALL it stop", "it does not say which system shall do it"),
        ("Shall stop.", "it does not say which system shall do it"),
    ],
)
def test_what_is_no_requirement_says_why(text: str, reason: str) -> None:
    """A requirement names a system, and what it shall do. (contract: judges:Q1)"""
    assert read_criterion(text) == reason


def test_criteria_are_named_by_their_requirement() -> None:
    """The prose around them is none. (contract: judges:Q1)"""
    roster = parse_ears(KIRO)

    assert ids(roster) == ["1.1", "1.2", "2.1"]
    assert roster.requirements[1].line == 16
    assert roster.requirements[1].text.endswith("SHALL show an error")
    assert roster.requirements[2].text.endswith("SHALL: invert colours; keep contrast")
    assert (roster.declared, roster.parsed) == (4, 3)
    assert [(fault.line, fault.reason) for fault in roster.unreadable] == [
        (18, "it says 'should', not 'shall'")
    ]


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ("# REQ-1: Login\n\n# REQ-2: b\nIt shall be.", "it has no body"),
        ("# REQ-1: Login\nIt is nice.\n# REQ-2: b\nIt shall be.", "none of its text says 'shall'"),
        ("- REQ-1\n- REQ-2: It shall be.", "it has no body"),
        ("| REQ-1 | nothing |\n| REQ-2 | It shall be. |", "it says nowhere 'shall'"),
        ("REQ-1: nothing\nREQ-2: It shall be.", "it says nowhere 'shall'"),
    ],
)
def test_what_is_declared_and_not_read_is_reported(document: str, reason: str) -> None:
    """With its line and the reason, and in the count. (contract: judges:Q1)"""
    roster = parse_ears(document)

    assert ids(roster) == ["REQ-2"]
    assert roster.declared == 2
    [fault] = roster.unreadable
    assert fault.line == 1
    assert "REQ-1" in fault.text
    assert fault.reason == reason
    assert str(fault).startswith("line 1: 'REQ-1")


def test_a_numbered_item_below_an_identifier_declares_a_requirement() -> None:
    """Other items there may be its attributes. (contract: judges:Q1)"""
    roster = parse_ears("# REQ-3: Speed\n- Priority: high\n1. It is fast.\n2. It shall be fast.")

    assert ids(roster) == ["REQ-3.2"]
    assert [fault.text for fault in roster.unreadable] == ["It is fast."]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("## REQ-1: Speed\nIt shall be fast.", [("REQ-1", "It shall be fast.")]),
        ("## REQ-1: WHEN a the app SHALL b", [("REQ-1", "WHEN a the app SHALL b")]),
        (
            "## REQ-1\nIt shall a. It shall b.\n- It shall c.",
            [("REQ-1.1", "It shall a."), ("REQ-1.2", "It shall b."), ("REQ-1.3", "It shall c.")],
        ),
        ("## 3.2 Scope\nIt shall a.", [("3.2-1", "It shall a.")]),
        ("- **REQ-1**\n\n  While a, it shall b.", [("REQ-1", "While a, it shall b.")]),
        ("**REQ-1**\n\nWhile a, it shall b.", [("REQ-1", "While a, it shall b.")]),
        ("REQ-1: It shall:\n- a\n- b", [("REQ-1", "It shall: a; b")]),
        ("It shall a. It is b. It shall c.", [("R1", "It shall a."), ("R2", "It shall c.")]),
        ("R1: It shall a.\n\nIt shall b.", [("R1", "It shall a."), ("R2", "It shall b.")]),
        (
            "R-1: It shall a.\n\nR-1: It shall b.",
            [("R-1", "It shall a."), ("R-1#2", "It shall b.")],
        ),
        ("| ID | Text |\n|--|--|\n| N-1 | It shall a. | high |", [("N-1", "It shall a.")]),
        ("> REQ-1: It shall a.", [("REQ-1", "It shall a.")]),
        ("- Priority: high\n- It shall a.", [("R1", "It shall a.")]),
        ("```\nREQ-1: It shall a.\n```\n<!-- REQ-2: It shall b. -->", []),
    ],
)
def test_requirements_are_found_and_named(document: str, expected: list[tuple[str, str]]) -> None:
    """By identifiers of the document, or else by section or place. (contract: judges:Q1)"""
    assert texts(document) == expected


def test_a_document_is_text_of_a_bounded_length() -> None:
    """It may come from a workspace."""
    with pytest.raises(ArgumentTypeError):
        parse_ears(None)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="at most 1,000,000 characters"):
        parse_ears("a" * (MAX_DOCUMENT + 1))


@given(
    st.lists(
        st.sampled_from(
            [
                "# ",
                "## ",
                "- ",
                "1. ",
                "REQ-1",
                "R-2: ",
                "Requirement 3",
                "Acceptance Criteria",
                "WHEN a, ",
                "the system shall b. ",
                "It SHALL:",
                "should ",
                "\n",
                "\n\n",
                "  ",
                "| ",
                "```\n",
            ]
        ),
        max_size=25,
    )
)
def test_any_document_has_a_roster(pieces: list[str]) -> None:
    """Its identifiers differ, and what is declared is read or reported. (contract: judges:Q1)"""
    document = "".join(pieces)

    roster = parse_ears(document)

    assert len(set(ids(roster))) == roster.parsed
    assert roster.declared == roster.parsed + len(roster.unreadable)
    lines = [one.line for one in roster.requirements] + [one.line for one in roster.unreadable]
    assert all(1 <= line <= document.count("\n") + 1 for line in lines)
