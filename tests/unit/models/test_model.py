from __future__ import annotations

import asyncio
import threading
from functools import partial
from typing import Any

import pytest

from agent_judge.errors import MissingExtraError
from agent_judge.judgment import ReasonCode
from agent_judge.models import (
    Feature,
    FilePart,
    FinishReason,
    ImagePart,
    IncompleteReplyError,
    Message,
    ModelError,
    ModelOptions,
    ModelRequest,
    ModelResponse,
    RefusedError,
    ResponseSchema,
    TruncatedReplyError,
    UnsupportedOptionError,
    ask_model,
    features_of,
    name_of,
    require_complete,
)
from agent_judge.models.model import asked_features, refuse_unsupported

REQUEST = ModelRequest([Message.user("Is 2 + 2 = 4?")])


class Callable:
    """A model that is an object."""

    name = "mine"
    features = frozenset({Feature.SEED})

    async def __call__(self, request: ModelRequest, /) -> ModelResponse:  # noqa: ARG002
        """Answer anything."""
        return ModelResponse("object")


async def coroutine_function(request: ModelRequest) -> ModelResponse:
    """Answer anything, later."""
    return ModelResponse("async")


def function(request: ModelRequest) -> ModelResponse:
    """Answer anything, now."""
    return ModelResponse("sync")


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (function, "sync"),
        (coroutine_function, "async"),
        (Callable(), "object"),
        (partial(coroutine_function), "async"),
        (lambda _: coroutine_function(REQUEST), "async"),
    ],
)
def test_every_callable_is_a_model(model: Any, text: str) -> None:
    """Functions, objects and whatever gives an awaitable are asked alike."""
    assert asyncio.run(ask_model(model, REQUEST)).text == text


def test_a_sync_model_may_block() -> None:
    """It runs in a thread of its own: two that wait for each other both answer."""
    meeting = threading.Barrier(2, timeout=30)

    def meets(request: ModelRequest) -> ModelResponse:
        meeting.wait()
        return ModelResponse("met")

    async def run() -> list[ModelResponse]:
        return list(await asyncio.gather(*(ask_model(meets, REQUEST) for _ in range(2))))

    assert [answer.text for answer in asyncio.run(run())] == ["met", "met"]


def test_a_sync_model_that_is_cancelled_is_left_behind() -> None:
    """Its thread goes on, and nobody waits for it."""
    leave, entered = threading.Event(), threading.Event()

    def hangs(request: ModelRequest) -> ModelResponse:
        entered.set()
        leave.wait(30)
        return ModelResponse("late")

    async def run() -> None:
        call = asyncio.ensure_future(ask_model(hangs, REQUEST))
        await asyncio.to_thread(entered.wait)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    asyncio.run(run())
    leave.set()


@pytest.mark.parametrize("answer", [None, "PASS", {"text": "PASS"}])
def test_what_is_no_response_is_an_error(answer: object) -> None:
    """A model that returns nothing, or something else, has not answered.

    (contract: judges:P11)
    """
    with pytest.raises(ModelError, match="returned") as raised:
        asyncio.run(ask_model(lambda _: answer, REQUEST))  # type: ignore[arg-type]

    assert raised.value.code is ReasonCode.MODEL_FAILED


def test_what_a_model_raises_is_an_error_with_its_words() -> None:
    """The exception's type and message are kept, cut where they are long.

    (contract: judges:P11)
    """

    def broken(request: ModelRequest) -> ModelResponse:
        raise KeyError("x" * 10_000)

    with pytest.raises(ModelError, match=r"'broken' raised KeyError: 'xxx") as raised:
        asyncio.run(ask_model(broken, REQUEST))

    assert len(str(raised.value)) < 600
    assert isinstance(raised.value.__cause__, KeyError)


def test_errors_of_the_library_pass_through() -> None:
    """A missing package is no failure of a model, and a refusal stays one."""
    for error in (MissingExtraError("install it"), RefusedError("no")):

        async def fails(request: ModelRequest, error: Exception = error) -> ModelResponse:
            raise error

        with pytest.raises(type(error)):
            asyncio.run(ask_model(fails, REQUEST))


@pytest.mark.parametrize(
    ("reason", "kind", "code"),
    [
        (FinishReason.LENGTH, TruncatedReplyError, ReasonCode.TRUNCATED),
        (FinishReason.REFUSAL, RefusedError, ReasonCode.REFUSED),
        (FinishReason.CONTENT_FILTER, RefusedError, ReasonCode.REFUSED),
        (FinishReason.OTHER, IncompleteReplyError, ReasonCode.MODEL_FAILED),
    ],
)
def test_an_incomplete_reply_is_an_error_of_its_kind(
    reason: FinishReason, kind: type[ModelError], code: ReasonCode
) -> None:
    """Each says what happened in the provider's words, and keeps the reply.

    (contract: judges:P11)
    """
    response = ModelResponse("PA", finish_reason=reason, finish_detail="its words")

    with pytest.raises(kind, match="its words") as raised:
        require_complete(response)

    assert raised.value.code is code
    assert isinstance(raised.value, IncompleteReplyError)
    assert raised.value.response is response


@pytest.mark.parametrize("reason", [FinishReason.STOP, FinishReason.UNREPORTED])
def test_a_complete_reply_passes(reason: FinishReason) -> None:
    """A reply of which nobody says that it is cut is complete."""
    response = ModelResponse("PASS", finish_reason=reason)

    assert require_complete(response) is response


def test_a_model_is_known_by_its_name_or_its_code() -> None:
    """What has no name is called after its function or class."""
    assert name_of(Callable()) == "mine"
    assert name_of(function) == "function"
    assert features_of(Callable()) == frozenset({Feature.SEED})
    assert features_of(function) is None


def test_everything_that_is_asked_for_is_seen() -> None:
    """Each option, part and wish of a request is a feature. (contract: judges:P13)"""
    image = ImagePart(b"x", "image/png")
    there = ImagePart(url="https://example.org/cat.png")
    message = Message.user("?", image, there, FilePart(b"x", "text/plain", "a"))
    options = ModelOptions(
        temperature=0,
        max_tokens=1,
        top_p=1,
        top_k=1,
        seed=0,
        stop=("x",),
        reasoning_effort="low",
        extra={"a": 1},
    )
    schema = ResponseSchema("v", {"type": "object"})

    everything = ModelRequest([message], options, schema=schema, logprobs=0)

    assert set(asked_features(everything)) == set(Feature)
    assert set(asked_features(REQUEST)) == set()
    assert set(asked_features(ModelRequest(REQUEST.messages, ModelOptions(extra={})))) == set()


def test_all_that_cannot_be_asked_for_is_named() -> None:
    """The message tells what to leave out. (contract: judges:P13)"""
    request = ModelRequest(REQUEST.messages, ModelOptions(seed=1, top_k=2), logprobs=1)

    with pytest.raises(UnsupportedOptionError, match="logprobs, top_k;"):
        refuse_unsupported(request, frozenset({Feature.SEED}), "mine")
