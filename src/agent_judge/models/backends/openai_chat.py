"""The chat completions protocol of OpenAI, which many servers speak."""

from __future__ import annotations

from typing import Any, Final

from agent_judge.context import MISSING
from agent_judge.frozen import EMPTY
from agent_judge.models.backends.parts import file_url, image_url
from agent_judge.models.errors import MalformedReplyError
from agent_judge.models.json_reading import (
    as_count,
    as_list,
    as_object,
    as_text,
    is_list,
    is_object,
    read_structured,
    read_tokens,
)
from agent_judge.models.messages import FilePart, ImagePart, Message, Part, TextPart
from agent_judge.models.model import Feature
from agent_judge.models.request import ModelRequest
from agent_judge.models.response import FinishReason, ModelResponse
from agent_judge.usage import Usage

FEATURES: Final = frozenset(Feature) - {Feature.TOP_K}


def encode(request: ModelRequest, model: str, max_tokens_field: str) -> dict[str, Any]:
    """A request as the body that is sent."""
    options = request.options
    body: dict[str, Any] = {
        "model": model,
        "messages": [_message(message) for message in request.messages],
    }
    for field in ("temperature", "top_p", "seed", "reasoning_effort"):
        if (value := getattr(options, field)) is not None:
            body[field] = value
    if options.max_tokens is not None:
        body[max_tokens_field] = options.max_tokens
    if options.stop:
        body["stop"] = list(options.stop)
    if request.logprobs is not None:
        body["logprobs"] = True
        if request.logprobs:
            body["top_logprobs"] = request.logprobs
    if request.schema is not None:
        body["response_format"] = {"type": "json_schema", "json_schema": _schema(request)}
    return body


def decode(answer: object, request: ModelRequest, name: str) -> ModelResponse:
    """The body that came back as a response.

    Raises:
        MalformedReplyError: It is not what the protocol says.
    """
    body = as_object(answer)
    choices = as_list(body.get("choices"))
    choice = as_object(choices[0]) if choices else EMPTY
    if not isinstance(choice.get("message"), dict):
        raise MalformedReplyError(f"{name}: the answer holds no message")
    message = as_object(choice["message"])
    refusal = as_text(message.get("refusal"))
    text = refusal or _content(message.get("content"))
    reason = choice.get("finish_reason")
    finish = FinishReason.REFUSAL if refusal else read_finish(reason)
    asked = request.schema is not None and finish in (FinishReason.STOP, FinishReason.UNREPORTED)
    return ModelResponse(
        text,
        read_structured(text) if asked else MISSING,
        finish,
        as_text(reason),
        read_usage(body.get("usage")),
        as_text(body.get("model")),
        read_tokens(as_object(choice.get("logprobs")).get("content")),
    )


def read_finish(reason: object) -> FinishReason:
    """Why the answer ended; a word that is not known is no completion."""
    if reason is None or reason == "":
        return FinishReason.UNREPORTED
    return (
        _FINISH.get(reason, FinishReason.OTHER) if isinstance(reason, str) else (FinishReason.OTHER)
    )


def read_usage(usage: object) -> Usage | None:
    """What the call consumed, as it was reported."""
    if not is_object(usage):
        return None
    prompt = as_object(usage.get("prompt_tokens_details"))
    completion = as_object(usage.get("completion_tokens_details"))
    return Usage(
        input_tokens=as_count(usage.get("prompt_tokens")),
        output_tokens=as_count(usage.get("completion_tokens")),
        total_tokens=as_count(usage.get("total_tokens")),
        cached_tokens=as_count(prompt.get("cached_tokens")),
        reasoning_tokens=as_count(completion.get("reasoning_tokens")),
        calls=1,
    )


_FINISH: Final = {
    "stop": FinishReason.STOP,
    "eos": FinishReason.STOP,
    "end_turn": FinishReason.STOP,
    "stop_sequence": FinishReason.STOP,
    "length": FinishReason.LENGTH,
    "max_tokens": FinishReason.LENGTH,
    "content_filter": FinishReason.CONTENT_FILTER,
    "refusal": FinishReason.REFUSAL,
}
"""The protocol's own words, and those of servers that pass on what their model said."""


def _message(message: Message) -> dict[str, Any]:
    parts = message.parts
    if len(parts) == 1 and type(parts[0]) is TextPart:
        return {"role": message.role.value, "content": parts[0].text}
    return {"role": message.role.value, "content": [_part(part) for part in parts]}


def _part(part: Part) -> dict[str, Any]:
    match part:
        case TextPart(text):
            return {"type": "text", "text": text}
        case ImagePart():
            return {"type": "image_url", "image_url": {"url": image_url(part)}}
        case FilePart():
            return {"type": "file", "file": {"filename": part.name, "file_data": file_url(part)}}


def _schema(request: ModelRequest) -> dict[str, Any]:
    schema = request.schema
    assert schema is not None
    sent: dict[str, Any] = {"name": schema.name, "schema": schema.plain, "strict": schema.strict}
    if schema.description is not None:
        sent["description"] = schema.description
    return sent


def _content(content: object) -> str:
    """The text of a message, which some servers give in parts."""
    if is_list(content):
        texts = [as_text(as_object(part).get("text")) for part in content]
        return "".join(text for text in texts if text is not None)
    return as_text(content) or ""
