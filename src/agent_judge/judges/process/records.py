"""What a command is, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from agent_judge.judges.process.isolation import Isolation, Limits


@dataclass(frozen=True, slots=True)
class Command:
    """What to run, and within which bounds.

    Attributes:
        argv: The program and its arguments.
        workspace: The folder that a sandbox leaves writable.
        cwd: Where to run it.
        env: Its whole environment.
        timeout: Seconds until it is killed.
        stdin: What it reads; nothing by default.
        isolation: What it is kept from.
        limits: Limits of the kernel, under RLIMITS and BUBBLEWRAP.
        readable: Directories that a sandbox leaves readable.
        output_limit: Bytes that are kept of each stream.
        stdout_limit: Bytes that are kept of its standard output, where that is more.
        writable: Directories beside the workspace that a sandbox leaves writable.
    """

    argv: tuple[str, ...]
    workspace: Path
    cwd: Path
    env: Mapping[str, str] = field(hash=False)
    timeout: float
    stdin: str = ""
    isolation: Isolation = Isolation.NONE
    limits: Limits = field(default_factory=Limits)
    readable: tuple[str, ...] = ()
    output_limit: int = 65_536
    stdout_limit: int = 0
    writable: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """Everything on which the result depends."""
        return (self, tuple(sorted(self.env.items())))


@dataclass(frozen=True, slots=True)
class Exited:
    """It ended by itself, with an exit code."""

    code: int


@dataclass(frozen=True, slots=True)
class Signalled:
    """A signal killed it, which was not that of its deadline."""

    number: int


@dataclass(frozen=True, slots=True)
class TimedOut:
    """Its deadline passed, and it was killed."""


@dataclass(frozen=True, slots=True)
class NotStarted:
    """It could not be started; `errno` says why, as `OSError` has it."""

    errno: int


@dataclass(frozen=True, slots=True)
class Lost:
    """Whatever watched it was killed, so that nothing is known of its end."""


@dataclass(frozen=True, slots=True)
class Survived:
    """Some of its processes could not be killed, for example while a dead disk holds them."""

    processes: int


Ending: TypeAlias = Exited | Signalled | TimedOut | NotStarted | Lost | Survived


@dataclass(frozen=True, slots=True)
class Completed:
    """A command that has ended.

    Attributes:
        command: What was run.
        ending: How it ended.
        stdout: What it printed, within bounds.
        stderr: What it printed there, within bounds.
        left_over: Processes of it that were still alive when it ended, and were killed.
        elapsed: Seconds.
        started_ns: When it was begun, in nanoseconds since 1970, which tells whether a file that
            it should have written is its own.
    """

    command: Command
    ending: Ending
    stdout: str = ""
    stderr: str = ""
    left_over: int = 0
    elapsed: float = 0.0
    started_ns: int = 0

    @property
    def exit_code(self) -> int | None:
        """Its exit code, if it ended by itself."""
        return self.ending.code if isinstance(self.ending, Exited) else None

    @property
    def signal(self) -> int | None:
        """The signal that killed it, if one did."""
        return self.ending.number if isinstance(self.ending, Signalled) else None
