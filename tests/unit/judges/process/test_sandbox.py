from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from agent_judge import Judgment, ReasonCode, Status
from agent_judge.judges.process.isolation import IsolationUnavailableError
from agent_judge.judges.process.records import Exited, NotStarted, Signalled
from agent_judge.judges.process.sandbox import ending_in_sandbox, not_in_sandbox, sandboxed
from unit.judges.process.commands import a_command, judged

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap needs Linux")


@pytest.fixture
def bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that stands in for bubblewrap, for commands that only wrap."""
    program = tmp_path / "tools" / "bwrap"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    return program


def wrapped(workspace: Path, **fields: Any) -> list[tuple[str, ...]]:
    """The options that a command is wrapped in, each with its values."""
    workspace.mkdir(exist_ok=True)
    words = sandboxed(a_command(workspace, "true", **fields), "/bin/true")
    options: list[tuple[str, ...]] = []
    for word in words[1 : words.index("--")]:
        options = (
            [*options, (word,)]
            if word.startswith("--")
            else [
                *options[:-1],
                (*options[-1], word),
            ]
        )
    return options


@pytest.mark.usefixtures("bubblewrap")
def test_the_homes_are_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the environment as well as those of the system. (contract: judges:X15)"""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr("agent_judge.judges.process.sandbox.HIDDEN", ("/root",))

    options = wrapped(tmp_path / "workspace")

    assert ("--tmpfs", str(home)) in options
    assert ("--tmpfs", "/root") in options


@pytest.mark.usefixtures("bubblewrap")
def test_a_home_that_is_the_root_hides_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty root would leave no program. (contract: judges:X15)"""
    monkeypatch.setenv("HOME", "/")

    assert ("--tmpfs", "/") not in wrapped(tmp_path / "workspace")


@pytest.mark.usefixtures("bubblewrap")
def test_directories_of_the_path_and_declared_ones_stay_readable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A toolchain in the home can be named; the home itself is not shown. (contract: judges:X15)"""
    for name in ("home/bin", "home/toolchain"):
        (tmp_path / name).mkdir(parents=True)
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr("agent_judge.judges.process.sandbox.HIDDEN", ())

    shown = [
        option
        for option in wrapped(
            tmp_path / "workspace",
            env={"PATH": f"{home}:{home}/bin:/bin"},
            readable=(f"{home}/toolchain",),
        )
        if option[0] == "--ro-bind"
    ]

    assert shown == [
        ("--ro-bind", "/", "/"),
        ("--ro-bind", f"{home}/bin", f"{home}/bin"),
        ("--ro-bind", f"{home}/toolchain", f"{home}/toolchain"),
    ]


@pytest.mark.usefixtures("bubblewrap")
def test_a_directory_is_shown_where_its_link_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link in a hidden directory is hidden with it. (contract: judges:X15)"""
    for name in ("home", "opt"):
        (tmp_path / name).mkdir()
    link = tmp_path / "home" / "bin"
    link.symlink_to(tmp_path / "opt")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr("agent_judge.judges.process.sandbox.HIDDEN", ())

    options = wrapped(tmp_path / "workspace", env={"PATH": str(link)})

    assert ("--ro-bind", str(tmp_path / "opt"), str(link)) in options


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize(
    ("directory", "is_set"), [("/scratch", True), ("relative", True), ("inside", False)]
)
def test_temporary_files_go_where_the_sandbox_can_write(
    tmp_path: Path, directory: str, is_set: bool
) -> None:
    """A TMPDIR outside would be read-only. (contract: judges:X15)"""
    given = str(tmp_path / "workspace" / "tmp") if directory == "inside" else directory

    options = wrapped(tmp_path / "workspace", env={"PATH": "/bin", "TMPDIR": given})

    assert (("--setenv", "TMPDIR", "/tmp") in options) == is_set


def test_a_bubblewrap_planted_in_the_workspace_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sandbox of the judged work holds nothing back. (contract: judges:X8, judges:X15)"""
    planted = tmp_path / "bwrap"
    planted.write_text("#!/bin/sh\n")
    planted.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(IsolationUnavailableError, match="install the package"):
        sandboxed(a_command(tmp_path, "true"), "/bin/true")


def test_without_bubblewrap_nothing_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Isolation never becomes weaker silently. (contract: judges:X15)"""
    monkeypatch.setenv("PATH", "/nonexistent")

    judgment = judged(tmp_path, ["/bin/sh", "-c", "touch made"], isolation="bubblewrap")

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.ISOLATION_UNAVAILABLE)
    assert not (tmp_path / "made").exists()


def test_a_sandbox_that_cannot_be_set_up_is_an_error(bubblewrap: Path, tmp_path: Path) -> None:
    """Its exit code is not the command's. (contract: judges:X15)"""
    bubblewrap.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\n")
    workspace = tmp_path / "workspace"
    workspace.mkdir()

    judgment: Judgment = judged(workspace, "true", isolation="bubblewrap")

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.ISOLATION_UNAVAILABLE)
    assert "No permissions" in judgment.reasoning


def test_a_killed_command_is_told_from_one_that_exits() -> None:
    """Bubblewrap gives 128 + n for signal n, as a shell does. (contract: judges:X3)"""
    assert ending_in_sandbox(137) == Signalled(9)
    assert ending_in_sandbox(128) == Exited(128)
    assert ending_in_sandbox(255) == Exited(255)


def test_a_program_that_the_sandbox_hides_was_not_started() -> None:
    """Bubblewrap says so, and ends with 1. (contract: judges:X3)"""
    assert not_in_sandbox("bwrap: execvp /root/x: No such file or directory\n") == NotStarted(2)


def test_the_isolation_is_recorded(tmp_path: Path) -> None:
    """Evidence says under what it was gathered. (contract: judges:X15)"""
    assert judged(tmp_path, "true", isolation="rlimits").metadata["isolation"] == "rlimits"
