from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from agent_judge.judges.process.grouped import run_in_group
from agent_judge.judges.process.isolation import Isolation, IsolationUnavailableError, Limits
from agent_judge.judges.process.records import Completed, Exited, NotStarted, Signalled, TimedOut
from unit.judges.process.commands import a_command

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the commands are POSIX's")


def grouped(workspace: Path, script: str, **fields: Any) -> Completed:
    """How a script of the shell ends where there is no supervisor."""
    return asyncio.run(run_in_group(a_command(workspace, "sh", "-c", script, **fields), "/bin/sh"))


def test_the_exit_code_and_what_was_printed_are_told(tmp_path: Path) -> None:
    """A command ends as it does behind a supervisor. (contract: judges:X1)"""
    completed = grouped(tmp_path, "cat; echo err >&2; exit 3", stdin="in")

    assert completed.ending == Exited(3)
    assert (completed.stdout, completed.stderr) == ("in", "err\n")


def test_a_signal_is_told(tmp_path: Path) -> None:
    """A death by signal is no exit code. (contract: judges:X3)"""
    assert grouped(tmp_path, "kill -9 $$").ending == Signalled(9)


def test_a_deadline_kills_the_group(tmp_path: Path) -> None:
    """What stays in the group dies with it, and its streams close. (contract: judges:X4)"""
    completed = grouped(tmp_path, "sleep 100 & echo hi; wait", timeout=0.3)

    assert completed.ending == TimedOut()
    assert completed.stdout == "hi\n"


def test_a_process_in_the_background_is_killed(tmp_path: Path) -> None:
    """The command's own end is its end. (contract: judges:X5)"""
    completed = grouped(tmp_path, "sleep 100 & echo hi")

    assert completed.ending == Exited(0)
    assert completed.stdout == "hi\n"
    assert completed.elapsed < 50


def test_what_cannot_be_started_is_told(tmp_path: Path) -> None:
    """A script without its interpreter is not found. (contract: judges:X3)"""
    script = tmp_path / "script"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)

    completed = asyncio.run(run_in_group(a_command(tmp_path, "./script"), str(script)))

    assert completed.ending == NotStarted(2)


def test_limits_of_the_kernel_hold(tmp_path: Path) -> None:
    """They are set before the command begins. (contract: judges:X15)"""
    limits = Limits(open_files=99)

    completed = grouped(tmp_path, "ulimit -n", isolation=Isolation.RLIMITS, limits=limits)

    assert completed.stdout == "99\n"


def test_limits_that_are_refused_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command never runs with fewer limits than asked for. (contract: judges:X15)"""
    monkeypatch.setattr("agent_judge.judges.process.isolation.MEMORY", "RLIMIT_UNKNOWN")

    with pytest.raises(IsolationUnavailableError):
        grouped(tmp_path, "touch made", isolation=Isolation.RLIMITS)

    assert not (tmp_path / "made").exists()


def test_a_sandbox_cannot_be_had(tmp_path: Path) -> None:
    """Bubblewrap needs Linux. (contract: judges:X15)"""
    with pytest.raises(IsolationUnavailableError, match="bubblewrap"):
        grouped(tmp_path, "true", isolation=Isolation.BUBBLEWRAP)
