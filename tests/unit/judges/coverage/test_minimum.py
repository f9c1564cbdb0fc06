from __future__ import annotations

import os
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from agent_judge import Judge, JudgmentContext, Jury, Status, evaluate
from agent_judge.config import build_from
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges import CommandJudge, CoverageJudge
from agent_judge.judges.files.times import written_ns
from agent_judge.judgment import ReasonCode
from unit.judges.coverage.reports import run_in, tracefile

WRITE = "import sys; open('lcov.info', 'w').write(sys.argv[1]); open('ran', 'a').write('x')"


def writing(report: str) -> list[str]:
    """A command that writes a report, and notes that it ran."""
    return [sys.executable, "-c", WRITE, report]


def built(**options: Any) -> CoverageJudge:
    """A judge with some of its options."""
    defaults: dict[str, Any] = {"report": "lcov.info", "minimum": 50}
    return CoverageJudge(**(defaults | options))


def test_the_minimum_of_a_configuration_is_enforced(tmp_path: Path) -> None:
    """Writing minimum = 50 enforces 50, not a default. (contract: edges:S2)"""
    jury = build_from({"judges": [{"type": "coverage", "report": "lcov.info", "minimum": 50}]})

    assert jury.vote(run_in(tmp_path, tracefile(5, 10))).passed
    assert jury.vote(run_in(tmp_path, tracefile(499, 1000))).status is Status.FAIL


def test_the_judgment_says_what_ran(tmp_path: Path) -> None:
    """Counts, the percentage with its mark, and where they come from."""
    judgment = evaluate(CoverageJudge("lcov.info", minimum=80), run_in(tmp_path, tracefile(2, 3)))

    assert judgment.reasoning == "66.66 % of lines ran (2 of 3); at least 80 % is wanted"
    assert judgment.effective_score == pytest.approx(2 / 3)
    assert judgment.evidence["threshold"] == 0.8
    assert judgment.checks[0].examined == 3
    facts: Any = judgment.metadata["coverage"]
    assert (facts["covered"], facts["total"], facts["metric"]) == (2, 3, "lines")
    assert facts["reports"][0]["format"] == "lcov"
    assert len(facts["reports"][0]["sha256"]) == 64


@pytest.mark.parametrize(
    ("metric", "percent"),
    [("lines", 50), ("branches", 25), ("lines_and_branches", 100 * 2 / 6)],
)
def test_each_metric_counts_its_own(tmp_path: Path, metric: Any, percent: float) -> None:
    """Lines, branches, or both as coverage.py adds them up."""
    branches = "".join(f"BRDA:1,0,{way},{int(not way)}\n" for way in range(4))
    report = f"SF:a.c\nDA:1,1\nDA:2,0\n{branches}end_of_record\n"

    judgment = evaluate(
        CoverageJudge("lcov.info", minimum=1, metric=metric), run_in(tmp_path, report)
    )

    assert judgment.effective_score == pytest.approx(percent / 100)


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (None, ReasonCode.MISSING_INPUT),
        ("", ReasonCode.MALFORMED_EVIDENCE),
        ("SF:a.c\nDA:1", ReasonCode.MALFORMED_EVIDENCE),
        ("SF:a.c\nend_of_record\n", ReasonCode.MALFORMED_EVIDENCE),
        ('{"files": {}, "totals": {"covered_lines": 0, "num_statements": 0}}', None),
        ('<coverage lines-covered="0" lines-valid="0"/>', ReasonCode.MALFORMED_EVIDENCE),
    ],
)
def test_a_report_that_counts_nothing_is_an_error(
    tmp_path: Path, report: str | None, code: ReasonCode | None
) -> None:
    """Missing, malformed or without counters: never 0 %. (contract: judges:O3)"""
    judgment = evaluate(CoverageJudge("lcov.info", minimum=0), run_in(tmp_path, report))

    assert judgment.status is Status.ERROR
    assert judgment.code is (code or ReasonCode.MALFORMED_EVIDENCE)


def test_without_a_workspace_nothing_is_known() -> None:
    """There is no report to look for."""
    judgment = evaluate(CoverageJudge("lcov.info", minimum=50), JudgmentContext())

    assert judgment.code is ReasonCode.NO_WORKSPACE


def test_branches_that_were_not_measured_are_an_error(tmp_path: Path) -> None:
    """A report of lines says nothing of branches. (contract: judges:O3)"""
    judge = CoverageJudge("lcov.info", minimum=0, metric="branches")

    judgment = evaluate(judge, run_in(tmp_path, tracefile(1, 1)))

    assert judgment.status is Status.ERROR
    assert "no counters of branches" in judgment.reasoning


def test_several_reports_are_put_together(tmp_path: Path) -> None:
    """A line that one of them says ran has run; files of modules add up."""
    for name, report in (
        ("a.info", tracefile(1, 4)),
        ("b.info", tracefile(3, 4)),
        ("m/c.info", tracefile(1, 6, "other.py")),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(report)

    judgment = evaluate(CoverageJudge(["a.info", "**/*.info"], minimum=40), run_in(tmp_path))

    assert judgment.reasoning.startswith("40 % of lines ran (4 of 10)")


def test_several_counts_of_one_file_cannot_be_put_together(tmp_path: Path) -> None:
    """Which lines ran in both is not known, so that their sum would be made up."""
    for name in "ab":
        (tmp_path / f"{name}.info").write_text(f"SF:x.c\nLF:{ord(name)}\nLH:1\nend_of_record\n")

    judgment = evaluate(CoverageJudge("*.info", minimum=0), run_in(tmp_path))

    assert judgment.code is ReasonCode.MALFORMED_EVIDENCE


def test_a_pattern_that_matches_no_report_is_an_error(tmp_path: Path) -> None:
    """As a report that is not there. (contract: judges:O3)"""
    judgment = evaluate(CoverageJudge("*.xml", minimum=0), run_in(tmp_path))

    assert judgment.code is ReasonCode.MISSING_INPUT


def test_a_total_that_the_lines_do_not_give_is_pointed_out(tmp_path: Path) -> None:
    """What is listed counts; the check that says so decides nothing."""
    (tmp_path / "c.xml").write_text(
        '<coverage lines-covered="9" lines-valid="10"><class filename="a.py">'
        '<line number="1" hits="0"/></class></coverage>'
    )

    judgment = evaluate(CoverageJudge("c.xml", minimum=0), run_in(tmp_path))

    assert judgment.effective_score == 0
    assert judgment.checks[1].message == "9 of 10 lines, but what it lists is 0 of 1"


def test_a_report_from_before_the_run_is_stale(tmp_path: Path) -> None:
    """Whatever is left over from another run says nothing of this one. (contract: judges:X12)"""
    context = run_in(
        tmp_path, tracefile(1, 1), started_at=datetime.now(UTC) + timedelta(seconds=60)
    )

    judgment = evaluate(CoverageJudge("lcov.info", minimum=50), context)
    accepted = evaluate(CoverageJudge("lcov.info", minimum=50, stale="accept"), context)

    assert judgment.code is ReasonCode.STALE_EVIDENCE
    assert accepted.passed


def test_a_report_of_the_run_is_fresh(tmp_path: Path) -> None:
    """It was written after the run began."""
    context = run_in(
        tmp_path, tracefile(1, 1), started_at=datetime.now(UTC) - timedelta(seconds=60)
    )

    assert evaluate(CoverageJudge("lcov.info", minimum=50), context).passed


def test_the_command_makes_the_report(tmp_path: Path) -> None:
    """It runs first, and what it wrote is fresh."""
    judge = CoverageJudge("lcov.info", minimum=50, command=writing(tracefile(1, 2)))

    assert evaluate(judge, run_in(tmp_path, tracefile(0, 2))).passed


@pytest.mark.skipif(os.name == "nt", reason="the time of change is that of POSIX")
def test_a_report_that_the_command_did_not_write_is_stale(tmp_path: Path) -> None:
    """Also one with a time in the future, left by the work. (contract: judges:X12)"""
    context = run_in(tmp_path, tracefile(1, 1))
    os.utime(tmp_path / "lcov.info", (4e9, 4e9))
    while time.time_ns() <= written_ns((tmp_path / "lcov.info").stat()):
        pass
    judge = CoverageJudge("lcov.info", minimum=50, command="true")

    assert evaluate(judge, context).code is ReasonCode.STALE_EVIDENCE


def test_a_command_that_fails_leaves_nothing_to_judge(tmp_path: Path) -> None:
    """Its report may be of half the tests; another exit code can be allowed."""
    context = run_in(tmp_path)
    failing = [*writing(tracefile(1, 1))[:2], f"{WRITE}; sys.exit(3)", tracefile(1, 1)]
    allowing = {"command": failing, "expected_exit": [0, 3]}

    judgment = evaluate(CoverageJudge("lcov.info", minimum=50, command=failing), context)
    allowed = evaluate(CoverageJudge("lcov.info", minimum=50, command=allowing), context)

    assert judgment.status is Status.ERROR
    assert "ended with 3" in judgment.reasoning
    assert allowed.passed


def test_judges_of_one_vote_run_the_command_once(tmp_path: Path) -> None:
    """Whether they judge its end or its report. (contract: judges:X16)"""
    command = writing(tracefile(1, 2))
    judges: list[Judge] = [
        CommandJudge(command, timeout=600.0),
        CoverageJudge("lcov.info", minimum=50, command=command),
        CoverageJudge("lcov.info", minimum=40, command=command),
    ]

    verdict = Jury(judges, dedupe=True).vote(run_in(tmp_path))

    assert verdict.passed
    assert (tmp_path / "ran").read_text() == "x"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"minimum": 0.8}, "write 80"),
        ({"minimum": 101}, "must lie in 0..100"),
        ({"minimum": float("nan")}, "must lie in 0..100"),
        ({"metric": "functions"}, "metric must be one of"),
        ({"stale": "ignore"}, "stale must be one of"),
        ({"report": "../lcov.info"}, "holds '..'"),
        ({"report": []}, "report is empty"),
        ({"size_limit": 0}, "size_limit"),
        ({"command": ""}, "command is empty"),
        ({"command": {"command": "true", "comand": 1}}, "an option that there is not"),
        ({"command": {"timeout": 3}}, "an option that there is not"),
    ],
)
def test_what_cannot_be_meant_is_refused(options: dict[str, Any], message: str) -> None:
    """Before anything runs; a fraction for a percentage above all."""
    with pytest.raises(ArgumentError, match=message):
        built(**options)


@pytest.mark.parametrize(
    "options", [{"minimum": "50"}, {"minimum": True}, {"report": 3}, {"command": 3}]
)
def test_values_of_another_type_are_refused(options: dict[str, Any]) -> None:
    """A number is no string."""
    with pytest.raises(ArgumentTypeError):
        built(**options)
