"""Paths in a workspace, which is hostile: it may hold links that lead out of it, and change.

A path is checked when a judge is built (`check_path`) and looked up when it judges
(`judge_workspace`): component by component, each in the directory that is held open, following
symbolic links only inside the workspace.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePath, PurePosixPath
from types import TracebackType
from typing import Final, Self

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import check_text
from agent_judge.judges.files.folder import Folder, Kind, kind_of, open_folder
from agent_judge.judges.showing import shown
from agent_judge.judgment import Judgment, ReasonCode

SIZE_LIMIT: Final = 10_000_000
"""Bytes of a file that are read unless a judge is told otherwise."""

MAX_LINKS: Final = 40
"""Symbolic links that one path may lead through, as in Linux."""

MAX_DEPTH: Final = 200
"""How deep a path may lead; every level is held open."""

_DRIVE: Final = re.compile(r"[A-Za-z]:")


class WorkspaceError(Exception):
    """Why nothing can be said of a workspace: it becomes a judgment with status ERROR."""

    def __init__(self, reason: str, code: ReasonCode) -> None:
        super().__init__(reason)
        self.code = code

    @property
    def judgment(self) -> Judgment:
        """The ERROR that says so."""
        return Judgment.erring(str(self), self.code)


def check_path(path: object, name: str = "path") -> str:
    """Refuse a path that is not relative, or that could leave the workspace.

    Args:
        path: A POSIX path: `/` separates on every platform.
        name: The argument, as messages name it.

    Returns:
        The path without `.` components and doubled separators.

    Raises:
        ArgumentTypeError: It is not a string.
        ArgumentError: It is empty, `.`, absolute, or holds `..`, a NUL, a backslash or a drive.
    """
    check_text(path, name)
    given = str(path)
    fault = _path_fault(given)
    if fault:
        raise ArgumentError(
            f"{name} {given!r} {fault}; give a path relative to the workspace, such as 'src/app.py'"
        )
    return str(PurePosixPath(given))


def _path_fault(path: str) -> str | None:
    if not path.strip():
        return "is empty"
    if "\x00" in path:
        return "holds a NUL"
    if "\\" in path:
        return "holds a backslash"
    if path.startswith("/") or _DRIVE.match(path):
        return "is absolute"
    if ".." in path.split("/"):
        return "holds '..'"
    return "names the workspace itself" if not PurePosixPath(path).parts else None


def check_trusted_path(path: object, name: str) -> str:
    """Refuse what cannot be a path on the side of whoever judges; that one may lead anywhere.

    Raises:
        ArgumentTypeError: It is neither a string nor a `Path`.
        ArgumentError: It is empty, or holds a NUL.
    """
    if not isinstance(path, str | Path):
        raise ArgumentTypeError(f"{name} must be a path, not {path!r}")
    given = str(path)
    if not given or "\x00" in given:
        raise ArgumentError(f"{name} {given!r} cannot be a path")
    return given


def judge_workspace(context: JudgmentContext, judge: Callable[[Workspace], Judgment]) -> Judgment:
    """Judge the workspace of a run; ERROR where there is none, or it cannot be read."""
    try:
        with open_workspace(context.workspace) as workspace:
            return judge(workspace)
    except WorkspaceError as fault:
        return fault.judgment


def open_workspace(path: Path | None) -> Workspace:
    """Open a workspace to look into; it is never created.

    Raises:
        WorkspaceError: There is none, or it is not a directory that can be opened.
    """
    if path is None:
        raise WorkspaceError("the context has no workspace", ReasonCode.NO_WORKSPACE)
    try:
        return Workspace(path, open_folder(path))
    except (OSError, ValueError) as fault:
        raise WorkspaceError(
            f"the workspace {shown(str(path))} is not a directory that can be opened: "
            f"{_cause(fault)}",
            ReasonCode.NO_WORKSPACE,
        ) from fault


class Workspace:
    """An open directory whose paths are looked up so that none leads out of it.

    Every path given to it has passed `check_path`, or was found in it. Each method raises
    `WorkspaceError` where a link leads out (`outside_workspace`) or the file system refuses
    (`unreadable_file`).
    """

    def __init__(self, path: Path, root: Folder) -> None:
        self.path = path
        self._root = root
        self._roots = (PurePath(path.absolute()), PurePath(path.resolve()))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._root.close()

    def kind(self, path: str) -> Kind | None:
        """What is at a path, links followed; `None` where nothing is, or a link to nothing."""
        with self._descent(path) as descent:
            name = descent.follow(path)
            return None if name is None else descent.kind(name)

    def kind_unfollowed(self, path: str) -> Kind | None:
        """What the name itself is, even if it is a link to nothing or out of the workspace."""
        with self._descent(path) as descent:
            name = descent.follow(path, through_last=False)
            return None if name is None else descent.kind(name)

    def link_target(self, path: str) -> str:
        """Where the symbolic link under a name leads, wherever that is."""
        with self._descent(path) as descent:
            name = descent.found(descent.follow(path, through_last=False))
            return descent.folder.target(name)

    @contextmanager
    def open(self, path: str) -> Generator[int, None, None]:
        """Open a regular file to read; a FIFO or a device is refused, never waited for."""
        with self._descent(path) as descent:
            descriptor = descent.open_file(descent.follow(path))
        try:
            with reading(path):
                yield descriptor
        finally:
            os.close(descriptor)

    @contextmanager
    def folder(self, path: str) -> Generator[Folder, None, None]:
        """Hold a directory open, `"."` for the workspace itself."""
        with self._descent(path) as descent:
            yield descent.into(descent.follow(path))

    def real_path(self, path: str) -> Path:
        """Where a path leads in the end, as a path that other libraries can open.

        What it leads to may have been swapped when they do; prefer `open`.
        """
        with self._descent(path) as descent:
            name = descent.found(descent.follow(path))
            return Path(self._roots[1], *descent.names, name)

    @contextmanager
    def _descent(self, path: str) -> Generator[_Descent, None, None]:
        descent = _Descent(path, self._root, self._roots)
        try:
            with reading(path):
                yield descent
        finally:
            descent.close()


@contextmanager
def reading(path: str) -> Generator[None, None, None]:
    """Turn what the file system refuses into the ERROR that a path could not be read."""
    try:
        yield
    except OSError as fault:
        raise WorkspaceError(
            f"{shown(path)} cannot be read: {_cause(fault)}", ReasonCode.UNREADABLE_FILE
        ) from fault


class _Descent:
    """The way down from the workspace to one path, with each directory on it held open."""

    def __init__(self, path: str, root: Folder, roots: Sequence[PurePath]) -> None:
        self.names: list[str] = []
        self._path = path
        self._folders = [root]
        self._roots = roots
        self._links = 0

    @property
    def folder(self) -> Folder:
        """The directory that was reached."""
        return self._folders[-1]

    def follow(self, path: str, *, through_last: bool = True) -> str | None:
        """Go down to the directory that holds the end of a path, and give its name in there.

        The name is `"."` where a link led to the directory itself, and `None` where something on
        the way is missing or no directory.
        """
        pending = list(reversed(PurePosixPath(path).parts))
        while pending:
            part = pending.pop()
            if part == "..":
                self._leave()
                continue
            kind = self.kind(part)
            if kind is Kind.LINK and (pending or through_last):
                pending.extend(reversed(self._target(part)))
            elif not pending:
                return part
            elif kind is Kind.FOLDER:
                self._enter(part)
            else:
                return None
        return "."

    def kind(self, name: str) -> Kind | None:
        """What is under a name in the directory that was reached."""
        try:
            return kind_of(self.folder.look(name))
        except (FileNotFoundError, NotADirectoryError):
            return None

    def found(self, name: str | None) -> str:
        """The name, where the way to it exists."""
        if name is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        return name

    def into(self, name: str | None) -> Folder:
        """The directory under a name, held open."""
        if self.found(name) != ".":
            self._enter(self.found(name))
        return self.folder

    def open_file(self, name: str | None) -> int:
        """Open the regular file under a name."""
        if name is None or self.kind(name) is not Kind.FILE:
            raise WorkspaceError(f"{shown(self._path)} is not a file", ReasonCode.UNREADABLE_FILE)
        descriptor = self.folder.open(name)
        if kind_of(os.fstat(descriptor)) is not Kind.FILE:
            os.close(descriptor)
            raise WorkspaceError(
                f"{shown(self._path)} was a file and no longer is", ReasonCode.UNREADABLE_FILE
            )
        return descriptor

    def close(self) -> None:
        """Let every directory go but the workspace itself."""
        while len(self._folders) > 1:
            self._folders.pop().close()

    def _enter(self, name: str) -> None:
        if len(self._folders) > MAX_DEPTH:
            raise WorkspaceError(
                f"{shown(self._path)} leads deeper than {MAX_DEPTH} directories",
                ReasonCode.TOO_LARGE,
            )
        self._folders.append(self.folder.enter(name))
        self.names.append(name)

    def _leave(self) -> None:
        if len(self._folders) == 1:
            raise self._outside()
        self._folders.pop().close()
        self.names.pop()

    def _target(self, name: str) -> tuple[str, ...]:
        """Where a link leads, as components from the directory that was reached."""
        self._links += 1
        if self._links > MAX_LINKS:
            raise WorkspaceError(
                f"{shown(self._path)} leads through more than {MAX_LINKS} symbolic links",
                ReasonCode.UNREADABLE_FILE,
            )
        target = PurePath(self.folder.target(name))
        if not target.anchor:
            return target.parts
        for root in self._roots:
            if target.is_relative_to(root):
                self.close()
                self.names.clear()
                return target.relative_to(root).parts
        raise self._outside()

    def _outside(self) -> WorkspaceError:
        return WorkspaceError(
            f"{shown(self._path)} leads out of the workspace through a symbolic link",
            ReasonCode.OUTSIDE_WORKSPACE,
        )


def _cause(fault: Exception) -> str:
    return (fault.strerror if isinstance(fault, OSError) else None) or str(fault)
