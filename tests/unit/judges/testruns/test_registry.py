from __future__ import annotations

import pytest

from agent_judge.judges.testruns.formats import report_reader
from agent_judge.judges.testruns.results import ReportError


@pytest.mark.parametrize(
    ("text", "reader"),
    [
        ("<testsuites/>", "JUnitReport"),
        ('\ufeff<?xml version="1.0"?><!-- <test-run> --><testsuite/>', "JUnitReport"),
        ("<!DOCTYPE test-run [<!ELEMENT a ANY>]><test-run/>", "NUnitReport"),
        ("<test-results/>", "NUnitReport"),
        ("<assemblies/>", "XUnitNetReport"),
        ('<x:TestRun xmlns:x="urn:x"/>', "TrxReport"),
        ('{"Action":"start","Package":"a"}\n{"Action":"pass"}', "GoTestReport"),
        ('{"protocolVersion":"0.1.1","type":"start"}\n', "DartReport"),
        ("hello\n1..2\nok 1\n", "TapReport"),
        ("not ok 1\n", "TapReport"),
    ],
)
def test_a_report_tells_its_format(text: str, reader: str) -> None:
    """By how it begins."""
    assert type(report_reader(None, text.encode())).__name__ == reader


def test_a_report_in_another_encoding_tells_its_format() -> None:
    """Windows writes UTF-16."""
    head = '<?xml version="1.0" encoding="utf-16"?><testsuite/>'.encode("utf-16")

    assert type(report_reader(None, head)).__name__ == "JUnitReport"


@pytest.mark.parametrize(
    "text", ["", "  \n", "PASSED", "<html/>", "<!--", "<", "<!DOCTYPE a [", "<?xml", "<1>"]
)
def test_what_is_no_report_is_refused(text: str) -> None:
    """With a reason, however it begins."""
    with pytest.raises(ReportError):
        report_reader(None, text.encode())


def test_a_format_that_is_named_is_not_told_by_the_report() -> None:
    """It is for whoever judges to say."""
    assert type(report_reader("tap", b"<testsuite/>")).__name__ == "TapReport"
