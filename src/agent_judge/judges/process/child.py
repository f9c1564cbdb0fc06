"""A process that was started and is listened to, on any event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, cast

from agent_judge.judges.process.output import BoundedOutput

STREAM_SECONDS: Final = 2.0
"""How long the streams of a dead process may stay open, in the hands of what got away."""


class Child(asyncio.SubprocessProtocol):
    """A process: what it printed so far, and whether it ended.

    Attributes:
        stdout: What it printed.
        stderr: What it printed there.
    """

    def __init__(self, output_limit: int, stdout_limit: int = 0) -> None:
        loop = asyncio.get_running_loop()
        self.stdout = BoundedOutput(max(output_limit, stdout_limit))
        self.stderr = BoundedOutput(output_limit)
        self._ended: asyncio.Future[None] = loop.create_future()
        self._closed: asyncio.Future[None] = loop.create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It was started."""
        self._transport = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """It printed something."""
        (self.stdout if fd == 1 else self.stderr).add(data)

    def process_exited(self) -> None:
        """It ended."""
        _tell(self._ended)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """It ended, and nobody holds its streams any more."""
        _tell(self._closed)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._transport.get_pid()

    @property
    def returncode(self) -> int | None:
        """What it returned, negative for a signal."""
        return self._transport.get_returncode()

    def feed(self, text: str) -> None:
        """Give it all that it will read."""
        stdin = cast("asyncio.WriteTransport | None", self._transport.get_pipe_transport(0))
        if stdin is not None:
            stdin.write(text.encode())
            stdin.write_eof()

    def send(self, signal: int) -> None:
        """Send it a signal, unless it has ended."""
        with suppress(ProcessLookupError):
            self._transport.send_signal(signal)

    async def ends(self, timeout: float | None) -> bool:
        """Wait until it has ended, at most that many seconds; whether it did."""
        await asyncio.wait({self._ended}, timeout=timeout)
        return self._ended.done()

    async def finish(self) -> None:
        """Read what is left in its streams, once it is dead, and let go of them."""
        await asyncio.wait({self._closed}, timeout=STREAM_SECONDS)
        self._transport.close()


async def start(
    argv: Sequence[str], stdin: str, output_limit: int, stdout_limit: int = 0, **options: Any
) -> Child:
    """Start a process, with the options of `subprocess.Popen`."""
    loop = asyncio.get_running_loop()
    pipe = asyncio.subprocess.PIPE
    _, child = await loop.subprocess_exec(
        lambda: Child(output_limit, stdout_limit),
        *argv,
        stdin=pipe if stdin else asyncio.subprocess.DEVNULL,
        stdout=pipe,
        stderr=pipe,
        **options,
    )
    child.feed(stdin)
    return child


def _tell(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
