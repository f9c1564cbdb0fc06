"""Running a program with a text on its standard input, and never being held up by it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

GRACE_SECONDS: Final = 1.0
"""How long output is awaited after the program ended, where one it started holds on to it."""


class Finished(NamedTuple):
    """What a program did.

    Attributes:
        output: What it wrote to its standard output; `None` where that was too much.
        errors: What it wrote to its standard error, cut where that was too much.
        code: Its exit code; below 0 the signal that ended it.
    """

    output: bytes | None
    errors: bytes
    code: int


async def run_program(command: Sequence[str], text: str, folder: Path, most: int) -> Finished:
    """Run a program to its end, or until it writes more than `most` bytes to its output.

    It gets a session of its own. However this ends, also by cancellation, the program and
    whatever it left running in that session are killed.

    Raises:
        OSError: The program cannot be started.
    """
    loop = asyncio.get_running_loop()
    transport, listener = await loop.subprocess_exec(
        lambda: _Listener(most), *command, cwd=folder, start_new_session=True
    )
    try:
        _feed(transport, text.encode())
        await listener.done.wait()
        with suppress(TimeoutError):
            await asyncio.wait_for(listener.closed.wait(), 0 if listener.full else GRACE_SECONDS)
    finally:
        _kill(transport)
        await listener.exited.wait()
        transport.close()
        await listener.closed.wait()
    output = None if listener.full else bytes(listener.written[1])
    code = transport.get_returncode()
    assert code is not None
    return Finished(output, bytes(listener.written[2]), code)


class _Listener(asyncio.SubprocessProtocol):
    """Collects what a program writes.

    Attributes:
        written: The bytes, by file descriptor.
        full: Whether the standard output is more than is wanted.
        exited: The program ended.
        closed: It ended and nobody can write any more, or nobody listens any more.
        done: It ended, or wrote too much.
    """

    def __init__(self, most: int) -> None:
        self.written = {1: bytearray(), 2: bytearray()}
        self.full = False
        self.exited = asyncio.Event()
        self.closed = asyncio.Event()
        self.done = asyncio.Event()
        self._most = most

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Keep what fits."""
        kept = self.written[fd]
        room = self._most - len(kept)
        kept += data[:room]
        if len(data) > room and fd == 1:
            self.full = True
            self.done.set()

    def process_exited(self) -> None:
        """Note that the program ended; the last of its output may still be on its way."""
        self.exited.set()
        self.done.set()

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that all is said."""
        del exc
        self.closed.set()


def _feed(transport: asyncio.SubprocessTransport, content: bytes) -> None:
    """Hand over the whole input; a program that does not want it is no fault."""
    pipe = transport.get_pipe_transport(0)
    assert isinstance(pipe, asyncio.WriteTransport)
    pipe.write(content)
    pipe.close()


def _kill(transport: asyncio.SubprocessTransport) -> None:
    """Kill the program and those it started, which share its session; they may be gone."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(transport.get_pid(), signal.SIGKILL)
        else:
            transport.kill()
