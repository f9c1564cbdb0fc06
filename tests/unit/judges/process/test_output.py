from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_judge.judges.process.output import BoundedOutput


@given(st.lists(st.binary(max_size=50)), st.integers(min_value=2, max_value=60))
def test_what_is_kept_is_the_beginning_and_the_end(parts: list[bytes], limit: int) -> None:
    """Every byte is kept or counted as dropped, and never more than the limit is kept."""
    output = BoundedOutput(limit)
    for part in parts:
        output.add(part)
    whole = b"".join(parts)
    half = limit // 2

    assert output.dropped == max(0, len(whole) - 2 * half)
    if not output.dropped:
        expected = whole[:half].decode("utf-8", "replace") + whole[half:].decode("utf-8", "replace")
        assert output.text() == expected.replace("\x00", "\ufffd")


def test_the_mark_says_how_much_is_missing() -> None:
    """A reader sees that something was cut."""
    output = BoundedOutput(4)
    output.add(b"abcdefgh")

    assert output.text() == "ab\n[… 4 bytes dropped …]\ngh"
