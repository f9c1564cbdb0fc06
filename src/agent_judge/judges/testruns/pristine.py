"""Files as they were before the work: where they come from, and how they are put back."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from agent_judge.judges.files.baseline import Baseline, Selection
from agent_judge.judges.files.folder import Kind
from agent_judge.judges.files.hashes import HashBaseline, hash_selection
from agent_judge.judges.files.paths import SIZE_LIMIT, Workspace, open_workspace
from agent_judge.judges.files.reading import read_bytes
from agent_judge.judges.git.baseline import GitBaseline
from agent_judge.judges.git.objects import Mode, malformed


@dataclass(frozen=True, slots=True)
class PristineFile:
    """A file or a link, as it was.

    Attributes:
        path: Where it was.
        content: What it held; of a link, where it led.
        is_link: Whether it was a link.
        is_executable: Whether it could be executed.
    """

    path: str
    content: bytes
    is_link: bool = False
    is_executable: bool = False


class Before(Protocol):
    """What a workspace was before the work."""

    def baseline(self, selection: Selection, /) -> Baseline:
        """What to compare files with."""
        ...

    def files(self, workspace: Workspace, selection: Selection, /) -> Iterator[PristineFile]:
        """The selected files, as they were."""
        ...


@dataclass(frozen=True, slots=True)
class FolderBefore:
    """A folder on the side of whoever judges that holds it."""

    folder: Path

    def baseline(self, selection: Selection, /) -> Baseline:
        """The hashes of the selected files."""
        return HashBaseline(hash_selection(self.folder, selection, SIZE_LIMIT))

    def files(self, workspace: Workspace, selection: Selection, /) -> Iterator[PristineFile]:  # noqa: ARG002 - it holds nothing of that
        """The selected files."""
        with open_workspace(self.folder) as before:
            for entry in selection.entries(before):
                if entry.kind is Kind.LINK:
                    link = os.fsencode(before.link_target(entry.path))
                    yield PristineFile(entry.path, link, is_link=True)
                elif entry.kind is Kind.FILE:
                    content = read_bytes(before, entry.path, SIZE_LIMIT)
                    executable = os.access(self.folder / entry.path, os.X_OK)
                    yield PristineFile(entry.path, content, is_executable=executable)


@dataclass(frozen=True, slots=True)
class RevisionBefore:
    """A revision of a git repository that holds it."""

    git: GitBaseline

    def baseline(self, selection: Selection, /) -> Baseline:  # noqa: ARG002 - it knows all files
        """The blobs of the revision."""
        return self.git

    def files(self, workspace: Workspace, selection: Selection, /) -> Iterator[PristineFile]:
        """The selected files."""
        recorded: Mapping[str, str] = self.git.recorded(workspace, selection)
        with self.git.open(workspace) as repository:
            for path, fingerprint in recorded.items():
                mode, _, blob = fingerprint.rpartition(" ")
                item = repository.read(blob)
                if item.kind != "blob":
                    raise malformed(f"{path} is a {item.kind}, not a file")
                yield PristineFile(
                    path,
                    item.content,
                    is_link=mode == Mode.LINK.value,
                    is_executable=mode == Mode.EXECUTABLE.value,
                )


def restore(
    before: Before, workspace: Workspace, selection: Selection, copy: Workspace
) -> list[str]:
    """Put the selected files of a copy back to what they were; their paths.

    Files that were added are removed, and so is whatever stands in the way.

    Args:
        before: What was there before the work.
        workspace: The workspace, whose repository may hold it.
        selection: Which files.
        copy: The copy, which nobody else works in.

    Raises:
        WorkspaceError: What was there cannot be read.
    """
    files = list(before.files(workspace, selection))
    for entry in list(selection.entries(copy)):
        (copy.path / entry.path).unlink()
    for file in files:
        _write(copy.path, file)
    return [file.path for file in files]


def _write(root: Path, file: PristineFile) -> None:
    place = root
    *folders, name = file.path.split("/")
    for folder in folders:
        place /= folder
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            place.unlink()
        place.mkdir(exist_ok=True)
    place /= name
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    if file.is_link:
        place.symlink_to(os.fsdecode(file.content))
        return
    place.write_bytes(file.content)
    place.chmod(0o755 if file.is_executable else 0o644)
