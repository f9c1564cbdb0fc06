from __future__ import annotations

import json
from types import ModuleType

import pytest

from agent_judge.judges.coverage import cobertura, go_profile, lcov, opencover, tally
from agent_judge.judges.coverage.formats import read_coverage
from agent_judge.judges.coverage.record import Counts, CoverageReport, FileCoverage
from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.reports.source import ReportFile
from agent_judge.judgment import ReasonCode


def read(content: str) -> CoverageReport:
    """Read a report of any format."""
    return read_coverage(ReportFile.of(content.encode()))


def only(report: CoverageReport) -> FileCoverage:
    """The one file of a report."""
    (file,) = report.files
    return file


COBERTURA = """<?xml version="1.0" ?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage lines-valid="4" lines-covered="3" branches-valid="2" branches-covered="1">
  <sources><source>/home/dev/demo/src</source></sources>
  <packages><package name="shop"><classes>
    <class name="Cart" filename="shop\\cart.py">
      <methods><method name="add"><lines><line number="3" hits="0"/></lines></method></methods>
      <lines>
        <line number="1" hits="2"/>
        <line number="2" hits="1" branch="true" condition-coverage="50% (1/2)"/>
        <line number="3" hits="0"/>
      </lines>
    </class>
    <class name="Cart.Line" filename="shop/cart.py">
      <methods/>
      <lines><line number="3" hits="0"/><line number="9" hits="7"/></lines>
    </class>
  </classes></package></packages>
</coverage>"""


def test_cobertura_puts_the_classes_of_a_file_together() -> None:
    """A line of a method, of its class and of an inner class is one line."""
    report = read(COBERTURA)

    assert report.format == "cobertura"
    assert report.sources == ("/home/dev/demo/src",)
    assert only(report).path == "shop/cart.py"
    assert only(report).lines.covered == (1, 2, 9)
    assert only(report).lines.missed == (3,)
    assert only(report).branches == {2: Counts(1, 2)}
    assert report.counts("lines") == report.declared["lines"] == Counts(3, 4)
    assert report.counts("lines_and_branches") == Counts(4, 6)


def test_jacoco_calls_a_file_by_its_package() -> None:
    """A line ran when an instruction of it did; the counters of the report are its totals."""
    report = read(
        """<!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">
        <report name="demo"><group name="core"><package name="org/demo">
          <class name="org/demo/A"><counter type="LINE" missed="7" covered="9"/></class>
          <sourcefile name="A.java">
            <line nr="3" mi="2" ci="1" mb="1" cb="3"/><line nr="4" mi="2" ci="0" mb="0" cb="0"/>
            <counter type="INSTRUCTION" missed="4" covered="1"/>
          </sourcefile>
          <counter type="LINE" missed="8" covered="8"/>
        </package></group><counter type="LINE" missed="1" covered="1"/></report>"""
    )

    assert report.format == "jacoco"
    assert only(report).path == "org/demo/A.java"
    assert only(report).lines.covered == (3,)
    assert only(report).lines.missed == (4,)
    assert report.counts("branches") == Counts(3, 4)
    assert report.counts("statements") == Counts(1, 5)
    assert report.declared == {"lines": Counts(1, 2)}


def test_clover_counts_statements_and_conditions() -> None:
    """The line of a method is no statement, and the totals are those of the project."""
    report = read(
        """<coverage generated="1" clover="4.4"><project name="demo">
          <metrics statements="3" coveredstatements="2" conditionals="2" coveredconditionals="1"/>
          <package name="org.demo"><metrics statements="9" coveredstatements="9"/>
            <file name="A.java">
              <line num="1" type="method" count="5"/><line num="2" type="stmt" count="5"/>
              <line num="3" type="cond" truecount="4" falsecount="0"/>
              <line num="4" type="stmt" count="0"/>
            </file></package></project></coverage>"""
    )

    assert report.format == "clover"
    assert only(report).path == "org/demo/A.java"
    assert report.counts("lines") == Counts(2, 3)
    assert report.counts("statements") == report.declared["statements"] == Counts(2, 3)
    assert report.counts("branches") == report.declared["branches"] == Counts(1, 2)


def test_lines_of_methods_count_where_a_class_has_none() -> None:
    """Istanbul has a line there for each function, which is not one of the executable ones."""
    method = '<methods><method><lines><line number="{}" hits="1"/></lines></method></methods>'
    report = read(
        f'<coverage><class filename="a.ts">{method.format(7)}'
        '<lines><line number="8" hits="0"/></lines></class>'
        f'<class filename="b.ts">{method.format(9)}</class></coverage>'
    )

    assert [file.lines.covered for file in report.files] == [(), (9,)]
    assert report.counts("lines") == Counts(1, 2)


def test_clover_of_istanbul_counts_branches_and_not_how_often_they_were_taken() -> None:
    """Beside the count of the line stand the branches that were taken, and those that were not."""
    report = read(
        """<coverage generated="1" clover="3.2"><project><file name="a.js" path="/demo/a.js">
          <line num="1" type="cond" count="2" truecount="3" falsecount="1"/>
          <line num="2" type="cond" count="0" truecount="0" falsecount="2"/>
        </file></project></coverage>"""
    )

    assert only(report).branches == {1: Counts(3, 4), 2: Counts(0, 2)}
    assert report.counts("lines") == Counts(1, 2)


def test_opencover_marks_each_line_that_a_sequence_point_spans() -> None:
    """What has no file, or is hidden, is no part of the sources."""
    report = read(
        """<CoverageSession>
          <Summary numSequencePoints="2" visitedSequencePoints="1" numBranchPoints="2"
            visitedBranchPoints="1"/>
          <Modules><Module><Summary numSequencePoints="9" visitedSequencePoints="9"/>
            <Files><File uid="1" fullPath="C:\\demo\\A.cs"/></Files>
            <Classes><Class><Methods><Method><FileRef uid="1"/><SequencePoints>
              <SequencePoint vc="2" sl="3" el="4"/><SequencePoint vc="0" sl="6" fileid="1"/>
              <SequencePoint vc="1" sl="16707566" el="16707566"/>
              <SequencePoint vc="1" sl="8" fileid="0"/>
            </SequencePoints><BranchPoints>
              <BranchPoint vc="2" sl="3"/><BranchPoint vc="0" sl="3"/>
            </BranchPoints></Method></Methods></Class></Classes></Module></Modules>
        </CoverageSession>"""
    )

    assert report.format == "opencover"
    assert only(report).path == "C:/demo/A.cs"
    assert only(report).lines.covered == (3, 4)
    assert only(report).lines.missed == (6,)
    assert report.counts("statements") == report.declared["statements"] == Counts(1, 2)
    assert report.counts("branches") == report.declared["branches"] == Counts(1, 2)


def test_scoverage_leaves_ignored_statements_out() -> None:
    """A line ran when a statement on it did."""
    report = read(
        """<scoverage statement-count="3" statements-invoked="2"><packages><package><classes>
          <class filename="A.scala"><methods><method><statements>
            <statement line="4" branch="false" invocation-count="1" ignored="false"/>
            <statement line="4" branch="true" invocation-count="0" ignored="false"/>
            <statement line="5" source="B.scala" invocation-count="3" ignored="false"/>
            <statement line="6" invocation-count="0" ignored="true"/>
          </statements></method></methods></class></classes></package></packages></scoverage>"""
    )

    assert report.format == "scoverage"
    assert [file.path for file in report.files] == ["A.scala", "B.scala"]
    assert report.counts("lines") == Counts(2, 2)
    assert report.counts("statements") == report.declared["statements"] == Counts(2, 3)
    assert report.counts("branches") == Counts(0, 1)


def test_coverage_py_json_has_branches_by_the_line_they_leave() -> None:
    """A branch is a pair of lines; the totals are kept as the report states them."""
    report = read(
        json.dumps(
            {
                "meta": {"format": 3, "version": "7.10"},
                "files": {
                    "src/a.py": {
                        "executed_lines": [1, 2],
                        "missing_lines": [4],
                        "executed_branches": [[2, 3], [2, -1]],
                        "missing_branches": [[2, 4]],
                    },
                    "src/b.py": {"executed_lines": [], "missing_lines": []},
                },
                "totals": {
                    "covered_lines": 2,
                    "num_statements": 3,
                    "covered_branches": 2,
                    "num_branches": 3,
                },
            }
        )
    )

    assert report.format == "coverage_py"
    assert report.files[0].branches == {2: Counts(2, 3)}
    assert report.files[1].counts("lines") is None
    assert report.counts("lines") == report.declared["lines"] == Counts(2, 3)
    assert report.counts("branches") == report.declared["branches"] == Counts(2, 3)
    assert report.counts("lines_and_branches") == Counts(4, 6)


def test_istanbul_has_a_line_where_a_statement_begins() -> None:
    """The branches of one line are added up, also those of several `if`s."""

    def at(line: int) -> dict[str, object]:
        return {"start": {"line": line, "column": 0}, "end": {"line": line, "column": 9}}

    report = read(
        json.dumps(
            {
                "/demo/a.js": {
                    "path": "/demo/a.js",
                    "statementMap": {"0": at(1), "1": at(1), "2": at(2)},
                    "s": {"0": 0, "1": 4, "2": 0},
                    "branchMap": {"0": {"loc": at(1)}, "1": {"loc": at(1)}},
                    "b": {"0": [1, 0], "1": [2, 2, 0]},
                }
            }
        )
    )

    assert report.format == "istanbul"
    assert report.counts("lines") == Counts(1, 2)
    assert report.counts("statements") == Counts(1, 3)
    assert only(report).branches == {1: Counts(3, 5)}


def test_an_istanbul_summary_has_counts_and_no_lines() -> None:
    """Its entry of totals is no file."""

    def counted(covered: int, total: int) -> dict[str, object]:
        return {"total": total, "covered": covered, "skipped": 0, "pct": 0}

    entry = {"lines": counted(1, 2), "statements": counted(1, 3), "branches": counted(0, 0)}
    report = read(json.dumps({"total": entry, "/demo/a.js": entry}))

    assert only(report).path == "/demo/a.js"
    assert report.counts("lines") == report.declared["lines"] == Counts(1, 2)
    assert report.counts("branches") is None


def test_lcov_puts_the_records_of_a_file_together() -> None:
    """What ran in one test ran, and a way is taken when one test took it."""
    report = read(
        "TN:one\nSF:a.c\nFN:1,main\nDA:1,1\nDA:2,0,checksum\nBRDA:1,0,0,1\nBRDA:1,0,1,-\n"
        "LF:2\nLH:1\nend_of_record\n"
        "TN:two\r\nSF:a.c\r\nDA:2,2874063630\r\nBRDA:1,0,1,4\r\nBRDA:1,0,x,y,0\r\n"
        "end_of_record\r\n"
    )

    assert report.format == "lcov"
    assert only(report).lines.covered == (1, 2)
    assert only(report).branches == {1: Counts(2, 3)}


def test_an_lcov_record_without_lines_has_its_totals() -> None:
    """They are all that it says of the file."""
    report = read("SF:a.c\nLF:8\nLH:2\nend_of_record\nSF:b.c\nLF:0\nLH:0\nend_of_record\n")

    assert report.counts("lines") == Counts(2, 8)


def test_go_blocks_are_counted_once() -> None:
    """A block that one test binary ran has run; statements are what Go itself counts."""
    report = read(
        "mode: atomic\ngithub.com/me/m/a.go:3.14,5.2 2 0\ngithub.com/me/m/a.go:5.2,6.9 1 0\n"
        "mode: atomic\ngithub.com/me/m/a.go:3.14,5.2 2 7\n"
    )

    assert report.format == "go"
    assert only(report).lines.covered == (3, 4, 5)
    assert only(report).lines.missed == (6,)
    assert report.counts("statements") == Counts(2, 3)


def test_gcov_annotates_sources() -> None:
    """Of lines with several blocks the mark is no part of the count."""
    report = read(
        "        -:    0:Source:a.c\n        -:    0:Runs:1\n       2*:    1:int f(int a) {\n"
        "branch  0 taken 2 (fallthrough)\nbranch  1 taken 0\nbranch  2 never executed\n"
        "    #####:    2:  return a;\n        -:    3:}\n     1.2k:    4:int g;\n"
    )

    assert report.format == "gcov"
    assert only(report).lines.covered == (1, 4)
    assert only(report).lines.missed == (2,)
    assert only(report).branches == {1: Counts(1, 3)}


def test_totals_alone_are_all_that_a_report_may_say() -> None:
    """They are used where no line and no file is counted."""
    report = read('<coverage lines-covered="1" lines-valid="4"><packages/></coverage>')

    assert report.counts("lines") == report.counts("lines_and_branches") == Counts(1, 4)
    assert report.counts("branches") is report.counts("statements") is None


MALFORMED = {
    "empty": "",
    "blank": " \n",
    "prose": "100 % covered",
    "another XML": "<mutations/>",
    "a prefixed root": '<x:coverage xmlns:x="y" line-rate="1"/>',
    "another JSON": '{"schemaVersion": "1", "files": {}}',
    "a list": "[]",
    "no entry": "{}",
    "coverage.py without lines": '{"meta": {}, "files": {"a.py": {"mutants": []}}}',
    "coverage.py with text for lines": '{"files": {"a.py": {"executed_lines": "123"}}}',
    "coverage.py with no list of missing lines": '{"files": {"a": {"executed_lines": [1]}}}',
    "coverage.py with half a line": (
        '{"files": {"a": {"executed_lines": [1.5], "missing_lines": []}}}'
    ),
    "coverage.py with a line below 0": (
        '{"files": {"a": {"executed_lines": [-1], "missing_lines": []}}}'
    ),
    "two JSON formats": (
        '{"files": {}, "totals": {"covered_lines": 0, "num_statements": 1}, '
        '"a.js": {"statementMap": {}, "s": {}}}'
    ),
    "Istanbul without counts": '{"a.js": {"statementMap": {"0": {}}, "s": {}}}',
    "Istanbul without places": '{"a.js": {"statementMap": {"0": {}}, "s": {"0": 1}}}',
    "a total above all": '<coverage lines-covered="5" lines-valid="4"/>',
    "a line without hits": '<coverage><class filename="a"><line number="1"/></class></coverage>',
    "a line that is no number": (
        '<coverage><class filename="a"><line number="x" hits="1"/></class></coverage>'
    ),
    "a negative line": (
        '<coverage><class filename="a"><line number="-1" hits="1"/></class></coverage>'
    ),
    "a line beyond any file": (
        '<coverage><class filename="a"><line number="99999999999" hits="1"/></class></coverage>'
    ),
    "a number of thousands of digits": (
        f'<coverage><class filename="a"><line number="1" hits="{"9" * 5000}"/></class></coverage>'
    ),
    "more branches than there are": (
        '<coverage><class filename="a"><line number="1" hits="1" '
        'condition-coverage="200% (4/2)"/></class></coverage>'
    ),
    "a class without a file": "<coverage><class/></coverage>",
    "a line outside of a class": '<coverage><line number="1" hits="1"/></coverage>',
    "JaCoCo without instructions": (
        '<report><sourcefile name="a"><line nr="1"/></sourcefile></report>'
    ),
    "JaCoCo outside of a file": '<report><line nr="1" mi="0" ci="1" mb="0" cb="0"/></report>',
    "Clover outside of a file": '<coverage clover="4"><line num="1" count="1"/></coverage>',
    "a sequence point of a million lines": (
        '<CoverageSession><File uid="1" fullPath="a"/>'
        '<SequencePoint fileid="1" vc="1" sl="1" el="1000000"/></CoverageSession>'
    ),
    "scoverage outside of a class": (
        '<scoverage><statement line="1" invocation-count="1"/></scoverage>'
    ),
    "LCOV that breaks off": "SF:a.c\nDA:1,1\n",
    "LCOV in a line": "SF:a.c\nDA:1\nend_of_record\n",
    "LCOV outside of a record": "TN:\nDA:1,1\n",
    "LCOV twice begun": "SF:a.c\nSF:b.c\n",
    "LCOV with a branch without count": "SF:a.c\nBRDA:1,0\nend_of_record\n",
    "LCOV with more than there is": "SF:a.c\nLF:1\nLH:2\nend_of_record\n",
    "Go in a line": "mode: set\na.go:1.1,2.2 1\n",
    "Go backwards": "mode: set\na.go:3.1,2.2 1 1\n",
    "a name with a NUL": "SF:a\x00.c\nend_of_record\n",
    "a name without end": f"SF:{'a' * 5000}\nend_of_record\n",
}


@pytest.mark.parametrize("content", MALFORMED.values(), ids=MALFORMED.keys())
def test_what_is_no_report_is_refused(content: str) -> None:
    """It is an ERROR, and never read as a report of nothing. (contract: judges:O3)"""
    with pytest.raises(WorkspaceError) as refused:
        read(content)

    assert refused.value.code is ReasonCode.MALFORMED_EVIDENCE


BEYOND: dict[str, tuple[ModuleType, str, str]] = {
    "lines that statements span": (tally, "MAX_SPANNED", "mode: set\na.go:1.1,9.2 1 1\n"),
    "blocks": (go_profile, "MAX_BLOCKS", "".join(f"a.go:{n}.1,{n}.2 1 1\n" for n in range(9))),
    "ways of branches": (
        lcov,
        "MAX_WAYS",
        "SF:a\n" + "".join(f"BRDA:1,0,{way},1\n" for way in range(9)) + "end_of_record\n",
    ),
    "lines of methods": (
        cobertura,
        "MAX_LINES",
        '<coverage><class filename="a"><methods>'
        + '<line number="1" hits="1"/>' * 9
        + "</methods></class></coverage>",
    ),
    "files of a module": (
        opencover,
        "MAX_FILES",
        "<CoverageSession>"
        + "".join(f'<File uid="{n}" fullPath="a"/>' for n in range(9))
        + "</CoverageSession>",
    ),
}


@pytest.mark.parametrize(("module", "bound", "content"), BEYOND.values(), ids=BEYOND.keys())
def test_what_would_fill_the_memory_is_refused(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, bound: str, content: str
) -> None:
    """A report may repeat what it likes; what has to be kept of it is bounded."""
    monkeypatch.setattr(module, bound, 8)
    content = content if content.startswith(("<", "SF", "mode")) else f"mode: set\n{content}"

    with pytest.raises(WorkspaceError, match="more than 8"):
        read(content)
