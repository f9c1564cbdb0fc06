from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent_judge import Status
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges import AddedFilesJudge, ChangeBounds, GitChanges, PatchChanges
from unit.judges.diff.works import Work, begin, said


def judged(work: Work, **options: object) -> list[str]:
    """What is found of a work since its base."""
    judge = AddedFilesJudge(GitChanges(work.base), **options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    return said(work.judged(judge))


def test_text_of_ordinary_size_passes(work: Work) -> None:
    """The check says how many files were looked at."""
    work.write({"new.py": "x = 1\n", "app.py": ""})

    judgment = work.judged(AddedFilesJudge(GitChanges(work.base)))

    assert judgment.passed
    assert [check.examined for check in judgment.checks] == [2]


def test_binary_files_fail(work: Work) -> None:
    """Those that were added, and those that have become so; not those that were so before."""
    work.write({"a.out": b"\0", "app.py": b"a\0", "logo.png": b"\0\0"})

    assert judged(work) == ["a.out: added, and binary", "app.py: changed, and binary"]
    assert judged(work, binary="allow") == []
    assert judged(work, allow=["*.out", "app.py"]) == []


def test_huge_files_fail(work: Work) -> None:
    """A file may have as many bytes as the limit, and one that was larger may shrink."""
    work.write({"big.txt": "b" * 300, "less.txt": "l" * 300})
    base = work.commit()
    work.write(
        {"a.txt": "a" * 101, "b.txt": "b" * 100, "big.txt": "b" * 301, "less.txt": "l" * 200}
    )

    assert judged(Work(work.folder, base), size_limit=100) == [
        "a.txt: added, and holds 101 bytes, over 100",
        "big.txt: changed, and holds 301 bytes, over 100",
    ]


def test_a_file_too_large_to_be_read_is_huge_all_the_same(work: Work) -> None:
    """Its size and how it begins are known."""
    work.write({"a.bin": b"\0" * 1_000})
    changes = GitChanges(work.base, bounds=ChangeBounds(file_bytes=10))

    judgment = work.judged(AddedFilesJudge(changes, size_limit=100))

    assert said(judgment) == [
        "a.bin: added, and binary",
        "a.bin: added, and holds 1000 bytes, over 100",
    ]


@pytest.mark.skipif(os.name != "posix", reason="needs links")
@pytest.mark.parametrize(
    ("name", "target", "out"),
    [
        ("link", "/etc/passwd", True),
        ("link", "../x", True),
        ("sub/link", "../../x", True),
        ("sub/link", "../app.py", False),
        ("link", "sub/../app.py", False),
        ("link", "sub/../../x", True),
        ("link", "C:\\x", True),
        ("link", "..x", False),
    ],
)
def test_links_out_of_the_workspace_fail(work: Work, name: str, target: str, out: bool) -> None:
    """Those within it do not; none of them is followed."""
    (work.folder / "sub").mkdir()
    (work.folder / name).symlink_to(target)

    found = [f"{name}: added, and a symbolic link that leads out of the workspace"]
    assert judged(work) == (found if out else [])


def test_deleted_files_add_nothing(work: Work) -> None:
    """It was looked at what became of each."""
    (work.folder / "logo.png").unlink()

    judgment = work.judged(AddedFilesJudge(GitChanges(work.base)))

    assert judgment.passed
    assert [check.examined for check in judgment.checks] == [1]


def test_a_change_of_nothing_adds_nothing(work: Work) -> None:
    """And nothing was looked at."""
    assert work.judged(AddedFilesJudge(GitChanges(work.base))).status is Status.ABSTAIN


LITERAL = "GIT binary patch\nliteral 3\nKcmYdfNCE%>hycU@\n\nliteral 0\nHcmV?d00001\n\n"
INDEX = f"index {'0' * 40}..20b5be91886d0b6f26dc98a225c0dac05fe2c86e\n"
HEADER = "diff --git a/new b/new\nnew file mode 100644\n"


@pytest.mark.parametrize(
    ("patch", "found"),
    [
        (f"{HEADER}{INDEX}{LITERAL}", ["new: added, and binary"]),
        (f"{HEADER}--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+{'x' * 99}\n", []),
        (
            f"{HEADER}--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+{'x' * 100}\n",
            ["new: added, and holds 101 bytes, over 100"],
        ),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", []),
        (
            f"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+{'b' * 100}\n",
            ["x: changed, and holds at least 101 bytes, over 100"],
        ),
    ],
)
def test_a_patch_that_does_not_apply_holds_added_files_whole(
    tmp_path: Path, patch: str, found: list[str]
) -> None:
    """Of one that was there, a check says that its size is not known."""
    work = begin(tmp_path, {"new": "in the way\n"})
    work.write({"fix.patch": patch})

    judgment = work.judged(AddedFilesJudge(PatchChanges("fix.patch"), size_limit=100))

    assert said(judgment) == found
    unknown = [check.name for check in judgment.checks if check.advisory]
    assert unknown == (["x"] if "a/x" in patch else ["new"] if "GIT binary" in patch else [])


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"size_limit": 0}, ArgumentError),
        ({"size_limit": "1"}, ArgumentTypeError),
        ({"binary": "x"}, ArgumentError),
        ({"allow": "x"}, ArgumentTypeError),
        ({"empty": "x"}, ArgumentError),
    ],
)
def test_what_cannot_be_meant_is_refused(
    options: dict[str, object], error: type[Exception]
) -> None:
    """When it is built, not when it judges."""
    with pytest.raises(error):
        AddedFilesJudge(GitChanges("main"), **options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
