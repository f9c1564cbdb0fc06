"""Files as a revision of a git repository holds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agent_judge.engine import check_timeout
from agent_judge.judges.files.baseline import Selection
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.globs import Globs
from agent_judge.judges.files.paths import Workspace
from agent_judge.judges.files.tree import Budget, Entry
from agent_judge.judges.git.hashing import HAS_EXECUTABLE_BIT, hash_file, hash_link
from agent_judge.judges.git.objects import Mode, malformed
from agent_judge.judges.git.place import git_directory
from agent_judge.judges.git.repository import Repository, TreeFile, check_revision, find_git
from agent_judge.judges.showing import shown


@dataclass(frozen=True, slots=True)
class GitBaseline:
    """A revision, of which each file's mode and blob are known.

    Args:
        revision: A commit, tag or branch.
        repository: A repository or a folder with a `.git`; that of the workspace unless given.
        timeout: Seconds that reading it may take.

    Raises:
        ArgumentError: What is no revision or timeout.
        ArgumentTypeError: A value of the wrong type.
    """

    revision: str
    repository: str | Path | None
    timeout: float

    def __post_init__(self) -> None:
        check_revision(self.revision)
        check_timeout(self.timeout)

    def recorded(self, workspace: Workspace, selection: Selection, /) -> Mapping[str, str]:
        """The mode and blob of each selected file, by its path."""
        globs = selection.globs

        def enters(path: str) -> bool:
            return globs.progress(path).open and not selection.excludes.folder(path)

        with self.open(workspace) as repository:
            files = repository.files(
                repository.commit(self.revision), enters, Budget(selection.walk_limit)
            )
            return {
                file.path: _fingerprint(file)
                for file in files
                if _is_meant(file, globs) and not selection.excludes.file(file.path)
            }

    def holds(self, workspace: Workspace, entry: Entry, recorded: str, size_limit: int) -> bool:
        """Whether a file or link still has the mode and blob that were recorded."""
        like = recorded.rpartition(" ")[2]
        if entry.kind is Kind.LINK:
            mode, found = Mode.LINK, hash_link(workspace, entry.path, like)
        else:
            mode, found = hash_file(workspace, entry.path, like, size_limit)
        return recorded == f"{mode.value} {found}"

    def open(self, workspace: Workspace) -> Repository:
        """The repository, to read from; it is that of the workspace unless one was given.

        Raises:
            WorkspaceError: There is none, or git is not installed.
        """
        directory = git_directory(workspace, self.repository)
        return Repository(directory, find_git(workspace.path), self.timeout)


def _is_meant(file: TreeFile, globs: Globs) -> bool:
    """Whether patterns match a file, or reach into a submodule."""
    progress = globs.progress(file.path)
    return progress.complete or (file.mode is Mode.COMMIT and progress.open)


def _fingerprint(file: TreeFile) -> str:
    if file.mode is Mode.COMMIT:
        raise malformed(f"{shown(file.path)} is a submodule, which is not examined; exclude it")
    executable = file.mode is Mode.EXECUTABLE
    mode = Mode.FILE if executable and not HAS_EXECUTABLE_BIT else file.mode
    return f"{mode.value} {file.id}"
