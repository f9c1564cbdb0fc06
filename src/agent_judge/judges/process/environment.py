"""What a command gets to see of its surroundings: a short list of variables, and a safe PATH."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

ALLOWED: Final = (
    "PATH",
    "HOME",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "TMPDIR",
    "TEMP",
    "TMP",
    "TZ",
    "USER",
    "LOGNAME",
    "SHELL",
    "SYSTEMROOT",
    "COMSPEC",
    "PATHEXT",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMFILES",
    "WINDIR",
)
"""Variables that commands inherit unless told otherwise; none of them holds a secret."""

RUN_COOKIE: Final = "AGENT_JUDGE_RUN"
"""The variable by which processes that got away from their supervisor can be found."""


def environment(
    workspace: Path, variables: Mapping[str, str], inherit: Iterable[str]
) -> dict[str, str]:
    """The environment of a command.

    Args:
        workspace: Directories in it, and relative ones, are taken off PATH: a program that the
            judged work planted there must not pass for a tool.
        variables: Set as given; a PATH among them is taken as it is.
        inherit: Names of further variables to hand on, where they are set.
    """
    names = (*ALLOWED, *inherit)
    inherited = {name: os.environ[name] for name in names if name in os.environ}
    inherited["PATH"] = safe_path(inherited.get("PATH", os.defpath), workspace)
    inherited["TERM"] = "dumb"
    return {**inherited, **variables}


def safe_path(path: str, workspace: Path) -> str:
    """The directories of a PATH that are absolute and not in the workspace."""
    root = workspace.resolve()
    kept = [
        directory
        for directory in path.split(os.pathsep)
        if Path(directory).is_absolute() and not Path(directory).resolve().is_relative_to(root)
    ]
    return os.pathsep.join(kept)


def resolve_program(program: str, path: str, cwd: Path) -> str | None:
    """The file that a command's first word names, as a shell would find it; `None` if none is.

    A word with a separator is a path from the working directory.
    """
    if os.sep in program or (os.altsep and os.altsep in program):
        candidate = cwd / program
        return str(candidate) if candidate.is_file() else None
    found = shutil.which(program, path=path)
    return found or _not_executable(program, path)


def _not_executable(program: str, path: str) -> str | None:
    """A file of that name on PATH that cannot be executed: found, and refused when started."""
    for directory in path.split(os.pathsep):
        candidate = Path(directory, program)
        if candidate.is_file():
            return str(candidate)
    return None
