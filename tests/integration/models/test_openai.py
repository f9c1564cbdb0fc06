from __future__ import annotations

import asyncio
from email.utils import formatdate
from typing import Any

import pytest

from agent_judge.context import MISSING
from agent_judge.judgment import ReasonCode
from agent_judge.models import (
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
    OpenAIModel,
    RateLimitedError,
    RefusedError,
    RejectedRequestError,
    RequestTooLargeError,
    ResponseSchema,
    Role,
    TokenLogprob,
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
    chat,
    drops,
    drops_in_the_middle,
    gives,
    gives_bytes,
    never_answers,
    openai,
    serving,
    trickles,
)

pytestmark = pytest.mark.integration

VERDICT = ResponseSchema(
    "verdict",
    {
        "type": "object",
        "properties": {"pass": {"type": "boolean"}},
        "required": ["pass"],
        "additionalProperties": False,
    },
)

LOGPROBS = {
    "content": [
        {
            "token": "7",
            "bytes": [55],
            "logprob": -0.1,
            "top_logprobs": [
                {"token": "7", "bytes": [55], "logprob": -0.1},
                {"token": "8", "bytes": [56], "logprob": -2.5},
            ],
        }
    ],
    "refusal": None,
}


def ask(
    route: str, *replies: Reply, request: ModelRequest = QUESTION, **options: Any
) -> tuple[ModelResponse, Server]:
    """Ask a model once, by a route, of a server with these replies."""

    async def run() -> tuple[ModelResponse, Server]:
        async with serving(*replies) as server, openai(route, server.url, **options) as model:
            return await model(request), server

    return asyncio.run(run())


@pytest.mark.parametrize("route", ROUTES)
def test_an_answer_comes_with_what_was_reported(route: str) -> None:
    """Text, reason, model and usage arrive by both routes; no price is made up.

    (contract: judges:P12)
    """
    response, server = ask(route, gives(chat("PASS")))

    assert response == ModelResponse(
        "PASS",
        finish_reason=FinishReason.STOP,
        finish_detail="stop",
        usage=Usage(input_tokens=10, output_tokens=3, total_tokens=13, calls=1),
        model="m-2026",
    )
    assert server.received[0].path == "/v1/chat/completions"
    assert server.received[0].headers["Authorization"] == f"Bearer {KEY}"
    assert server.bodies == [
        {"model": "m", "messages": [{"role": "user", "content": "Is 2 + 2 = 4?"}]}
    ]


@pytest.mark.parametrize("route", ROUTES)
def test_what_was_not_reported_stays_absent(route: str) -> None:
    """Without a usage in the answer there is none, and no total is derived.

    (contract: judges:P12)
    """
    body = chat("PASS")
    del body["usage"], body["model"]
    partial = chat("PASS", usage={"prompt_tokens": 10, "completion_tokens": 3})

    absent, _ = ask(route, gives(body))
    without_total, _ = ask(route, gives(partial))

    assert absent.usage is None
    assert absent.model is None
    assert without_total.usage == Usage(input_tokens=10, output_tokens=3, calls=1)


@pytest.mark.parametrize("route", ROUTES)
def test_options_are_sent_only_when_given(route: str) -> None:
    """Each option goes out under the protocol's name, extra fields as they are."""
    options = ModelOptions(
        temperature=0,
        max_tokens=50,
        top_p=0.9,
        seed=7,
        stop=("END",),
        reasoning_effort="low",
        extra={"vendor_flag": True},
    )

    _, server = ask(route, gives(chat("PASS")), request=ModelRequest(QUESTION.messages, options))

    assert server.bodies[0] == {
        "model": "m",
        "messages": [{"role": "user", "content": "Is 2 + 2 = 4?"}],
        "temperature": 0,
        "max_tokens": 50,
        "top_p": 0.9,
        "seed": 7,
        "stop": ["END"],
        "reasoning_effort": "low",
        "vendor_flag": True,
    }


@pytest.mark.parametrize("route", ROUTES)
def test_json_of_a_schema_arrives_as_a_value(route: str) -> None:
    """The schema is sent, and the answer's JSON is the structured reply. (contract: judges:P14)"""
    request = ModelRequest(QUESTION.messages, schema=VERDICT)

    response, server = ask(route, gives(chat('{"pass": true}')), request=request)

    assert response.structured == {"pass": True}
    assert server.bodies[0]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "verdict", "schema": VERDICT.plain, "strict": True},
    }


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    "said", ['{"pass": tr', '{"pass": true, "pass": false}', '{"score": NaN}', "PASS"]
)
def test_json_that_is_none_is_text_only(route: str, said: str) -> None:
    """Broken, contradictory or missing JSON is left to whoever reads the text.

    (contract: judges:P14, cases:A21)
    """
    request = ModelRequest(QUESTION.messages, schema=VERDICT)

    response, _ = ask(route, gives(chat(said)), request=request)

    assert response.structured is MISSING
    assert response.text == said


@pytest.mark.parametrize("route", ROUTES)
def test_log_probabilities_arrive_with_their_alternatives(route: str) -> None:
    """Each token has its own logarithm and those of the alternatives. (contract: judges:P22)"""
    request = ModelRequest(QUESTION.messages, logprobs=2)

    response, server = ask(route, gives(chat("7", logprobs=LOGPROBS)), request=request)

    alternatives = (TokenLogprob("7", -0.1), TokenLogprob("8", -2.5))
    assert response.logprobs == (TokenLogprob("7", -0.1, alternatives),)
    assert server.bodies[0]["logprobs"] is True
    assert server.bodies[0]["top_logprobs"] == 2


@pytest.mark.parametrize("route", ROUTES)
def test_a_cut_reply_is_told_apart(route: str) -> None:
    """A reply cut at its limit is an error of its own kind, its text kept.

    (contract: judges:P11, cases:A11)
    """
    cut = '{"score": 0.9, "reason": "The brief correctly names'
    request = ModelRequest(QUESTION.messages, schema=VERDICT)

    response, _ = ask(route, gives(chat(cut, "length")), request=request)

    assert response.structured is MISSING
    with pytest.raises(TruncatedReplyError) as raised:
        require_complete(response)
    assert raised.value.code is ReasonCode.TRUNCATED
    assert raised.value.response is response
    assert response.text == cut


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    ("answer", "finish"),
    [
        (chat(None, message={"refusal": "I cannot judge this."}), FinishReason.REFUSAL),
        (chat("", "content_filter"), FinishReason.CONTENT_FILTER),
    ],
)
def test_a_refusal_is_told_apart(route: str, answer: dict[str, Any], finish: FinishReason) -> None:
    """A model that declines and a filter that withholds are errors of their own kind.

    (contract: judges:P11, cases:A31)
    """
    response, _ = ask(route, gives(answer))

    assert response.finish_reason is finish
    with pytest.raises(RefusedError) as raised:
        require_complete(response)
    assert raised.value.code is ReasonCode.REFUSED


@pytest.mark.parametrize("route", ROUTES)
def test_a_reason_that_is_not_known_is_no_completion(route: str) -> None:
    """Whatever else the provider says, it did not say that the model was done.

    (contract: judges:P11)
    """
    response, _ = ask(route, gives(chat("PASS", "paused_by_gremlins")))

    assert response.finish_reason is FinishReason.OTHER
    with pytest.raises(ModelError, match="paused_by_gremlins"):
        require_complete(response)


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    ("headers", "waited"),
    [
        ({"Retry-After": "7"}, 7.7),
        ({"Retry-After-Ms": "1500", "Retry-After": "7"}, 1.65),
        ({"Retry-After": formatdate(1_000_020, usegmt=True)}, 22.0),
        ({"Retry-After": "soon"}, 0.5),
        ({}, 0.5),
    ],
)
def test_too_many_requests_are_sent_again_later(
    route: str, headers: dict[str, str], waited: float
) -> None:
    """After 429 the provider's own wait is honoured, in seconds, milliseconds or as a date."""
    waits = Waits(wall=1_000_000)
    limited = gives({"error": {"message": "slow down"}}, 429, headers)

    response, server = ask(route, limited, gives(chat("PASS")), clock=waits.clock)

    assert response.text == "PASS"
    assert waits.seconds == [pytest.approx(waited)]
    assert len(server.received) == 2


@pytest.mark.parametrize("route", ROUTES)
def test_waits_grow_until_the_attempts_are_used_up(route: str) -> None:
    """Without a word from the provider each wait is twice the one before."""
    waits = Waits()

    with pytest.raises(RateLimitedError, match="HTTP 429: slow down") as raised:
        ask(route, gives({"error": {"message": "slow down"}}, 429), clock=waits.clock)

    assert waits.seconds == [0.5, 1.0, 2.0, 4.0]
    assert raised.value.code is ReasonCode.MODEL_FAILED


@pytest.mark.parametrize("route", ROUTES)
def test_a_wait_beyond_the_deadline_is_not_begun(route: str) -> None:
    """When the provider wants more patience than the call has, the error comes at once."""
    waits = Waits()
    limited = gives({"error": {"message": "slow down"}}, 429, {"Retry-After": "3600"})

    with pytest.raises(RateLimitedError) as raised:
        ask(route, limited, clock=waits.clock, timeout=60)

    assert raised.value.retry_after == 3600
    assert waits.seconds == []


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    "fault",
    [
        gives({"error": {"message": "overloaded"}}, 529),
        gives({"error": {"message": "broken"}}, 500),
        gives_bytes(b"<html>bad gateway</html>", 502),
        drops,
        drops_in_the_middle,
    ],
)
def test_a_passing_fault_is_retried(route: str, fault: Reply) -> None:
    """An overloaded or broken server and a dropped connection are tried again."""
    waits = Waits()

    response, server = ask(route, fault, gives(chat("PASS")), clock=waits.clock)

    assert response.text == "PASS"
    assert len(server.received) == 2


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("fault", [drops, gives({}, 503)])
def test_a_lasting_fault_is_an_error(route: str, fault: Reply) -> None:
    """When no attempt gets through, the model is unavailable. (contract: judges:P11)"""
    with pytest.raises(ModelUnavailableError):
        ask(route, fault, retries=ONCE)


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (
            400,
            {"message": "bad temperature", "type": "invalid_request_error"},
            RejectedRequestError,
        ),
        (401, {"message": "wrong key"}, RejectedRequestError),
        (404, {"message": "no such model"}, RejectedRequestError),
        (429, {"message": "pay up", "code": "insufficient_quota"}, RejectedRequestError),
        (400, {"message": "x", "code": "context_length_exceeded"}, RequestTooLargeError),
        (413, {"message": "too big"}, RequestTooLargeError),
        (400, {"message": "filtered", "code": "content_filter"}, RefusedError),
    ],
)
def test_a_request_that_is_refused_is_not_sent_again(
    route: str, status: int, error: dict[str, str], kind: type[ModelError]
) -> None:
    """What would be refused again is not retried, and says why. (contract: judges:P11)"""
    waits = Waits()

    with pytest.raises(kind, match=error["message"]):
        ask(route, gives({"error": error}, status), clock=waits.clock)

    assert waits.seconds == []


@pytest.mark.parametrize("route", ROUTES)
def test_no_answer_within_the_deadline_is_a_timeout(route: str) -> None:
    """A server that hangs is left when the deadline passes. (contract: judges:P11)"""
    with pytest.raises(ModelTimeoutError, match=r"no answer within 0.2 s") as raised:
        ask(route, never_answers, timeout=0.2)

    assert raised.value.code is ReasonCode.TIMEOUT


@pytest.mark.parametrize("route", ROUTES)
def test_a_slow_body_is_read_to_its_end(route: str) -> None:
    """A body that comes in single bytes is one answer."""
    response, _ = ask(route, trickles(chat("PASS")))

    assert response.text == "PASS"


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    "content",
    [
        b'{"choices": [',
        b"PASS",
        b"[]",
        b"{}",
        b'{"choices": []}',
        b'{"choices": [{"finish_reason": "stop"}]}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_a_malformed_body_is_an_error(route: str, content: bytes) -> None:
    """What is not the protocol's JSON is never read as an answer. (contract: judges:P11)"""
    with pytest.raises(MalformedReplyError):
        ask(route, gives_bytes(content))


def test_an_error_with_status_200_is_an_error() -> None:
    """Some gateways report a failure as a success. (contract: judges:P11)"""
    with pytest.raises(RateLimitedError, match="upstream is busy"):
        ask("ours", gives({"error": {"code": 429, "message": "upstream is busy"}}), retries=ONCE)


@pytest.mark.parametrize("route", ROUTES)
def test_what_the_protocol_cannot_carry_is_refused_before_the_call(route: str) -> None:
    """An option without a field is not silently left out. (contract: judges:P13)"""

    async def run() -> Server:
        async with serving(gives(chat("PASS"))) as server, openai(route, server.url) as model:
            with pytest.raises(UnsupportedOptionError, match="top_k"):
                await model(ModelRequest(QUESTION.messages, ModelOptions(top_k=5)))
            return server

    assert asyncio.run(run()).received == []


@pytest.mark.parametrize("route", ROUTES)
def test_an_extra_field_cannot_overwrite_an_option(route: str) -> None:
    """A field that the request sets is not set twice. (contract: judges:P13)"""
    options = ModelOptions(temperature=0, extra={"temperature": 1})

    with pytest.raises(UnsupportedOptionError, match=r"extra\.temperature"):
        ask(route, gives(chat("PASS")), request=ModelRequest(QUESTION.messages, options))


@pytest.mark.parametrize("route", ROUTES)
def test_images_and_files_are_sent_as_parts(route: str) -> None:
    """An image goes out as an address, a file with its name."""
    message = Message.user(
        "Look:",
        ImagePart(b"PNG", "image/png"),
        ImagePart(url="https://example.org/cat.png"),
        FilePart(b"%PDF", "application/pdf", "report.pdf"),
    )

    _, server = ask(route, gives(chat("PASS")), request=ModelRequest([message]))

    assert server.bodies[0]["messages"][0]["content"] == [
        {"type": "text", "text": "Look:"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,UE5H"}},
        {"type": "image_url", "image_url": {"url": "https://example.org/cat.png"}},
        {
            "type": "file",
            "file": {"filename": "report.pdf", "file_data": "data:application/pdf;base64,JVBERg=="},
        },
    ]


@pytest.mark.parametrize("route", ROUTES)
def test_the_responses_protocol_is_spoken_too(route: str) -> None:
    """The same request goes out in the other protocol, and the same response comes back."""
    answer = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "m-2026",
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "output": [
            {"id": "rs_1", "type": "reasoning", "summary": []},
            {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "status": "completed",
                "content": [
                    {
                        "type": "output_text",
                        "text": '{"pass": true}',
                        "annotations": [],
                        "logprobs": LOGPROBS["content"],
                    }
                ],
            },
        ],
        "usage": {
            "input_tokens": 10,
            "output_tokens": 3,
            "total_tokens": 13,
            "input_tokens_details": {"cached_tokens": 4},
            "output_tokens_details": {"reasoning_tokens": 1},
        },
    }
    request = ModelRequest(
        [Message.system("Judge."), *QUESTION.messages],
        ModelOptions(max_tokens=50, reasoning_effort="low"),
        schema=VERDICT,
        logprobs=2,
    )

    response, server = ask(route, gives(answer), request=request, api="responses")

    assert response.structured == {"pass": True}
    assert response.finish_reason is FinishReason.STOP
    assert response.logprobs is not None
    assert response.usage == Usage(10, 3, 13, cached_tokens=4, reasoning_tokens=1, calls=1)
    assert server.received[0].path == "/v1/responses"
    assert server.bodies[0] == {
        "model": "m",
        "store": False,
        "input": [
            {"role": "system", "content": "Judge."},
            {"role": "user", "content": "Is 2 + 2 = 4?"},
        ],
        "max_output_tokens": 50,
        "reasoning": {"effort": "low"},
        "include": ["message.output_text.logprobs"],
        "top_logprobs": 2,
        "text": {
            "format": {
                "type": "json_schema",
                "name": "verdict",
                "schema": VERDICT.plain,
                "strict": True,
            }
        },
    }


def responded(*output: dict[str, Any], status: str = "completed", **more: Any) -> dict[str, Any]:
    """An answer of the responses protocol."""
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "m-2026",
        "status": status,
        "output": list(output),
        **more,
    }


def wrote(*content: dict[str, Any]) -> dict[str, Any]:
    """A message among the output of the responses protocol."""
    return {"id": "msg_1", "type": "message", "role": "assistant", "content": list(content)}


WROTE = wrote({"type": "output_text", "text": '{"pass": true}', "annotations": []})


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    ("answer", "finish"),
    [
        (
            responded(
                WROTE, status="incomplete", incomplete_details={"reason": "max_output_tokens"}
            ),
            FinishReason.LENGTH,
        ),
        (
            responded(WROTE, status="incomplete", incomplete_details={"reason": "content_filter"}),
            FinishReason.CONTENT_FILTER,
        ),
        (
            responded(WROTE, status="incomplete", incomplete_details={"reason": "steered"}),
            FinishReason.OTHER,
        ),
        (responded(WROTE, status="in_progress"), FinishReason.OTHER),
        (responded(wrote({"type": "refusal", "refusal": "I cannot."})), FinishReason.REFUSAL),
    ],
)
def test_the_responses_protocol_tells_incomplete_replies_apart(
    route: str, answer: dict[str, Any], finish: FinishReason
) -> None:
    """Cut, withheld, unfinished and refused replies are no verdicts. (contract: judges:P11)"""
    request = ModelRequest(QUESTION.messages, schema=VERDICT)

    response, _ = ask(route, gives(answer), request=request, api="responses")

    assert response.finish_reason is finish
    assert response.structured is MISSING
    assert not response.complete


@pytest.mark.parametrize("route", ROUTES)
def test_the_responses_protocol_reports_a_failed_model(route: str) -> None:
    """What went wrong is told in the provider's words. (contract: judges:P11)"""
    failed = responded(status="failed", error={"code": "server_error", "message": "out of luck"})

    with pytest.raises(ModelError, match="out of luck"):
        ask(route, gives(failed), api="responses")


@pytest.mark.parametrize("route", ROUTES)
def test_the_responses_protocol_without_output_is_malformed(route: str) -> None:
    """An answer that holds no output is none. (contract: judges:P11)"""
    with pytest.raises(MalformedReplyError):
        ask(route, gives({"id": "resp_1", "status": "completed"}), api="responses")


@pytest.mark.parametrize("route", ROUTES)
def test_the_responses_protocol_has_parts_of_its_own(route: str) -> None:
    """Images, files and what the model said go out under its names."""
    parts = (
        "Look:",
        ImagePart(b"PNG", "image/png"),
        FilePart(b"%PDF", "application/pdf", "report.pdf"),
    )
    request = ModelRequest(
        [
            Message.user(*parts),
            Message(Role.ASSISTANT, ["It is ", "4."]),
            Message.user("Really?"),
        ],
        ModelOptions(temperature=0.5, top_p=0.9),
        schema=ResponseSchema("verdict", VERDICT.schema, "The verdict", strict=False),
    )

    _, server = ask(route, gives(responded(WROTE)), request=request, api="responses")

    body = server.bodies[0]
    assert (body["temperature"], body["top_p"]) == (0.5, 0.9)
    assert body["text"]["format"]["description"] == "The verdict"
    assert body["text"]["format"]["strict"] is False
    assert body["input"] == [
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "Look:"},
                {
                    "type": "input_image",
                    "detail": "auto",
                    "image_url": "data:image/png;base64,UE5H",
                },
                {
                    "type": "input_file",
                    "filename": "report.pdf",
                    "file_data": "data:application/pdf;base64,JVBERg==",
                },
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"type": "output_text", "text": "It is "},
                {"type": "output_text", "text": "4."},
            ],
        },
        {"role": "user", "content": "Really?"},
    ]


@pytest.mark.parametrize("route", ROUTES)
def test_the_responses_protocol_cannot_carry_every_option(route: str) -> None:
    """Seed and stop have no field there. (contract: judges:P13)"""
    options = ModelOptions(seed=1, stop=("END",))

    with pytest.raises(UnsupportedOptionError, match="seed, stop"):
        ask(
            route,
            gives(responded(WROTE)),
            request=ModelRequest(QUESTION.messages, options),
            api="responses",
        )


def test_a_message_in_parts_is_one_text() -> None:
    """Some servers give the content of a message in parts."""
    parts = [{"type": "text", "text": "PA"}, {"type": "text", "text": "SS"}, 7]

    response, _ = ask("ours", gives(chat(None, message={"content": parts})))

    assert response.text == "PASS"


@pytest.mark.parametrize("route", ROUTES)
def test_no_message_shows_the_key(route: str) -> None:
    """A provider that repeats the key in its error does not get it printed."""
    echo = gives({"error": {"message": f"Incorrect API key provided: {KEY}"}}, 401)

    with pytest.raises(RejectedRequestError) as raised:
        ask(route, echo)

    assert "Incorrect API key" in str(raised.value)
    assert KEY not in str(raised.value)
    assert raised.value.__context__ is None


def test_headers_of_the_environment_and_of_the_caller_are_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Organisation, project and further headers go out as the official SDK sends them."""
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Gateway: a\nX-Team: b")

    _, server = ask("ours", gives(chat("PASS")), headers={"X-Team": "c"})

    headers = server.received[0].headers
    assert headers["OpenAI-Organization"] == "org-1"
    assert headers["OpenAI-Project"] == "proj-1"
    assert (headers["X-Gateway"], headers["X-Team"]) == ("a", "c")


def test_a_server_of_ones_own_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a key no credential is sent."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    async def run() -> Server:
        async with serving(gives(chat("PASS"))) as server:
            async with OpenAIModel("m", base_url=f"{server.url}/v1") as model:
                await model(QUESTION)
            return server

    assert "Authorization" not in asyncio.run(run()).received[0].headers
