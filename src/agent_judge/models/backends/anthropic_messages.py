"""The messages protocol of Anthropic."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from agent_judge.context import MISSING
from agent_judge.models.backends.parts import base64_text
from agent_judge.models.errors import MalformedReplyError, UnsupportedOptionError
from agent_judge.models.json_reading import (
    Object,
    as_count,
    as_list,
    as_object,
    as_text,
    is_list,
    is_object,
    read_structured,
)
from agent_judge.models.messages import FilePart, ImagePart, Message, Part, Role, TextPart
from agent_judge.models.model import Feature
from agent_judge.models.request import ModelRequest, ResponseSchema
from agent_judge.models.response import FinishReason, ModelResponse
from agent_judge.usage import Usage

Structured: TypeAlias = Literal["schema", "tool"]
"""How JSON is asked for: with an output format, or as the input of a tool that must be called."""

SAMPLING: Final = frozenset({Feature.TEMPERATURE, Feature.TOP_P, Feature.TOP_K})
"""What API versions from 2026-10-21 on refuse, whatever its value."""

FEATURES: Final = frozenset(Feature) - {Feature.SEED, Feature.LOGPROBS}


def encode(
    request: ModelRequest, model: str, *, max_tokens: int, structured: Structured, name: str
) -> dict[str, Any]:
    """A request as the body that is sent.

    Args:
        request: The request.
        model: The model's name.
        max_tokens: What is sent where the request does not say: the protocol demands a number.
        structured: How JSON is asked for.
        name: The model, for messages.

    Raises:
        UnsupportedOptionError: The protocol cannot carry it.
    """
    options = request.options
    system, messages = _split(request.messages, name)
    if options.temperature is not None and options.temperature > 1:
        raise UnsupportedOptionError(
            f"{name} takes a temperature in 0..1, got {options.temperature}"
        )
    body: dict[str, Any] = {
        "model": model,
        "max_tokens": options.max_tokens if options.max_tokens is not None else max_tokens,
        "messages": [_message(message, name) for message in messages],
    }
    if system:
        body["system"] = "\n\n".join(message.text for message in system)
    for field in ("temperature", "top_p", "top_k"):
        if (value := getattr(options, field)) is not None:
            body[field] = value
    if options.stop:
        body["stop_sequences"] = list(options.stop)
    output: dict[str, Any] = {}
    if options.reasoning_effort is not None:
        output["effort"] = options.reasoning_effort
    if request.schema is not None and structured == "schema":
        output["format"] = {"type": "json_schema", "schema": relaxed(request.schema.plain)}
    elif request.schema is not None:
        body["tools"] = [_tool(request.schema)]
        body["tool_choice"] = {"type": "tool", "name": request.schema.name}
    if output:
        body["output_config"] = output
    return body


def decode(answer: object, request: ModelRequest, name: str) -> ModelResponse:
    """The body that came back as a response.

    Raises:
        MalformedReplyError: It is not what the protocol says.
    """
    body = as_object(answer)
    if not isinstance(body.get("content"), list):
        raise MalformedReplyError(f"{name}: the answer holds no content")
    blocks = [as_object(block) for block in as_list(body["content"])]
    tool = _tool_input(blocks, request.schema)
    texts = [as_text(block.get("text")) for block in blocks if block.get("type") == "text"]
    text = tool if tool is not None else "".join(text for text in texts if text is not None)
    reason = as_text(body.get("stop_reason"))
    finish = _finish(reason, called=tool is not None)
    asked = request.schema is not None and finish in (FinishReason.STOP, FinishReason.UNREPORTED)
    return ModelResponse(
        text,
        read_structured(text) if asked else MISSING,
        finish,
        _detail(reason, as_object(body.get("stop_details"))),
        read_usage(body.get("usage")),
        as_text(body.get("model")),
    )


def read_usage(usage: object) -> Usage | None:
    """What the call consumed, as it was reported.

    The protocol counts input from the cache, into the cache and past it apart; `input_tokens` of a
    `Usage` is all three together. It reports no total, so there is none.
    """
    if not is_object(usage):
        return None
    past = as_count(usage.get("input_tokens"))
    read = as_count(usage.get("cache_read_input_tokens"))
    written = as_count(usage.get("cache_creation_input_tokens"))
    details = as_object(usage.get("output_tokens_details"))
    return Usage(
        input_tokens=None if past is None else as_count(past + (read or 0) + (written or 0)),
        output_tokens=as_count(usage.get("output_tokens")),
        cached_tokens=read,
        reasoning_tokens=as_count(details.get("thinking_tokens")),
        calls=1,
    )


def relaxed(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema as the output format takes it.

    Bounds of numbers, texts and lists are refused there; they are put into the description for
    the model to read, and whoever reads the answer still checks them. Objects are closed.
    """
    sent: dict[str, Any] = {}
    bounds: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _BOUNDS:
            bounds[key] = value
        elif key in _NAMED:
            sent[key] = {name: _relaxed_value(inner) for name, inner in as_object(value).items()}
        elif key in _NESTED:
            sent[key] = _relaxed_value(value)
        else:
            sent[key] = value
    if sent.get("type") == "object":
        sent["additionalProperties"] = False
    if bounds:
        limits = ", ".join(f"{key}: {json.dumps(value)}" for key, value in bounds.items())
        sent["description"] = f"{sent.get('description', '')} ({limits})".strip()
    return sent


_BOUNDS: Final = frozenset(
    {
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "uniqueItems",
    }
)

_NAMED: Final = frozenset({"properties", "$defs", "definitions"})

_NESTED: Final = frozenset({"items", "anyOf", "oneOf", "allOf"})


def _relaxed_value(value: object) -> object:
    if is_object(value):
        return relaxed(value)
    if is_list(value):
        return [_relaxed_value(item) for item in value]
    return value


def _split(messages: Sequence[Message], name: str) -> tuple[Sequence[Message], Sequence[Message]]:
    """The system messages at the beginning, and the conversation."""
    first = next((i for i, said in enumerate(messages) if said.role is not Role.SYSTEM), None)
    if first is None or any(said.role is Role.SYSTEM for said in messages[first:]):
        raise UnsupportedOptionError(
            f"{name} takes system messages at the beginning, and a user message after them"
        )
    return messages[:first], messages[first:]


def _message(message: Message, name: str) -> dict[str, Any]:
    parts = message.parts
    if len(parts) == 1 and type(parts[0]) is TextPart:
        return {"role": message.role.value, "content": parts[0].text}
    return {"role": message.role.value, "content": [_part(part, name) for part in parts]}


def _part(part: Part, name: str) -> dict[str, Any]:
    match part:
        case TextPart(text):
            return {"type": "text", "text": text}
        case ImagePart(url=str(url)):
            return {"type": "image", "source": {"type": "url", "url": url}}
        case ImagePart(data, media_type):
            return {"type": "image", "source": _base64_source(media_type, data or b"")}
        case FilePart():
            return {"type": "document", "title": part.name, "source": _document(part, name)}


def _document(file: FilePart, name: str) -> dict[str, Any]:
    if file.media_type == "application/pdf":
        return _base64_source(file.media_type, file.data)
    if file.media_type.startswith("text/"):
        text = file.data.decode("utf-8", "replace")
        return {"type": "text", "media_type": "text/plain", "data": text}
    raise UnsupportedOptionError(
        f"{name} takes PDF and text files, not {file.name!r:.80} of type {file.media_type}"
    )


def _base64_source(media_type: str, data: bytes) -> dict[str, Any]:
    return {"type": "base64", "media_type": media_type, "data": base64_text(data)}


def _tool(schema: ResponseSchema) -> dict[str, Any]:
    sent: dict[str, Any] = {"name": schema.name, "input_schema": schema.plain}
    if schema.description is not None:
        sent["description"] = schema.description
    return sent


def _tool_input(blocks: Sequence[Object], schema: ResponseSchema | None) -> str | None:
    """The JSON text of what the tool was called with, if it was called once."""
    if schema is None:
        return None
    calls = [
        block.get("input")
        for block in blocks
        if block.get("type") == "tool_use" and block.get("name") == schema.name
    ]
    return as_text(json.dumps(calls[0], ensure_ascii=False)) if len(calls) == 1 else None


def _finish(reason: str | None, *, called: bool) -> FinishReason:
    match reason:
        case "end_turn" | "stop_sequence":
            return FinishReason.STOP
        case "tool_use":
            return FinishReason.STOP if called else FinishReason.OTHER
        case "max_tokens" | "model_context_window_exceeded":
            return FinishReason.LENGTH
        case "refusal":
            return FinishReason.REFUSAL
        case None:
            return FinishReason.UNREPORTED
        case _:
            return FinishReason.OTHER


def _detail(reason: str | None, details: Object) -> str | None:
    category = as_text(details.get("category"))
    return f"{reason}: {category}" if reason is not None and category else reason
