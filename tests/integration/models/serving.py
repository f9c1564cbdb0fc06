"""A real HTTP server on loopback that gives scripted replies, and the two routes to it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI

from agent_judge.models import AnthropicModel, Clock, ModelRequest, OpenAIModel, Retries
from agent_judge.models.backends.remote import RemoteModel
from agent_judge.models.messages import Message

KEY = "sk-test-0123456789abcdef"

QUESTION = ModelRequest([Message.user("Is 2 + 2 = 4?")])

Reply = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class Received:
    """What the server was sent."""

    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass
class Server:
    """A server that is running."""

    url: str = ""
    received: list[Received] = field(default_factory=list)

    @property
    def bodies(self) -> list[Any]:
        """The bodies it was sent."""
        return [received.body for received in self.received]


@asynccontextmanager
async def serving(*replies: Reply) -> AsyncGenerator[Server, None]:
    """Run a server that gives the replies in turn, and the last one to whoever comes after."""
    server = Server()

    async def handle(request: web.Request) -> web.StreamResponse:
        content = await request.read()
        turn = min(len(server.received), len(replies) - 1)
        server.received.append(
            Received(str(request.rel_url), request.headers, json.loads(content or b"null"))
        )
        return await replies[turn](request)

    application = web.Application(client_max_size=2**26)
    application.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(application, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield server
    finally:
        await runner.cleanup()


def gives(body: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    """A reply of JSON."""
    return gives_bytes(json.dumps(body).encode(), status, headers)


def gives_bytes(
    content: bytes, status: int = 200, headers: Mapping[str, str] | None = None
) -> Reply:
    """A reply of any bytes, said to be JSON."""

    async def reply(request: web.Request) -> web.Response:
        return web.Response(
            body=content, status=status, headers=headers, content_type="application/json"
        )

    return reply


async def drops(request: web.Request) -> web.Response:
    """Close the connection without a word."""
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def drops_in_the_middle(request: web.Request) -> web.StreamResponse:
    """Close the connection when half of the body is sent."""
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"choices": [')
    assert request.transport is not None
    request.transport.close()
    return response


async def never_answers(request: web.Request) -> web.Response:
    """Keep the client waiting until it leaves."""
    await asyncio.Event().wait()
    return web.Response()


async def never_ends(request: web.Request) -> web.StreamResponse:
    """Begin a body and keep the client waiting for the rest."""
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    await response.prepare(request)
    await response.write(b'{"choices": [')
    await asyncio.Event().wait()
    return response


def trickles(body: object) -> Reply:
    """Send JSON one byte at a time."""

    async def reply(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        await response.prepare(request)
        for byte in json.dumps(body).encode():
            await response.write(bytes([byte]))
        return response

    return reply


class Waits:
    """A clock that notes how long it was to sleep, and does not."""

    def __init__(self, wall: float = 0.0) -> None:
        self.seconds: list[float] = []
        self.clock = Clock(
            monotonic=lambda: sum(self.seconds),
            wall=lambda: wall,
            sleep=self._sleep,
            chance=lambda: 1.0,
        )

    async def _sleep(self, seconds: float) -> None:
        self.seconds.append(seconds)


def chat(text: str | None, finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    """An answer of the chat completions protocol; `message` adds to its message."""
    message = {"role": "assistant", "content": text, **more.pop("message", {})}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m-2026",
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": finish,
                "logprobs": more.pop("logprobs", None),
            }
        ],
        "usage": {"prompt_tokens": 10, "completion_tokens": 3, "total_tokens": 13},
        **more,
    }


def said(*content: Mapping[str, Any], stop: str | None = "end_turn", **more: Any) -> dict[str, Any]:
    """An answer of the messages protocol."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-2026",
        "content": list(content),
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 3},
        **more,
    }


def text(content: str) -> dict[str, Any]:
    """A block of text of the messages protocol."""
    return {"type": "text", "text": content}


@asynccontextmanager
async def openai(route: str, url: str, **options: Any) -> AsyncGenerator[RemoteModel, None]:
    """A model of OpenAI by either route: `ours`, or the official SDK."""
    if route == "ours":
        async with OpenAIModel("m", base_url=f"{url}/v1", api_key=KEY, **options) as model:
            yield model
    else:
        async with AsyncOpenAI(base_url=f"{url}/v1", api_key=KEY) as client:
            yield OpenAIModel("m", client=client, **options)


@asynccontextmanager
async def anthropic(route: str, url: str, **options: Any) -> AsyncGenerator[RemoteModel, None]:
    """A model of Anthropic by either route: `ours`, or the official SDK."""
    if route == "ours":
        async with AnthropicModel("m", base_url=url, api_key=KEY, **options) as model:
            yield model
    else:
        async with AsyncAnthropic(base_url=url, api_key=KEY) as client:
            yield AnthropicModel("m", client=client, **options)


ONCE = Retries(attempts=1)

ROUTES: Iterable[str] = ("ours", "sdk")
