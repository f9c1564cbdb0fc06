from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent_judge import Judgment, JudgmentContext, Status, evaluate
from agent_judge.config import build_from
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges import DiffCoverageJudge, FolderChanges, GitChanges
from agent_judge.judges.diff import ChangeBounds
from agent_judge.judgment import ReasonCode
from unit.judges.coverage.reports import tracefile
from unit.judges.diff.works import Work, begin, said, write


@pytest.fixture
def work(tmp_path: Path) -> Work:
    """A repository with two modules, a test, and what it ignores."""
    files = {
        "src/app.py": "a = 1\nb = 2\nc = 3\nd = 4\n",
        "src/other.py": "x = 1\n",
        "tests/test_app.py": "assert True\n",
        ".gitignore": "*.info\n/.venv/\n",
    }
    return begin(tmp_path / "work", files)


def lines_of(path: str, covered: list[int], missed: list[int]) -> str:
    """A tracefile of one file."""
    marks = [f"DA:{number},1" for number in covered] + [f"DA:{number},0" for number in missed]
    return "\n".join([f"SF:{path}", *marks, "end_of_record", ""])


def judged(work: Work, files: Mapping[str, str], report: str, **options: Any) -> Judgment:
    """What is found of a work that wrote files, and then the report."""
    work.write({**files, "lcov.info": report})
    defaults: dict[str, Any] = {"minimum": 80, "changes": GitChanges(work.base)}
    judge = DiffCoverageJudge("lcov.info", **(defaults | options))
    return work.judged(judge)


CHANGED = {"src/app.py": "a = 1\nb = 20\nc = 3\nnew = 5\nnewer = 6\n# note\nd = 4\n"}


def test_the_share_of_changed_executable_lines_counts(work: Work) -> None:
    """Lines that were there before, and lines that are no code, do not. (contract: judges:O7)"""
    judgment = judged(work, CHANGED, lines_of("src/app.py", [2, 4], [1, 3, 5, 7]))

    assert judgment.status is Status.FAIL
    assert judgment.reasoning == (
        "66.66 % of the changed lines ran (2 of 3); at least 80 % is wanted; "
        "src/app.py:5 did not run"
    )
    assert judgment.effective_score == pytest.approx(2 / 3)
    assert [str(check.location) for check in judgment.failed_checks[1:]] == ["src/app.py:5"]
    change: Any = judgment.metadata["change"]
    assert change["base"] == work.base


def test_enough_passes_and_names_what_did_not_run(work: Work) -> None:
    """The gaps are there as advice."""
    report = lines_of("src/app.py", [2, 4], [5])

    judgment = judged(work, CHANGED, report, minimum=60)

    assert judgment.passed
    assert [check.name for check in judgment.checks if not check.passed] == ["src/app.py:5"]


@pytest.mark.parametrize(
    "files", [{}, {"README.md": "hello\n"}, {"src/app.py": "a = 1\nb = 2\nc = 3\n# d\n"}]
)
def test_no_executable_change_abstains(work: Work, files: dict[str, str]) -> None:
    """Nothing, prose, or a comment was changed. (contract: judges:O7)"""
    report = lines_of("src/app.py", [1, 2, 3], []) + lines_of("src/other.py", [1], [])

    assert judged(work, files, report).status is Status.ABSTAIN


def test_lines_that_did_not_run_are_named_as_spans(work: Work) -> None:
    """A check each, with where it begins."""
    files = {"src/app.py": "a = 1\n" + "e = 1\n" * 6}
    report = lines_of("src/app.py", [1, 4], [2, 3, 5, 6, 7])

    judgment = judged(work, files, report)

    assert said(judgment)[1:] == ["src/app.py:2: did not run", "src/app.py:5: did not run"]
    assert [check.examined for check in judgment.failed_checks[1:]] == [2, 3]


def test_a_new_module_that_is_not_measured_fails(work: Work) -> None:
    """No test imports it, so that the report does not know it."""
    files = {**CHANGED, "src/new.py": "y = 1\n", ".venv/lib/dependency.py": "z = 1\n"}
    report = lines_of("src/app.py", [2, 4, 5], [])

    judgment = judged(work, files, report)

    assert judgment.status is Status.FAIL
    assert said(judgment) == ["src/new.py: was changed, and is not in the report"]
    assert "src/new.py changed, and not in the report" in judgment.reasoning


def test_what_need_not_be_measured_is_left_out_or_noted(work: Work) -> None:
    """By patterns, or as advice for all of it."""
    files = {**CHANGED, "tests/test_app.py": "assert 1\n"}
    report = lines_of("src/app.py", [2, 4, 5], [])

    assert judged(work, files, report).status is Status.FAIL
    assert judged(work, files, report, exclude=["tests/"]).passed
    noted = judged(work, files, report, unmeasured="note")
    assert noted.passed
    assert [check.name for check in noted.checks if check.advisory] == ["tests/test_app.py"]


def test_only_unmeasured_files_were_changed(work: Work) -> None:
    """It fails, or nothing is found; never does it pass."""
    files = {"src/new.py": "y = 1\n"}
    report = lines_of("src/app.py", [1], [])

    assert judged(work, files, report).status is Status.FAIL
    assert judged(work, files, report, unmeasured="note").status is Status.ABSTAIN


@pytest.mark.parametrize(
    "name", ["src/app.py", "./src/app.py", "/somewhere/else/src/app.py", "{folder}/src/app.py"]
)
def test_the_file_is_found_by_what_the_report_calls_it(work: Work, name: str) -> None:
    """From the root, absolute here, and absolute on the machine that made the report."""
    report = lines_of(name.format(folder=work.folder), [2, 4, 5], [])

    assert judged(work, CHANGED, report).passed


def test_a_report_of_another_version_of_a_file_is_an_error(work: Work) -> None:
    """It names lines that are not there."""
    judgment = judged(work, CHANGED, lines_of("src/app.py", [2, 400], []))

    assert judgment.code is ReasonCode.MALFORMED_EVIDENCE
    assert "names line 400 of src/app.py, which has 7" in judgment.reasoning


def test_a_file_that_was_modified_after_the_report_makes_it_stale(work: Work) -> None:
    """Its lines may be others by now. (contract: judges:X12)"""
    work.write({**CHANGED, "lcov.info": lines_of("src/app.py", [2, 4, 5], [])})
    os.utime(work.folder / "src/app.py", (4e9, 4e9))
    changes = GitChanges(work.base)

    stale = work.judged(DiffCoverageJudge("lcov.info", changes, minimum=80))
    accepted = work.judged(DiffCoverageJudge("lcov.info", changes, minimum=80, stale="accept"))

    assert stale.code is ReasonCode.STALE_EVIDENCE
    assert accepted.passed


@pytest.mark.parametrize(
    "report",
    [
        "SF:src/app.py\nLF:7\nLH:7\nend_of_record\n",
        "SF:src/app.py\nLF:7\nLH:7\nend_of_record\nSF:b.py\nDA:1,1\nend_of_record\n",
        "SF:src/app.py\nend_of_record\n",
        '<coverage lines-covered="7" lines-valid="7"/>',
    ],
)
def test_a_report_that_names_no_lines_is_an_error(work: Work, report: str) -> None:
    """Which of them ran is what is asked. (contract: judges:O3)"""
    judgment = judged(work, CHANGED, report)

    assert judgment.code is ReasonCode.MALFORMED_EVIDENCE


def test_a_file_too_large_to_compare_is_an_error(work: Work) -> None:
    """Nothing is said of lines that were not looked at."""
    work.write({**CHANGED, "lcov.info": lines_of("src/app.py", [2], [])})
    changes = GitChanges(work.base, bounds=ChangeBounds(file_bytes=10))

    judgment = work.judged(DiffCoverageJudge("lcov.info", changes, minimum=80))

    assert judgment.code is ReasonCode.TOO_LARGE


def test_without_a_report_or_a_base_nothing_is_known(work: Work) -> None:
    """Either is an error."""
    changes = GitChanges("no-such-branch")
    judge = DiffCoverageJudge("lcov.info", GitChanges(work.base), minimum=80)

    assert work.judged(judge).code is ReasonCode.MISSING_INPUT
    assert judged(work, {}, tracefile(1, 1), changes=changes).status is Status.ERROR


def test_a_configuration_names_the_base(work: Work) -> None:
    """The change is a table."""
    table = {"report": "lcov.info", "changes": {"base": work.base}, "minimum": 80}
    work.write({**CHANGED, "lcov.info": lines_of("src/app.py", [2, 4, 5], [])})

    jury = build_from({"judges": [{"type": "diff_coverage", **table}]})

    assert jury.vote(JudgmentContext(workspace=work.folder)).passed


def test_two_folders_are_compared_as_well(tmp_path: Path) -> None:
    """Without any git repository."""
    write(tmp_path, {"before/a.py": "a = 1\n", "work/a.py": "a = 1\nb = 2\n"})
    write(tmp_path, {"work/lcov.info": lines_of("a.py", [1, 2], [])})
    judge = DiffCoverageJudge("lcov.info", FolderChanges(tmp_path / "before"), minimum=100)

    assert evaluate(judge, JudgmentContext(workspace=tmp_path / "work")).passed


@pytest.mark.parametrize(
    "options",
    [
        {"minimum": 0.8},
        {"minimum": 80, "unmeasured": "skip"},
        {"minimum": 80, "changes": FolderChanges("a", after="b")},
    ],
)
def test_what_cannot_be_meant_is_refused(options: dict[str, Any]) -> None:
    """Before anything runs."""
    defaults: dict[str, Any] = {"changes": GitChanges("main")}
    with pytest.raises(ArgumentError):
        DiffCoverageJudge("lcov.info", **(defaults | options))


def test_a_change_is_no_text() -> None:
    """It is a record, or a table of the configuration."""
    with pytest.raises(ArgumentTypeError):
        DiffCoverageJudge("lcov.info", "main", minimum=80)  # type: ignore[arg-type]
