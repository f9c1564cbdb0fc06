"""Wrapping a command in bubblewrap, and reading what became of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from errno import ENOENT
from pathlib import Path
from signal import Signals
from typing import Final

from agent_judge.judges.process.environment import safe_path
from agent_judge.judges.process.isolation import IsolationUnavailableError
from agent_judge.judges.process.records import Command, Ending, Exited, NotStarted, Signalled

BUBBLEWRAP: Final = "bwrap"

HIDDEN: Final = ("/tmp", "/var/tmp", "/run", "/home", "/root")  # noqa: S108 - to be hidden
"""Directories that are empty in a sandbox, beside the home of whoever judges."""


def sandboxed(command: Command, program: str) -> tuple[str, ...]:
    """A command wrapped in bubblewrap.

    Directories of its PATH and those it declares readable stay readable where an empty home or
    /tmp would hide them.

    Raises:
        IsolationUnavailableError: There is no bubblewrap.
    """
    workspace = os.path.realpath(command.workspace)
    hidden = _outermost([*HIDDEN, *_homes()])
    words = [_bubblewrap(command.workspace), "--unshare-all", "--die-with-parent", "--new-session"]
    words += ["--cap-drop", "ALL", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    for directory in hidden:
        words += ["--tmpfs", directory]
    for source, place in _shown(command, hidden):
        words += ["--ro-bind", source, place]
    for directory in command.writable:
        words += ["--bind", directory, directory]
    words += ["--bind", workspace, workspace, "--chdir", os.path.realpath(command.cwd)]
    if not Path(command.env.get("TMPDIR", workspace)).is_relative_to(workspace):
        words += ["--setenv", "TMPDIR", "/tmp"]  # noqa: S108 - the sandbox's own
    return (*words, "--", program, *command.argv[1:])


def ending_in_sandbox(code: int) -> Ending:
    """How a command ended whose sandbox ended with a code: 128 + n says that signal n killed it."""
    number = code - 128
    return Signalled(number) if number in {*map(int, Signals)} else Exited(code)


def not_in_sandbox(stderr: str) -> Ending:
    """What it means that a sandbox ended without having run the command.

    Raises:
        IsolationUnavailableError: It could not be set up.
    """
    if stderr.startswith(f"{BUBBLEWRAP}: execvp "):
        return NotStarted(ENOENT)
    raise IsolationUnavailableError(f"isolation 'bubblewrap' cannot be had: {stderr.strip()[:200]}")


def _bubblewrap(workspace: Path) -> str:
    path = safe_path(os.environ.get("PATH", os.defpath), workspace)
    program = shutil.which(BUBBLEWRAP, path=path)
    if program is None:
        raise IsolationUnavailableError(
            "isolation 'bubblewrap' cannot be had: the program 'bwrap' is not installed; "
            "install the package bubblewrap"
        )
    return program


def _homes() -> list[str]:
    """The home of whoever judges, as the environment and the system's records have it."""
    import pwd

    homes = [os.environ.get("HOME", "")]
    with suppress(KeyError):  # a user without a record, as in a container
        homes.append(pwd.getpwuid(os.getuid()).pw_dir)
    return homes


def _outermost(directories: Iterable[str]) -> list[str]:
    """Those that exist and lie in none of the others; never the root."""
    real = {os.path.realpath(place) for place in directories if Path(place).is_absolute()}
    kept = sorted(place for place in real - {"/"} if Path(place).is_dir())
    return [place for place in kept if not any(_is_inside(place, other) for other in kept)]


def _shown(command: Command, hidden: Iterable[str]) -> list[tuple[str, str]]:
    """Directories that a command needs to read inside of hidden ones, and where it looks for them.

    A link in a hidden directory is hidden, too: what it leads to is put into its place.
    """
    path = command.env.get("PATH", "").split(os.pathsep)
    wanted = [place for place in (*path, *command.readable) if Path(place).is_dir()]
    pairs = {
        (os.path.realpath(directory), place)
        for directory in wanted
        for place in (os.path.realpath(directory), os.path.normpath(directory))
    }
    return sorted(
        (source, place)
        for source, place in pairs
        if any(_is_inside(place, other) for other in hidden)
    )


def _is_inside(place: str, other: str) -> bool:
    return place != other and Path(place).is_relative_to(other)
