from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_judge import JudgmentContext, Jury, Status
from agent_judge.config import build_from
from agent_judge.judges import (
    AddedFilesJudge,
    ChangedPathsJudge,
    ConflictMarkersJudge,
    DiffSizeJudge,
    GitChanges,
    PatchChanges,
)
from agent_judge.judges.diff.reading import Empty
from agent_judge.judgment import ReasonCode
from agent_judge.protocol import Judge
from unit.judges.diff.works import Work


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """The commands that git was given, by their first word."""
    log, program = tmp_path / "log", tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text(
        "#!/bin/sh\n"
        "for word; do case $word in\n"
        f"cat-file|init|fast-import|diff-tree|apply) echo $word >> {log}; break;;\n"
        f'esac; done\nexec {shutil.which("git")} "$@"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return lambda: log.read_text().split()


@pytest.mark.skipif(os.name != "posix", reason="the program is a shell script")
def test_a_change_is_read_once_for_all_judges_of_a_vote(
    work: Work, calls: Callable[[], list[str]]
) -> None:
    """Its lines, too, which some of them need. (contract: judges:X16)"""
    work.write({"app.py": "x\n"})
    changes = GitChanges(work.base)
    judges: list[Judge] = [
        ChangedPathsJudge(changes, deny=["tests/"]),
        ChangedPathsJudge(GitChanges(work.base), allow=["app.py"]),
        DiffSizeJudge(changes, files=1),
        AddedFilesJudge(changes),
        ConflictMarkersJudge(changes),
        ConflictMarkersJudge(changes, exclude=["x"]),
    ]

    verdict = Jury(judges, dedupe=True).vote(JudgmentContext(workspace=work.folder))

    assert verdict.status is Status.PASS
    once = ["init", "fast-import", "fast-import", "diff-tree"]
    assert calls() == ["cat-file", *once, *once]


@pytest.mark.skipif(os.name != "posix", reason="the program is a shell script")
def test_changes_that_differ_are_read_each(work: Work, calls: Callable[[], list[str]]) -> None:
    """Nothing of one is taken for the other."""
    work.write({"app.py": "x\n"})
    judges = [
        DiffSizeJudge(GitChanges(work.base), files=0),
        DiffSizeJudge(GitChanges(work.base, exclude=["*.py"]), files=0, empty="pass"),
    ]

    verdict = Jury(judges, dedupe=True).vote(JudgmentContext(workspace=work.folder))

    statuses = [seat.judgment.status for seat in verdict.seats]
    assert statuses == [Status.FAIL, Status.PASS]
    assert calls().count("cat-file") == 2


def test_a_configuration_says_which_change_is_judged(work: Work) -> None:
    """In a table with the keys of one of the three."""
    judges = [
        {"type": "changed_paths", "changes": {"base": work.base}, "deny": ["tests/"]},
        {"type": "diff_size", "changes": {"patch": "fix.patch", "strip": 0}, "lines": 1},
        {
            "type": "added_files",
            "changes": {"before": str(work.folder), "bounds": {"timeout": 20}},
            "empty": "pass",
        },
        {"type": "conflict_markers", "changes": {"base": "main", "head": "HEAD"}, "empty": "fail"},
    ]
    work.write({"fix.patch": "--- app.py\n+++ app.py\n@@ -1,2 +1,1 @@\n-a = 1\n b = 2\n"})

    verdict = build_from({"judges": judges}).vote(JudgmentContext(workspace=work.folder))

    statuses = [seat.judgment.status for seat in verdict.seats]
    assert statuses == [Status.PASS, Status.PASS, Status.PASS, Status.FAIL]


@pytest.mark.parametrize("changes", [{}, {"base": "a", "patch": "b", "ignored": "count"}, "main"])
def test_a_configuration_of_no_change_is_refused(changes: object) -> None:
    """It names the place, and what a table may hold."""
    judge = {"type": "diff_size", "changes": changes, "lines": 1}

    with pytest.raises(Exception, match=r"judges\[0\]\.changes: expected a table"):
        build_from({"judges": [judge]})


@pytest.mark.parametrize("empty", ["abstain", "pass"])
def test_where_nothing_was_compared_nothing_passes(work: Work, empty: Empty) -> None:
    """An empty patch says nothing of any file."""
    work.write({"fix.patch": "\n"})

    judgment = work.judged(DiffSizeJudge(PatchChanges("fix.patch"), lines=1, empty=empty))

    assert judgment.status is Status.ABSTAIN
    assert "0 files were compared" in judgment.reasoning


def test_without_git_it_is_an_error(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing was compared."""
    monkeypatch.setenv("PATH", str(tmp_path))

    judgment = work.judged(DiffSizeJudge(GitChanges(work.base), lines=1))

    assert judgment.code is ReasonCode.COMMAND_NOT_FOUND


@pytest.mark.parametrize("workspace", [None, Path("nowhere")])
def test_without_a_workspace_it_is_an_error(workspace: Path | None) -> None:
    """It is never created. (contract: judges:F4)"""
    judge = DiffSizeJudge(GitChanges("main"), lines=1)

    verdict = Jury([judge]).vote(JudgmentContext(workspace=workspace))

    assert verdict.seats[0].judgment.code is ReasonCode.NO_WORKSPACE
