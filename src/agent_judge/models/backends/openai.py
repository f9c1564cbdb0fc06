"""OpenAI, and every server that speaks its protocols."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TypeAlias
from urllib.parse import urlsplit

from agent_judge.errors import ArgumentError
from agent_judge.frozen import EMPTY
from agent_judge.models.backends import openai_chat, openai_responses
from agent_judge.models.backends.environment import from_environment, headers_from_environment
from agent_judge.models.backends.http import HttpEndpoint, check_base_url, shown_address
from agent_judge.models.backends.remote import RemoteModel, check_model
from agent_judge.models.backends.retry import (
    DEFAULT_RETRIES,
    SYSTEM_CLOCK,
    Clock,
    Retries,
)
from agent_judge.models.backends.sdk import SdkMethod, refuse_beside_client, through_client

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Api: TypeAlias = Literal["chat", "responses"]
"""Which protocol is spoken: chat completions or responses."""

MaxTokensField: TypeAlias = Literal["max_tokens", "max_completion_tokens"]
"""What the chat protocol calls the limit of tokens; newer models of OpenAI take the latter."""

OFFICIAL_URL: Final = "https://api.openai.com/v1"


class OpenAIModel(RemoteModel):
    """A model of OpenAI, or of any server that speaks its chat completions or responses protocol.

    Args:
        model: The provider's name of the model.
        api: The protocol.
        base_url: The address up to and without `/chat/completions`; `OPENAI_BASE_URL` or OpenAI's
            own unless given.
        api_key: `OPENAI_API_KEY` unless given. A server under a `base_url` may need none.
        organization: `OPENAI_ORG_ID` unless given.
        project: `OPENAI_PROJECT_ID` unless given.
        headers: Further headers of every request, besides those of `OPENAI_CUSTOM_HEADERS`.
        client: A configured `AsyncOpenAI` (or Azure client) to send through instead, with its own
            address and credentials; it belongs to the event loop that first uses it.
        max_tokens_field: What the chat protocol calls the limit of tokens; chosen by the address
            unless given.
        timeout: Seconds that a call may take, retries included.
        concurrency: The most calls in flight in one event loop; halved when the provider says
            that it is overloaded, and growing again.
        retries: How often a call is tried again.
        clock: Where time and chance come from.

    Raises:
        ArgumentError: No key for OpenAI itself, a value out of range, or options that a client
            replaces.
        ArgumentTypeError: A client that is not asynchronous.
        MissingExtraError: A client's own package is not installed.

    Example:
        >>> local = OpenAIModel("qwen3", base_url="http://127.0.0.1:8000/v1")
        >>> local.name
        'openai:qwen3'
    """

    def __init__(
        self,
        model: str,
        *,
        api: Api = "chat",
        base_url: str | None = None,
        api_key: str | None = None,
        organization: str | None = None,
        project: str | None = None,
        headers: Mapping[str, str] = EMPTY,
        client: AsyncOpenAI | None = None,
        max_tokens_field: MaxTokensField | None = None,
        timeout: float = 120.0,
        concurrency: int = 200,
        retries: Retries = DEFAULT_RETRIES,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        name = f"openai:{check_model(model)}"
        if api not in ("chat", "responses"):
            raise ArgumentError(f"api must be 'chat' or 'responses', got {api!r}")
        transport: SdkMethod | HttpEndpoint
        if client is not None:
            refuse_beside_client(
                base_url=base_url,
                api_key=api_key,
                organization=organization,
                project=project,
                headers=headers or None,
            )
            transport = through_client(
                client,
                _METHODS[api],
                package="openai",
                needed_by="OpenAIModel",
                example="AsyncOpenAI",
                name=name,
                timeout=timeout,
                wall=clock.wall,
            )
            where = shown_address(client.base_url)
        else:
            where = check_base_url(base_url or from_environment("OPENAI_BASE_URL") or OFFICIAL_URL)
            transport = HttpEndpoint(
                f"{where}/{_PATHS[api]}",
                name=name,
                credentials=_credentials(where, api_key, organization, project, headers),
                wall=clock.wall,
            )
        tokens_field = _max_tokens_field(max_tokens_field, where)
        super().__init__(
            name=name,
            identity=f"{name} {api} {where}",
            features=openai_chat.FEATURES if api == "chat" else openai_responses.FEATURES,
            encode=partial(openai_chat.encode, model=model, max_tokens_field=tokens_field)
            if api == "chat"
            else partial(openai_responses.encode, model=model),
            decode=partial(
                openai_chat.decode if api == "chat" else openai_responses.decode, name=name
            ),
            transport=transport,
            timeout=timeout,
            concurrency=concurrency,
            retries=retries,
            clock=clock,
        )


_PATHS: Final[Mapping[Api, str]] = {"chat": "chat/completions", "responses": "responses"}

_METHODS: Final[Mapping[Api, str]] = {
    "chat": "chat.completions.create",
    "responses": "responses.create",
}


def _credentials(
    base_url: str,
    api_key: str | None,
    organization: str | None,
    project: str | None,
    headers: Mapping[str, str],
) -> dict[str, str]:
    key = api_key or from_environment("OPENAI_API_KEY")
    if key is None and base_url == OFFICIAL_URL:
        raise ArgumentError(
            "OpenAI needs an API key: set OPENAI_API_KEY or give api_key; for a server of your "
            "own give base_url"
        )
    known = {
        "Authorization": None if key is None else f"Bearer {key}",
        "OpenAI-Organization": organization or from_environment("OPENAI_ORG_ID"),
        "OpenAI-Project": project or from_environment("OPENAI_PROJECT_ID"),
    }
    return {
        **{name: value for name, value in known.items() if value is not None},
        **headers_from_environment("OPENAI_CUSTOM_HEADERS"),
        **headers,
    }


def _max_tokens_field(given: str | None, base_url: str) -> str:
    if given is not None:
        if given not in ("max_tokens", "max_completion_tokens"):
            raise ArgumentError(
                f"max_tokens_field must be 'max_tokens' or 'max_completion_tokens', got {given!r}"
            )
        return given
    official = urlsplit(base_url).hostname == urlsplit(OFFICIAL_URL).hostname
    return "max_completion_tokens" if official else "max_tokens"
