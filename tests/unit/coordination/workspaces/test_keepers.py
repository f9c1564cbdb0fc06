"""Snapshots: what is kept comes back, byte for byte, whatever was done to the workspace."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_judge.coordination import RestoreError, SnapshotError
from agent_judge.coordination.workspaces import (
    Change,
    ChangeKind,
    DirectoryKeeper,
    GitKeeper,
    tree,
)
from agent_judge.errors import ArgumentError

Keeper = DirectoryKeeper | GitKeeper


def state(root: Path, *, permissions: bool = True) -> dict[str, tuple[Any, ...]]:
    """Everything in a folder: content, links, folders, modes."""
    found: dict[str, tuple[Any, ...]] = {}
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            place = Path(folder, name)
            status = place.lstat()
            mode = stat.S_IMODE(status.st_mode) if permissions else status.st_mode & 0o100
            key = str(place.relative_to(root))
            if place.is_symlink():
                found[key] = ("link", str(place.readlink()))
            elif place.is_dir():
                found[key] = ("folder", mode if permissions else None)
            elif place.is_file():
                found[key] = ("file", place.read_bytes(), mode)
    return found


def files_of(root: Path) -> dict[str, tuple[Any, ...]]:
    """What git knows of a folder: files and links, and whether they can be executed."""
    everything = state(root, permissions=False)
    return {path: what for path, what in everything.items() if what[0] != "folder"}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder with files, a link, an executable, an empty folder and odd names."""
    root = tmp_path / "workspace"
    (root / "src/deep").mkdir(parents=True)
    (root / "empty").mkdir(mode=0o750)
    (root / "a.txt").write_text("a")
    (root / "src/b.bin").write_bytes(bytes(range(256)) * 10)
    (root / "src/deep/run.sh").write_text("#!/bin/sh\n")
    (root / "src/deep/run.sh").chmod(0o755)
    (root / "link").symlink_to("src/b.bin")
    (root / "dangling").symlink_to("/nowhere/at all")
    (root / "new\nline").write_text("n")
    Path(os.fsdecode(os.fsencode(root) + b"/bytes-\xff")).write_text("b")
    return root


@pytest.fixture(params=["directory", "git"])
def keeper(request: pytest.FixtureRequest, workspace: Path) -> Iterator[Keeper]:
    """Each of the two."""
    made: Keeper = (DirectoryKeeper if request.param == "directory" else GitKeeper)(workspace)
    with made:
        yield made


def wreck(root: Path) -> None:
    """Change everything that can be changed."""
    (root / "a.txt").write_text("changed")
    (root / "src/b.bin").unlink()
    shutil.rmtree(root / "src/deep")
    (root / "src/deep").write_text("a file where a folder was")
    (root / "link").unlink()
    (root / "link").mkdir()
    (root / "link/inside").write_text("x")
    (root / "dangling").unlink()
    (root / "dangling").symlink_to("a.txt")
    (root / "added/more").mkdir(parents=True)
    (root / "added/more/file").write_text("y")
    (root / "new\nline").rename(root / "renamed")


def test_a_wrecked_workspace_comes_back(keeper: Keeper, workspace: Path) -> None:
    """Byte for byte, with modes, links and odd names."""
    seen = state if isinstance(keeper, DirectoryKeeper) else files_of
    before = seen(workspace)
    kept = keeper.snapshot("before")

    wreck(workspace)
    wrecked = keeper.snapshot("wrecked")
    wrecked_state = seen(workspace)
    keeper.restore(kept)
    assert seen(workspace) == before

    keeper.restore(wrecked)
    assert seen(workspace) == wrecked_state


def test_the_same_state_has_the_same_id(keeper: Keeper, workspace: Path) -> None:
    """Whatever it is called, and whatever was there between."""
    first = keeper.snapshot("first")
    (workspace / "a.txt").write_text("b")
    other = keeper.snapshot("other")
    (workspace / "a.txt").write_text("a")

    again = keeper.snapshot("again")

    assert first.id == again.id != other.id
    assert first.label == "first"
    assert (first.files, first.bytes) == (again.files, again.bytes)


def test_what_differs_is_told_by_path(keeper: Keeper, workspace: Path) -> None:
    """Added, removed and changed."""
    older = keeper.snapshot("older")
    (workspace / "a.txt").write_text("b")
    (workspace / "src/b.bin").unlink()
    (workspace / "src/c").write_text("c")
    (workspace / "src/deep/run.sh").chmod(0o644)

    assert keeper.diff(older, keeper.snapshot("newer")) == (
        Change("a.txt", ChangeKind.CHANGED),
        Change("src/b.bin", ChangeKind.REMOVED),
        Change("src/c", ChangeKind.ADDED),
        Change("src/deep/run.sh", ChangeKind.CHANGED),
    )


def test_a_planted_link_leads_nowhere(keeper: Keeper, workspace: Path, tmp_path: Path) -> None:
    """A folder that became a link to another is replaced, and what it leads to stays."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "b.bin").write_text("precious")
    (outside / "run.sh").write_text("precious")
    kept = keeper.snapshot("before")

    shutil.rmtree(workspace / "src")
    (workspace / "src").symlink_to(outside)
    keeper.restore(kept)

    assert (outside / "b.bin").read_text() == (outside / "run.sh").read_text() == "precious"
    assert not (workspace / "src").is_symlink()
    assert (workspace / "src/deep/run.sh").read_text() == "#!/bin/sh\n"


def test_pipes_and_sockets_are_never_opened(keeper: Keeper, workspace: Path) -> None:
    """They are no part of a state, and go where something else has to stand."""
    kept = keeper.snapshot("before")
    os.mkfifo(workspace / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(workspace / "socket"))
    (workspace / "a.txt").unlink()
    os.mkfifo(workspace / "a.txt")

    assert keeper.snapshot("with a pipe").id != kept.id
    keeper.restore(kept)

    assert (workspace / "a.txt").read_text() == "a"


def test_a_state_that_is_not_kept_cannot_be_restored(keeper: Keeper, workspace: Path) -> None:
    """Nothing is touched then."""
    kept = keeper.snapshot("before")
    keeper.close()
    (workspace / "a.txt").write_text("mine")
    other = type(keeper)(workspace)

    with other, pytest.raises(RestoreError):
        other.restore(kept)
    assert (workspace / "a.txt").read_text() == "mine"


@pytest.mark.parametrize("kind", [DirectoryKeeper, GitKeeper])
def test_states_outlast_the_keeper(
    kind: Callable[..., Keeper], workspace: Path, tmp_path: Path
) -> None:
    """Where it was told where to keep them."""
    with kind(workspace, keep_in=tmp_path / "kept") as first:
        kept = first.snapshot("before")
    wreck(workspace)

    with kind(workspace, keep_in=tmp_path / "kept") as second:
        second.restore(kept)

    assert (workspace / "a.txt").read_text() == "a"


@pytest.mark.parametrize("kind", [DirectoryKeeper, GitKeeper])
def test_wrong_places_are_refused(kind: Callable[..., Keeper], workspace: Path) -> None:
    """No folder, or one that would keep itself."""
    with pytest.raises(ArgumentError, match="no folder"):
        kind(workspace / "missing")
    with pytest.raises(ArgumentError, match="lies in the workspace"):
        kind(workspace, keep_in=workspace / "kept")


@pytest.mark.parametrize("kind", [DirectoryKeeper, GitKeeper])
def test_a_system_without_open_folders_is_told(
    kind: Callable[..., Keeper], workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is kept, and with what to do."""
    monkeypatch.setattr(tree, "OPENS_FROM_FOLDERS", False)

    with pytest.raises(ArgumentError, match="open folder"):
        kind(workspace)


def test_a_temporary_store_goes_with_the_keeper(keeper: Keeper) -> None:
    """Nothing is left behind."""
    keeper.snapshot("x")
    store = keeper._store
    assert store.exists()

    keeper.close()

    assert not store.exists()


def test_too_much_is_refused_before_anything_is_reset(workspace: Path) -> None:
    """The limit says what to do."""
    with (
        DirectoryKeeper(workspace, limit=100) as keeper,
        pytest.raises(SnapshotError, match="limit"),
    ):
        keeper.snapshot("x")
    with pytest.raises(ArgumentError):
        DirectoryKeeper(workspace, limit=0)


def test_excluded_paths_are_neither_kept_nor_put_back(workspace: Path) -> None:
    """The user's repository is excluded unless said otherwise."""
    (workspace / ".git").mkdir()
    (workspace / ".git/HEAD").write_text("ref")
    with DirectoryKeeper(workspace) as keeper:
        kept = keeper.snapshot("before")
        (workspace / ".git/HEAD").write_text("moved")
        (workspace / "a.txt").unlink()
        keeper.restore(kept)

    assert (workspace / ".git/HEAD").read_text() == "moved"
    assert (workspace / "a.txt").exists()


def test_unchanged_files_are_not_read_again(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By their number, size and times."""
    with DirectoryKeeper(workspace) as keeper:
        first = keeper.snapshot("first")
        monkeypatch.setattr(keeper, "_taken", lambda *_, **__: pytest.fail("was read"))

        assert keeper.snapshot("second").id == first.id


def test_a_stored_state_that_was_changed_is_not_believed(workspace: Path, tmp_path: Path) -> None:
    """Its name is the hash of what it says."""
    with DirectoryKeeper(workspace, keep_in=tmp_path / "kept") as keeper:
        kept = keeper.snapshot("before")
    listing = tmp_path / "kept/trees" / f"{kept.id}.json"
    listing.write_text(listing.read_text().replace("a.txt", "../x"))

    again = DirectoryKeeper(workspace, keep_in=tmp_path / "kept")
    with again, pytest.raises(RestoreError):
        again.restore(kept)


def git(root: Path, *arguments: str) -> str:
    """Run git as a user would."""
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    command = ["git", *identity, *arguments]
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout


def test_the_users_repository_is_not_touched(workspace: Path) -> None:
    """Not a byte, not a time: index, hooks, stash, references and configuration."""
    git(workspace, "init", "-q")
    git(workspace, "add", ".")
    git(workspace, "commit", "-q", "-m", "first")
    (workspace / "a.txt").write_text("stashed")
    git(workspace, "stash", "-q")
    hook = workspace / ".git/hooks/post-index-change"
    hook.write_text(f"#!/bin/sh\ntouch {workspace}/hooked\n")
    hook.chmod(0o755)
    git(workspace, "config", "core.fsmonitor", f"touch {workspace}/monitored")
    git(workspace, "config", "filter.evil.clean", f"touch {workspace}/filtered; cat")
    (workspace / ".gitattributes").write_text("* filter=evil text eol=crlf\n")

    def fingerprint() -> dict[str, Any]:
        everything = state(workspace / ".git")
        times = {path: (workspace / ".git" / path).lstat().st_mtime_ns for path in everything}
        return {"state": everything, "times": times}

    before = fingerprint()
    with GitKeeper(workspace) as keeper:
        kept = keeper.snapshot("before")
        wreck(workspace)
        keeper.snapshot("wrecked")
        keeper.restore(kept)

    assert fingerprint() == before
    for trace in ("hooked", "monitored", "filtered"):
        assert not (workspace / trace).exists()


def test_line_ends_are_kept_as_they_are(workspace: Path) -> None:
    """Whatever the attributes of the workspace demand."""
    (workspace / ".gitattributes").write_text(
        "* text=auto eol=crlf ident\n*.x working-tree-encoding=UTF-16\n"
    )
    (workspace / "unix").write_bytes(b"a\nb\n$Id$\n")
    (workspace / "dos").write_bytes(b"a\r\nb\r\n")
    (workspace / "odd.x").write_bytes(b"\xff\xfea\x00")
    before = files_of(workspace)
    with GitKeeper(workspace) as keeper:
        kept = keeper.snapshot("before")
        for name in ("unix", "dos", "odd.x"):
            (workspace / name).unlink()
        keeper.restore(kept)

    assert files_of(workspace) == before


def test_what_git_ignores_stays_as_it_is(workspace: Path) -> None:
    """Build products survive; what a later .gitignore hid does not."""
    (workspace / ".gitignore").write_text("build/\n")
    (workspace / "build").mkdir()
    (workspace / "build/product").write_text("1")
    with GitKeeper(workspace) as keeper:
        kept = keeper.snapshot("before")
        (workspace / "build/product").write_text("2")
        (workspace / ".gitignore").write_text("*\n")
        (workspace / "hidden").write_text("x")
        keeper.restore(kept)

    assert (workspace / "build/product").read_text() == "2"
    assert not (workspace / "hidden").exists()


def test_a_repository_inside_is_refused(workspace: Path) -> None:
    """Git would keep nothing but its name."""
    inner = workspace / "inner"
    inner.mkdir()
    git(inner, "init", "-q")
    (inner / "file").write_text("x")
    git(inner, "add", ".")
    git(inner, "commit", "-q", "-m", "first")

    with GitKeeper(workspace) as keeper, pytest.raises(SnapshotError, match="inner"):
        keeper.snapshot("x")


NAMES = st.sampled_from(["a", "b", "c", "d"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
ACTS = st.one_of(
    st.tuples(st.just("write"), PATHS, st.binary(max_size=8)),
    st.tuples(st.just("delete"), PATHS, st.none()),
    st.tuples(st.just("link"), PATHS, PATHS),
    st.tuples(st.just("folder"), PATHS, st.none()),
    st.tuples(st.just("mode"), PATHS, st.sampled_from([0o755, 0o644])),
    st.tuples(st.just("keep"), st.none(), st.none()),
    st.tuples(st.just("restore"), st.none(), st.integers(0, 9)),
)


def act(root: Path, what: str, path: str, argument: Any) -> None:
    """Do one thing to a workspace, by force."""
    place = root / path
    if what == "mode":
        if place.is_file() and not place.is_symlink():
            place.chmod(argument)
        return
    if place.is_symlink() or place.is_file():
        place.unlink()
    elif place.is_dir():
        shutil.rmtree(place)
    if what == "delete":
        return
    for folder in reversed(place.relative_to(root).parents[:-1]):
        above = root / folder
        if above.is_symlink() or above.is_file():
            above.unlink()
    place.parent.mkdir(parents=True, exist_ok=True)
    if what == "write":
        place.write_bytes(argument)
    elif what == "link":
        place.symlink_to(argument)
    else:
        place.mkdir()


@pytest.mark.parametrize("kind", [DirectoryKeeper, GitKeeper])
@settings(max_examples=25, deadline=None)
@given(acts=st.lists(ACTS, max_size=25))
def test_any_state_comes_back(
    kind: Callable[..., Keeper], acts: list[tuple[str, Any, Any]], tmp_path_factory: Any
) -> None:
    """After whatever was done between, in any order."""
    root = tmp_path_factory.mktemp("any")
    seen = state if kind is DirectoryKeeper else files_of
    with kind(root) as keeper:
        kept = [(keeper.snapshot("0"), seen(root))]
        for what, path, argument in acts:
            if what == "keep":
                kept.append((keeper.snapshot(str(len(kept))), seen(root)))
            elif what == "restore":
                snapshot, then = kept[argument % len(kept)]
                keeper.restore(snapshot)
                assert seen(root) == then
            else:
                act(root, what, path, argument)
        for snapshot, then in kept:
            keeper.restore(snapshot)
            assert seen(root) == then


KILLED = """
import os, signal, sys
from agent_judge.coordination.workspaces import DirectoryKeeper, Snapshot
from agent_judge.coordination.workspaces import writing
left = int(sys.argv[4])

def counted(call):
    def counting(*args, **kwargs):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*args, **kwargs)
    return counting

for name in ("unlink", "mkdir", "symlink", "replace", "chmod", "fchmod", "open"):
    setattr(writing.os, name, counted(getattr(os, name)))
with DirectoryKeeper(sys.argv[1], keep_in=sys.argv[2]) as keeper:
    keeper.restore(Snapshot(sys.argv[3], "", 0, 0))
"""


@pytest.mark.integration
@pytest.mark.parametrize("step", [0, 9, 14, 20, 27, 33, 40, 46, 52])
def test_killed_while_restoring(step: int, workspace: Path, tmp_path: Path) -> None:
    """Doing it again finishes it."""
    keep_in = tmp_path / "kept"
    before = state(workspace)
    with DirectoryKeeper(workspace, keep_in=keep_in) as keeper:
        kept = keeper.snapshot("before")
    wreck(workspace)

    arguments = [str(workspace), str(keep_in), kept.id, str(step)]
    killed = subprocess.run([sys.executable, "-c", KILLED, *arguments], check=False)
    assert killed.returncode == -signal.SIGKILL
    with DirectoryKeeper(workspace, keep_in=keep_in) as keeper:
        keeper.restore(kept)

    assert state(workspace) == before
