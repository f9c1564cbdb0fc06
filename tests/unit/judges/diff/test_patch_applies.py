from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent_judge import Status
from agent_judge.errors import ArgumentTypeError
from agent_judge.judges import ChangeBounds, GitChanges, PatchAppliesJudge, PatchChanges
from agent_judge.judgment import Judgment, ReasonCode
from unit.judges.diff.works import Work, said

PATCH = """\
--- a/app.py
+++ b/app.py
@@ -1,3 +1,3 @@
 a = 1
-b = 2
+b = 3
 c = 3
"""
NEW = "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x\n"


def judged(work: Work, patch: str | None, **options: object) -> Judgment:
    """Whether a patch applies to a work."""
    if patch is not None:
        work.write({"fix.patch": patch})
    changes = PatchChanges("fix.patch", **options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    return work.judged(PatchAppliesJudge(changes))


def test_a_patch_that_applies_passes(work: Work) -> None:
    """The workspace is as it was afterwards, its index included."""
    work.write({"fix.patch": PATCH + NEW})
    before = {path: path.read_bytes() for path in work.folder.rglob("*") if path.is_file()}

    judgment = judged(work, None)

    assert judgment.reasoning == "fix.patch applies to the workspace, 2 files"
    assert [check.examined for check in judgment.checks] == [2]
    after = {path: path.read_bytes() for path in work.folder.rglob("*") if path.is_file()}
    assert after == before


def test_a_patch_can_be_for_a_revision(work: Work) -> None:
    """Whatever the workspace holds."""
    work.write({"app.py": "other\n"})

    assert judged(work, PATCH, base=work.base).passed
    assert not judged(work, PATCH).passed


@pytest.mark.parametrize(
    ("patch", "message", "place"),
    [
        (PATCH.replace("b = 2", "b = 9"), "patch failed: app.py:1", "app.py:1"),
        (PATCH.replace("app.py", "nothing.py"), "nothing.py: does not exist", "nothing.py"),
        (NEW.replace("new.py", "app.py"), "app.py: already exists", "app.py"),
        (PATCH.replace("+b = 3\n", ""), "cannot be read as a patch", "fix.patch"),
        ("hello\n", "cannot be read as a patch", "fix.patch"),
        ("\n", "it is empty", "fix.patch"),
        (None, "there is no such file", "fix.patch"),
        (PATCH.replace("app.py", "../app.py"), "cannot be in the workspace", "fix.patch"),
    ],
)
def test_a_patch_that_does_not_apply_fails(
    work: Work, patch: str | None, message: str, place: str
) -> None:
    """With what git says, and the place where it says it."""
    judgment = judged(work, patch)

    assert judgment.status is Status.FAIL
    assert message in judgment.reasoning
    assert said(judgment)[0].startswith(f"{place}: ")


def test_a_patch_that_was_applied_says_so(work: Work) -> None:
    """It does not apply a second time."""
    work.write({"app.py": "a = 1\nb = 3\nc = 3\n"})

    judgment = judged(work, PATCH)

    assert judgment.reasoning == "fix.patch does not apply: it is applied already"


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_a_patch_is_not_applied_through_a_link(work: Work, tmp_path: Path) -> None:
    """Git would refuse to write beyond it."""
    (tmp_path / "app.py").write_text("a = 1\nb = 2\nc = 3\n")
    (work.folder / "sub").symlink_to(tmp_path)

    assert not judged(work, PATCH.replace("/app.py", "/sub/app.py")).passed


@pytest.mark.parametrize(
    ("bounds", "code"),
    [
        (ChangeBounds(bytes=10), ReasonCode.TOO_LARGE),
        (ChangeBounds(timeout=1e-6), ReasonCode.TIMEOUT),
    ],
)
def test_bounds_are_no_finding(work: Work, bounds: ChangeBounds, code: ReasonCode) -> None:
    """Nobody knows whether it applies. (contract: judges:F7)"""
    assert judged(work, PATCH, bounds=bounds).code is code


def test_it_takes_a_patch_alone() -> None:
    """No other change could be applied."""
    with pytest.raises(ArgumentTypeError, match="must be PatchChanges"):
        PatchAppliesJudge(GitChanges("main"))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
