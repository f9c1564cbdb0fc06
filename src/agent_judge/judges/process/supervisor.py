"""The program that stands between a judge and the command it runs (Linux only).

It is run as `python -I -S supervisor.py ORDER CONTROL REPORT`, with the numbers of a file that says
what to run (see `Order`) and of two pipes. It becomes the reaper of everything that the command
starts, however deep and however detached. When the command ends, its deadline passes, or the
control pipe says so or closes (the judge is no more), it kills whatever is left until there is
nothing left. To the report pipe it writes one line when the command has begun, with the number of
its process and session, and one when it has ended: how.

A hostile command cannot forge these lines: it inherits none of the three, may not look into this
process, and does not know the nonce that each line begins with. Where the kernel has Landlock with
signal scoping (6.12 and later), it can signal nothing but its own processes either.

This program starts once for every command, so it imports as little as it can.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import sys
import time
from errno import EINVAL

SIGKILL, SIGPIPE, SIGSTOP, SIGXFSZ = 9, 13, 19, 25

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

SYS_PIDFD_OPEN = 434
SYS_LANDLOCK_CREATE_RULESET = 444
SYS_LANDLOCK_RESTRICT_SELF = 446
LANDLOCK_SCOPE_SIGNAL = 2

CLEANUP_SECONDS = 10.0
"""How long killing may take; what is alive then cannot be killed, and is reported."""

TICK, SHORT_TICK = 0.1, 0.005
"""Seconds between two looks at what no descriptor tells; the short one where none tells an end."""

LIBC = ctypes.CDLL(None, use_errno=True)


class Order:
    """What to run: fields that a NUL ends, in the order in which they are read here.

    Neither arguments nor variables can hold a NUL, and nothing needs to be imported to read them.
    """

    def __init__(self, text: bytes) -> None:
        fields = iter(text.split(b"\0"))
        self.nonce = next(fields)
        self.judge = int(next(fields))
        self.timeout = float(next(fields))
        self.sandboxed = next(fields) == b"sandboxed"
        self.executable = next(fields)
        self.cwd = next(fields)
        self.argv = [next(fields) for _ in range(int(next(fields)))]
        self.env = dict(pair(next(fields)) for _ in range(int(next(fields))))
        self.limits = dict(pair(next(fields)) for _ in range(int(next(fields))))


def pair(field: bytes) -> tuple[bytes, bytes]:
    """A name and its value, of which only the value can hold another `=`."""
    name, _, value = field.partition(b"=")
    return name, value


def main() -> None:
    """Run one command to its end, and report it."""
    order_file, control, report = (int(number) for number in sys.argv[1:4])
    for descriptor in (order_file, control, report):
        os.set_inheritable(descriptor, False)
    prctl(PR_SET_DUMPABLE, 0)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    order = Order(read_all(order_file))
    tell = Teller(report, order.nonce)
    tell(*supervise(order, control, tell))
    os._exit(0)


def prctl(option: int, value: int) -> None:
    """Ask the kernel for a property of this process."""
    zero = ctypes.c_ulong(0)
    if LIBC.prctl(option, ctypes.c_ulong(value), zero, zero, zero):
        raise OSError(ctypes.get_errno(), f"prctl {option} failed")


def read_all(descriptor: int) -> bytes:
    """All there is to read, until it ends; closed then."""
    with open(descriptor, "rb") as file:
        return file.read()


class Teller:
    """The way to tell the judge something."""

    def __init__(self, report: int, nonce: bytes) -> None:
        self.report = report
        self.nonce = nonce

    def __call__(self, *words: bytes) -> None:
        """Write a line to the report pipe."""
        os.write(self.report, b" ".join([self.nonce, *words]) + b"\n")


def supervise(order: Order, control: int, tell: Teller) -> list[bytes]:
    """Run the command and leave nothing alive; how it ended, in words."""
    status, tell_status = os.pipe()
    child, failure = start(order, tell_status)
    os.close(tell_status)
    if failure:
        os.waitpid(child, 0)
        return [b"not_started", failure, b"0", b"0"]
    tell(str(child).encode())
    ended = wait(child, control, order)
    left_over, survivors = end_all(child)
    words = [b"stopped", b"0"] if ended is None else how_it_ended(ended)
    if ended is not None and order.sandboxed and b'"exit-code"' not in read_all(status):
        words = [b"unsandboxed", b"0"]
    return [*words, str(left_over).encode(), str(survivors).encode()]


def how_it_ended(status: int) -> list[bytes]:
    """A wait status in words."""
    code = os.waitstatus_to_exitcode(status)
    return [b"signalled", str(-code).encode()] if code < 0 else [b"exited", str(code).encode()]


def start(order: Order, tell_status: int) -> tuple[int, bytes]:
    """Fork the command; its process, and the number of the error that kept it from starting."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            become(order, tell_status)
        except OSError as error:
            os.write(tell, str(error.errno or EINVAL).encode())
        except BaseException:  # noqa: BLE001 - this process must not go on as a supervisor
            os.write(tell, str(EINVAL).encode())
        finally:
            os._exit(127)
    os.close(tell)
    return child, read_all(told)


def become(order: Order, tell_status: int) -> None:
    """Turn this forked process into the command."""
    for ignored_by_python in (SIGPIPE, SIGXFSZ):
        LIBC.signal(ignored_by_python, None)
    prctl(PR_SET_PDEATHSIG, SIGKILL)
    os.setsid()
    os.chdir(order.cwd)
    for name, value in order.limits.items():
        number = getattr(resource, name.decode())
        hard = resource.getrlimit(number)[1]
        limit = int(value) if hard == resource.RLIM_INFINITY else min(int(value), hard)
        resource.setrlimit(number, (limit, limit))
    if order.sandboxed:
        order.argv[1:1] = [b"--json-status-fd", str(tell_status).encode()]
        os.set_inheritable(tell_status, True)
    else:
        confine()
    os.execve(order.executable, order.argv, order.env)


def confine() -> None:
    """Keep the command from what could not be killed, and its hands off what is not its own.

    A set-user-ID program such as sudo would run as another user, whose processes this one cannot
    kill: it gets no new privileges. A kernel without signal scoping refuses the ruleset.
    """
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    scoped = (ctypes.c_uint64 * 3)(0, 0, LANDLOCK_SCOPE_SIGNAL)
    size, none = ctypes.c_size_t(ctypes.sizeof(scoped)), ctypes.c_ulong(0)
    ruleset = LIBC.syscall(ctypes.c_long(SYS_LANDLOCK_CREATE_RULESET), scoped, size, none)
    if ruleset >= 0:
        LIBC.syscall(ctypes.c_long(SYS_LANDLOCK_RESTRICT_SELF), ctypes.c_long(ruleset), none)
        os.close(ruleset)


def wait(child: int, control: int, order: Order) -> int | None:
    """The wait status of the command; `None` where it has to be stopped."""
    deadline = time.monotonic() + order.timeout
    ends = select.poll()
    ends.register(control, select.POLLIN)
    process = LIBC.syscall(ctypes.c_long(SYS_PIDFD_OPEN), ctypes.c_long(child), ctypes.c_ulong(0))
    if process >= 0:
        ends.register(process, select.POLLIN)
    tick = SHORT_TICK if process < 0 else TICK
    while True:
        status = reap().get(child)
        if status is not None:
            return status
        left = deadline - time.monotonic()
        if left <= 0 or os.getppid() != order.judge:
            return None
        if any(descriptor == control for descriptor, _ in ends.poll(1000 * min(left, tick))):
            return None


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


def end_all(command: int) -> tuple[int, int]:
    """Kill all that descends from this process; how many there were, and how many are left.

    Whatever loses its parent becomes a child of this process, so that having no child means having
    no descendant; looking through /proc alone would miss one that forks and exits faster than it is
    looked at. They are stopped before they are killed, so that those that fork stand still.
    """
    seen: set[int] = set()
    deadline = time.monotonic() + CLEANUP_SECONDS
    while not is_childless():
        alive = descendants()
        if time.monotonic() > deadline:
            return len(seen), len(alive)
        for number in (SIGSTOP, SIGKILL):
            for pid in alive:
                send(pid, number)
        seen.update(alive)
        time.sleep(0.001)
    return len(seen - {command}), 0


def is_childless() -> bool:
    """Whether this process has no child any more; those that ended are reaped."""
    reap()
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def send(pid: int, number: int) -> None:
    """Send a signal to a process that may have ended."""
    try:
        os.kill(pid, number)
    except OSError:
        pass


def descendants() -> list[int]:
    """Every process below this one, from the parents that /proc states.

    One that the kernel calls a zombie counts, too: only its main thread may have ended.
    """
    parents: dict[int, int] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            parent = parent_of(entry)
            if parent is not None:
                parents[int(entry)] = parent
    me = os.getpid()
    return [pid for pid in parents if is_below(pid, me, parents)]


def parent_of(pid: str) -> int | None:
    """The parent of a process, unless it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            return int(stat.read().rpartition(b")")[2].split()[1])
    except OSError:
        return None


def is_below(pid: int, ancestor: int, parents: dict[int, int]) -> bool:
    """Whether a process descends from another."""
    for _ in range(len(parents)):
        parent = parents.get(pid)
        if parent is None:
            return False
        if parent == ancestor:
            return True
        pid = parent
    return False


if __name__ == "__main__":
    main()
