from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent_judge import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.diff import FolderChanges
from agent_judge.judges.diff.reading import read_changes
from agent_judge.judges.diff.records import ChangeSet
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judgment import ReasonCode
from unit.judges.diff.works import named, write


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """A folder as it was, and a workspace that is the same."""
    before, work = tmp_path / "before", tmp_path / "work"
    for folder in (before, work):
        write(folder, {"a.py": "a\nb\nc\nd\n", "sub/b.py": "b\n", ".git/config": str(folder)})
    return before, work


def changed(folders: tuple[Path, Path], **options: object) -> ChangeSet:
    """What changed in the workspace."""
    before, work = folders
    changes = FolderChanges(before, **options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    return read_changes(JudgmentContext(workspace=work), changes)


def test_files_are_compared_byte_for_byte(folders: tuple[Path, Path]) -> None:
    """With renames as git finds them; `.git` is no part of either."""
    _, work = folders
    (work / "a.py").rename(work / "c.py")
    write(work, {"c.py": "a\nb\nc\nd\r\n", "new.txt": ""})

    change = changed(folders)

    assert named(change) == {"a.py -> c.py": "renamed", "new.txt": "added"}
    assert change.compared == 4


def test_the_same_files_are_no_change(folders: tuple[Path, Path]) -> None:
    """How many were compared is known."""
    change = changed(folders)

    assert (change.files, change.compared) == ((), 2)


def test_a_directory_of_the_workspace_can_be_compared(tmp_path: Path) -> None:
    """Paths are those within it."""
    write(tmp_path / "before", {"x/a.py": "a"})
    write(tmp_path / "work", {"out/x/a.py": "b", "other.py": ""})

    change = changed((tmp_path / "before", tmp_path / "work"), after="out")

    assert named(change) == {"x/a.py": "changed"}


def test_patterns_leave_files_out(folders: tuple[Path, Path]) -> None:
    """On both sides."""
    before, work = folders
    write(before, {"x.log": "", "build/x": ""})
    write(work, {"y.log": "", "a.py": ""})

    assert named(changed(folders, exclude=["*.log", "build/"])) == {"a.py": "changed"}


def test_a_folder_that_is_not_there_is_an_error(folders: tuple[Path, Path]) -> None:
    """It says nothing of what was before."""
    _, work = folders

    with pytest.raises(WorkspaceError, match="cannot be opened") as fault:
        changed((work / "nothing", work))

    assert fault.value.code is ReasonCode.MISSING_INPUT


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_a_directory_behind_a_link_is_not_entered(folders: tuple[Path, Path]) -> None:
    """The link itself is compared; one out of the workspace cannot be the directory to compare."""
    before, work = folders
    (work / "leads").symlink_to(before)

    assert named(changed(folders)) == {"leads": "added"}
    with pytest.raises(WorkspaceError) as fault:
        changed(folders, after="leads")
    assert fault.value.code is ReasonCode.OUTSIDE_WORKSPACE


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"before": ""}, ArgumentError),
        ({"before": 1}, ArgumentTypeError),
        ({"before": "a", "after": "../b"}, ArgumentError),
        ({"before": "a", "exclude": "b"}, ArgumentTypeError),
        ({"before": "a", "bounds": 1}, ArgumentTypeError),
    ],
)
def test_what_cannot_be_meant_is_refused(
    options: dict[str, object], error: type[Exception]
) -> None:
    """When it is built, not when it judges."""
    with pytest.raises(error):
        FolderChanges(**options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
