"""Which file of the workspace a report means by a name."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from agent_judge.context import JudgmentContext
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.paths import open_workspace
from agent_judge.judges.files.tree import Budget, walk

_ABSOLUTE: Final = re.compile(r"/|[A-Za-z]:/")
_URL: Final = re.compile(r"file://(?:localhost)?(?=/)", re.IGNORECASE)

MAX_PARTS: Final = 64
"""Components of a name that is looked for by its end."""

LEAST: Final = 2
"""Components that an absolute path of another machine must share; a bare name is no proof."""


@lru_cache(maxsize=4096)
def posix_name(name: str) -> str:
    r"""A name of a file as any platform writes it, with `/`, and without `file://` before it."""
    if _URL.match(name):
        name = unquote(_URL.sub("", name))
        name = name[1:] if re.match(r"/[A-Za-z]:", name) else name
    return name.replace("\\", "/")


class WorkspaceNames:
    """The files of a workspace, found by what reports call them.

    A report names a file from the workspace's root, from one of its sources, by an absolute path
    here or on the machine where it was made, from the root of its packages (Java), or with the
    path of its module before it (Go). A name that could mean several files means none.

    Args:
        root: The workspace.
        known: Its files, by their paths in it.
    """

    def __init__(self, root: Path, known: Collection[str]) -> None:
        self._known = frozenset(known)
        self._roots = tuple(
            dict.fromkeys(
                f"{place.as_posix().rstrip('/')}/" for place in (root.absolute(), root.resolve())
            )
        )
        self._by_name: dict[str, list[str]] | None = None
        self._found: dict[tuple[str, tuple[str, ...]], str | None] = {}

    def find(self, name: str, sources: Sequence[str] = ()) -> str | None:
        """The file that a report means, if it can mean just one.

        Args:
            name: What the report calls it.
            sources: The folders that its names are relative to, where it says so.
        """
        key = (name, tuple(sources))
        if key not in self._found:
            self._found[key] = self._look_for(name, sources)
        return self._found[key]

    def _look_for(self, name: str, sources: Sequence[str]) -> str | None:
        given = posix_name(name)
        placed = [f"{posix_name(source).rstrip('/')}/{given}" for source in sources if source]
        names = [given] if _ABSOLUTE.match(given) else [*placed, given]
        for look in (self._exactly, self._at_end, self._below_prefix):
            found = {path for candidate in names for path in look(candidate)}
            if found:
                return found.pop() if len(found) == 1 else None
        return None

    def _exactly(self, name: str) -> Iterator[str]:
        """The path itself, from the root or absolute."""
        for root in self._roots:
            if name.startswith(root):
                name = name.removeprefix(root)
                break
        path = posixpath.normpath(name)
        if path in self._known:
            yield path

    def _at_end(self, name: str) -> Iterable[str]:
        """The files whose paths end with a relative name."""
        if _ABSOLUTE.match(name):
            return ()
        if self._by_name is None:
            self._by_name = defaultdict(list)
            for path in self._known:
                self._by_name[path.rpartition("/")[2]].append(path)
        path = posixpath.normpath(name)
        found = self._by_name.get(path.rpartition("/")[2], ())
        return [known for known in found if known.endswith(f"/{path}")]

    def _below_prefix(self, name: str) -> Iterator[str]:
        """The longest end of the name that is a file."""
        parts = posixpath.normpath(name).split("/")
        if len(parts) > MAX_PARTS:
            return
        least = LEAST if _ABSOLUTE.match(name) else 1
        for start in range(1, len(parts) - least + 1):
            path = "/".join(parts[start:])
            if path in self._known:
                yield path
                return


NAMES_LIMIT: Final = 1_000_000
"""Files and directories of a workspace that are looked at."""


def workspace_names(context: JudgmentContext) -> WorkspaceNames:
    """The files of the workspace of a run.

    Raises:
        WorkspaceError: There is none, or it has too many.
    """
    with open_workspace(context.workspace) as workspace:
        entries = walk(workspace, ".", Budget(NAMES_LIMIT), _enters)
        files = [entry.path for entry in entries if entry.kind is Kind.FILE]
        return WorkspaceNames(workspace.path, files)


def _enters(path: str) -> bool:
    return path.rpartition("/")[2] != ".git"
