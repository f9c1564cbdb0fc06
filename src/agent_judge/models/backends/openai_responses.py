"""The responses protocol of OpenAI."""

from __future__ import annotations

from typing import Any, Final

from agent_judge.context import MISSING
from agent_judge.models.backends.parts import file_url, image_url
from agent_judge.models.errors import MalformedReplyError, ModelError
from agent_judge.models.json_reading import (
    Object,
    as_count,
    as_list,
    as_object,
    as_text,
    is_object,
    read_structured,
    read_tokens,
)
from agent_judge.models.messages import FilePart, ImagePart, Message, Part, Role, TextPart
from agent_judge.models.model import Feature
from agent_judge.models.request import ModelRequest
from agent_judge.models.response import FinishReason, ModelResponse, TokenLogprob
from agent_judge.usage import Usage

FEATURES: Final = frozenset(Feature) - {Feature.TOP_K, Feature.SEED, Feature.STOP}


def encode(request: ModelRequest, model: str) -> dict[str, Any]:
    """A request as the body that is sent; the provider is asked to keep nothing."""
    options = request.options
    body: dict[str, Any] = {
        "model": model,
        "input": [_message(message) for message in request.messages],
        "store": False,
    }
    for field in ("temperature", "top_p"):
        if (value := getattr(options, field)) is not None:
            body[field] = value
    if options.max_tokens is not None:
        body["max_output_tokens"] = options.max_tokens
    if options.reasoning_effort is not None:
        body["reasoning"] = {"effort": options.reasoning_effort}
    if request.logprobs is not None:
        body["include"] = ["message.output_text.logprobs"]
        body["top_logprobs"] = request.logprobs
    if request.schema is not None:
        body["text"] = {"format": _schema(request)}
    return body


def decode(answer: object, request: ModelRequest, name: str) -> ModelResponse:
    """The body that came back as a response.

    Raises:
        MalformedReplyError: It is not what the protocol says.
        ModelError: The provider says that it failed.
    """
    body = as_object(answer)
    status = body.get("status")
    if not isinstance(body.get("output"), list):
        raise MalformedReplyError(f"{name}: the answer holds no output")
    if status == "failed":
        problem = as_text(as_object(body.get("error")).get("message")) or "no reason given"
        raise ModelError(f"{name}: the model failed: {problem[:500]}")
    contents = list(_contents(body))
    refusals = [refusal for part in contents if (refusal := as_text(part.get("refusal")))]
    text = "".join(refusals or (as_text(part.get("text")) or "" for part in contents))
    detail = as_text(as_object(body.get("incomplete_details")).get("reason")) or as_text(status)
    finish = FinishReason.REFUSAL if refusals else _finish(status, detail)
    asked = request.schema is not None and finish in (FinishReason.STOP, FinishReason.UNREPORTED)
    return ModelResponse(
        text,
        read_structured(text) if asked else MISSING,
        finish,
        detail,
        read_usage(body.get("usage")),
        as_text(body.get("model")),
        _tokens(contents),
    )


def read_usage(usage: object) -> Usage | None:
    """What the call consumed, as it was reported."""
    if not is_object(usage):
        return None
    given = as_object(usage.get("input_tokens_details"))
    written = as_object(usage.get("output_tokens_details"))
    return Usage(
        input_tokens=as_count(usage.get("input_tokens")),
        output_tokens=as_count(usage.get("output_tokens")),
        total_tokens=as_count(usage.get("total_tokens")),
        cached_tokens=as_count(given.get("cached_tokens")),
        reasoning_tokens=as_count(written.get("reasoning_tokens")),
        calls=1,
    )


def _finish(status: object, detail: str | None) -> FinishReason:
    match status, detail:
        case "completed", _:
            return FinishReason.STOP
        case "incomplete", "max_output_tokens":
            return FinishReason.LENGTH
        case "incomplete", "content_filter":
            return FinishReason.CONTENT_FILTER
        case None, _:
            return FinishReason.UNREPORTED
        case _:
            return FinishReason.OTHER


def _contents(body: Object) -> list[Object]:
    messages = [item for item in map(as_object, body["output"]) if item.get("type") == "message"]
    return [as_object(part) for item in messages for part in as_list(item.get("content"))]


def _tokens(contents: list[Object]) -> tuple[TokenLogprob, ...] | None:
    given = [tokens for part in contents if (tokens := read_tokens(part.get("logprobs")))]
    return tuple(token for tokens in given for token in tokens) if given else None


def _message(message: Message) -> dict[str, Any]:
    parts = message.parts
    if len(parts) == 1 and type(parts[0]) is TextPart:
        return {"role": message.role.value, "content": parts[0].text}
    said = message.role is Role.ASSISTANT
    return {"role": message.role.value, "content": [_part(part, said) for part in parts]}


def _part(part: Part, said: bool) -> dict[str, Any]:
    match part:
        case TextPart(text):
            return {"type": "output_text" if said else "input_text", "text": text}
        case ImagePart():
            return {"type": "input_image", "detail": "auto", "image_url": image_url(part)}
        case FilePart():
            return {"type": "input_file", "filename": part.name, "file_data": file_url(part)}


def _schema(request: ModelRequest) -> dict[str, Any]:
    schema = request.schema
    assert schema is not None
    sent: dict[str, Any] = {
        "type": "json_schema",
        "name": schema.name,
        "schema": schema.plain,
        "strict": schema.strict,
    }
    if schema.description is not None:
        sent["description"] = schema.description
    return sent
