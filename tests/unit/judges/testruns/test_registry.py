from __future__ import annotations

import pytest

from agent_judge.judges.testruns.formats import report_in
from agent_judge.judges.testruns.formats.tap import TapReport
from agent_judge.judges.testruns.results import Outcome
from unit.judges.testruns.reports import REFUSED, detected, file_of

ADDS = '<testcase name="adds"/>'


@pytest.mark.parametrize(
    "text",
    [
        f"<testsuites><testsuite>{ADDS}</testsuite></testsuites>",
        f'\ufeff<?xml version="1.0"?><!-- <test-run> --><testsuite>{ADDS}</testsuite>',
        ADDS,
        '<!DOCTYPE a [<!ELEMENT a ANY>]><test-run><test-case name="adds"/></test-run>',
        '<test-results><test-case name="adds" success="True"/></test-results>',
        '<assemblies><assembly><test name="adds" result="Pass"/></assembly></assemblies>',
        '<TestRun><UnitTestResult testName="adds" outcome="Passed"/></TestRun>',
        '{"Action":"run","Test":"adds"}\n{"Action":"pass","Test":"adds"}',
        "hello\n1..1\nok 1 adds\n",
        "ok 1 adds\n",
    ],
)
def test_a_report_tells_its_format(text: str) -> None:
    """By how it begins. (contract: judges:X10)"""
    (result,) = detected(text)

    assert (result.name, result.outcome) == ("adds", Outcome.PASSED)


def test_a_report_in_another_encoding_tells_its_format() -> None:
    """Windows writes UTF-16."""
    text = f'<?xml version="1.0" encoding="utf-16"?><testsuite>{ADDS}</testsuite>'

    assert len(detected(text.encode("utf-16"))) == 1


@pytest.mark.parametrize(
    "text",
    ["", "  \n", "PASSED", "<html/>", "<!--", "<", "<!DOCTYPE a [", "<?xml", "<1>", "{}", "["],
)
def test_what_is_no_report_is_refused(text: str) -> None:
    """With a reason, however it begins."""
    with pytest.raises(REFUSED):
        detected(text)


def test_a_format_that_is_named_is_not_told_by_the_report() -> None:
    """It is for whoever judges to say."""
    assert isinstance(report_in("tap", file_of("<testsuite/>")), TapReport)
