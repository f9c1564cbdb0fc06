"""Every provider that LiteLLM knows."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from agent_judge.extras import load
from agent_judge.models.backends import openai_chat
from agent_judge.models.backends.http import check_base_url
from agent_judge.models.backends.remote import RemoteModel, check_model
from agent_judge.models.backends.retry import (
    DEFAULT_RETRIES,
    SYSTEM_CLOCK,
    Clock,
    Retries,
)
from agent_judge.models.backends.sdk import SdkMethod
from agent_judge.models.errors import (
    ModelError,
    RefusedError,
    RequestTooLargeError,
    UnsupportedOptionError,
)
from agent_judge.models.model import Feature


class LiteLLMModel(RemoteModel):
    """A model of any provider, called through LiteLLM.

    LiteLLM reads the providers' keys from the environment. Its import takes seconds and would
    fetch a list of prices from the network; unless it was imported before, or
    `LITELLM_LOCAL_MODEL_COST_MAP` says otherwise, it is imported here so that it uses the list it
    comes with. What a provider does not take it may not drop: it is refused before the call.

    Args:
        model: LiteLLM's name of the model, for example `"gemini/gemini-2.5-pro"`.
        base_url: Another address than the provider's own.
        api_key: Another key than the environment's.
        timeout: Seconds that a call may take, retries included.
        concurrency: The most calls in flight in one event loop; halved when the provider says
            that it is overloaded, and growing again.
        retries: How often a call is tried again.
        clock: Where time and chance come from.

    Raises:
        ArgumentError: A value out of range.
        MissingExtraError: LiteLLM is not installed.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 120.0,
        concurrency: int = 200,
        retries: Retries = DEFAULT_RETRIES,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        name = f"litellm:{check_model(model)}"
        where = None if base_url is None else check_base_url(base_url)
        litellm = load_litellm()
        sdk: Any = load("openai", extra="litellm", needed_by="LiteLLMModel")
        given = {"base_url": where, "api_key": api_key}
        address = {key: value for key, value in given.items() if value is not None}
        method = SdkMethod(
            partial(litellm.acompletion, **_UNTOUCHED, **address),
            sdk=sdk,
            name=name,
            timeout=timeout,
            secrets=() if api_key is None else (api_key,),
            wall=clock.wall,
            takes_all=True,
            special=_special(litellm, name),
        )
        super().__init__(
            name=name,
            identity=f"{name} {where or 'default address'}",
            features=_features(litellm.get_supported_openai_params(model=model)),
            encode=partial(openai_chat.encode, model=model, max_tokens_field="max_tokens"),
            decode=partial(openai_chat.decode, name=name),
            transport=method,
            timeout=timeout,
            concurrency=concurrency,
            retries=retries,
            clock=clock,
        )


def load_litellm() -> Any:
    """Import LiteLLM without its request for prices and without its advertisements."""
    with _importing:
        if "litellm" in sys.modules:
            return sys.modules["litellm"]
        before = os.environ.get(_LOCAL_PRICES)
        os.environ.setdefault(_LOCAL_PRICES, "True")
        try:
            litellm: Any = load("litellm", extra="litellm", needed_by="LiteLLMModel")
        finally:
            if before is None:
                del os.environ[_LOCAL_PRICES]
        litellm.suppress_debug_info = True
        return litellm


_UNTOUCHED: Final = {"num_retries": 0, "max_retries": 0, "drop_params": False}
"""Retries are ours, and nothing that was asked for is left out."""

_LOCAL_PRICES: Final = "LITELLM_LOCAL_MODEL_COST_MAP"

_importing = threading.Lock()

_PARAMETERS: Final[Mapping[Feature, str]] = {
    Feature.TEMPERATURE: "temperature",
    Feature.MAX_TOKENS: "max_tokens",
    Feature.TOP_P: "top_p",
    Feature.SEED: "seed",
    Feature.STOP: "stop",
    Feature.REASONING_EFFORT: "reasoning_effort",
    Feature.SCHEMA: "response_format",
    Feature.LOGPROBS: "logprobs",
}


def _features(supported: list[str] | None) -> frozenset[Feature]:
    """What the provider takes, as LiteLLM knows it; everything where it does not know."""
    if supported is None:
        return openai_chat.FEATURES
    lacking = {feature for feature, name in _PARAMETERS.items() if name not in supported}
    return openai_chat.FEATURES - lacking


def _special(litellm: Any, name: str) -> Callable[[Exception], ModelError | None]:
    """Read the exceptions that LiteLLM has over those of OpenAI."""
    meanings: tuple[tuple[type[Exception], type[ModelError]], ...] = (
        (litellm.UnsupportedParamsError, UnsupportedOptionError),
        (litellm.ContextWindowExceededError, RequestTooLargeError),
        (litellm.ContentPolicyViolationError, RefusedError),
    )

    def read(error: Exception) -> ModelError | None:
        for kind, meaning in meanings:
            if isinstance(error, kind):
                return meaning(f"{name}: {str(error)[:500]}")
        return None

    return read
