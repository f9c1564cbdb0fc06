"""Our reading of JUnit XML beside that of junitparser."""

from __future__ import annotations

from collections import Counter
from xml.sax.saxutils import quoteattr

from hypothesis import given
from hypothesis import strategies as st
from junitparser import Error, Failure, JUnitXml, Skipped, TestSuite

from agent_judge.judges.reports.source import ReportFile
from agent_judge.judges.testruns.formats.junit import JUnitReport
from agent_judge.judges.testruns.results import CaseResult, Outcome

NAMES = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=12
)
RESULTS = st.sampled_from(["", "<failure message='no'>text</failure>", "<error/>", "<skipped/>"])
TIMES = st.floats(0, 1e6).map(lambda seconds: f"{seconds:.3f}")
CASES = st.builds(
    lambda name, home, time, result: (
        f"<testcase name={quoteattr(name)} classname={quoteattr(home)} time='{time}'>"
        f"{result}<system-out>PASSED</system-out></testcase>"
    ),
    NAMES,
    NAMES,
    TIMES,
    RESULTS,
)
SUITES = st.lists(CASES, max_size=6).map(lambda cases: f"<testsuite>{''.join(cases)}</testsuite>")
REPORTS = st.lists(SUITES, max_size=4).map(
    lambda suites: f"<testsuites>{''.join(suites)}</testsuites>"
)
OUTCOMES: dict[type, Outcome] = {
    Failure: Outcome.FAILED,
    Error: Outcome.ERRORED,
    Skipped: Outcome.SKIPPED,
}


@given(REPORTS)
def test_a_report_is_read_as_junitparser_reads_it(report: str) -> None:
    """The same tests in the same order, and each ended in the same way. (contract: judges:X10)"""
    found: list[CaseResult] = []
    JUnitReport().read(ReportFile.of(report.encode()), found.append)

    expected = [
        (case.name, case.classname, case.time, OUTCOMES.get(type(result), Outcome.PASSED))
        for suite in JUnitXml.fromstring(report.encode())
        if isinstance(suite, TestSuite)
        for case in suite
        for result in [*case.result, None][:1]
    ]

    assert [(test.name, test.class_name, test.duration, test.outcome) for test in found] == expected
    assert Counter(test.outcome for test in found).total() == len(expected)
