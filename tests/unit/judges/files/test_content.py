from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_judge import JudgmentContext, Status
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.files import FileContentJudge
from agent_judge.judges.files.content import compare_exactly
from agent_judge.judgment import ReasonCode


@pytest.fixture
def context(tmp_path: Path) -> JudgmentContext:
    """A run that left two notes and a page."""
    (tmp_path / "one.txt").write_text("milk\neggs\n", newline="")
    (tmp_path / "two.txt").write_text("milk\nbread\n", newline="")
    (tmp_path / "page.html").write_text("<p>", newline="")
    return JudgmentContext(workspace=tmp_path)


@pytest.mark.parametrize(
    ("text", "status"),
    [("milk\neggs\n", Status.PASS), ("milk\neggs", Status.FAIL), ("milk\r\neggs\r\n", Status.FAIL)],
)
def test_the_exact_text_includes_its_line_ends(
    context: JudgmentContext, text: str, status: Status
) -> None:
    """Nothing is normalised. (contract: judges:F5)"""
    assert FileContentJudge("one.txt", exact=text)(context).status is status


def test_a_text_that_differs_names_the_first_line_that_does(context: JudgmentContext) -> None:
    """The check says where, what is there and what should be."""
    check = FileContentJudge("one.txt", exact="milk\nham\n")(context).checks[0]

    assert check.message == r"line 2 is 'eggs\n', expected 'ham\n'"
    assert str(check.location) == "one.txt:2"


@given(st.text(), st.text())
def test_texts_are_the_same_or_have_a_first_difference(left: str, right: str) -> None:
    """Every pair of texts is compared to an end, with the finding that equality has."""
    finding = compare_exactly(left, right)

    assert finding.passed is (left == right)
    assert (finding.line is None) is (left == right)


def test_an_empty_file_may_be_what_is_expected(context: JudgmentContext, tmp_path: Path) -> None:
    """One file was examined, and it is empty."""
    (tmp_path / "empty").write_text("")

    assert FileContentJudge("empty", exact="")(context).passed
    assert FileContentJudge("one.txt", exact="")(context).status is Status.FAIL


@pytest.mark.parametrize(("text", "status"), [("eggs", Status.PASS), ("ham", Status.FAIL)])
def test_a_text_may_be_anywhere_in_a_file(
    context: JudgmentContext, text: str, status: Status
) -> None:
    """Found or not found. (contract: judges:F5)"""
    assert FileContentJudge("one.txt", contains=text)(context).status is status


def test_a_text_that_is_found_is_found_on_a_line(context: JudgmentContext) -> None:
    """The check says where."""
    check = FileContentJudge("one.txt", contains="eggs")(context).checks[0]

    assert (check.message, str(check.location)) == ("contains 'eggs' on line 2", "one.txt:2")


def test_every_file_that_a_pattern_matches_has_to_hold_it(context: JudgmentContext) -> None:
    """One file that does not, and it fails; each file has a check. (contract: judges:F5)"""
    both = FileContentJudge("*.txt", contains="milk")(context)
    one = FileContentJudge("*.txt", contains="eggs")(context)

    assert both.passed
    assert one.status is Status.FAIL
    assert [(check.name, check.passed) for check in one.checks] == [
        ("one.txt", True),
        ("two.txt", False),
    ]
    assert one.reasoning == "1 of 2 files hold it; two.txt: does not contain 'eggs'"


def test_one_of_the_files_may_be_enough(context: JudgmentContext) -> None:
    """Where that is asked for, the others inform only."""
    judgment = FileContentJudge("*.txt", contains="eggs", require="any")(context)

    assert judgment.passed
    assert [check.advisory for check in judgment.checks] == [False, True]
    none = FileContentJudge("*.txt", contains="ham", require="any")(context)
    assert none.status is Status.FAIL


def test_a_pattern_that_matches_no_file_examined_nothing(context: JudgmentContext) -> None:
    """It fails, and the check says that it looked at nothing. (contract: judges:F5)"""
    judgment = FileContentJudge("*.md", contains="x")(context)

    assert judgment.status is Status.FAIL
    assert [check.examined for check in judgment.checks] == [0]


def test_a_pattern_matches_files_only(context: JudgmentContext, tmp_path: Path) -> None:
    """A directory and a link to nothing hold no text; a link to a file does."""
    (tmp_path / "a.md").mkdir()
    (tmp_path / "b.md").symlink_to("nothing")
    (tmp_path / "c.md").symlink_to("one.txt")

    judgment = FileContentJudge("*.md", contains="eggs")(context)

    assert judgment.passed
    assert [check.name for check in judgment.checks] == ["c.md"]


def test_an_absent_file_fails_with_one_failed_check(context: JudgmentContext) -> None:
    """What is not there holds nothing. (contract: judges:F6)"""
    judgment = FileContentJudge("three.txt", contains="milk")(context)

    assert judgment.status is Status.FAIL
    assert [(check.passed, check.message) for check in judgment.checks] == [(False, "not there")]


def test_a_directory_fails_as_no_file(context: JudgmentContext, tmp_path: Path) -> None:
    """A directory of that name is not the file. (contract: judges:F3)"""
    (tmp_path / "three.txt").mkdir()

    judgment = FileContentJudge("three.txt", exact="")(context)

    assert judgment.status is Status.FAIL
    assert judgment.reasoning == "three.txt: a directory, no file"


def test_bytes_that_the_encoding_does_not_allow_are_an_error(
    context: JudgmentContext, tmp_path: Path
) -> None:
    """They are not replaced: nobody knows what the text is. (contract: judges:F7)"""
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")

    judgment = FileContentJudge("latin.txt", contains="caf")(context)

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.UNREADABLE_FILE


def test_the_encoding_may_be_declared(context: JudgmentContext, tmp_path: Path) -> None:
    """Then those bytes are a text. (contract: judges:F7)"""
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")

    assert FileContentJudge("latin.txt", exact="café", encoding="latin-1")(context).passed


@pytest.mark.parametrize(("limit", "status"), [(10, Status.PASS), (9, Status.ERROR)])
def test_a_file_over_the_size_limit_is_an_error(
    context: JudgmentContext, limit: int, status: Status
) -> None:
    """Its first part may hold the text, and is not looked at. (contract: judges:F7)"""
    judgment = FileContentJudge("one.txt", contains="milk", size_limit=limit)(context)

    assert judgment.status is status
    assert (judgment.code is ReasonCode.TOO_LARGE) is (status is Status.ERROR)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self/mem through a workspace")
def test_a_file_that_cannot_be_read_is_an_error() -> None:
    """The file system refuses in the middle of reading. (contract: judges:F7)"""
    context = JudgmentContext(workspace=Path("/proc/self"))

    judgment = FileContentJudge("mem", contains="x")(context)

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.UNREADABLE_FILE


@pytest.mark.skipif(sys.platform != "linux", reason="/proc gives files without a size")
def test_a_file_without_a_declared_size_is_read_within_the_limit() -> None:
    """What is read counts, not what the file says of itself."""
    context = JudgmentContext(workspace=Path("/proc/self"))

    assert FileContentJudge("status", contains="Pid:")(context).passed
    judgment = FileContentJudge("status", contains="Pid:", size_limit=10)(context)
    assert judgment.code is ReasonCode.TOO_LARGE


@pytest.mark.parametrize(
    ("pattern", "status"),
    [("eg+s", Status.PASS), ("^eggs", Status.FAIL), ("(?m)^eggs$", Status.PASS)],
)
def test_a_regular_expression_is_searched_for(
    context: JudgmentContext, pattern: str, status: Status
) -> None:
    """Anywhere in the file, with flags inside the pattern. (contract: judges:F5)"""
    judgment = FileContentJudge("one.txt", regex=pattern)(context)

    assert judgment.status is status
    assert ("on line 2" in judgment.reasoning) is judgment.passed


def test_a_search_that_backtracks_without_end_is_stopped(
    context: JudgmentContext, tmp_path: Path
) -> None:
    """The deadline of the judge ends it, with ERROR. (contract: judges:F9)"""
    (tmp_path / "hostile.txt").write_text("a" * 40 + "!")

    judgment = FileContentJudge("hostile.txt", regex="(a+)+$", timeout=0.5)(context)

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.TIMEOUT


def test_a_text_too_long_to_search_is_an_error(
    context: JudgmentContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not cut to what can be searched. (contract: judges:F7)"""
    monkeypatch.setattr("agent_judge.judges.text.patterns.MAX_TEXT", 3)

    judgment = FileContentJudge("one.txt", regex="milk")(context)

    assert judgment.code is ReasonCode.TOO_LARGE


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "exactly one"),
        ({"exact": "a", "contains": "a"}, "exactly one"),
        ({"contains": ""}, "contains is empty"),
        ({"regex": "("}, "regular expression"),
        ({"contains": "a", "encoding": "utf-99"}, "encoding"),
        ({"contains": "a", "encoding": "hex"}, "encoding"),
        ({"contains": "a", "require": "some"}, "require"),
        ({"contains": "a", "size_limit": 0}, "size_limit"),
        ({"regex": "a", "timeout": 0}, "timeout"),
    ],
)
def test_what_cannot_be_looked_for_is_refused(options: dict[str, object], message: str) -> None:
    """An invalid regular expression and an empty text among it. (contract: judges:F8)"""
    with pytest.raises(ArgumentError, match=message):
        FileContentJudge("a", **options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("options", [{"contains": 1}, {"contains": "a", "encoding": 8}])
def test_a_value_of_another_type_is_refused(options: dict[str, object]) -> None:
    """Texts are strings."""
    with pytest.raises(ArgumentTypeError):
        FileContentJudge("a", **options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
