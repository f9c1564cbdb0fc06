"""How many calls of one model may be in flight, adapted to what the provider bears.

Additive increase, multiplicative decrease, as TCP does it (RFC 5681, section 3.1): the limit is
halved when the provider says that it is overloaded, and grows by one for every full round of calls
that succeed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress


class AdaptiveLimit:
    """Places for the calls of one event loop.

    It begins at `most`: how many to begin at once is the caller's choice, and only an answer can
    tell that it is too many.

    Attributes:
        allowed: Calls that may be in flight now; the fraction is growth that is not complete.
        in_flight: Calls that are.
    """

    def __init__(self, most: int) -> None:
        self.allowed = float(most)
        self.in_flight = 0
        self._most = most
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._sent = 0
        self._sent_at_cut = 0

    async def take(self, *, ahead: bool = False) -> None:
        """Wait for a place, in turn or, for a call that had one before, ahead of the others."""
        if self._waiting or self.in_flight + 1 > self.allowed:
            await self._wait(ahead)
        else:
            self.in_flight += 1

    def give_back(self) -> None:
        """Free a place that was taken."""
        self.in_flight -= 1
        self._admit()

    def sending(self) -> int:
        """Number an attempt, for `overloaded`."""
        self._sent += 1
        return self._sent

    def overloaded(self, attempt: int) -> None:
        """Halve the limit, once for all the attempts that were sent before it was halved."""
        if attempt > self._sent_at_cut:
            self.allowed = max(1.0, self.allowed / 2)
            self._sent_at_cut = self._sent

    def succeeded(self) -> None:
        """Grow, unless the limit stands at its most."""
        if self.allowed < self._most:
            self.allowed = min(float(self._most), self.allowed + 1 / self.allowed)
            self._admit()

    async def _wait(self, ahead: bool) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if ahead:
            self._waiting.appendleft(turn)
        else:
            self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                with suppress(ValueError):  # those who were admitted meanwhile stepped over it
                    self._waiting.remove(turn)
            else:  # it was let in and cancelled in the same moment: pass the place on
                self.give_back()
            raise

    def _admit(self) -> None:
        while self._waiting and self.in_flight + 1 <= self.allowed:
            turn = self._waiting.popleft()
            if not turn.done():
                self.in_flight += 1
                turn.set_result(None)
