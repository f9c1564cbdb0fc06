"""Works that try to hide what they changed, or to have it do something while it is read."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from agent_judge import Judgment, Status
from agent_judge.judges import (
    ChangeBounds,
    ChangedPathsJudge,
    ConflictMarkersJudge,
    DiffSizeJudge,
    GitChanges,
)
from agent_judge.judgment import ReasonCode
from unit.judges.diff.works import Work, begin, said

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the attacks are those of POSIX")


@pytest.fixture
def work(tmp_path: Path) -> Work:
    """A work in which a test was changed."""
    work = begin(tmp_path / "work", {"test_a.py": "assert works()\n", "app.py": "a\n"})
    work.write({"test_a.py": "assert True\n"})
    return work


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """Where the program of the attacker leaves a trace when it is run."""
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path / 'trace'}\ncat\n")
    program.chmod(0o755)
    return tmp_path / "trace"


def judged(work: Work, **options: object) -> Judgment:
    """Whether the change of the test is found."""
    changes = GitChanges(work.base, **options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    return work.judged(ChangedPathsJudge(changes, deny=["test_*.py"]))


FOUND = ["test_a.py: changed, and must not be touched"]


@pytest.mark.parametrize("committed", [True, False])
def test_nothing_that_a_repository_configures_is_run(
    work: Work, trace: Path, committed: bool
) -> None:
    """Monitors, filters, external diffs, text conversions, pagers, hooks."""
    program = str(trace.with_name("program"))
    work.write({".gitattributes": "* filter=evil diff=evil merge=evil text eol=crlf ident\n"})
    for name in ("post-checkout", "post-index-change", "reference-transaction"):
        shutil.copy(program, work.folder / ".git" / name)
    if committed:
        work.commit()
    for key in (
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "interactive.diffFilter",
        "pager.diff-tree",
        "alias.diff-tree",
    ):
        work.git("config", key, program)
    work.git("config", "core.hooksPath", str(trace.parent))

    judgment = judged(work, head="HEAD" if committed else None)

    assert said(judgment) == FOUND
    assert not trace.exists()


@pytest.mark.parametrize(
    "attributes",
    [
        "* -diff",
        "* binary",
        "* diff=evil",
        "* text eol=crlf",
        "* ident",
        "* -text",
        "* export-ignore",
    ],
)
def test_no_attribute_hides_lines(work: Work, attributes: str) -> None:
    """They are counted as they are."""
    work.write({".gitattributes": f"{attributes}\n", ".git/info/attributes": f"{attributes}\n"})

    judgment = work.judged(DiffSizeJudge(GitChanges(work.base), lines=2))

    assert judgment.reasoning == "3 lines changed, and at most 2 may be"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("core.worktree", "/tmp"),
        ("core.bigFileThreshold", "1"),
        ("core.fileMode", "false"),
        ("core.ignoreCase", "true"),
        ("core.excludesFile", "ALL"),
        ("core.attributesFile", "ALL"),
        ("core.autocrlf", "true"),
        ("core.quotePath", "false"),
        ("core.sparseCheckout", "true"),
        ("diff.orderFile", "/dev/zero"),
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.renames", "false"),
        ("diff.ignoreSubmodules", "all"),
        ("status.showUntrackedFiles", "no"),
        ("extensions.worktreeConfig", "true"),
        ("include.path", "/dev/zero"),
    ],
)
def test_no_setting_hides_a_change(work: Work, key: str, value: str) -> None:
    """It is found all the same, or nothing is said: never a pass."""
    if value == "ALL":
        value = str(work.folder.parent / "all")
        Path(value).write_text("* -diff\n*\n")
    work.git("config", key, value)

    judgment = judged(work, bounds=ChangeBounds(timeout=3))

    assert said(judgment) == FOUND or judgment.status is Status.ERROR


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_no_flag_of_the_index_hides_a_change(work: Work, flag: str) -> None:
    """The index is not even read."""
    work.git("update-index", flag, "test_a.py")

    assert said(judged(work)) == FOUND


def test_an_untracked_file_cannot_hide(work: Work) -> None:
    """Neither by a rule of the work, nor by one in `.git`, nor in a repository of its own."""
    work.write(
        {
            ".gitignore": "*\n",
            ".git/info/exclude": "*\n",
            "test_b.py": "",
            "x/test_c.py": "",
            "x/.git/HEAD": "ref: refs/heads/main\n",
        }
    )

    assert said(judged(work)) == [
        *FOUND,
        "test_b.py: added, and must not be touched",
        "x/test_c.py: added, and must not be touched",
    ]


def test_a_replaced_commit_is_not_believed(work: Work) -> None:
    """`git replace` would make the tampered commit stand for the base."""
    head = work.commit()
    work.git("replace", work.base, head)

    assert said(judged(work)) == FOUND


def test_a_moved_name_is_what_it_is_and_a_commit_is_not_moved(work: Work) -> None:
    """A branch is where the work has put it: then nothing changed, which does not pass."""
    work.commit()
    judge = ChangedPathsJudge(GitChanges("main"), deny=["test_*.py"])

    assert work.judged(judge).status is Status.ABSTAIN
    assert said(judged(work)) == FOUND


def test_files_are_not_read_through_links(work: Work, tmp_path: Path) -> None:
    """A directory that is swapped for a link elsewhere is a link, and what was in it is gone."""
    work.write({"sub/test_b.py": "b\n"})
    base = work.commit()
    elsewhere = tmp_path / "elsewhere"
    (work.folder / "sub").rename(elsewhere)
    (work.folder / "sub").symlink_to(elsewhere)

    judgment = judged(Work(work.folder, base))

    assert said(judgment) == ["sub/test_b.py: deleted, and must not be touched"]


def test_a_bomb_of_lines_is_cut_short(work: Work) -> None:
    """It is counted, and refused where the lines themselves would have to be read."""
    work.write({"bomb.txt": "\n" * 5_000_000})
    changes = GitChanges(work.base)

    size = work.judged(DiffSizeJudge(changes, lines=10))
    lines = work.judged(ConflictMarkersJudge(changes))

    assert size.reasoning == "5000002 lines changed, and at most 10 may be"
    assert lines.code is ReasonCode.TOO_LARGE


def test_a_file_without_end_is_not_read(work: Work) -> None:
    """Its size is known, and nothing of it is kept."""
    with (work.folder / "sparse").open("wb") as stream:
        stream.truncate(10**12)

    judgment = work.judged(DiffSizeJudge(GitChanges(work.base), files=1))

    assert judgment.reasoning == "2 files touched, and at most 1 may be"


def test_a_known_file_without_end_is_given_up(work: Work) -> None:
    """To know that it differs, it would have to be read."""
    with (work.folder / "app.py").open("wb") as stream:
        stream.truncate(10**12)

    judgment = judged(work, bounds=ChangeBounds(timeout=0.5))

    assert judgment.code is ReasonCode.TIMEOUT


def test_names_cannot_rewrite_a_terminal(work: Work) -> None:
    """What cannot be printed is escaped."""
    work.write({"test_\x1b[2J\n.py": ""})

    judgment = judged(work)

    assert "\x1b" not in judgment.reasoning
    assert "\n" not in judgment.reasoning
