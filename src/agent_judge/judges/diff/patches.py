"""What a patch file says, and, where it applies, the files as it makes them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from agent_judge.judges.deadline import Deadline
from agent_judge.judges.diff.applying import apply, files_near
from agent_judge.judges.diff.comparing import Comparison, change_set, stored
from agent_judge.judges.diff.hunks import file_hunks, parse_patch
from agent_judge.judges.diff.records import ChangeSet, FileChange, Version
from agent_judge.judges.diff.sources import PatchChanges
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.paths import Workspace, WorkspaceError
from agent_judge.judges.files.reading import read_bytes
from agent_judge.judges.git.objects import Mode, malformed
from agent_judge.judges.git.scratch import Git, Scratch
from agent_judge.judges.showing import shown
from agent_judge.judgment import ReasonCode

if TYPE_CHECKING:
    from unidiff.patch import PatchedFile

_NOWHERE: Final = "/dev/null"
_MODES: Final[Mapping[str | None, Mode]] = {
    "100755": Mode.EXECUTABLE,
    "120000": Mode.LINK,
    "160000": Mode.COMMIT,
}
_MOVED: Final = re.compile(r"(?:rename|copy) (from|to) (.*)\n")
_QUOTED: Final = re.compile(rb'\\([abtnvfr"\\]|[0-7]{3})')
_ESCAPES: Final = dict(zip(b'abtnvfr"\\', b'\a\b\t\n\v\f\r"\\', strict=True))


@dataclass(frozen=True, slots=True)
class Patch:
    """A patch file in a scratch repository.

    Attributes:
        name: The path that people know it by.
        place: Where a copy of it is, for git.
        files: The changes that it describes, of which no contents are known.
        strip: Components to take off each path.
    """

    name: str
    place: str
    files: tuple[FileChange, ...]
    strip: int

    @property
    def paths(self) -> tuple[str, ...]:
        """Every path that it touches."""
        return tuple({path: None for file in self.files for path in file.paths})


def read_patch(workspace: Workspace, changes: PatchChanges, git: Git) -> ChangeSet:
    """What a patch of the workspace changes.

    Raises:
        WorkspaceError: It is not there, no patch, or cannot be read.
    """
    content = patch_content(workspace, changes)
    if content is None:
        reason = f"there is no patch file {shown(changes.patch)}"
        raise WorkspaceError(reason, ReasonCode.MISSING_INPUT)
    name = shown(changes.patch)
    described = ChangeSet((), 0, f"the patch {name} touches no file", {"patch": name})
    with git.scratch() as scratch:
        patch = parse(scratch, changes, content, git.deadline)
        if not patch.files:
            return described
        before = files_near(workspace, changes, patch.paths, git)
        scratch.store("before", stored(before))
        for reverse, state in ((False, "applies"), (True, "is applied already")):
            applied = apply(scratch, patch, git, reverse=reverse)
            if not isinstance(applied, str):
                sides = (applied, before) if reverse else (before, applied)
                found = change_set(_compared(*sides, len(patch.paths)), git)
                facts = {**described.facts, "state": state}
                return replace(found, description=described.description, facts=facts)
    facts = {**described.facts, "state": "does not apply"}
    return replace(described, files=patch.files, compared=len(patch.paths), facts=facts)


def patch_content(workspace: Workspace, changes: PatchChanges) -> bytes | None:
    """The bytes of a patch file; `None` where there is none."""
    if workspace.kind(changes.patch) is not Kind.FILE:
        return None
    return read_bytes(workspace, changes.patch, changes.bounds.bytes)


def parse(scratch: Scratch, changes: PatchChanges, content: bytes, deadline: Deadline) -> Patch:
    """Read a patch by `unidiff`, and have git say that it reads the same in it.

    Raises:
        WorkspaceError: It is no patch, or the two of them disagree.
    """
    place = scratch.directory / "given.patch"
    place.write_bytes(content)
    name = shown(changes.patch)
    if not content.strip():
        return Patch(name, str(place), (), changes.strip)
    said = scratch.try_git("apply", "--numstat", "-z", f"-p{changes.strip}", str(place))
    if said.code:
        raise malformed(f"{name} cannot be read as a patch: {said.errors.strip()[:200]}")
    counts = [os.fsdecode(field).split("\t", 2) for field in said.output.split(b"\0")[:-1]]
    parsed = parse_patch(content, deadline)
    if len(parsed) != len(counts):
        raise malformed(f"{name} has {len(counts)} files for git and {len(parsed)} for unidiff")
    files = tuple(
        _described(file, count, changes.strip) for file, count in zip(parsed, counts, strict=True)
    )
    return Patch(name, str(place), files, changes.strip)


def _described(file: PatchedFile, count: list[str], strip: int) -> FileChange:
    """One file of a patch, whose name and numbers must be those that git says."""
    added, removed, name = count
    old, new = _paths(file, name, strip)
    binary = added == "-"
    if (new or old) != name or (
        not binary and (int(added), int(removed)) != (file.added, file.removed)
    ):
        raise malformed(f"what a patch says of {shown(name)} can be read in two ways")
    mode = _MODES.get(file.source_mode, Mode.FILE), _MODES.get(file.target_mode, Mode.FILE)
    return FileChange(
        None if old is None else Version(old, mode[0], binary=binary),
        None if new is None else Version(new, mode[1], binary=binary),
        None if binary else file.added,
        None if binary else file.removed,
        file_hunks(file),
    )


def _paths(file: PatchedFile, name: str, strip: int) -> tuple[str | None, str | None]:
    """The path before and after; a traditional patch has one, which git chooses."""
    info = list(file.patch_info or ())
    moved = {found[1]: found[2] for found in map(_MOVED.fullmatch, info) if found}
    if "from" in moved and "to" in moved:
        return tuple(_stripped(moved[end], max(strip - 1, 0)) for end in ("from", "to"))  # type: ignore[return-value]
    given = (file.source_file, file.target_file)
    paths = [None if end == _NOWHERE else _stripped(end, strip) for end in given]
    if info and info[0].startswith("diff --git "):
        return paths[0], paths[1]
    if name not in paths:
        raise malformed(f"what a patch says of {shown(name)} can be read in two ways")
    return tuple(None if path is None else name for path in paths)  # type: ignore[return-value]


def _stripped(name: str, strip: int) -> str:
    path = _unquoted(name)
    return "/".join([part for part in path.split("/") if part][strip:])


def _unquoted(name: str) -> str:
    """A name as git writes those that hold special characters: in quotes, as in C."""
    if not (len(name) > 1 and name.startswith('"') and name.endswith('"')):
        return name

    def escaped(found: re.Match[bytes]) -> bytes:
        code = found[1]
        return bytes([int(code, 8) & 0xFF]) if len(code) > 1 else bytes([_ESCAPES[code[0]]])

    return os.fsdecode(_QUOTED.sub(escaped, os.fsencode(name[1:-1])))


def _compared(
    before: Mapping[str, Version], after: Mapping[str, Version], compared: int
) -> Comparison:
    """The versions that differ."""

    def differing(one: Mapping[str, Version], other: Mapping[str, Version]) -> Iterator[str]:
        return (path for path in one if one[path] != other.get(path))

    return Comparison(
        {path: before[path] for path in differing(before, after)},
        {path: after[path] for path in differing(after, before)},
        compared,
    )
