"""Which change is judged: between revisions, in a patch, or between two folders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias

from agent_judge.engine import check_seconds
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.files.excludes import Excludes, check_exclude
from agent_judge.judges.files.paths import check_path, check_trusted_path
from agent_judge.judges.files.reading import check_limit
from agent_judge.judges.git.repository import check_revision

SINCE: Final = ("base", "merge_base")
IGNORED: Final = ("leave_out", "count")


@dataclass(frozen=True, slots=True)
class ChangeBounds:
    """How much of a change is read; more than that is never a finding, but ERROR `too_large`.

    Args:
        files: Files that may be changed.
        names: Files and directories that may be looked at on each side.
        file_bytes: Bytes of one file; of a larger one only its size is known.
        bytes: Bytes of all contents together; what exceeds them is treated as too large.
        lines: Lines that may be added and removed, where a judge looks at the lines themselves.
        timeout: Seconds for all of it.

    Raises:
        ArgumentError: A number that is not positive.
        ArgumentTypeError: What is no number.
    """

    files: int = 20_000
    names: int = 100_000
    file_bytes: int = 10_000_000
    bytes: int = 100_000_000
    lines: int = 200_000
    timeout: float = 60.0

    def __post_init__(self) -> None:
        for name in ("files", "names", "file_bytes", "bytes", "lines"):
            check_limit(getattr(self, name), f"bounds.{name}")
        check_seconds(self.timeout, "bounds.timeout")


@dataclass(frozen=True, slots=True)
class GitChanges:
    """What changed since a revision: up to another one, or in the files of the workspace.

    Contents are compared as they are stored, and files of the workspace byte for byte: no filter
    of git (line ends, LFS) is applied. Nothing that a repository configures is run.

    Args:
        base: The commit, tag or branch that the work began from. Names are looked up in the
            repository, which the work may have rewritten if it is the workspace's own: there,
            give the full hash of a commit, which cannot be forged.
        head: The one that it ended with; unless given, the files of the workspace.
        since: What is compared with the end: the `"base"` as it is, or, where others went on with
            it meanwhile, the commit at which the head (or the workspace's `HEAD`) left it, the
            `"merge_base"`, as a pull request shows it.
        repository: The repository, on the side of whoever judges; the `.git` directory of the
            workspace unless given.
        ignored: What of the workspace is not part of the change: files that the `.gitignore`
            files *of the base* leave out and that the base does not have (`"leave_out"`), or
            nothing (`"count"`). What the work itself wrote into a `.gitignore` hides nothing.
        exclude: What is left out on both sides, by patterns as in a `.gitignore` file.
        bounds: How much is read.

    Raises:
        ArgumentError: What is no revision, pattern or path.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: `exclude` needs the extra `diff`.

    Example:
        >>> GitChanges("main", head="HEAD").base
        'main'
    """

    base: str
    head: str | None = None
    since: Literal["base", "merge_base"] = "base"
    repository: str | Path | None = None
    ignored: Literal["leave_out", "count"] = "leave_out"
    exclude: Sequence[str] = ()
    bounds: ChangeBounds = field(default_factory=ChangeBounds)

    def __post_init__(self) -> None:
        check_revision(self.base, "base")
        if self.head is not None:
            check_revision(self.head, "head")
        if self.repository is not None:
            _set(self, "repository", check_trusted_path(self.repository, "repository"))
        if self.since not in SINCE:
            raise ArgumentError(f"since must be one of {SINCE}, not {self.since!r}")
        if self.ignored not in IGNORED:
            raise ArgumentError(f"ignored must be one of {IGNORED}, not {self.ignored!r}")
        _set(self, "exclude", _patterns(self.exclude))
        _check_bounds(self.bounds)


@dataclass(frozen=True, slots=True)
class PatchChanges:
    """What a patch file in the workspace says.

    Where the patch applies to what it was made for, or has been applied to it, whole files are
    known and can be compared; else its lines alone.

    Args:
        patch: The patch, in the form of `git diff` or `diff -u`.
        base: The revision that it was made for; unless given, the files of the workspace.
        repository: The repository of the base; the `.git` of the workspace unless given.
        strip: Components that are taken off each path in it, as `patch -p` does.
        bounds: How much is read.

    Raises:
        ArgumentError: What is no path or revision.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> PatchChanges("fix.patch").strip
        1
    """

    patch: str
    base: str | None = None
    repository: str | Path | None = None
    strip: int = 1
    bounds: ChangeBounds = field(default_factory=ChangeBounds)

    def __post_init__(self) -> None:
        _set(self, "patch", check_path(self.patch, "patch"))
        if self.base is not None:
            check_revision(self.base, "base")
        elif self.repository is not None:
            raise ArgumentError("repository is given without a base to read from it")
        if self.repository is not None:
            _set(self, "repository", check_trusted_path(self.repository, "repository"))
        if type(self.strip) is not int or not 0 <= self.strip <= MAX_STRIP:
            raise ArgumentError(f"strip must be a number in 0..{MAX_STRIP}, not {self.strip!r}")
        _check_bounds(self.bounds)


MAX_STRIP: Final = 20


@dataclass(frozen=True, slots=True)
class FolderChanges:
    """What differs between a folder and the workspace, byte for byte; `.git` is left out.

    Args:
        before: The files as they were, on the side of whoever judges.
        after: The directory of the workspace that is compared with them.
        exclude: What is left out on both sides, by patterns as in a `.gitignore` file.
        bounds: How much is read.

    Raises:
        ArgumentError: What is no path or pattern.
        ArgumentTypeError: A value of the wrong type.
        MissingExtraError: `exclude` needs the extra `diff`.

    Example:
        >>> FolderChanges("/srv/task-1/before").after
        '.'
    """

    before: str | Path
    after: str = "."
    exclude: Sequence[str] = ()
    bounds: ChangeBounds = field(default_factory=ChangeBounds)

    def __post_init__(self) -> None:
        _set(self, "before", check_trusted_path(self.before, "before"))
        if self.after != ".":
            _set(self, "after", check_path(self.after, "after"))
        _set(self, "exclude", _patterns(self.exclude))
        _check_bounds(self.bounds)


Changes: TypeAlias = GitChanges | PatchChanges | FolderChanges
"""Any of the three."""


def check_changes(changes: object) -> None:
    """Refuse what does not say which change is judged.

    Raises:
        ArgumentTypeError: It is none of the three.
    """
    if not isinstance(changes, Changes):
        raise ArgumentTypeError(
            f"changes must be GitChanges, PatchChanges or FolderChanges, not {changes!r}"
        )


def _check_bounds(bounds: object) -> None:
    if not isinstance(bounds, ChangeBounds):
        raise ArgumentTypeError(f"bounds must be ChangeBounds, not {bounds!r}")


def _patterns(given: object) -> tuple[str, ...]:
    patterns = check_exclude(given)
    Excludes(patterns)
    return patterns


_set = object.__setattr__
