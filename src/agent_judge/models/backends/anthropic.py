"""Anthropic, and every server that speaks its messages protocol."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from agent_judge.errors import ArgumentError
from agent_judge.frozen import EMPTY
from agent_judge.models.backends import anthropic_messages
from agent_judge.models.backends.anthropic_messages import Structured
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
    from anthropic import AsyncAnthropic

    from agent_judge.models.model import Feature

OFFICIAL_URL: Final = "https://api.anthropic.com"

API_VERSION: Final = "2023-06-01"
"""The version of the API that takes sampling options, as far as the model does."""

FIRST_WITHOUT_SAMPLING: Final = "2026-10-21"
"""From this version on the API refuses temperature, top_p and top_k, whatever their value."""


class AnthropicModel(RemoteModel):
    """A model of Anthropic, or of any server that speaks its messages protocol.

    Args:
        model: The provider's name of the model.
        structured: How JSON is asked for: `"schema"` as an output format, where the bounds of
            numbers, texts and lists can only be told to the model; `"tool"` as the input of a
            tool that must be called, for older models and other servers.
        max_tokens: The limit of tokens where a request gives none: the protocol demands one.
        base_url: The address up to and without `/v1/messages`; `ANTHROPIC_BASE_URL` or
            Anthropic's own unless given.
        api_key: `ANTHROPIC_API_KEY` unless given.
        auth_token: A bearer token instead of a key; `ANTHROPIC_AUTH_TOKEN` unless given or there
            is a key. A server under a `base_url` may need neither.
        api_version: The version of the API. From 2026-10-21 on it takes no temperature, `top_p`
            or `top_k`: they are then refused before the call.
        headers: Further headers of every request, besides those of `ANTHROPIC_CUSTOM_HEADERS`.
        client: A configured `AsyncAnthropic` (or Bedrock, Vertex or Foundry client) to send
            through instead, with its own address, credentials and API version; it belongs to the
            event loop that first uses it.
        timeout: Seconds that a call may take, retries included.
        concurrency: The most calls in flight in one event loop; halved when the provider says
            that it is overloaded, and growing again.
        retries: How often a call is tried again.
        clock: Where time and chance come from.

    Raises:
        ArgumentError: No key for Anthropic itself, a value out of range, or options that a client
            replaces.
        ArgumentTypeError: A client that is not asynchronous.
        MissingExtraError: A client's own package is not installed.

    Example:
        >>> AnthropicModel("claude-haiku-4-5", base_url="http://127.0.0.1:8000").name
        'anthropic:claude-haiku-4-5'
    """

    def __init__(
        self,
        model: str,
        *,
        structured: Structured = "schema",
        max_tokens: int = 4096,
        base_url: str | None = None,
        api_key: str | None = None,
        auth_token: str | None = None,
        api_version: str | None = None,
        headers: Mapping[str, str] = EMPTY,
        client: AsyncAnthropic | None = None,
        timeout: float = 120.0,
        concurrency: int = 200,
        retries: Retries = DEFAULT_RETRIES,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        name = f"anthropic:{check_model(model)}"
        if structured not in ("schema", "tool"):
            raise ArgumentError(f"structured must be 'schema' or 'tool', got {structured!r}")
        if type(max_tokens) is not int or max_tokens < 1:
            raise ArgumentError(f"max_tokens must be a whole number from 1, got {max_tokens!r}")
        transport: SdkMethod | HttpEndpoint
        if client is not None:
            refuse_beside_client(
                base_url=base_url,
                api_key=api_key,
                auth_token=auth_token,
                api_version=api_version,
                headers=headers or None,
            )
            transport = through_client(
                client,
                "messages.create",
                package="anthropic",
                needed_by="AnthropicModel",
                example="AsyncAnthropic",
                name=name,
                timeout=timeout,
                wall=clock.wall,
            )
            where = shown_address(client.base_url)
            version = _version_of(client)
        else:
            where = check_base_url(
                base_url or from_environment("ANTHROPIC_BASE_URL") or OFFICIAL_URL
            )
            version = api_version or API_VERSION
            transport = HttpEndpoint(
                f"{where}/v1/messages",
                name=name,
                credentials=_credentials(where, api_key, auth_token, headers),
                headers={"anthropic-version": version},
                wall=clock.wall,
            )
        super().__init__(
            name=name,
            identity=f"{name} {structured} {version} {where}",
            features=_features(version),
            encode=partial(
                anthropic_messages.encode,
                model=model,
                max_tokens=max_tokens,
                structured=structured,
                name=name,
            ),
            decode=partial(anthropic_messages.decode, name=name),
            transport=transport,
            timeout=timeout,
            concurrency=concurrency,
            retries=retries,
            clock=clock,
        )


def _features(version: str) -> frozenset[Feature]:
    if version >= FIRST_WITHOUT_SAMPLING:
        return anthropic_messages.FEATURES - anthropic_messages.SAMPLING
    return anthropic_messages.FEATURES


def _version_of(client: Any) -> str:
    """The API version that a client sends; the newest where it does not show it."""
    headers = getattr(client, "default_headers", EMPTY)
    named = {str(name).lower(): value for name, value in headers.items()}
    version = named.get("anthropic-version")
    return version if isinstance(version, str) else FIRST_WITHOUT_SAMPLING


def _credentials(
    base_url: str, api_key: str | None, auth_token: str | None, headers: Mapping[str, str]
) -> dict[str, str]:
    if api_key and auth_token:
        raise ArgumentError("give api_key or auth_token, not both")
    if not api_key and not auth_token:
        api_key = from_environment("ANTHROPIC_API_KEY")
        auth_token = None if api_key else from_environment("ANTHROPIC_AUTH_TOKEN")
    if not api_key and not auth_token and base_url == OFFICIAL_URL:
        raise ArgumentError(
            "Anthropic needs a key: set ANTHROPIC_API_KEY or give api_key (or auth_token); for a "
            "server of your own give base_url"
        )
    known = {"x-api-key": api_key} if api_key else {}
    if auth_token:
        known["Authorization"] = f"Bearer {auth_token}"
    return {**known, **headers_from_environment("ANTHROPIC_CUSTOM_HEADERS"), **headers}
