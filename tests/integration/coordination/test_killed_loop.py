"""kill -9 at any moment: the run goes on, and ends as if nothing had happened."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.integration

POINTS = int(os.environ.get("AGENT_JUDGE_KILLS", "12"))
"""How often a loop is killed; `benchmarks/README.md` has the figure for many more."""

PROGRAM = Path(__file__).with_name("killed_loop.py")


def git(root: Path, *arguments: str) -> None:
    """Run git as a user would."""
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def a_folder(place: Path) -> Path:
    """A folder with a workspace that is a repository with a commit, a stash and an index."""
    workspace = place / "workspace"
    workspace.mkdir(parents=True)
    (workspace / "log.txt").write_text("begin\n")
    git(workspace, "init", "-q")
    git(workspace, "add", ".")
    git(workspace, "commit", "-q", "-m", "first")
    (workspace / "log.txt").write_text("stashed\n")
    git(workspace, "stash", "-q")
    (workspace / "staged").write_text("s")
    git(workspace, "add", "staged")
    return place


def content(root: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def run(folder: Path, step: int | None = None) -> Any:
    """Run the loop to its end, or to a step."""
    arguments = [] if step is None else [str(step)]
    command = [sys.executable, str(PROGRAM), str(folder), *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if step is not None:
        assert done.returncode == -signal.SIGKILL, done.stderr
        return None
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def without_steps(result: Any) -> Any:
    """What has to be the same."""
    return {key: value for key, value in result.items() if key != "steps"}


def test_killed_at_any_step(tmp_path: Path) -> None:
    """The result, the workspace and the user's repository are what they would have been."""
    template = a_folder(tmp_path / "template")
    whole = tmp_path / "whole"
    shutil.copytree(template, whole, symlinks=True)
    repository = content(whole / "workspace/.git")
    expected = run(whole)
    end = content(whole / "workspace")
    assert content(whole / "workspace/.git") == repository
    assert expected["output"].startswith("begin")

    steps = random.Random(5).sample(range(1, expected["steps"]), POINTS)
    for step in steps:
        folder = tmp_path / f"killed-{step}"
        shutil.copytree(template, folder, symlinks=True)
        run(folder, step)
        assert without_steps(run(folder)) == without_steps(expected), step
        assert content(folder / "workspace") == end, step
        shutil.rmtree(folder)
