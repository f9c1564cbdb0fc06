"""What a patch file says, and, where it applies, the files as it makes them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
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
from agent_judge.judges.git.objects import Mode, is_component, malformed
from agent_judge.judges.git.scratch import Git, Scratch
from agent_judge.judges.showing import shown
from agent_judge.judgment import ReasonCode

if TYPE_CHECKING:
    from unidiff.patch import PatchedFile, PatchSet

_NOWHERE: Final = "/dev/null"
_MODES: Final[Mapping[str | None, Mode]] = {
    "100755": Mode.EXECUTABLE,
    "120000": Mode.LINK,
    "160000": Mode.COMMIT,
}
_MOVED: Final = re.compile(r"(?:rename|copy) (from|to) (.*)\n")
_SLASHES: Final = re.compile("/+")
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
    said = _said_by_git(scratch, place, name, changes.strip)
    parsed = parse_patch(content, deadline)
    if len(parsed) != len(said):
        raise malformed(f"{name} has {len(said)} files for git and {len(parsed)} for unidiff")
    if changes.strip == 1:
        _check_prefixes(parsed, name)
    files = tuple(
        _described(file, what, changes.strip) for file, what in zip(parsed, said, strict=True)
    )
    return Patch(name, str(place), files, changes.strip)


@dataclass(frozen=True, slots=True)
class _Said:
    """What git reads of one file in a patch: its last path, its first one, and the counts."""

    last: str
    first: str
    added: int | None
    removed: int | None


def _said_by_git(scratch: Scratch, place: Path, name: str, strip: int) -> list[_Said]:
    """What git reads of each file, forwards for the last path, and in reverse for the first."""
    forwards, backwards = (
        scratch.try_git("apply", "--numstat", "-z", f"-p{strip}", *options, str(place))
        for options in ((), ("-R",))
    )
    if forwards.code or backwards.code:
        raise malformed(f"{name} cannot be read as a patch: {forwards.errors.strip()[:200]}")
    forth, back = _numstat(forwards.output), _numstat(backwards.output)
    if [line[1::-1] for line in reversed(back)] == [line[:2] for line in forth]:
        back.reverse()  # since git 2.29, the last file comes first
    return [
        _Said(last, first, _count(added), _count(removed))
        for (added, removed, last), (_, _, first) in zip(forth, back, strict=True)
    ]


def _count(digits: str) -> int | None:
    return None if digits == "-" else int(digits)


def _numstat(output: bytes) -> list[list[str]]:
    return [os.fsdecode(field).split("\t", 2) for field in output.split(b"\0")[:-1]]


_PREFIXES: Final = frozenset("abciow12") | {"old", "new", "orig"}
"""Folders that tools put before the paths of a patch: git, with its mnemonic ones, and others."""


def _check_prefixes(parsed: PatchSet, name: str) -> None:
    """Refuse a patch whose paths are whole: their first folder would be taken for a prefix.

    The two sides of a file have other prefixes, as `a/` and `b/`; paths without are the same.
    """
    for file in parsed:
        sides = {side for side in (file.source_file, file.target_file) if side != _NOWHERE}
        first = {side.lstrip('"').partition("/")[0] for side in sides}
        if len(sides) == 1 and not first <= _PREFIXES:
            raise malformed(
                f"{name} names {shown(min(sides))!r} without a prefix such as 'a/' and 'b/'; "
                "say strip=0 if its paths are whole"
            )


def _described(file: PatchedFile, said: _Said, strip: int) -> FileChange:
    """One file of a patch, whose names and numbers must be those that git says."""
    old, new = _paths(file, said, strip)
    binary = said.added is None
    counts = (None, None) if binary else (file.added, file.removed)
    if (new or old, old or new, *counts) != (said.last, said.first, said.added, said.removed):
        raise _ambiguous(said)
    for path in {said.last, said.first}:
        if not all(map(is_component, path.split("/"))):
            raise malformed(f"a patch names {shown(path)!r}, which cannot be in the workspace")
    modes = _MODES.get(file.source_mode, Mode.FILE), _MODES.get(file.target_mode, Mode.FILE)
    before = None if old is None else Version(old, modes[0], binary=binary)
    after = None if new is None else Version(new, modes[1], binary=binary)
    if not binary and before is None and after is not None:
        after = _whole(after, file)
    elif not binary and after is None and before is not None:
        before = _whole(before, file)
    return FileChange(before, after, counts[0], counts[1], file_hunks(file))


def _whole(version: Version, file: PatchedFile) -> Version:
    """A file that was added or deleted, which a patch holds whole."""
    lines = [line for hunk in file for line in hunk]
    text = "".join(line.value for line in lines if line.line_type in ("+", "-"))
    if lines and lines[-1].line_type == "\\":
        text = text.removesuffix("\n")
    content = text.encode("utf-8", "surrogateescape")
    return replace(version, size=len(content), content=content)


def _paths(file: PatchedFile, said: _Said, strip: int) -> tuple[str | None, str | None]:
    """The path before and after; a traditional patch has one, which git chooses."""
    info = list(file.patch_info or ())
    moved = {found[1]: found[2] for found in map(_MOVED.fullmatch, info) if found}
    if "from" in moved and "to" in moved:
        return _stripped(moved["from"], strip - 1), _stripped(moved["to"], strip - 1)
    old, new = (
        None if end == _NOWHERE else _stripped(end, strip)
        for end in (file.source_file, file.target_file)
    )
    if info and info[0].startswith("diff --git "):
        return old, new
    if said.last not in (old, new):
        raise _ambiguous(said)
    return None if old is None else said.last, None if new is None else said.last


def _ambiguous(said: _Said) -> WorkspaceError:
    return malformed(f"what a patch says of {shown(said.last)} can be read in two ways")


def _stripped(name: str, strip: int) -> str:
    """A path without its first components, of which git counts the slashes behind them."""
    return _SLASHES.sub("/", _unquoted(name)).split("/", max(strip, 0))[-1]


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
