"""Files as a revision of a git repository holds them."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_judge.engine import check_timeout
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.paths import Workspace, WorkspaceError
from agent_judge.judges.files.reading import chunks
from agent_judge.judges.files.tree import Budget, Entry
from agent_judge.judges.git.objects import Mode, malformed, object_hash
from agent_judge.judges.git.repository import Repository, TreeFile, check_revision, find_git
from agent_judge.judges.showing import shown
from agent_judge.judgment import ReasonCode

if TYPE_CHECKING:
    from agent_judge.judges.files.globs import Globs
    from agent_judge.judges.files.unchanged import Selection

_HAS_EXECUTABLE_BIT: Final = os.name == "posix"


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

        with self._open(workspace) as repository:
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
            return recorded == _link(workspace, entry.path, like)
        return recorded == _file(workspace, entry.path, like, size_limit)

    def _open(self, workspace: Workspace) -> Repository:
        directory = self._directory(workspace)
        return Repository(directory, find_git(workspace.path), self.timeout)

    def _directory(self, workspace: Workspace) -> Path:
        if self.repository is not None:
            given = Path(self.repository).absolute()
            return given / ".git" if (given / ".git").exists() else given
        match workspace.kind(".git"):
            case Kind.FOLDER:
                return workspace.real_path(".git")
            case None:
                reason = "the workspace is no git repository; give the repository to compare with"
                raise WorkspaceError(reason, ReasonCode.MISSING_INPUT)
            case _:
                reason = (
                    ".git of the workspace names a repository elsewhere; "
                    "give the repository to compare with"
                )
                raise WorkspaceError(reason, ReasonCode.OUTSIDE_WORKSPACE)


def _is_meant(file: TreeFile, globs: Globs) -> bool:
    """Whether patterns match a file, or reach into a submodule."""
    progress = globs.progress(file.path)
    return progress.complete or (file.mode is Mode.COMMIT and progress.open)


def _fingerprint(file: TreeFile) -> str:
    if file.mode is Mode.COMMIT:
        raise malformed(f"{shown(file.path)} is a submodule, which is not examined; exclude it")
    executable = file.mode is Mode.EXECUTABLE
    mode = Mode.FILE if executable and not _HAS_EXECUTABLE_BIT else file.mode
    return f"{mode.value} {file.id}"


def _link(workspace: Workspace, path: str, like: str) -> str:
    target = os.fsencode(workspace.link_target(path))
    hasher = object_hash("blob", len(target), like)
    hasher.update(target)
    return f"{Mode.LINK.value} {hasher.hexdigest()}"


def _file(workspace: Workspace, path: str, like: str, size_limit: int) -> str:
    with workspace.open(path) as descriptor:
        status = os.fstat(descriptor)
        hasher = object_hash("blob", status.st_size, like)
        for chunk in chunks(descriptor, path, size_limit):
            hasher.update(chunk)
    executable = _HAS_EXECUTABLE_BIT and status.st_mode & stat.S_IXUSR
    mode = Mode.EXECUTABLE if executable else Mode.FILE
    return f"{mode.value} {hasher.hexdigest()}"
