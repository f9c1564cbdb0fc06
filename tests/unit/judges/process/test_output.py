from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.judges.process.output import BoundedOutput


def printed(parts: list[bytes], limit: int) -> str:
    """What is kept of bytes that were read in these parts."""
    output = BoundedOutput(limit)
    for part in parts:
        output.add(part)
    return output.text()


@given(st.text(), st.data())
def test_what_is_within_the_limit_is_kept_as_it_is(text: str, data: st.DataObject) -> None:
    """However it was read, also where a character was cut in two. (contract: judges:X6)"""
    whole = text.encode()
    cut = data.draw(st.integers(0, len(whole)))

    kept = printed([whole[:cut], whole[cut:]], len(whole) + 2)

    assert kept == text.replace("\x00", "\ufffd")


@given(st.lists(st.binary(max_size=50)), st.integers(min_value=2, max_value=60))
def test_every_byte_is_kept_or_counted(parts: list[bytes], limit: int) -> None:
    """Never more than the limit is kept, from both ends. (contract: judges:X6)"""
    whole = b"".join(parts)
    limit -= limit % 2

    kept = BoundedOutput(limit)
    for part in parts:
        kept.add(part)
    mark = re.search(r"\n\[… (\d+) bytes dropped …\]\n", kept.text())

    assert (mark is not None) == (len(whole) > limit)
    if mark is not None:
        assert len(whole) - limit <= int(mark[1]) <= len(whole) - limit + 6


@given(st.text(alphabet="aé€😀", min_size=40), st.integers(min_value=8, max_value=30))
def test_a_cut_leaves_no_part_of_a_character(text: str, limit: int) -> None:
    """What is kept of a text is of that text. (contract: judges:X6)"""
    head, _, tail = re.split(r"\n\[… (\d+) bytes dropped …\]\n", printed([text.encode()], limit))

    assert text.startswith(head)
    assert text.endswith(tail)


def test_bytes_that_are_no_text_are_not_taken_for_cut_characters() -> None:
    """What was broken before the cut stays visible. (contract: judges:X6)"""
    assert printed([b"\x80" * 20], 12).startswith("\ufffd" * 6)


def test_the_mark_says_how_much_is_missing() -> None:
    """A reader sees that something was cut. (contract: judges:X6)"""
    assert printed([b"abcdefgh"], 4) == "ab\n[… 4 bytes dropped …]\ngh"


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_what_is_held_does_not_grow(size: int) -> None:
    """Memory stays within the limit and one part. (contract: judges:X6)"""
    output = BoundedOutput(100)
    for _ in range(1000):
        output.add(b"x" * size)

    assert len(output._head) + sum(map(len, output._tail)) <= 100 + size
