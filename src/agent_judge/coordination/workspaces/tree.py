"""A folder's content as a list of what is in it, read without following a link."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeAlias

from agent_judge.coordination.workspaces.records import Change, ChangeKind
from agent_judge.errors import ArgumentError


class Kind(Enum):
    """What is at a path; sockets, pipes and devices are no part of a state."""

    FILE = "file"
    LINK = "link"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class Item:
    """What is at a path.

    Attributes:
        kind: What.
        mode: Its permissions; 0 for a link.
        content: The SHA-256 of a file's content, or where a link leads.
        size: Bytes of a file.
    """

    kind: Kind
    mode: int
    content: str = ""
    size: int = 0


Tree: TypeAlias = Mapping[str, Item]
"""What is in a folder, by POSIX path; bytes that are no UTF-8 are escaped as `os.fsdecode` does."""

PERMISSIONS: Final = 0o7777

OPENS_FROM_FOLDERS: Final = os.open in os.supports_dir_fd
"""Whether this system can open a file from an open folder."""


def listed(
    root: int, excluded: frozenset[str], prefix: str = "", *, force: bool = False
) -> Iterator[tuple[str, os.DirEntry[str], int]]:
    """Everything below an open folder: paths, entries, and the folder that each is in.

    Folders come before what is in them. The descriptors are closed when the iteration goes on.

    Args:
        root: The open folder.
        excluded: Paths that are left out.
        prefix: What the paths begin with.
        force: Give the owner back the right to read a folder where that was taken away.
    """
    with os.scandir(root) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        path = f"{prefix}{entry.name}"
        if path in excluded:
            continue
        yield path, entry, root
        if entry.is_dir(follow_symlinks=False):
            folder = _opened(entry.name, root, force=force)
            try:
                yield from listed(folder, excluded, f"{path}/", force=force)
            finally:
                os.close(folder)


def _opened(name: str, folder: int, *, force: bool) -> int:
    try:
        return os.open(name, FOLDER_FLAGS, dir_fd=folder)
    except PermissionError:
        if not force:
            raise
        os.chmod(name, stat.S_IRWXU, dir_fd=folder)
        return os.open(name, FOLDER_FLAGS, dir_fd=folder)


FOLDER_FLAGS: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
FILE_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def kind_of(mode: int) -> Kind | None:
    """The kind of an entry; `None` for what is no part of a state."""
    if stat.S_ISREG(mode):
        return Kind.FILE
    if stat.S_ISLNK(mode):
        return Kind.LINK
    return Kind.FOLDER if stat.S_ISDIR(mode) else None


def differences(older: Tree, newer: Tree) -> tuple[Change, ...]:
    """What differs between two trees, by path."""
    changes = [
        Change(path, ChangeKind.ADDED if path not in older else ChangeKind.CHANGED)
        for path, item in newer.items()
        if older.get(path) != item
    ]
    changes += [Change(path, ChangeKind.REMOVED) for path in older if path not in newer]
    return tuple(sorted(changes, key=lambda change: change.path))


def identity(tree: Tree) -> str:
    """The SHA-256 of a tree: the same for the same state."""
    digest = sha256()
    for path in sorted(tree):
        item = tree[path]
        line = "\0".join((path, item.kind.value, f"{item.mode:o}", item.content))
        digest.update(os.fsencode(line) + b"\0\n")
    return digest.hexdigest()


def shown(path: str) -> str:
    """A path in a message, whatever bytes its name holds."""
    return path.encode("utf-8", "backslashreplace").decode()[:200]


def checked_folder(workspace: str | Path) -> Path:
    """The folder that a keeper is to keep.

    Raises:
        ArgumentError: It is none, or this system cannot open files from an open folder, without
            which a link that was planted meanwhile could be followed.
    """
    place = Path(workspace).resolve()
    if not OPENS_FROM_FOLDERS:
        raise ArgumentError(
            "this system cannot open files from an open folder, as putting a workspace back needs; "
            "leave the workspace as it is, or work on Linux or macOS"
        )
    if not place.is_dir():
        raise ArgumentError(f"the workspace {place} is no folder")
    return place


def open_root(workspace: Path) -> int:
    """Open the folder itself."""
    return os.open(workspace, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
