"""The way from a program that runs tests to the judge: what was said on it cannot be taken back.

The judge reads the standard output of the program. Before anything of the judged work is imported,
that pipe is moved to a number of its own, and what is printed from then on goes to the standard
error. Every line that the judge believes begins with a secret, which came on the standard input,
and a number, so that a line that is missing is missed.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

TEXT_LIMIT = 2000
"""Characters of a text that are told."""


class Channel:
    """The way to the judge.

    Attributes:
        order: What the judge said to do.
    """

    def __init__(self) -> None:
        self.order: dict[str, Any] = json.loads(sys.stdin.buffer.read())
        _shut_stdin()
        self._tell = _teller(self.order.pop("nonce"))

    def tell(self, event: str, **facts: Any) -> None:
        """Tell the judge of something."""
        facts["event"] = event
        self._tell(facts)


def _teller(nonce: str) -> Callable[[dict[str, Any]], None]:
    """A function that writes to the pipe; nobody else has its number, or the secret."""
    pipe, process = _move_stdout(), os.getpid()
    told: list[int] = [0]

    def tell(facts: dict[str, Any]) -> None:
        if os.getpid() != process:  # a test has forked, and its child runs on
            return
        line = f"{nonce} {told[0]} {json.dumps(facts)}\n".encode("ascii")
        told[0] += 1
        while line:
            line = line[os.write(pipe, line) :]

    return tell


def _move_stdout() -> int:
    """Move the pipe to a number of its own, which programs that are started do not inherit."""
    pipe = os.dup(1)
    os.set_inheritable(pipe, False)
    os.dup2(2, 1)
    return pipe


def _shut_stdin() -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)


def clipped(text: object) -> str:
    """A text as it is told: its beginning, if it is long."""
    return str(text)[:TEXT_LIMIT]


def import_installed_packages() -> None:
    """Make installed packages importable, as at the start of an interpreter.

    The program was started without them (`-S`): `sitecustomize` and `usercustomize` would be
    imported with them, also from the judged work where it is installed in place.
    """
    import site

    for hook in ("execsitecustomize", "execusercustomize"):
        setattr(site, hook, _nothing)
    site.main()


def _nothing() -> None:
    """Stand in for a hook."""


def ignore_compiled(workspace: str) -> None:
    """Import the judged work from its source alone.

    A compiled file beside it is believed if it states the size and time of the source, whatever is
    in it. Installed packages keep theirs.
    """
    import importlib._bootstrap_external as external

    original = external.cache_from_source
    root = os.path.realpath(workspace)

    def cache_from_source(path: Any, *arguments: Any, **options: Any) -> Any:
        if _is_below(os.path.realpath(path), root):
            raise NotImplementedError("compiled files of the judged work are not read")
        return original(path, *arguments, **options)

    external.cache_from_source = cache_from_source
    sys.dont_write_bytecode = True


def why_unusable(framework: list[str], workspace: str) -> str:
    """Why a framework cannot be used: a module of it is missing, or would come from the work."""
    import importlib.util

    own = [os.path.realpath(folder) for folder in (sys.prefix, sys.base_prefix)]
    for name in framework:
        spec = importlib.util.find_spec(name)
        if spec is None:
            return name + " is not installed for " + sys.executable
        file = os.path.realpath(spec.origin or "")
        is_own = any(_is_below(file, folder) for folder in own)
        if _is_below(file, os.path.realpath(workspace)) and not is_own:
            return name + " would be imported from the work, " + file
    return ""


def _is_below(file: str, folder: str) -> bool:
    return file.startswith(folder.rstrip(os.sep) + os.sep)
