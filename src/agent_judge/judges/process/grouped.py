"""Running a command in a process group, or process tree, of its own: where there is no supervisor.

A process that leaves the group, or that outlives its parent on Windows, gets away.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from errno import EINVAL
from functools import partial
from typing import Any

from agent_judge.judges.process.child import Child, start
from agent_judge.judges.process.isolation import Isolation, IsolationUnavailableError
from agent_judge.judges.process.records import (
    Command,
    Completed,
    Ending,
    Exited,
    NotStarted,
    Signalled,
    TimedOut,
)


async def run_in_group(command: Command, program: str) -> Completed:
    """Run a command in a process group of its own, and kill the group in the end.

    Raises:
        IsolationUnavailableError: The isolation that was asked for cannot be had.
    """
    try:
        child = await _start(command, program)
    except OSError as fault:
        return Completed(command, NotStarted(fault.errno or EINVAL))
    try:
        in_time = await child.ends(command.timeout)
    finally:
        await asyncio.shield(_end(child))
    ending = _ending(child.returncode) if in_time else TimedOut()
    return Completed(command, ending, child.stdout.text(), child.stderr.text())


async def _start(command: Command, program: str) -> Child:
    options: dict[str, Any] = {"cwd": str(command.cwd), "env": dict(command.env)}
    if sys.platform != "win32":
        options["start_new_session"] = True
    match command.isolation:
        case Isolation.NONE:
            pass
        case Isolation.RLIMITS if sys.platform != "win32":
            options["preexec_fn"] = partial(_limit, command.limits.by_resource())
        case _:
            name = command.isolation.value
            raise IsolationUnavailableError(f"isolation {name!r} cannot be had on {sys.platform}")
    argv = [program, *command.argv[1:]]
    try:
        limits = command.output_limit, command.stdout_limit
        return await start(argv, command.stdin, *limits, **options)
    except subprocess.SubprocessError as fault:
        raise IsolationUnavailableError(f"limits of the kernel were refused: {fault}") from None


def _limit(limits: Mapping[str, int]) -> None:
    """Set limits of the kernel for this process, none above those it has."""
    import resource

    for name, limit in limits.items():
        number = getattr(resource, name)
        hard = resource.getrlimit(number)[1]
        allowed = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(number, (allowed, allowed))


async def _end(child: Child) -> None:
    if sys.platform == "win32":
        await asyncio.to_thread(_kill_tree, child.pid)
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    await child.ends(None)
    await child.finish()


def _kill_tree(pid: int) -> None:
    subprocess.run(  # noqa: S603 - our own words
        ["taskkill", "/T", "/F", "/PID", str(pid)],  # noqa: S607 - a part of Windows
        capture_output=True,
        check=False,
    )


def _ending(returncode: int | None) -> Ending:
    """A return code as `subprocess` gives it: negative for a signal."""
    assert returncode is not None
    return Signalled(-returncode) if returncode < 0 else Exited(returncode)
