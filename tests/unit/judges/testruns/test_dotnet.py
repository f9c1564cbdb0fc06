from __future__ import annotations

from agent_judge.judges.testruns.formats import FORMATS
from agent_judge.judges.testruns.results import Counts, Outcome
from unit.judges.testruns.reports import faults, outcomes, read, read_with

NUNIT_3 = """<test-run testcasecount="4" total="4" failed="1" skipped="1">
<test-suite type="Assembly"><failure><message>One or more child tests had errors</message></failure>
<test-case name="Adds(1)" fullname="Shop.CartTests.Adds(1)" classname="Shop.CartTests"
result="Passed" duration="0.25"/>
<test-case name="Pays" fullname="Shop.CartTests.Pays" classname="Shop.CartTests" result="Failed"
label="Error">
<failure><message>Expected: 3</message>
<stack-trace>   at Shop.CartTests.Pays() in C:\\src\\CartTests.cs:line 12</stack-trace></failure>
</test-case>
<test-case name="Later" fullname="Shop.CartTests.Later" classname="Shop.CartTests"
result="Skipped"><reason><message>later</message></reason></test-case>
<test-case name="Open" fullname="Shop.CartTests.Open" classname="Shop.CartTests"
result="Inconclusive"/>
</test-suite></test-run>
"""
NUNIT_2 = """<test-results total="5" failures="1" not-run="2"><test-suite><results>
<test-case name="A.Fine" executed="True" success="True" time="0.1"/>
<test-case name="A.Bad" executed="True" success="False"/>
<test-case name="A.Worse" executed="True" result="Error" success="False"/>
<test-case name="A.Later" executed="False" result="Ignored"/>
<test-case name="A.Broken" executed="False" result="NotRunnable"/>
</results></test-suite></test-results>
"""
XUNIT = """<assemblies><assembly total="4" failed="1" skipped="1" errors="1">
<errors><error type="test-class-cleanup" name="Shop.CartTests"><failure><message>x</message>
</failure></error></errors>
<collection>
<test name="Shop.CartTests.Adds" type="Shop.CartTests" method="Adds" time="0.01" result="Pass"/>
<test name="Shop.CartTests.Pays" type="Shop.CartTests" method="Pays" result="Fail">
<failure><message>Assert.True() Failure</message>
<stack-trace>at Shop.CartTests.Pays() in CartTests.cs:line 7</stack-trace></failure></test>
<test name="Shop.CartTests.Later" type="Shop.CartTests" method="Later" result="Skip">
<reason>later</reason></test>
<test name="Shop.CartTests.Odd" type="Shop.CartTests" method="Odd" result="Whatever"/>
</collection></assembly></assemblies>
"""
TRX = """<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results>
<UnitTestResult testId="1" testName="Adds" outcome="Passed" duration="00:01:02.5"/>
<UnitTestResult testId="2" testName="Shop.CartTests.Pays" outcome="Failed"><Output><ErrorInfo>
<Message>Expected 3</Message>
<StackTrace>at Shop.CartTests.Pays() in /src/CartTests.cs:line 9</StackTrace>
</ErrorInfo></Output></UnitTestResult>
<UnitTestResult testId="3" testName="Later" outcome="NotExecuted"/>
<UnitTestResult testId="4" testName="Hangs" outcome="Timeout"/>
<UnitTestResult testId="5" testName="Odd"/></Results>
<TestDefinitions><UnitTest id="1"><TestMethod className="Shop.CartTests, Shop" name="Adds"/>
</UnitTest>
<UnitTest id="2"><TestMethod className="Shop.CartTests" name="Pays"/></UnitTest></TestDefinitions>
<ResultSummary outcome="Failed"><Counters total="5" executed="3" failed="1" error="1"/>
</ResultSummary>
</TestRun>
"""


def test_nunit_3_is_read() -> None:
    """Results, classes, messages and places. (contract: judges:X10)"""
    adds, pays, later, undecided = read("nunit", NUNIT_3)

    assert (adds.id, adds.outcome, adds.duration) == (
        "Shop.CartTests::Adds(1)",
        Outcome.PASSED,
        0.25,
    )
    assert (pays.outcome, pays.message, pays.line) == (Outcome.FAILED, "Expected: 3", 12)
    assert (later.outcome, undecided.outcome) == (Outcome.SKIPPED, Outcome.SKIPPED)


def test_nunit_2_is_read() -> None:
    """Older reports say with other attributes how a test ended. (contract: judges:X10)"""
    assert list(outcomes("nunit", NUNIT_2).values()) == [
        Outcome.PASSED,
        Outcome.FAILED,
        Outcome.ERRORED,
        Outcome.SKIPPED,
        Outcome.SKIPPED,
    ]
    assert faults("nunit", NUNIT_2) == ["A.Broken could not be run"]


def test_xunit_net_is_read() -> None:
    """An unknown result is no pass; an error of a class is a fault. (contract: judges:X10)"""
    adds, pays, later, odd = read("xunit", XUNIT)

    assert (adds.id, adds.outcome) == ("Shop.CartTests::Adds", Outcome.PASSED)
    assert (pays.outcome, pays.file, pays.line) == (Outcome.FAILED, "CartTests.cs", 7)
    assert (later.outcome, later.message, odd.outcome) == (
        Outcome.SKIPPED,
        "later",
        Outcome.ERRORED,
    )
    assert faults("xunit", XUNIT) == ["test-class-cleanup Shop.CartTests outside of a test"]


def test_trx_is_read() -> None:
    """The class of a test stands at another place of the report. (contract: judges:X10)"""
    report = FORMATS["trx"]()

    adds, pays, later, hangs, odd = read_with(report, TRX)

    assert (adds.id, adds.duration) == ("Shop.CartTests::Adds", 62.5)
    assert (pays.id, pays.file, pays.line) == ("Shop.CartTests::Pays", "/src/CartTests.cs", 9)
    assert (later.outcome, hangs.outcome, odd.outcome) == (
        Outcome.SKIPPED,
        Outcome.SKIPPED,
        Outcome.ERRORED,
    )
    assert report.faults.kept == ["Hangs ended as Timeout"]
    assert report.declared == Counts(5, 1, 1, 2)
