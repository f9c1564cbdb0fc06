"""Sending a JSON body to one address, over connections that are kept open.

A response is bounded in size, redirects are not followed (they could carry the credential to
another host), certificates are verified, and proxies are taken from the environment as the
standard library reads it (`urllib.request.getproxies`), once for each event loop.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.extras import load
from agent_judge.frozen import EMPTY
from agent_judge.models.backends.failures import (
    failure_in_body,
    failure_of_status,
    printable,
    without_secrets,
)
from agent_judge.models.backends.loops import PerLoop
from agent_judge.models.backends.retry import AttemptFailed
from agent_judge.models.errors import MalformedReplyError, ModelUnavailableError

if TYPE_CHECKING:
    import aiohttp

MAX_REPLY_BYTES: Final = 16 * 2**20
"""A body larger than this is not read on."""

CONNECT_SECONDS: Final = 10.0
"""How long connecting may take before it counts as failed."""


class HttpEndpoint:
    """One address that takes JSON and gives JSON.

    Args:
        url: The address.
        name: The model, for messages.
        credentials: Headers of every request that nothing may show.
        headers: Other headers of every request.
        wall: Seconds since 1970.

    Raises:
        ArgumentError: A header that HTTP cannot carry.
        ArgumentTypeError: A header that is not text.
    """

    def __init__(
        self,
        url: str,
        *,
        name: str,
        credentials: Mapping[str, str],
        headers: Mapping[str, str] = EMPTY,
        wall: Callable[[], float],
    ) -> None:
        self.url = url
        self._name = name
        self._wall = wall
        _check_headers({**credentials, **headers})
        self._headers = {
            **headers,
            **credentials,
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
        }
        self._secrets = [value.removeprefix("Bearer ") for value in credentials.values()]
        self._lines: PerLoop[_Line] = PerLoop(self._open, _close, _drop)

    def __repr__(self) -> str:
        return f"HttpEndpoint({self.url!r})"

    async def send(self, body: Mapping[str, Any]) -> Any:
        """Send one request and read the JSON of its answer.

        Raises:
            AttemptFailed: There is no answer, or it is not a success.
        """
        line = await self._lines.get()
        content = json.dumps(body, separators=(",", ":")).encode()
        failure: AttemptFailed
        try:
            async with line.session.post(
                self.url,
                data=content,
                headers=self._headers,  # headers of the session would go to a proxy as well
                allow_redirects=False,
                proxy=line.proxy,
            ) as reply:
                answer = await _read(reply.content)
                if 200 <= reply.status < 300 and answer is not None:
                    return self._answer(answer)
                failure = self._not_a_success(reply, answer)
        except line.errors as error:
            failure = self._no_answer(error)
        except (ValueError, RecursionError):
            failure = AttemptFailed(
                MalformedReplyError(f"{self._name}: the body of the answer is not JSON")
            )
        raise failure

    async def aclose(self) -> None:
        """Close the connections; the next request opens new ones."""
        await self._lines.aclose()

    def _open(self) -> _Line:
        aiohttp = load("aiohttp", extra="models", needed_by=self._name)
        session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=60),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
        )
        errors = (aiohttp.ClientError, asyncio.TimeoutError, OSError)
        return _Line(session, errors, environment_proxy(self.url))

    def _answer(self, content: bytes) -> Any:
        answer = json.loads(content)
        failure = failure_in_body(self._name, answer, self._wall())
        if failure is not None:
            raise failure
        return answer

    def _not_a_success(self, reply: aiohttp.ClientResponse, answer: bytes | None) -> AttemptFailed:
        if answer is None:
            return AttemptFailed(
                MalformedReplyError(f"{self._name}: the answer exceeds {MAX_REPLY_BYTES} bytes")
            )
        body = without_secrets(answer, self._secrets)
        return failure_of_status(self._name, reply.status, reply.headers, body, self._wall())

    def _no_answer(self, error: BaseException) -> AttemptFailed:
        what = printable(f"{type(error).__name__}: {error}".rstrip(": "))
        text = without_secrets(what.encode(), self._secrets).decode("utf-8", "replace")
        refused = "Certificate" in type(error).__name__ or "SSL" in type(error).__name__
        return AttemptFailed(
            ModelUnavailableError(f"{self._name}: {text}"),
            again=not refused,
        )


class _Line(NamedTuple):
    """What requests of one event loop share."""

    session: aiohttp.ClientSession
    errors: tuple[type[BaseException], ...]
    proxy: str | None


def environment_proxy(url: str) -> str | None:
    """The proxy that the environment names for an address, if any, with its user and password."""
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(url)
    proxy = getproxies().get(parts.scheme)
    if not proxy or proxy_bypass(parts.hostname or ""):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def shown_address(url: object) -> str:
    """The address of a client without what may be a credential in it."""
    parts = urlsplit(str(url))
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}".rstrip("/")


def check_base_url(url: object) -> str:
    """A base URL without the slash at its end.

    Raises:
        ArgumentError: It is not an `http` or `https` address, or it holds a credential, a query
            or a fragment.
    """
    if not isinstance(url, str) or not url.strip():
        raise ArgumentError(f"base_url must be an http(s) address, got {url!r:.80}")
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        shown = "what holds a credential" if "@" in url else repr(url)[:80]
        raise ArgumentError(f"base_url must begin with http:// or https://, got {shown}")
    if parts.username is not None or parts.query or parts.fragment:
        raise ArgumentError("base_url must hold no user, query or fragment; use api_key or headers")
    return url.strip().rstrip("/")


def _check_headers(headers: Mapping[str, str]) -> None:
    for name, value in headers.items():
        if type(name) is not str or type(value) is not str:
            raise ArgumentTypeError(f"header {name!r:.80} must be text")
        if not (value.isascii() and value.isprintable() and value == value.strip()):
            raise ArgumentError(
                f"header {name!r:.80} (an API key, perhaps) holds white space at an end, or "
                "characters that HTTP cannot carry; its value is not shown here"
            )
        if not (name.isascii() and name.isprintable()) or set(name) & set(' :"(),/;<=>?@[]{}'):
            raise ArgumentError(f"{name!r:.80} is no name of a header")


async def _read(stream: aiohttp.StreamReader) -> bytes | None:
    """A whole body; `None` where it is too large."""
    chunks: list[bytes] = []
    size = 0
    async for chunk in stream.iter_any():
        size += len(chunk)
        if size > MAX_REPLY_BYTES:
            return None
        chunks.append(chunk)
    return b"".join(chunks)


async def _close(line: _Line) -> None:
    await line.session.close()


def _drop(line: _Line) -> None:
    """Close what has no loop to close it on: without one, aiohttp does it at once."""
    if line.session.connector is not None:
        line.session.connector.close()
