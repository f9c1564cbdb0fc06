from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent_judge.context import MISSING
from agent_judge.judgment import ReasonCode
from agent_judge.models import (
    AnthropicModel,
    FilePart,
    FinishReason,
    ImagePart,
    MalformedReplyError,
    Message,
    ModelError,
    ModelOptions,
    ModelRequest,
    ModelResponse,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitedError,
    RefusedError,
    RejectedRequestError,
    RequestTooLargeError,
    ResponseSchema,
    TruncatedReplyError,
    UnsupportedOptionError,
    require_complete,
)
from agent_judge.usage import Usage
from integration.models.serving import (
    KEY,
    ONCE,
    QUESTION,
    ROUTES,
    Reply,
    Server,
    Waits,
    anthropic,
    drops,
    drops_in_the_middle,
    gives,
    gives_bytes,
    never_ends,
    said,
    serving,
    text,
    trickles,
)

pytestmark = pytest.mark.integration

SCHEMA = ResponseSchema(
    "verdict",
    {
        "type": "object",
        "properties": {
            "score": {"type": "integer", "minimum": 1, "maximum": 5, "description": "How good"},
            "minimum": {"type": "array", "items": {"type": "string", "maxLength": 9}},
        },
        "required": ["score"],
    },
    description="The verdict",
)

SCORED = ModelRequest(QUESTION.messages, schema=SCHEMA)


def ask(
    route: str, *replies: Reply, request: ModelRequest = QUESTION, **options: Any
) -> tuple[ModelResponse, Server]:
    """Ask a model once, by a route, of a server with these replies."""

    async def run() -> tuple[ModelResponse, Server]:
        async with serving(*replies) as server, anthropic(route, server.url, **options) as model:
            return await model(request), server

    return asyncio.run(run())


def error(kind: str, message: str) -> dict[str, Any]:
    """The body of an error."""
    return {"type": "error", "error": {"type": kind, "message": message}}


@pytest.mark.parametrize("route", ROUTES)
def test_an_answer_comes_with_what_was_reported(route: str) -> None:
    """Text, reason, model and usage arrive; a total that is not reported is not derived.

    (contract: judges:P12)
    """
    response, server = ask(route, gives(said(text("PA"), text("SS"))), max_tokens=99)

    assert response == ModelResponse(
        "PASS",
        finish_reason=FinishReason.STOP,
        finish_detail="end_turn",
        usage=Usage(input_tokens=10, output_tokens=3, calls=1),
        model="claude-2026",
    )
    assert server.received[0].path == "/v1/messages"
    assert server.bodies == [
        {
            "model": "m",
            "max_tokens": 99,
            "messages": [{"role": "user", "content": "Is 2 + 2 = 4?"}],
        }
    ]


@pytest.mark.parametrize("route", ROUTES)
def test_input_tokens_count_cached_ones_in(route: str) -> None:
    """The protocol counts three kinds of input apart; ours is all that was read."""
    usage = {
        "input_tokens": 10,
        "cache_read_input_tokens": 100,
        "cache_creation_input_tokens": 1000,
        "output_tokens": 3,
        "output_tokens_details": {"thinking_tokens": 2},
    }

    response, _ = ask(route, gives(said(text("PASS"), usage=usage)))

    assert response.usage == Usage(
        input_tokens=1110, output_tokens=3, cached_tokens=100, reasoning_tokens=2, calls=1
    )


def test_our_client_authenticates_as_the_protocol_wants() -> None:
    """The key goes out in its own header, with the version of the API."""
    _, server = ask("ours", gives(said(text("PASS"))))

    assert server.received[0].headers["x-api-key"] == KEY
    assert server.received[0].headers["anthropic-version"] == "2023-06-01"
    assert "Authorization" not in server.received[0].headers


def test_a_token_of_the_environment_is_a_bearer_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no key, the token is used."""
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "token-0123456789")

    async def run() -> Server:
        async with serving(gives(said(text("PASS")))) as server:
            async with AnthropicModel("m", base_url=server.url) as model:
                await model(QUESTION)
            return server

    headers = asyncio.run(run()).received[0].headers

    assert headers["Authorization"] == "Bearer token-0123456789"
    assert "x-api-key" not in headers


@pytest.mark.parametrize("route", ROUTES)
def test_json_by_schema_is_asked_for_within_what_the_api_takes(route: str) -> None:
    """Bounds become words of the description; a property named like one stays.

    (contract: judges:P14)
    """
    response, server = ask(route, gives(said(text('{"score": 4}'))), request=SCORED)

    assert response.structured == {"score": 4}
    assert server.bodies[0]["output_config"]["format"] == {
        "type": "json_schema",
        "schema": {
            "type": "object",
            "properties": {
                "score": {"type": "integer", "description": "How good (minimum: 1, maximum: 5)"},
                "minimum": {
                    "type": "array",
                    "items": {"type": "string", "description": "(maxLength: 9)"},
                },
            },
            "required": ["score"],
            "additionalProperties": False,
        },
    }


@pytest.mark.parametrize("route", ROUTES)
def test_json_by_tool_is_the_input_of_the_tool(route: str) -> None:
    """The tool must be called, and what it was called with is the answer.

    (contract: judges:P14)
    """
    call = {"type": "tool_use", "id": "toolu_1", "name": "verdict", "input": {"score": 4}}

    response, server = ask(
        route,
        gives(said(text("Let me see."), call, stop="tool_use")),
        request=SCORED,
        structured="tool",
    )

    assert response.structured == {"score": 4}
    assert response.text == '{"score": 4}'
    assert response.complete
    assert server.bodies[0]["tool_choice"] == {"type": "tool", "name": "verdict"}
    assert server.bodies[0]["tools"] == [
        {"name": "verdict", "description": "The verdict", "input_schema": SCHEMA.plain}
    ]


@pytest.mark.parametrize("route", ROUTES)
def test_a_tool_that_was_called_twice_gives_no_value(route: str) -> None:
    """Two answers are none: which of them counts is not for us to say. (contract: judges:P14)"""
    calls = [
        {"type": "tool_use", "id": f"toolu_{score}", "name": "verdict", "input": {"score": score}}
        for score in (1, 5)
    ]

    response, _ = ask(
        route, gives(said(*calls, stop="tool_use")), request=SCORED, structured="tool"
    )

    assert response.structured is MISSING
    assert not response.complete


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    ("stop", "kind", "code"),
    [
        ("max_tokens", TruncatedReplyError, ReasonCode.TRUNCATED),
        ("model_context_window_exceeded", TruncatedReplyError, ReasonCode.TRUNCATED),
        ("refusal", RefusedError, ReasonCode.REFUSED),
        ("pause_turn", ModelError, ReasonCode.MODEL_FAILED),
        ("tool_use", ModelError, ReasonCode.MODEL_FAILED),
    ],
)
def test_a_reply_that_did_not_complete_is_told_apart(
    route: str, stop: str, kind: type[ModelError], code: ReasonCode
) -> None:
    """Cut, refused and paused replies are errors of their own kinds. (contract: judges:P11)"""
    response, _ = ask(route, gives(said(text('{"score": 4}'), stop=stop)), request=SCORED)

    assert response.structured is MISSING
    with pytest.raises(kind, match=stop) as raised:
        require_complete(response)
    assert raised.value.code is code


@pytest.mark.parametrize("route", ROUTES)
def test_thinking_is_no_part_of_the_answer(route: str) -> None:
    """What the model thought, verdicts included, is not read. (contract: judges:P16)"""
    thought = {"type": "thinking", "thinking": '{"score": 1}', "signature": "s"}

    response, _ = ask(route, gives(said(thought, text('{"score": 4}'))), request=SCORED)

    assert response.structured == {"score": 4}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("status", [429, 529])
def test_an_overloaded_provider_is_asked_again(route: str, status: int) -> None:
    """After 429 and 529 the same request is sent again, after the wait that was asked for."""
    waits = Waits()
    overloaded = gives(error("overloaded_error", "busy"), status, {"Retry-After": "3"})

    response, server = ask(route, overloaded, gives(said(text("PASS"))), clock=waits.clock)

    assert response.text == "PASS"
    assert waits.seconds == [pytest.approx(3.3)]
    assert server.bodies[0] == server.bodies[1]


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("fault", [drops, drops_in_the_middle, gives({}, 500)])
def test_a_passing_fault_is_retried(route: str, fault: Reply) -> None:
    """A dropped connection and a broken server are tried again."""
    response, _ = ask(route, fault, gives(said(text("PASS"))), clock=Waits().clock)

    assert response.text == "PASS"


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (529, error("overloaded_error", "busy"), ModelUnavailableError),
        (429, error("rate_limit_error", "too fast"), RateLimitedError),
        (400, error("invalid_request_error", "prompt is too long: 9 > 8"), RequestTooLargeError),
        (413, error("request_too_large", "too big"), RequestTooLargeError),
        (401, error("authentication_error", "invalid x-api-key"), RejectedRequestError),
        (404, error("not_found_error", "model: m"), RejectedRequestError),
    ],
)
def test_a_lasting_fault_is_an_error(
    route: str, status: int, body: dict[str, Any], kind: type[ModelError]
) -> None:
    """Each says what the provider said. (contract: judges:P11, cases:F11)"""
    with pytest.raises(kind, match=body["error"]["message"][:8]):
        ask(route, gives(body, status), retries=ONCE)


@pytest.mark.parametrize("route", ROUTES)
def test_a_body_that_does_not_end_is_a_timeout(route: str) -> None:
    """A server that hangs in the middle is left when the deadline passes. (contract: judges:P11)"""
    with pytest.raises(ModelTimeoutError):
        ask(route, never_ends, timeout=0.2)


@pytest.mark.parametrize("route", ROUTES)
def test_a_slow_body_is_read_to_its_end(route: str) -> None:
    """A body that comes in single bytes is one answer."""
    response, _ = ask(route, trickles(said(text("PASS"))))

    assert response.text == "PASS"


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("content", [b'{"content": [', b"[]", b"{}", b'{"content": "PASS"}'])
def test_a_malformed_body_is_an_error(route: str, content: bytes) -> None:
    """What is not the protocol's JSON is never read as an answer. (contract: judges:P11)"""
    with pytest.raises(MalformedReplyError):
        ask(route, gives_bytes(content))


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    ("request_", "named"),
    [
        (ModelRequest(QUESTION.messages, ModelOptions(seed=1)), "seed"),
        (ModelRequest(QUESTION.messages, logprobs=1), "logprobs"),
        (ModelRequest([*QUESTION.messages, Message.system("Judge.")]), "system messages"),
        (ModelRequest([Message.system("Judge.")]), "user message"),
        (
            ModelRequest([Message.user(FilePart(b"PK", "application/zip", "a.zip"))]),
            "application/zip",
        ),
    ],
)
def test_what_the_protocol_cannot_carry_is_refused_before_the_call(
    route: str, request_: ModelRequest, named: str
) -> None:
    """Nothing is silently left out of a request. (contract: judges:P13)"""

    async def run() -> Server:
        async with serving(gives(said(text("PASS")))) as server:
            async with anthropic(route, server.url) as model:
                with pytest.raises(UnsupportedOptionError, match=named):
                    await model(request_)
            return server

    assert asyncio.run(run()).received == []


def test_sampling_options_depend_on_the_version_of_the_api() -> None:
    """The version that takes a temperature is sent it; newer ones refuse it before the call.

    (contract: judges:P13)
    """
    warm = ModelRequest(QUESTION.messages, ModelOptions(temperature=0.5, top_p=0.9, top_k=5))

    _, server = ask("ours", gives(said(text("PASS"))), request=warm)

    assert (server.bodies[0]["temperature"], server.bodies[0]["top_k"]) == (0.5, 5)
    with pytest.raises(UnsupportedOptionError, match="temperature, top_k, top_p"):
        ask("ours", gives(said()), request=warm, api_version="2026-10-21")


def test_a_client_of_an_older_version_is_sent_sampling_options() -> None:
    """What the SDK's method does not take by name still reaches the provider."""
    from anthropic import AsyncAnthropic

    warm = ModelRequest(QUESTION.messages, ModelOptions(temperature=0.5))

    async def run() -> Server:
        async with serving(gives(said(text("PASS")))) as server:
            older = {"anthropic-version": "2023-06-01"}
            async with AsyncAnthropic(
                api_key=KEY, base_url=server.url, default_headers=older
            ) as client:
                await AnthropicModel("m", client=client)(warm)
            return server

    assert asyncio.run(run()).bodies[0]["temperature"] == 0.5


@pytest.mark.parametrize("route", ROUTES)
def test_system_images_files_and_effort_are_sent_in_their_places(route: str) -> None:
    """Each part of a request has its own place in the protocol."""
    message = Message.user(
        "Look:",
        ImagePart(b"PNG", "image/png"),
        ImagePart(url="https://example.org/cat.png"),
        FilePart(b"%PDF", "application/pdf", "report.pdf"),
        FilePart("naïve".encode(), "text/csv", "data.csv"),
    )
    request = ModelRequest(
        [Message.system("Judge."), Message.system("Be strict."), message],
        ModelOptions(stop=("END",), reasoning_effort="low", max_tokens=7),
    )

    _, server = ask(route, gives(said(text("PASS"))), request=request)

    body = server.bodies[0]
    assert body["system"] == "Judge.\n\nBe strict."
    assert body["stop_sequences"] == ["END"]
    assert body["output_config"] == {"effort": "low"}
    assert body["max_tokens"] == 7
    assert body["messages"][0]["content"] == [
        {"type": "text", "text": "Look:"},
        {
            "type": "image",
            "source": {"type": "base64", "media_type": "image/png", "data": "UE5H"},
        },
        {"type": "image", "source": {"type": "url", "url": "https://example.org/cat.png"}},
        {
            "type": "document",
            "title": "report.pdf",
            "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERg=="},
        },
        {
            "type": "document",
            "title": "data.csv",
            "source": {"type": "text", "media_type": "text/plain", "data": "naïve"},
        },
    ]
