from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from agent_judge import Judgment, JudgmentContext, Status, evaluate
from agent_judge.config import build_from
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges import FindingsJudge, FolderChanges, GitChanges
from agent_judge.judges.findings import new_findings
from agent_judge.judgment import ReasonCode
from unit.judges.diff.works import Work, begin, said, write


def flake8(*findings: tuple[str, int, str], message: str = "bad") -> str:
    """The text of flake8: a file, a line and a code for each finding."""
    return "".join(f"{path}:{line}:1: {code} {message}\n" for path, line, code in findings)


def judged(workspace: Path, report: str | None, **options: Any) -> Judgment:
    """What is found of a report in a workspace with two modules."""
    write(workspace, {"src/app.py": "a = 1\n", "src/b.py": "b = 1\n"})
    if report is not None:
        (workspace / "report.txt").write_text(report)
    judge = FindingsJudge("report.txt", **options)
    return evaluate(judge, JudgmentContext(workspace=workspace))


APP = ("src/app.py", 3, "F401")
OTHER = ("src/b.py", 7, "E501")


def test_without_a_baseline_every_finding_is_new(tmp_path: Path) -> None:
    """Each is a failed check with its file and line."""
    judgment = judged(tmp_path, flake8(APP, OTHER))

    assert judgment.status is Status.FAIL
    assert judgment.reasoning == (
        "2 new findings of 2: src/app.py:3:1: F401 bad; src/b.py:7:1: E501 bad"
    )
    assert said(judgment) == ["src/app.py:3:1: bad", "src/b.py:7:1: bad"]
    assert [check.name for check in judgment.failed_checks] == ["F401", "E501"]


def test_what_was_found_before_is_not_new(tmp_path: Path) -> None:
    """By a report on the side of whoever judges, made elsewhere; its hash is recorded."""
    before = tmp_path / "before.txt"
    before.write_text(flake8(("/build/7/src/app.py", 30, "F401")))

    judgment = judged(tmp_path / "work", flake8(APP), baseline=before)
    worse = judged(tmp_path / "work", flake8(APP, APP), baseline=before)

    assert judgment.passed
    assert judgment.reasoning == "nothing new in 1 file; 1 finding from before"
    baseline: Any = judgment.metadata["baseline"]
    assert (baseline["from"], baseline["found"]) == ("report", 1)
    assert len(baseline["sha256"]) == 64
    assert worse.status is Status.FAIL


@pytest.mark.parametrize(
    ("options", "left"),
    [
        ({"severity": "error"}, ["E2"]),
        ({"severity": "warning"}, ["W1", "E2"]),
        ({"rules": ["W*", "N?"]}, ["W1", "N3"]),
        ({"ignore": ["W1", "N*"]}, ["E2"]),
        ({"rules": ["W*"], "ignore": ["W1"]}, []),
        ({"exclude": ["src/b.py"]}, ["W1", "E2"]),
        ({"exclude": ["src/"]}, []),
    ],
)
def test_filters_leave_findings_out(
    tmp_path: Path, options: dict[str, Any], left: list[str]
) -> None:
    """By severity, rule and path."""
    severities = {"E2": "error", "W1": "warning", "N3": "note"}
    lines = [
        {"file": path, "line": 1, "message": "m", "code": rule, "severity": severities[rule]}
        for path, rule in (("src/app.py", "W1"), ("src/app.py", "E2"), ("src/b.py", "N3"))
    ]

    judgment = judged(tmp_path, "".join(f"{json.dumps(line)}\n" for line in lines), **options)

    assert [check.name for check in judgment.failed_checks] == left
    assert judgment.passed is (not left)


@pytest.mark.parametrize("report", ["[]", '{"version": "2.1.0", "runs": [{"results": []}]}'])
def test_a_report_of_nothing_is_no_evidence(tmp_path: Path, report: str) -> None:
    """Nobody knows that any file was analysed, unless it is said what the tool was to look at."""
    judgment = judged(tmp_path, report)
    vouched = judged(tmp_path, report, files=["src/**/*.py"])
    empty = judged(tmp_path, report, files=["**/*.java"])

    assert judgment.status is Status.ABSTAIN
    assert vouched.passed
    assert vouched.checks[0].examined == 2
    assert empty.code is ReasonCode.MISSING_INPUT


def test_no_file_analysed_is_an_error(tmp_path: Path) -> None:
    """Whatever else is said of it."""
    report = json.dumps({"generalDiagnostics": [], "summary": {"filesAnalyzed": 0}})

    assert judged(tmp_path, report, files=["src/*.py"]).code is ReasonCode.MISSING_INPUT


def test_files_that_were_analysed_are_counted(tmp_path: Path) -> None:
    """As the report says it."""
    judgment = judged(tmp_path, "Success: no issues found in 5 source files\n")

    assert judgment.passed
    assert judgment.reasoning == "nothing new in 5 files"
    assert judgment.checks[0].examined == 5


def test_an_analysis_that_was_not_complete_does_not_pass(tmp_path: Path) -> None:
    """It is an error; where something new was found all the same, it fails, and says so."""
    stopped = "Found 1 error in 1 file (errors prevented further checking)\n"
    known = tmp_path / "known.txt"
    known.write_text(f"src/app.py:1: error: bad\n{stopped}")
    report = f"src/app.py:1: error: bad\n{stopped}"

    judgment = judged(tmp_path / "work", report, baseline=known)
    failing = judged(tmp_path / "work", report)

    assert judgment.code is ReasonCode.MALFORMED_EVIDENCE
    assert failing.status is Status.FAIL
    assert failing.checks[-1].advisory


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (None, ReasonCode.MISSING_INPUT),
        ("", ReasonCode.MALFORMED_EVIDENCE),
        ("Traceback (most recent call last):\n", ReasonCode.MALFORMED_EVIDENCE),
    ],
)
def test_a_report_that_cannot_be_read_is_an_error(
    tmp_path: Path, report: str | None, code: ReasonCode
) -> None:
    """Missing, empty without its format, or not of any."""
    judgment = judged(tmp_path, report)

    assert judgment.status is Status.ERROR
    assert judgment.code is code


def test_an_empty_report_of_a_known_format_is_one(tmp_path: Path) -> None:
    """Nothing was found."""
    assert judged(tmp_path, "", format="flake8", files=["src/*.py"]).passed


def test_a_report_from_before_the_run_is_stale(tmp_path: Path) -> None:
    """As for every judge of reports. (contract: judges:X12)"""
    (tmp_path / "report.txt").write_text(flake8(APP))
    started = datetime.now(UTC) + timedelta(seconds=60)

    judgment = evaluate(
        FindingsJudge("report.txt"), JudgmentContext(workspace=tmp_path, started_at=started)
    )

    assert judgment.code is ReasonCode.STALE_EVIDENCE


def test_the_command_may_end_with_1(tmp_path: Path) -> None:
    """As tools do that found something; with 2 it did not run as it should."""
    program = "import sys; open('report.txt', 'w').write(sys.argv[1]); sys.exit(int(sys.argv[2]))"

    def ending(code: str) -> Judgment:
        command = [sys.executable, "-c", program, flake8(APP), code]
        return judged(tmp_path, None, command=command)

    assert ending("1").status is Status.FAIL
    assert ending("2").status is Status.ERROR


def test_thousands_of_findings_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The count is of all of them."""
    monkeypatch.setattr(new_findings, "MAX_CHECKS", 3)
    findings = [("src/app.py", line, "E1") for line in range(1, 11)]

    judgment = judged(tmp_path, flake8(*findings))

    assert judgment.reasoning.startswith("10 new findings of 10: ")
    assert judgment.reasoning.endswith("; and 5 more")
    assert [check.examined for check in judgment.failed_checks] == [1, 1, 1, 7]


def test_text_of_the_report_is_shown_harmlessly(tmp_path: Path) -> None:
    """Escapes of a terminal, and lone surrogates."""
    report = [
        {"code": "\x1b[2J", "filename": "\ud800", "location": None, "message": "\x07\udfff"},
        {"code": " ", "filename": " ", "location": None, "message": ""},
    ]

    judgment = judged(tmp_path, json.dumps(report))

    assert judgment.status is Status.FAIL
    assert judgment.checks[0].name == "\\x1b[2J"
    assert str(judgment.checks[0].location) == "\\ud800"


class TestMovedLines:
    """Findings of a work whose base is known."""

    CODE = "".join(f"line {number}\n" for number in range(1, 11))

    @pytest.fixture
    def work(self, tmp_path: Path) -> Work:
        """A repository with a module and the report on it."""
        report = flake8(("src/app.py", 3, "F401"), ("src/app.py", 8, "F401"))
        return begin(tmp_path / "work", {"src/app.py": self.CODE, "report.txt": report})

    def judged(self, work: Work, files: Mapping[str, str], **options: Any) -> Judgment:
        """What is found of a work that wrote files."""
        work.write(files)
        return work.judged(FindingsJudge("report.txt", changes=GitChanges(work.base), **options))

    def test_findings_move_with_their_lines(self, work: Work) -> None:
        """Two lines were put above them; the base has the report from before."""
        report = flake8(("src/app.py", 5, "F401"), ("src/app.py", 10, "F401"))

        judgment = self.judged(work, {"src/app.py": "x\ny\n" + self.CODE, "report.txt": report})

        assert judgment.passed
        baseline: Any = judgment.metadata["baseline"]
        assert (baseline["from"], baseline["base"], baseline["found"]) == ("base", work.base, 2)

    def test_one_like_it_on_a_line_that_was_there_is_new(self, work: Work) -> None:
        """Though there are as many as before: one was mended, and one was made."""
        report = flake8(("src/app.py", 3, "F401"), ("src/app.py", 9, "F401"))

        judgment = self.judged(work, {"report.txt": report})

        assert said(judgment) == ["src/app.py:9:1: bad"]

    def test_the_same_report_as_before_passes(self, work: Work) -> None:
        """Nothing changed at all."""
        assert self.judged(work, {}).passed

    def test_a_baseline_of_ones_own_is_taken_first(self, work: Work, tmp_path: Path) -> None:
        """Its lines are those of the base."""
        before = tmp_path / "before.txt"
        before.write_text(flake8(("src/app.py", 3, "F401")))
        report = flake8(("src/app.py", 4, "F401"), ("src/app.py", 9, "F401"))

        judgment = self.judged(
            work, {"src/app.py": "x\n" + self.CODE, "report.txt": report}, baseline=before
        )

        assert said(judgment) == ["src/app.py:9:1: bad"]

    def test_a_base_without_the_report_is_an_error(self, work: Work) -> None:
        """There is nothing to compare with."""
        work.write({"other.txt": flake8(APP)})
        judge = FindingsJudge("other.txt", changes=GitChanges(work.base))

        assert work.judged(judge).code is ReasonCode.MISSING_INPUT

    def test_a_folder_is_a_base_as_well(self, tmp_path: Path) -> None:
        """With its own report."""
        report = flake8(("src/app.py", 3, "F401"))
        moved = flake8(("src/app.py", 4, "F401"))
        write(tmp_path / "before", {"src/app.py": self.CODE, "report.txt": report})
        write(tmp_path / "work", {"src/app.py": "x\n" + self.CODE, "report.txt": moved})
        judge = FindingsJudge("report.txt", changes=FolderChanges(tmp_path / "before"))

        assert evaluate(judge, JudgmentContext(workspace=tmp_path / "work")).passed

    def test_a_configuration_names_the_base(self, work: Work) -> None:
        """The change is a table."""
        table = {"type": "findings", "report": "report.txt", "changes": {"base": work.base}}

        assert build_from({"judges": [table]}).vote(JudgmentContext(workspace=work.folder)).passed


@pytest.mark.parametrize(
    "options",
    [
        {"severity": "fatal"},
        {"format": "klingon"},
        {"files": []},
        {"baseline": ""},
        {"changes": FolderChanges("a", after="b")},
        {"changes": GitChanges("main"), "report": "*.json"},
        {"changes": GitChanges("main"), "report": ["a", "b"]},
        {"report": "/etc/passwd"},
    ],
)
def test_what_cannot_be_meant_is_refused(options: dict[str, Any]) -> None:
    """Before anything runs."""
    defaults: dict[str, Any] = {"report": "report.txt"}
    with pytest.raises(ArgumentError):
        FindingsJudge(**(defaults | options))


@pytest.mark.parametrize("options", [{"rules": "F401"}, {"ignore": [1]}, {"changes": "main"}])
def test_values_of_another_type_are_refused(options: dict[str, Any]) -> None:
    """A list is no string."""
    with pytest.raises(ArgumentTypeError):
        FindingsJudge("report.txt", **options)
