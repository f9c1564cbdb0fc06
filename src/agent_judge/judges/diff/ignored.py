"""Which files of a workspace the `.gitignore` files of a revision leave out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from agent_judge.extras import load

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

MAX_STARS: Final = 4
"""Stars in a pattern; one with more is not applied, for matching it could take without end."""

MAX_PATTERNS: Final = 10_000
"""Patterns of all files together; further ones are not applied."""


class Ignored:
    """The patterns of `.gitignore` files, each with the directory that it is in.

    As with git, the file in the deepest directory decides, the last pattern in it that matches
    first; what is in a directory that is left out is left out with it. A pattern that cannot be
    read hides nothing.

    Args:
        files: The content of each by the directory that it is in, `""` for the top.
    """

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._specs = _compile(files) if files else {}
        self._folders: set[str] = set()

    def enters(self, folder: str) -> bool:
        """Whether a directory is looked into; to be asked of each before what is in it."""
        if self._is_out(folder, f"{folder}/"):
            self._folders.add(folder)
            return False
        return True

    def file(self, path: str) -> bool:
        """Whether a file is left out."""
        return self._is_out(path, path)

    def _is_out(self, path: str, asked: str) -> bool:
        folder = path.rpartition("/")[0]
        if folder in self._folders:
            return True
        while self._specs:
            spec = self._specs.get(folder)
            inside = asked[len(folder) + 1 :] if folder else asked
            found = None if spec is None else spec.check_file(inside).include
            if found is not None:
                return found
            if not folder:
                break
            folder = folder.rpartition("/")[0]
        return False


def _compile(files: Mapping[str, bytes]) -> dict[str, GitIgnoreSpec]:
    pathspec: Any = load("pathspec", extra="diff", needed_by="leaving out ignored files")
    left = MAX_PATTERNS
    specs: dict[str, GitIgnoreSpec] = {}
    for folder, content in files.items():
        lines = _usable(pathspec, content.decode("utf-8", "surrogateescape").splitlines()[:left])
        left -= len(lines)
        specs[folder] = pathspec.GitIgnoreSpec.from_lines(lines)
    return specs


def _usable(pathspec: Any, lines: Iterable[str]) -> list[str]:
    usable: list[str] = []
    for line in lines:
        if line.count("*") > MAX_STARS:
            continue
        try:
            pathspec.GitIgnoreSpec.from_lines([line])
        except ValueError:
            continue
        usable.append(line)
    return usable
