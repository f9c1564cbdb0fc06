from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from agent_judge import JudgmentContext, Status
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.files import FilesUnchangedJudge, hash_files
from agent_judge.judgment import Judgment, ReasonCode


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Two tests and a module."""
    for name in ("tests/test_a.py", "tests/unit/test_b.py", "app.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path


@pytest.fixture
def judge(workspace: Path) -> FilesUnchangedJudge:
    """A judge that knows the tests as they are now."""
    return FilesUnchangedJudge(("tests",), baseline=hash_files(workspace, ["tests"]))


def touched(judgment: Judgment) -> list[str]:
    """What was found of each file that is not as it was."""
    return [f"{check.name} {check.message}" for check in judgment.failed_checks]


def test_files_as_they_were_pass(judge: FilesUnchangedJudge, workspace: Path) -> None:
    """Each of them has a check; files that nobody protects may change."""
    (workspace / "app.py").write_text("new")

    judgment = judge(JudgmentContext(workspace=workspace))

    assert judgment.passed
    assert [check.name for check in judgment.checks] == ["tests/test_a.py", "tests/unit/test_b.py"]


def test_each_changed_added_and_deleted_file_is_named(
    judge: FilesUnchangedJudge, workspace: Path
) -> None:
    """All three at once, in the checks and in the reasoning. (contract: judges:F13)"""
    (workspace / "tests" / "test_a.py").write_text("assert True")
    (workspace / "tests" / "conftest.py").write_text("")
    (workspace / "tests" / "unit" / "test_b.py").unlink()

    judgment = judge(JudgmentContext(workspace=workspace))

    assert judgment.status is Status.FAIL
    assert touched(judgment) == [
        "tests/conftest.py added, a file",
        "tests/test_a.py changed",
        "tests/unit/test_b.py deleted",
    ]
    assert judgment.reasoning == f"3 of 3 files touched: {'; '.join(touched(judgment))}"


def test_a_file_that_was_moved_is_deleted_and_added(
    judge: FilesUnchangedJudge, workspace: Path
) -> None:
    """The same content under another name is not the same file."""
    (workspace / "tests" / "test_a.py").rename(workspace / "tests" / "test_c.py")

    judgment = judge(JudgmentContext(workspace=workspace))

    assert touched(judgment) == ["tests/test_c.py added, a file", "tests/test_a.py deleted"]


def test_a_link_to_the_same_content_is_a_change(
    judge: FilesUnchangedJudge, workspace: Path
) -> None:
    """What it leads to may change after the judgment."""
    file = workspace / "tests" / "test_a.py"
    file.rename(workspace / "copy.py")
    file.symlink_to("../copy.py")

    assert touched(judge(JudgmentContext(workspace=workspace))) == ["tests/test_a.py changed"]


def test_a_protected_directory_behind_a_link_is_deleted(
    judge: FilesUnchangedJudge, workspace: Path
) -> None:
    """The link itself is added."""
    (workspace / "tests").rename(workspace / "moved")
    (workspace / "tests").symlink_to("moved")

    assert touched(judge(JudgmentContext(workspace=workspace))) == [
        "tests added, a symbolic link",
        "tests/test_a.py deleted",
        "tests/unit/test_b.py deleted",
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the platform has no FIFOs")
def test_a_file_that_became_a_fifo_is_changed(judge: FilesUnchangedJudge, workspace: Path) -> None:
    """And it is not waited for."""
    (workspace / "tests" / "test_a.py").unlink()
    os.mkfifo(workspace / "tests" / "test_a.py")

    assert touched(judge(JudgmentContext(workspace=workspace))) == [
        "tests/test_a.py changed into a special file"
    ]


def test_links_are_recorded_by_their_target(workspace: Path) -> None:
    """Wherever that is; it is not read."""
    (workspace / "tests" / "data").symlink_to("/nowhere")
    judge = FilesUnchangedJudge(("tests",), baseline=hash_files(workspace, ["tests"]))
    assert judge(JudgmentContext(workspace=workspace)).passed

    (workspace / "tests" / "data").unlink()
    (workspace / "tests" / "data").symlink_to("/elsewhere")

    assert touched(judge(JudgmentContext(workspace=workspace))) == ["tests/data changed"]


def test_a_baseline_holds_plain_hashes(workspace: Path) -> None:
    """So that any tool can make one, in capitals or not."""
    digest = hashlib.sha256(b"app.py").hexdigest()

    assert hash_files(workspace, ["app.py"]) == {"app.py": digest}
    judge = FilesUnchangedJudge(("*.py",), baseline={"app.py": digest.upper()})
    assert judge(JudgmentContext(workspace=workspace)).passed


def test_what_is_excluded_may_change(workspace: Path) -> None:
    """Caches that a run leaves behind, for example."""
    baseline = hash_files(workspace, ["tests"], exclude=["__pycache__/"])
    judge = FilesUnchangedJudge(("tests",), baseline=baseline, exclude=("__pycache__/",))
    (workspace / "tests" / "__pycache__").mkdir()
    (workspace / "tests" / "__pycache__" / "a.pyc").write_bytes(b"")

    assert judge(JudgmentContext(workspace=workspace)).passed


def test_what_is_excluded_costs_nothing(workspace: Path) -> None:
    """A directory that is left out is not walked through."""
    (workspace / "node_modules").mkdir()
    for number in range(50):
        (workspace / "node_modules" / f"{number}.js").write_text("")

    hashes = hash_files(workspace, ["**"], exclude=["node_modules"], walk_limit=20)

    assert sorted(hashes) == ["app.py", "tests/test_a.py", "tests/unit/test_b.py"]


def test_an_excluded_file_of_the_baseline_may_be_deleted(workspace: Path) -> None:
    """It is left out on both sides."""
    baseline = hash_files(workspace, ["tests"])
    judge = FilesUnchangedJudge(("tests",), baseline=baseline, exclude=("unit",))
    (workspace / "tests" / "unit" / "test_b.py").unlink()

    assert judge(JudgmentContext(workspace=workspace)).passed


def test_patterns_without_any_file_are_an_error(workspace: Path) -> None:
    """Nothing then, nothing now: nothing was examined."""
    judge = FilesUnchangedJudge(("spec",), baseline=hash_files(workspace, ["tests"]))

    judgment = judge(JudgmentContext(workspace=workspace))

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.MISSING_INPUT


def test_a_long_list_is_cut_in_the_reasoning_only(
    judge: FilesUnchangedJudge, workspace: Path
) -> None:
    """The checks name every file."""
    for number in range(30):
        (workspace / "tests" / f"new{number:02}.py").write_text("")

    judgment = judge(JudgmentContext(workspace=workspace))

    assert len(judgment.failed_checks) == 30
    assert judgment.reasoning.endswith("; …")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({}, ArgumentError, "got neither"),
        ({"baseline": {"a": "0" * 64}, "revision": "HEAD"}, ArgumentError, "got both"),
        ({"baseline": {}}, ArgumentError, "empty"),
        ({"baseline": {"a": "123"}}, ArgumentError, "SHA-256"),
        ({"baseline": {"a": 1}}, ArgumentError, "SHA-256"),
        ({"baseline": {"../a": "0" * 64}}, ArgumentError, "baseline"),
        ({"baseline": ["a"]}, ArgumentTypeError, "baseline"),
        ({"baseline": {"a": "0" * 64}, "repository": "r"}, ArgumentError, "repository"),
        ({"revision": "--output=x"}, ArgumentError, "revision"),
        ({"revision": "a b"}, ArgumentError, "revision"),
        ({"revision": ""}, ArgumentError, "revision"),
        ({"revision": 1}, ArgumentTypeError, "revision"),
        ({"revision": "HEAD", "repository": ""}, ArgumentError, "repository"),
        ({"revision": "HEAD", "timeout": 0}, ArgumentError, "timeout"),
        ({"revision": "HEAD", "paths": []}, ArgumentError, "paths"),
    ],
)
def test_what_is_no_baseline_is_refused(
    options: dict[str, object], error: type[Exception], message: str
) -> None:
    """Refused when the judge is built."""
    with pytest.raises(error, match=message):
        FilesUnchangedJudge(**{"paths": ["a"], **options})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
