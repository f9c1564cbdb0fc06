"""How much a command is kept from: nothing, limits of the kernel, or a sandbox of its own."""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields
from enum import Enum
from typing import Final

from agent_judge.errors import ArgumentError


class Isolation(Enum):
    """How much a command is kept from.

    NONE: its processes are contained, nothing else. RLIMITS: limits of the kernel on time,
    memory, files and processes (POSIX). BUBBLEWRAP: those, and no network, nothing writable
    outside the workspace, an empty home and /tmp, process numbers of its own (Linux).
    """

    NONE = "none"
    RLIMITS = "rlimits"
    BUBBLEWRAP = "bubblewrap"


class IsolationUnavailableError(RuntimeError):
    """The isolation that was asked for cannot be had here; the message says why."""


MAX_LIMIT: Final = 2**40

MEMORY: Final = "RLIMIT_DATA" if sys.platform == "linux" else "RLIMIT_AS"
"""Linux counts in the former what a process may write to and shares with nobody. The address space
also holds what is only reserved, by some virtual machines for more than there is memory."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the kernel on each process of a command, for RLIMITS and BUBBLEWRAP.

    Args:
        cpu_seconds: CPU time.
        memory_mb: Private writable memory, in MB of 2**20 bytes; elsewhere than on Linux, address
            space.
        file_mb: The largest file it may write.
        open_files: Open files and sockets.
        processes: Processes and threads of the same user, those of other programs included; the
            kernel does not hold root to it.

    Raises:
        ArgumentError: A limit that is not a whole number from 1 to 2**40.
    """

    cpu_seconds: int = 600
    memory_mb: int = 4096
    file_mb: int = 1024
    open_files: int = 1024
    processes: int = 4096

    def __post_init__(self) -> None:
        for option in fields(self):
            value = getattr(self, option.name)
            if type(value) is not int or not 1 <= value <= MAX_LIMIT:
                raise ArgumentError(
                    f"limits.{option.name} must be a whole number from 1 to 2**40, got {value!r}"
                )

    def by_resource(self) -> dict[str, int]:
        """The limits under the names of the `resource` module, in its units."""
        return {
            "RLIMIT_CPU": self.cpu_seconds,
            MEMORY: self.memory_mb * 2**20,
            "RLIMIT_FSIZE": self.file_mb * 2**20,
            "RLIMIT_NOFILE": self.open_files,
            "RLIMIT_NPROC": self.processes,
            "RLIMIT_CORE": 0,
        }
