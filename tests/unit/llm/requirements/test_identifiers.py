from __future__ import annotations

import pytest

from agent_judge.llm.requirements.identifiers import identified


@pytest.mark.parametrize(
    ("text", "name", "rest"),
    [
        ("**REQ-1**: a", "REQ-1", "a"),
        ("**REQ-1:** a", "REQ-1", "a"),
        ("[REQ-1] a", "REQ-1", "a"),
        ("`REQ-1` a", "REQ-1", "a"),
        ("REQ-1 a", "REQ-1", "a"),
        ("REQ-1", "REQ-1", ""),
        ("FR1 - a", "FR1", "a"),
        ("NFR-SEC-3. a", "NFR-SEC-3", "a"),
        ("AC-1.2a: a", "AC-1.2a", "a"),
        ("Requirement 2: a", "2", "a"),
        ("**Acceptance Criterion 1.2:** a", "1.2", "a"),
        ("[REQ-1](docs/a.md): a", "REQ-1", "a"),
    ],
)
def test_an_identifier_is_taken_off(text: str, name: str, rest: str) -> None:
    """In the ways in which documents set it off."""
    assert identified(text) == (name, rest, True)


@pytest.mark.parametrize("text", ["3.2 Scope", "**1.1** WHEN", "3.2.1: a"])
def test_a_mere_number_may_be_that_of_a_section(text: str) -> None:
    """It names, and declares nothing."""
    found = identified(text)

    assert found.id is not None
    assert not found.declares


@pytest.mark.parametrize(
    "text", ["", "a", "UTF-8 is", "S3 buckets", "**S3** buckets", "R2D2 is", "1.5 seconds", "(a) b"]
)
def test_other_words_are_no_identifiers(text: str) -> None:
    """Though they hold digits."""
    assert identified(text) == (None, text, False)
