"""One question to a model, the same for every backend."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Final

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import EMPTY, Json, check_text, freeze_map, thaw
from agent_judge.models.messages import Message


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model is to answer; what is `None` or empty is not sent.

    A backend that cannot send an option refuses the request before it calls.

    Args:
        temperature: Randomness, from 0 up.
        max_tokens: The most tokens the answer may have, reasoning included.
        top_p: The share of probability that is sampled from, above 0 and up to 1.
        top_k: How many of the likeliest tokens are sampled from.
        seed: Asks for the same answer to the same question, as far as the provider can.
        stop: Texts at which the answer ends.
        reasoning_effort: How much to think, in the provider's word, for example `"low"`.
        extra: Further fields of the provider's own, put into the body of the request as they are.

    Raises:
        ArgumentError: A value out of range.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> ModelOptions(temperature=0, max_tokens=300).seed is None
        True
    """

    temperature: float | None = None
    max_tokens: int | None = None
    top_p: float | None = None
    top_k: int | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    reasoning_effort: str | None = None
    extra: Mapping[str, Json] = EMPTY

    def __post_init__(self) -> None:
        _check_number(self.temperature, "temperature", least=0)
        _check_number(self.top_p, "top_p", least=0, most=1)
        if self.top_p == 0:
            raise ArgumentError("top_p must be above 0")
        _check_count(self.max_tokens, "max_tokens", least=1)
        _check_count(self.top_k, "top_k", least=1)
        _check_count(self.seed, "seed", least=None)
        if self.stop != ():
            object.__setattr__(self, "stop", _texts(self.stop, "stop"))
        if self.reasoning_effort is not None:
            _check_word(self.reasoning_effort, "reasoning_effort")
        if self.extra is not EMPTY:
            object.__setattr__(self, "extra", freeze_map(self.extra, "extra", nulls=True))


@dataclass(frozen=True, slots=True)
class ResponseSchema:
    """The JSON Schema that an answer is to satisfy.

    Args:
        name: What the provider calls it: up to 64 of `A-Z a-z 0-9 _ -`.
        schema: The schema, of an object.
        description: What the answer is, for the model to read.
        strict: Whether the provider is to enforce every word of it; providers then want every
            property to be required and `"additionalProperties": false`.

    Raises:
        ArgumentError: A name that providers refuse, or a schema that is not of an object.
        ArgumentTypeError: A value of the wrong type.
    """

    name: str
    schema: Mapping[str, Json]
    description: str | None = None
    strict: bool = True
    plain: dict[str, Any] = field(init=False, repr=False, compare=False)
    """The schema as plain `dict`s and `list`s, made once; whoever sends it must not change it."""

    def __post_init__(self) -> None:
        check_text(self.name, "schema.name")
        if not _SCHEMA_NAME.fullmatch(self.name):
            raise ArgumentError(
                f"schema.name must be 1 to 64 of A-Z a-z 0-9 _ -, got {self.name!r:.80}"
            )
        frozen = freeze_map(self.schema, "schema", nulls=True)
        if frozen.get("type") != "object":
            raise ArgumentError(
                f"schema.type must be 'object', as providers demand, got {frozen.get('type')!r:.40}"
            )
        if self.description is not None:
            check_text(self.description, "schema.description")
        if type(self.strict) is not bool:
            raise ArgumentTypeError(f"schema.strict must be True or False, not {self.strict!r}")
        object.__setattr__(self, "schema", frozen)
        object.__setattr__(self, "plain", thaw(frozen))


@dataclass(frozen=True, slots=True, init=False)
class ModelRequest:
    """One question to a model.

    Args:
        messages: What is said, a system message first if there is one.
        options: How to answer.
        schema: The JSON Schema that the answer is to satisfy.
        logprobs: How many alternatives to give for each token of the answer, with their
            probabilities; 0 gives those of the tokens that were chosen; `None` gives none.
        nonce: A random text of letters and digits that occurs in the messages, such as a fence
            around what is judged. Caches and recordings see through it: two requests that differ
            in their nonces alone are the same, and a stored answer comes back with the nonce of
            whoever asks.
        cache_key: What else a stored answer depends on, for example the hash of a template, the
            version of whoever reads the answer and, for one of several samples, its index.

    Raises:
        ArgumentError: No messages, or a value out of range.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> request = ModelRequest([Message.system("Judge."), Message.user("Is 2 + 2 = 4?")])
        >>> [message.role.value for message in request.messages]
        ['system', 'user']
    """

    messages: tuple[Message, ...]
    options: ModelOptions
    schema: ResponseSchema | None
    logprobs: int | None
    nonce: str | None
    cache_key: Mapping[str, Json]

    def __init__(
        self,
        messages: Message | Iterable[Message],
        options: ModelOptions | None = None,
        *,
        schema: ResponseSchema | None = None,
        logprobs: int | None = None,
        nonce: str | None = None,
        cache_key: Mapping[str, Json] = EMPTY,
    ) -> None:
        given = (messages,) if isinstance(messages, Message) else tuple(messages)
        _set(self, "messages", given)
        _set(self, "options", _NO_OPTIONS if options is None else options)
        _set(self, "schema", schema)
        _set(self, "logprobs", logprobs)
        _set(self, "nonce", nonce)
        frozen = EMPTY if cache_key is EMPTY else freeze_map(cache_key, "cache_key", nulls=True)
        _set(self, "cache_key", frozen)
        self._check()

    def _check(self) -> None:
        if not self.messages:
            raise ArgumentError("a request has at least one message")
        for message in self.messages:
            if type(message) is not Message:
                raise ArgumentTypeError(f"messages must be Messages, not {message!r:.80}")
        if type(self.options) is not ModelOptions:
            raise ArgumentTypeError(f"options must be ModelOptions, not {self.options!r:.80}")
        if self.schema is not None and type(self.schema) is not ResponseSchema:
            raise ArgumentTypeError(f"schema must be a ResponseSchema, not {self.schema!r:.80}")
        _check_count(self.logprobs, "logprobs", least=0)
        if self.nonce is not None:
            check_text(self.nonce, "nonce")
            if not _NONCE.fullmatch(self.nonce):
                raise ArgumentError("nonce must be at least 8 letters and digits of ASCII")


_set = object.__setattr__
_SCHEMA_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NONCE: Final = re.compile(r"[A-Za-z0-9]{8,}")


def _texts(texts: Iterable[str], name: str) -> tuple[str, ...]:
    if isinstance(texts, str) or not isinstance(texts, Iterable):
        raise ArgumentTypeError(f"{name} must be a sequence of strings, not {texts!r:.80}")
    kept = tuple(texts)
    for text in kept:
        check_text(text, name)
        if not text:
            raise ArgumentError(f"{name} must not hold an empty text")
    return kept


def _check_word(word: object, name: str) -> None:
    check_text(word, name)
    if not str(word).strip():
        raise ArgumentError(f"{name} must not be blank; leave it out")


def _check_number(number: object, name: str, *, least: float, most: float = float("inf")) -> None:
    if number is None:
        return
    if type(number) is not float and type(number) is not int:
        raise ArgumentTypeError(f"{name} must be a number, not {number!r:.80}")
    if not isfinite(number) or not least <= number <= most:
        bound = f"from {least} up" if most == float("inf") else f"in {least}..{most}"
        raise ArgumentError(f"{name} must be {bound}, got {number}")


def _check_count(number: object, name: str, *, least: int | None) -> None:
    if number is None:
        return
    if type(number) is not int:
        raise ArgumentTypeError(f"{name} must be a whole number, not {number!r:.80}")
    if least is not None and number < least:
        raise ArgumentError(f"{name} must be {least} or more, got {number}")


_NO_OPTIONS: Final = ModelOptions()
