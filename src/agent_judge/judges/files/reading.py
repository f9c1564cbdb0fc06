"""Reading files of a workspace within bounds: bytes, text, digests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final, Protocol

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.files.paths import Workspace, WorkspaceError
from agent_judge.judges.showing import shown
from agent_judge.judgment import ReasonCode

_CHUNK: Final = 1 << 18


class Hasher(Protocol):
    """A hash that is being computed, as `hashlib` makes them."""

    def update(self, data: bytes, /) -> None:
        """Take more bytes in."""
        ...


def check_limit(limit: object, name: str) -> None:
    """Refuse a limit that is not a whole number from 1 up.

    Raises:
        ArgumentTypeError: It is not an integer.
        ArgumentError: It is below 1.
    """
    if type(limit) is not int:
        raise ArgumentTypeError(f"{name} must be a whole number, not {limit!r}")
    if limit < 1:
        raise ArgumentError(f"{name} must be at least 1, got {limit}")


def check_encoding(encoding: object) -> None:
    """Refuse what is not the name of a text encoding.

    Raises:
        ArgumentTypeError: It is not a string.
        ArgumentError: There is no such encoding.
    """
    if type(encoding) is not str:
        raise ArgumentTypeError(f"encoding must be a string, not {encoding!r}")
    try:
        "a".encode(encoding)
    except (LookupError, ValueError):
        raise ArgumentError(
            f"encoding {encoding!r} is not a text encoding; give one such as 'utf-8' or 'cp1252'"
        ) from None


def chunks(descriptor: int, path: str, limit: int) -> Iterator[bytes]:
    """The bytes of an open file, at most `limit` of them.

    Raises:
        WorkspaceError: It holds more (`too_large`).
    """
    left = limit
    if os.fstat(descriptor).st_size > limit:
        raise _too_large(path, limit)
    with open(descriptor, "rb", closefd=False) as stream:
        while chunk := stream.read(min(_CHUNK, left + 1)):
            left -= len(chunk)
            if left < 0:
                raise _too_large(path, limit)
            yield chunk


def read_bytes(workspace: Workspace, path: str, limit: int) -> bytes:
    """All bytes of a file.

    Raises:
        WorkspaceError: It leads out of the workspace, cannot be read, or holds more than `limit`.
    """
    with workspace.open(path) as descriptor:
        return b"".join(chunks(descriptor, path, limit))


def read_text(workspace: Workspace, path: str, encoding: str, limit: int) -> str:
    """The text of a file, its line ends as they are.

    Raises:
        WorkspaceError: As `read_bytes`, or it is not in that encoding.
    """
    content = read_bytes(workspace, path, limit)
    try:
        return content.decode(encoding)
    except ValueError as fault:
        raise WorkspaceError(
            f"{shown(path)} is not in the encoding {encoding}: {fault}", ReasonCode.UNREADABLE_FILE
        ) from None


def add_content(hasher: Hasher, workspace: Workspace, path: str, limit: int) -> None:
    """Feed the content of a file to a hash.

    Raises:
        WorkspaceError: As `read_bytes`.
    """
    with workspace.open(path) as descriptor:
        for chunk in chunks(descriptor, path, limit):
            hasher.update(chunk)


def _too_large(path: str, limit: int) -> WorkspaceError:
    return WorkspaceError(
        f"{shown(path)} holds more than {limit} bytes; raise size_limit to read it",
        ReasonCode.TOO_LARGE,
    )
