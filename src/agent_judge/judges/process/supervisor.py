"""The program that stands between a judge and the command it runs (Linux only).

It is run as `python -I -S supervisor.py CONTROL REPORT`, with the numbers of two pipes. From the
first it reads one line of JSON: argv, cwd, env and limits. It becomes the reaper of everything that
the command starts, however deep and however detached. When the command ends, or the other end of
the control pipe closes (the deadline has passed, or the judge is no more), it kills whatever is
left until there is nothing left, and writes one line of JSON to the second pipe: how the command
ended. The command never sees either pipe, so it cannot forge that line.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import resource
import select
import signal
import sys
import time
from typing import Any

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
CLEANUP_SECONDS = 10.0


def main() -> None:
    """Run one command to its end."""
    control, report = int(sys.argv[1]), int(sys.argv[2])
    os.set_inheritable(control, False)
    os.set_inheritable(report, False)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    wakeup, tick = os.pipe()
    os.set_blocking(tick, False)
    os.set_blocking(wakeup, False)
    signal.signal(signal.SIGCHLD, notice)
    signal.set_wakeup_fd(tick)
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    outcome = supervise(read_line(control), control, wakeup)
    os.write(report, json.dumps(outcome).encode() + b"\n")


def notice(number: int, frame: object) -> None:
    """A child ended: the wakeup pipe is what tells."""


def prctl(option: int, value: int) -> None:
    """Ask the kernel for a property of this process."""
    ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def read_line(pipe: int) -> Any:
    """The line of JSON that says what to run."""
    received = b""
    while not received.endswith(b"\n"):
        part = os.read(pipe, 65536)
        if not part:
            sys.exit(1)
        received += part
    return json.loads(received)


def supervise(spec: Any, control: int, wakeup: int) -> dict[str, object]:
    """Start the command, wait for its end or for the order to end it, and leave nothing alive."""
    child, failure = start(spec)
    if failure is not None:
        os.waitpid(child, 0)
        return {"errno": failure}
    status = wait(child, control, wakeup)
    killed = status is None
    left_over, last = kill_descendants(child)
    if status is None:
        status = last
    outcome: dict[str, object] = {"killed": killed, "left_over": left_over}
    if status is not None:
        outcome["exit_code"] = os.waitstatus_to_exitcode(status)
    return outcome


def start(spec: Any) -> tuple[int, int | None]:
    """Fork the command; its process, and the errno that kept it from starting."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        become(spec, tell)
    os.close(tell)
    failure = os.read(told, 16)
    os.close(told)
    return child, int(failure) if failure else None


def become(spec: Any, tell: int) -> None:
    """Turn this forked process into the command."""
    try:
        signal.set_wakeup_fd(-1)
        for changed in (
            signal.SIGINT,
            signal.SIGTERM,
            signal.SIGHUP,
            signal.SIGCHLD,
            signal.SIGPIPE,
        ):
            signal.signal(changed, signal.SIG_DFL)
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        os.setsid()
        os.chdir(spec["cwd"])
        for name, limit in spec["limits"].items():
            number = getattr(resource, name)
            hard = resource.getrlimit(number)[1]
            allowed = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            resource.setrlimit(number, (allowed, allowed))
        os.execve(spec["executable"], spec["argv"], spec["env"])
    except OSError as error:
        os.write(tell, str(error.errno or errno.EINVAL).encode())
    except (ValueError, TypeError):
        os.write(tell, str(errno.EINVAL).encode())
    os._exit(127)


def wait(child: int, control: int, wakeup: int) -> int | None:
    """The wait status of the command; `None` once the control pipe closed."""
    while True:
        status = reap().get(child)
        if status is not None:
            return status
        ready, _, _ = select.select([control, wakeup], [], [])
        if control in ready and not os.read(control, 1):
            return None
        if wakeup in ready:
            os.read(wakeup, 4096)


def reap() -> dict[int, int]:
    """The wait statuses of all children that have ended."""
    ended: dict[int, int] = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        ended[pid] = status


def kill_descendants(child: int) -> tuple[int, int | None]:
    """Kill all that descends from this process; how many, and the status of `child` if it ends now.

    They are stopped first, each time, so that a process that forks faster than it is killed
    stands still.
    """
    seen: set[int] = set()
    last: int | None = None
    deadline = time.monotonic() + CLEANUP_SECONDS
    while alive := descendants():
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in alive:
                send(pid, number)
        seen.update(alive)
        last = status_of(child, last)
        if time.monotonic() > deadline:
            break
        time.sleep(0.002)
    last = status_of(child, last)
    return len(seen), last


def status_of(child: int, known: int | None) -> int | None:
    """The wait status of the command, if it ended by now; all others that ended are reaped."""
    ended: dict[int, int | None] = {**reap()}
    return ended.get(child, known)


def send(pid: int, number: signal.Signals) -> None:
    """Send a signal to a process that may have ended."""
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def descendants() -> list[int]:
    """Every living process below this one, from the parents that /proc states."""
    parents: dict[int, int] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            parent = parent_of(entry)
            if parent is not None:
                parents[int(entry)] = parent
    me = os.getpid()
    return [pid for pid in parents if is_below(pid, me, parents)]


def parent_of(pid: str) -> int | None:
    """The parent of a process that is neither gone nor a zombie."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            fields = stat.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return None if fields[0] in (b"Z", b"X") else int(fields[1])


def is_below(pid: int, ancestor: int, parents: dict[int, int]) -> bool:
    """Whether a process descends from another."""
    for _ in range(len(parents) + 1):
        parent = parents.get(pid)
        if parent is None:
            return False
        if parent == ancestor:
            return True
        pid = parent
    return False


if __name__ == "__main__":
    main()
