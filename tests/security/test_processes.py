from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from secrets import randbelow
from typing import Any

import pytest

from agent_judge import Judgment, JudgmentContext, Jury, ReasonCode, Status, aevaluate, evaluate
from agent_judge.judges import CommandJudge
from agent_judge.judges.process import supervised

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(sys.platform != "linux", reason="the supervisor needs Linux"),
]


@pytest.fixture
def nap() -> Iterator[str]:
    """A number of seconds to sleep that no other process sleeps, so that sleepers are found."""
    seconds = str(100_000 + randbelow(10**9))
    yield seconds
    for pid in sleepers(seconds):
        os.kill(pid, signal.SIGKILL)


def sleepers(seconds: str) -> list[int]:
    """Living processes that have this word on their command line."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\x00")
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if seconds.encode() in words and stat[0] != "Z":
                found.append(int(entry.name))
    return found


def gone(seconds: str) -> bool:
    """Whether no such sleeper is alive, at the latest one second from now."""
    deadline = time.monotonic() + 1
    while sleepers(seconds) and time.monotonic() < deadline:
        os.sched_yield()
    return not sleepers(seconds)


def judged(workspace: Path, script: str, *words: str, **options: Any) -> Judgment:
    """The judgment on a script of the shell."""
    judge = CommandJudge(["sh", "-c", script, *words], **options)
    return evaluate(judge, JudgmentContext(workspace=workspace))


@pytest.fixture
def old_kernel(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A supervisor as it is where the kernel has no pidfd and no Landlock."""
    text = supervised.PROGRAM.read_text()
    for number in ("434", "444", "446"):
        text = text.replace(f" = {number}\n", " = 100000\n")
    program = tmp_path_factory.mktemp("old") / "supervisor.py"
    program.write_text(text)
    monkeypatch.setattr(supervised, "PROGRAM", program)


def has_signal_scoping() -> bool:
    """Whether this kernel can keep a command from signalling others: Landlock's sixth version."""
    create_ruleset, of_version = ctypes.c_long(444), ctypes.c_uint(1)
    libc = ctypes.CDLL(None)
    return int(libc.syscall(create_ruleset, None, ctypes.c_size_t(0), of_version)) >= 6


needs_signal_scoping = pytest.mark.skipif(
    sys.platform != "linux" or not has_signal_scoping(),
    reason="the kernel is older than 6.12, or has no Landlock",
)


@pytest.mark.parametrize(
    "script",
    [
        "sleep {n} & sleep {n}",
        "trap '' TERM INT HUP; sleep {n} & setsid sleep {n}",
        "(setsid sh -c 'sleep {n} & sleep {n}' &); sleep {n}",
        "(setsid sh -c '(setsid sleep {n} &) &' &); sleep {n}",
        "nohup sleep {n} >/dev/null 2>&1 & kill -STOP $!; sleep {n}",
    ],
)
def test_after_a_timeout_nothing_is_alive(tmp_path: Path, nap: str, script: str) -> None:
    """Daemons, double forks and new sessions end with the command. (contract: judges:X4)"""
    judgment = judged(tmp_path, script.format(n=nap), timeout=0.5)

    assert judgment.code is ReasonCode.TIMEOUT
    assert gone(nap)


def test_after_a_success_nothing_is_alive(tmp_path: Path, nap: str) -> None:
    """A daemon that a passing command left behind is killed. (contract: judges:X4, judges:X5)"""
    judgment = judged(tmp_path, f"(setsid sh -c 'sleep {nap} & sleep {nap}' &); echo done")

    assert judgment.passed
    assert gone(nap)


def test_processes_that_fork_without_end_are_contained(tmp_path: Path) -> None:
    """A fork loop is stopped, then killed. (contract: judges:X4)"""
    mark = f"loop-{os.getpid()}-{time.monotonic_ns()}"
    program = (
        "import os, time\nfor _ in range(7): os.fork()\nwhile True:\n if os.fork(): time.sleep(9)"
    )

    judge = CommandJudge([sys.executable, "-c", program, mark], timeout=0.5)
    judgment = evaluate(judge, JudgmentContext(workspace=tmp_path))

    assert judgment.code is ReasonCode.TIMEOUT
    assert gone(mark)


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Callable[[], bool]]:
    """Whether any process holds the other end of the pipe `alive` in the workspace."""
    os.mkfifo(tmp_path / "alive")
    reading = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)

    def is_held() -> bool:
        try:
            return os.read(reading, 1) != b""
        except BlockingIOError:
            return True

    yield is_held
    os.close(reading)


def test_a_process_whose_main_thread_has_ended_is_killed(
    tmp_path: Path, held: Callable[[], bool]
) -> None:
    """The kernel calls it a zombie, but its other threads live. (contract: judges:X4)"""
    program = """
import ctypes, os, threading
if child := os.fork():
    while open(f"/proc/{child}/stat").read().rpartition(")")[2].split()[0] != "Z":
        pass
    os._exit(0)
os.setsid()
threading.Thread(target=threading.Event().wait).start()
ctypes.CDLL(None).pthread_exit(None)
"""

    judgment = judged(tmp_path, 'exec 3> alive; "$0" -c "$1"', sys.executable, program)

    assert not held()
    assert judgment.passed


def test_a_process_that_hops_from_number_to_number_is_killed(
    tmp_path: Path, held: Callable[[], bool]
) -> None:
    """One that forks and ends is nowhere when it is looked for. (contract: judges:X4)"""
    program = "import os\nwhile True:\n if os.fork(): os._exit(0)\n os.setsid()"

    judgment = judged(tmp_path, 'exec 3> alive; "$0" -c "$1" &', sys.executable, program)

    assert not held()
    assert judgment.passed


def test_a_flood_of_a_gigabyte_is_read_and_dropped(tmp_path: Path) -> None:
    """However much is printed, little is kept, in memory as well. (contract: judges:X6)"""
    program = f"""
import resource
from agent_judge import JudgmentContext, evaluate
from agent_judge.judges import CommandJudge
context = JudgmentContext(workspace={str(tmp_path)!r})
evaluate(CommandJudge("true"), context)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
judge = CommandJudge("head -c 1000000000 /dev/zero", timeout=100)
judgment = evaluate(judge, context)
assert judgment.passed, judgment
assert len(judgment.metadata["stdout"]) < 70_000
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)

    assert int(done.stdout) < 20_000  # kB


@needs_signal_scoping
def test_a_command_cannot_kill_its_supervisor(tmp_path: Path, nap: str) -> None:
    """It may signal its own processes, and no others. (contract: judges:X4)"""
    script = f"kill -9 $PPID; kill -9 -1; env -i setsid sleep {nap} & exit 3"

    judgment = judged(tmp_path, script, expected_exit=3)

    assert judgment.passed
    assert gone(nap)


@pytest.mark.usefixtures("old_kernel")
def test_a_command_that_kills_its_supervisor_is_no_success(tmp_path: Path, nap: str) -> None:
    """What got away is found and killed, and the judgment is an error. (contract: judges:X4)"""
    script = f"(setsid sleep {nap} &); env -i sleep {nap} & kill -9 $PPID; sleep {nap}; exit 0"

    judgment = judged(tmp_path, script, timeout=20)

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.COMMAND_KILLED)
    assert gone(nap)


@pytest.mark.usefixtures("old_kernel")
def test_a_command_that_stops_its_supervisor_gains_nothing(tmp_path: Path, nap: str) -> None:
    """It is resumed once the deadline has passed. (contract: judges:X4)"""
    judgment = judged(tmp_path, f"kill -STOP $PPID; setsid sleep {nap}", timeout=0.5)

    assert judgment.code is ReasonCode.TIMEOUT
    assert gone(nap)


@pytest.mark.parametrize("kernel", ["this", "old"])
def test_a_command_cannot_forge_the_report_of_its_supervisor(
    tmp_path: Path, request: pytest.FixtureRequest, kernel: str
) -> None:
    """Whoever finds the pipe does not know the nonce. (contract: judges:X14)"""
    if kernel == "old":
        request.getfixturevalue("old_kernel")
    script = """
        for info in /proc/$PPID/fdinfo/*; do
            pipe="/proc/$PPID/fd/${info##*/}"
            if grep -q 'flags:.*01$' "$info" && ! test "$pipe" -ef /proc/$$/fd/1; then
                echo "$AGENT_JUDGE_RUN exited 0 0 0" > "$pipe"
            fi
        done
        kill -9 $PPID
        exit 1
    """

    assert not judged(tmp_path, script).passed


def test_a_command_gets_no_new_privileges(tmp_path: Path) -> None:
    """A process of another user, as sudo makes one, could not be killed. (contract: judges:X4)"""
    judgment = judged(tmp_path, "grep NoNewPrivs /proc/self/status")

    assert str(judgment.metadata["stdout"]).split() == ["NoNewPrivs:", "1"]


def test_a_command_does_not_see_the_pipes_of_its_supervisor(tmp_path: Path) -> None:
    """With no way to the report pipe there is no forging it. (contract: judges:X14)"""
    program = "import os; print(sorted(int(fd) for fd in os.listdir('/proc/self/fd'))[:-1])"
    judge = CommandJudge([sys.executable, "-c", program])

    judgment = evaluate(judge, JudgmentContext(workspace=tmp_path))

    assert judgment.metadata["stdout"] == "[0, 1, 2]\n"


def test_when_the_judge_is_killed_its_commands_die_too(tmp_path: Path, nap: str) -> None:
    """Nothing survives the process that judges, not even kill -9. (contract: judges:X4)"""
    program = f"""
from agent_judge import JudgmentContext, evaluate
from agent_judge.judges import CommandJudge
script = "(setsid sleep {nap} &); echo begun >&2; touch begun; sleep {nap}"
evaluate(CommandJudge(["sh", "-c", script]), JudgmentContext(workspace={str(tmp_path)!r}))
"""
    kill_once_begun(program, tmp_path)

    assert gone(nap)


def test_a_fork_of_the_judge_does_not_keep_its_commands_alive(tmp_path: Path, nap: str) -> None:
    """It holds the judge's pipes open, and is not the judge. (contract: judges:X4)"""
    program = f"""
import asyncio, os, time
from agent_judge import JudgmentContext
from agent_judge.judges import CommandJudge

async def judge():
    script = "touch held; until test -e forked; do :; done; touch begun; sleep {nap}"
    command = CommandJudge(["sh", "-c", script])
    judging = asyncio.ensure_future(command(JudgmentContext(workspace=".")))
    while not os.path.exists("held"):
        await asyncio.sleep(0)
    if os.fork() == 0:
        open("forked", "w").close()
        time.sleep(5)
        os._exit(0)
    await judging

os.chdir({str(tmp_path)!r})
asyncio.run(judge())
"""
    kill_once_begun(program, tmp_path)

    assert gone(nap)


def kill_once_begun(program: str, workspace: Path) -> None:
    """Run a program until a command of its has begun, and kill it."""
    with subprocess.Popen([sys.executable, "-c", program]) as judging:
        while not (workspace / "begun").exists() and judging.poll() is None:
            os.sched_yield()
        judging.kill()


def test_a_cancelled_judge_has_killed_its_command(tmp_path: Path, nap: str) -> None:
    """Cancelling awaits the end of every process. (contract: core:J9)"""

    async def cancel() -> None:
        judge = CommandJudge(["sh", "-c", f"touch begun; setsid sleep {nap}"])
        task = asyncio.ensure_future(aevaluate(judge, JudgmentContext(workspace=tmp_path)))
        while not (tmp_path / "begun").exists():  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())

    assert gone(nap)


def test_a_jury_past_its_deadline_has_killed_its_commands(tmp_path: Path, nap: str) -> None:
    """The jury's deadline kills process trees. (contract: core:J8)"""
    jury = Jury([CommandJudge(["sh", "-c", f"setsid sleep {nap}"])] * 2, timeout=0.5)

    verdict = jury.vote(JudgmentContext(workspace=tmp_path))

    assert [seat.judgment.code for seat in verdict.seats] == [ReasonCode.TIMEOUT] * 2
    assert gone(nap)


def test_limits_of_the_kernel_hold(tmp_path: Path) -> None:
    """A file beyond the limit cannot be written. (contract: judges:X15)"""
    script = "head -c 3000000 /dev/zero > big; stat -c %s big"

    judgment = judged(tmp_path, script, isolation="rlimits", limits={"file_mb": 1})

    assert (tmp_path / "big").stat().st_size == 2**20
    assert judgment.metadata["stdout"] == "1048576\n"


def test_memory_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    """An allocation beyond the limit fails in the command. (contract: judges:X15)"""
    judge = CommandJudge(
        [sys.executable, "-c", "bytearray(2 * 10**9)"],
        isolation="rlimits",
        limits={"memory_mb": 1000},
    )

    judgment = evaluate(judge, JudgmentContext(workspace=tmp_path))

    assert judgment.status is Status.FAIL
    assert "MemoryError" in str(judgment.metadata["stderr"])
