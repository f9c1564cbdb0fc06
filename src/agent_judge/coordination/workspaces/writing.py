"""Putting a folder back, entry by entry, never through a link and never outside of it."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from agent_judge.coordination.workspaces.tree import FOLDER_FLAGS, Item, Kind, Tree

TEMPORARY: Final = ".agent-judge-restoring-"
"""How the name of a file begins that is being written; one that is left behind is removed."""

_OWNER: Final = stat.S_IRWXU


def put_back(
    root: int,
    present: Tree,
    wanted: Tree,
    content: Callable[[Item], Iterator[bytes]],
    *,
    whole: bool = True,
) -> None:
    """Make a folder what it is to be.

    Each file is replaced at once by a whole new one. What is interrupted is finished by doing it
    again.

    Args:
        root: The open folder.
        present: What is in it.
        wanted: What is to be in it.
        content: Gives the content of a file.
        whole: Whether `present` lists everything. If not, a folder that goes keeps what is not
            listed, and the permissions of folders stay as they are.
    """
    for path in sorted(present, reverse=True):
        if path not in wanted or wanted[path].kind is not present[path].kind:
            _remove(root, path, whole=whole)
    for path in sorted(wanted):
        item = wanted[path]
        if item.kind is Kind.FOLDER:
            _make_folder(root, path)
        elif present.get(path) != item:
            _write(root, path, item, content)
    for path in sorted(wanted, reverse=True) if whole else ():
        if wanted[path].kind is Kind.FOLDER:
            _set_mode(root, path, wanted[path].mode)


@contextmanager
def _parent(root: int, path: str) -> Generator[tuple[int, str], None, None]:
    """The open folder that a path is in, and its name there; no component is a link."""
    *folders, name = path.split("/")
    opened = os.dup(root)
    try:
        for folder in folders:
            below = os.open(folder, FOLDER_FLAGS, dir_fd=opened)
            os.close(opened)
            opened = below
        yield opened, name
    finally:
        os.close(opened)


def _remove(root: int, path: str, *, whole: bool) -> None:
    with suppress(FileNotFoundError, NotADirectoryError), _parent(root, path) as (folder, name):
        _let_write(folder)
        if not stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            os.unlink(name, dir_fd=folder)
        elif whole:
            _clear(folder, name)
        else:
            with suppress(OSError):  # it holds what is not listed
                os.rmdir(name, dir_fd=folder)


def _clear(folder: int, name: str) -> None:
    """Remove a folder with what is left in it: pipes, sockets, and what was put there since."""
    os.chmod(name, _OWNER, dir_fd=folder)
    shutil.rmtree(name, dir_fd=folder)


def _make_folder(root: int, path: str) -> None:
    """Make a folder where none is; whatever stands there instead goes."""
    with _parent(root, path) as (folder, name):
        _let_write(folder)
        try:
            os.mkdir(name, 0o755, dir_fd=folder)
        except FileExistsError:
            if not stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                os.unlink(name, dir_fd=folder)
                os.mkdir(name, 0o755, dir_fd=folder)


def _write(root: int, path: str, item: Item, content: Callable[[Item], Iterator[bytes]]) -> None:
    with _parent(root, path) as (folder, name):
        _let_write(folder)
        temporary = f"{TEMPORARY}{os.urandom(8).hex()}"
        try:
            if item.kind is Kind.LINK:
                os.symlink(item.content, temporary, dir_fd=folder)
            else:
                _write_file(folder, temporary, item, content)
            _make_way(folder, name)
            os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=folder)
            raise


def _write_file(
    folder: int, name: str, item: Item, content: Callable[[Item], Iterator[bytes]]
) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    with os.fdopen(os.open(name, flags, 0o600, dir_fd=folder), "wb") as file:
        for chunk in content(item):
            file.write(chunk)
        file.flush()
        os.fchmod(file.fileno(), item.mode)


def _make_way(folder: int, name: str) -> None:
    """Remove a folder that stands where a file is to be."""
    with suppress(FileNotFoundError):
        if stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            _clear(folder, name)


def _let_write(folder: int) -> None:
    """Give the owner back the right to write to a folder; its mode is set at the end."""
    mode = os.fstat(folder).st_mode
    if mode & _OWNER != _OWNER:
        os.fchmod(folder, stat.S_IMODE(mode) | _OWNER)


def _set_mode(root: int, path: str, mode: int) -> None:
    with _parent(root, path) as (folder, name):
        if stat.S_IMODE(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode) != mode:
            os.chmod(name, mode, dir_fd=folder)
