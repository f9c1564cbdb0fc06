"""When a call is tried again, and after how long."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Final

from agent_judge.errors import ArgumentError
from agent_judge.models.errors import ModelError


@dataclass(frozen=True, slots=True)
class Clock:
    """Where time and chance come from; tests give their own.

    Args:
        monotonic: Seconds that only grow.
        wall: Seconds since 1970.
        sleep: Waits for some seconds.
        chance: A number in 0..1.
    """

    monotonic: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random


SYSTEM_CLOCK: Final = Clock()


@dataclass(frozen=True, slots=True)
class Retries:
    """How often and how patiently a call is tried again.

    The n-th wait is between half and all of `first_delay * 2 ** (n - 1)`, at most
    `longest_delay`. Where the provider says how long to wait, that is waited instead.

    Args:
        attempts: How often a call is tried in all.
        first_delay: Seconds.
        longest_delay: Seconds.

    Raises:
        ArgumentError: A value out of range.
    """

    attempts: int = 5
    first_delay: float = 0.5
    longest_delay: float = 30.0

    def __post_init__(self) -> None:
        if type(self.attempts) is not int or self.attempts < 1:
            raise ArgumentError(f"attempts must be a whole number from 1, got {self.attempts!r}")
        if not 0 <= self.first_delay <= self.longest_delay < float("inf"):
            raise ArgumentError(
                "delays must be finite with 0 <= first_delay <= longest_delay, got "
                f"{self.first_delay} and {self.longest_delay}"
            )

    def delay(self, attempt: int, retry_after: float | None, chance: float) -> float:
        """Seconds to wait after the attempt of this number, counted from 1.

        A provider's own figure is stretched by up to a tenth, so that those who were turned away
        together do not all come back together.
        """
        if retry_after is not None:
            return retry_after * (1 + chance / 10)
        longest = min(self.longest_delay, self.first_delay * 2.0 ** min(attempt - 1, 60))
        return longest * (1 + chance) / 2


DEFAULT_RETRIES: Final = Retries()


class AttemptFailed(Exception):  # noqa: N818 - it never leaves the backends
    """One attempt failed.

    Attributes:
        error: What to raise if it stays at that.
        again: Whether another attempt may succeed.
        retry_after: Seconds after which the provider wants to be asked again.
        overloaded: Whether the provider asks for fewer calls.
    """

    def __init__(
        self,
        error: ModelError,
        *,
        again: bool = False,
        retry_after: float | None = None,
        overloaded: bool = False,
    ) -> None:
        super().__init__(str(error))
        self.error = error
        self.again = again
        self.retry_after = retry_after
        self.overloaded = overloaded


def read_retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds to wait as a response's headers say: `retry-after-ms`, or `retry-after` (RFC 9110).

    Args:
        headers: With case-insensitive or lower-case names.
        now: Seconds since 1970, to which a date is compared.

    Returns:
        `None` where it is not said, or makes no sense.
    """
    milliseconds = _seconds(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    seconds = _seconds(value)
    if seconds is not None or value is None:
        return seconds
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (ValueError, OverflowError):
        return None


def _seconds(value: str | None) -> float | None:
    try:
        seconds = float(value) if value is not None else -1.0
    except ValueError:
        return None
    return seconds if isfinite(seconds) and seconds >= 0 else None
