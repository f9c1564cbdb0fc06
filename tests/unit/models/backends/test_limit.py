from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge.models.backends.limit import AdaptiveLimit


def test_a_place_is_there_until_the_limit_is_reached() -> None:
    """The call after the last place waits until one is given back."""

    async def run() -> None:
        limit = AdaptiveLimit(2)
        await limit.take()
        await limit.take()
        third = asyncio.ensure_future(limit.take())
        await asyncio.sleep(0)
        assert not third.done()
        limit.give_back()
        await third
        assert limit.in_flight == 2

    asyncio.run(run())


def test_those_who_wait_are_served_in_turn() -> None:
    """First come, first served; a call that is tried again goes ahead of them."""

    async def run() -> list[str]:
        limit = AdaptiveLimit(1)
        served: list[str] = []

        async def call(name: str, ahead: bool = False) -> None:
            await limit.take(ahead=ahead)
            served.append(name)
            limit.give_back()

        await limit.take()
        waiting = [asyncio.ensure_future(call(name)) for name in ("first", "second")]
        await asyncio.sleep(0)
        waiting.append(asyncio.ensure_future(call("again", ahead=True)))
        await asyncio.sleep(0)
        limit.give_back()
        await asyncio.gather(*waiting)
        return served

    assert asyncio.run(run()) == ["again", "first", "second"]


def test_an_overload_halves_the_limit_once_for_all_that_were_sent() -> None:
    """A burst that is turned away together counts once; a later one counts again."""
    limit = AdaptiveLimit(16)
    burst = [limit.sending() for _ in range(10)]

    for attempt in burst:
        limit.overloaded(attempt)

    assert limit.allowed == 8
    limit.overloaded(limit.sending())
    assert limit.allowed == 4


def test_a_limit_never_falls_below_one() -> None:
    """However overloaded the provider is, one call at a time goes out."""
    limit = AdaptiveLimit(2)

    for _ in range(5):
        limit.overloaded(limit.sending())

    assert limit.allowed == 1


def test_a_round_of_successes_adds_one() -> None:
    """The limit grows by one for a full round of calls that succeed, up to its most."""
    limit = AdaptiveLimit(8)
    limit.overloaded(limit.sending())

    for _ in range(4):
        limit.succeeded()

    assert 4.8 < limit.allowed <= 5
    for _ in range(1000):
        limit.succeeded()
    assert limit.allowed == 8


def test_growth_admits_those_who_wait() -> None:
    """A place that comes into being is taken at once."""

    async def run() -> None:
        limit = AdaptiveLimit(2)
        limit.overloaded(limit.sending())
        await limit.take()
        second = asyncio.ensure_future(limit.take())
        await asyncio.sleep(0)
        assert not second.done()
        limit.succeeded()
        await second

    asyncio.run(run())


def test_one_who_is_cancelled_while_waiting_is_forgotten() -> None:
    """The place goes to the next."""

    async def run() -> None:
        limit = AdaptiveLimit(1)
        await limit.take()
        leaving = asyncio.ensure_future(limit.take())
        staying = asyncio.ensure_future(limit.take())
        await asyncio.sleep(0)
        leaving.cancel()
        limit.give_back()
        with pytest.raises(asyncio.CancelledError):
            await leaving
        await staying
        assert limit.in_flight == 1

    asyncio.run(run())


def test_one_who_is_cancelled_while_being_let_in_passes_the_place_on() -> None:
    """A place that was just granted is not lost with the one who got it."""

    async def run() -> None:
        limit = AdaptiveLimit(1)
        await limit.take()
        leaving = asyncio.ensure_future(limit.take())
        staying = asyncio.ensure_future(limit.take())
        await asyncio.sleep(0)
        limit.give_back()
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving
        await staying
        limit.give_back()
        assert limit.in_flight == 0

    asyncio.run(run())


@given(st.integers(1, 50), st.lists(st.booleans(), max_size=200))
def test_a_limit_stays_between_one_and_its_most(most: int, outcomes: list[bool]) -> None:
    """Whatever happens, at least one and at most as many as allowed are in flight."""
    limit = AdaptiveLimit(most)

    for succeeded in outcomes:
        attempt = limit.sending()
        if succeeded:
            limit.succeeded()
        else:
            limit.overloaded(attempt)
        assert 1 <= limit.allowed <= most
