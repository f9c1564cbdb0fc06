from __future__ import annotations

import copy
import pickle
from math import inf, nan
from typing import Any

import pytest

from agent_judge import models
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.models import (
    FilePart,
    ImagePart,
    Message,
    ModelOptions,
    ModelRequest,
    ResponseSchema,
    Role,
    TextPart,
)

UNTYPED: Any = models
"""The same names, for arguments that a type checker would refuse already."""

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"score": {"type": "number"}}}

REQUEST = ModelRequest(
    [
        Message.system("Judge."),
        Message.user("Look:", ImagePart(b"PNG", "image/png"), FilePart(b"x", "text/plain", "a")),
        Message.assistant("4"),
    ],
    ModelOptions(temperature=0.5, stop=["END"], extra={"a": [1, None]}),  # type: ignore[arg-type]
    schema=ResponseSchema("verdict", SCHEMA),
    logprobs=2,
    nonce="abcd1234",
    cache_key={"sample": 1},
)


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda r: pickle.loads(pickle.dumps(r))]
)
def test_a_request_can_be_copied_and_pickled(again: Any) -> None:
    """A request goes to other processes and comes back the same."""
    assert again(REQUEST) == REQUEST


def test_a_request_cannot_change() -> None:
    """What was given is copied, so that nobody changes it from outside."""
    schema: dict[str, Any] = copy.deepcopy(SCHEMA)
    key = {"sample": 1}
    request = ModelRequest(
        REQUEST.messages, schema=ResponseSchema("verdict", schema), cache_key=key
    )

    schema["properties"]["score"]["type"] = "string"
    key["sample"] = 2

    assert request.schema is not None
    assert request.schema.plain == SCHEMA
    assert request.cache_key == {"sample": 1}
    with pytest.raises(AttributeError):
        request.nonce = "other123"  # type: ignore[misc]


def test_one_message_is_enough() -> None:
    """A single message need not be put into a list."""
    assert ModelRequest(Message.user("?")) == ModelRequest([Message.user("?")])


def test_the_text_of_a_message_is_that_of_its_parts() -> None:
    """Images and files have none."""
    assert REQUEST.messages[1].text == "Look:"
    assert REQUEST.messages[1].parts[0] == TextPart("Look:")


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: UNTYPED.Message(Role.USER, []), ArgumentError),
        (lambda: UNTYPED.Message("user", "?"), ArgumentTypeError),
        (lambda: UNTYPED.Message(Role.USER, [7]), ArgumentTypeError),
        (lambda: UNTYPED.Message(Role.SYSTEM, ImagePart(b"x", "image/png")), ArgumentError),
        (lambda: UNTYPED.Message.user("\ud800"), ArgumentError),
        (ImagePart, ArgumentError),
        (lambda: UNTYPED.ImagePart(b"x", "image/png", "https://x"), ArgumentError),
        (lambda: UNTYPED.ImagePart(b"x", "text/plain"), ArgumentError),
        (lambda: UNTYPED.ImagePart(b"", "image/png"), ArgumentError),
        (lambda: UNTYPED.ImagePart("x", "image/png"), ArgumentTypeError),
        (lambda: UNTYPED.ImagePart(url="file:///etc/passwd"), ArgumentError),
        (lambda: UNTYPED.ImagePart(url="data:image/png;base64,AAAA"), ArgumentError),
        (lambda: UNTYPED.FilePart(b"", "text/plain", "a"), ArgumentError),
        (lambda: UNTYPED.FilePart(b"x", "text", "a"), ArgumentError),
        (lambda: UNTYPED.FilePart(b"x", "text/plain\r\nX: y", "a"), ArgumentError),
        (lambda: UNTYPED.FilePart(b"x", "text/plain", " "), ArgumentError),
        (lambda: UNTYPED.ModelOptions(temperature=-0.1), ArgumentError),
        (lambda: UNTYPED.ModelOptions(temperature=nan), ArgumentError),
        (lambda: UNTYPED.ModelOptions(temperature=True), ArgumentTypeError),
        (lambda: UNTYPED.ModelOptions(temperature="0"), ArgumentTypeError),
        (lambda: UNTYPED.ModelOptions(max_tokens=0), ArgumentError),
        (lambda: UNTYPED.ModelOptions(max_tokens=1.5), ArgumentTypeError),
        (lambda: UNTYPED.ModelOptions(top_p=0), ArgumentError),
        (lambda: UNTYPED.ModelOptions(top_p=1.1), ArgumentError),
        (lambda: UNTYPED.ModelOptions(top_k=0), ArgumentError),
        (lambda: UNTYPED.ModelOptions(seed="1"), ArgumentTypeError),
        (lambda: UNTYPED.ModelOptions(stop="END"), ArgumentTypeError),
        (lambda: UNTYPED.ModelOptions(stop=["", "END"]), ArgumentError),
        (lambda: UNTYPED.ModelOptions(reasoning_effort=" "), ArgumentError),
        (lambda: UNTYPED.ModelOptions(extra={"x": inf}), ArgumentError),
        (lambda: UNTYPED.ResponseSchema("a b", SCHEMA), ArgumentError),
        (lambda: UNTYPED.ResponseSchema("a" * 65, SCHEMA), ArgumentError),
        (lambda: UNTYPED.ResponseSchema("a", {"type": "array"}), ArgumentError),
        (lambda: UNTYPED.ResponseSchema("a", {}), ArgumentError),
        (lambda: UNTYPED.ResponseSchema("a", SCHEMA, strict=1), ArgumentTypeError),
        (lambda: UNTYPED.ModelRequest([]), ArgumentError),
        (lambda: UNTYPED.ModelRequest(["?"]), ArgumentTypeError),
        (lambda: UNTYPED.ModelRequest([Message.user("?")], {"temperature": 0}), ArgumentTypeError),
        (lambda: UNTYPED.ModelRequest([Message.user("?")], schema=SCHEMA), ArgumentTypeError),
        (lambda: UNTYPED.ModelRequest([Message.user("?")], logprobs=-1), ArgumentError),
        (lambda: UNTYPED.ModelRequest([Message.user("?")], logprobs=True), ArgumentTypeError),
        (lambda: UNTYPED.ModelRequest([Message.user("?")], nonce="short"), ArgumentError),
        (lambda: UNTYPED.ModelRequest([Message.user("?")], nonce="with space"), ArgumentError),
        (lambda: UNTYPED.ModelRequest([Message.user("?")], cache_key=[1]), ArgumentTypeError),
        (lambda: UNTYPED.ModelResponse(None), ArgumentTypeError),
        (lambda: UNTYPED.ModelResponse("x", structured=nan), ArgumentError),
        (lambda: UNTYPED.ModelResponse("x", finish_reason="stop"), ArgumentTypeError),
        (lambda: UNTYPED.ModelResponse("x", usage={"calls": 1}), ArgumentTypeError),
        (lambda: UNTYPED.ModelResponse("x", logprobs=[("a", -1)]), ArgumentTypeError),
        (lambda: UNTYPED.TokenLogprob("a", -inf), ArgumentError),
        (lambda: UNTYPED.TokenLogprob("a", "-1"), ArgumentTypeError),
    ],
)
def test_what_cannot_be_is_refused(make: Any, kind: type[Exception]) -> None:
    """A wrong value is refused where it is made, not when it is sent."""
    with pytest.raises(kind):
        make()


def test_what_is_judged_is_not_printed_with_a_request() -> None:
    """Images and files are not part of what a message looks like in a log."""
    assert "PNG" not in repr(ImagePart(b"PNG", "image/png"))
