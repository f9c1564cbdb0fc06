"""Calling a provider: a place under its limit, a deadline, and retries."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from agent_judge.engine import check_timeout
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.models.backends.limit import AdaptiveLimit
from agent_judge.models.backends.loops import PerLoop
from agent_judge.models.backends.retry import AttemptFailed, Clock, Retries
from agent_judge.models.errors import ModelError, ModelTimeoutError

Send: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[Any]]
"""Sends one body and gives the JSON that came back, or raises `AttemptFailed`."""


class Calls:
    """How one model is called.

    Args:
        send: Makes one attempt.
        name: The model, for messages.
        timeout: Seconds that a call may take, retries and the waits between them included; waiting
            for a place under the limit does not count.
        concurrency: The most calls in flight in one event loop.
        retries: How often a call is tried again.
        clock: Where time and chance come from.

    Raises:
        ArgumentError: A value out of range.
    """

    def __init__(
        self,
        send: Send,
        *,
        name: str,
        timeout: float,
        concurrency: int,
        retries: Retries,
        clock: Clock,
    ) -> None:
        check_timeout(timeout)
        if type(concurrency) is not int or concurrency < 1:
            raise ArgumentError(f"concurrency must be a whole number from 1, got {concurrency!r}")
        if not isinstance(retries, Retries) or not isinstance(clock, Clock):
            raise ArgumentTypeError("retries must be Retries and clock must be a Clock")
        self._send = send
        self._name = name
        self._timeout = timeout
        self._retries = retries
        self._clock = clock
        self._limits = PerLoop(lambda: AdaptiveLimit(concurrency))

    async def __call__(self, body: Mapping[str, Any]) -> Any:
        """Send a body until there is an answer.

        Raises:
            ModelError: There is none.
        """
        limit = await self._limits.get()
        await limit.take()
        deadline = asyncio.timeout(self._timeout)
        try:
            async with deadline:
                answer = await self._attempts(limit, body)
        except TimeoutError:
            if not deadline.expired():
                raise
            answer = ModelTimeoutError(f"{self._name}: no answer within {self._timeout:g} s")
        if isinstance(answer, ModelError):
            raise answer
        return answer

    async def _attempts(self, limit: AdaptiveLimit, body: Mapping[str, Any]) -> Any:
        """The answer, or the error to raise: raised here it would drag the attempts along.

        The first attempt has its place already. Between attempts the place is free for others.
        """
        deadline = self._clock.monotonic() + self._timeout
        attempt = 0
        while True:
            attempt += 1
            number = limit.sending()
            try:
                answer = await self._send(body)
            except AttemptFailed as raised:
                failure = raised
                if failure.overloaded:
                    limit.overloaded(number)
            else:
                limit.succeeded()
                return answer
            finally:
                limit.give_back()
            delay = self._retries.delay(attempt, failure.retry_after, self._clock.chance())
            too_late = self._clock.monotonic() + delay > deadline
            if not failure.again or attempt >= self._retries.attempts or too_late:
                return failure.error
            await self._clock.sleep(delay)
            await limit.take(ahead=True)
