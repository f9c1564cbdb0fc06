"""The objects of a git repository, as they are stored, and what they are made of."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.files.reading import Hasher
from agent_judge.judgment import ReasonCode


class Hash(Hasher, Protocol):
    """A hash that is being computed."""

    def hexdigest(self) -> str:
        """The hash of what was taken in, in hexadecimal digits."""
        ...


OBJECT_ID: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
"""The full name of an object: its SHA-1, or its SHA-256 in a repository of that format."""

_ALGORITHM: Final = {40: "sha1", 64: "sha256"}


class Mode(Enum):
    """What an entry of a tree is."""

    FILE = "file"
    EXECUTABLE = "executable file"
    LINK = "symbolic link"
    TREE = "directory"
    COMMIT = "submodule"


_MODES: Final = {
    0o040000: Mode.TREE,
    0o100644: Mode.FILE,
    0o100664: Mode.FILE,
    0o100755: Mode.EXECUTABLE,
    0o120000: Mode.LINK,
    0o160000: Mode.COMMIT,
}


@dataclass(frozen=True, slots=True)
class GitObject:
    """An object whose content was checked against its name.

    Raises:
        WorkspaceError: The content is not what the name stands for (`malformed_evidence`).
    """

    id: str
    kind: str
    content: bytes

    def __post_init__(self) -> None:
        hasher = object_hash(self.kind, len(self.content), self.id)
        hasher.update(self.content)
        if hasher.hexdigest() != self.id:
            raise malformed(f"object {self.id} has another content than its name says")


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """A name in a tree."""

    name: str
    mode: Mode
    id: str


def object_hash(kind: str, size: int, like: str) -> Hash:
    """The hash that names an object, with its header taken in and its content still to come.

    Args:
        kind: `"blob"`, `"tree"`, `"commit"` or `"tag"`.
        size: Bytes of the content.
        like: A name of the repository, by whose length its hash is known.
    """
    hasher = hashlib.new(_ALGORITHM[len(like)], usedforsecurity=False)
    hasher.update(f"{kind} {size}\0".encode("ascii"))
    return hasher


def pointed_to(item: GitObject) -> str:
    """The object that a commit (its tree) or a tag begins with."""
    first = item.content.partition(b"\n")[0]
    keyword = {"commit": b"tree ", "tag": b"object "}[item.kind]
    name = first.removeprefix(keyword).decode("ascii", "replace")
    if not first.startswith(keyword) or not OBJECT_ID.fullmatch(name):
        raise malformed(f"{item.kind} {item.id} does not begin as one")
    return name


def tree_entries(tree: GitObject) -> Iterator[TreeEntry]:
    """The names in a tree, each of which can be a component of a path and stands there once."""
    width = len(tree.id) // 2
    seen: set[str] = set()
    start = 0
    while start < len(tree.content):
        space = tree.content.find(b" ", start)
        end = tree.content.find(b"\0", space)
        stop = end + 1 + width
        if space < 0 or end < 0 or stop > len(tree.content):
            raise malformed(f"tree {tree.id} breaks off")
        name = os.fsdecode(tree.content[space + 1 : end])
        if name in seen or not is_component(name):
            raise malformed(f"tree {tree.id} holds the name {name!r}, which cannot be in one")
        seen.add(name)
        mode = _mode(tree, tree.content[start:space])
        yield TreeEntry(name, mode, tree.content[end + 1 : stop].hex())
        start = stop


def malformed(reason: str) -> WorkspaceError:
    """The ERROR that a repository cannot be trusted to say what was there."""
    return WorkspaceError(f"git: {reason}", ReasonCode.MALFORMED_EVIDENCE)


def _mode(tree: GitObject, digits: bytes) -> Mode:
    try:
        return _MODES[int(digits, 8)]
    except (ValueError, KeyError):
        raise malformed(f"tree {tree.id} holds the unknown mode {digits!r}") from None


def is_component(name: str) -> bool:
    """Whether a name can be one component of a path in a tree."""
    return bool(name) and "/" not in name and name not in (".", "..") and name.lower() != ".git"
