"""Files as they were, by the SHA-256 of each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import fsencode
from pathlib import Path
from typing import Final, cast

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import FrozenMap
from agent_judge.judges.files.baseline import Selection
from agent_judge.judges.files.excludes import Excludes
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.globs import check_patterns
from agent_judge.judges.files.paths import SIZE_LIMIT, Workspace, check_path, open_workspace
from agent_judge.judges.files.reading import add_content
from agent_judge.judges.files.tree import WALK_LIMIT, Entry

_FINGERPRINT: Final = re.compile(r"(link:)?[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class HashBaseline:
    """Files as `hash_files` recorded them."""

    hashes: Mapping[str, str]

    def recorded(self, _workspace: Workspace, selection: Selection, /) -> Mapping[str, str]:
        """The recorded fingerprints that are selected."""
        globs = selection.globs
        return {
            path: fingerprint
            for path, fingerprint in self.hashes.items()
            if globs.matches(path) and not selection.excludes.path(path)
        }

    def holds(self, workspace: Workspace, entry: Entry, recorded: str, size_limit: int) -> bool:
        """Whether a file or link still has the fingerprint that was recorded."""
        return _fingerprint(workspace, entry, size_limit) == recorded


def _fingerprint(workspace: Workspace, entry: Entry, size_limit: int) -> str:
    from hashlib import sha256

    if entry.kind is Kind.LINK:
        return f"link:{sha256(fsencode(workspace.link_target(entry.path))).hexdigest()}"
    hasher = sha256()
    add_content(hasher, workspace, entry.path, size_limit)
    return hasher.hexdigest()


def hash_files(
    folder: Path,
    paths: Sequence[str],
    *,
    exclude: Sequence[str] = (),
    size_limit: int = SIZE_LIMIT,
    walk_limit: int = WALK_LIMIT,
) -> dict[str, str]:
    """Record what files are now, as a baseline for `FilesUnchangedJudge`.

    Args:
        folder: The workspace, before the agent works in it.
        paths: Paths or patterns; a directory means everything in it.
        exclude: What is left out, by patterns as in a `.gitignore` file.
        size_limit: Bytes of a file that are read at most.
        walk_limit: How many names may be looked at.

    Returns:
        The SHA-256 of each file by its path; for a symbolic link `link:` and that of its target.

    Raises:
        ArgumentError: A pattern that is refused.
        WorkspaceError: The folder, or a file in it, cannot be read or is too large.
    """
    selection = Selection(check_patterns(paths, "paths"), Excludes(exclude), walk_limit)
    return hash_selection(folder, selection, size_limit)


def hash_selection(folder: Path, selection: Selection, size_limit: int) -> dict[str, str]:
    """`hash_files` for a selection that is made already."""
    with open_workspace(folder) as workspace:
        return {
            entry.path: _fingerprint(workspace, entry, size_limit)
            for entry in selection.entries(workspace)
            if entry.kind is not Kind.SPECIAL
        }


def check_hashes(baseline: object) -> Mapping[str, str]:
    """Hashes by path, in the form that they are compared in.

    Raises:
        ArgumentError: There are none, or one that is no SHA-256, or a path out of the workspace.
        ArgumentTypeError: It is no mapping.
    """
    if not isinstance(baseline, Mapping):
        raise ArgumentTypeError(f"baseline must map paths to SHA-256 hashes, not {baseline!r}")
    hashes = {
        check_path(path, "baseline"): _check_hash(path, fingerprint)
        for path, fingerprint in cast("Mapping[object, object]", baseline).items()
    }
    if not hashes:
        raise ArgumentError("baseline is empty; record it with hash_files")
    return FrozenMap(hashes)


def _check_hash(path: object, fingerprint: object) -> str:
    if not isinstance(fingerprint, str) or not _FINGERPRINT.fullmatch(fingerprint.lower()):
        raise ArgumentError(
            f"baseline of {path!r} is {fingerprint!r}, not a SHA-256 in 64 hexadecimal digits"
        )
    return fingerprint.lower()
