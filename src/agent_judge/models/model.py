"""What a model is, what it can be asked, and how one is asked, whatever it is made of."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator
from enum import Enum
from typing import Any, Final, Protocol, cast, runtime_checkable

from agent_judge.errors import AgentJudgeError
from agent_judge.frozen import EMPTY
from agent_judge.models.errors import (
    IncompleteReplyError,
    ModelError,
    RefusedError,
    TruncatedReplyError,
    UnsupportedOptionError,
)
from agent_judge.models.messages import FilePart, ImagePart
from agent_judge.models.request import ModelRequest
from agent_judge.models.response import FinishReason, ModelResponse
from agent_judge.protocol import is_called_async


@runtime_checkable
class JudgeModel(Protocol):
    """A model: a function, bound method or callable object, sync or async.

    It raises, best a `ModelError`, where it has no answer. Three attributes are read where they
    are there: `name` (what people call it), `identity` (everything besides the request that its
    answers depend on; caches need it) and `features` (what it can be asked).

    Example:
        >>> def agreeable(request: ModelRequest) -> ModelResponse:
        ...     return ModelResponse("PASS")
        >>> isinstance(agreeable, JudgeModel)
        True
    """

    def __call__(self, request: ModelRequest, /) -> ModelResponse | Awaitable[ModelResponse]:
        """Answer one question."""
        ...


class Feature(Enum):
    """Something that a request may ask for and that not every model can be asked."""

    TEMPERATURE = "temperature"
    MAX_TOKENS = "max_tokens"
    TOP_P = "top_p"
    TOP_K = "top_k"
    SEED = "seed"
    STOP = "stop"
    REASONING_EFFORT = "reasoning_effort"
    EXTRA = "extra"
    SCHEMA = "schema"
    LOGPROBS = "logprobs"
    IMAGES = "images"
    IMAGE_URLS = "image_urls"
    FILES = "files"


def name_of(model: JudgeModel) -> str:
    """What people call a model: its own name, else that of its code."""
    name = getattr(model, "name", None) or getattr(model, "__name__", None)
    return name if isinstance(name, str) else type(model).__name__


def features_of(model: JudgeModel) -> frozenset[Feature] | None:
    """What a model can be asked; `None` where it does not say."""
    features = getattr(model, "features", None)
    return cast("frozenset[Feature]", features) if isinstance(features, frozenset) else None


def asked_features(request: ModelRequest) -> Iterator[Feature]:
    """What a request asks for that not every model can be asked."""
    options = request.options
    for name in _OPTIONS:
        if getattr(options, name) not in _NOT_GIVEN:
            yield Feature(name)
    if request.schema is not None:
        yield Feature.SCHEMA
    if request.logprobs is not None:
        yield Feature.LOGPROBS
    for message in request.messages:
        for part in message.parts:
            if type(part) is ImagePart:
                yield Feature.IMAGES if part.url is None else Feature.IMAGE_URLS
            elif type(part) is FilePart:
                yield Feature.FILES


def refuse_unsupported(request: ModelRequest, features: frozenset[Feature], name: str) -> None:
    """Refuse a request that asks for what a model cannot be asked, before it is sent.

    Raises:
        UnsupportedOptionError: It does; the message names all of it.
    """
    missing = {feature.value for feature in asked_features(request) if feature not in features}
    if missing:
        known = ", ".join(sorted(feature.value for feature in features))
        raise UnsupportedOptionError(
            f"{name} cannot be asked for {', '.join(sorted(missing))}; "
            f"leave it out of the request; known are: {known or 'none'}"
        )


async def ask_model(model: JudgeModel, request: ModelRequest) -> ModelResponse:
    """Ask any model; what is not an answer is a `ModelError`.

    A sync function is called in a worker thread, so that it may block.

    Raises:
        ModelError: The model raised, or returned something else than a `ModelResponse`.
        AgentJudgeError: Another error of this library, as it is.
    """
    try:
        answer = await _call(model, request)
    except AgentJudgeError:
        raise
    except Exception as raised:
        raise ModelError(
            f"model {name_of(model)!r} raised {type(raised).__name__}: {_bounded(raised)}"
        ) from raised
    if not isinstance(answer, ModelResponse):
        what = "nothing" if answer is None else f"a {type(answer).__qualname__}"
        raise ModelError(f"model {name_of(model)!r} returned {what}, not a ModelResponse")
    return answer


async def _call(model: JudgeModel, request: ModelRequest) -> object:
    if is_called_async(model):
        answer = model(request)
    else:
        from agent_judge.engine.offload import in_worker

        answer = await in_worker(lambda: model(request))
    return await answer if isinstance(answer, Awaitable) else answer


def require_complete(response: ModelResponse) -> ModelResponse:
    """Let only a complete answer through.

    Raises:
        TruncatedReplyError: It was cut at a limit of tokens.
        RefusedError: The model declined, or the provider withheld the answer.
        IncompleteReplyError: It ended for a reason that is not known.
    """
    if response.complete:
        return response
    detail = f" ({response.finish_detail})" if response.finish_detail else ""
    match response.finish_reason:
        case FinishReason.LENGTH:
            raise TruncatedReplyError(f"the reply was cut at a limit of tokens{detail}", response)
        case FinishReason.REFUSAL:
            raise RefusedError(f"the model declined to answer{detail}", response)
        case FinishReason.CONTENT_FILTER:
            raise RefusedError(f"the provider withheld the reply{detail}", response)
        case _:
            raise IncompleteReplyError(f"the reply did not complete{detail}", response)


_NOT_GIVEN: Final[tuple[Any, ...]] = (None, (), EMPTY)

_OPTIONS: Final = (
    "temperature",
    "max_tokens",
    "top_p",
    "top_k",
    "seed",
    "stop",
    "reasoning_effort",
    "extra",
)


def _bounded(raised: Exception, limit: int = 500) -> str:
    text = str(raised).encode("utf-8", "replace").decode()
    return text if len(text) <= limit else f"{text[:limit]}…"
