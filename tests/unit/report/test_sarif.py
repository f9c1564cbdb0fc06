from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from agent_judge import (
    CascadedJury,
    Check,
    ErrorPolicy,
    Judgment,
    JudgmentContext,
    Jury,
    Location,
    Majority,
    ReasonCode,
    Tier,
    TierPolicy,
    Verdict,
)
from agent_judge.judges.findings.formats import read_findings
from agent_judge.judges.reports.source import ReportFile
from agent_judge.report import Case, Report, as_sarif, format_of, write_report
from agent_judge.testing import abstaining, always, erring, failing, not_applicable, passing

RUN = JudgmentContext()
SCHEMA = json.loads(Path(__file__).with_name("sarif.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
TITLE = Check("title", False, "none", location=Location("docs/a b.md", 3, 7))


def exported(*verdicts: Verdict) -> Any:
    """The run of a valid log of a report."""
    cases = (Case(f"case {number}", verdict) for number, verdict in enumerate(verdicts, 1))
    log = json.loads(as_sarif(Report(tuple(cases))))
    VALIDATOR.validate(log)
    return log["runs"][0]


def notified(run: Any) -> dict[str, tuple[str, str]]:
    """The level and the status of each notification, by its seat."""
    (invocation,) = run["invocations"]
    return {
        item["properties"]["seat"]: (item["level"], item["properties"]["status"])
        for item in invocation["toolExecutionNotifications"]
    }


def test_every_seat_is_told_and_an_error_is_no_failure() -> None:
    """The results are what is wrong with the work, and no more. (contract: edges:S7)"""
    judges = [passing(), failing("bad"), erring("broken"), abstaining(), not_applicable()]

    run = exported(Jury(judges).vote(RUN))

    assert notified(run) == {
        "verdict": ("error", "error"),
        "pass": ("none", "pass"),
        "fail": ("warning", "fail"),
        "error": ("error", "error"),
        "abstain": ("note", "abstain"),
        "not_applicable": ("none", "not_applicable"),
    }
    assert [result["ruleId"] for result in run["results"]] == ["fail"]
    assert run["invocations"][0]["executionSuccessful"] is False
    assert run["invocations"][0]["exitCode"] == 3


def test_a_failed_check_is_a_result_with_its_place() -> None:
    """One each, with file, line and column. (contract: edges:S7)"""
    judgment = Judgment.failing("two", checks=[TITLE, Check("x", False, location=Location("b"))])

    run = exported(Jury([always(judgment, name="docs")]).vote(RUN))

    first, second = run["results"]
    assert first["message"]["text"] == "title: none"
    assert first["level"] == "error"
    assert first["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "docs/a%20b.md"},
        "region": {"startLine": 3, "startColumn": 7},
    }
    assert first["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "case 1/docs"}]
    assert second["message"]["text"] == "x"
    assert "region" not in second["locations"][0]["physicalLocation"]
    assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == first["ruleId"] == "docs"


def test_a_failure_without_a_file_is_a_result_of_the_whole_work() -> None:
    """Whoever counts results must not take it for a pass. (contract: edges:S7)"""
    judgment = Judgment.failing("no title", checks=[Check("title", False, "none")])

    run = exported(Jury([always(judgment, name="docs")]).vote(RUN))

    (result,) = run["results"]
    assert result["message"]["text"] == "no title"
    assert result["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "./"}}


def test_a_verdict_that_fails_by_itself_is_a_result() -> None:
    """Where no seat failed, the verdict says why. (contract: edges:S7)"""
    verdict = Jury([passing()], lambda _: Judgment.failing("not enough")).vote(RUN)

    (result,) = exported(verdict)["results"]

    assert result["ruleId"] == "verdict"
    assert result["message"]["text"].startswith("not enough")


def test_what_did_not_decide_is_a_note() -> None:
    """A verdict that passed leaves the job green. (contract: edges:S7)"""
    ignoring = Majority(on_error=ErrorPolicy.IGNORE)
    judges = [passing(), passing(), failing("outvoted"), erring("broken")]

    run = exported(Jury(judges, ignoring).vote(RUN))

    assert [result["level"] for result in run["results"]] == ["note"]
    assert run["invocations"][0]["executionSuccessful"] is True


def test_seats_of_every_case_and_stage_are_told() -> None:
    """A rule is a seat, whichever case it is in; a stage that was skipped is told as well."""
    last = Tier("last", [passing()], TierPolicy.FINAL_TIER)
    cascade = CascadedJury([Tier("first", [failing("no", name="x")]), last])

    run = exported(cascade.vote(RUN), Jury([failing(name="x")]).vote(RUN))

    assert set(notified(run)) == {"verdict", "first/x", "last", "x"}
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [
        "first/x",
        "x",
        "verdict",
        "last",
    ]
    assert [result["properties"]["case"] for result in run["results"]] == ["case 1", "case 2"]


def test_codes_and_scores_are_told() -> None:
    """Machines need not read the message."""
    verdict = Jury([erring("late", ReasonCode.TIMEOUT), always(Judgment.scored(0.25, threshold=1))])

    (invocation,) = exported(verdict.vote(RUN))["invocations"]

    told = [item["properties"] for item in invocation["toolExecutionNotifications"]]
    assert told[1]["code"] == "timeout"
    assert told[2]["score"] == 0.25


@settings(max_examples=30)
@given(strategies.verdicts)
def test_any_verdict_is_valid(verdict: Verdict) -> None:
    """Whatever text it holds. (contract: edges:S7)"""
    exported(verdict)


@given(st.text(st.characters(codec="utf-8"), min_size=1).filter(str.strip))
def test_any_path_comes_back_from_its_uri(path: str) -> None:
    """Spaces, colons, slashes, control characters and emoji."""
    judgment = Judgment.failing(checks=[Check("x", False, location=Location(path))])

    (result,) = exported(Jury([always(judgment)]).vote(RUN))["results"]

    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote(uri.removeprefix("file://")) == path


def test_the_findings_can_be_read_back() -> None:
    """Another jury may go by them: rule, message, place and level."""
    judgment = Judgment.failing("bad", checks=[TITLE])
    report = Report((Case("a", Jury([always(judgment, name="docs")]).vote(RUN)),))

    read = read_findings(ReportFile.of(as_sarif(report).encode()))

    (finding,) = read.findings
    assert (finding.rule, finding.message) == ("docs", "title: none")
    assert (finding.path, finding.line, finding.column) == ("docs/a b.md", 3, 7)
    assert read.problems == ()


@pytest.mark.parametrize("name", ["out.sarif", "OUT.SARIF", "out.sarif.json"])
def test_the_name_of_a_file_asks_for_it(tmp_path: Path, name: str) -> None:
    """Both endings are in use."""
    write_report(Report((Case("a", Jury([passing()]).vote(RUN)),)), tmp_path / name)

    assert format_of(tmp_path / name) == "sarif"
    assert json.loads((tmp_path / name).read_text())["version"] == "2.1.0"
