from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from secrets import randbelow
from typing import Any

import pytest

from agent_judge import Judgment, JudgmentContext, Jury, ReasonCode, Status, aevaluate, evaluate
from agent_judge.judges import CommandJudge
from agent_judge.judges.process import isolation
from agent_judge.judges.process.isolation import Isolation, IsolationUnavailableError

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


def judged(workspace: Path, script: str, **options: Any) -> Judgment:
    """The judgment on a script of the shell."""
    judge = CommandJudge(["sh", "-c", script], **options)
    return evaluate(judge, JudgmentContext(workspace=workspace))


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


def test_a_flood_of_a_gigabyte_is_read_and_dropped(tmp_path: Path) -> None:
    """However much is printed, little is kept. (contract: judges:X6)"""
    judgment = judged(tmp_path, "head -c 1000000000 /dev/zero", timeout=100)

    assert judgment.passed
    assert len(str(judgment.metadata["stdout"])) < 70_000


def test_a_command_that_kills_its_supervisor_is_no_success(tmp_path: Path, nap: str) -> None:
    """What got away is found and killed, and the judgment is an error. (contract: judges:X4)"""
    script = f"kill -9 $PPID; (setsid sleep {nap} &); sleep {nap}; exit 0"

    judgment = judged(tmp_path, script, timeout=20)

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.COMMAND_KILLED)
    assert gone(nap)


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
    with subprocess.Popen([sys.executable, "-c", program]) as judging:
        while not (tmp_path / "begun").exists() and judging.poll() is None:
            os.sched_yield()
        judging.kill()

    assert gone(nap)


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


def test_a_sandbox_has_no_network_and_writes_only_to_the_workspace(tmp_path: Path) -> None:
    """Bubblewrap keeps everything else as it was, and hides the home. (contract: judges:X15)"""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    script = f"""
        echo made > made
        touch {tmp_path}/outside 2>/dev/null
        touch /etc/made 2>/dev/null && echo WROTE-ETC
        tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '
        ls -A "$HOME/.ssh" 2>/dev/null
        cat made
    """

    judgment = judged(workspace, script, isolation="bubblewrap")

    assert judgment.passed, judgment.reasoning
    assert judgment.metadata["stdout"] == "lo\nmade\n"
    assert not (tmp_path / "outside").exists()


def test_a_sandboxed_command_that_is_killed_is_an_error(tmp_path: Path, nap: str) -> None:
    """Killed inside a sandbox is killed all the same. (contract: judges:X3, judges:X15)"""
    judgment = judged(tmp_path, f"setsid sleep {nap} & kill -9 $$", isolation="bubblewrap")

    assert judgment.code is ReasonCode.COMMAND_KILLED
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


def test_an_isolation_that_cannot_be_had_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Isolation never becomes weaker silently. (contract: judges:X15)"""
    monkeypatch.setenv("PATH", "/nonexistent")
    isolation._bubblewrap_fault.cache_clear()
    try:
        with pytest.raises(IsolationUnavailableError, match="install"):
            isolation.require(Isolation.BUBBLEWRAP)
        judgment = judged(tmp_path, "echo ran", isolation="bubblewrap")
    finally:
        isolation._bubblewrap_fault.cache_clear()

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.ISOLATION_UNAVAILABLE)
