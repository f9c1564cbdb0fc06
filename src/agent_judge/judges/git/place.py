"""Where the repository of a workspace is."""

from __future__ import annotations

from pathlib import Path

from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.paths import Workspace, WorkspaceError
from agent_judge.judgment import ReasonCode


def git_directory(workspace: Workspace, repository: str | Path | None) -> Path:
    """The repository that is named, else the `.git` directory of the workspace.

    Args:
        workspace: The workspace, which may not lead git to a repository elsewhere.
        repository: A repository, or a folder with a `.git`, on the side of whoever judges.

    Raises:
        WorkspaceError: The workspace has none of its own.
    """
    if repository is not None:
        given = Path(repository).absolute()
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
