"""What a command gets to see of its surroundings: a short list of variables, and a safe PATH."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

ALLOWED: Final = frozenset(
    {
        "PATH",
        "HOME",
        "LANG",
        "LANGUAGE",
        "TMPDIR",
        "TEMP",
        "TMP",
        "TZ",
        "USER",
        "LOGNAME",
        "SHELL",
        "SYSTEMROOT",
        "SYSTEMDRIVE",
        "WINDIR",
        "COMSPEC",
        "PATHEXT",
        "USERPROFILE",
        "APPDATA",
        "LOCALAPPDATA",
        "PROGRAMDATA",
        "PROGRAMFILES",
        "PROGRAMFILES(X86)",
        "NUMBER_OF_PROCESSORS",
        "PROCESSOR_ARCHITECTURE",
    }
)
"""Variables that commands inherit unless told otherwise, beside those that begin with `LC_`; none
of them holds a secret."""


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
    names = ALLOWED.union(inherit)
    inherited = {
        name: value for name, value in os.environ.items() if name in names or name.startswith("LC_")
    }
    inherited["PATH"] = safe_path(inherited.get("PATH", os.defpath), workspace)
    inherited["TERM"] = "dumb"
    return {**inherited, **variables}


def safe_path(path: str, workspace: Path) -> str:
    """The directories of a PATH that are absolute and not in the workspace."""
    root = os.path.realpath(workspace)
    kept = [
        directory
        for directory in path.split(os.pathsep)
        if Path(directory).is_absolute()
        and not Path(os.path.realpath(directory)).is_relative_to(root)
    ]
    return os.pathsep.join(kept)


def find_program(word: str, path: str, cwd: Path) -> str | None:
    """The file that a command's first word names, as a shell in `cwd` would find it.

    A word with a separator is a path from the working directory, and so are relative directories
    on PATH. A file that cannot be executed is found, and refused when it is started.
    """
    if os.sep in word or (os.altsep and os.altsep in word):
        return _file(cwd / word)
    directories = [str(cwd / directory) for directory in path.split(os.pathsep) if directory]
    found = shutil.which(word, path=os.pathsep.join(directories)) if directories else None
    return found or next(filter(None, (_file(Path(place, word)) for place in directories)), None)


def _file(path: Path) -> str | None:
    return str(path) if path.is_file() else None
