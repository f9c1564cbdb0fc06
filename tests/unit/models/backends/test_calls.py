from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.models import (
    Clock,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitedError,
    Retries,
)
from agent_judge.models.backends.calls import Calls
from agent_judge.models.backends.retry import AttemptFailed


async def no_wait(seconds: float) -> None:
    """Let the others go on, and return."""
    await asyncio.sleep(0)


CLOCK = Clock(monotonic=lambda: 0.0, sleep=no_wait, chance=lambda: 0.0)


def calls(send: Any, **options: Any) -> Calls:
    """Calls with a clock that does not wait."""
    given: dict[str, Any] = {
        "name": "m",
        "timeout": 60,
        "concurrency": 8,
        "retries": Retries(),
        "clock": CLOCK,
        **options,
    }
    return Calls(send, **given)


def test_an_overloaded_provider_gets_fewer_calls_at_once() -> None:
    """A provider that bears two calls is asked two at a time in the end, and answers them all."""
    most: list[int] = []

    async def run() -> list[Any]:
        in_flight = 0

        async def bears_two(body: Mapping[str, Any]) -> Any:
            nonlocal in_flight
            in_flight += 1
            try:
                await asyncio.sleep(0)
                if in_flight > 2:
                    most.append(in_flight)
                    raise AttemptFailed(RateLimitedError("busy"), again=True, overloaded=True)
                return body
            finally:
                in_flight -= 1

        call = calls(bears_two, retries=Retries(attempts=50))
        return await asyncio.gather(*(call({"n": n}) for n in range(30)))

    answers = asyncio.run(run())

    assert answers == [{"n": n} for n in range(30)]
    assert most[0] == 8
    assert max(most[8:], default=0) < 8


def test_a_call_that_waits_to_be_tried_again_leaves_its_place_to_others() -> None:
    """A provider that is slow to forgive one call may still answer another."""

    async def run() -> list[Any]:
        resting, rested = asyncio.Event(), asyncio.Event()
        done: list[Any] = []

        async def rest(seconds: float) -> None:
            resting.set()
            await rested.wait()

        async def send(body: Mapping[str, Any]) -> Any:
            if body["n"] == 1 and not resting.is_set():
                raise AttemptFailed(ModelUnavailableError("broken"), again=True)
            return body

        clock = Clock(monotonic=lambda: 0.0, sleep=rest, chance=lambda: 0.0)
        call = calls(send, concurrency=1, clock=clock)
        first = asyncio.ensure_future(call({"n": 1}))
        await resting.wait()
        done.append(await call({"n": 2}))
        rested.set()
        done.append(await first)
        return done

    assert asyncio.run(run()) == [{"n": 2}, {"n": 1}]


def test_a_call_that_is_tried_again_goes_ahead_of_those_who_were_never_in() -> None:
    """Its deadline is running; theirs has not begun."""

    async def run() -> list[str]:
        sent: list[str] = []
        second_is_in, may_end = asyncio.Event(), asyncio.Event()

        async def rest(seconds: float) -> None:
            await second_is_in.wait()

        async def send(body: Mapping[str, Any]) -> Any:
            sent.append(body["name"])
            if sent == ["first"]:
                raise AttemptFailed(ModelUnavailableError("broken"), again=True)
            if body["name"] == "second":
                second_is_in.set()
                await may_end.wait()
            return body

        clock = Clock(monotonic=lambda: 0.0, sleep=rest, chance=lambda: 0.0)
        call = calls(send, concurrency=1, clock=clock)
        running = [
            asyncio.ensure_future(call({"name": name})) for name in ("first", "second", "third")
        ]
        await second_is_in.wait()
        for _ in range(5):
            await asyncio.sleep(0)
        may_end.set()
        await asyncio.gather(*running)
        return sent

    assert asyncio.run(run()) == ["first", "second", "first", "third"]


def test_the_deadline_passes_while_waiting_to_be_tried_again() -> None:
    """A call that never gets its place back is a timeout, and takes none with it."""

    async def run() -> None:
        async def sleep_on(seconds: float) -> None:
            await asyncio.Event().wait()

        async def send(body: Mapping[str, Any]) -> Any:
            if body["n"] == 1:
                raise AttemptFailed(ModelUnavailableError("broken"), again=True)
            return body

        clock = Clock(monotonic=lambda: 0.0, sleep=sleep_on, chance=lambda: 0.0)
        call = calls(send, concurrency=1, clock=clock, timeout=0.1, retries=Retries(2, 0, 0))
        with pytest.raises(ModelTimeoutError):
            await call({"n": 1})
        assert await call({"n": 2}) == {"n": 2}

    asyncio.run(run())


def test_a_timeout_of_the_callers_own_is_passed_on() -> None:
    """A deadline outside is not taken for the one inside."""

    async def run() -> None:
        async def send(body: Mapping[str, Any]) -> Any:
            raise TimeoutError("the caller's own")

        with pytest.raises(TimeoutError, match="the caller's own") as raised:
            await calls(send)({})
        assert not isinstance(raised.value, ModelTimeoutError)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        ({"timeout": 0}, ArgumentError),
        ({"timeout": float("inf")}, ArgumentError),
        ({"concurrency": 0}, ArgumentError),
        ({"concurrency": True}, ArgumentError),
        ({"retries": 3}, ArgumentTypeError),
        ({"clock": None}, ArgumentTypeError),
    ],
)
def test_what_cannot_be_is_refused(wrong: dict[str, Any], kind: type[Exception]) -> None:
    """Limits that make no sense are argument errors."""
    with pytest.raises(kind):
        calls(None, **wrong)
