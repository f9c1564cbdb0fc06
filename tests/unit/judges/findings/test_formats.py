from __future__ import annotations

import json
from typing import Any

import pytest

from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.findings import gathering
from agent_judge.judges.findings.formats import read_findings
from agent_judge.judges.findings.record import Finding, FindingsReport, Severity
from agent_judge.judges.reports.source import ReportFile
from agent_judge.judgment import ReasonCode


def read(content: object, format_: str | None = None) -> FindingsReport:
    """Read a report of any format; what is no text is written as JSON."""
    text = content if isinstance(content, str) else json.dumps(content)
    return read_findings(ReportFile.of(text.encode()), format_)


RUFF = {
    "code": "F401",
    "filename": "/demo/src/app.py",
    "location": {"row": 3, "column": 8},
    "message": "`os` imported but unused",
    "severity": "warning",
}
MYPY = {
    "file": "src/app.py",
    "line": 3,
    "column": 4,
    "message": "Missing return",
    "hint": None,
    "code": "return",
    "severity": "error",
}
PYLINT = {
    "type": "convention",
    "module": "app",
    "path": "src\\app.py",
    "line": 3,
    "column": 0,
    "symbol": "missing-docstring",
    "message": "Missing docstring",
}
ESLINT = {
    "filePath": "/demo/src/app.js",
    "messages": [
        {"ruleId": "no-var", "severity": 1, "message": "Unexpected var", "line": 2, "column": 1},
        {"ruleId": None, "fatal": True, "severity": 2, "message": "Parsing error", "line": 1},
    ],
    "suppressedMessages": [{}],
}
PYRIGHT = {
    "version": "1.1.400",
    "generalDiagnostics": [
        {
            "file": "/demo/src/app.py",
            "severity": "information",
            "message": "Unused",
            "range": {"start": {"line": 2, "character": 7}, "end": {}},
            "rule": "reportUnusedImport",
        },
        {"file": "/demo/src/app.py", "severity": "error", "message": "No place"},
    ],
    "summary": {"filesAnalyzed": 7, "errorCount": 1},
}
BANDIT = {
    "errors": [{"filename": "src/bad.py", "reason": "syntax error"}],
    "metrics": {"_totals": {}, "src/app.py": {}, "src/b.py": {}},
    "results": [
        {
            "filename": "src/app.py",
            "line_number": 3,
            "col_offset": 4,
            "issue_severity": "HIGH",
            "issue_text": "eval",
            "test_id": "B307",
        }
    ],
}


def test_ruff_as_a_list_and_as_lines() -> None:
    """What its releases state differently is read alike; a file that does not parse has no code."""
    older = {**RUFF, "code": None, "severity": None}
    as_list, as_lines = read([RUFF, older]), read(f"{json.dumps(RUFF)}\n{json.dumps(older)}\n")

    assert as_list == as_lines
    assert as_list.format == as_list.tool == "ruff"
    assert as_list.analysed is None
    assert as_list.findings == (
        Finding("F401", "`os` imported but unused", Severity.WARNING, "/demo/src/app.py", 3, 8),
        Finding(
            "invalid-syntax", "`os` imported but unused", Severity.ERROR, "/demo/src/app.py", 3, 8
        ),
    )


def test_mypy_as_json_lines() -> None:
    """Its columns count from 0."""
    report = read(json.dumps(MYPY) + "\n")

    assert report.format == "mypy"
    assert report.findings == (
        Finding("return", "Missing return", Severity.ERROR, "src/app.py", 3, 5),
    )


def test_pylint_in_both_forms() -> None:
    """The newer one says how many modules were analysed; a fatal message is a problem."""
    fatal = {**PYLINT, "type": "fatal"}
    older = read([PYLINT])
    newer = read({"messages": [PYLINT, fatal], "statistics": {"modulesLinted": 4}})

    assert older.findings[0] == newer.findings[0]
    assert older.findings[0].path == "src/app.py"
    assert older.findings[0].column == 1
    assert (older.analysed, newer.analysed) == (None, 4)
    assert newer.problems == ("Missing docstring",)


def test_eslint_names_every_file() -> None:
    """One that it ignores was not analysed, and what is suppressed does not count."""
    ignored = {
        "filePath": "/demo/x.js",
        "messages": [{"ruleId": None, "severity": 1, "message": "File ignored because of …"}],
    }
    clean = {"filePath": "/demo/clean.js", "messages": []}

    report = read([ESLINT, clean, ignored])

    assert report.format == "eslint"
    assert [(finding.rule, finding.severity) for finding in report.findings] == [
        ("no-var", Severity.WARNING),
        ("fatal", Severity.ERROR),
        ("", Severity.WARNING),
    ]
    assert report.analysed == 2
    assert report.suppressed == 1


def test_pyright_counts_from_0() -> None:
    """Lines and characters; it says how many files it analysed."""
    report = read(PYRIGHT)

    assert report.format == "pyright"
    assert report.analysed == 7
    assert report.findings[0] == Finding(
        "reportUnusedImport", "Unused", Severity.NOTE, "/demo/src/app.py", 3, 8
    )
    assert report.findings[1].line is None


def test_bandit_names_what_it_analysed_and_could_not() -> None:
    """The entry of the totals is no file."""
    report = read(BANDIT)

    assert report.format == "bandit"
    assert report.analysed == 2
    assert report.problems == ("src/bad.py: syntax error",)
    assert report.findings == (Finding("B307", "eval", Severity.ERROR, "src/app.py", 3, 5),)


def test_checkstyle_names_every_file() -> None:
    """Also those in which nothing was found; line 0 is none."""
    report = read(
        '<checkstyle version="10"><file name="A.java">'
        '<error line="0" severity="info" message="no doc" source="a.b.Doc"/></file>'
        '<file name="B.java"><exception>it broke</exception></file></checkstyle>'
    )

    assert report.format == "checkstyle"
    assert report.analysed == 2
    assert report.problems == ("it broke",)
    assert report.findings == (Finding("a.b.Doc", "no doc", Severity.NOTE, "A.java"),)


def test_pmd_has_its_messages_as_text() -> None:
    """It says which files it could not read, and not which it could."""
    report = read(
        '<pmd xmlns="http://pmd.sourceforge.net/report/2.0.0"><file name="A.java">'
        '<violation beginline="3" begincolumn="5" rule="R" priority="1">\nUse equals()\n'
        '</violation></file><suppressedviolation/><error filename="B.java" msg="broken"/></pmd>'
    )

    assert report.format == "pmd"
    assert report.analysed is None
    assert report.suppressed == 1
    assert report.problems == ("B.java: broken",)
    assert report.findings == (Finding("R", "Use equals()", Severity.ERROR, "A.java", 3, 5),)


def test_spotbugs_has_the_line_of_the_bug_itself() -> None:
    """Else that of the method it is in; without a message its kind has to do."""
    report = read(
        '<BugCollection version="4"><BugInstance type="NP" priority="1">'
        "<LongMessage>Null</LongMessage>"
        '<Class><SourceLine start="1" sourcepath="d/A.java"/></Class>'
        '<SourceLine start="7" sourcepath="d/A.java"/><SourceLine start="9"/></BugInstance>'
        '<BugInstance type="DLS" priority="9"><Class><SourceLine start="1" sourcefile="B.java"/>'
        '</Class><Method><SourceLine start="2" sourcefile="B.java"/></Method></BugInstance>'
        '<Errors errors="2"/><FindBugsSummary total_classes="5"/>'
        "</BugCollection>"
    )

    assert report.format == "spotbugs"
    assert report.analysed == 5
    assert report.problems == ("2 errors while it analysed",)
    assert report.findings == (
        Finding("NP", "Null", Severity.ERROR, "d/A.java", 7),
        Finding("DLS", "DLS", Severity.WARNING, "B.java", 2),
    )


@pytest.mark.parametrize(
    ("format_", "line", "finding"),
    [
        (
            "mypy",
            "src/app.py:3:5: error: Missing return  [return]",
            Finding("return", "Missing return", Severity.ERROR, "src/app.py", 3, 5),
        ),
        (
            "mypy",
            "src/app.py: note: In function:",
            Finding("", "In function:", Severity.NOTE, "src/app.py"),
        ),
        (
            "flake8",
            "./src/app.py:3:1: E302 expected 2 blank lines",
            Finding("E302", "expected 2 blank lines", Severity.ERROR, "./src/app.py", 3, 1),
        ),
        (
            "pylint",
            "src/app.py:3:0: C0114: Missing module docstring (missing-module-docstring)",
            Finding("C0114", "Missing module docstring", Severity.NOTE, "src/app.py", 3, 1),
        ),
        (
            "pylint",
            "C:\\src\\app.py:3: [W0102(dangerous), Show.f] Dangerous default",
            Finding("W0102", "Dangerous default", Severity.WARNING, "C:/src/app.py", 3),
        ),
        (
            "pylint",
            "src/app.py:shop.app:3: [W0611, ] Unused import",
            Finding("W0611", "Unused import", Severity.WARNING, "src/app.py", 3),
        ),
        (
            "compiler",
            "conn.go:64:2: exported var should have comment",
            Finding("", "exported var should have comment", Severity.WARNING, "conn.go", 64, 2),
        ),
    ],
)
def test_lines_of_text(format_: str, line: str, finding: Finding) -> None:
    """The first line tells the format."""
    report = read(f"\n{line}\r\n")

    assert report.format == format_
    assert report.findings == (finding,)


def test_mypy_says_how_many_files_it_checked() -> None:
    """In its last line, or that it stopped."""
    clean = read("Success: no issues found in 3 source files\n")
    some = read("a.py:1: error: x\nFound 1 error in 1 file (checked 5 source files)\n")
    stopped = read("a.py:1: error: x\nFound 1 error in 1 file (errors prevented further checking)")

    assert (clean.format, clean.analysed, clean.findings) == ("mypy", 3, ())
    assert some.analysed == 5
    assert len(stopped.problems) == 1


def test_an_empty_report_is_of_the_format_that_is_named() -> None:
    """Where nothing was found, many tools print nothing; ESLint lists every file."""
    assert read("", "flake8").findings == ()
    assert read("", "ruff").findings == ()
    assert read("[]").format == "json"
    assert read("[]", "ruff") == FindingsReport("ruff", "ruff")
    assert read("[]", "eslint").analysed == 0


MALFORMED: dict[str, Any] = {
    "empty": "",
    "prose": "All checks passed!",
    "a usage error": "mypy: can't read file 'x': No such file or directory",
    "a line that is no finding": "a.py:1:1: F401 unused\nTraceback (most recent call last):",
    "a summary that is new": "a.py:1: error: x\nFound trouble",
    "another XML": "<coverage/>",
    "another JSON": {"files": []},
    "a number": "3",
    "text": '"x"',
    "a mixed list": [RUFF, MYPY],
    "a list of others": [{"x": 1}],
    "a list of numbers": [1],
    "lines that break off": f"{json.dumps(RUFF)}\n{json.dumps(RUFF)[:20]}",
    "lines that are mixed": f"{json.dumps(RUFF)}\n{json.dumps(MYPY)}",
    "ESLint without messages": [{"filePath": "x", "messages": {}}],
    "ESLint with a message that is none": [{"filePath": "x", "messages": [1]}],
    "pyright of another severity": {**PYRIGHT, "generalDiagnostics": [{"severity": "x"}]},
    "pyright without a count": {**PYRIGHT, "summary": {}},
    "Bandit of another severity": {**BANDIT, "results": [{"issue_severity": "x"}]},
    "Bandit with errors that are none": {**BANDIT, "errors": [1]},
    "Pylint of another type": [{**PYLINT, "type": "x"}],
    "two tools": {**PYRIGHT, **BANDIT},
    "Checkstyle outside of a file": "<checkstyle><error message='x'/></checkstyle>",
    "PMD outside of a file": "<pmd><violation>x</violation></pmd>",
}


@pytest.mark.parametrize("content", MALFORMED.values(), ids=MALFORMED.keys())
def test_what_is_no_report_is_refused(content: Any) -> None:
    """A line that is not understood may be a finding that was missed."""
    with pytest.raises(WorkspaceError) as refused:
        read(content)

    assert refused.value.code is ReasonCode.MALFORMED_EVIDENCE


def test_a_report_of_another_format_than_named_is_refused() -> None:
    """The message names both."""
    with pytest.raises(WorkspaceError, match="it is a report of ruff, not of eslint"):
        read([RUFF], "eslint")


def test_bounds_of_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """Findings, files and messages are bounded."""
    monkeypatch.setattr(gathering, "MAX_FINDINGS", 1)
    monkeypatch.setattr(gathering, "MAX_FILES", 1)

    assert len(read([{**RUFF, "message": "x" * 10_000}]).findings[0].message) == gathering.MESSAGE
    with pytest.raises(WorkspaceError, match="more than 1 findings"):
        read([RUFF, RUFF])
    with pytest.raises(WorkspaceError, match="more than 1 files"):
        read([{"filePath": name, "messages": []} for name in "ab"])
