"""Leaving paths out, by patterns as in a `.gitignore` file (extra `files`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.extras import load

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class Excludes:
    """Patterns of what is left out; without any, nothing is.

    As with git, `src` leaves out everything in a directory of that name at any depth, `/src` only
    the one at the top, `*.log` files by their name, and `!keep.log` takes a file back in unless
    its directory is left out.

    Args:
        patterns: The patterns.
        name: The argument, as messages name it.

    Raises:
        ArgumentTypeError: The patterns are not a list of strings.
        ArgumentError: One of them is not a pattern.
        MissingExtraError: `pathspec` is not installed.
    """

    __slots__ = ("_spec",)

    def __init__(self, patterns: object, name: str = "exclude") -> None:
        self._spec = _compile(check_exclude(patterns, name), name)

    def file(self, path: str) -> bool:
        """Whether a file is left out."""
        return self._spec is not None and self._spec.match_file(path)

    def folder(self, path: str) -> bool:
        """Whether a directory is left out, with everything in it."""
        return self._spec is not None and self._spec.match_file(f"{path}/")

    def path(self, path: str) -> bool:
        """Whether a file, or a directory that it is in, is left out."""
        parts = path.split("/")
        folders = ("/".join(parts[:depth]) for depth in range(1, len(parts)))
        return self._spec is not None and (any(map(self.folder, folders)) or self.file(path))


def check_exclude(patterns: object, name: str = "exclude") -> tuple[str, ...]:
    """Refuse what is not a list of strings.

    Raises:
        ArgumentTypeError: It is not.
    """
    if not isinstance(patterns, list | tuple):
        raise ArgumentTypeError(f"{name} must be a list of patterns, not {patterns!r}")
    kept = tuple(cast("Iterable[object]", patterns))
    for pattern in kept:
        if type(pattern) is not str:
            raise ArgumentTypeError(f"{name} holds {pattern!r}, which is not a string")
    return cast("tuple[str, ...]", kept)


def _compile(patterns: tuple[str, ...], name: str) -> GitIgnoreSpec | None:
    if not patterns:
        return None
    pathspec = load("pathspec", extra="files", needed_by=name)
    try:
        return cast("GitIgnoreSpec", pathspec.GitIgnoreSpec.from_lines(patterns))
    except ValueError as fault:
        raise ArgumentError(f"{name} holds a pattern that is not one: {fault}") from None
