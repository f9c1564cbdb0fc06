"""One directory held open, so that a name is looked up in that very directory.

On POSIX it is held by its descriptor: a directory that is swapped for a symbolic link meanwhile
leads nowhere else. Windows has no such calls; a path stands in for the descriptor there, and a swap
between looking and opening is not noticed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Final, Protocol, Self

HAS_DESCRIPTORS: Final = {os.open, os.stat, os.readlink} <= os.supports_dir_fd

_DIRECTORY: Final = (
    getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
)
_NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
_FILE: Final = (
    os.O_RDONLY
    | _NO_FOLLOW
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_JUNCTION: Final = 0xA0000003
"""The reparse tag of a Windows junction (`stat.IO_REPARSE_TAG_MOUNT_POINT`)."""


class Kind(Enum):
    """What is under a name."""

    FILE = "a file"
    FOLDER = "a directory"
    LINK = "a symbolic link"
    SPECIAL = "a special file"


def kind_of(status: os.stat_result) -> Kind:
    """What the status of a name, links not followed, says is there."""
    if stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) == _JUNCTION:
        return Kind.LINK
    if stat.S_ISREG(status.st_mode):
        return Kind.FILE
    return Kind.FOLDER if stat.S_ISDIR(status.st_mode) else Kind.SPECIAL


class Folder(Protocol):
    """A directory; every name given to it is one component, and no link is followed."""

    def look(self, name: str) -> os.stat_result:
        """The status of what is under a name."""
        ...

    def target(self, name: str) -> str:
        """Where a symbolic link leads."""
        ...

    def enter(self, name: str) -> Self:
        """Hold a directory in this one open as well."""
        ...

    def open(self, name: str) -> int:
        """Open for reading what is under a name, without waiting; what it is was not checked."""
        ...

    def entries(self) -> Iterator[os.DirEntry[str]]:
        """All that is in it, in no order."""
        ...

    def close(self) -> None:
        """Let it go."""
        ...


class DescriptorFolder:
    """A directory held by its descriptor."""

    __slots__ = ("_descriptor",)

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def at(cls, path: Path) -> Self:
        """The directory at a trusted path."""
        return cls(os.open(path, _DIRECTORY))

    def look(self, name: str) -> os.stat_result:
        """The status of what is under a name."""
        return os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)

    def target(self, name: str) -> str:
        """Where a symbolic link leads."""
        return os.readlink(name, dir_fd=self._descriptor)

    def enter(self, name: str) -> Self:
        """Hold a directory in this one open as well."""
        return type(self)(os.open(name, _DIRECTORY | _NO_FOLLOW, dir_fd=self._descriptor))

    def open(self, name: str) -> int:
        """Open for reading what is under a name, without waiting; what it is was not checked."""
        return os.open(name, _FILE, dir_fd=self._descriptor)

    def entries(self) -> Iterator[os.DirEntry[str]]:
        """All that is in it, in no order."""
        listing = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=self._descriptor)
        try:
            with os.scandir(listing) as entries:
                yield from entries
        finally:
            os.close(listing)

    def close(self) -> None:
        """Let it go."""
        os.close(self._descriptor)


class PathFolder:
    """A directory named by its path, for platforms without descriptors of directories."""

    __slots__ = ("_path",)

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def at(cls, path: Path) -> Self:
        """The directory at a trusted path."""
        if not stat.S_ISDIR(path.stat().st_mode):
            raise NotADirectoryError(f"{path} is not a directory")
        return cls(path)

    def look(self, name: str) -> os.stat_result:
        """The status of what is under a name."""
        return (self._path / name).lstat()

    def target(self, name: str) -> str:
        """Where a symbolic link leads."""
        return str((self._path / name).readlink()).removeprefix("\\\\?\\")

    def enter(self, name: str) -> Self:
        """Hold a directory in this one open as well."""
        if kind_of(self.look(name)) is not Kind.FOLDER:
            raise NotADirectoryError(f"{name} is not a directory any more")
        return type(self)(self._path / name)

    def open(self, name: str) -> int:
        """Open for reading what is under a name, without waiting; what it is was not checked."""
        return os.open(self._path / name, _FILE)

    def entries(self) -> Iterator[os.DirEntry[str]]:
        """All that is in it, in no order."""
        with os.scandir(self._path) as entries:
            yield from entries

    def close(self) -> None:
        """Let it go."""


def open_folder(path: Path) -> Folder:
    """Hold the directory at a trusted path open, as well as the platform can."""
    return DescriptorFolder.at(path) if HAS_DESCRIPTORS else PathFolder.at(path)
