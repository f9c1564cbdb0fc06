"""A copy of a workspace, in which tests can be put back to what they were and run."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.paths import Workspace, WorkspaceError
from agent_judge.judges.files.reading import chunks
from agent_judge.judges.files.tree import Budget, Entry, walk
from agent_judge.judgment import ReasonCode

COPY_LIMIT: Final = 2_000_000_000
"""Bytes of a workspace that are copied."""


@contextmanager
def private_folder() -> Generator[Path, None, None]:
    """A folder that only this user can enter, of a name that nobody can guess."""
    with TemporaryDirectory(prefix="agent-judge-", ignore_cleanup_errors=True) as folder:
        yield Path(os.path.realpath(folder))


def copy_workspace(workspace: Workspace, target: Path, walk_limit: int) -> None:
    """Copy a workspace to a folder that does not exist yet.

    Files keep their permissions and times. Links are copied and not followed; one that leads to an
    absolute place in the workspace leads to the same place in the copy. What is no file, directory
    or link is left out.

    Raises:
        WorkspaceError: It is too large, or a file cannot be read.
    """
    target.mkdir(mode=0o700)
    left = COPY_LIMIT
    for entry in walk(workspace, ".", Budget(walk_limit), lambda _path: True):
        left -= entry.size if entry.kind is Kind.FILE else 0
        if left < 0:
            raise WorkspaceError(
                f"the workspace holds more than {COPY_LIMIT} bytes to copy", ReasonCode.TOO_LARGE
            )
        _copy(workspace, entry, target)


def _copy(workspace: Workspace, entry: Entry, target: Path) -> None:
    place = target / entry.path
    match entry.kind:
        case Kind.FOLDER:
            place.mkdir(exist_ok=True)
        case Kind.LINK:
            place.symlink_to(_moved(workspace, workspace.link_target(entry.path), target))
        case Kind.FILE:
            copy_file(workspace, entry.path, place)
        case Kind.SPECIAL:
            pass


def copy_file(workspace: Workspace, path: str, place: Path) -> None:
    """Copy one file, with its permissions and times."""
    with workspace.open(path) as descriptor, place.open("xb") as file:
        status = os.fstat(descriptor)
        for chunk in chunks(descriptor, path, COPY_LIMIT):
            file.write(chunk)
    place.chmod(status.st_mode & 0o777 | 0o200)
    os.utime(place, ns=(status.st_atime_ns, status.st_mtime_ns))


def _moved(workspace: Workspace, link: str, target: Path) -> str:
    """Where a link leads in the copy."""
    for root in (workspace.path.absolute(), workspace.path.resolve()):
        if Path(link).is_relative_to(root):
            return str(target / Path(link).relative_to(root))
    return link
