"""Works to judge: a repository with a base, and what was made of its files."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agent_judge import Judgment, JudgmentContext, evaluate
from agent_judge.judges.deadline import Deadline
from agent_judge.judges.diff import GitChanges
from agent_judge.judges.diff.comparing import with_lines
from agent_judge.judges.diff.reading import read_changes
from agent_judge.judges.diff.records import ChangeSet
from agent_judge.judges.diff.sources import Changes
from agent_judge.judges.git.repository import find_git
from agent_judge.judges.git.scratch import Git
from agent_judge.protocol import Judge

ENVIRONMENT = {
    "PATH": os.environ.get("PATH", os.defpath),
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


@dataclass(frozen=True)
class Work:
    """A workspace that is a repository; its base is the commit that `begin` made."""

    folder: Path
    base: str

    def git(self, *arguments: str) -> str:
        """Run git in it."""
        return run_git(self.folder, *arguments)

    def write(self, files: Mapping[str, str | bytes]) -> None:
        """Write files into it."""
        write(self.folder, files)

    def commit(self, files: Mapping[str, str | bytes] | None = None) -> str:
        """Commit everything in it, with these files written first."""
        self.write(files or {})
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message=m")
        return self.git("rev-parse", "HEAD")

    def changes(self, changes: Changes | None = None, *, lines: bool = True) -> ChangeSet:
        """What changed since the base, unless another change is asked for."""
        asked = changes or GitChanges(self.base)
        found = read_changes(JudgmentContext(workspace=self.folder), asked)
        if not lines:
            return found
        git = Git(find_git(self.folder), Deadline(60, "the test"))
        return with_lines(found, asked.bounds, git)

    def judged(self, judge: Judge) -> Judgment:
        """What a judge says of it."""
        return evaluate(judge, JudgmentContext(workspace=self.folder))


def begin(folder: Path, files: Mapping[str, str | bytes]) -> Work:
    """A work that begins with these files."""
    folder.mkdir(parents=True, exist_ok=True)
    run_git(folder, "init", "--quiet", "--initial-branch=main")
    return Work(folder, Work(folder, "").commit(files))


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files into a folder."""
    for name, content in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)


def run_git(folder: Path, *arguments: str) -> str:
    """Run git in a folder."""
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=ENVIRONMENT, check=True, capture_output=True
    )
    return done.stdout.decode(errors="surrogateescape").strip()


def said(judgment: Judgment) -> list[str]:
    """The place and message of each failed check."""
    return [f"{check.location}: {check.message}" for check in judgment.failed_checks]


def named(change: ChangeSet) -> dict[str, str]:
    """What became of each file, by its paths."""
    return {" -> ".join(file.paths): file.kind.value for file in change.files}
