"""Sending a body through a client of an official SDK that the user configured.

The client's authentication, address, proxies and certificates are the user's. Its own retries are
switched off for these calls: they would multiply with ours.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol, cast

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.extras import load
from agent_judge.models.backends.failures import (
    failure_of_status,
    printable,
    without_secrets,
)
from agent_judge.models.backends.retry import AttemptFailed
from agent_judge.models.errors import MalformedReplyError, ModelError, ModelUnavailableError


class Sdk(Protocol):
    """The exceptions of an SDK, by the names that OpenAI's and Anthropic's share."""

    APIError: type[Exception]
    APIStatusError: type[Exception]
    APIConnectionError: type[Exception]


class SdkMethod:
    """One asynchronous method of a client, for example `chat.completions.create`.

    Args:
        create: The method.
        sdk: The exceptions that it raises.
        name: The model, for messages.
        timeout: Seconds, given to every call.
        secrets: What no message may show.
        wall: Seconds since 1970.
        takes_all: Whether the method takes every field of a body by name.
        special: Reads exceptions that mean more than their status says.
    """

    def __init__(
        self,
        create: Callable[..., Awaitable[Any]],
        *,
        sdk: Sdk,
        name: str,
        timeout: float,
        secrets: tuple[str, ...],
        wall: Callable[[], float],
        takes_all: bool = False,
        special: Callable[[Exception], ModelError | None] | None = None,
    ) -> None:
        self._create = create
        self._fields = None if takes_all else _named_parameters(create)
        self._special = special
        self._sdk = sdk
        self._name = name
        self._timeout = timeout
        self._secrets = secrets
        self._wall = wall

    def __repr__(self) -> str:
        return f"SdkMethod({self._name!r})"

    async def send(self, body: Mapping[str, Any]) -> Any:
        """Send one request and give the JSON of its answer.

        Raises:
            AttemptFailed: There is no answer, or it is not a success.
        """
        sdk = self._sdk
        try:
            return _plain(await self._create(**self._arguments(body), timeout=self._timeout))
        except sdk.APIStatusError as error:
            failure = self._not_a_success(error)
        except sdk.APIConnectionError as error:
            what = self._message(error.__cause__ or error)
            failure = AttemptFailed(ModelUnavailableError(f"{self._name}: {what}"), again=True)
        except (sdk.APIError, ValueError, RecursionError) as error:
            what = f"the answer cannot be read: {self._message(error)}"
            failure = AttemptFailed(MalformedReplyError(f"{self._name}: {what}"))
        raise failure

    async def aclose(self) -> None:
        """Do nothing: the client is the user's to close."""

    def _arguments(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The body as arguments: what the method does not know by name goes past it."""
        if self._fields is None:
            return dict(body)
        known = {key: value for key, value in body.items() if key in self._fields}
        if len(known) < len(body):
            known["extra_body"] = {
                key: value for key, value in body.items() if key not in self._fields
            }
        return known

    def _not_a_success(self, error: Any) -> AttemptFailed:
        special = None if self._special is None else self._special(error)
        if special is not None:
            return AttemptFailed(special)
        response = getattr(error, "response", None)
        content = str(error).encode() if response is None else response.content
        return failure_of_status(
            self._name,
            error.status_code,
            {} if response is None else response.headers,
            without_secrets(content, self._secrets),
            self._wall(),
        )

    def _message(self, error: BaseException) -> str:
        text = printable(f"{type(error).__name__}: {error}".rstrip(": "))
        return without_secrets(text.encode(), self._secrets).decode("utf-8", "replace")


def through_client(
    client: Any,
    path: str,
    *,
    package: str,
    needed_by: str,
    example: str,
    name: str,
    timeout: float,
    wall: Callable[[], float],
) -> SdkMethod:
    """A method of a client of the user's, as what sends bodies.

    Args:
        client: The client.
        path: As for `method_of`.
        package: The official SDK; the extra that brings it is called the same.
        needed_by: What the user asked for, where the package is missing.
        example: As for `method_of`.
        name: As for `SdkMethod`.
        timeout: As for `SdkMethod`.
        wall: As for `SdkMethod`.

    Raises:
        ArgumentTypeError: As `method_of`.
        MissingExtraError: The package is not installed.
    """
    sdk: Any = load(package, extra=package, needed_by=f"{needed_by}(client=…)")
    method = method_of(client, path, example=example)
    secrets = secrets_of(client)
    return SdkMethod(method, sdk=sdk, name=name, timeout=timeout, secrets=secrets, wall=wall)


def refuse_beside_client(**options: object) -> None:
    """Refuse what is said of a connection when a client is given, which has its own.

    Raises:
        ArgumentError: An option that is given; the message names it.
    """
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise ArgumentError(
            f"a client has its own address and credentials; leave out {', '.join(given)}"
        )


def method_of(client: Any, path: str, *, example: str) -> Callable[..., Any]:
    """The method of a client that is asynchronous, with the client's own retries switched off.

    A client counts as asynchronous when its method is a coroutine function or, since a wrapper may
    hide that, when its class is called `Async…`.

    Args:
        client: The client.
        path: Where the method is below it.
        example: A client that would do, for the message.

    Raises:
        ArgumentTypeError: The client is synchronous, or has no such method.
    """
    without_retries = getattr(client, "with_options", None)
    method = client if without_retries is None else without_retries(max_retries=0)
    for step in path.split("."):
        method = getattr(method, step, None)
    named_async = type(client).__name__.startswith("Async")
    if not callable(method) or not (_is_coroutine_function(method) or named_async):
        raise ArgumentTypeError(
            f"client must be an asynchronous client with the method {path}, such as {example}, "
            f"not {type(client).__qualname__}"
        )
    return cast("Callable[..., Any]", method)


def _is_coroutine_function(method: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(inspect.unwrap(method))


def secrets_of(client: Any) -> tuple[str, ...]:
    """The credentials that a client holds as plain text."""
    held = (getattr(client, name, None) for name in ("api_key", "auth_token"))
    return tuple(secret for secret in held if isinstance(secret, str))


def _named_parameters(method: Callable[..., Any]) -> frozenset[str] | None:
    """What the method takes by name: versions of an SDK differ, and the protocol takes more.

    `None` where a wrapper around the method hides it.
    """
    try:
        names = frozenset(inspect.signature(method).parameters)
    except (TypeError, ValueError):
        return None
    return names if "model" in names else None


def _plain(answer: Any) -> Any:
    """The JSON of an answer: as it is, or out of a record of pydantic."""
    dump = getattr(answer, "model_dump", None)
    if dump is None:
        return answer
    return dump(mode="json", exclude_unset=True, warnings=False)
