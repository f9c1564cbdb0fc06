from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent_judge.context import MISSING
from agent_judge.models import (
    FinishReason,
    ImagePart,
    MalformedReplyError,
    Message,
    ModelOptions,
    ModelRequest,
    ModelResponse,
    OllamaModel,
    RejectedRequestError,
    ResponseSchema,
    TokenLogprob,
    TruncatedReplyError,
    UnsupportedOptionError,
    require_complete,
)
from agent_judge.usage import Usage
from integration.models.serving import QUESTION, Reply, Server, gives, gives_bytes, serving

pytestmark = pytest.mark.integration

SCHEMA = ResponseSchema("verdict", {"type": "object", "properties": {"score": {"maximum": 5}}})


def ask(*replies: Reply, request: ModelRequest = QUESTION, **options: Any) -> Any:
    """Ask a model once of a server with these replies."""

    async def run() -> tuple[ModelResponse, Server]:
        async with (
            serving(*replies) as server,
            OllamaModel("qwen3:8b", host=server.url, **options) as model,
        ):
            return await model(request), server

    return asyncio.run(run())


def answers(content: str, **more: Any) -> Reply:
    """An answer of the server."""
    return gives(
        {
            "model": "qwen3:8b",
            "message": {"role": "assistant", "content": content, "thinking": "hm"},
            "done": True,
            "done_reason": "stop",
            "prompt_eval_count": 10,
            "eval_count": 3,
            **more,
        }
    )


def test_an_answer_comes_with_what_was_reported() -> None:
    """Text, reason, model and usage arrive; a total is not derived. (contract: judges:P12)"""
    response, server = ask(answers("PASS"))

    assert response == ModelResponse(
        "PASS",
        finish_reason=FinishReason.STOP,
        finish_detail="stop",
        usage=Usage(input_tokens=10, output_tokens=3, calls=1),
        model="qwen3:8b",
    )
    assert server.received[0].path == "/api/chat"
    assert server.bodies == [
        {
            "model": "qwen3:8b",
            "stream": False,
            "messages": [{"role": "user", "content": "Is 2 + 2 = 4?"}],
        }
    ]


def test_everything_a_request_asks_for_has_its_place() -> None:
    """Options, schema, probabilities, images and thinking go out under the server's names."""
    request = ModelRequest(
        [Message.user("Look:", ImagePart(b"PNG", "image/png"))],
        ModelOptions(
            temperature=0,
            max_tokens=50,
            top_p=0.5,
            top_k=5,
            seed=7,
            stop=("END",),
            reasoning_effort="low",
            extra={"keep_alive": "1h"},
        ),
        schema=SCHEMA,
        logprobs=2,
    )

    response, server = ask(answers('{"score": 4}'), request=request)

    assert response.structured == {"score": 4}
    assert server.bodies[0] == {
        "model": "qwen3:8b",
        "stream": False,
        "messages": [{"role": "user", "content": "Look:", "images": ["UE5H"]}],
        "options": {
            "temperature": 0,
            "num_predict": 50,
            "top_p": 0.5,
            "top_k": 5,
            "seed": 7,
            "stop": ["END"],
        },
        "think": "low",
        "keep_alive": "1h",
        "format": SCHEMA.plain,
        "logprobs": True,
        "top_logprobs": 2,
    }


def test_log_probabilities_arrive_with_their_alternatives() -> None:
    """One without a finite logarithm is left out. (contract: judges:P22)"""
    other = [{"token": "8", "logprob": -2.5}, {"token": "9", "logprob": float("-inf")}]
    tokens = [{"token": "7", "logprob": -0.1, "top_logprobs": other}]

    response, _ = ask(
        answers("7", logprobs=tokens), request=ModelRequest(QUESTION.messages, logprobs=1)
    )

    assert response.logprobs == (TokenLogprob("7", -0.1, (TokenLogprob("8", -2.5),)),)


def test_a_cut_reply_is_told_apart() -> None:
    """A reply cut at its limit is an error, whatever its text says. (contract: judges:P11)"""
    response, _ = ask(
        answers('{"score": 4}', done_reason="length"),
        request=ModelRequest(QUESTION.messages, schema=SCHEMA),
    )

    assert response.structured is MISSING
    with pytest.raises(TruncatedReplyError):
        require_complete(response)


def test_loading_a_model_is_no_completion() -> None:
    """An answer that only says that the model was loaded is none. (contract: judges:P11)"""
    response, _ = ask(answers("", done_reason="load"))

    assert not response.complete


@pytest.mark.parametrize("content", [b"{}", b'{"message": {"content": "PASS"}, "done": false}'])
def test_a_malformed_body_is_an_error(content: bytes) -> None:
    """An answer that is not finished is never read as one. (contract: judges:P11)"""
    with pytest.raises(MalformedReplyError):
        ask(gives_bytes(content))


def test_a_model_that_is_not_there_is_named() -> None:
    """The server's own words say what is missing. (contract: judges:P11)"""
    with pytest.raises(RejectedRequestError, match="model 'qwen3:8b' not found"):
        ask(gives({"error": "model 'qwen3:8b' not found"}, 404))


def test_what_the_protocol_cannot_carry_is_refused_before_the_call() -> None:
    """The server fetches no image by itself. (contract: judges:P13)"""
    image = ModelRequest([Message.user(ImagePart(url="https://example.org/cat.png"))])

    with pytest.raises(UnsupportedOptionError, match="image_urls"):
        ask(answers("PASS"), request=image)


def test_a_key_is_sent_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers elsewhere may want one."""
    monkeypatch.setenv("OLLAMA_API_KEY", "key-0123456789")

    _, server = ask(answers("PASS"))

    assert server.received[0].headers["Authorization"] == "Bearer key-0123456789"
