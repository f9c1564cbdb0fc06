"""Running a command so that nothing of it is left alive afterwards.

On Linux a supervisor of our own stands between (see `supervisor`): it reaps and kills every process
that the command started, also one that forked twice and left its session. Elsewhere the command
gets a process group of its own, which is killed as a whole; a process that leaves the group gets
away there.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from secrets import token_hex
from time import perf_counter, sleep
from typing import Any, Final, cast

from agent_judge.judges.process.environment import RUN_COOKIE, resolve_program
from agent_judge.judges.process.isolation import Isolation, Limits, require, sandboxed
from agent_judge.judges.process.output import BoundedOutput

SUPERVISED: Final = sys.platform == "linux"

CLEANUP_SECONDS: Final = 15.0
"""How long a supervisor may take to kill what it watches before it is killed itself."""


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

    @property
    def key(self) -> tuple[object, ...]:
        """Everything on which the result depends."""
        return (self, tuple(sorted(self.env.items())))


@dataclass(frozen=True, slots=True)
class Completed:
    """How a command ended.

    Attributes:
        exit_code: What it returned; `None` if it was killed or never ran.
        signal: The signal that killed it.
        timed_out: Its deadline passed, and it was killed.
        errno: Why it could not be started.
        lost: Its supervisor was killed, so how it ended is not known.
        left_over: Processes of it that were still alive when it ended, and were killed.
        stdout: What it printed, within bounds.
        stderr: What it printed there, within bounds.
        elapsed: Seconds.
    """

    exit_code: int | None = None
    signal: int | None = None
    timed_out: bool = False
    errno: int | None = None
    lost: bool = False
    left_over: int = 0
    stdout: str = ""
    stderr: str = ""
    elapsed: float = 0.0


async def run(command: Command) -> Completed:
    """Run a command; when this is cancelled, everything it started is killed first.

    Raises:
        IsolationUnavailableError: The isolation that was asked for cannot be had.
    """
    require(command.isolation)
    program = resolve_program(command.argv[0], command.env.get("PATH", ""), command.cwd)
    if program is None:
        return Completed(errno=_errno("ENOENT"))
    if not os.access(program, os.X_OK):
        return Completed(errno=_errno("EACCES"))
    started = perf_counter()
    how = _run_supervised if SUPERVISED else _run_in_group
    completed = await how(command, program, token_hex(16))
    return _read_sandbox(command, replace(completed, elapsed=perf_counter() - started))


def _errno(name: str) -> int:
    import errno

    return int(getattr(errno, name))


def _read_sandbox(command: Command, completed: Completed) -> Completed:
    """Bubblewrap gives 128 + n for a command that signal n killed."""
    code = completed.exit_code
    if command.isolation is Isolation.BUBBLEWRAP and code is not None and code > 128:
        with suppress(ValueError):
            return replace(completed, exit_code=None, signal=signal.Signals(code - 128).value)
    return completed


def _with_end(completed: Completed, code: int | None) -> Completed:
    """The same with how it ended: a return code as Python gives it, negative for a signal."""
    if code is not None and code < 0:
        return replace(completed, signal=-code)
    return replace(completed, exit_code=code)


class _Child(asyncio.SubprocessProtocol):
    """A started process: what it printed so far, and when it ended."""

    def __init__(self, limit: int) -> None:
        loop = asyncio.get_running_loop()
        self.exited: asyncio.Future[None] = loop.create_future()
        self.closed: asyncio.Future[None] = loop.create_future()
        self._stdout = BoundedOutput(limit)
        self._stderr = BoundedOutput(limit)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        (self._stdout if fd == 1 else self._stderr).add(data)

    def process_exited(self) -> None:
        _tell(self.exited)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        _tell(self.closed)

    @property
    def pid(self) -> int:
        """The process."""
        return self._transport.get_pid()

    @property
    def returncode(self) -> int | None:
        """What it returned, negative for a signal."""
        return self._transport.get_returncode()

    def feed(self, text: str) -> None:
        """Give it all that it will read."""
        pipe = cast("asyncio.WriteTransport | None", self._transport.get_pipe_transport(0))
        if pipe is not None:
            pipe.write(text.encode())
            pipe.close()

    def kill(self) -> None:
        """Kill the process itself."""
        with suppress(ProcessLookupError):
            self._transport.kill()

    async def finish(self) -> None:
        """Read what is left in its streams, once it is dead, and let go of them.

        They may stay open a while in the hands of a process that got away.
        """
        await asyncio.wait({self.closed}, timeout=STREAM_SECONDS)
        self._transport.close()

    def completed(self, *, timed_out: bool) -> Completed:
        """What it printed; how it ended is for others to say."""
        return Completed(
            timed_out=timed_out, stdout=self._stdout.text(), stderr=self._stderr.text()
        )


STREAM_SECONDS: Final = 2.0
"""How long the streams of a dead command may stay open, in the hands of what got away."""


def _tell(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


async def _start(argv: Sequence[str], command: Command, **options: Any) -> _Child:
    loop = asyncio.get_running_loop()
    pipe = asyncio.subprocess.PIPE
    _, child = await loop.subprocess_exec(
        lambda: _Child(command.output_limit),
        *argv,
        stdin=pipe if command.stdin else asyncio.subprocess.DEVNULL,
        stdout=pipe,
        stderr=pipe,
        **options,
    )
    child.feed(command.stdin)
    return child


async def _run_supervised(command: Command, program: str, token: str) -> Completed:
    """Run a command behind a supervisor."""
    control_read, control = os.pipe()
    report, report_write = os.pipe()
    order = await _open_for_writing(control)
    answer = await _open_for_reading(report)
    supervisor = str(Path(__file__).with_name("supervisor.py"))
    try:
        child = await _start(
            [sys.executable, "-I", "-S", supervisor, str(control_read), str(report_write)],
            command,
            pass_fds=(control_read, report_write),
            env={RUN_COOKIE: token},
            start_new_session=True,
        )
    except BaseException:
        order.abort()
        raise
    finally:
        os.close(control_read)
        os.close(report_write)
    reported = asyncio.ensure_future(answer.read())
    timed_out = False
    try:
        order.write(_specification(command, program, token))
        _, pending = await asyncio.wait({reported}, timeout=command.timeout)
        timed_out = bool(pending)
    finally:
        if not order.is_closing():
            order.abort()
        await asyncio.shield(_settle(child, reported, token))
    return _supervised_end(child.completed(timed_out=timed_out), await reported)


async def _settle(child: _Child, reported: asyncio.Future[bytes], token: str) -> None:
    """Wait until the supervisor has killed everything; kill by force what it leaves.

    Its report pipe closes when it ends, whoever ends it.
    """
    await asyncio.wait({reported}, timeout=CLEANUP_SECONDS)
    if not reported.done():
        child.kill()
    if not (await reported).endswith(b"\n"):
        await asyncio.to_thread(_sweep, token)
    await child.finish()


def _supervised_end(printed: Completed, report: bytes) -> Completed:
    """What a supervisor reported of the end; without a report it was killed."""
    if not report.endswith(b"\n"):
        return replace(printed, lost=True)
    outcome: Mapping[str, Any] = json.loads(report)
    if "errno" in outcome:
        return replace(printed, errno=int(outcome["errno"]))
    printed = replace(printed, left_over=int(outcome["left_over"]))
    return printed if printed.timed_out else _with_end(printed, outcome.get("exit_code"))


def _specification(command: Command, program: str, token: str) -> bytes:
    """What a supervisor is told to run, as a line of JSON."""
    argv = list(command.argv)
    if command.isolation is Isolation.BUBBLEWRAP:
        path = command.env.get("PATH", "")
        argv = sandboxed(
            [program, *argv[1:]], command.workspace, command.cwd, path, command.readable
        )
        program = str(resolve_program(argv[0], os.environ.get("PATH", os.defpath), command.cwd))
    limits = {} if command.isolation is Isolation.NONE else command.limits.by_resource()
    specification = {
        "executable": program,
        "argv": argv,
        "cwd": str(command.cwd),
        "env": {**command.env, RUN_COOKIE: token},
        "limits": limits,
    }
    return json.dumps(specification).encode() + b"\n"


async def _open_for_writing(pipe: int) -> asyncio.WriteTransport:
    loop = asyncio.get_running_loop()
    file = os.fdopen(pipe, "wb", buffering=0)
    transport, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, file)
    return transport


async def _open_for_reading(pipe: int) -> asyncio.StreamReader:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    file = os.fdopen(pipe, "rb", buffering=0)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), file)
    return reader


async def _run_in_group(command: Command, program: str, token: str) -> Completed:
    """Run a command in a process group of its own, and kill the group in the end."""
    options: dict[str, Any] = {"start_new_session": True} if sys.platform != "win32" else {}
    if command.isolation is Isolation.RLIMITS:
        options["preexec_fn"] = partial(_limit, command.limits.by_resource())
    env = {**command.env, RUN_COOKIE: token}
    argv = [program, *command.argv[1:]]
    child = await _start(argv, command, cwd=str(command.cwd), env=env, **options)
    timed_out = False
    try:
        _, pending = await asyncio.wait({child.exited}, timeout=command.timeout)
        timed_out = bool(pending)
    finally:
        await asyncio.shield(_end_group(child))
    printed = child.completed(timed_out=timed_out)
    return printed if timed_out else _with_end(printed, child.returncode)


async def _end_group(child: _Child) -> None:
    if sys.platform == "win32":
        await asyncio.to_thread(_kill_tree, child.pid)
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    await child.exited
    await child.finish()


def _kill_tree(pid: int) -> None:
    subprocess.run(  # noqa: S603 - our own words
        ["taskkill", "/T", "/F", "/PID", str(pid)],  # noqa: S607 - a part of Windows
        capture_output=True,
        check=False,
    )


def _limit(limits: Mapping[str, int]) -> None:
    import resource

    for name, limit in limits.items():
        with suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, name), (limit, limit))


def _sweep(token: str) -> None:
    """Kill every process that carries the token in its environment, until there is none.

    A process that is just becoming another program shows no environment for a moment, so one
    look that finds nothing does not suffice.
    """
    mark = f"{RUN_COOKIE}={token}".encode()
    clean = 0
    for _ in range(MAX_SWEEPS):
        marked = [pid for pid in _processes() if mark in _environ_of(pid)]
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in marked:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)
        clean = 0 if marked else clean + 1
        if clean == CLEAN_SWEEPS:
            return
        sleep(SWEEP_PAUSE)


MAX_SWEEPS: Final = 200
CLEAN_SWEEPS: Final = 10
SWEEP_PAUSE: Final = 0.02


def _processes() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _environ_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""
