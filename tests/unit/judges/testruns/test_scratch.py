from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent_judge.judges.files.baseline import Selection
from agent_judge.judges.files.excludes import Excludes
from agent_judge.judges.files.paths import WorkspaceError, open_workspace
from agent_judge.judges.testruns import scratch
from agent_judge.judges.testruns.pristine import FolderBefore, restore
from agent_judge.judges.testruns.scratch import copy_workspace


def copied(workspace: Path, target: Path) -> Path:
    """A copy of a workspace."""
    with open_workspace(workspace) as opened:
        copy_workspace(opened, target, 1_000)
    return target


def restored(before: Path, copy: Path, *patterns: str) -> list[str]:
    """What is put back in a copy."""
    selection = Selection(patterns, Excludes(()))
    with open_workspace(copy) as opened:
        return restore(FolderBefore(before), opened, selection, opened)


def test_a_copy_is_like_the_workspace(tmp_path: Path) -> None:
    """Content, permissions and times are kept, and links are links."""
    work = tmp_path / "work"
    (work / "bin").mkdir(parents=True)
    (work / "bin/run").write_text("#!/bin/sh\n")
    (work / "bin/run").chmod(0o755)
    os.utime(work / "bin/run", (1e9, 1e9))
    (work / "link").symlink_to("bin/run")
    (work / "inner").symlink_to(work / "bin")
    (work / "outer").symlink_to("/usr")
    os.mkfifo(work / "pipe")

    copy = copied(work, tmp_path / "copy")

    assert (copy / "bin/run").read_text() == "#!/bin/sh\n"
    assert (copy / "bin/run").stat().st_mode & 0o777 == 0o755
    assert (copy / "bin/run").stat().st_mtime == 1e9
    assert (copy / "link").readlink() == Path("bin/run")
    assert (copy / "inner").readlink() == copy / "bin"
    assert (copy / "outer").readlink() == Path("/usr")
    assert not (copy / "pipe").exists()


def test_a_workspace_that_is_too_large_is_not_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its size is added up before anything of it is read."""
    monkeypatch.setattr(scratch, "COPY_LIMIT", 10)
    (tmp_path / "work").mkdir()
    (tmp_path / "work/large").write_text("x" * 11)

    with pytest.raises(WorkspaceError, match="more than 10 bytes"):
        copied(tmp_path / "work", tmp_path / "copy")


def test_files_are_put_back_whatever_stands_there(tmp_path: Path) -> None:
    """Links, directories and files in their way are removed, and what was added."""
    before, copy = tmp_path / "before", tmp_path / "copy"
    for root in (before, copy, tmp_path / "outside"):
        root.mkdir()
    (before / "tests").mkdir()
    (before / "tests/run").write_text("old")
    (before / "tests/run").chmod(0o755)
    (before / "tests/link").symlink_to("run")
    (before / "verify").write_text("old")
    (copy / "tests").symlink_to(tmp_path / "outside")
    (copy / "verify").mkdir()
    (copy / "verify/planted").write_text("new")

    assert restored(before, copy, "tests", "verify") == ["tests/link", "tests/run", "verify"]

    assert (copy / "tests/run").read_text() == (copy / "verify").read_text() == "old"
    assert os.access(copy / "tests/run", os.X_OK)
    assert (copy / "tests/link").readlink() == Path("run")
    assert list((tmp_path / "outside").iterdir()) == []
