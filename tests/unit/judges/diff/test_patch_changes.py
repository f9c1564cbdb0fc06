from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent_judge import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.diff import ChangeBounds, PatchChanges
from agent_judge.judges.diff.reading import read_changes
from agent_judge.judges.diff.records import ChangeSet, Version
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.git.objects import Mode
from agent_judge.judgment import ReasonCode
from unit.judges.diff.works import Work, named, write

PATCH = """\
diff --git a/app.py b/app.py
--- a/app.py
+++ b/app.py
@@ -1,3 +1,3 @@
 a = 1
-b = 2
+b = 3
 c = 3
"""


def read(folder: Path, patch: str | bytes, **options: object) -> ChangeSet:
    """What a patch says."""
    write(folder, {"fix.patch": patch})
    changes = PatchChanges("fix.patch", **options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    return read_changes(JudgmentContext(workspace=folder), changes)


def contents(change: ChangeSet) -> list[tuple[bytes | None, bytes | None]]:
    """What each file holds before and after."""
    return [(held(file.before), held(file.after)) for file in change.files]


def held(version: Version | None) -> bytes | None:
    """The content of a file, where there is one and it is known."""
    return None if version is None else version.content


def lines(change: ChangeSet) -> list[str]:
    """All lines that a patch shows."""
    return [f"{line.sign.value}{line.text}" for file in change.files for line in file.lines]


BEFORE, AFTER = b"a = 1\nb = 2\nc = 3\n", b"a = 1\nb = 3\nc = 3\n"


def test_a_patch_that_applies_makes_the_files_known(work: Work) -> None:
    """They are as it makes them; the workspace is left alone."""
    change = read(work.folder, PATCH)

    assert contents(change) == [(BEFORE, AFTER)]
    assert change.facts == {"patch": "fix.patch", "state": "applies"}
    assert (work.folder / "app.py").read_bytes() == BEFORE


def test_a_patch_that_was_applied_makes_the_files_known(work: Work) -> None:
    """They are as they were before it."""
    work.write({"app.py": AFTER})

    change = read(work.folder, PATCH)

    assert contents(change) == [(BEFORE, AFTER)]
    assert change.facts["state"] == "is applied already"


def test_a_patch_can_be_for_a_revision(work: Work) -> None:
    """Whatever the workspace holds."""
    work.write({"app.py": "other\n"})

    assert contents(read(work.folder, PATCH, base=work.base)) == [(BEFORE, AFTER)]


def test_a_patch_of_files_that_nobody_has_is_known_by_its_lines(tmp_path: Path) -> None:
    """Its paths, counts and lines can still be judged."""
    change = read(tmp_path, PATCH)

    assert contents(change) == [(None, None)]
    assert change.facts["state"] == "does not apply"
    assert [(file.added, file.removed) for file in change.files] == [(1, 1)]
    assert lines(change) == [" a = 1", "-b = 2", "+b = 3", " c = 3"]


@pytest.mark.parametrize("end", ["", "\n\\ No newline at end of file"])
def test_files_that_a_patch_adds_or_deletes_are_known_whole(tmp_path: Path, end: str) -> None:
    """Also where it does not apply."""
    added = f"--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+a\n+b{end}\n"
    deleted = f"--- a/old\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-c\n-d{end}\n"
    write(tmp_path, {"new": "in the way\n"})

    change = read(tmp_path, added + deleted)

    last = b"" if end else b"\n"
    assert change.facts["state"] == "does not apply"
    assert contents(change) == [(None, b"a\nb" + last), (b"c\nd" + last, None)]


def test_a_patch_of_nothing_is_an_empty_change(tmp_path: Path) -> None:
    """White space is nothing."""
    change = read(tmp_path, " \n\n")

    assert (change.files, change.compared) == ((), 0)


MANY = r"""From 0123 Mon Sep 17 00:00:00 2001
Subject: [PATCH] all that there is

---
 a | 1 +

diff --git a/old name.txt b/new name.txt
similarity index 100%
rename from old name.txt
rename to new name.txt
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git "a/\303\251\t\"q\".txt" "b/\303\251\t\"q\".txt"
new file mode 100644
--- /dev/null
+++ "b/\303\251\t\"q\".txt"
@@ -0,0 +1,2 @@
+one
+two
\ No newline at end of file
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/link b/link
new file mode 120000
--- /dev/null
+++ b/link
@@ -0,0 +1 @@
+target
\ No newline at end of file
diff --git a/pic.bin b/pic.bin
new file mode 100644
index 0000000000000000000000000000000000000000..20b5be91886d0b6f26dc98a225c0dac05fe2c86e
GIT binary patch
literal 3
KcmYdfNCE%>hycU@

literal 0
HcmV?d00001

diff --git a/sub b/sub
new file mode 160000
--- /dev/null
+++ b/sub
@@ -0,0 +1 @@
+Subproject commit 1111111111111111111111111111111111111111
--
2.39.5
"""

FOUND = {
    "old name.txt -> new name.txt": "renamed",
    "run.sh": "changed",
    'é\t"q".txt': "added",
    "gone.txt": "deleted",
    "link": "added",
    "pic.bin": "added",
    "sub": "added",
}


def test_every_kind_of_change_is_read_from_the_patch_alone(tmp_path: Path) -> None:
    """Renames, modes, quoted names, links, binary files, submodules, text around them."""
    change = read(tmp_path, MANY)

    assert named(change) == FOUND
    assert [file.last.mode for file in change.files] == [
        Mode.FILE,
        Mode.EXECUTABLE,
        Mode.FILE,
        Mode.FILE,
        Mode.LINK,
        Mode.FILE,
        Mode.COMMIT,
    ]
    assert [file.path for file in change.files if file.binary] == ["pic.bin"]


def test_every_kind_of_change_is_read_where_it_applies(tmp_path: Path) -> None:
    """Git makes of it what the patch says."""
    write(tmp_path, {"old name.txt": "n\n", "run.sh": "r\n", "gone.txt": "x\n"})

    change = read(tmp_path, MANY)

    assert change.facts["state"] == "applies"
    assert named(change) == FOUND
    assert {file.path: file.last.content for file in change.files}["pic.bin"] == b"a\0b"


TRADITIONAL = """\
Index: app.py
===================================================================
--- app.py	2024-01-01 00:00:00
+++ app.py	2024-01-02 00:00:00
@@ -1,3 +1,3 @@
 a = 1
-b = 2
+b = 3
 c = 3
--- /dev/null	1970-01-01 00:00:00
+++ sub/new.py	2024-01-02 00:00:00
@@ -0,0 +1 @@
+x
"""


@pytest.mark.parametrize("applies", [True, False])
def test_a_patch_of_another_tool_is_read(work: Work, tmp_path: Path, applies: bool) -> None:
    """Its paths begin where `strip` says."""
    folder = work.folder if applies else tmp_path
    change = read(folder, TRADITIONAL, strip=0)

    assert named(change) == {"app.py": "changed", "sub/new.py": "added"}


def test_a_copy_touches_both_its_ends(tmp_path: Path) -> None:
    """Nothing is left out of what a patch says."""
    patch = "diff --git a/a b/b\nsimilarity index 100%\ncopy from a\ncopy to b\n"

    assert named(read(tmp_path, patch)) == {"a -> b": "renamed"}


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        ("no patch at all\n", "cannot be read as a patch"),
        (PATCH + "@@ -7,2 +7,2 @@\n a\n", "cannot be read as a patch"),
        (PATCH.replace("+++ b/app.py", "+++ b/evil.py"), "cannot be read"),
        (PATCH.replace("--- a/app.py", "--- a/evil.py"), "can be read in two ways"),
        (PATCH.replace("app.py", "../evil.py"), "cannot be in the workspace"),
        (PATCH.replace("app.py", ".git/config"), "cannot be in the workspace"),
    ],
)
def test_what_cannot_be_read_as_one_thing_is_an_error(work: Work, patch: str, message: str) -> None:
    """Nobody knows what another tool would make of it."""
    with pytest.raises(WorkspaceError, match=message) as fault:
        read(work.folder, patch)

    assert fault.value.code is ReasonCode.MALFORMED_EVIDENCE


def test_a_patch_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """No change is known, which is not the same as none."""
    with pytest.raises(WorkspaceError, match="there is no patch file") as fault:
        read_changes(JudgmentContext(workspace=tmp_path), PatchChanges("fix.patch"))

    assert fault.value.code is ReasonCode.MISSING_INPUT


@pytest.mark.parametrize("size", [50, 1_000])
def test_a_patch_or_file_over_the_bounds_is_too_large(work: Work, size: int) -> None:
    """Neither is read in part. (contract: judges:F7)"""
    work.write({"app.py": "b" * 2_000})

    with pytest.raises(WorkspaceError) as fault:
        read(work.folder, PATCH, bounds=ChangeBounds(bytes=size))

    assert fault.value.code is ReasonCode.TOO_LARGE


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_a_patch_is_not_applied_through_a_link(work: Work, tmp_path: Path) -> None:
    """What is behind it is another file."""
    write(tmp_path / "elsewhere", {"app.py": BEFORE})
    (work.folder / "sub").symlink_to(tmp_path / "elsewhere")

    change = read(work.folder, PATCH.replace("/app.py", "/sub/app.py"))

    assert change.facts["state"] == "does not apply"


def test_a_patch_that_makes_a_file_where_a_directory_is_does_not_apply(work: Work) -> None:
    """Git would refuse it, too."""
    patch = "diff --git a/tests b/tests\nnew file mode 100644\n--- /dev/null\n+++ b/tests\n"

    change = read(work.folder, patch + "@@ -0,0 +1 @@\n+x\n")

    assert change.facts["state"] == "does not apply"


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"patch": "../a"}, ArgumentError),
        ({"patch": 1}, ArgumentTypeError),
        ({"patch": "a", "base": "-x"}, ArgumentError),
        ({"patch": "a", "repository": "b"}, ArgumentError),
        ({"patch": "a", "base": "b", "repository": ""}, ArgumentError),
        ({"patch": "a", "strip": -1}, ArgumentError),
        ({"patch": "a", "strip": True}, ArgumentError),
        ({"patch": "a", "bounds": None}, ArgumentTypeError),
    ],
)
def test_what_cannot_be_meant_is_refused(
    options: dict[str, object], error: type[Exception]
) -> None:
    """When it is built, not when it judges."""
    with pytest.raises(error):
        PatchChanges(**options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("header", ["", "diff --git tests/test_a.py tests/test_a.py\n"])
@pytest.mark.parametrize("old", ["tests/test_a.py", "/dev/null"])
def test_a_patch_without_prefixes_is_not_read_as_one_with_them(
    work: Work, header: str, old: str
) -> None:
    """Its first folder would be lost, and with it the rule that it falls under."""
    patch = f"{header}--- {old}\n+++ tests/test_a.py\n@@ -0,0 +1 @@\n+x = 1\n"
    if old != "/dev/null":
        patch = patch.replace("@@ -0,0 +1 @@\n+x = 1\n", "@@ -1 +1 @@\n-x = 2\n+x = 1\n")

    with pytest.raises(WorkspaceError):
        read(work.folder, patch)


def test_other_prefixes_are_prefixes(work: Work) -> None:
    """As diff and git write them."""
    for old, new in (("old", "new"), ("i", "w"), ("app.orig", "app.mine")):
        patch = PATCH.replace("a/app.py", f"{old}/app.py").replace("b/app.py", f"{new}/app.py")

        assert named(read(work.folder, patch)) == named(read(work.folder, PATCH))
