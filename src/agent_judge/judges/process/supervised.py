"""Running a command behind a supervisor (Linux): see `supervisor` for what that does."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import IO, Final

from agent_judge.judges.process.child import Child, start
from agent_judge.judges.process.isolation import Isolation
from agent_judge.judges.process.records import (
    Command,
    Completed,
    Ending,
    Exited,
    Lost,
    NotStarted,
    Signalled,
    Survived,
    TimedOut,
)
from agent_judge.judges.process.sandbox import ending_in_sandbox, not_in_sandbox, sandboxed
from agent_judge.judges.process.sweep import RUN_COOKIE, sweep

LATE_SECONDS: Final = 1.0
"""How late a supervisor may be with the deadline before it is told of it."""

CLEANUP_SECONDS: Final = 12.0
"""How long it may take to kill what it watches, which it gives up earlier than that itself."""

RESUME_SECONDS: Final = 0.1
"""How often it is resumed meanwhile, in case that what it watches has stopped it."""

PROGRAM: Final = Path(__file__).with_name("supervisor.py")


async def run_supervised(command: Command, program: str) -> Completed:
    """Run a command behind a supervisor.

    Raises:
        IsolationUnavailableError: Its sandbox could not be set up.
        RuntimeError: There is no Python interpreter to run the supervisor.
    """
    supervisor = await _start(command, program)
    try:
        await supervisor.child.ends(command.timeout + LATE_SECONDS)
    finally:
        report = await asyncio.shield(supervisor.end())
    child = supervisor.child
    stdout, stderr = child.stdout.text(), child.stderr.text()
    if report is None:
        return Completed(command, Lost(), stdout, stderr)
    ending = Survived(report.survivors) if report.survivors else _ending(command, report, stderr)
    return Completed(command, ending, stdout, stderr, left_over=report.left_over)


@dataclass(frozen=True, slots=True)
class _Report:
    """What a supervisor says of the end of a command."""

    kind: str
    number: int
    left_over: int
    survivors: int


@dataclass(frozen=True, slots=True)
class _Supervisor:
    """A supervisor at work.

    Attributes:
        child: Its process.
        control: The pipe by which it is told to stop.
        report: The pipe on which it reports.
        nonce: What its report begins with.
        cookie: What marks the processes that it watches.
    """

    child: Child
    control: IO[bytes]
    report: IO[bytes]
    nonce: str
    cookie: str

    async def end(self) -> _Report | None:
        """Have it kill everything; what it reports, unless it was killed itself."""
        with self.control, self.report:
            with suppress(BrokenPipeError):
                self.control.write(b".")
            await self._ended()
            session, report = _read(self.report.read() or b"", self.nonce)
        if report is None:
            await asyncio.to_thread(sweep, self.cookie, session)
        await self.child.finish()
        return report

    async def _ended(self) -> None:
        """Wait until it has ended, which is when everything is dead; at last, kill it."""
        given_up = monotonic() + CLEANUP_SECONDS
        while not await self.child.ends(RESUME_SECONDS):
            self.child.send(signal.SIGKILL if monotonic() > given_up else signal.SIGCONT)


async def _start(command: Command, program: str) -> _Supervisor:
    if not sys.executable:
        raise RuntimeError("there is no Python interpreter (sys.executable) to contain a command")
    nonce, cookie = token_hex(16), token_hex(16)
    order = _order(command, program, nonce, cookie)
    control_end, control = _pipe()
    report, report_end = _pipe()
    os.set_blocking(report.fileno(), False)
    with order, control_end, report_end:
        numbers = [file.fileno() for file in (order, control_end, report_end)]
        try:
            child = await start(
                [sys.executable, "-I", "-S", str(PROGRAM), *map(str, numbers)],
                command.stdin,
                command.output_limit,
                command.stdout_limit,
                pass_fds=numbers,
                env={RUN_COOKIE: cookie, **_library_path()},
                start_new_session=True,
            )
        except BaseException:
            control.close()
            report.close()
            raise
    return _Supervisor(child, control, report, nonce, cookie)


def _pipe() -> tuple[IO[bytes], IO[bytes]]:
    """The ends of a pipe to read from and to write to."""
    reading, writing = os.pipe()
    return os.fdopen(reading, "rb", buffering=0), os.fdopen(writing, "wb", buffering=0)


def _library_path() -> dict[str, str]:
    """What an interpreter that was built with a shared library may need to start."""
    name = "LD_LIBRARY_PATH"
    return {name: os.environ[name]} if name in os.environ else {}


def _order(command: Command, program: str, nonce: str, cookie: str) -> IO[bytes]:
    """An open file, of no name, that tells a supervisor what to run; see `supervisor.Order`."""
    argv: Sequence[str] = command.argv
    is_sandboxed = command.isolation is Isolation.BUBBLEWRAP
    if is_sandboxed:
        argv = sandboxed(command, program)
        program = argv[0]
    limits = {} if command.isolation is Isolation.NONE else command.limits.by_resource()
    fields = [
        nonce,
        str(os.getpid()),
        str(command.timeout),
        "sandboxed" if is_sandboxed else "",
        program,
        str(command.cwd),
        *_counted(argv),
        *_counted(_pairs({**command.env, RUN_COOKIE: cookie})),
        *_counted(_pairs(limits)),
    ]
    file = _nameless_file()
    file.write(b"".join(os.fsencode(field) + b"\0" for field in fields))
    file.seek(0)
    return file


def _counted(words: Sequence[str]) -> list[str]:
    return [str(len(words)), *words]


def _pairs(mapping: Mapping[str, object]) -> list[str]:
    return [f"{name}={value}" for name, value in mapping.items()]


def _nameless_file() -> IO[bytes]:
    """A file in memory where this interpreter can make one, else on disk."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("order"), "w+b")
    from tempfile import TemporaryFile

    return TemporaryFile()


def _read(text: bytes, nonce: str) -> tuple[int | None, _Report | None]:
    """The session of the command and the report on its end, as far as it came to them.

    Lines that do not begin with the nonce are not the supervisor's.
    """
    session: int | None = None
    report: _Report | None = None
    for line in text.decode("ascii", "replace").splitlines():
        match line.split():
            case [first, number] if first == nonce:
                session = int(number)
            case [first, kind, *numbers] if first == nonce:
                report = _Report(kind, *map(int, numbers))
            case _:
                pass
    return session, report


def _ending(command: Command, report: _Report, stderr: str) -> Ending:
    match report.kind:
        case "exited" if command.isolation is Isolation.BUBBLEWRAP:
            return ending_in_sandbox(report.number)
        case "exited":
            return Exited(report.number)
        case "signalled":
            return Signalled(report.number)
        case "not_started":
            return NotStarted(report.number)
        case "unsandboxed":
            return not_in_sandbox(stderr)
        case _:
            return TimedOut()
