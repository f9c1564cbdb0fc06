from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agent_judge import Judgment, JudgmentContext, ReasonCode, Status, evaluate
from agent_judge.judges import CommandJudge, TestsPassJudge


def fault_of_bubblewrap() -> str | None:
    """Why it cannot be used here; where the tests are the project's own, that fails them."""
    if os.environ.get("CI") == "true":
        return None
    if sys.platform != "linux" or shutil.which("bwrap") is None:
        return "there is no bubblewrap"
    trial = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
    done = subprocess.run(trial, capture_output=True, text=True, check=False)
    return done.stderr.strip() if done.returncode else None


FAULT = fault_of_bubblewrap()

pytestmark = [pytest.mark.integration, pytest.mark.skipif(FAULT is not None, reason=str(FAULT))]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace beside which there is room for what it must not touch."""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    return workspace


def sandboxed(workspace: Path, script: str, *words: str, **options: Any) -> Judgment:
    """The judgment on a script that runs in a sandbox."""
    judge = CommandJudge(["sh", "-c", script, *words], isolation="bubblewrap", **options)
    return evaluate(judge, JudgmentContext(workspace=workspace))


def test_the_workspace_can_be_written(workspace: Path) -> None:
    """What the command makes there stays. (contract: judges:X15)"""
    assert sandboxed(workspace, "echo made > made").passed
    assert (workspace / "made").read_text() == "made\n"


def test_nothing_else_can_be_written(workspace: Path, tmp_path: Path) -> None:
    """The system is read-only, and /tmp is another. (contract: judges:X15)"""
    script = "touch /etc/made /usr/made 2>/dev/null; touch /tmp/made-in-a-sandbox; touch $0/made"

    sandboxed(workspace, script, str(tmp_path))

    for place in ("/etc", "/usr", tmp_path):
        assert not Path(place, "made").exists()
    assert not Path("/tmp/made-in-a-sandbox").exists()


@pytest.mark.parametrize(
    "script",
    [
        "mount -o remount,rw,bind /",
        "umount /proc",
        "mount -t tmpfs none /mnt",
        "mknod device b 8 0",
        "chroot / true",
        "unshare --user --map-root-user --mount mount -o remount,rw,bind /",
    ],
)
def test_the_sandbox_cannot_be_undone(workspace: Path, script: str) -> None:
    """Not even root has a capability in it. (contract: judges:X15)"""
    assert sandboxed(workspace, script).status is not Status.PASS


def test_there_is_no_capability(workspace: Path) -> None:
    """Whoever judges, the command is nobody in particular. (contract: judges:X15)"""
    judgment = sandboxed(workspace, "grep -E 'Cap(Prm|Eff|Bnd)' /proc/self/status")

    lines = str(judgment.metadata["stdout"]).split()
    assert set(lines[1::2]) == {"0" * 16}


def test_there_is_no_network(workspace: Path) -> None:
    """A server of this machine is out of reach, too. (contract: judges:X15)"""
    program = "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])), 5)"
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        python = str(Path(sys.executable).resolve())
        judgment = sandboxed(
            workspace,
            '"$0" -c "$1" "$2"',
            python,
            program,
            port,
            readable=[sys.base_prefix],
        )

    assert judgment.status is Status.FAIL
    assert "ConnectionRefusedError" in str(judgment.metadata["stderr"])


def test_the_home_is_empty(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys that lie there cannot be read. (contract: judges:X15)"""
    home = tmp_path / "home"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh" / "id").write_text("secret")
    monkeypatch.setenv("HOME", str(home))

    judgment = sandboxed(workspace, 'ls -A "$HOME"; cat "$HOME/.ssh/id" ~root/.ssh/* 2>/dev/null')

    assert judgment.metadata["stdout"] == ""


def test_a_workspace_in_the_home_is_all_that_is_left_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of the home is hidden. (contract: judges:X15)"""
    home = tmp_path / "home"
    (home / "work").mkdir(parents=True)
    (home / "secret").touch()
    monkeypatch.setenv("HOME", str(home))

    judgment = sandboxed(home / "work", 'touch made; ls -A "$HOME"')

    assert judgment.metadata["stdout"] == "work\n"
    assert (home / "work" / "made").exists()


def test_other_processes_are_out_of_sight(workspace: Path) -> None:
    """Neither the judge nor its environment can be looked into. (contract: judges:X15)"""
    judgment = sandboxed(workspace, "kill -0 $0 || basename -a /proc/[0-9]*", str(os.getppid()))

    assert len(str(judgment.metadata["stdout"]).split()) < 5


def test_the_pipes_of_the_sandbox_are_not_handed_on(workspace: Path) -> None:
    """How the command ended is for the sandbox to say. (contract: judges:X15)"""
    judgment = sandboxed(workspace, "for open in /proc/$$/fd/*; do readlink $open; done")

    assert len(str(judgment.metadata["stdout"]).split()) == 3


def test_a_program_that_the_sandbox_hides_is_an_error(workspace: Path, tmp_path: Path) -> None:
    """The work is not to blame for what the judge hid. (contract: judges:X3, judges:X15)"""
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    judge = CommandJudge([str(tool)], isolation="bubblewrap")

    judgment = evaluate(judge, JudgmentContext(workspace=workspace))

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.COMMAND_NOT_FOUND)
    assert "readable=" in judgment.reasoning


def test_a_tool_can_be_declared_readable(workspace: Path, tmp_path: Path) -> None:
    """A toolchain in a hidden place is shown where it is named. (contract: judges:X15)"""
    tool = tmp_path / "tools" / "tool"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\necho ran; touch $0.written\n")
    tool.chmod(0o755)
    judge = CommandJudge([str(tool)], isolation="bubblewrap", readable=[str(tool.parent)])

    judgment = evaluate(judge, JudgmentContext(workspace=workspace))

    assert judgment.metadata["stdout"] == "ran\n"
    assert not Path(f"{tool}.written").exists()


def test_a_failure_is_a_failure(workspace: Path) -> None:
    """An exit code passes through the sandbox. (contract: judges:X2, judges:X15)"""
    judgment = sandboxed(workspace, "exit 1")

    assert (judgment.status, judgment.metadata["exit_code"]) == (Status.FAIL, 1)


def test_a_killed_command_is_an_error(workspace: Path) -> None:
    """Killed in a sandbox is killed all the same. (contract: judges:X3, judges:X15)"""
    assert sandboxed(workspace, "kill -9 $$").code is ReasonCode.COMMAND_KILLED


@pytest.mark.parametrize("script", ["setsid sleep 100 & exit 0", "setsid sleep 100"])
def test_nothing_of_it_is_left_alive(workspace: Path, script: str) -> None:
    """What holds the workspace open would show. (contract: judges:X4, judges:X15)"""
    os.mkfifo(workspace / "alive")
    reading = os.open(workspace / "alive", os.O_RDONLY | os.O_NONBLOCK)

    sandboxed(workspace, f"exec 3> alive; {script}", timeout=1)

    assert os.read(reading, 1) == b""  # nobody holds the other end
    os.close(reading)


def test_limits_of_the_kernel_hold_in_a_sandbox(workspace: Path) -> None:
    """A sandbox has limits, too. (contract: judges:X15)"""
    judgment = sandboxed(workspace, "ulimit -n", limits={"open_files": 99})

    assert judgment.metadata["stdout"] == "99\n"


SHUT_IN = """import socket, pathlib
import pytest

def test_the_network_is_off():
    with pytest.raises(OSError):
        socket.create_connection(("192.0.2.1", 80), timeout=5)

def test_nothing_else_can_be_written():
    with pytest.raises(OSError):
        pathlib.Path("/usr/planted").write_text("x")
    pathlib.Path("here").write_text("x")
"""


def test_tests_run_in_a_sandbox(tmp_path: Path) -> None:
    """Watched as elsewhere, without the network. (contract: judges:X10, judges:X15)"""
    (tmp_path / "test_shut_in.py").write_text(SHUT_IN)
    lean = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    judge = TestsPassJudge("pytest", python=sys.executable, env=lean, isolation="bubblewrap")

    judgment = evaluate(judge, JudgmentContext(workspace=tmp_path))

    assert judgment.passed, judgment.reasoning
    assert judgment.metadata["passed"] == 2
