"""Work that can be stopped at a deadline: it is done by child processes, which can be killed.

A thread cannot be stopped, and neither can what holds the interpreter lock, such as a regular
expression that backtracks without end. A child is started when it is first needed, answers any
number of requests, and is replaced after it had to be killed.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
from collections import deque
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, Final

MAX_IDLE: Final = 4
"""Children of one pool that wait for work; any further one ends when its request is answered."""

MAX_SECONDS: Final = 1_000_000.0
"""The longest wait that every system can be asked for; a later deadline is as good as none."""

_PROGRAM: Final = Path(__file__).with_name("killable_child.py")


class OverdueError(Exception):
    """The deadline passed before there was an answer; the work was stopped."""


class FailedError(Exception):
    """The work failed, for example for want of memory; the message says how."""


class Pool:
    """Child processes that do one kind of work, as many as there are requests at a time.

    It is safe to use from several threads and after a fork. When the process ends, so do the
    children.

    Args:
        task: A Python file with a function `answer` that takes a request and gives an answer,
            both JSON-like. It may import the standard library and installed packages.
    """

    def __init__(self, task: Path) -> None:
        self._task = task
        self._idle: deque[_Child] = deque()
        self._alive: set[_Child] = set()
        atexit.register(self.close)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._disown)

    def ask(self, request: object, deadline: float) -> Any:
        """Have a child answer a request.

        Args:
            request: Anything that `json.dumps` takes.
            deadline: On the clock of `time.monotonic`; starting a child counts too.

        Raises:
            OverdueError: The deadline passed.
            FailedError: The work failed.
        """
        child = self._take()
        try:
            reply = child.ask(request, deadline)
        except BaseException:
            self._end(child)
            raise
        self._give_back(child)
        if "failure" in reply:
            raise FailedError(reply["failure"])
        return reply["answer"]

    def close(self) -> None:
        """End every child; the next request starts a new one."""
        self._idle.clear()
        for child in list(self._alive):
            self._end(child)

    def _take(self) -> _Child:
        with suppress(IndexError):
            while True:
                child = self._idle.pop()
                if child.lives:
                    return child
                self._end(child)
        child = _Child(self._task)
        self._alive.add(child)
        return child

    def _give_back(self, child: _Child) -> None:
        if len(self._idle) < MAX_IDLE:
            self._idle.append(child)
        else:
            self._end(child)

    def _end(self, child: _Child) -> None:
        child.kill()
        self._alive.discard(child)

    def _disown(self) -> None:
        """After a fork the children belong to the parent alone."""
        self._idle = deque()
        for child in list(self._alive):
            child.disown()
        self._alive = set()


class _Child:
    """One process, and the thread that talks to it, so that whoever asks can stop waiting."""

    def __init__(self, task: Path) -> None:
        self._process = _start(task)
        self._requests: SimpleQueue[bytes | None] = SimpleQueue()
        self._replies: SimpleQueue[bytes] = SimpleQueue()
        talk = threading.Thread(
            target=_talk,
            args=(self._process, self._requests, self._replies),
            name="agent-judge-child",
            daemon=True,
        )
        talk.start()

    @property
    def lives(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def ask(self, request: object, deadline: float) -> dict[str, Any]:
        """Send a request and wait for the reply, until the deadline."""
        seconds = min(deadline - monotonic(), MAX_SECONDS)
        if seconds <= 0:
            raise OverdueError
        message = json.dumps({"seconds": seconds, "request": request}, ensure_ascii=False)
        self._requests.put(message.encode("utf-8", "surrogatepass") + b"\n")
        try:
            reply = self._replies.get(timeout=seconds)
        except Empty:
            raise OverdueError from None
        if not reply:
            raise FailedError(f"the process that did it {_ending(self._process.wait())}")
        answer: dict[str, Any] = json.loads(reply)
        return answer

    def kill(self) -> None:
        """End the process, whatever it is doing, and the thread."""
        self._process.kill()
        self._process.wait()
        self._requests.put(None)

    def disown(self) -> None:
        """Let go of a process that is another's, without a word to it."""
        self._process.returncode = 0
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


def _start(task: Path) -> subprocess.Popen[bytes]:
    """Start a child; its pipes have no buffers, whose locks a fork could leave locked."""
    if not sys.executable:
        raise FailedError("there is no Python interpreter to start a process with")
    paths = [path for path in sys.path if Path(path).is_absolute()]
    quietly = ["-B"] if sys.dont_write_bytecode else []
    return subprocess.Popen(  # noqa: S603 - our own program, by this interpreter
        [sys.executable, "-I", "-S", *quietly, str(_PROGRAM), str(task), *paths],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _talk(
    process: subprocess.Popen[bytes],
    requests: SimpleQueue[bytes | None],
    replies: SimpleQueue[bytes],
) -> None:
    """Pass requests on and replies back; an empty reply says that the process has ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdin, process.stdout:
        while (request := requests.get()) is not None:
            try:
                _write(process.stdin.fileno(), request)
                reply = _read_line(process.stdout.fileno())
            except OSError:
                reply = b""
            replies.put(reply)
            if not reply:
                return


def _write(descriptor: int, message: bytes) -> None:
    unwritten = memoryview(message)
    while unwritten:
        unwritten = unwritten[os.write(descriptor, unwritten) :]


def _read_line(descriptor: int) -> bytes:
    """One whole line, or nothing where it ends before that."""
    parts: list[bytes] = []
    while part := os.read(descriptor, 65_536):
        parts.append(part)
        if part.endswith(b"\n"):
            return b"".join(parts)
    return b""


def _ending(code: int) -> str:
    return f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
