"""`agent-judge hook`, fed what Claude Code writes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.integration


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace whose work is done once a file is there."""
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "agent-judge.toml").write_text(
        '[[judges]]\nname = "made"\ntype = "file_exists"\npath = "done.txt"\n'
    )
    return folder


def stop(workspace: Path, *options: str, active: bool = False, **changes: Any) -> Any:
    """What the hook answers when the agent wants to stop."""
    event = {
        "session_id": "s1",
        "transcript_path": "/nowhere",
        "cwd": str(workspace),
        "hook_event_name": "Stop",
        "stop_hook_active": active,
        **changes,
    }
    done = run(json.dumps(event), *options, "--state", str(workspace.parent / "state"))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def run(stdin: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the hook in a process of its own."""
    program = [sys.executable, "-m", "agent_judge.cli", "hook", "claude-code", *options]
    return subprocess.run(
        program, input=stdin, capture_output=True, text=True, timeout=60, check=False, cwd="/"
    )


def test_work_that_is_done_may_end(workspace: Path) -> None:
    """There is nothing to say."""
    (workspace / "done.txt").touch()

    assert stop(workspace) == {}


def test_work_that_is_not_done_goes_on_until_the_cap(workspace: Path) -> None:
    """With the feedback; then the person is told."""
    first = stop(workspace)
    second = stop(workspace, active=True)
    third = stop(workspace, active=True)

    assert first["decision"] == second["decision"] == "block"
    assert "done.txt" in first["reason"]
    assert "Attempt 2 was not approved" in second["reason"]
    assert "decision" not in third
    assert "not approved" in third["systemMessage"]


def test_a_new_turn_begins_anew(workspace: Path) -> None:
    """What was counted before counts no more."""
    for active in (False, True):
        assert stop(workspace, active=active)["decision"] == "block"

    assert stop(workspace, active=False)["decision"] == "block"
    assert stop(workspace, active=True)["decision"] == "block"


def test_a_count_that_is_lost_ends_it(workspace: Path) -> None:
    """Nobody runs in circles."""
    assert "decision" not in stop(workspace, active=True)


def test_conversations_are_counted_apart(workspace: Path) -> None:
    """Each has its own attempts."""
    assert stop(workspace, "-n", "2")["decision"] == "block"
    assert "decision" not in stop(workspace, "-n", "2", active=True, session_id="s2")
    assert "decision" not in stop(workspace, "-n", "2", active=True)


def test_where_nobody_could_judge_it_goes_on(workspace: Path) -> None:
    """It fails open only when told."""
    (workspace / "agent-judge.toml").write_text("not TOML")

    assert "could not judge" in stop(workspace)["reason"]
    assert "nobody could judge" in stop(workspace, "--fail-open")["systemMessage"]
    assert "nobody could judge" in stop(workspace, "-n", "1")["systemMessage"]


@pytest.mark.parametrize("stdin", ["", "not JSON", "[]", '{"hook_event_name": "PreToolUse"}'])
def test_what_cannot_be_read_blocks(stdin: str) -> None:
    """By the exit code, since there is nobody to answer; unless told otherwise."""
    blocked, let_go = run(stdin), run(stdin, "--fail-open")

    assert (blocked.returncode, let_go.returncode) == (2, 0)
    assert "cannot be read" in blocked.stderr
    assert blocked.stdout == ""


def test_an_unknown_tool_is_refused() -> None:
    """The known ones are named."""
    program = [sys.executable, "-m", "agent_judge.cli", "hook", "emacs"]
    done = subprocess.run(program, input="{}", capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "emacs" in done.stderr
