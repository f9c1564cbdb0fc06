"""Reports of tests that are hostile or broken: read or refused, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from agent_judge import JudgmentContext, ReasonCode, Status, evaluate
from agent_judge.judges import TestReportJudge
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.reports.source import ReportFile
from agent_judge.judges.testruns.formats import FORMATS
from agent_judge.judges.testruns.tally import Tally
from agent_judge.judges.testruns.wanted import Wanted

SEEDS = {
    "junit": b"""<?xml version="1.0" encoding="utf-8"?><testsuites tests="2">
<testsuite name="pytest"><testcase classname="a.B" name="c[1]" file="a.py" line="3" time="0.1">
<failure message="no">a.py:4: E</failure></testcase><testcase name="d"><skipped/></testcase>
</testsuite></testsuites>""",
    "nunit": b"""<test-run total="1" failed="1">
<test-case fullname="A.b" classname="A" result="Failed"><failure><message>no</message>
<stack-trace>at A.b() in a.cs:line 3</stack-trace></failure></test-case></test-run>""",
    "xunit": b"""<assemblies><assembly total="1"><collection>
<test name="A.b" type="A" result="Fail"><failure><message>no</message></failure></test>
</collection></assembly></assemblies>""",
    "trx": b"""<TestRun xmlns="urn:x"><Results>
<UnitTestResult testId="1" testName="b" outcome="Failed">
<Output><ErrorInfo><Message>no</Message></ErrorInfo></Output></UnitTestResult></Results>
<TestDefinitions><UnitTest id="1"><TestMethod className="A"/></UnitTest></TestDefinitions>
</TestRun>""",
    "tap": b"""TAP version 14\n# Subtest: a\n    ok 1 - b # SKIP c\n    not ok 2 - d\n      ---
      message: 'no'\n      at: 'a.js:3:4'\n      ...\n    1..2\nnot ok 1 - a # time=3ms\n1..1\n""",
    "go": b"""{"Action":"run","Package":"p","Test":"T"}
{"Action":"output","Package":"p","Test":"T","Output":"    a_test.go:3: no\\n"}
{"Action":"fail","Package":"p","Test":"T","Elapsed":0.1}\n{"Action":"fail","Package":"p"}\n""",
    "dart": b"""{"protocolVersion":"0.1.1","type":"start"}
{"test":{"id":1,"name":"a","suiteID":0,"line":3,"url":"file:///a.dart"},"type":"testStart"}
{"testID":1,"error":"no","type":"error"}\n{"testID":1,"result":"failure","type":"testDone"}
{"success":false,"type":"done"}\n""",
    "mocha": b"""{"stats":{"tests":1,"failures":1},"passes":[],"pending":[],"failures":[
{"title":"a","fullTitle":"b a","file":"a.js","duration":3,
"err":{"message":"no","stack":"at c (a.js:3:4)"}}]}""",
    "jest": b"""{"numTotalTests":1,"success":false,"testResults":[
{"name":"a.js","status":"failed","assertionResults":[{"title":"a","status":"failed",
"failureMessages":["no"],"location":{"line":3}}]}]}""",
    "rspec": b"""{"summary":{"example_count":1},"examples":[
{"description":"a","status":"failed","full_description":"b a","file_path":"./a.rb",
"line_number":3,"exception":{"message":"no"}}]}""",
}
PIECES = (
    b"<",
    b">",
    b"&",
    b'"',
    b"{",
    b"}",
    b"[",
    b"\n",
    b"\x00",
    b"\xff\xfe",
    b"not ok 1\n",
    b"1..99\n",
    b"<testcase>",
    b"</testcase>",
    b"null",
    b"1e999",
    b"-1",
    b"\\ud800",
    b"<!ENTITY a 'b'>",
    b"]]>",
)


def read(kind: str | None, content: bytes) -> int | None:
    """How many tests a report holds; `None` where it is refused."""
    tally = Tally(Wanted([]))
    try:
        tally.read(ReportFile.of(content), kind)
    except WorkspaceError as fault:
        assert fault.code in (ReasonCode.MALFORMED_EVIDENCE, ReasonCode.TOO_LARGE)  # noqa: PT017
        return None
    return tally.total


def test_each_format_has_a_seed() -> None:
    """Whoever adds a format adds one here, and each holds a test."""
    assert SEEDS.keys() == FORMATS.keys()
    assert all(read(kind, seed) for kind, seed in SEEDS.items())


@pytest.mark.parametrize("kind", SEEDS)
def test_a_report_that_is_cut_is_read_or_refused(kind: str) -> None:
    """At every byte."""
    for end in range(len(SEEDS[kind])):
        read(kind, SEEDS[kind][:end])
        read(None, SEEDS[kind][:end])


@pytest.mark.parametrize("kind", SEEDS)
def test_a_report_with_flipped_bits_is_read_or_refused(kind: str) -> None:
    """One bit at every place."""
    for place in range(len(SEEDS[kind])):
        content = bytearray(SEEDS[kind])
        content[place] ^= 1 << place % 8
        read(kind, bytes(content))


@pytest.mark.parametrize("kind", SEEDS)
def test_a_report_with_anything_in_it_is_read_or_refused(kind: str) -> None:
    """Pieces of every format, put in, taken out and repeated."""
    random = Random(kind)
    for _ in range(600):
        content = SEEDS[kind]
        for _ in range(random.randrange(1, 6)):
            start, end = sorted(random.randrange(len(content) + 1) for _ in range(2))
            piece = random.choice([*PIECES, content[start:end], b""])
            content = content[:start] + piece + content[random.choice([start, end]) :]
        read(kind, content)
        read(random.choice([*FORMATS, None]), content)


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("junit", b"<testsuite>" * 100_000),
        ("junit", b"<testsuite>" + b"<testcase>" * 150),
        ("tap", b"".join(b" " * level + b"ok\n" for level in range(2_000))),
        ("tap", b"ok 1 - a {\n" * 50_000),
        ("tap", b"ok # " + b"skip #" * 50_000),
        ("tap", b"ok 1\n  ---\n" * 50_000),
        (
            "go",
            b'{"Action":"run","Package":"p","Test":"T"}\n{"Action":"fail","Package":"q"}\n' * 9_000,
        ),
        ("go", b'{"a":' * 100_000),
        ("jest", b'{"testResults":' + b"[" * 100_000),
        ("mocha", b'{"stats":' + b"{" * 100_000),
        ("junit", b"<testsuite><testcase><failure>" + b"at a.b(" * 100_000),
        ("junit", b"<testsuite><testcase><failure>" + b"x.py:1: \n" * 100_000),
    ],
)
def test_what_nests_or_repeats_without_end_takes_no_long_time(kind: str, content: bytes) -> None:
    """The time limit of a test is the limit here."""
    read(kind, content)


@pytest.mark.parametrize(
    ("kind", "outer", "inner", "end"),
    [
        ("junit", '<testsuite file="%s">', "<testcase><failure/></testcase>", "</testsuite>"),
        ("tap", "ok - %s {\n", "    ok\n", "    1..20000\n}\n1..1\n"),
        (
            "jest",
            '{"numTotalTests":1,"testResults":[{"name":"%s","assertionResults":[',
            '{"status":"failed","failureMessages":["a.js:1: x"]},',
            '{"status":"failed"}]}]}',
        ),
    ],
)
def test_a_long_name_that_many_tests_share_takes_no_long_time(
    kind: str, outer: str, inner: str, end: str
) -> None:
    """It is not copied or taken apart for each of them."""
    content = (outer % ("a/" * 500_000) + inner * 20_000 + end).encode()

    assert read(kind, content) is not None


READ_A_LARGE_REPORT = """
import resource
from agent_judge import JudgmentContext, evaluate
from agent_judge.judges import TestReportJudge

with open("small.xml", "wb") as file:
    file.write(b"<testsuite><testcase/></testsuite>")
with open("large.xml", "wb") as file:
    file.write(b"<testsuite>")
    for _ in range(5_000):
        file.write(b"<testcase><system-out>%s</system-out></testcase>" % (b"x" * 10_000))
    file.write(b"</testsuite>")
peaks = []
for name in ("small.xml", "large.xml"):
    judgment = evaluate(TestReportJudge(name), JudgmentContext(workspace="."))
    peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
print(judgment.metadata["passed"], peaks[1] - peaks[0])
"""


def test_a_large_report_is_read_in_bounded_memory(tmp_path: Path) -> None:
    """A report of 50 MB, and the memory of the process hardly grows. (contract: judges:X10)"""
    command = [sys.executable, "-c", READ_A_LARGE_REPORT]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)

    passed, kilobytes = map(int, done.stdout.split())
    assert passed == 5_000
    assert kilobytes < 10_000


def test_no_report_reads_another_file(tmp_path: Path) -> None:
    """An external entity is left out, in whichever format of XML."""
    secret = tmp_path / "secret"
    secret.write_text("swordfish")
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    for name, root, case in (
        ("junit", "testsuite", "<testcase name='t'><failure>&e;</failure></testcase>"),
        (
            "nunit",
            "test-run",
            "<test-case name='t'><failure><message>&e;</message></failure></test-case>",
        ),
    ):
        doctype = f'<!DOCTYPE {root} [<!ENTITY e SYSTEM "{secret.as_uri()}">]>'
        (workspace / f"{name}.xml").write_text(f"{doctype}<{root}>{case}</{root}>")

    judgment = evaluate(TestReportJudge("*.xml"), JudgmentContext(workspace=workspace))

    assert judgment.status is Status.FAIL
    assert judgment.metadata["failed"] == 2
    assert "swordfish" not in repr(judgment)


def test_what_a_report_says_can_be_stored(tmp_path: Path) -> None:
    """Control characters and lone surrogates are escaped."""
    test = {"title": "a\ud800\x1b[31m", "fullTitle": "b", "err": {"message": "\udfff\x00"}}
    document = {"stats": {}, "passes": [], "pending": [], "failures": [test]}
    (tmp_path / "report.json").write_text(json.dumps(document))

    judgment = evaluate(TestReportJudge("report.json"), JudgmentContext(workspace=tmp_path))

    assert "\\ud800\\x1b[31m" in judgment.reasoning
