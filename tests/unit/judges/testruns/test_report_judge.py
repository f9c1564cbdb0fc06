from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from agent_judge import Judgment, JudgmentContext, Location, ReasonCode, Status, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges import TestReportJudge

FINE = '<testcase classname="tests.test_a" name="test_adds"/>'
BAD = (
    '<testcase classname="tests.test_a" name="test_pays" file="tests/test_a.py" line="3">'
    '<failure message="assert 1 == 2">tests/test_a.py:4: AssertionError</failure></testcase>'
)
SKIPPED = (
    '<testcase classname="tests.test_a" name="test_later"><skipped message="later"/></testcase>'
)
PAYS = "tests/test_a.py::test_pays"
ADDS = "tests/test_a.py::test_adds"


def write(folder: Path, *cases: str, name: str = "report.xml") -> None:
    """Write a report with these tests."""
    (folder / name).write_text(f"<testsuite>{''.join(cases)}</testsuite>")


def judged(folder: Path, path: Any = "report.xml", **options: Any) -> Judgment:
    """The judgment on a report."""
    return evaluate(TestReportJudge(path, **options), JudgmentContext(workspace=folder))


def test_a_report_of_passes_passes(tmp_path: Path) -> None:
    """It says that nothing was run. (contract: judges:X10)"""
    write(tmp_path, FINE, SKIPPED)

    judgment = judged(tmp_path)

    assert judgment.passed
    assert judgment.reasoning == "report.xml (nothing was run): 1 passed, 1 skipped"
    assert (judgment.metadata["ran"], judgment.metadata["executed"]) == (False, 1)


def test_a_failure_is_named_with_its_place(tmp_path: Path) -> None:
    """The file is the one in the workspace. (contract: judges:X10)"""
    write(tmp_path, FINE, BAD)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_a.py").touch()

    judgment = judged(tmp_path)

    assert judgment.status is Status.FAIL
    (check,) = judgment.failed_checks
    assert (check.name, check.message) == ("tests.test_a::test_pays", "failed: assert 1 == 2")
    assert check.location == Location("tests/test_a.py", 4)
    assert "tests.test_a::test_pays: failed: assert 1 == 2" in judgment.reasoning


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        ([], "there was no test"),
        ([SKIPPED], "all 1 tests were skipped"),
        (['<testcase name="t"><skipped type="pytest.xfail"/></testcase>'], "0 passed"),
    ],
)
def test_a_report_without_a_pass_fails(tmp_path: Path, cases: list[str], said: str) -> None:
    """Nothing passes that was not examined. (contract: judges:X11)"""
    write(tmp_path, *cases)

    judgment = judged(tmp_path)

    assert judgment.status is Status.FAIL
    assert said in judgment.reasoning


def test_fewer_tests_than_before_fail(tmp_path: Path) -> None:
    """The shortfall is named; skipped tests do not count as run. (contract: judges:X11)"""
    write(tmp_path, FINE, SKIPPED)

    judgment = judged(tmp_path, baseline=3)

    assert judgment.status is Status.FAIL
    assert "1 tests ran, 3 before the work: 2 fewer" in judgment.reasoning


def test_the_baseline_may_come_with_the_run(tmp_path: Path) -> None:
    """As `tests` of the context's baseline. (contract: judges:X11)"""
    write(tmp_path, FINE)
    context = JudgmentContext(workspace=tmp_path, baseline={"tests": 2})

    assert evaluate(TestReportJudge("report.xml"), context).status is Status.FAIL
    assert evaluate(TestReportJudge("report.xml", baseline=1), context).passed


@pytest.mark.parametrize("baseline", [{"tests": "many"}, {"tests": -1}, {"tests": 1.5}])
def test_a_baseline_that_is_no_number_is_an_error(tmp_path: Path, baseline: Any) -> None:
    """It is not taken for none."""
    write(tmp_path, FINE)
    context = JudgmentContext(workspace=tmp_path, baseline=baseline)

    assert evaluate(TestReportJudge("report.xml"), context).code is ReasonCode.MISSING_INPUT


@pytest.mark.parametrize(
    ("expected", "status"),
    [
        ([ADDS], Status.PASS),
        ([ADDS, "tests/test_a.py::test_gone"], Status.FAIL),
        (["tests/test_a.py::test_later"], Status.FAIL),
    ],
)
def test_expected_tests_must_have_run_and_passed(
    tmp_path: Path, expected: list[str], status: Status
) -> None:
    """A test that is missing, or was skipped, has not passed. (contract: judges:X10)"""
    write(tmp_path, FINE, SKIPPED)

    assert judged(tmp_path, expected=expected).status is status


def test_only_listed_tests_decide_where_there_are_lists(tmp_path: Path) -> None:
    """Others may fail, and are reported. (contract: judges:X10)"""
    write(tmp_path, FINE, BAD)

    judgment = judged(tmp_path, fail_to_pass=[ADDS])

    assert judgment.passed
    assert [check.name for check in judgment.checks if not check.passed] == [
        "tests.test_a::test_pays"
    ]


@pytest.mark.parametrize(
    ("lists", "said"),
    [
        ({"fail_to_pass": [PAYS], "pass_to_pass": [ADDS]}, "fail_to_pass: failed: assert 1 == 2"),
        ({"pass_to_pass": ["test_gone"]}, "pass_to_pass: it did not run"),
    ],
)
def test_a_listed_test_that_did_not_pass_fails(
    tmp_path: Path, lists: dict[str, Any], said: str
) -> None:
    """Each listed test has a check that says what became of it. (contract: judges:X10)"""
    write(tmp_path, FINE, BAD)

    judgment = judged(tmp_path, **lists)

    assert judgment.status is Status.FAIL
    assert said in judgment.reasoning


def test_several_reports_are_counted_together(tmp_path: Path) -> None:
    """As build tools write them, one a class; each once, also where two patterns match."""
    write(tmp_path, FINE, name="TEST-a.xml")
    write(tmp_path, BAD, name="TEST-b.xml")

    judgment = judged(tmp_path, ["*.xml", "TEST-a.xml"])

    assert (judgment.metadata["tests"], judgment.metadata["reports_read"]) == (2, 2)


def test_a_report_that_declares_more_failures_fails(tmp_path: Path) -> None:
    """Whatever took the failing tests out left the sum."""
    (tmp_path / "report.xml").write_text(f'<testsuite failures="1">{FINE}</testsuite>')

    assert judged(tmp_path).status is Status.FAIL


def test_a_report_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """Nothing is known of the tests. (contract: judges:X10)"""
    assert judged(tmp_path, "*.xml").code is ReasonCode.MISSING_INPUT


@pytest.mark.parametrize(
    "content", ["", "PASSED tests/test_a.py::test_a\n", "<html/>", "<testsuite>"]
)
def test_a_report_that_cannot_be_read_is_an_error(tmp_path: Path, content: str) -> None:
    """Nor does text say that a test passed. (contract: judges:X14, cases:E1)"""
    (tmp_path / "report.xml").write_text(content)

    judgment = judged(tmp_path)

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.MALFORMED_EVIDENCE)


def test_a_report_that_is_too_large_is_an_error(tmp_path: Path) -> None:
    """The limit is for whoever judges to set."""
    write(tmp_path, FINE)

    assert judged(tmp_path, size_limit=10).code is ReasonCode.TOO_LARGE


def test_a_report_outside_of_the_workspace_is_not_read(tmp_path: Path) -> None:
    """A link that leads out is an error."""
    write(tmp_path, FINE)
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "report.xml").symlink_to(tmp_path / "report.xml")

    assert judged(workspace).code is ReasonCode.OUTSIDE_WORKSPACE


def test_a_report_older_than_the_run_is_stale(tmp_path: Path) -> None:
    """Unless its age is declared to mean nothing. (contract: judges:X12)"""
    write(tmp_path, FINE)
    began = datetime.now(UTC)
    past = (began - timedelta(hours=1)).timestamp()
    os.utime(tmp_path / "report.xml", (past, past))
    context = JudgmentContext(workspace=tmp_path, started_at=began)

    judgment = evaluate(TestReportJudge("report.xml"), context)

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.STALE_EVIDENCE)
    assert evaluate(TestReportJudge("report.xml", stale="accept"), context).passed


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"report": "/report.xml"}, ArgumentError),
        ({"report": "../report.xml"}, ArgumentError),
        ({"report": []}, ArgumentError),
        ({"report": 3}, ArgumentTypeError),
        ({"format": "html"}, ArgumentError),
        ({"stale": "old"}, ArgumentError),
        ({"baseline": -1}, ArgumentError),
        ({"baseline": True}, ArgumentError),
        ({"expected": "test_a"}, ArgumentTypeError),
        ({"expected": [" "]}, ArgumentError),
        ({"expected": ["a", "a"]}, ArgumentError),
        ({"expected": ["a"], "fail_to_pass": ["b"]}, ArgumentError),
        ({"size_limit": 0}, ArgumentError),
    ],
)
def test_what_cannot_be_judged_by_is_refused(
    options: dict[str, Any], error: type[Exception]
) -> None:
    """Before anything is read."""
    given: dict[str, Any] = {"report": "report.xml", **options}

    with pytest.raises(error):
        TestReportJudge(**given)


def test_many_tests_take_no_more_checks(tmp_path: Path) -> None:
    """Those that failed come first, and the rest is counted."""
    write(tmp_path, *[FINE] * 1_000, *[BAD] * 300)

    judgment = judged(tmp_path)

    assert len(judgment.checks) == 202
    assert judgment.checks[-1].message == "100 more tests failed"
