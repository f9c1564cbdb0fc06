"""Requests and responses as JSON, for caches and recordings; and what identifies a request.

A request's nonce, random in every call, is replaced by a placeholder, so that the same question
has the same JSON each time; in a stored response it is replaced too, and put back on reading.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from hashlib import sha256
from typing import Any, Final

from agent_judge.context import MISSING
from agent_judge.errors import AgentJudgeError, WireError
from agent_judge.frozen import Json, thaw
from agent_judge.models.messages import FilePart, ImagePart, Message, Part, TextPart
from agent_judge.models.request import ModelOptions, ModelRequest
from agent_judge.models.response import FinishReason, ModelResponse, TokenLogprob
from agent_judge.usage import Usage

FORMAT: Final = 1
"""The version of everything that is stored; what was stored under another one is not found."""


def fingerprint(document: Mapping[str, Any], identity: str = "") -> str:
    """The SHA-256 of a request's JSON and of what else its answers depend on, in hexadecimal."""
    whole = {"format": FORMAT, "identity": identity, "request": document}
    return sha256(_canonical(whole).encode()).hexdigest()


def placeholder_for(request: ModelRequest) -> str | None:
    """What stands for the nonce: the first of a fixed series that the messages do not hold."""
    if request.nonce is None:
        return None
    texts = [message.text for message in request.messages]
    return next(mark for mark in _placeholders() if not any(mark in text for text in texts))


def request_to_json(request: ModelRequest) -> dict[str, Any]:
    """A request for people to read; images and files by their SHA-256."""
    placeholder = placeholder_for(request)
    see = _replacing(request.nonce, placeholder)
    document: dict[str, Any] = {
        "messages": [_message_to_json(message, see) for message in request.messages]
    }
    if options := _options_to_json(request.options):
        document["options"] = options
    if request.schema is not None:
        schema = request.schema
        document["schema"] = {"name": schema.name, "schema": schema.plain, "strict": schema.strict}
        if schema.description is not None:
            document["schema"]["description"] = schema.description
    if request.logprobs is not None:
        document["logprobs"] = request.logprobs
    if placeholder is not None:
        document["nonce"] = placeholder
    if request.cache_key:
        document["cache_key"] = thaw(request.cache_key)
    return document


def response_to_json(response: ModelResponse, request: ModelRequest) -> dict[str, Any]:
    """A response for storage, with a placeholder for the nonce of the request it answers.

    The placeholder is named beside it, since it must not occur in the response either.
    """
    document: dict[str, Any] = {"text": response.text}
    if response.structured is not MISSING:
        document["structured"] = thaw(response.structured)
    document["finish_reason"] = response.finish_reason.value
    if response.finish_detail is not None:
        document["finish_detail"] = response.finish_detail
    if response.usage is not None:
        document["usage"] = _given_fields(response.usage)
    if response.model is not None:
        document["model"] = response.model
    if response.logprobs is not None:
        document["logprobs"] = [_token_to_json(token) for token in response.logprobs]
    return _hide_nonce(document, request.nonce)


def response_from_json(document: object, request: ModelRequest, path: str) -> ModelResponse:
    """Read a stored response as the answer to a request.

    Args:
        document: What was stored.
        request: The request; its nonce takes the place of the placeholder.
        path: Where it was stored, for messages.

    Raises:
        WireError: It is not a stored response.
    """
    try:
        return _response_from_json(document, request.nonce)
    except (AgentJudgeError, ValueError, TypeError, KeyError, AttributeError) as fault:
        raise WireError(f"{path}: this is not a stored response: {fault!r:.200}") from fault


def _response_from_json(document: Any, nonce: str | None) -> ModelResponse:
    show = _replacing(document.get("nonce"), nonce)
    usage = document.get("usage")
    logprobs = document.get("logprobs")
    structured = document.get("structured", MISSING)
    return ModelResponse(
        show(document["text"]),
        structured if structured is MISSING else _map_texts(structured, show),
        FinishReason(document["finish_reason"]),
        document.get("finish_detail"),
        None if usage is None else Usage(**usage),
        document.get("model"),
        None if logprobs is None else tuple(_token_from_json(token) for token in logprobs),
        from_cache=True,
    )


def _hide_nonce(document: dict[str, Any], nonce: str | None) -> dict[str, Any]:
    if nonce is None or nonce not in _canonical(document):
        return document
    content = _canonical(document)
    placeholder = next(mark for mark in _placeholders() if mark not in content)
    hide = _replacing(nonce, placeholder)
    document["text"] = hide(document["text"])
    if "structured" in document:
        document["structured"] = _map_texts(document["structured"], hide)
    document["nonce"] = placeholder
    return document


def _message_to_json(message: Message, see: Callable[[str], str]) -> dict[str, Any]:
    if len(message.parts) == 1 and type(message.parts[0]) is TextPart:
        return {"role": message.role.value, "content": see(message.text)}
    parts = [_part_to_json(part, see) for part in message.parts]
    return {"role": message.role.value, "content": parts}


def _part_to_json(part: Part, see: Callable[[str], str]) -> dict[str, Any]:
    match part:
        case TextPart(text):
            return {"type": "text", "text": see(text)}
        case ImagePart(url=str(url)):
            return {"type": "image", "url": url}
        case ImagePart(data, media_type):
            return {"type": "image", "media_type": media_type, **_digest(data or b"")}
        case FilePart(data, media_type, name):
            return {"type": "file", "name": name, "media_type": media_type, **_digest(data)}


def _digest(data: bytes) -> dict[str, Any]:
    return {"bytes": len(data), "sha256": sha256(data).hexdigest()}


def _options_to_json(options: ModelOptions) -> dict[str, Any]:
    return {
        name: thaw(value)
        for name in _OPTION_NAMES
        if (value := getattr(options, name)) is not None and (value or value == 0)
    }


def _token_to_json(token: TokenLogprob) -> list[Any]:
    """As `[token, logprob, [alternatives]]`: there are many of them."""
    alternatives = [_token_to_json(other) for other in token.alternatives]
    return (
        [token.token, token.logprob, alternatives]
        if alternatives
        else [
            token.token,
            token.logprob,
        ]
    )


def _token_from_json(token: Any) -> TokenLogprob:
    text, logprob, *rest = token
    alternatives: Iterable[Any] = rest[0] if rest else ()
    return TokenLogprob(text, logprob, tuple(_token_from_json(other) for other in alternatives))


def _given_fields(usage: Usage) -> dict[str, Any]:
    amounts = {field.name: getattr(usage, field.name) for field in fields(usage)}
    return {name: amount for name, amount in amounts.items() if amount is not None}


def _placeholders() -> Iterator[str]:
    yield "<nonce>"
    number = 2
    while True:
        yield f"<nonce-{number}>"
        number += 1


def _replacing(old: str | None, new: str | None) -> Callable[[str], str]:
    if old is None or new is None:
        return lambda text: text
    return lambda text: text.replace(old, new)


def _map_texts(value: Json, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {change(key): _map_texts(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_map_texts(item, change) for item in value]
    return value


def _canonical(document: object) -> str:
    return _CANONICAL.encode(document)


_CANONICAL: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
_OPTION_NAMES: Final = tuple(field.name for field in fields(ModelOptions))
