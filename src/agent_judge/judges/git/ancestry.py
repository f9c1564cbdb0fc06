"""Where two lines of commits of a repository parted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_judge.judges.deadline import Deadline
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.git.objects import OBJECT_ID, GitObject, malformed
from agent_judge.judges.git.repository import Repository
from agent_judge.judgment import ReasonCode

MAX_COMMITS: Final = 200_000
"""Commits that are looked at."""


def merge_base(repository: Repository, one: str, other: str, deadline: Deadline) -> str:
    """The commit from which two revisions went apart: their best common ancestor.

    Parents are read from the commits themselves, so that neither grafts nor a commit graph of the
    repository can move them.

    Args:
        repository: An open repository.
        one: A revision.
        other: Another one.
        deadline: When it must be found.

    Raises:
        WorkspaceError: There is none, or several; there are too many commits, or one is missing,
            as in a shallow clone.
    """
    history = _History(repository, deadline)
    known = set(history.since(repository.commit(one).id))
    candidates = [
        name for name in history.until(repository.commit(other).id, known) if name in known
    ]
    best = [name for name in candidates if not history.is_behind(name, candidates)]
    if len(best) == 1:
        return best[0]
    found = "no commit" if not best else f"{len(best)} commits"
    raise WorkspaceError(
        f"git: {one} and {other} went apart at {found}; name the base itself",
        ReasonCode.MISSING_INPUT,
    )


class _History:
    """The parents of commits, each read once."""

    def __init__(self, repository: Repository, deadline: Deadline) -> None:
        self._repository = repository
        self._deadline = deadline
        self._parents: dict[str, tuple[str, ...]] = {}

    def since(self, start: str) -> Iterator[str]:
        """A commit and all that came before it."""
        return self.until(start, frozenset())

    def until(self, start: str, known: set[str] | frozenset[str]) -> Iterator[str]:
        """A commit and all that came before it, but nothing before one that is known."""
        seen, pending = {start}, [start]
        while pending:
            name = pending.pop()
            yield name
            if name not in known:
                new = [parent for parent in self._parents_of(name) if parent not in seen]
                seen.update(new)
                pending += new

    def is_behind(self, name: str, others: list[str]) -> bool:
        """Whether a commit came before one of the others."""
        return any(other != name and name in self.since(other) for other in others)

    def _parents_of(self, name: str) -> tuple[str, ...]:
        if name not in self._parents:
            self._deadline.check()
            if len(self._parents) >= MAX_COMMITS:
                reason = f"git: there are more than {MAX_COMMITS} commits to look at"
                raise WorkspaceError(reason, ReasonCode.TOO_LARGE)
            self._parents[name] = tuple(_parents(self._repository.read(name)))
        return self._parents[name]


def _parents(commit: GitObject) -> Iterator[str]:
    """The parents that a commit names, in the lines after that of its tree."""
    for line in commit.content.split(b"\n")[1:]:
        if not line.startswith(b"parent "):
            return
        name = line.removeprefix(b"parent ").decode("ascii", "replace")
        if commit.kind != "commit" or not OBJECT_ID.fullmatch(name):
            raise malformed(f"commit {commit.id} names the parent {name!r}")
        yield name
