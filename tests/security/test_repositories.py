"""Repositories that try to make git run, fetch or believe what they say."""

from __future__ import annotations

import os
import shutil
import subprocess
import zlib
from hashlib import sha1
from pathlib import Path

import pytest

from agent_judge import JudgmentContext, Status
from agent_judge.judges.files import FilesUnchangedJudge
from agent_judge.judgment import ReasonCode

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the attacks are those of POSIX")

GIT_ENV = {
    "PATH": os.environ.get("PATH", os.defpath),
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A directory beside the workspace."""
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """An empty workspace."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def repository(workspace: Path) -> Path:
    """A workspace that is a repository with one commit of one test."""
    (workspace / "test_a.py").write_text("a")
    git(workspace, "init", "--quiet", "--initial-branch=main")
    git(workspace, "add", ".")
    git(workspace, "commit", "--quiet", "--message=first")
    return workspace


def git(folder: Path, *arguments: str) -> str:
    """Run git for the attacker."""
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=GIT_ENV, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def judge_against(workspace: Path, revision: str, **options: str) -> tuple[Status, str]:
    """What is found of the test file, and why."""
    judge = FilesUnchangedJudge(("test_a.py",), revision=revision, timeout=20, **options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    judgment = judge(JudgmentContext(workspace=workspace))
    return judgment.status, judgment.reasoning


def plant(folder: Path) -> tuple[Path, Path]:
    """A program that leaves a trace when it is run, and where."""
    trace, program = folder / "trace", folder / "program"
    program.write_text(f"#!/bin/sh\ntouch {trace}\ncat\n")
    program.chmod(0o755)
    return program, trace


def test_nothing_that_a_repository_configures_is_run(repository: Path, tmp_path: Path) -> None:
    """Monitors, filters, diffs, pagers, hooks, transports: each of them would leave a trace."""
    program, trace = plant(tmp_path)
    (repository / ".gitattributes").write_text("* filter=evil diff=evil\n")
    for name in ("post-checkout", "post-index-change", "reference-transaction"):
        shutil.copy(program, repository / ".git" / "hooks" / name)
    for key in (
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "core.gitProxy",
        "core.editor",
        "core.askPass",
        "core.alternateRefsCommand",
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "credential.helper",
        "gpg.program",
        "uploadpack.packObjectsHook",
        "pager.cat-file",
    ):
        git(repository, "config", key, str(program))
    git(repository, "config", "core.hooksPath", str(tmp_path))
    git(repository, "config", "alias.cat-file", f"!{program}")

    assert judge_against(repository, "HEAD")[0] is Status.PASS
    assert not trace.exists()


@pytest.mark.parametrize("protocol", ["ext", "file"])
def test_a_missing_object_is_not_fetched(repository: Path, tmp_path: Path, protocol: str) -> None:
    """In a partial clone, git would fetch it, by a command of the repository."""
    program, trace = plant(tmp_path)
    url = f"ext::{program}" if protocol == "ext" else f"file://{tmp_path}"
    settings = {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.url": url,
        "remote.origin.promisor": "true",
        "remote.origin.uploadpack": str(program),
        "protocol.allow": "always",
        f"protocol.{protocol}.allow": "always",
    }
    for key, value in settings.items():
        git(repository, "config", key, value)

    status, reasoning = judge_against(repository, "1" * 40)

    assert status is Status.ERROR, reasoning
    assert not trace.exists()


def test_the_variables_of_the_parent_are_not_handed_on(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They could point git at another repository, configuration or trace file."""
    program, trace = plant(tmp_path)
    for name, value in {
        "GIT_DIR": str(tmp_path),
        "GIT_OBJECT_DIRECTORY": str(tmp_path),
        "GIT_EXEC_PATH": str(tmp_path),
        "GIT_TRACE": str(trace),
        "GIT_SSH_COMMAND": str(program),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": str(program),
    }.items():
        monkeypatch.setenv(name, value)

    assert judge_against(repository, "HEAD")[0] is Status.PASS
    assert not trace.exists()


def test_a_git_that_the_work_planted_is_not_run(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where PATH leads into the workspace, or begins with the current directory."""
    program, trace = plant(tmp_path)
    shutil.copy(program, repository / "git")
    monkeypatch.chdir(repository)
    monkeypatch.setenv("PATH", f"{repository}:.::{os.environ['PATH']}")

    assert judge_against(repository, "HEAD")[0] is Status.PASS
    assert not trace.exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs another user")
def test_a_repository_of_another_user_is_read_all_the_same(repository: Path) -> None:
    """Nothing of it is run, so its owner need not be trusted."""
    for path in (repository, *repository.rglob("*")):
        os.chown(path, 65534, 65534)

    assert judge_against(repository, "HEAD")[0] is Status.PASS


def test_a_moved_branch_is_what_it_is_and_a_commit_is_not_moved(repository: Path) -> None:
    """A full hash cannot be forged; a name is what the work made of it."""
    first = git(repository, "rev-parse", "HEAD")
    (repository / "test_a.py").write_text("assert True")
    git(repository, "commit", "--quiet", "--all", "--message=tamper")

    assert judge_against(repository, "main")[0] is Status.PASS
    assert judge_against(repository, first)[0] is Status.FAIL


def test_a_replaced_object_is_not_believed(repository: Path) -> None:
    """`git replace` makes one commit stand for another."""
    first = git(repository, "rev-parse", "HEAD")
    (repository / "test_a.py").write_text("assert True")
    git(repository, "commit", "--quiet", "--all", "--message=tamper")
    git(repository, "replace", first, "HEAD")

    assert judge_against(repository, first)[0] is Status.FAIL


@pytest.mark.parametrize("kind", ["commit", "tree"])
def test_an_object_under_a_false_name_is_not_believed(repository: Path, kind: str) -> None:
    """The work writes another object into the file of the one that was asked for."""
    first = git(repository, "rev-parse", "HEAD")
    victim = first if kind == "commit" else git(repository, "rev-parse", "HEAD^{tree}")
    (repository / "test_a.py").write_text("assert True")
    git(repository, "commit", "--quiet", "--all", "--message=tamper")
    forged = git(repository, "rev-parse", "HEAD" if kind == "commit" else "HEAD^{tree}")
    objects = repository / ".git" / "objects"
    place = objects / victim[:2] / victim[2:]
    place.unlink()
    shutil.copy(objects / forged[:2] / forged[2:], place)

    status, reasoning = judge_against(repository, first)

    assert status is Status.ERROR
    assert "another content" in reasoning or "cannot be read" in reasoning


def write_object(repository: Path, kind: str, content: bytes) -> str:
    """Write an object that git itself would not make."""
    raw = b"%s %d\0%s" % (kind.encode(), len(content), content)
    name = sha1(raw).hexdigest()
    place = repository / ".git" / "objects" / name[:2] / name[2:]
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(zlib.compress(raw))
    return name


def commit_of(repository: Path, tree: str) -> str:
    """A commit of a tree."""
    return git(repository, "commit-tree", "-m", "m", tree)


@pytest.mark.parametrize("name", [b"..", b".", b"", b"a/b", b".git", b".GIT"])
def test_a_name_that_cannot_be_in_a_tree_is_an_error(repository: Path, name: bytes) -> None:
    """It could lead out of the workspace."""
    blob = bytes.fromhex(git(repository, "rev-parse", "HEAD:test_a.py"))
    tree = write_object(repository, "tree", b"100644 %s\0%s" % (name, blob))

    assert judge_against(repository, commit_of(repository, tree))[0] is Status.ERROR


@pytest.mark.parametrize(
    "content",
    [b"100644 a", b"100644 a\0short", b"no-space", b"777777 a\0" + bytes(20), b"x a\0" + bytes(20)],
)
def test_a_tree_that_is_none_is_an_error(repository: Path, content: bytes) -> None:
    """It breaks off, or has modes that there are not."""
    tree = write_object(repository, "tree", content)

    assert judge_against(repository, commit_of(repository, tree))[0] is Status.ERROR


def test_a_name_that_stands_twice_in_a_tree_is_an_error(repository: Path) -> None:
    """Which of them was there is not known."""
    blob = bytes.fromhex(git(repository, "rev-parse", "HEAD:test_a.py"))
    tree = write_object(repository, "tree", 2 * (b"100644 test_a.py\0" + blob))

    assert judge_against(repository, commit_of(repository, tree))[0] is Status.ERROR


@pytest.mark.parametrize("content", [b"", b"tree 123\n", b"parent " + b"0" * 40 + b"\n"])
def test_a_commit_that_is_none_is_an_error(repository: Path, content: bytes) -> None:
    """It does not say which tree it is of."""
    commit = write_object(repository, "commit", content)

    assert judge_against(repository, commit)[0] is Status.ERROR


def test_a_commit_of_something_else_is_an_error(repository: Path) -> None:
    """Its tree is a file."""
    blob = git(repository, "rev-parse", "HEAD:test_a.py")
    commit = write_object(repository, "commit", b"tree " + blob.encode() + b"\n\nm\n")

    assert judge_against(repository, commit)[0] is Status.ERROR


def test_a_circle_of_tags_cannot_be_but_a_long_row_of_them_ends(repository: Path) -> None:
    """Tags of tags are followed a few times."""
    target = git(repository, "rev-parse", "HEAD")
    kind = "commit"
    for _ in range(12):
        lines = f"object {target}\ntype {kind}\ntag t\ntagger a <a@b> 0 +0000\n\nm\n"
        target, kind = write_object(repository, "tag", lines.encode()), "tag"

    assert judge_against(repository, target)[0] is Status.ERROR


def test_a_bomb_of_trees_is_cut_short(repository: Path) -> None:
    """Forty levels of ten times the same tree would be read 10^40 times."""
    blob = bytes.fromhex(git(repository, "rev-parse", "HEAD:test_a.py"))
    tree = write_object(repository, "tree", b"100644 test_a.py\0" + blob)
    for _ in range(40):
        entries = b"".join(b"40000 %d\0%s" % (number, bytes.fromhex(tree)) for number in range(10))
        tree = write_object(repository, "tree", entries)
    judge = FilesUnchangedJudge(
        ("**/test_a.py",), revision=commit_of(repository, tree), walk_limit=1_000
    )

    judgment = judge(JudgmentContext(workspace=repository))

    assert judgment.code is ReasonCode.TOO_LARGE


def test_trees_that_nest_without_end_are_an_error(repository: Path) -> None:
    """There is a limit to how deep a path may be."""
    tree = write_object(repository, "tree", b"")
    for _ in range(250):
        tree = write_object(repository, "tree", b"40000 d\0" + bytes.fromhex(tree))
    judge = FilesUnchangedJudge(("**",), revision=commit_of(repository, tree))

    judgment = judge(JudgmentContext(workspace=repository))

    assert judgment.code is ReasonCode.MALFORMED_EVIDENCE


def test_an_object_of_absurd_size_is_not_read(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit holds before any of it is kept."""
    monkeypatch.setattr("agent_judge.judges.git.repository.OBJECT_LIMIT", 10)

    status, reasoning = judge_against(repository, "HEAD")

    assert status is Status.ERROR
    assert "bytes" in reasoning


@pytest.mark.parametrize("name", ["config", "HEAD", "objects"])
def test_a_repository_that_makes_git_wait_is_given_up(repository: Path, name: str) -> None:
    """A FIFO in the place of a file would keep git waiting forever."""
    revision = git(repository, "rev-parse", "HEAD")
    place = repository / ".git" / name
    if name == "objects":
        place = place / revision[:2] / revision[2:]
    place.unlink()
    os.mkfifo(place)
    judge = FilesUnchangedJudge(("test_a.py",), revision=revision, timeout=0.3)

    judgment = judge(JudgmentContext(workspace=repository))

    assert judgment.status is Status.ERROR


@pytest.mark.parametrize("link", [True, False])
def test_a_repository_elsewhere_is_not_read(workspace: Path, outside: Path, link: bool) -> None:
    """Neither through a link nor through a file that names it. (contract: judges:F3)"""
    git(outside, "init", "--quiet")
    if link:
        (workspace / ".git").symlink_to(outside / ".git")
    else:
        (workspace / ".git").write_text(f"gitdir: {outside / '.git'}\n")
    judge = FilesUnchangedJudge(("secret.txt",), revision="HEAD")

    judgment = judge(JudgmentContext(workspace=workspace))

    assert judgment.code is ReasonCode.OUTSIDE_WORKSPACE


def test_no_git_process_is_left(repository: Path) -> None:
    """Each is ended and waited for, whatever was found."""
    for revision in ("HEAD", "nothing"):
        judge_against(repository, revision)

    children = Path("/proc/thread-self/children")
    if not children.exists():
        pytest.skip("the platform does not list children")
    names = [
        Path(f"/proc/{child}/comm").read_text().strip() for child in children.read_text().split()
    ]
    assert "git" not in names
