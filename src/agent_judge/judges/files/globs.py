"""Glob patterns over the paths of a workspace.

`*` stands for any characters of one name, `?` for one, and `**`, as a whole component, for any
number of directories. Names that begin with a dot are matched like others. Every other character,
brackets included, stands for itself: `app/[slug]/page.tsx` is a path. No wildcard stands for
`.git`, which has to be named. Upper and lower case differ on every platform.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.paths import Workspace, check_path
from agent_judge.judges.files.tree import Budget, Entry, walk

_WILDCARDS: Final = frozenset("*?")

_Place: TypeAlias = "tuple[int, int]"
"""A pattern, and how many of its components are behind."""


def is_glob(path: str) -> bool:
    """Whether a path holds a wildcard."""
    return not _WILDCARDS.isdisjoint(path)


def check_pattern(pattern: object, name: str = "path") -> str:
    """Refuse what is neither a path in the workspace nor a pattern of such paths.

    Raises:
        ArgumentTypeError: It is not a string.
        ArgumentError: As `check_path`, or `**` is only a part of a component.
    """
    path = check_path(pattern, name)
    if any("**" in part and part != "**" for part in path.split("/")):
        raise ArgumentError(f"{name} {path!r}: '**' stands alone between slashes, as in 'a/**/b'")
    return path


def check_patterns(patterns: object, name: str) -> tuple[str, ...]:
    """Refuse what is not a list of at least one pattern.

    Raises:
        ArgumentTypeError: It is not a list of strings.
        ArgumentError: It is empty, or one of them is refused by `check_pattern`.
    """
    if not isinstance(patterns, list | tuple):
        raise ArgumentTypeError(f"{name} must be a list of paths or patterns, not {patterns!r}")
    if not patterns:
        raise ArgumentError(f"{name} is empty; name at least one path or pattern")
    return tuple(check_pattern(pattern, name) for pattern in cast("Iterable[object]", patterns))


class Globs:
    """One or several patterns, ready to be matched against paths together."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._patterns = tuple(tuple(_components(pattern)) for pattern in patterns)

    @property
    def start(self) -> Progress:
        """The progress of the workspace itself."""
        return Progress(self, self._closed({(index, 0) for index in range(len(self._patterns))}))

    def matches(self, path: str) -> bool:
        """Whether a path matches one of the patterns whole."""
        return self.progress(path).complete

    def progress(self, path: str) -> Progress:
        """How far a path goes into the patterns; `"."` is the workspace itself."""
        progress = self.start
        for name in () if path == "." else path.split("/"):
            progress = progress.after(name)
        return progress

    def at_end(self, place: _Place) -> bool:
        """Whether every component of a pattern is behind."""
        index, done = place
        return done == len(self._patterns[index])

    def step(self, places: Iterable[_Place], name: str) -> frozenset[_Place]:
        """The places that a component leads to."""
        reached: set[_Place] = set()
        for index, done in places:
            if self.at_end((index, done)):
                continue
            component = self._patterns[index][done]
            if component is None:
                if name != ".git":
                    reached.add((index, done))
            elif component.fullmatch(name):
                reached.add((index, done + 1))
        return self._closed(reached)

    def _closed(self, places: set[_Place]) -> frozenset[_Place]:
        """The same places, and those behind a `**` that stands for no directory."""
        closed = set(places)
        for index, done in places:
            pattern = self._patterns[index]
            following = done
            while following < len(pattern) and pattern[following] is None:
                following += 1
                closed.add((index, following))
        return frozenset(closed)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a path goes into patterns: every place of them at which it may stand."""

    globs: Globs
    places: frozenset[_Place]

    @property
    def complete(self) -> bool:
        """Whether the path matches one of them whole."""
        return any(self.globs.at_end(place) for place in self.places)

    @property
    def open(self) -> bool:
        """Whether a path below it could match."""
        return not all(self.globs.at_end(place) for place in self.places)

    def after(self, name: str) -> Progress:
        """The progress with one component more."""
        return Progress(self.globs, self.globs.step(self.places, name))


def find(workspace: Workspace, pattern: str, budget: Budget) -> Iterator[Entry]:
    """Everything in the workspace that a pattern matches, by name.

    Links that are found are not followed, and linked directories are entered only where the
    pattern names them before its first wildcard.
    """
    folder = "/".join(_literal_start(pattern.split("/")[:-1])) or "."
    if workspace.kind(folder) is Kind.FOLDER:
        yield from find_below(workspace, folder, Globs((pattern,)), budget)


def find_below(
    workspace: Workspace,
    folder: str,
    globs: Globs,
    budget: Budget,
    left_out: Callable[[str], bool] = lambda _path: False,
) -> Iterator[Entry]:
    """Everything below a directory that patterns match; no link is followed.

    Args:
        workspace: Where to look.
        folder: The directory to begin at.
        globs: The patterns.
        budget: How many names may be looked at.
        left_out: Asked of every directory that could hold a match, whether to pass it by.
    """
    progress = {folder: globs.progress(folder)}

    def reached(path: str) -> Progress:
        parent, _, name = path.rpartition("/")
        return progress[parent or "."].after(name)

    def enters(path: str) -> bool:
        progress[path] = reached(path)
        return progress[path].open and not left_out(path)

    for entry in walk(workspace, folder, budget, enters):
        if reached(entry.path).complete:
            yield entry


def _literal_start(parts: Iterable[str]) -> Iterator[str]:
    for part in parts:
        if is_glob(part):
            return
        yield part


def _components(pattern: str) -> Iterator[re.Pattern[str] | None]:
    """What each component must match; `None` is `**`. A `**` at the end is every file below."""
    for part in pattern.split("/"):
        yield None if part == "**" else _component(part)
    if pattern.rsplit("/", maxsplit=1)[-1] == "**":
        yield _component("*")


def _component(part: str) -> re.Pattern[str]:
    translated = "".join({"*": ".*", "?": "."}.get(char, re.escape(char)) for char in part)
    guard = r"(?!\.git\Z)" if is_glob(part) else ""
    return re.compile(guard + translated, re.DOTALL)
