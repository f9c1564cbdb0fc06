"""What git would call a file of a workspace: its mode, and the name of its content."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from typing import Final

from agent_judge.judges.files.paths import Workspace
from agent_judge.judges.files.reading import chunks
from agent_judge.judges.git.objects import Mode, object_hash

HAS_EXECUTABLE_BIT: Final = os.name == "posix"


def hash_link(workspace: Workspace, path: str, like: str) -> str:
    """The name of a symbolic link's content, which is its target as it stands."""
    target = os.fsencode(workspace.link_target(path))
    hasher = object_hash("blob", len(target), like)
    hasher.update(target)
    return hasher.hexdigest()


def hash_file(
    workspace: Workspace,
    path: str,
    like: str,
    size_limit: int,
    between: Callable[[], None] = lambda: None,
) -> tuple[Mode, str]:
    """The mode of a file, and the name of its raw bytes: no filter of git is applied.

    Args:
        workspace: Where it is.
        path: The file.
        like: A name of the repository, by whose length its hash is known.
        size_limit: Bytes that are read at most.
        between: Called between the parts of a long file; what it raises ends the reading.

    Raises:
        WorkspaceError: It cannot be read, or is too large.
    """
    with workspace.open(path) as descriptor:
        status = os.fstat(descriptor)
        hasher = object_hash("blob", status.st_size, like)
        for chunk in chunks(descriptor, path, size_limit):
            hasher.update(chunk)
            between()
    return file_mode(status), hasher.hexdigest()


def file_mode(status: os.stat_result) -> Mode:
    """Whether git takes a file for executable."""
    executable = HAS_EXECUTABLE_BIT and status.st_mode & stat.S_IXUSR
    return Mode.EXECUTABLE if executable else Mode.FILE
