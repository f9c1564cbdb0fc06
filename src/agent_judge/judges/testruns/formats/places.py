"""Where a failure happened, told by the text that it left: a traceback, or a stack trace."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final, NamedTuple

_LINES: Final = 400
"""Lines of a text that are looked at, from its beginning and from its end each."""

_WIDTH: Final = 400
"""Characters of a line that are looked at."""

_TRACES: Final = (
    re.compile(r'\s*File "(?P<path>[^"\n]+)", line (?P<line>\d{1,9})'),  # Python
    re.compile(r"\s*(?P<path>[^\s:()]+\.\w+):(?P<line>\d{1,9})(?::\d+)?(?::|\s|$)"),  # pytest, gcc
)
"""The last line is where it happened."""

_STACKS: Final = (
    re.compile(  # Java
        r"\s*at (?:[\w.@-]+/)*(?P<package>[\w.$]+)\.[\w$<>]+"
        r"\((?P<path>\w+\.(?:java|kt|scala|groovy)):(?P<line>\d{1,9})\)"
    ),
    re.compile(r"\s*at .*\((?:file://)?(?P<path>[^()\s]+):(?P<line>\d{1,9}):\d+\)"),  # JavaScript
    re.compile(r"\s*at (?:file://)?(?P<path>[^()\s]+):(?P<line>\d{1,9}):\d+"),
    re.compile(r"\s*at .* in (?P<path>.+):\w+ (?P<line>\d{1,9})"),  # .NET
)
"""The first line is where it happened."""


class Place(NamedTuple):
    """A line of a file."""

    path: str
    line: int


def place_in(text: str, file: str | None = None, class_name: str = "") -> Place | None:
    """The place where it happened, as deep as the test itself is.

    Args:
        text: What a failure left.
        file: The file of the test, where that is known: only places in it count.
        class_name: Its class, whose file is preferred among those of a stack trace.
    """
    lines = text.splitlines()
    traced = [place for line in lines[-_LINES:] for place in _match(line, _TRACES)]
    stacked = [place for line in lines[:_LINES] for place in _match(line, _STACKS)]
    if file is not None:
        traced = [Place(file, place.line) for place in traced if _is_same(place.path, file)]
        stacked = [Place(file, place.line) for place in stacked if _is_same(place.path, file)]
    elif class_name:
        stem = class_name.rpartition(".")[2].partition("$")[0]
        stacked = [place for place in stacked if PurePosixPath(place.path).stem == stem] or stacked
    if traced:
        return traced[-1]
    return stacked[0] if stacked else None


def _match(line: str, forms: tuple[re.Pattern[str], ...]) -> Iterator[Place]:
    for form in forms:
        found = form.match(line[:_WIDTH])
        if found is not None and int(found["line"]) and not found["path"].startswith("node:"):
            yield Place(_path(found), int(found["line"]))
            return


def _path(found: re.Match[str]) -> str:
    """The path of a file; Java names the package and the name of the file apart."""
    groups = found.groupdict()
    package = str(groups.get("package") or "").rpartition(".")[0]
    return f"{package.replace('.', '/')}/{found['path']}" if package else found["path"]


def _is_same(path: str, file: str) -> bool:
    """Whether two ways to write a path may mean one file: one ends with the other."""
    mine = PurePosixPath(path.replace("\\", "/")).parts
    others = PurePosixPath(file.replace("\\", "/")).parts
    width = min(len(mine), len(others))
    return bool(width) and mine[-width:] == others[-width:]
