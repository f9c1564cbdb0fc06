"""What a test framework is made of, and whether the judged work has replaced a part of it."""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

WATCHED = ("_pytest", "pytest", "pluggy", "unittest")
"""Packages whose functions are watched."""

NAMES = (
    "AssertionError",
    "BaseException",
    "Exception",
    "isinstance",
    "__import__",
    "compile",
    "exec",
)
"""Builtins that a test rests on."""


class Machinery:
    """The functions of the watched packages, as they are before the judged work is imported.

    Args:
        workspace: Where the work is. Installed plugins replace functions as well, and may.
    """

    def __init__(self, workspace: str) -> None:
        self._root = os.path.realpath(workspace) + os.sep
        self._parts: dict[str, Any] = dict(_parts())

    def changed(self) -> list[str]:
        """The names of those that were replaced or rewritten since."""
        now = dict(_parts())
        return sorted(
            name
            for name, part in self._parts.items()
            if now.get(name) is not part and not self._is_installed(now.get(name))
        )

    def _is_installed(self, part: Any) -> bool:
        """Whether it is the code of a file that is not of the work."""
        file = os.path.realpath(part.co_filename) if isinstance(part, CodeType) else ""
        return os.path.isfile(file) and not file.startswith(self._root)


def _parts() -> Iterator[tuple[str, Any]]:
    for name in NAMES:
        yield "builtins." + name, getattr(builtins, name)
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in WATCHED and isinstance(module, ModuleType):
            for key, value in list(vars(module).items()):
                if getattr(value, "__module__", None) == name:
                    yield from _code_of(name + "." + key, value)


def _code_of(name: str, value: Any) -> Iterator[tuple[str, CodeType]]:
    """The code of a function, or of each method of a class."""
    function = getattr(value, "__wrapped__", value)
    if isinstance(function, FunctionType):
        yield name, function.__code__
    elif isinstance(value, type):
        for key, member in list(vars(value).items()):
            inner = getattr(member, "__func__", getattr(member, "fget", member))
            if isinstance(inner, FunctionType):
                yield name + "." + key, inner.__code__
