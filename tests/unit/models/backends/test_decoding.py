from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.context import MISSING
from agent_judge.models import (
    FinishReason,
    Message,
    ModelError,
    ModelRequest,
    ModelResponse,
    ResponseSchema,
)
from agent_judge.models.backends import (
    anthropic_messages,
    ollama_chat,
    openai_chat,
    openai_responses,
)
from agent_judge.models.backends.command_line_agents import AGENTS, Prompt
from agent_judge.models.backends.failures import failure_of_status, without_secrets
from agent_judge.models.json_reading import as_text, read_structured

REQUEST = ModelRequest(
    [Message.user("?")], schema=ResponseSchema("v", {"type": "object"}), logprobs=1
)

DECODERS: dict[str, Callable[[Any], ModelResponse]] = {
    "chat": partial(openai_chat.decode, request=REQUEST, name="m"),
    "responses": partial(openai_responses.decode, request=REQUEST, name="m"),
    "anthropic": partial(anthropic_messages.decode, request=REQUEST, name="m"),
    "ollama": partial(ollama_chat.decode, request=REQUEST, name="m"),
}

LEAF = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
WORDS = st.sampled_from(
    [
        "choices",
        "message",
        "content",
        "text",
        "finish_reason",
        "output",
        "status",
        "usage",
        "logprobs",
        "token",
        "top_logprobs",
        "logprob",
        "stop_reason",
        "input",
        "name",
        "done",
        "type",
        "refusal",
        "prompt_tokens",
        "input_tokens",
        "error",
    ]
)
BODIES: st.SearchStrategy[Any] = st.recursive(
    LEAF, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=6)
)


@pytest.mark.parametrize("protocol", DECODERS)
@given(body=BODIES)
def test_no_body_breaks_a_decoder(protocol: str, body: object) -> None:
    """Whatever comes back is a response or a `ModelError`."""
    try:
        response = DECODERS[protocol](body)
    except ModelError:
        return
    assert isinstance(response, ModelResponse)


SEEDS: dict[str, Any] = {
    "chat": {
        "model": "m",
        "choices": [
            {
                "message": {"content": '{"a": 1}', "refusal": None},
                "finish_reason": "stop",
                "logprobs": {"content": [{"token": "7", "logprob": -1, "top_logprobs": []}]},
            }
        ],
        "usage": {"prompt_tokens": 1, "completion_tokens_details": {"reasoning_tokens": 1}},
    },
    "responses": {
        "status": "completed",
        "output": [{"type": "message", "content": [{"text": '{"a": 1}', "logprobs": []}]}],
        "usage": {"input_tokens": 1, "output_tokens_details": {"reasoning_tokens": 1}},
    },
    "anthropic": {
        "content": [{"type": "text", "text": '{"a": 1}'}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 1, "cache_read_input_tokens": 1},
    },
    "ollama": {
        "message": {"content": '{"a": 1}'},
        "done": True,
        "done_reason": "stop",
        "eval_count": 1,
        "logprobs": [{"token": "7", "logprob": -1}],
    },
}


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of everything inside a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    inner = [(*path, key) for key, _ in items]
    return inner + [
        place
        for key in inner
        if isinstance(item := value[key[-1]], dict | list)
        for place in places(item, key)
    ]


@pytest.mark.parametrize("protocol", DECODERS)
@given(data=st.data(), spoilt=LEAF | BODIES)
def test_a_spoilt_field_breaks_no_decoder(protocol: str, data: st.DataObject, spoilt: Any) -> None:
    """A field of another type is an error or is left out; it is never a crash."""
    body = json.loads(json.dumps(SEEDS[protocol]))
    *path, last = data.draw(st.sampled_from(places(body)))
    inner = body
    for key in path:
        inner = inner[key]
    inner[last] = spoilt

    try:
        response = DECODERS[protocol](body)
    except ModelError:
        return
    assert isinstance(response, ModelResponse)


@pytest.mark.parametrize("protocol", DECODERS)
def test_the_bodies_that_are_spoilt_are_whole(protocol: str) -> None:
    """Without a spoilt field each is a complete structured answer."""
    response = DECODERS[protocol](SEEDS[protocol])

    assert response.structured == {"a": 1}
    assert response.finish_reason is FinishReason.STOP


@pytest.mark.parametrize("program", AGENTS)
@given(body=BODIES | st.dictionaries(st.sampled_from(["result", "subtype", "response"]), LEAF))
def test_no_output_breaks_the_reading_of_a_program(program: str, body: object) -> None:
    """Whatever a program prints is a response or a `ModelError`."""
    for output in (json.dumps(body).encode(), repr(body).encode()):
        try:
            response = AGENTS[program].read(output, Prompt("", "?", {}))
        except ModelError:
            continue
        assert isinstance(response, ModelResponse)


@given(status=st.integers(100, 999), body=st.binary(max_size=50) | BODIES)
def test_no_failure_breaks_its_reading(status: int, body: Any) -> None:
    """Whatever a provider says with an error becomes a `ModelError` of one line."""
    content = body if isinstance(body, bytes) else json.dumps({"error": body}).encode()

    failure = failure_of_status("m", status, {"retry-after": "1"}, content, 0.0)

    assert isinstance(failure.error, ModelError)
    assert "\n" not in str(failure.error)
    assert len(str(failure.error)) < 700


@given(st.text(alphabet=st.characters(codec=None), max_size=20))
def test_half_a_surrogate_pair_is_no_text(text: str) -> None:
    """Providers can send what UTF-8 cannot carry; it is replaced, all else stays."""
    clean = as_text(text)

    assert clean is not None
    clean.encode()
    if not any(0xD800 <= ord(letter) <= 0xDFFF for letter in text):
        assert clean == text


def test_a_surrogate_pair_in_an_escape_is_one_letter() -> None:
    """Two halves that stand together belong together."""
    assert as_text("\ud83d\ude00") == "😀"
    assert as_text("a\ud83d") == "a\ufffd"


@pytest.mark.parametrize(
    "text",
    ['{"a": 1, "a": 2}', '{"a": NaN}', '{"a": Infinity}', "{", "", "[" * 10_000, '{"a": 1e999}'],
)
def test_json_that_is_none_has_no_value(text: str) -> None:
    """Duplicate keys, numbers that are none and broken text are not guessed at.

    (contract: judges:P14)
    """
    assert read_structured(text) is MISSING


def test_credentials_are_taken_out_of_messages() -> None:
    """The key as it is, and any user of an address, wherever they stand."""
    text = b"key sk-0123456789, proxy http://user:password@host:1/, short none"

    shown = without_secrets(text, ["sk-0123456789", "none"]).decode()

    assert shown == "key •••, proxy http://•••@host:1/, short none"
