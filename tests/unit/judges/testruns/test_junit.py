from __future__ import annotations

import pytest

from agent_judge.judges.testruns.formats.junit import JUnitReport
from agent_judge.judges.testruns.results import Counts, Outcome
from unit.judges.testruns.reports import REFUSED, faults, outcomes, read, read_with

PYTEST = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" errors="1" failures="1" skipped="2" tests="5" time="0.1">
<testcase classname="tests.test_a" name="test_fine" time="0.001"/>
<testcase classname="tests.test_a" name="test_bad[1]" file="tests/test_a.py" line="6" time="0.002">
<failure message="assert 1 == 2">def test_bad():
&gt;       assert 1 == 2
E       assert 1 == 2

tests/test_a.py:9: AssertionError</failure></testcase>
<testcase classname="tests.test_a" name="test_setup"><error message="no database">x</error>
</testcase>
<testcase classname="tests.test_a" name="test_later"><skipped type="pytest.skip"
message="later"/></testcase>
<testcase classname="tests.test_a" name="test_known"><skipped type="pytest.xfail" message="bug"/>
</testcase>
</testsuite></testsuites>
"""
SUREFIRE = """<testsuite name="a.ParserTest" tests="3" errors="0" skipped="0" failures="2">
<testcase name="flaky" classname="a.ParserTest" time="1,234.5"><flakyFailure message="once"/>
</testcase>
<testcase name="hopeless" classname="a.ParserTest">
<failure message="twice">java.lang.AssertionError: twice
	at org.junit.Assert.fail(Assert.java:88)
	at a.ParserTest.hopeless(ParserTest.java:23)</failure><rerunFailure message="twice"/></testcase>
<testcase name="fine" classname="a.ParserTest"/></testsuite>
"""


def test_each_kind_of_result_is_told_apart() -> None:
    """Failures, errors, skips and expected failures of pytest. (contract: judges:X10)"""
    assert outcomes("junit", PYTEST) == {
        "test_fine": Outcome.PASSED,
        "test_bad[1]": Outcome.FAILED,
        "test_setup": Outcome.ERRORED,
        "test_later": Outcome.SKIPPED,
        "test_known": Outcome.EXPECTED_FAILURE,
    }


def test_a_failure_has_its_message_and_its_place() -> None:
    """The line is the one where it failed, not the one where the test begins."""
    bad = read("junit", PYTEST)[1]

    assert (bad.file, bad.line, bad.message) == ("tests/test_a.py", 9, "assert 1 == 2")
    assert (bad.id, bad.duration) == ("tests.test_a::test_bad[1]", 0.002)


def test_a_test_that_passed_when_it_was_tried_again_is_flaky() -> None:
    """Failed tries of a test that passed do not fail it; those of one that did not do."""
    flaky, hopeless, fine = read("junit", SUREFIRE)

    assert (flaky.outcome, flaky.flaky, flaky.duration) == (Outcome.PASSED, True, 1234.5)
    assert (hopeless.outcome, hopeless.file, hopeless.line) == (
        Outcome.FAILED,
        "a/ParserTest.java",
        23,
    )
    assert not fine.flaky
    assert faults("junit", SUREFIRE) == []


@pytest.mark.parametrize(
    ("case", "outcome"),
    [
        ('<testcase name="t" status="run" result="completed"/>', Outcome.PASSED),
        ('<testcase name="t" status="notrun" result="suppressed"/>', Outcome.SKIPPED),
        ('<testcase name="t" status="disabled"/>', Outcome.SKIPPED),
        ('<testcase name="t" status="failed"/>', Outcome.FAILED),
        ('<testcase name="t" status="disabled"><failure/></testcase>', Outcome.FAILED),
        ('<testcase name="t"><skipped/><error/></testcase>', Outcome.ERRORED),
        ('<testcase name="t"><failure/><skipped/></testcase>', Outcome.FAILED),
        ('<testcase name="t"><system-out>FAILED</system-out></testcase>', Outcome.PASSED),
    ],
)
def test_the_worst_result_counts(case: str, outcome: Outcome) -> None:
    """Attributes speak where no element does; what a test printed says nothing."""
    assert outcomes("junit", f"<testsuite>{case}</testsuite>") == {"t": outcome}


def test_suites_nest_and_the_outermost_declares_the_counts() -> None:
    """Counts of nested suites are in those of the suite around them."""
    report = JUnitReport()

    found = read_with(
        report,
        '<testsuite tests="3" failures="1" file="a.php"><testsuite tests="2" failures="1">'
        '<testcase name="a"/><testcase name="b"><failure/></testcase></testsuite>'
        '<testcase name="c"/></testsuite>',
    )

    assert [result.file for result in found] == ["a.php"] * 3
    assert report.declared == Counts(3, 1, None, None)


def test_a_report_that_declares_more_failures_than_it_holds_says_so() -> None:
    """Somebody took them out, or they were lost."""
    assert faults(
        "junit", '<testsuite tests="2" failures="1"><testcase name="a"/></testsuite>'
    ) == ["it declares 1 failures and errors, and holds 0"]


def test_a_failure_of_a_whole_suite_is_a_fault() -> None:
    """It belongs to no test, and is not lost."""
    assert faults("junit", '<testsuite><error message="no class"/></testsuite>') == [
        "error of a whole suite: no class"
    ]


def test_what_is_no_junit_report_is_refused() -> None:
    """The reason names what it begins with."""
    with pytest.raises(REFUSED, match="<project>"):
        read("junit", "<project/>")


@pytest.mark.parametrize("word", ["aborted", "broken", "timedout", "inconclusive", "crashed"])
def test_a_test_that_was_not_ended_did_not_pass(word: str) -> None:
    """Whatever the word for it."""
    for attribute in ("status", "result"):
        [test] = read("junit", f'<testsuite><testcase name="a" {attribute}="{word}"/></testsuite>')
        assert test.outcome is Outcome.ERRORED
