"""Workspaces that try to make a judge read, wait for or run what it should not."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Event, Thread

import pytest

from agent_judge import Judge, JudgmentContext, Status
from agent_judge.errors import ArgumentError
from agent_judge.judges.files import (
    FileAbsentJudge,
    FileContentJudge,
    FileExistsJudge,
    FilesUnchangedJudge,
    FileSupersetJudge,
    hash_files,
)
from agent_judge.judges.files.folder import DescriptorFolder, Kind
from agent_judge.judges.files.paths import Workspace, WorkspaceError
from agent_judge.judges.files.reading import read_bytes
from agent_judge.judgment import ReasonCode

SECRET = "the secret outside"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the attacks are those of POSIX")


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A directory beside the workspace, with a secret in it."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret.txt").write_text(SECRET)
    return folder


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """An empty workspace."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


def _final(workspace: Path, outside: Path) -> str:
    (workspace / "a.txt").symlink_to(outside / "secret.txt")
    return "a.txt"


def _relative(workspace: Path, outside: Path) -> str:
    (workspace / "a.txt").symlink_to("../outside/secret.txt")
    return "a.txt"


def _directory(workspace: Path, outside: Path) -> str:
    (workspace / "d").symlink_to(outside)
    return "d/secret.txt"


def _chain(workspace: Path, outside: Path) -> str:
    (workspace / "a.txt").symlink_to("b.txt")
    (workspace / "b.txt").symlink_to("c/secret.txt")
    (workspace / "c").symlink_to("../outside")
    return "a.txt"


def _through_a_link_to_the_workspace(workspace: Path, outside: Path) -> str:
    (workspace / "self").symlink_to(workspace)
    (workspace / "a.txt").symlink_to("self/../outside/secret.txt")
    return "a.txt"


def _absolute_with_dots(workspace: Path, outside: Path) -> str:
    (workspace / "a.txt").symlink_to(f"{workspace}/../outside/secret.txt")
    return "a.txt"


def _out_and_in_again(workspace: Path, outside: Path) -> str:
    (workspace / "b.txt").write_text(SECRET)
    (workspace / "a.txt").symlink_to("../workspace/b.txt")
    return "a.txt"


def _sibling_with_the_same_beginning(workspace: Path, outside: Path) -> str:
    sibling = workspace.with_name("workspace2")
    outside.rename(sibling)
    (workspace / "a.txt").symlink_to(sibling / "secret.txt")
    return "a.txt"


def _process_files(workspace: Path, outside: Path) -> str:
    (workspace / "a.txt").symlink_to("/proc/self/environ")
    return "a.txt"


Escape = Callable[[Path, Path], str]

ESCAPES = [
    _final,
    _relative,
    _directory,
    _chain,
    _through_a_link_to_the_workspace,
    _absolute_with_dots,
    _out_and_in_again,
    _sibling_with_the_same_beginning,
    _process_files,
]


@pytest.mark.parametrize("escape", ESCAPES)
@pytest.mark.parametrize(
    "judge",
    [FileExistsJudge, lambda path: FileContentJudge(path, contains=SECRET)],
    ids=["exists", "content"],
)
def test_a_link_that_leaves_the_workspace_is_an_error(
    workspace: Path, outside: Path, escape: Escape, judge: Callable[[str], Judge]
) -> None:
    """Whichever way it leaves; never PASS, never FAIL. (contract: judges:F3)"""
    path = escape(workspace, outside)

    judgment = judge(path)(JudgmentContext(workspace=workspace))

    assert getattr(judgment, "status", None) is Status.ERROR
    assert getattr(judgment, "code", None) is ReasonCode.OUTSIDE_WORKSPACE
    assert SECRET not in repr(judgment)


@pytest.mark.parametrize("escape", ESCAPES)
def test_a_superset_is_not_completed_from_outside(
    workspace: Path, outside: Path, tmp_path: Path, escape: Escape
) -> None:
    """The work may not link to what it should have made. (contract: judges:F3)"""
    path = escape(workspace, outside)
    (tmp_path / "reference" / path).parent.mkdir(parents=True)
    (tmp_path / "reference" / path).write_text(SECRET)

    judgment = FileSupersetJudge(str(tmp_path / "reference"))(JudgmentContext(workspace=workspace))

    assert judgment.code is ReasonCode.OUTSIDE_WORKSPACE


def test_a_match_of_a_pattern_that_leaves_is_an_error(workspace: Path, outside: Path) -> None:
    """A file found by a wildcard is no more trusted than a named one. (contract: judges:F3)"""
    (workspace / "a.txt").symlink_to(outside / "secret.txt")

    judgment = FileContentJudge("*.txt", contains=SECRET)(JudgmentContext(workspace=workspace))

    assert judgment.code is ReasonCode.OUTSIDE_WORKSPACE


def test_a_pattern_does_not_enter_a_linked_directory(workspace: Path, outside: Path) -> None:
    """Not even to count what is there."""
    (workspace / "d").symlink_to(outside)
    context = JudgmentContext(workspace=workspace)

    assert FileExistsJudge("**/secret.txt")(context).status is Status.FAIL
    assert FileExistsJudge("d/*.txt")(context).code is ReasonCode.OUTSIDE_WORKSPACE


@pytest.mark.parametrize(
    "pattern", ["../*", "/*", "/etc/*", "*/../../*", "a/..", "**/..", "C:/*", "..\\*"]
)
def test_a_pattern_that_leaves_is_refused(pattern: str) -> None:
    """As a path is, when the judge is built. (contract: judges:F2)"""
    with pytest.raises(ArgumentError, match="path"):
        FileContentJudge(pattern, contains="x")


def test_a_link_that_leaves_is_compared_by_its_target_only(workspace: Path, outside: Path) -> None:
    """A judge of unchanged files does not read through links."""
    (workspace / "a.txt").symlink_to(outside / "secret.txt")
    baseline = hash_files(workspace, ["*"])
    (outside / "secret.txt").write_text("changed")

    judge = FilesUnchangedJudge(("*",), baseline=baseline)

    assert judge(JudgmentContext(workspace=workspace)).passed


@pytest.fixture(params=["fifo", "socket", "device"])
def special(
    request: pytest.FixtureRequest, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    """A name in the workspace at which an incautious reader waits forever."""
    monkeypatch.chdir(workspace)
    match request.param:
        case "fifo":
            os.mkfifo("special")
        case "socket":
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind("special")
        case _:
            try:
                os.mknod("special", 0o20666, os.makedev(1, 5))
            except PermissionError:
                pytest.skip("only a privileged user can make a device")
    return "special"


def test_what_is_no_regular_file_is_no_file(special: str, workspace: Path) -> None:
    """It is neither read nor waited for, by name and by pattern. (contract: judges:F3)"""
    context = JudgmentContext(workspace=workspace)

    assert FileExistsJudge(special)(context).status is Status.FAIL
    assert FileAbsentJudge(special)(context).status is Status.FAIL
    for path in (special, "spec*"):
        judgment = FileContentJudge(path, contains="\x00")(context)
        assert judgment.status is Status.FAIL


def test_a_special_file_that_takes_the_place_of_a_file_is_not_opened(workspace: Path) -> None:
    """Asked for its bytes after all, the workspace refuses. (contract: judges:F7)"""
    os.mkfifo(workspace / "a.txt")

    with DescriptorWorkspace(workspace) as opened, pytest.raises(WorkspaceError, match="no"):
        read_bytes(opened, "a.txt", 10)


class DescriptorWorkspace(Workspace):
    """A workspace held by its descriptor."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, DescriptorFolder.at(path))


def swapping(workspace: Path, looks: int, swap: Callable[[], None]) -> Workspace:
    """A workspace in which something is swapped right after so many looks at names."""
    left = looks

    class Swapping(DescriptorFolder):
        def look(self, name: str) -> os.stat_result:
            """The status before the swap."""
            nonlocal left
            status = super().look(name)
            left -= 1
            if not left:
                swap()
            return status

    return Workspace(workspace, Swapping.at(workspace))


def test_a_directory_that_is_swapped_for_a_link_is_not_left_through_it(
    workspace: Path, outside: Path
) -> None:
    """It was a directory when it was looked at, and a link when it is entered."""
    (workspace / "d").mkdir()
    (workspace / "d" / "secret.txt").write_text("inside")

    def swap() -> None:
        (workspace / "d").rename(workspace / "away")
        (workspace / "d").symlink_to(outside)

    with (
        swapping(workspace, 1, swap) as opened,
        pytest.raises(WorkspaceError, match="cannot be read"),
    ):
        read_bytes(opened, "d/secret.txt", 100)


@pytest.mark.parametrize("looks", [1, 2])
def test_a_file_that_is_swapped_for_a_link_is_not_read_through_it(
    workspace: Path, outside: Path, looks: int
) -> None:
    """It was a file whenever it was looked at, and a link when it is opened."""
    (workspace / "a.txt").write_text("inside")

    def swap() -> None:
        (workspace / "a.txt").unlink()
        (workspace / "a.txt").symlink_to(outside / "secret.txt")

    with swapping(workspace, looks, swap) as opened, pytest.raises(WorkspaceError):
        read_bytes(opened, "a.txt", 100)


@pytest.mark.parametrize(("looks", "message"), [(1, "is not a file"), (2, "no longer")])
def test_a_file_that_is_swapped_for_a_fifo_is_not_waited_for(
    workspace: Path, looks: int, message: str
) -> None:
    """It was a file when it was looked at, and a FIFO without a writer when it is opened."""
    (workspace / "a.txt").write_text("inside")

    def swap() -> None:
        (workspace / "a.txt").unlink()
        os.mkfifo(workspace / "a.txt")

    with (
        swapping(workspace, looks, swap) as opened,
        pytest.raises(WorkspaceError, match=message),
    ):
        read_bytes(opened, "a.txt", 100)


def test_a_directory_that_flickers_is_never_left_through(workspace: Path, outside: Path) -> None:
    """A thread swaps it for a link and back all the time; the secret is never read."""
    (workspace / "real").mkdir()
    (workspace / "real" / "secret.txt").write_text("inside")
    (workspace / "link").symlink_to(outside)
    (workspace / "d").mkdir()
    started, stop = Barrier(2), Event()

    def flicker() -> None:
        started.wait()
        while not stop.is_set():
            for source in ("real", "link"):
                (workspace / "d").rename(workspace / "old")
                (workspace / source).rename(workspace / "d")
                (workspace / "d").rename(workspace / source)
                (workspace / "old").rename(workspace / "d")

    thread = Thread(target=flicker, daemon=True)
    thread.start()
    started.wait()
    try:
        for _ in range(2_000):
            assert _bytes_or_none(workspace) in (None, b"inside")
    finally:
        stop.set()
        thread.join()


def _bytes_or_none(workspace: Path) -> bytes | None:
    with DescriptorWorkspace(workspace) as opened:
        try:
            return read_bytes(opened, "d/secret.txt", 100)
        except WorkspaceError:
            return None


def test_hostile_names_are_shown_escaped(workspace: Path) -> None:
    """Names that rewrite a terminal, cannot be encoded, or are blank, still make a judgment."""
    for name in (b"\x1b[2J", b"\xff\xfe", b"two\nlines", b" ", b"\xe2\x80\xae"):
        Path(os.fsdecode(os.fsencode(workspace) + b"/" + name)).write_text("x")

    judgment = FileAbsentJudge("*")(JudgmentContext(workspace=workspace))

    assert judgment.status is Status.FAIL
    assert all(check.name.isprintable() and check.name.strip() for check in judgment.checks)
    assert len({check.name for check in judgment.checks}) == 5
    assert FileContentJudge("*", exact="x")(JudgmentContext(workspace=workspace)).passed


def test_a_sparse_giant_is_not_read(workspace: Path) -> None:
    """A terabyte of nothing costs nothing to write. (contract: judges:F7)"""
    with (workspace / "big").open("wb") as file:
        file.truncate(1 << 40)

    judgment = FileContentJudge("big", contains="x")(JudgmentContext(workspace=workspace))

    assert judgment.code is ReasonCode.TOO_LARGE


def test_the_kind_of_a_hostile_name_is_known(workspace: Path) -> None:
    """A name of the walk is looked up as it is, however strange."""
    name = os.fsdecode(b"\xff")
    (workspace / name).write_text("x")

    with DescriptorWorkspace(workspace) as opened:
        assert opened.kind(name) is Kind.FILE
