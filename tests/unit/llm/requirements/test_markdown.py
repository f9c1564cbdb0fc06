from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.llm.requirements.markdown import Block, BlockKind, read_blocks


def blocks(document: str) -> list[tuple[str, str]]:
    """The blocks of a document, each as its kind and its text."""
    return [(block.kind.value, block.text) for block in read_blocks(document)]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("", []),
        ("a\nb\n\nc", [("text", "a b"), ("text", "c")]),
        ("## A ##\nb", [("heading", "A"), ("text", "b")]),
        ("A\n===\nB\n---\nc", [("heading", "A"), ("heading", "B"), ("text", "c")]),
        ("#hash", [("text", "#hash")]),
        ("- a\n  b\n* c\n+ d", [("item", "a b"), ("item", "c"), ("item", "d")]),
        ("1. a\n2) b\n- [x] c", [("item", "a"), ("item", "b"), ("item", "c")]),
        ("- a\n\n  b", [("item", "a"), ("text", "b")]),
        ("> a\n> b", [("text", "a b")]),
        ("| a | b \\| c |\n|---|---|", [("row", "a b | c"), ("row", "--- ---")]),
        ("a\n\n---\n\n***\n\nb", [("text", "a"), ("text", "b")]),
        ("```\n# a\n```\nb", [("text", "b")]),
        ("~~~~ py\n```\n~~~\na\n~~~~\nb", [("text", "b")]),
        ("    code\n\na\n    b", [("text", "a b")]),
        ("- a\n\n        b", [("item", "a"), ("text", "b")]),
        ("a <!-- b\n\n# c --> d <!---->", [("text", "a"), ("text", "d")]),
        ("---\ntitle: a\n---\nb", [("text", "b")]),
        ("---\na", [("text", "a")]),
        ("\ufeff# a\r\nb\rc", [("heading", "a"), ("text", "b c")]),
    ],
)
def test_blocks_are_told_apart(document: str, expected: list[tuple[str, str]]) -> None:
    """Code, comments, rules and front matter are none."""
    assert blocks(document) == expected


def test_a_block_knows_its_place() -> None:
    """Its line, its level and its number."""
    heading, item, nested = read_blocks("\n### a\n2. b\n   - c\n")

    assert heading == Block(BlockKind.HEADING, ("a",), 2, 3)
    assert item == Block(BlockKind.ITEM, ("b",), 3, 0, 2)
    assert nested == Block(BlockKind.ITEM, ("c",), 4, 3)


@given(st.text(st.sampled_from("ab #-*|>`~\n\t<!=_1.\\"), max_size=60))
def test_any_text_has_blocks_in_order(document: str) -> None:
    """Each begins on a line of the document, behind the one before."""
    lines = [block.line for block in read_blocks(document)]

    assert lines == sorted(lines)
    assert all(1 <= line <= document.count("\n") + 1 for line in lines)
