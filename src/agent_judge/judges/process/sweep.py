"""Finding and killing what a command left behind when its supervisor is no more (Linux)."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import sleep
from typing import Final

RUN_COOKIE: Final = "AGENT_JUDGE_RUN"
"""The variable that marks the processes of one run of a command."""

MAX_SWEEPS: Final = 200
CLEAN_SWEEPS: Final = 10
SWEEP_PAUSE: Final = 0.02


def sweep(cookie: str, session: int | None) -> None:
    """Kill every process that carries the cookie or is in the session, and its kin.

    Kin are those in a session of such a process and those that descend from one. A process that is
    just becoming another program shows no environment for a moment, so one look that finds nothing
    does not suffice.
    """
    sessions: set[int] = set() if session is None else {session}
    clean = 0
    for _ in range(MAX_SWEEPS):
        found = _kin(f"{RUN_COOKIE}={cookie}".encode(), sessions)
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in found:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)
        clean = 0 if found else clean + 1
        if clean == CLEAN_SWEEPS:
            return
        sleep(SWEEP_PAUSE)


def _kin(mark: bytes, sessions: set[int]) -> set[int]:
    """The processes with the mark, in the sessions that such had so far, and all below them."""
    stats = {pid: (parent, session) for pid, parent, session in _living()}
    marked = {pid for pid in stats if mark in _environment_of(pid)}
    sessions.update(stats[pid][1] for pid in marked)
    kin = marked | {pid for pid, (_, session) in stats.items() if session in sessions}
    while below := {pid for pid, (parent, _) in stats.items() if parent in kin} - kin:
        kin |= below
    return kin


def _living() -> Iterator[tuple[int, int, int]]:
    """Every process that is no zombie: its number, parent and session."""
    for entry in os.listdir("/proc"):  # noqa: PTH208 - names are all that is needed
        if entry.isdigit():
            with suppress(OSError):
                stat = Path("/proc", entry, "stat").read_text("utf-8", "replace")
                state, parent, _, session = stat.rpartition(")")[2].split()[:4]
                if state != "Z":
                    yield int(entry), int(parent), int(session)


def _environment_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""
