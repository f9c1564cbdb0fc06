from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from agent_judge.judges.process import supervised
from agent_judge.judges.process.contained import run
from agent_judge.judges.process.records import Command, Exited, NotStarted, Signalled, TimedOut
from unit.judges.process.commands import a_command

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the supervisor needs Linux")

AnyRun = Coroutine[Any, Any, Any]
Runner = Callable[[Callable[[], AnyRun]], Any]


def on_asyncio(work: Callable[[], AnyRun]) -> Any:
    """Run something on a loop of asyncio's."""
    return asyncio.run(work())


def on_uvloop(work: Callable[[], AnyRun]) -> Any:
    """Run something on a loop of uvloop's."""
    uvloop = pytest.importorskip("uvloop", reason="uvloop is not installed")
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work())


def in_a_thread(runner: Runner) -> Runner:
    """Run something on a loop that is not the main thread's."""

    def run_in_thread(work: Callable[[], AnyRun]) -> Any:
        results: list[Any] = []
        thread = threading.Thread(target=lambda: results.append(runner(work)))
        thread.start()
        thread.join()
        return results[0]

    return run_in_thread


LOOPS = pytest.mark.parametrize(
    "loop",
    [on_asyncio, on_uvloop, in_a_thread(on_asyncio), in_a_thread(on_uvloop)],
    ids=["asyncio", "uvloop", "asyncio in a thread", "uvloop in a thread"],
)


@LOOPS
def test_it_runs_on_any_loop(tmp_path: Path, loop: Runner) -> None:
    """No loop has to be the main thread's, or asyncio's own. (contract: judges:X1)"""
    command = a_command(tmp_path, "sh", "-c", "cat; echo err >&2; exit 3", stdin="in")

    completed = loop(lambda: run(command))

    assert completed.ending == Exited(3)
    assert (completed.stdout, completed.stderr) == ("in", "err\n")


@LOOPS
def test_standard_input_larger_than_a_pipe_arrives(tmp_path: Path, loop: Runner) -> None:
    """All of it is written, also while the command prints. (contract: judges:X6)"""
    text = "x" * 2_000_000
    command = a_command(tmp_path, "cat", stdin=text, output_limit=4_000_000)

    assert loop(lambda: run(command)).stdout == text


@LOOPS
def test_standard_input_need_not_be_read(tmp_path: Path, loop: Runner) -> None:
    """A command that ends without reading is no fault. (contract: judges:X6)"""
    command = a_command(tmp_path, "true", stdin="x" * 2_000_000)

    assert loop(lambda: run(command)).ending == Exited(0)


@LOOPS
def test_nothing_stays_open(tmp_path: Path, loop: Runner) -> None:
    """Every descriptor is closed when a command has ended or was cancelled. (contract: core:J9)"""

    async def some() -> tuple[int, int]:
        await run(a_command(tmp_path, "true"))
        before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
        await asyncio.gather(*(run(a_command(tmp_path, "true")) for _ in range(5)))
        for turns in (0, 1, 2, 3, 5, 10, 100):
            task = asyncio.ensure_future(run(a_command(tmp_path, "sleep", "100")))
            for _ in range(turns):
                await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        return before, len(os.listdir("/proc/self/fd"))  # noqa: PTH208

    before, after = loop(some)

    assert after == before


@pytest.mark.parametrize(
    ("argv", "ending"),
    [
        (["true"], Exited(0)),
        (["sh", "-c", "exit 255"], Exited(255)),
        (["sh", "-c", "kill -11 $$"], Signalled(11)),
        (["sleep", "100"], TimedOut()),
        (["./no-interpreter"], NotStarted(2)),
        (["./text"], NotStarted(13)),
        (["./no-format"], NotStarted(8)),
    ],
)
@pytest.mark.parametrize("kernel", ["this", "old"])
def test_how_it_ended_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: list[str], ending: object, kernel: str
) -> None:
    """On kernels without pidfd and Landlock, too. (contract: judges:X3)"""
    for name, content, mode in [
        ("no-interpreter", "#!/no/such/interpreter\n", 0o755),
        ("text", "text", 0o644),
        ("no-format", "text", 0o755),
    ]:
        (tmp_path / name).write_text(content)
        (tmp_path / name).chmod(mode)
    if kernel == "old":
        monkeypatch.setattr(supervised, "PROGRAM", without_new_calls(tmp_path))

    completed = asyncio.run(run(a_command(tmp_path, *argv, timeout=1)))

    assert completed.ending == ending


def without_new_calls(folder: Path) -> Path:
    """The supervisor as it is on a kernel that lacks what it can do without."""
    text = supervised.PROGRAM.read_text()
    for number in ("434", "444", "446"):
        text = text.replace(f" = {number}\n", " = 100000\n")
    program = folder / "supervisor.py"
    program.write_text(text)
    return program


def test_a_judge_with_many_open_files_can_run_commands(tmp_path: Path) -> None:
    """The numbers of its descriptors may be beyond what select takes. (contract: judges:X4)"""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(1200)]
    try:
        completed = asyncio.run(run(a_command(tmp_path, "sleep", "100", timeout=0.3)))
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    assert completed.ending == TimedOut()


def test_arguments_may_be_longer_than_a_pipe(tmp_path: Path) -> None:
    """What a supervisor is told has no bound of its own. (contract: judges:X7)"""
    words = ["x" * 100_000] * 10

    completed = asyncio.run(run(a_command(tmp_path, "printf", "%s", *words, output_limit=2**21)))

    assert completed.stdout == "".join(words)


def test_arguments_that_the_kernel_refuses_are_not_started(tmp_path: Path) -> None:
    """One word too long is no end of the command. (contract: judges:X3)"""
    completed = asyncio.run(run(a_command(tmp_path, "true", "x" * 10_000_000)))

    assert completed.ending == NotStarted(7)


def test_an_interpreter_that_makes_no_files_in_memory_makes_them_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some builds of Python lack the call. (contract: judges:X1)"""
    monkeypatch.delattr(os, "memfd_create")

    assert asyncio.run(run(a_command(tmp_path, "true"))).ending == Exited(0)


def test_without_an_interpreter_nothing_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that embeds Python may have none; the command is not run uncontained."""
    monkeypatch.setattr(sys, "executable", "")

    with pytest.raises(RuntimeError, match="interpreter"):
        asyncio.run(run(a_command(tmp_path, "touch", "made")))

    assert not (tmp_path / "made").exists()


def test_a_loop_that_was_blocked_does_not_lengthen_the_deadline(tmp_path: Path) -> None:
    """The supervisor watches the clock itself. (contract: judges:X4)"""
    command: Command = a_command(tmp_path, "sh", "-c", "sleep 0.6; touch late", timeout=0.2)

    async def block() -> Any:
        task = asyncio.ensure_future(run(command))
        while not task.done() and not (tmp_path / "late").exists():
            await asyncio.sleep(0)
            threading.Event().wait(0.05)
        return await task

    assert asyncio.run(block()).ending == TimedOut()
    assert not (tmp_path / "late").exists()


def test_it_can_be_imported_everywhere() -> None:
    """What only some systems have is imported when it is used."""
    program = (
        "import asyncio, sys; sys.platform = 'win32';"
        "sys.modules.update(dict.fromkeys(['fcntl', 'pwd', 'resource', 'termios']));"
        "import agent_judge.judges.process"
    )

    subprocess.run([sys.executable, "-c", program], check=True)
