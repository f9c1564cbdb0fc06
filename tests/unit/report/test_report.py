from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge import (
    CascadedJury,
    Check,
    Judge,
    Judgment,
    JudgmentContext,
    Jury,
    Location,
    MetaJury,
    Status,
    Tier,
    TierPolicy,
)
from agent_judge.errors import ArgumentError, WireError
from agent_judge.report import (
    Case,
    Report,
    as_json,
    as_json_lines,
    as_junit,
    as_markdown,
    as_table,
    format_of,
    read_report,
    write_report,
)
from agent_judge.report.text import one_line
from agent_judge.testing import abstaining, always, erring, failing, passing

CHECKED = always(
    Judgment.failing(
        "two faults", checks=[Check("title", False, "none", location=Location("a.md", 3))]
    )
)


def report(*judges: Judge, case: str = "case") -> Report:
    """A report on one case."""
    jury = Jury({f"j{index}": judge for index, judge in enumerate(judges)})
    return Report((Case(case, jury.vote(JudgmentContext())),))


def mixed() -> Report:
    """A report with every status, a cascade that stopped early, and a nested jury."""
    cascade = CascadedJury([Tier("gate", [CHECKED]), Tier("end", [passing()], "final_tier")])
    return Report(
        (
            Case(
                "passes", Jury([passing(), failing("outvoted"), passing()]).vote(JudgmentContext())
            ),
            Case("fails", cascade.vote(JudgmentContext())),
            Case("errors", Jury([passing(), erring("no tool")]).vote(JudgmentContext())),
            Case("open", Jury([abstaining("cannot say")]).vote(JudgmentContext())),
            Case("meta", MetaJury({"m": Jury([passing()])}).vote(JudgmentContext())),
        )
    )


def test_the_summary_says_what_was_not_judged() -> None:
    """A mean stands beside the number it is over, and the number it is not."""
    assert mixed().summary() == (
        "2 passed, 1 failed, 1 errored, 1 undecided of 5; mean score 0.67 over 3 of 5; 2 not judged"
    )


@pytest.mark.parametrize(
    ("judges", "code"),
    [
        ([passing()], 0),
        ([failing()], 1),
        ([erring("no")], 3),
        ([abstaining("open")], 4),
    ],
)
def test_each_status_has_its_exit_code(judges: list[Judge], code: int) -> None:
    """0 passed, 1 failed, 3 error, 4 undecided. (contract: edges:S8)"""
    assert report(*judges).exit_code == code


def test_a_failure_outranks_an_error_and_that_an_open_question() -> None:
    """A definite failure is not hidden by a broken judge. (contract: edges:S8)"""
    cases = mixed().cases

    assert Report(cases).status is Status.FAIL
    assert Report((cases[0], cases[2], cases[3])).status is Status.ERROR
    assert Report((cases[0], cases[3])).status is Status.ABSTAIN


def test_a_report_on_nothing_is_refused() -> None:
    """Nothing judged is nothing passed."""
    with pytest.raises(ArgumentError, match="nothing was judged"):
        Report(())


@pytest.mark.parametrize("render", [as_table, as_markdown, as_junit, as_json, as_json_lines])
def test_every_seat_is_in_every_format(render: object) -> None:
    """Seats of stages and of stages not reached are there as well. (contract: edges:S7)"""
    text = render(mixed())  # type: ignore[operator]

    for case in ("passes", "fails", "errors", "open", "meta"):
        assert case in text
    for reason in ("outvoted", "two faults", "no tool", "cannot say", "decided by"):
        assert reason in text or reason in json.dumps(text)


def test_junit_tells_errors_from_failures() -> None:
    """A broken judge is an error, not a failure. (contract: edges:S7)"""
    root = ET.fromstring(as_junit(mixed()))
    suites = {suite.get("name"): suite for suite in root}

    def kinds(suite: str) -> list[str]:
        return [child.tag for test in suites[suite] for child in test]

    assert kinds("passes") == ["skipped"]
    assert kinds("fails") == ["failure", "failure", "skipped"]
    assert kinds("errors") == ["error", "error"]
    assert kinds("open") == ["skipped", "skipped"]
    assert suites["errors"].get("errors") == "2"
    assert suites["fails"].get("failures") == "2"


def test_junit_counts_what_it_holds() -> None:
    """The counts of a suite are those of its tests. (contract: edges:S7)"""
    for suite in ET.fromstring(as_junit(mixed())):
        tests = list(suite)
        assert suite.get("tests") == str(len(tests))
        for tag, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            assert suite.get(name) == str(sum(test.find(tag) is not None for test in tests))


anything = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(anything, anything)
def test_junit_is_well_formed_for_any_text(reason: str, name: str) -> None:
    """Control characters and markup of judged text do no harm. (contract: edges:S7)"""
    judge = always(Judgment.failing(reason, checks=[Check("c" + name, False, reason)]))

    root = ET.fromstring(as_junit(report(judge, case="x" + name)))

    assert len(root[0]) == 2


@given(anything)
def test_json_carries_any_text(reason: str) -> None:
    """Whatever a judge wrote is valid JSON. (contract: edges:S7, cases:F7)"""
    stored = json.loads(as_json(report(always(Judgment.failing(reason)))))

    assert stored["cases"][0]["verdict"]["seats"][0]["judgment"]["reasoning"] == reason


def test_a_reason_of_a_megabyte_is_carried() -> None:
    """Machines get all of it, people its beginning. (contract: edges:S7)"""
    long = report(always(Judgment.failing("x" * 2**20)))

    assert ET.fromstring(as_junit(long)) is not None
    assert len(as_markdown(long)) < 5_000
    assert len(as_table(long)) < 5_000


def test_markdown_shows_judged_text_as_it_is() -> None:
    """A reason makes no cell, link, tag or line of its own. (contract: edges:S7)"""
    hostile = "a | b\n| x | y |\n<script>alert(1)</script> [link](http://x) `code` **bold**"

    text = as_markdown(report(always(Judgment.failing(hostile))))

    assert "<script>" not in text
    assert "\\[link\\]" in text
    assert "a \\| b \\| x" in text


@pytest.mark.parametrize("text", ["\x1b[31mred", "a\x00b", "\u202eevil", "a\u200bb", "\r\nx"])
def test_a_terminal_gets_nothing_to_act_on(text: str) -> None:
    """Escapes and characters that turn text round are replaced."""
    line = one_line(text)

    assert line.isprintable()
    assert "\u202e" not in line


def test_the_table_is_plain_where_rich_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without rich, the same rows stand in plain columns."""
    from agent_judge.report import table

    monkeypatch.setattr(table, "find_spec", lambda _: None)

    text = as_table(mixed())

    assert text.splitlines()[0].split() == ["case", "judge", "status", "score", "why"]
    assert "title (a.md:3): none" in text


def test_every_check_can_be_shown() -> None:
    """By default only what failed is."""
    checked = report(always(Judgment.passing(checks=[Check("seen", True)])))

    assert "seen" not in as_table(checked)
    assert "+ seen" in as_table(checked, every_check=True)


@pytest.mark.parametrize("name", ["r.json", "r.jsonl"])
def test_a_stored_report_is_read_back(tmp_path: Path, name: str) -> None:
    """JSON and JSON Lines round-trip, with what errored and abstained. (contract: cases:F7)"""
    write_report(mixed(), tmp_path / name)

    assert read_report(tmp_path / name) == mixed_without_times(read_report(tmp_path / name))
    assert [case.verdict.status for case in read_report(tmp_path / name).cases] == [
        case.verdict.status for case in mixed().cases
    ]
    assert list(tmp_path.iterdir()) == [tmp_path / name]


def mixed_without_times(found: Report) -> Report:
    """The same report, read from its own stored form."""
    from agent_judge import Verdict, from_dict, to_dict

    return Report(tuple(Case(c.id, from_dict(Verdict, to_dict(c.verdict))) for c in found.cases))


@pytest.mark.parametrize("content", ["[]", "{}", '{"cases": []}', '{"cases": [1]}', "{", ""])
def test_what_is_no_report_is_refused(tmp_path: Path, content: str) -> None:
    """The message says where."""
    path = tmp_path / "r.json"
    path.write_text(content)

    with pytest.raises(WireError, match=r"r\.json"):
        read_report(path)


def test_a_name_that_asks_for_no_format_is_refused() -> None:
    """The message lists the endings that are known."""
    with pytest.raises(ArgumentError, match=r"\.xml"):
        format_of(Path("report.pdf"))


def test_a_final_tier_by_its_word() -> None:
    """A policy may be given by its word."""
    assert Tier("t", [passing()], "final_tier").policy is TierPolicy.FINAL_TIER
