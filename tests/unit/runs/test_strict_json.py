from __future__ import annotations

import pytest

from agent_judge.errors import WireError
from agent_judge.runs import parse_json


@pytest.mark.parametrize(
    "raw",
    [
        b"{",
        b"",
        b"NaN",
        b'{"a": Infinity}',
        b"-Infinity",
        b'{"a": 1, "a": 2}',
        b'[{"a": {"b": 1, "b": 1}}]',
        b"\xff",
        "{}".encode("utf-16"),
        b"[" * 100_000,
        b"1" * 5_000,
    ],
)
def test_what_is_no_strict_json_is_refused(raw: bytes) -> None:
    """NaN, a key twice, other encodings, endless nesting and endless numbers are no JSON."""
    with pytest.raises(WireError, match=r"^place: "):
        parse_json(raw, "place")


@pytest.mark.parametrize(
    ("raw", "value"), [(b"\xef\xbb\xbf{}", {}), (b' [1, "\xc3\xa9"] ', [1, "é"])]
)
def test_strict_json_is_read(raw: bytes, value: object) -> None:
    """With or without a mark of its byte order."""
    assert parse_json(raw, "place") == value
