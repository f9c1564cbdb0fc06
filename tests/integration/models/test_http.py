from __future__ import annotations

import asyncio
import gc
import gzip
import json
import shutil
import ssl
import subprocess
import sys
from pathlib import Path

import pytest
from aiohttp import web

from agent_judge.models import (
    MalformedReplyError,
    ModelUnavailableError,
    OpenAIModel,
    RateLimitedError,
    RejectedRequestError,
)
from agent_judge.models.backends.http import MAX_REPLY_BYTES
from integration.models.serving import (
    KEY,
    ONCE,
    QUESTION,
    Server,
    Waits,
    chat,
    gives,
    gives_bytes,
    never_answers,
    openai,
    serving,
)

pytestmark = pytest.mark.integration


def test_a_redirect_is_not_followed() -> None:
    """The key is not carried to wherever a server points."""

    async def run() -> tuple[Server, Server]:
        async with serving(gives(chat("PASS"))) as thief:
            away = gives({}, 307, {"Location": f"{thief.url}/v1/chat/completions"})
            async with serving(away) as server, openai("ours", server.url) as model:
                with pytest.raises(RejectedRequestError, match="redirects are not followed"):
                    await model(QUESTION)
                return server, thief

    server, thief = asyncio.run(run())

    assert len(server.received) == 1
    assert thief.received == []


@pytest.mark.parametrize("told", [True, False])
def test_a_huge_body_is_not_read_to_its_end(told: bool) -> None:
    """Whether or not its length is told, a body is read up to a bound."""

    async def huge(request: web.Request) -> web.StreamResponse:
        length = {"Content-Length": str(MAX_REPLY_BYTES * 64)} if told else {}
        response = web.StreamResponse(headers=length)
        await response.prepare(request)
        for _ in range(MAX_REPLY_BYTES * 2 // 2**20):
            await response.write(b" " * 2**20)
        await asyncio.Event().wait()
        return response

    async def run() -> None:
        async with serving(huge) as server, openai("ours", server.url) as model:
            with pytest.raises(MalformedReplyError, match="exceeds"):
                await model(QUESTION)

    asyncio.run(run())


def test_a_compressed_body_is_not_unpacked() -> None:
    """None was asked for, and a small one can hold a huge one."""
    bomb = gives_bytes(
        gzip.compress(json.dumps(chat("PASS")).encode()), headers={"Content-Encoding": "gzip"}
    )

    async def run() -> Server:
        async with serving(bomb) as server, openai("ours", server.url) as model:
            with pytest.raises(MalformedReplyError):
                await model(QUESTION)
            return server

    assert asyncio.run(run()).received[0].headers["Accept-Encoding"] == "identity"


def test_the_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests go to the proxy, with its own credentials, for another host."""

    async def run() -> Server:
        async with serving(gives(chat("PASS"))) as proxy:
            address = proxy.url.replace("http://", "http://us%40er:pass@")
            monkeypatch.setenv("http_proxy", address)
            async with openai("ours", "http://models.example") as model:
                await model(QUESTION)
            return proxy

    received = asyncio.run(run()).received[0]

    assert received.headers["Host"] == "models.example"
    assert received.headers["Proxy-Authorization"] == "Basic dXNAZXI6cGFzcw=="


def test_a_proxy_is_not_shown_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """What asks a proxy for a tunnel holds the proxy's credentials and no others."""
    asked: list[str] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n")).decode())
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    async def run() -> None:
        proxy = await asyncio.start_server(handle, "127.0.0.1", 0)
        port = proxy.sockets[0].getsockname()[1]
        monkeypatch.setenv("https_proxy", f"http://user:proxy-password@127.0.0.1:{port}")
        async with proxy, openai("ours", "https://models.example", retries=ONCE) as model:
            with pytest.raises(ModelUnavailableError) as raised:
                await model(QUESTION)
            assert "proxy-password" not in str(raised.value)

    asyncio.run(run())

    assert asked[0].startswith("CONNECT models.example:443 ")
    assert "Proxy-Authorization: Basic dXNlcjpwcm94eS1wYXNzd29yZA==" in asked[0]
    assert KEY not in asked[0]


def test_a_host_without_proxy_is_asked_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the environment exempts from the proxy is reached directly."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "127.0.0.1")

    async def run() -> str:
        async with serving(gives(chat("PASS"))) as server, openai("ours", server.url) as model:
            return (await model(QUESTION)).text

    assert asyncio.run(run()) == "PASS"


def test_connections_are_kept_open() -> None:
    """Calls that follow each other share a connection."""
    ports: set[int] = set()

    async def note(request: web.Request) -> web.Response:
        assert request.transport is not None
        ports.add(request.transport.get_extra_info("peername")[1])
        return web.json_response(chat("PASS"))

    async def run() -> None:
        async with serving(note) as server, openai("ours", server.url) as model:
            for _ in range(5):
                await model(QUESTION)

    asyncio.run(run())

    assert len(ports) == 1


def test_no_more_calls_are_in_flight_than_allowed() -> None:
    """The limit holds for all who ask the model at once."""
    most = 0

    async def run() -> None:
        nonlocal most
        full, in_flight = asyncio.Event(), 0

        async def count(request: web.Request) -> web.Response:
            nonlocal most, in_flight
            in_flight += 1
            most = max(most, in_flight)
            if in_flight == 3:
                full.set()
            await full.wait()
            in_flight -= 1
            return web.json_response(chat("PASS"))

        async with (
            serving(count) as server,
            openai("ours", server.url, concurrency=3) as model,
        ):
            await asyncio.gather(*(model(QUESTION) for _ in range(12)))

    asyncio.run(run())

    assert most == 3


def test_a_cancelled_call_leaves_no_connection_and_no_place_behind() -> None:
    """Whoever is cancelled stops waiting at once, and the next caller gets the place."""

    async def run() -> str:
        arrived = asyncio.Event()

        async def hang(request: web.Request) -> web.StreamResponse:
            arrived.set()
            return await never_answers(request)

        async with (
            serving(hang, gives(chat("PASS"))) as server,
            openai("ours", server.url, concurrency=1) as model,
        ):
            call = asyncio.ensure_future(model(QUESTION))
            await arrived.wait()
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            return (await model(QUESTION)).text

    assert asyncio.run(run()) == "PASS"


def test_one_model_serves_one_event_loop_after_the_other() -> None:
    """Connections belong to a loop and are closed when it ends, also when nobody closes them."""
    model: OpenAIModel | None = None

    async def run() -> str:
        nonlocal model
        async with serving(gives(chat("PASS"))) as server:
            model = model or OpenAIModel("m", base_url=f"{server.url}/v1", api_key=KEY)
            ours = OpenAIModel("m", base_url=f"{server.url}/v1", api_key=KEY, retries=ONCE)
            answer = await ours(QUESTION)
            with_old_address = await asyncio.gather(model(QUESTION), return_exceptions=True)
            assert len(with_old_address) == 1
            return answer.text

    assert [asyncio.run(run()) for _ in range(2)] == ["PASS", "PASS"]
    gc.collect()  # an open connection would now warn, and a warning fails the test


def test_a_model_that_was_closed_opens_again() -> None:
    """Closing lets go of connections, not of the model."""

    async def run() -> list[str]:
        async with serving(gives(chat("PASS"))) as server, openai("ours", server.url) as model:
            first = await model(QUESTION)
            await model.aclose()
            return [first.text, (await model(QUESTION)).text]

    assert asyncio.run(run()) == ["PASS", "PASS"]


def test_sync_callers_leave_nothing_open_when_the_process_ends() -> None:
    """On the background loop of the engine the connections are closed at exit."""
    program = """
import asyncio, sys
from aiohttp import web
from agent_judge import Judgment, JudgmentContext, evaluate
from agent_judge.models import Message, ModelRequest, OpenAIModel
models = []
async def answer(request):
    return web.json_response({"choices": [{"message": {"content": "PASS"}}]})
async def judge(context):
    application = web.Application()
    application.router.add_post("/v1/chat/completions", answer)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    models.append(OpenAIModel("m", base_url=f"http://127.0.0.1:{port}/v1"))
    response = await models[0](ModelRequest([Message.user("?")]))
    await runner.cleanup()
    return Judgment.passing(response.text)
print(evaluate(judge, JudgmentContext()).reasoning)
"""
    finished = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (finished.stdout, finished.stderr) == ("PASS\n", "")


def test_a_server_that_is_not_there_is_named() -> None:
    """A refused connection says so, after the retries."""

    async def run() -> None:
        async with openai("ours", "http://127.0.0.1:9", retries=ONCE) as model:
            with pytest.raises(ModelUnavailableError, match="openai:m: ClientConnectorError"):
                await model(QUESTION)

    asyncio.run(run())


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    """Certificates are verified, and a wrong one is no passing fault."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    command += ["-keyout", str(key), "-out", str(certificate), "-subj", "/CN=127.0.0.1"]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    received: list[bytes] = []

    async def run() -> None:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            received.append(await reader.read(10))
            writer.close()

        server = await asyncio.start_server(handle, "127.0.0.1", 0, ssl=context)
        port = server.sockets[0].getsockname()[1]
        waits = Waits()
        url = f"https://127.0.0.1:{port}"
        async with server, openai("ours", url, clock=waits.clock) as model:
            with pytest.raises(ModelUnavailableError, match="Certificate"):
                await model(QUESTION)
        assert waits.seconds == []

    asyncio.run(run())

    assert received == []


def test_neither_a_model_nor_its_parts_show_the_key() -> None:
    """What is printed or logged of a model holds no credential."""
    model = OpenAIModel("m", base_url="http://127.0.0.1:9/v1", api_key=KEY)

    shown = [repr(model), str(model), model.name, model.identity]

    assert not [text for text in shown if KEY in text]


def test_the_error_of_a_call_drags_no_frame_with_the_key_along() -> None:
    """The error that is raised has no other exception behind it."""

    async def run() -> BaseException:
        limited = gives({"error": {"message": "busy"}}, 429)
        async with serving(limited) as server, openai("ours", server.url, retries=ONCE) as model:
            with pytest.raises(RateLimitedError) as raised:
                await model(QUESTION)
            return raised.value

    error = asyncio.run(run())

    assert error.__cause__ is None
    assert error.__context__ is None
