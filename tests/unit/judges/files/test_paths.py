from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge import JudgmentContext, Status
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.files import FileExistsJudge
from agent_judge.judges.files.folder import (
    HAS_DESCRIPTORS,
    DescriptorFolder,
    Folder,
    Kind,
    PathFolder,
)
from agent_judge.judges.files.paths import (
    MAX_DEPTH,
    Workspace,
    WorkspaceError,
    check_path,
    open_workspace,
)
from agent_judge.judgment import ReasonCode


@pytest.fixture(params=[DescriptorFolder, PathFolder] if HAS_DESCRIPTORS else [PathFolder])
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Workspace:
    """An empty workspace, held in each of the two ways."""
    root: Folder = request.param.at(tmp_path)
    return Workspace(tmp_path, root)


@pytest.mark.parametrize(
    "path",
    [
        "",
        " ",
        ".",
        "./",
        "/etc/passwd",
        "../x",
        "a/../b",
        "a/..",
        "a\x00b",
        "C:\\x",
        "C:/x",
        "a\\b",
    ],
)
def test_a_path_that_is_not_inside_is_refused_when_a_judge_is_built(path: str) -> None:
    """Empty, `.`, absolute, with `..`, a NUL, a backslash or a drive. (contract: judges:F2)"""
    with pytest.raises(ArgumentError, match="path"):
        FileExistsJudge(path)


def test_a_path_that_is_no_string_is_refused() -> None:
    """A `Path` has the separators of its platform, so it is not taken. (contract: judges:F2)"""
    with pytest.raises(ArgumentTypeError, match="path"):
        check_path(Path("a"))


def test_a_refusal_names_the_argument_the_value_and_the_remedy() -> None:
    """The message is enough to mend the call."""
    with pytest.raises(ArgumentError) as refusal:
        check_path("/etc/passwd", "reference")

    assert str(refusal.value) == (
        "reference '/etc/passwd' is absolute; "
        "give a path relative to the workspace, such as 'src/app.py'"
    )


@given(st.lists(st.text(st.characters(exclude_characters="/\\\x00", codec="utf-8"), min_size=1)))
def test_a_checked_path_never_climbs(parts: list[str]) -> None:
    """Whatever passes the check has only plain components."""
    try:
        path = check_path("/".join(parts))
    except ArgumentError:
        return
    assert path
    assert {"", ".", ".."}.isdisjoint(path.split("/"))


def test_a_checked_path_is_in_its_shortest_form() -> None:
    """Doubled separators and `.` components say nothing."""
    assert check_path("./a//b/./c/") == "a/b/c"


def test_a_file_a_directory_and_nothing_are_told_apart(
    workspace: Workspace, tmp_path: Path
) -> None:
    """What is there is named; below a file there is nothing."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "f").write_text("x")

    kinds = [workspace.kind(path) for path in ("a", "a/f", "a/g", "a/f/g", "b/c")]

    assert kinds == [Kind.FOLDER, Kind.FILE, None, None, None]


@pytest.mark.parametrize("target", ["a/f", "./a/../a/f", "{root}/a/f"])
def test_a_link_inside_the_workspace_is_followed(
    workspace: Workspace, tmp_path: Path, target: str
) -> None:
    """Relative or absolute, through `..` or not, as long as it stays inside."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "f").write_text("x")
    (tmp_path / "link").symlink_to(target.format(root=tmp_path))

    assert workspace.kind("link") is Kind.FILE
    assert workspace.real_path("link") == tmp_path.resolve() / "a" / "f"
    with workspace.open("link") as descriptor:
        assert os.read(descriptor, 10) == b"x"


def test_a_link_to_a_directory_is_followed_on_the_way(workspace: Workspace, tmp_path: Path) -> None:
    """A component may be a link, and so may the one it leads to."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "f").write_text("x")
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("a/b")

    assert workspace.kind("one/f") is Kind.FILE
    with workspace.folder("one") as folder:
        assert [entry.name for entry in folder.entries()] == ["f"]


def test_a_link_to_the_directory_it_is_in_is_that_directory(
    workspace: Workspace, tmp_path: Path
) -> None:
    """A link to `.` ends at a directory without a name of its own."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "self").symlink_to(".")

    assert workspace.kind("a/self") is Kind.FOLDER
    assert workspace.real_path("a/self") == tmp_path.resolve() / "a"
    with workspace.folder("a/self") as folder:
        assert [entry.name for entry in folder.entries()] == ["self"]


def test_a_workspace_may_itself_be_reached_through_a_link(tmp_path: Path) -> None:
    """A link in it may name the workspace by either of its paths."""
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "f").write_text("x")
    (tmp_path / "alias").symlink_to("real")
    (tmp_path / "real" / "link").symlink_to(tmp_path / "alias" / "f")

    with open_workspace(tmp_path / "alias") as workspace:
        assert workspace.kind("link") is Kind.FILE


def test_a_link_to_nothing_is_nothing_and_yet_a_name(workspace: Workspace, tmp_path: Path) -> None:
    """Followed it leads nowhere; the name is taken all the same."""
    (tmp_path / "link").symlink_to("nothing")

    assert workspace.kind("link") is None
    assert workspace.kind_unfollowed("link") is Kind.LINK
    assert workspace.link_target("link") == "nothing"


def test_a_circle_of_links_is_an_error(workspace: Workspace, tmp_path: Path) -> None:
    """It is neither there nor absent."""
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")

    with pytest.raises(WorkspaceError, match="symbolic links") as fault:
        workspace.kind("a")
    assert fault.value.code is ReasonCode.UNREADABLE_FILE


@pytest.mark.parametrize("ask", [Workspace.link_target, Workspace.real_path])
def test_what_is_asked_of_nothing_is_an_error(workspace: Workspace, ask: object) -> None:
    """Only `kind` has an answer for a path that does not exist."""
    assert callable(ask)
    with pytest.raises(WorkspaceError, match="a/b cannot be read"):
        ask(workspace, "a/b")


def test_a_directory_that_is_not_there_cannot_be_listed(workspace: Workspace) -> None:
    """Nothing is listed in the place of what is missing."""
    with pytest.raises(WorkspaceError, match="cannot be read"), workspace.folder("a/b"):
        pass


def test_a_path_is_not_followed_into_endless_depth(workspace: Workspace, tmp_path: Path) -> None:
    """Each level holds a descriptor, so there is a limit."""
    deep = tmp_path.joinpath(*["d"] * (MAX_DEPTH + 2))
    deep.mkdir(parents=True)

    with pytest.raises(WorkspaceError, match="deeper") as fault:
        workspace.kind("/".join(["d"] * (MAX_DEPTH + 2)))
    assert fault.value.code is ReasonCode.TOO_LARGE


@pytest.mark.parametrize("name", [None, "missing", "file", "nul\x00"])
def test_without_a_workspace_there_is_no_finding(tmp_path: Path, name: str | None) -> None:
    """None given, none there, a file, a path that cannot be one: ERROR. (contract: judges:F4)"""
    (tmp_path / "file").write_text("")
    context = JudgmentContext(workspace=None if name is None else tmp_path / name)

    judgment = FileExistsJudge("a.txt")(context)

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.NO_WORKSPACE


def test_a_workspace_is_never_created(tmp_path: Path) -> None:
    """Judging leaves nothing behind. (contract: judges:F4)"""
    FileExistsJudge("a.txt")(JudgmentContext(workspace=tmp_path / "missing"))

    assert list(tmp_path.iterdir()) == []


def test_a_folder_named_by_its_path_enters_directories_only(tmp_path: Path) -> None:
    """What became a link or a file meanwhile is refused, as a descriptor would refuse it."""
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to("/")

    for name in ("file", "link"):
        with pytest.raises(NotADirectoryError):
            PathFolder(tmp_path).enter(name)
    with pytest.raises(NotADirectoryError):
        PathFolder.at(tmp_path / "file")


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="the platform does not list descriptors")
def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    """Every directory on the way is let go, whether the look succeeds or not."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "out").symlink_to("/")
    before = len(list(Path("/dev/fd").iterdir()))

    for path in ("a/b", "a/b/c", "a/out/etc"):
        FileExistsJudge(path)(JudgmentContext(workspace=tmp_path))

    assert len(list(Path("/dev/fd").iterdir())) == before
