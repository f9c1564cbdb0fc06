from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_judge import JudgmentContext, Status
from agent_judge.judges.files import FilesUnchangedJudge
from agent_judge.judgment import Judgment, ReasonCode

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links and executable bits of POSIX")

Git = Callable[..., str]


def git_in(folder: Path) -> Git:
    """Run git there, with no configuration but the repository's own."""
    env = {
        "PATH": os.environ["PATH"],
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@example.org",
    }

    def git(*arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, env=env, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    return git


@pytest.fixture(params=["sha1", "sha256"])
def object_format(request: pytest.FixtureRequest) -> str:
    """Either format of objects that git has."""
    return str(request.param)


@pytest.fixture
def git(tmp_path: Path, object_format: str) -> Git:
    """A repository with a commit of a test, a script, a link and a module."""
    git = git_in(tmp_path)
    git("init", "--quiet", "--initial-branch=main", f"--object-format={object_format}")
    (tmp_path / "tests" / "unit").mkdir(parents=True)
    (tmp_path / "tests" / "test_a.py").write_text("a")
    (tmp_path / "tests" / "unit" / "test_b.py").write_text("b")
    (tmp_path / "tests" / "run.sh").write_text("#!/bin/sh")
    (tmp_path / "tests" / "run.sh").chmod(0o755)
    (tmp_path / "tests" / "link").symlink_to("test_a.py")
    (tmp_path / "app.py").write_text("app")
    git("add", ".")
    git("commit", "--quiet", "--message=first")
    return git


def judge(tmp_path: Path, revision: str, *paths: str, **options: object) -> Judgment:
    """Judge the workspace against a revision."""
    built = FilesUnchangedJudge(
        paths or ("tests",),
        revision=revision,
        **options,  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    )
    return built(JudgmentContext(workspace=tmp_path))


def touched(judgment: Judgment) -> list[str]:
    """What was found of each file that is not as it was."""
    return [f"{check.name} {check.message}" for check in judgment.failed_checks]


def test_files_as_the_revision_has_them_pass(git: Git, tmp_path: Path) -> None:
    """Files, scripts and links; others may change."""
    (tmp_path / "app.py").write_text("new")

    judgment = judge(tmp_path, "HEAD")

    assert judgment.passed
    assert [check.name for check in judgment.checks] == [
        "tests/link",
        "tests/run.sh",
        "tests/test_a.py",
        "tests/unit/test_b.py",
    ]


def test_each_changed_added_and_deleted_file_is_named(git: Git, tmp_path: Path) -> None:
    """Whether or not the work has committed it. (contract: judges:F13)"""
    first = git("rev-parse", "HEAD")
    (tmp_path / "tests" / "test_a.py").write_text("assert True")
    (tmp_path / "tests" / "conftest.py").write_text("")
    (tmp_path / "tests" / "unit" / "test_b.py").unlink()
    git("add", "--all")
    git("commit", "--quiet", "--message=second")

    judgment = judge(tmp_path, first)

    assert judgment.status is Status.FAIL
    assert touched(judgment) == [
        "tests/conftest.py added, a file",
        "tests/test_a.py changed",
        "tests/unit/test_b.py deleted",
    ]


def test_a_script_that_is_no_longer_executable_is_changed(git: Git, tmp_path: Path) -> None:
    """Git records that, too."""
    (tmp_path / "tests" / "run.sh").chmod(0o644)

    assert touched(judge(tmp_path, "HEAD")) == ["tests/run.sh changed"]


def test_a_link_that_leads_elsewhere_is_changed(git: Git, tmp_path: Path) -> None:
    """And so is one that became a file of the same content."""
    (tmp_path / "tests" / "link").unlink()
    (tmp_path / "tests" / "link").write_text("test_a.py")

    assert touched(judge(tmp_path, "HEAD")) == ["tests/link changed"]


@pytest.mark.parametrize("revision", ["HEAD", "main", "v1", "v1-annotated", "refs/heads/main"])
def test_a_revision_may_be_named(git: Git, tmp_path: Path, revision: str) -> None:
    """Branches and tags, those that are objects of their own included."""
    git("tag", "v1")
    git("tag", "--annotate", "--message=m", "v1-annotated")

    assert judge(tmp_path, revision).passed


def test_a_packed_repository_is_read(git: Git, tmp_path: Path) -> None:
    """Objects in packs are the same objects."""
    git("gc", "--quiet")

    assert judge(tmp_path, "HEAD").passed


def test_another_repository_may_be_given(git: Git, tmp_path: Path) -> None:
    """A bare one, or one with a working tree: then the workspace needs none."""
    work = tmp_path / "work"
    (work / "tests").mkdir(parents=True)
    (work / "tests" / "test_a.py").write_text("a")

    for repository in (tmp_path, tmp_path / ".git"):
        assert judge(work, "main", "tests/test_a.py", repository=str(repository)).passed


def test_only_directories_that_can_match_are_read(git: Git, tmp_path: Path) -> None:
    """The budget is of names that are looked at."""
    assert judge(tmp_path, "HEAD", "app.py", walk_limit=3).passed
    assert judge(tmp_path, "HEAD", "**", walk_limit=3).code is ReasonCode.TOO_LARGE


def test_excluded_files_of_a_revision_are_left_out(git: Git, tmp_path: Path) -> None:
    """By the same patterns as those of the workspace."""
    judgment = judge(tmp_path, "HEAD", exclude=("unit", "*.sh"))

    assert [check.name for check in judgment.checks] == ["tests/link", "tests/test_a.py"]


def test_a_submodule_is_not_passed_over(git: Git, tmp_path: Path) -> None:
    """Its files are not examined, so nothing is said about them."""
    commit = git("rev-parse", "HEAD")
    git("update-index", "--add", "--cacheinfo", f"160000,{commit},tests/module")
    git("commit", "--quiet", "--message=module")

    for path in ("tests", "tests/module/file.py"):
        judgment = judge(tmp_path, "HEAD", path)
        assert judgment.code is ReasonCode.MALFORMED_EVIDENCE
        assert "submodule" in judgment.reasoning
    assert judge(tmp_path, "HEAD", exclude=("module",)).passed


@pytest.mark.parametrize("revision", ["nothing", "HEAD~5", "0" * 40, "HEAD^{tree}", "HEAD:app.py"])
def test_what_is_no_commit_is_an_error(git: Git, tmp_path: Path, revision: str) -> None:
    """An unknown name, and names of other objects."""
    judgment = judge(tmp_path, revision)

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.MALFORMED_EVIDENCE


def test_a_workspace_without_a_repository_is_an_error(tmp_path: Path) -> None:
    """There is nothing to compare with."""
    judgment = judge(tmp_path, "HEAD")

    assert judgment.code is ReasonCode.MISSING_INPUT


def test_a_folder_that_is_no_repository_is_an_error(tmp_path: Path) -> None:
    """Git itself says so."""
    (tmp_path / ".git").mkdir()

    assert judge(tmp_path, "HEAD").code is ReasonCode.MALFORMED_EVIDENCE


def test_without_git_there_is_no_finding(
    git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing program is ERROR."""
    monkeypatch.setenv("PATH", "/nowhere")

    assert judge(tmp_path, "HEAD").code is ReasonCode.COMMAND_NOT_FOUND
