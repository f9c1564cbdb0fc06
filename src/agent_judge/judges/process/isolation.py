"""How much a command is kept from: nothing, limits of the kernel, or a sandbox of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache
from pathlib import Path
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


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the kernel on each process of a command, for RLIMITS and BUBBLEWRAP.

    Args:
        cpu_seconds: CPU time.
        memory_mb: Address space, in MB of 2**20 bytes.
        file_mb: The largest file it may write.
        open_files: Open files and sockets.
        processes: Processes of the same user; the kernel does not hold root to it.

    Raises:
        ArgumentError: A limit that is not a whole number from 1 up.
    """

    cpu_seconds: int = 600
    memory_mb: int = 4096
    file_mb: int = 1024
    open_files: int = 1024
    processes: int = 512

    def __post_init__(self) -> None:
        for option in fields(self):
            value = getattr(self, option.name)
            if type(value) is not int or value < 1:
                raise ArgumentError(
                    f"limits.{option.name} must be a whole number from 1 up, got {value!r}"
                )

    def by_resource(self) -> dict[str, int]:
        """The limits under the names of the `resource` module, in its units."""
        return {
            "RLIMIT_CPU": self.cpu_seconds,
            "RLIMIT_AS": self.memory_mb * 2**20,
            "RLIMIT_FSIZE": self.file_mb * 2**20,
            "RLIMIT_NOFILE": self.open_files,
            "RLIMIT_NPROC": self.processes,
            "RLIMIT_CORE": 0,
        }


def require(isolation: Isolation) -> None:
    """Make sure that an isolation can be had.

    Raises:
        IsolationUnavailableError: It cannot.
    """
    match isolation:
        case Isolation.NONE:
            return
        case Isolation.RLIMITS:
            if sys.platform == "win32":
                raise IsolationUnavailableError("isolation 'rlimits' needs a POSIX system")
        case Isolation.BUBBLEWRAP:
            fault = _bubblewrap_fault()
            if fault is not None:
                raise IsolationUnavailableError(f"isolation 'bubblewrap' cannot be had: {fault}")


def sandboxed(
    argv: Sequence[str], workspace: Path, cwd: Path, path: str, readable: Iterable[str] = ()
) -> list[str]:
    """A command wrapped in bubblewrap.

    Directories of `path` and those in `readable` stay readable where the empty home or /tmp
    would hide them.
    """
    home = Path.home().resolve()
    hidden = [Path("/tmp"), Path("/var/tmp"), Path("/run"), home]  # noqa: S108 - to be hidden
    shown = [Path(directory).resolve() for directory in (*path.split(os.pathsep), *readable)]
    command = [BUBBLEWRAP, "--unshare-all", "--die-with-parent", "--new-session"]
    command += ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    for directory in hidden:
        if directory.is_dir() and directory != Path("/"):
            command += ["--tmpfs", str(directory)]
    for directory in shown:
        if directory.is_dir() and any(directory.is_relative_to(place) for place in hidden):
            command += ["--ro-bind", str(directory), str(directory)]
    root = str(workspace.resolve())
    return [*command, "--bind", root, root, "--chdir", str(cwd.resolve()), "--", *argv]


BUBBLEWRAP: Final = "bwrap"


@cache
def _bubblewrap_fault() -> str | None:
    """Why bubblewrap cannot be used; `None` when it can, found out by using it."""
    if sys.platform != "linux":
        return f"it needs Linux, and this is {sys.platform}"
    program = shutil.which(BUBBLEWRAP)
    if program is None:
        return "the program 'bwrap' is not installed; install the package bubblewrap"
    trial = [program, "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "/bin/true"]
    try:
        done = subprocess.run(trial, capture_output=True, timeout=30, check=False)  # noqa: S603 - our own words
    except (OSError, subprocess.TimeoutExpired) as fault:
        return f"a trial did not run: {fault}"
    if done.returncode:
        why = done.stderr.decode(errors="replace").strip()
        return f"a trial failed, probably because user namespaces are switched off: {why[:200]}"
    return None
