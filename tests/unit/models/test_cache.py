from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_judge.errors import ArgumentError, WireError
from agent_judge.models import (
    CachedModel,
    CacheError,
    FinishReason,
    Message,
    ModelError,
    ModelRequest,
    ModelResponse,
    ModelUnavailableError,
)


class Counting:
    """A model that numbers its answers."""

    name = "counting"
    identity = "counting 1"

    def __init__(self, finish: FinishReason = FinishReason.STOP, blank: bool = False) -> None:
        self.asked = 0
        self.closed = 0
        self._finish = finish
        self._blank = blank

    async def __call__(self, request: ModelRequest, /) -> ModelResponse:  # noqa: ARG002
        """Answer anything."""
        self.asked += 1
        text = " " if self._blank else f"answer {self.asked}"
        return ModelResponse(text, finish_reason=self._finish)

    async def aclose(self) -> None:
        """Note that it was closed."""
        self.closed += 1


def question(text: str = "Is 2 + 2 = 4?", **more: int) -> ModelRequest:
    """A request."""
    return ModelRequest([Message.user(text)], cache_key=more)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A place for a cache, in a folder that is not there yet."""
    return tmp_path / "folder" / "replies.sqlite"


def ask(model: CachedModel, *requests: ModelRequest) -> list[ModelResponse]:
    """The replies to these, one after the other; the cache is closed again."""

    async def run() -> list[ModelResponse]:
        async with model:
            return [await model(request) for request in requests]

    return asyncio.run(run())


def test_a_question_is_asked_once(path: Path) -> None:
    """The second time the reply comes from the file, and says so. (contract: judges:P20)"""
    inner = Counting()

    first, second, other = ask(CachedModel(inner, path), question(), question(), question("?"))

    assert (first.text, second.text, other.text) == ("answer 1", "answer 1", "answer 2")
    assert (first.from_cache, second.from_cache) == (False, True)
    assert second == first


def test_a_reply_is_kept_for_later_runs(path: Path) -> None:
    """Another process, here another object, finds it."""
    ask(CachedModel(Counting(), path), question())
    later = Counting()

    (response,) = ask(CachedModel(later, path), question())

    assert response.from_cache
    assert later.asked == 0


def test_each_sample_has_a_reply_of_its_own(path: Path) -> None:
    """K samples are k calls, and k replies the next time. (contract: judges:P19, cases:F5)"""
    inner = Counting()
    samples = [question(sample=n) for n in range(3)]

    first = ask(CachedModel(inner, path), *samples)
    again = ask(CachedModel(inner, path), *samples)

    assert [answer.text for answer in first] == ["answer 1", "answer 2", "answer 3"]
    assert again == first
    assert inner.asked == 3


def test_another_model_is_another_reply(path: Path) -> None:
    """What the answers depend on is part of the key. (contract: judges:P20)"""
    ask(CachedModel(Counting(), path, identity="one"), question())

    (response,) = ask(CachedModel(Counting(), path, identity="two"), question())

    assert not response.from_cache


@pytest.mark.parametrize(
    "inner",
    [
        Counting(FinishReason.LENGTH),
        Counting(FinishReason.REFUSAL),
        Counting(FinishReason.OTHER),
        Counting(blank=True),
    ],
)
def test_what_is_no_proper_reply_is_not_kept(path: Path, inner: Counting) -> None:
    """Cut, refused and empty replies are asked for again."""
    responses = ask(CachedModel(inner, path), question(), question())

    assert inner.asked == 2
    assert not any(response.from_cache for response in responses)


def test_errors_are_not_kept(path: Path) -> None:
    """A model that failed once is asked again."""
    outcomes: Iterator[Exception | ModelResponse] = iter(
        [ModelUnavailableError("dropped"), ModelResponse("PASS")]
    )

    async def model(request: ModelRequest) -> ModelResponse:
        outcome = next(outcomes)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    cached = CachedModel(model, path, identity="1")

    with pytest.raises(ModelUnavailableError):
        ask(cached, question())
    assert ask(cached, question())[0].text == "PASS"


def test_a_reply_can_be_forgotten(path: Path) -> None:
    """A reply that nobody could read is asked for again, and only that one."""
    inner = Counting()
    cached = CachedModel(inner, path)

    async def run() -> list[str]:
        async with cached:
            await cached(question())
            await cached(question("other"))
            await cached.forget(question())
            return [(await cached(request)).text for request in (question(), question("other"))]

    assert asyncio.run(run()) == ["answer 3", "answer 2"]


def test_everything_can_be_forgotten(path: Path) -> None:
    """A cleared cache is an empty one."""
    inner = Counting()
    cached = CachedModel(inner, path)

    async def run() -> None:
        async with cached:
            await cached(question())
            await cached.clear()
            await cached(question())

    asyncio.run(run())

    assert inner.asked == 2


def test_those_who_ask_the_same_at_once_share_a_call(path: Path) -> None:
    """One calls, the others get its reply with their own nonces. (contract: judges:P17)"""
    calls = 0

    async def run() -> list[str]:
        begun, may_end = asyncio.Event(), asyncio.Event()

        async def slow(request: ModelRequest) -> ModelResponse:
            nonlocal calls
            calls += 1
            begun.set()
            await may_end.wait()
            return ModelResponse(f"echo {request.nonce}")

        def fenced(nonce: str) -> ModelRequest:
            return ModelRequest([Message.user(f"<{nonce}>4</{nonce}>")], nonce=nonce)

        async with CachedModel(slow, path, identity="1") as cached:
            first = asyncio.ensure_future(cached(fenced("aaaa1111")))
            await begun.wait()
            others = [asyncio.ensure_future(cached(fenced(f"bbbb{n}000"))) for n in range(3)]
            for _ in range(5):
                await asyncio.sleep(0)
            may_end.set()
            return [(await call).text for call in (first, *others)]

    assert asyncio.run(run()) == [
        "echo aaaa1111",
        "echo bbbb0000",
        "echo bbbb1000",
        "echo bbbb2000",
    ]
    assert calls == 1


def test_an_error_is_shared_by_those_who_asked_the_same_at_once(path: Path) -> None:
    """Nobody waits for a call that failed, and whoever comes later calls anew."""

    async def run() -> list[object]:
        begun, may_end = asyncio.Event(), asyncio.Event()

        async def fails(request: ModelRequest) -> ModelResponse:
            begun.set()
            await may_end.wait()
            raise ModelUnavailableError("dropped")

        async with CachedModel(fails, path, identity="1") as cached:
            calls = [asyncio.ensure_future(cached(question())) for _ in range(3)]
            await begun.wait()
            may_end.set()
            return list(await asyncio.gather(*calls, return_exceptions=True))

    assert [type(outcome) for outcome in asyncio.run(run())] == [ModelUnavailableError] * 3


def test_when_the_one_who_calls_is_cancelled_another_calls(path: Path) -> None:
    """A cancelled call is no answer for the others."""
    calls = 0

    async def run() -> str:
        begun = asyncio.Event()

        async def model(request: ModelRequest) -> ModelResponse:
            nonlocal calls
            calls += 1
            if calls == 1:
                begun.set()
                await asyncio.Event().wait()
            return ModelResponse("PASS")

        async with CachedModel(model, path, identity="1") as cached:
            first = asyncio.ensure_future(cached(question()))
            await begun.wait()
            second = asyncio.ensure_future(cached(question()))
            await asyncio.sleep(0)
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first
            return (await second).text

    assert asyncio.run(run()) == "PASS"
    assert calls == 2


def test_one_who_waits_and_is_cancelled_does_not_disturb_the_call(path: Path) -> None:
    """The reply still arrives where it was asked for first."""

    async def run() -> str:
        begun, may_end = asyncio.Event(), asyncio.Event()

        async def slow(request: ModelRequest) -> ModelResponse:
            begun.set()
            await may_end.wait()
            return ModelResponse("PASS")

        async with CachedModel(slow, path, identity="1") as cached:
            first = asyncio.ensure_future(cached(question()))
            await begun.wait()
            second = asyncio.ensure_future(cached(question()))
            await asyncio.sleep(0)
            second.cancel()
            with pytest.raises(asyncio.CancelledError):
                await second
            may_end.set()
            return (await first).text

    assert asyncio.run(run()) == "PASS"


def test_event_loops_in_threads_share_a_cache(path: Path) -> None:
    """Threads that ask the same questions at once make one call for each."""
    inner = Counting()
    cached = CachedModel(inner, path)
    ready = threading.Barrier(4, timeout=30)

    async def run() -> None:
        ready.wait()
        await asyncio.gather(*(cached(question(sample=n)) for n in range(20)))

    threads = [threading.Thread(target=lambda: asyncio.run(run())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    asyncio.run(cached.aclose())

    assert inner.asked == 20


def test_many_processes_share_a_cache(path: Path) -> None:
    """All open it at once, none fails, and all find the same replies."""
    program = """
import asyncio, sys
from agent_judge.models import CachedModel, Message, ModelRequest, ModelResponse
async def model(request):
    return ModelResponse("answer of " + sys.argv[2])
async def run():
    async with CachedModel(model, sys.argv[1], identity="1") as cached:
        texts = []
        for n in range(40):
            request = ModelRequest([Message.user(str(n))])
            await cached(request)
            texts.append((await cached(request)).text)
        print(len(set(texts) - {f"answer of {p}" for p in range(4)}))
asyncio.run(run())
"""
    command = [sys.executable, "-W", "error", "-c", program, str(path)]
    processes = [
        subprocess.Popen([*command, str(n)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for n in range(4)
    ]
    outcomes = [process.communicate() for process in processes]

    assert outcomes == [(b"0\n", b"")] * 4
    later = Counting()
    ask(CachedModel(later, path, identity="1"), *(question(str(n)) for n in range(40)))
    assert later.asked == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_opens_the_file_anew(path: Path) -> None:
    """Neither the connection nor the writing thread of the parent is used by the child."""
    program = """
import asyncio, os, sys
from agent_judge.models import CachedModel, Message, ModelRequest, ModelResponse
async def model(request):
    return ModelResponse("PASS")
cached = CachedModel(model, sys.argv[1], identity="1")
def ask(text):
    return asyncio.run(cached(ModelRequest([Message.user(text)]))).from_cache
assert not ask("parent")
child = os.fork()
if child == 0:
    found = ask("parent") and not ask("child")
    os._exit(0 if found else 1)
_, status = os.waitpid(child, 0)
print(os.waitstatus_to_exitcode(status), ask("child"), ask("parent"))
"""
    finished = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert finished.stdout == "0 True True\n", finished.stderr


def test_a_cache_is_for_its_owner_alone(path: Path) -> None:
    """Replies may quote what others should not read."""
    ask(CachedModel(Counting(), path), question())

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("content", [b"precious " * 100, None])
def test_a_file_of_another_program_is_left_alone(tmp_path: Path, content: bytes | None) -> None:
    """Neither a text nor a foreign database is written to."""
    path = tmp_path / "file"
    if content is None:
        with sqlite3.connect(path) as foreign:
            foreign.execute("CREATE TABLE precious (a)")
        foreign.close()
    else:
        path.write_bytes(content)
    before = path.read_bytes()

    with pytest.raises(CacheError, match="cannot be used"):
        ask(CachedModel(Counting(), path), question())

    assert path.read_bytes() == before


def test_a_reply_that_was_spoilt_is_an_error(path: Path) -> None:
    """What is not a stored response is not read as one."""
    ask(CachedModel(Counting(), path), question())
    with sqlite3.connect(path) as spoilt:
        spoilt.execute("UPDATE replies SET reply = '{\"text\": 7}'")
    spoilt.close()

    with pytest.raises(WireError, match=r"replies\.sqlite"):
        ask(CachedModel(Counting(), path), question())


def test_a_reply_that_cannot_be_kept_is_not_lost(path: Path) -> None:
    """It was paid for: a file that cannot be written is a warning."""
    ask(CachedModel(Counting(), path), question())
    with sqlite3.connect(path) as other:
        other.execute(
            "CREATE TRIGGER full BEFORE INSERT ON replies BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
    other.close()

    with pytest.warns(RuntimeWarning, match="a reply was not kept: .*full"):
        (response,) = ask(CachedModel(Counting(), path), question("other"))

    assert response.text == "answer 1"


def test_a_model_that_says_nothing_of_itself_needs_an_identity(path: Path) -> None:
    """Two functions could not be told apart in the file."""
    with pytest.raises(ArgumentError, match="give identity"):
        CachedModel(lambda _: ModelResponse("PASS"), path)


def test_closing_a_cache_closes_the_model(path: Path) -> None:
    """The one behind it is closed too, and both can be used again."""
    inner = Counting()
    cached = CachedModel(inner, path)

    ask(cached, question())
    ask(cached, question())

    assert inner.closed == 2
    assert inner.asked == 1


def test_errors_of_the_model_are_the_models(path: Path) -> None:
    """What a plain function raises is a `ModelError` with its words."""

    def broken(request: ModelRequest) -> ModelResponse:
        raise ValueError("broken")

    with pytest.raises(ModelError, match="broken"):
        ask(CachedModel(broken, path, identity="1"), question())
