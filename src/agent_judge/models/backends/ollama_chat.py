"""The chat protocol of Ollama."""

from __future__ import annotations

from typing import Any, Final

from agent_judge.context import MISSING
from agent_judge.models.backends.parts import base64_text
from agent_judge.models.errors import MalformedReplyError
from agent_judge.models.json_reading import (
    Object,
    as_count,
    as_object,
    as_text,
    read_structured,
    read_tokens,
)
from agent_judge.models.messages import ImagePart, Message
from agent_judge.models.model import Feature
from agent_judge.models.request import ModelOptions, ModelRequest
from agent_judge.models.response import FinishReason, ModelResponse
from agent_judge.usage import Usage

FEATURES: Final = frozenset(Feature) - {Feature.IMAGE_URLS, Feature.FILES}


def encode(request: ModelRequest, model: str) -> dict[str, Any]:
    """A request as the body that is sent."""
    body: dict[str, Any] = {
        "model": model,
        "messages": [_message(message) for message in request.messages],
        "stream": False,
    }
    if options := _options(request.options):
        body["options"] = options
    if request.options.reasoning_effort is not None:
        body["think"] = request.options.reasoning_effort
    if request.logprobs is not None:
        body["logprobs"] = True
        if request.logprobs:
            body["top_logprobs"] = request.logprobs
    if request.schema is not None:
        body["format"] = request.schema.plain
    return body


def decode(answer: object, request: ModelRequest, name: str) -> ModelResponse:
    """The body that came back as a response.

    Raises:
        MalformedReplyError: It is not what the protocol says.
    """
    body = as_object(answer)
    message = as_object(body.get("message"))
    text = as_text(message.get("content"))
    if text is None or body.get("done") is not True:
        raise MalformedReplyError(f"{name}: the answer holds no finished message")
    reason = as_text(body.get("done_reason"))
    finish = _FINISH.get(reason, FinishReason.OTHER)
    asked = request.schema is not None and finish in (FinishReason.STOP, FinishReason.UNREPORTED)
    return ModelResponse(
        text,
        read_structured(text) if asked else MISSING,
        finish,
        reason,
        read_usage(body),
        as_text(body.get("model")),
        read_tokens(body.get("logprobs")),
    )


def read_usage(body: Object) -> Usage | None:
    """What the call consumed, as it was reported.

    A prompt that was still in memory is not counted by the server, so that the number of input
    tokens is then absent.
    """
    return Usage(
        input_tokens=as_count(body.get("prompt_eval_count")),
        output_tokens=as_count(body.get("eval_count")),
        calls=1,
    )


_FINISH: Final[dict[str | None, FinishReason]] = {
    "stop": FinishReason.STOP,
    "length": FinishReason.LENGTH,
    None: FinishReason.UNREPORTED,
}


def _options(options: ModelOptions) -> dict[str, Any]:
    sent: dict[str, Any] = {}
    for field in ("temperature", "top_p", "top_k", "seed"):
        if (value := getattr(options, field)) is not None:
            sent[field] = value
    if options.max_tokens is not None:
        sent["num_predict"] = options.max_tokens
    if options.stop:
        sent["stop"] = list(options.stop)
    return sent


def _message(message: Message) -> dict[str, Any]:
    sent: dict[str, Any] = {"role": message.role.value, "content": message.text}
    images = [
        base64_text(part.data)
        for part in message.parts
        if type(part) is ImagePart and part.data is not None
    ]
    if images:
        sent["images"] = images
    return sent
