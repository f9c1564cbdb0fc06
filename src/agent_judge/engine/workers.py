"""Worker threads for judges that block.

They are daemon threads: a thread cannot be stopped, so one whose judge outlives its deadline is
abandoned, and neither a vote nor the end of the process waits for it. Abandoned threads are
counted, and there is a bound on them.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from typing import Final

from agent_judge.errors import WorkersExhaustedError

MAX_WORKERS: Final = 64
"""Threads that may work at once; further jobs wait."""

MAX_ABANDONED: Final = 64
"""Abandoned threads that may still be running before further jobs are refused."""

IDLE_SECONDS: Final = 10.0
"""How long a thread without work stays."""


class State(Enum):
    """Where a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    ABANDONED = "abandoned"
    ENDED = "ended"


class Job:
    """Something to do in a worker thread."""

    __slots__ = ("state", "work")

    def __init__(self, work: Callable[[], None]) -> None:
        self.work = work
        self.state = State.WAITING


class Workers:
    """A bounded set of daemon threads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: deque[Job] = deque()
        self._idle = 0
        self._working = 0
        self._abandoned = 0

    @property
    def abandoned(self) -> int:
        """Abandoned threads that are still running."""
        return self._abandoned

    def submit(self, work: Callable[[], None]) -> Job:
        """Have the work done in a thread; it must not raise.

        Raises:
            WorkersExhaustedError: `MAX_ABANDONED` threads are still running for nobody.
            RuntimeError: The system gives no further thread.
        """
        job = Job(work)
        with self._changed:
            if self._abandoned >= MAX_ABANDONED:
                raise WorkersExhaustedError(
                    f"{self._abandoned} abandoned threads are still running judges that "
                    "outlived their deadline; no further blocking judge is begun"
                )
            if self._idle > len(self._waiting):
                self._changed.notify()
            elif self._working < MAX_WORKERS:
                self._begin_thread()
            self._waiting.append(job)
            return job

    def abandon(self, job: Job) -> bool:
        """Stop waiting for a job; whether a thread was left running for it."""
        with self._changed:
            if job.state is State.WAITING:
                self._waiting.remove(job)
                job.state = State.ENDED
            if job.state is not State.RUNNING:
                return False
            job.state = State.ABANDONED
            self._abandoned += 1
            self._working -= 1
            if self._waiting:
                with suppress(RuntimeError):  # no thread to be had: they wait for another to end
                    self._begin_thread()
            return True

    def _begin_thread(self) -> None:
        threading.Thread(target=self._serve, name="agent-judge-worker", daemon=True).start()
        self._working += 1

    def _serve(self) -> None:
        while (job := self._next()) is not None:
            job.work()
            if self._end(job):
                return

    def _next(self) -> Job | None:
        with self._changed:
            self._idle += 1
            found = self._changed.wait_for(lambda: self._waiting, IDLE_SECONDS)
            self._idle -= 1
            if not found:
                self._working -= 1
                return None
            job = self._waiting.popleft()
            job.state = State.RUNNING
            return job

    def _end(self, job: Job) -> bool:
        """Whether the thread ends too: another took its place when the job was abandoned."""
        with self._changed:
            left_behind = job.state is State.ABANDONED
            job.state = State.ENDED
            self._abandoned -= left_behind
            return left_behind


def workers() -> Workers:
    """The worker threads of this process."""
    return _workers


_workers = Workers()


def _begin_anew() -> None:
    """A forked child has none of the threads."""
    global _workers
    _workers = Workers()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
