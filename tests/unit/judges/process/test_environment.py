from __future__ import annotations

from pathlib import Path

import pytest

from agent_judge.judges.process.environment import environment, find_program, safe_path


def a_program(path: Path, mode: int = 0o755) -> Path:
    """A file that can be executed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    path.chmod(mode)
    return path


def test_a_directory_that_leads_into_the_workspace_is_taken_off(tmp_path: Path) -> None:
    """A link outside that leads in does not help. (contract: judges:X8)"""
    workspace, outside = tmp_path / "workspace", tmp_path / "outside"
    (workspace / "bin").mkdir(parents=True)
    outside.mkdir()
    (outside / "link").symlink_to(workspace / "bin")

    path = safe_path(f"{workspace}:{workspace}/bin:{outside}/link::.:bin:{outside}", workspace)

    assert path == str(outside)


def test_a_link_to_itself_on_the_path_does_no_harm(tmp_path: Path) -> None:
    """Whatever is on PATH, it is read."""
    (tmp_path / "loop").symlink_to("loop")

    assert safe_path(f"{tmp_path}/loop:/bin", tmp_path / "workspace") == f"{tmp_path}/loop:/bin"


def test_the_terminal_is_dumb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs are not led to print colours. (contract: judges:X8)"""
    monkeypatch.setenv("TERM", "xterm-256color")

    assert environment(tmp_path, {}, ())["TERM"] == "dumb"


def test_a_program_is_found_on_the_path(tmp_path: Path) -> None:
    """The first that can be executed counts, before one that cannot. (contract: judges:X3)"""
    a_program(tmp_path / "a" / "tool", mode=0o644)
    second = a_program(tmp_path / "b" / "tool")

    assert find_program("tool", f"{tmp_path}/a:{tmp_path}/b", Path("/")) == str(second)


def test_a_program_that_cannot_be_executed_is_found_all_the_same(tmp_path: Path) -> None:
    """It will be refused as such, not as missing. (contract: judges:X3)"""
    first = a_program(tmp_path / "tool", mode=0o644)

    assert find_program("tool", str(tmp_path), Path("/")) == str(first)


def test_relative_words_and_directories_start_at_the_working_directory(tmp_path: Path) -> None:
    """Where whoever judges happens to be does not count. (contract: judges:X8)"""
    tool = a_program(tmp_path / "bin" / "tool")

    assert find_program("bin/tool", "", tmp_path) == str(tool)
    assert find_program("tool", "bin", tmp_path) == str(tool)
    assert find_program("tool", "", tmp_path / "bin") is None
