from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent_judge.llm.reading import own_words
from agent_judge.llm.reading.own_words import sift
from agent_judge.llm.reading.tolerant_json import parse_plain_object

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)
AROUND = st.sampled_from(["", " ", "\n", "\t\n "])


@given(st.dictionaries(st.text(), VALUES), st.sampled_from([None, 2]), AROUND, AROUND)
@example({"a": 2**60, "b": -0.0, "c": 1e22}, None, "", "")
def test_a_plain_object_is_read_as_any_other(
    members: dict[str, object], indent: int | None, before: str, after: str
) -> None:
    """The fast way gives what the way for all replies gives."""
    reply = f"{before}{json.dumps(members, indent=indent)}{after}"

    assert sift(reply) == own_words._sifted(reply)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "{}x",
        '{"a": 1,}',
        '{"a": 1 // no\n}',
        '{"a": 1, "a": 1}',
        '{"a": {"b": 1, "b": 2}}',
        '{"a": NaN}',
        '{"a": 1e999}',
        '{"a": "\x01"}',
        '{"a": "\\ud800"}',
        "[1]",
        "1",
        '{"a": ' * 2000 + "1" + "}" * 2000,
        '{"a": ' + "[" * 2000 + "]" * 2000 + "}",
    ],
)
def test_anything_else_is_left_to_the_other_way(text: str) -> None:
    """What is tolerated, and what is wrong, is found and named there."""
    assert parse_plain_object(text) is None
    assert sift(text) == own_words._sifted(text)
