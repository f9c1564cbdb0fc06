from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent_judge import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.diff import ChangeBounds, GitChanges
from agent_judge.judges.diff.reading import read_changes
from agent_judge.judges.diff.records import Kind, Line, Sign
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.git.objects import Mode
from agent_judge.judgment import ReasonCode
from unit.judges.diff.works import Work, begin, named, run_git, write

posix = pytest.mark.skipif(os.name != "posix", reason="Windows has no such names, links or modes")


def test_files_of_the_workspace_are_compared_with_a_revision(work: Work) -> None:
    """Added, changed, deleted and renamed ones, whether or not git was told of them."""
    work.write({"new.py": "x\n", "app.py": "a = 1\nb = 3\nc = 3\n"})
    (work.folder / "logo.png").unlink()
    (work.folder / "tests" / "test_app.py").rename(work.folder / "moved.py")

    change = work.changes()

    assert named(change) == {
        "app.py": "changed",
        "logo.png": "deleted",
        "new.py": "added",
        "tests/test_app.py -> moved.py": "renamed",
    }
    assert change.compared == 5
    assert change.facts == {"base": work.base}


def test_two_revisions_are_compared(work: Work) -> None:
    """What the workspace holds meanwhile does not matter."""
    head = work.commit({"app.py": "a = 1\n"})
    work.write({"app.py": "b\n", "other.py": ""})

    change = work.changes(GitChanges("HEAD~1", head="main"))

    assert named(change) == {"app.py": "changed"}
    assert change.facts == {"base": work.base, "head": head}


def test_a_repository_elsewhere_can_hold_the_base(work: Work, tmp_path: Path) -> None:
    """Then the workspace needs none, and cannot have rewritten it."""
    other = tmp_path / "other"
    write(other, {"app.py": "a = 1\n"})

    change = read_changes(
        JudgmentContext(workspace=other), GitChanges("main", repository=work.folder)
    )

    assert named(change) == {
        "app.py": "changed",
        "logo.png": "deleted",
        "tests/test_app.py": "deleted",
    }


def test_lines_have_their_numbers_on_both_sides(work: Work) -> None:
    """As in the files, counted from 1."""
    work.write({"app.py": "a = 1\nb = 3\nc = 3\nd = 4\n"})

    (file,) = work.changes().files

    assert (file.added, file.removed) == (2, 1)
    assert list(file.lines) == [
        Line(Sign.REMOVED, 2, None, "b = 2"),
        Line(Sign.ADDED, None, 2, "b = 3"),
        Line(Sign.ADDED, None, 4, "d = 4"),
    ]


def test_lines_that_were_only_removed_have_a_place(work: Work) -> None:
    """That of the line before them."""
    work.write({"app.py": "a = 1\nc = 3\n"})

    (file,) = work.changes().files

    assert file.hunks
    assert [hunk.place for hunk in file.hunks] == [1]


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("a\nb", "a\nb\n", ["-b", "+b"]),
        ("a\n", "a\r\n", ["-a", "+a\r"]),
        ("a\rb\n", "a\rc\n", ["-a\rb", "+a\rc"]),
        ("a\n", "a\n\n", ["+"]),
        ("", "--- a\n+++ b\n@@ -1 +1 @@\n", ["+--- a", "++++ b", "+@@ -1 +1 @@"]),
        ("a\n", "a\nu\u2028v\x0cw\x85\n", ["+u\u2028v\x0cw\x85"]),
        (b"a\n", b"\xff\xfe\n", ["-a", "+\udcff\udcfe"]),
    ],
)
def test_lines_are_what_stands_between_line_feeds(
    tmp_path: Path, before: str | bytes, after: str | bytes, lines: list[str]
) -> None:
    """Carriage returns and bytes that are no UTF-8 stay; nothing is taken for a header."""
    work = begin(tmp_path, {"a.txt": before})
    work.write({"a.txt": after})

    (file,) = work.changes().files

    assert [f"{line.sign.value}{line.text}" for line in file.lines] == lines


def test_binary_files_have_no_lines(work: Work) -> None:
    """They are told by a NUL near their beginning."""
    work.write({"logo.png": b"\x89PNG\0\0\n\n\n"})

    (file,) = work.changes().files

    assert file.binary
    assert (file.added, file.removed, file.hunks) == (None, None, None)


@posix
def test_a_mode_alone_is_a_change(work: Work) -> None:
    """Its content is the same."""
    (work.folder / "app.py").chmod(0o755)

    (file,) = work.changes().files

    assert (file.kind, file.added, file.removed) == (Kind.CHANGED, 0, 0)
    assert file.after is not None
    assert file.after.mode is Mode.EXECUTABLE


@posix
def test_links_are_compared_by_their_target(work: Work) -> None:
    """They are not followed, wherever they lead."""
    (work.folder / "app.py").unlink()
    (work.folder / "app.py").symlink_to("/etc/passwd")
    (work.folder / "tests" / "test_app.py").unlink()
    (work.folder / "tests").rmdir()
    (work.folder / "tests").symlink_to("/etc")

    change = work.changes()

    assert named(change) == {
        "app.py": "changed",
        "tests": "added",
        "tests/test_app.py": "deleted",
    }
    assert [file.after and file.after.content for file in change.files] == [
        b"/etc/passwd",
        b"/etc",
        None,
    ]


@posix
@pytest.mark.parametrize(
    "name", [b"a b", b'q"q', b"b\\s", b"t\tt", b"n\nn", b"\xff\xfe", "é".encode(), b" x ", b"-x"]
)
def test_names_are_what_they_are(work: Work, name: bytes) -> None:
    """Quotes, line feeds, bytes that are no UTF-8."""
    path = os.fsdecode(b"d " + name + b"/" + name)
    work.write({path: "x\n"})

    (file,) = work.changes().files

    assert file.path == path
    assert [line.text for line in file.lines] == ["x"]


def test_a_file_in_the_place_of_a_directory_is_a_change(work: Work) -> None:
    """What was in the directory is deleted."""
    (work.folder / "tests" / "test_app.py").unlink()
    (work.folder / "tests").rmdir()
    work.write({"tests": "a file\n"})

    assert named(work.changes()) == {"tests": "added", "tests/test_app.py": "deleted"}


def test_what_the_base_ignores_is_not_part_of_the_change(tmp_path: Path) -> None:
    """Unless the base has it all the same, or it is to be counted."""
    work = begin(tmp_path, {".gitignore": "*.log\n/build/\n", "a.py": ""})
    work.write({"build/kept.txt": "a"})
    work.git("add", "--force", "build/kept.txt")
    base = work.commit()
    work.write({"x.log": "", "build/other.txt": "", "build/kept.txt": "b", "sub/build/x": ""})

    assert named(work.changes(GitChanges(base))) == {
        "build/kept.txt": "changed",
        "sub/build/x": "added",
    }
    assert set(named(work.changes(GitChanges(base, ignored="count")))) == {
        "build/kept.txt",
        "build/other.txt",
        "sub/build/x",
        "x.log",
    }


def test_what_the_work_ignores_hides_nothing(work: Work) -> None:
    """Neither a `.gitignore` of its own nor the one in `.git`."""
    work.write({".gitignore": "*.py\n", ".git/info/exclude": "*.py\n", "evil.py": "x"})

    assert named(work.changes()) == {".gitignore": "added", "evil.py": "added"}


def test_patterns_leave_files_out_on_both_sides(work: Work) -> None:
    """A pattern is one of `.gitignore` files."""
    work.write({"app.py": "", "cache/x.pyc": "", "new.txt": ""})
    (work.folder / "tests" / "test_app.py").unlink()

    change = work.changes(GitChanges(work.base, exclude=["cache/", "tests/", "*.py"]))

    assert named(change) == {"new.txt": "added"}


@posix
def test_what_git_cannot_hold_is_not_there(work: Work) -> None:
    """A FIFO in the place of a test is a deleted test."""
    (work.folder / "app.py").unlink()
    os.mkfifo(work.folder / "app.py")

    assert named(work.changes()) == {"app.py": "deleted"}


def test_a_repository_in_the_workspace_hides_nothing(work: Work) -> None:
    """Git would show its folder alone."""
    work.write({"inner/evil.py": "x"})
    run_git(work.folder / "inner", "init", "--quiet")

    assert named(work.changes()) == {"inner/evil.py": "added"}


@pytest.fixture
def with_submodule(tmp_path: Path) -> Work:
    """A work with a submodule, and a later commit of it."""
    inner = begin(tmp_path / "inner", {"a.txt": "a"})
    work = begin(tmp_path / "work", {"a.py": ""})
    work.git(
        *(
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "--quiet",
            "add",
            str(inner.folder),
            "sub",
        )
    )
    base = work.commit()
    run_git(work.folder / "sub", "commit", "--quiet", "--allow-empty", "--message=more")
    work.commit()
    return Work(work.folder, base)


def test_a_submodule_is_compared_by_its_commit(with_submodule: Work) -> None:
    """Between revisions, for nobody needs its files."""
    (file,) = with_submodule.changes(GitChanges(with_submodule.base, head="HEAD")).files

    assert (file.path, file.last.mode, file.kind) == ("sub", Mode.COMMIT, Kind.CHANGED)
    assert [line.text[:18] for line in file.lines] == ["Subproject commit "] * 2


def test_the_files_of_a_submodule_are_not_taken_for_unchanged(with_submodule: Work) -> None:
    """Nobody looked at them, unless they are left out. (contract: judges:F7)"""
    with pytest.raises(WorkspaceError, match="sub is a submodule") as fault:
        with_submodule.changes()

    assert fault.value.code is ReasonCode.MALFORMED_EVIDENCE
    left_out = GitChanges(with_submodule.base, exclude=["sub/"])
    assert named(with_submodule.changes(left_out)) == {}


def test_a_submodule_that_nobody_checked_out_is_unchanged(with_submodule: Work) -> None:
    """Its directory is empty, as git leaves it."""
    with_submodule.git("submodule", "--quiet", "deinit", "--force", "sub")

    assert named(with_submodule.changes()) == {}


def test_a_large_file_is_known_by_its_size_alone(work: Work) -> None:
    """It is told binary by how it begins."""
    work.write({"app.py": "a" * 101, "logo.png": b"\0" * 101, "ok.txt": "b" * 100})

    change = work.changes(GitChanges(work.base, bounds=ChangeBounds(file_bytes=100)))

    assert [
        (file.path, file.last.size, file.last.content and len(file.last.content), file.binary)
        for file in change.files
    ] == [
        ("app.py", 101, None, False),
        ("logo.png", 101, None, True),
        ("ok.txt", 100, 100, False),
    ]


def test_a_large_file_of_the_base_is_passed_over(tmp_path: Path) -> None:
    """What comes after it is read all the same."""
    work = begin(tmp_path, {"a.txt": "a" * 1_000_000, "b.txt": "b"})
    work.write({"a.txt": "a", "b.txt": "c"})

    change = work.changes(GitChanges(work.base, bounds=ChangeBounds(file_bytes=100)))

    assert [file.before and file.before.content for file in change.files] == [None, b"b"]


def test_contents_that_are_too_large_together_are_left_unread(work: Work) -> None:
    """Those that come first are read."""
    work.write({"x.txt": "x" * 60, "y.txt": "y" * 60})

    change = work.changes(GitChanges(work.base, bounds=ChangeBounds(bytes=100)))

    assert [file.last.content is None for file in change.files] == [False, True]


@pytest.mark.parametrize(
    "bounds", [ChangeBounds(files=1), ChangeBounds(names=3), ChangeBounds(lines=2)]
)
def test_more_than_the_bounds_allow_is_too_large(work: Work, bounds: ChangeBounds) -> None:
    """Files, names and lines are counted. (contract: judges:F7)"""
    work.write({"x.txt": "1\n2\n", "y.txt": "3\n"})

    with pytest.raises(WorkspaceError) as fault:
        work.changes(GitChanges(work.base, bounds=bounds))

    assert fault.value.code is ReasonCode.TOO_LARGE


def test_a_deadline_ends_the_reading(work: Work) -> None:
    """It is ERROR, whatever was read until then."""
    with pytest.raises(WorkspaceError) as fault:
        work.changes(GitChanges(work.base, bounds=ChangeBounds(timeout=1e-6)))

    assert fault.value.code is ReasonCode.TIMEOUT


@pytest.fixture
def parted(work: Work) -> Work:
    """A work on a branch, while others went on with `main`."""
    work.git("checkout", "--quiet", "-b", "topic")
    work.commit({"topic.py": "t\n"})
    work.git("checkout", "--quiet", "main")
    work.commit({"main.py": "m\n"})
    work.git("checkout", "--quiet", "topic")
    return work


def test_the_merge_base_leaves_out_what_others_did(parted: Work) -> None:
    """As a pull request shows a change; else what they did is missing from it."""
    parted.write({"new.py": "n\n"})

    whole = parted.changes(GitChanges("main", head="topic"))
    since = parted.changes(GitChanges("main", head="topic", since="merge_base"))
    workspace = parted.changes(GitChanges("main", since="merge_base"))

    assert named(whole) == {"main.py": "deleted", "topic.py": "added"}
    assert named(since) == {"topic.py": "added"}
    assert named(workspace) == {"new.py": "added", "topic.py": "added"}
    assert since.facts["base"] == parted.base


def test_the_merge_base_is_the_last_common_commit(parted: Work) -> None:
    """After `main` was merged into the branch, that is where they parted."""
    parted.git("merge", "--quiet", "--no-edit", "main")
    main = parted.git("rev-parse", "main")
    parted.commit({"more.py": ""})

    since = parted.changes(GitChanges("main", head="topic", since="merge_base"))

    assert since.facts["base"] == main
    assert named(since) == {"more.py": "added", "topic.py": "added"}


def test_histories_without_one_merge_base_are_an_error(parted: Work) -> None:
    """None at all, or two: nobody can say which."""
    topic, main = parted.git("rev-parse", "topic"), parted.git("rev-parse", "main")
    parted.git("merge", "--quiet", "--no-edit", main)
    parted.git("checkout", "--quiet", "main")
    parted.git("merge", "--quiet", "--no-edit", topic)
    parted.commit({"x": ""})
    parted.git("checkout", "--quiet", "--orphan", "alone")
    parted.commit()

    for head, found in (("topic", "2 commits"), ("alone", "no commit")):
        with pytest.raises(WorkspaceError, match=f"went apart at {found}") as fault:
            parted.changes(GitChanges("main", head=head, since="merge_base"))
        assert fault.value.code is ReasonCode.MISSING_INPUT


def test_a_shallow_clone_has_no_merge_base(parted: Work, tmp_path: Path) -> None:
    """Where the commits in between are missing, nothing is guessed."""
    shallow = tmp_path / "shallow"
    parted.git(
        "clone",
        "--quiet",
        "--depth=1",
        "--no-single-branch",
        f"file://{parted.folder}",
        str(shallow),
    )

    with pytest.raises(WorkspaceError) as fault:
        Work(shallow, "").changes(GitChanges("origin/main", head="topic", since="merge_base"))

    assert fault.value.code is ReasonCode.MALFORMED_EVIDENCE


@pytest.mark.parametrize("revision", ["nothing", "0" * 40])
def test_a_revision_that_there_is_not_is_an_error(work: Work, revision: str) -> None:
    """Nothing can be said of a change from nowhere."""
    with pytest.raises(WorkspaceError, match="there is no revision") as fault:
        work.changes(GitChanges(revision))

    assert fault.value.code is ReasonCode.MALFORMED_EVIDENCE


def test_a_workspace_without_a_repository_is_an_error(tmp_path: Path) -> None:
    """Where none is named, either."""
    with pytest.raises(WorkspaceError) as fault:
        read_changes(JudgmentContext(workspace=tmp_path), GitChanges("HEAD"))

    assert fault.value.code is ReasonCode.MISSING_INPUT


@pytest.mark.parametrize(
    "options",
    [
        {"base": ""},
        {"base": "--output=x"},
        {"base": "a b"},
        {"base": "a", "head": "-p"},
        {"base": "a", "repository": ""},
        {"base": "a", "ignored": "maybe"},
        {"base": "a", "since": "yesterday"},
        {"base": "a", "exclude": ["!"]},
    ],
)
def test_what_cannot_be_meant_is_refused(options: dict[str, str]) -> None:
    """No revision could begin with a dash."""
    with pytest.raises(ArgumentError):
        GitChanges(**options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "options", [{"base": 1}, {"base": "a", "exclude": "x"}, {"base": "a", "bounds": {}}]
)
def test_what_is_of_another_type_is_refused(options: dict[str, object]) -> None:
    """A single string is no list of patterns."""
    with pytest.raises(ArgumentTypeError):
        GitChanges(**options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("name", ["files", "names", "file_bytes", "bytes", "lines", "timeout"])
def test_bounds_are_positive(name: str) -> None:
    """A bound of nothing would let nothing be read."""
    with pytest.raises(ArgumentError, match=f"bounds.{name}"):
        ChangeBounds(**{name: 0})
