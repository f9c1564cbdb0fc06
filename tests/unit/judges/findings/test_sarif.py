from __future__ import annotations

import json
from typing import Any

import pytest

from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judges.findings.formats import read_findings
from agent_judge.judges.findings.record import Finding, FindingsReport, Severity
from agent_judge.judges.reports.source import ReportFile

RULES: list[dict[str, Any]] = [
    {
        "id": "R1",
        "defaultConfiguration": {"level": "error"},
        "messageStrings": {"default": {"text": "{0} is {{bad}} in {1} and {9}"}},
    },
    {"id": "R2", "shortDescription": {"text": "second rule"}},
]


def read(*runs: Any, **log: Any) -> FindingsReport:
    """Read a log of some runs."""
    document = {"version": "2.1.0", "runs": list(runs), **log}
    return read_findings(ReportFile.of(json.dumps(document).encode()))


def run(*results: Any, **members: Any) -> dict[str, Any]:
    """A run with some results; what they refer to comes after them."""
    tool = {"driver": {"name": "demo", "rules": RULES}}
    return {"results": list(results), "tool": tool, **members}


def at(uri: str, line: int | None = None, **location: Any) -> dict[str, Any]:
    """A result at a place."""
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri, **location}}
    if line is not None:
        physical["region"] = {"startLine": line, "startColumn": 2, "snippet": {"text": " x = 1\n"}}
    return {"message": {"text": "m"}, "locations": [{"physicalLocation": physical}]}


def test_a_result_has_its_rule_level_message_and_place() -> None:
    """Its own, with the code that it quotes."""
    report = read(run({**at("src/a%20b.py", 3), "ruleId": "R9", "level": "note"}))

    assert (report.format, report.tool) == ("sarif", "demo")
    assert report.findings == (Finding("R9", "m", Severity.NOTE, "src/a b.py", 3, 2, "x = 1"),)


def test_what_a_result_leaves_out_is_its_rules() -> None:
    """Level and message are those of the rule, with the arguments filled in."""
    first = {"ruleIndex": 0, "message": {"id": "default", "arguments": ["x", "y"]}}
    second = {"rule": {"id": "R2"}, "message": {"id": "none"}}
    third = {"message": {"text": "plain"}}

    report = read(run(first, second, third))

    assert [(f.rule, f.message, f.severity) for f in report.findings] == [
        ("R1", "x is {bad} in y and {9}", Severity.ERROR),
        ("R2", "second rule", Severity.WARNING),
        ("", "plain", Severity.WARNING),
    ]


def test_the_first_rule_of_a_name_counts() -> None:
    """Where a result names it without its index."""
    rules = [RULES[0], {"id": "R1", "defaultConfiguration": {"level": "note"}}]
    tool = {"driver": {"name": "demo", "rules": rules}}

    report = read(run({**at("a"), "ruleId": "R1"}, tool=tool))

    assert report.findings[0].severity is Severity.ERROR


def test_a_rule_of_an_extension_is_looked_up_there() -> None:
    """By the component that the reference names."""
    tool = {"driver": {"name": "demo"}, "extensions": [{"name": "more", "rules": RULES}]}
    result = {**at("a"), "rule": {"index": 0, "toolComponent": {"index": 0}}}

    assert read(run(result, tool=tool)).findings[0].severity is Severity.ERROR


def test_paths_are_put_together_from_their_bases() -> None:
    """A base may have a base; a place may name an artifact by its index."""
    bases = {
        "ROOT": {"uri": "file:///demo/"},
        "SRC": {"uri": "src", "uriBaseId": "ROOT"},
        "LOOP": {"uri": "x", "uriBaseId": "LOOP"},
    }
    artifacts = [{"location": {"uri": "b.py", "uriBaseId": "SRC"}}]
    by_index = at("", index=0)
    results = [at("a.py", uriBaseId="SRC"), by_index, at("a.py", uriBaseId="?"), at("file:///x")]

    report = read(run(*results, originalUriBaseIds=bases, artifacts=artifacts))

    assert [finding.path for finding in report.findings] == [
        "/demo/src/a.py",
        "/demo/src/b.py",
        "a.py",
        "/x",
    ]
    assert read(run(at("a", uriBaseId="LOOP"), originalUriBaseIds=bases)).findings


def test_what_is_no_failure_does_not_count() -> None:
    """Passes, what is gone since the baseline, and what is suppressed."""
    results = [
        {**at("a"), "kind": "pass"},
        {**at("b"), "kind": "open"},
        {**at("c"), "baselineState": "absent"},
        {**at("d"), "suppressions": [{"kind": "inSource"}]},
        {**at("e"), "suppressions": [{"kind": "external", "status": "rejected"}]},
        {**at("f"), "suppressions": []},
    ]

    report = read(run(*results))

    assert [finding.path for finding in report.findings] == ["e", "f"]
    assert report.suppressed == 1


def test_files_that_were_analysed_are_named_by_their_roles() -> None:
    """An artifact without roles is taken for one that was analysed."""
    artifacts = [
        {"location": {"uri": "a"}, "roles": ["analysisTarget"]},
        {"location": {"uri": "b"}, "roles": ["resultFile"]},
        {"location": {"uri": "c"}},
    ]

    assert read(run(artifacts=artifacts)).analysed == 2
    assert read(run()).analysed is None


@pytest.mark.parametrize(
    "members",
    [
        {"results": None},
        {"invocations": [{"executionSuccessful": False}]},
        {
            "invocations": [
                {
                    "executionSuccessful": True,
                    "toolExecutionNotifications": [{"level": "error", "message": {"text": "x"}}],
                }
            ]
        },
        {"externalPropertyFileReferences": {"results": [{"location": {"uri": "r.json"}}]}},
    ],
)
def test_an_analysis_that_was_not_complete_says_so(members: dict[str, Any]) -> None:
    """No results at all are not the same as none."""
    assert len(read(run(**members)).problems) == 1


def test_a_run_without_results_is_a_problem() -> None:
    """It only describes the tool."""
    assert read({"tool": {"driver": {"name": "x"}}}).problems


def test_several_runs_are_one_report() -> None:
    """Each has its own rules and artifacts."""
    report = read(run({**at("a"), "ruleIndex": 0}), run(at("b"), tool={"driver": {"name": "o"}}))

    assert [finding.rule for finding in report.findings] == ["R1", ""]
    assert report.tool == "demo"


@pytest.mark.parametrize("version", ["1.0.0", "2.0.0-csd.2", None, 2])
def test_another_version_is_refused(version: object) -> None:
    """Its members mean other things."""
    with pytest.raises(WorkspaceError, match=r"only 2\.1\.0 is read"):
        read(run(), version=version)


@pytest.mark.parametrize(
    "broken",
    [
        {"results": [1], "tool": {}},
        {"results": [{**at("a"), "level": "fatal"}], "tool": {}},
        {"results": [], "invocations": [1]},
        {"results": [], "artifacts": [1]},
        3,
    ],
)
def test_what_is_no_run_is_refused(broken: object) -> None:
    """A result that cannot be read may be one that was missed."""
    with pytest.raises(WorkspaceError):
        read(broken)


@pytest.mark.parametrize(
    "result",
    [
        {"message": 3, "locations": 3, "ruleIndex": "x", "rule": [], "level": None},
        {"message": {}, "locations": [3], "ruleIndex": 10**9},
        {"locations": [{"physicalLocation": {"artifactLocation": {"index": 99}}}]},
    ],
)
def test_members_of_another_type_are_left_out(result: dict[str, Any]) -> None:
    """The finding is there; nothing is raised."""
    assert len(read(run(result)).findings) == 1


def test_a_log_without_a_run_analysed_nothing() -> None:
    """Nothing was found, since nothing was looked at."""
    assert read().problems == ("it holds no run: nothing was analysed (3.13.4)",)
