from __future__ import annotations

import json
from pathlib import Path

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
    Usage,
)
from agent_judge.errors import ArgumentError, UnsupportedVersionError, WireError
from agent_judge.report import (
    Case,
    Report,
    as_json,
    as_json_lines,
    as_junit,
    as_markdown,
    as_sarif,
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


@pytest.mark.parametrize(
    "render", [as_table, as_markdown, as_junit, as_json, as_json_lines, as_sarif]
)
def test_every_seat_is_in_every_format(render: object) -> None:
    """Seats of stages and of stages not reached are there as well. (contract: edges:S7)"""
    text = render(mixed())  # type: ignore[operator]

    for case in ("passes", "fails", "errors", "open", "meta"):
        assert case in text
    for reason in ("outvoted", "two faults", "no tool", "cannot say", "decided by"):
        assert reason in text or reason in json.dumps(text)


@given(st.text(st.characters(codec="utf-8")))
def test_json_carries_any_text(reason: str) -> None:
    """Whatever a judge wrote is valid JSON. (contract: edges:S7, cases:F7)"""
    stored = json.loads(as_json(report(always(Judgment.failing(reason)))))

    assert stored["cases"][0]["verdict"]["seats"][0]["judgment"]["reasoning"] == reason


def test_a_reason_of_a_megabyte_is_carried() -> None:
    """Machines get all of it, people its beginning. (contract: edges:S7)"""
    long = report(always(Judgment.failing("x" * 2**20)))

    assert "x" * 2**20 in as_junit(long)
    assert "x" * 2**20 in as_json(long)
    assert len(as_markdown(long)) < 5_000
    assert len(as_table(long)) < 5_000


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
    written = mixed()
    write_report(written, tmp_path / name)

    assert read_report(tmp_path / name) == written
    assert list(tmp_path.iterdir()) == [tmp_path / name]


def test_a_report_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    """Neither half a report nor the file it was begun in."""
    folder = tmp_path / "r.json"
    folder.mkdir()

    with pytest.raises(ArgumentError, match=r"r\.json: is a folder"):
        write_report(mixed(), folder)

    assert list(tmp_path.iterdir()) == [folder]


def test_a_report_replaces_a_planted_link(tmp_path: Path) -> None:
    """What the judged work left in its place is not followed."""
    victim, planted = tmp_path / "victim", tmp_path / "r.json"
    victim.write_text("precious")
    planted.symlink_to(victim)
    (tmp_path / ".r.json.part").symlink_to(victim)

    write_report(mixed(), planted)

    assert victim.read_text() == "precious"
    assert not planted.is_symlink()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("status", "pass"),
        ("summary", "5 passed of 5"),
        ("kind", "verdict"),
        ("extra", 1),
    ],
)
def test_totals_that_the_cases_do_not_give_are_refused(
    tmp_path: Path, key: str, value: object
) -> None:
    """A failed report is not made to pass by its first lines. (contract: edges:S4)"""
    path = tmp_path / "r.json"
    path.write_text(json.dumps({**json.loads(as_json(mixed())), key: value}))

    with pytest.raises(WireError, match=r"^.*r\.json: "):
        read_report(path)


def test_a_report_of_another_version_is_refused_by_its_name(tmp_path: Path) -> None:
    """Also where a single verdict is of another version. (contract: edges:S5)"""
    whole, inner = json.loads(as_json(mixed())), json.loads(as_json(mixed()))
    whole["format"] = 7
    inner["cases"][2]["verdict"]["format"] = 7
    path = tmp_path / "r.json"

    for document in (whole, inner):
        path.write_text(json.dumps(document))
        with pytest.raises(UnsupportedVersionError, match="version 7 cannot be read"):
            read_report(path)


def test_a_fault_in_a_stored_report_is_found_by_its_place(tmp_path: Path) -> None:
    """File and line, then the path in the verdict. (contract: edges:S4)"""
    path = tmp_path / "r.jsonl"
    first, second, *_ = as_json_lines(mixed()).splitlines()
    other = second.replace('"pass"', '"Pass"').replace('"fail"', '"Fail"')
    path.write_text(f"{first}\n\n{other}\n")

    with pytest.raises(WireError, match=r"r\.jsonl:3: verdict\."):
        read_report(path)


def test_what_judging_took_is_said_with_what_is_not_known() -> None:
    """A price that one judge did not report is not made up."""
    asked = report(always(Judgment.passing(usage=Usage(cost=0.25))), passing())
    silent = report(passing(), failing())

    assert asked.spending_summary().startswith("2 judges asked, ")
    assert asked.spending_summary().endswith(" s, $0.2500")
    assert "$" not in silent.spending_summary()
    for render in (as_table, as_markdown):
        assert "2 judges asked" in render(asked)


def test_a_name_that_is_no_text_is_replaced() -> None:
    """Files may be called by any bytes; reports are text."""
    named = report(passing(), case="a\udcff")

    assert named.cases[0].id == "a?"


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


def test_a_verdict_that_cannot_be_counted_again_is_marked() -> None:
    """A custom strategy is its maker's word, in each format. (contract: edges:S4, edges:S7)"""
    jury = Jury([failing("no")], lambda _: Judgment.passing("trust me"))
    custom = Report((Case("run", jury.vote(JudgmentContext())),))

    for render in (as_table, as_markdown, as_junit, as_sarif):
        assert "cannot be counted again" in render(custom)
        assert "cannot be counted again" not in render(mixed())
    assert '"verifiable": false' in as_json(custom)
