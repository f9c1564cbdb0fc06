"""Ollama: models on this machine or in the neighbourhood."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from agent_judge.frozen import EMPTY
from agent_judge.models.backends import ollama_chat
from agent_judge.models.backends.environment import from_environment, read_ollama_host
from agent_judge.models.backends.http import HttpEndpoint, check_base_url
from agent_judge.models.backends.remote import RemoteModel, check_model
from agent_judge.models.backends.retry import (
    DEFAULT_RETRIES,
    SYSTEM_CLOCK,
    Clock,
    Retries,
)


class OllamaModel(RemoteModel):
    """A model that Ollama runs.

    Args:
        model: Its name, for example `"qwen3:8b"`.
        host: Where the server is, as `OLLAMA_HOST` says it, which is read unless given.
        api_key: For servers that want one; `OLLAMA_API_KEY` unless given.
        headers: Further headers of every request.
        timeout: Seconds that a call may take, retries and loading the model included.
        concurrency: The most calls in flight in one event loop; the server itself queues what it
            cannot do at once.
        retries: How often a call is tried again.
        clock: Where time and chance come from.

    Raises:
        ArgumentError: A host that is none, or a value out of range.

    Example:
        >>> OllamaModel("qwen3:8b", host="gpu-box").identity
        'ollama:qwen3:8b http://gpu-box:11434'
    """

    def __init__(
        self,
        model: str,
        *,
        host: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] = EMPTY,
        timeout: float = 300.0,
        concurrency: int = 200,
        retries: Retries = DEFAULT_RETRIES,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        name = f"ollama:{check_model(model)}"
        where = check_base_url(read_ollama_host(host or from_environment("OLLAMA_HOST")))
        key = api_key or from_environment("OLLAMA_API_KEY")
        credentials = {} if key is None else {"Authorization": f"Bearer {key}"}
        endpoint = HttpEndpoint(
            f"{where}/api/chat",
            name=name,
            credentials={**credentials, **headers},
            wall=clock.wall,
        )
        super().__init__(
            name=name,
            identity=f"{name} {where}",
            features=ollama_chat.FEATURES,
            encode=partial(ollama_chat.encode, model=model),
            decode=partial(ollama_chat.decode, name=name),
            transport=endpoint,
            timeout=timeout,
            concurrency=concurrency,
            retries=retries,
            clock=clock,
        )
