from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.context import MISSING
from agent_judge.errors import WireError
from agent_judge.models import (
    FilePart,
    FinishReason,
    ImagePart,
    Message,
    ModelOptions,
    ModelRequest,
    ModelResponse,
    ResponseSchema,
    TokenLogprob,
)
from agent_judge.models.records import (
    fingerprint,
    request_to_json,
    response_from_json,
    response_to_json,
)
from agent_judge.usage import Usage

SCHEMA = ResponseSchema("verdict", {"type": "object", "properties": {"a": {"type": "string"}}})

BASE: dict[str, Any] = {
    "messages": [Message.system("Judge."), Message.user("Is 2 + 2 = 4?")],
    "options": ModelOptions(temperature=0.0, max_tokens=100),
    "schema": SCHEMA,
    "logprobs": 2,
    "cache_key": {"template": "sha", "parser": "1", "sample": 0},
}


def key(identity: str = "openai:m", **changes: Any) -> str:
    """The fingerprint of the base request with changes."""
    return fingerprint(request_to_json(ModelRequest(**{**BASE, **changes})), identity)


@pytest.mark.parametrize(
    "changes",
    [
        {"identity": "openai:other"},
        {"messages": [Message.system("Judge!"), BASE["messages"][1]]},
        {"messages": [BASE["messages"][1], BASE["messages"][0]]},
        {"messages": [BASE["messages"][1]]},
        {"messages": [Message.user("Judge."), BASE["messages"][1]]},
        {"options": ModelOptions(temperature=0.1, max_tokens=100)},
        {"options": ModelOptions(temperature=0.0)},
        {"options": ModelOptions(temperature=0.0, max_tokens=100, seed=0)},
        {"options": ModelOptions(temperature=0.0, max_tokens=100, extra={"a": 1})},
        {"schema": None},
        {"schema": replace(SCHEMA, name="other")},
        {"schema": replace(SCHEMA, strict=False)},
        {"schema": replace(SCHEMA, description="x")},
        {"schema": replace(SCHEMA, schema={"type": "object"})},
        {"logprobs": 3},
        {"logprobs": None},
        {"cache_key": {"template": "other", "parser": "1", "sample": 0}},
        {"cache_key": {"template": "sha", "parser": "2", "sample": 0}},
        {"cache_key": {"template": "sha", "parser": "1", "sample": 1}},
        {"cache_key": {"template": "sha", "parser": "1", "sample": False}},
        {"cache_key": {}},
    ],
)
def test_any_change_is_another_fingerprint(changes: dict[str, Any]) -> None:
    """Template, model, options, schema, parser version and sample index all count.

    (contract: judges:P20)
    """
    assert key(**changes) != key()


def test_the_same_question_has_the_same_fingerprint() -> None:
    """The order in which keys were written does not count."""
    other = {"sample": 0, "parser": "1", "template": "sha"}

    assert key(cache_key=other) == key()


def test_one_picture_for_another_is_another_fingerprint() -> None:
    """Images and files count by their content."""
    requests = [
        ModelRequest([Message.user(part)])
        for part in (
            ImagePart(b"cat", "image/png"),
            ImagePart(b"dog", "image/png"),
            FilePart(b"cat", "image/png", "cat"),
            ImagePart(url="https://example.org/cat"),
        )
    ]

    assert len({fingerprint(request_to_json(request)) for request in requests}) == 4


def fenced(nonce: str, *, middle: str = "4") -> ModelRequest:
    """A request with a fence of this nonce."""
    return ModelRequest([Message.user(f"<{nonce}>{middle}</{nonce}> Echo {nonce}.")], nonce=nonce)


def test_a_nonce_does_not_count() -> None:
    """Two questions that differ in their fences alone are the same one. (contract: judges:P20)"""
    one, other = fenced("aaaa1111"), fenced("bbbb2222")

    assert request_to_json(one) == request_to_json(other)
    assert request_to_json(one) != request_to_json(fenced("aaaa1111", middle="5"))


def test_text_that_looks_like_the_placeholder_is_not_taken_for_the_nonce() -> None:
    """Whoever is judged cannot write what stands for the nonce."""
    forged = fenced("aaaa1111", middle="<nonce>")
    plain = ModelRequest([Message.user("<<nonce>>4</<nonce>> Echo <nonce>.")])

    assert request_to_json(forged)["messages"][0]["content"].count("<nonce-2>") == 3
    assert request_to_json(plain) != request_to_json(fenced("aaaa1111"))


def test_a_stored_reply_comes_back_with_the_nonce_of_whoever_asks() -> None:
    """The model's echo of the nonce is the echo of the new one. (contract: judges:P17)"""
    asked, again = fenced("aaaa1111"), fenced("bbbb2222")
    response = ModelResponse(
        '{"echo": "aaaa1111", "said": "<nonce>"}',
        structured={"echo": "aaaa1111", "said": "<nonce>", "list": ["aaaa1111", 1]},
    )

    stored = json.loads(json.dumps(response_to_json(response, asked)))
    back = response_from_json(stored, again, "here")

    assert "aaaa1111" not in json.dumps(stored)
    assert back.text == '{"echo": "bbbb2222", "said": "<nonce>"}'
    assert back.structured == {"echo": "bbbb2222", "said": "<nonce>", "list": ("bbbb2222", 1)}


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
TOKENS = st.lists(st.builds(TokenLogprob, TEXT, st.floats(-100, 0)), max_size=3).map(tuple)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
RESPONSES = st.builds(
    ModelResponse,
    TEXT,
    st.just(MISSING) | JSON,
    st.sampled_from(FinishReason),
    st.none() | TEXT,
    st.none() | st.builds(Usage, st.none() | st.integers(0, 9), cost=st.none() | st.floats(0, 9)),
    st.none() | TEXT,
    st.none() | TOKENS,
)


@given(RESPONSES, st.none() | st.just("aaaa1111"))
def test_a_response_comes_back_from_storage_as_it_was(
    response: ModelResponse, nonce: str | None
) -> None:
    """Nothing is lost on the way to JSON and back, and it says that it was stored."""
    request = ModelRequest([Message.user("?")], nonce=nonce)

    stored = json.loads(json.dumps(response_to_json(response, request)))
    back = response_from_json(stored, request, "here")

    assert back == response
    assert back.from_cache


@pytest.mark.parametrize(
    "stored",
    [
        None,
        [],
        {},
        {"text": 1, "finish_reason": "stop"},
        {"text": "x", "finish_reason": "done"},
        {"text": "x", "finish_reason": "stop", "usage": {"tokens": 1}},
        {"text": "x", "finish_reason": "stop", "logprobs": [["a"]]},
        {"text": "x", "finish_reason": "stop", "logprobs": 7},
        {"text": "x", "finish_reason": "stop", "usage": 7},
    ],
)
def test_what_is_no_stored_response_is_refused(stored: object) -> None:
    """The message begins with the place where it was stored."""
    with pytest.raises(WireError, match=r"^cache\.sqlite: "):
        response_from_json(stored, ModelRequest([Message.user("?")]), "cache.sqlite")
