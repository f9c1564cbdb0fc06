from __future__ import annotations

import pytest

from agent_judge.judges.testruns.results import Outcome
from unit.judges.testruns.reports import REFUSED, faults, outcomes, read


def test_each_kind_of_result_is_told_apart() -> None:
    """Points, directives, and descriptions that only look like them. (contract: judges:X10)"""
    text = (
        "TAP version 13\n1..7\nok 1 - adds\nnot ok 2 pays\nok 3 # SKIP later\n"
        "not ok 4 - hopes # TODO one day\nok 5 - wonders # todo\nok 6 - not \\# skip\n"
        "ok 7 - a#skip\n"
    )

    assert outcomes("tap", text) == {
        "adds": Outcome.PASSED,
        "pays": Outcome.FAILED,
        "test 3": Outcome.SKIPPED,
        "hopes": Outcome.EXPECTED_FAILURE,
        "wonders": Outcome.UNEXPECTED_PASS,
        "not # skip": Outcome.PASSED,
        "a#skip": Outcome.PASSED,
    }
    assert faults("tap", text) == []


def test_a_diagnosis_tells_where_and_why() -> None:
    """In it, lines that look like tests are none."""
    (result,) = read(
        "tap",
        "1..1\nnot ok 1 - pays\n  ---\n  message: 'expected 3'\n  ok 2 - no test\n"
        "  location: 'file:///src/cart.test.js:12:3'\n  duration_ms: 1500\n  ...\n",
    )

    assert (result.message, result.file, result.line) == ("expected 3", "/src/cart.test.js", 12)
    assert result.duration == 1.5


@pytest.mark.parametrize(
    "text",
    [
        "ok 1 - outer {\n    ok 1 - inner\n    not ok 2 - other\n    1..2\n}\n1..1\n",
        "    ok 1 - inner\n    not ok 2 - other\n    1..2\nok 1 - outer\n1..1\n",
        "# Subtest: o\n    1..2\n    ok 1 - inner\n    not ok 2 - other\nnot ok 1 - outer\n1..1\n",
    ],
)
def test_subtests_count_instead_of_the_test_around_them(text: str) -> None:
    """Whether it follows or opens them, and whether it failed with them or hides it."""
    assert [(result.id, result.outcome) for result in read("tap", text)] == [
        ("outer::inner", Outcome.PASSED),
        ("outer::other", Outcome.FAILED),
    ]


def test_a_test_that_fails_beside_its_subtests_counts() -> None:
    """Its clean-up failed, for example."""
    found = outcomes("tap", "    ok 1 - inner\n    1..1\nnot ok 1 - outer\n1..1\n")

    assert found == {"inner": Outcome.PASSED, "outer": Outcome.FAILED}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("1..3\nok\nok\n", "announces 3 tests, and 2 came"),
        ("1..1\nok\nok\n", "announces 1 tests, and 2 came"),
        ("ok\n", "no plan"),
        ("1..2\nok 1\nok 7\n", "number 7 is not in the plan"),
        ("1..2\nok 1\nok 1\n", "more than one test of the number 1"),
        ("1..1\nok\n1..1\n", "more than one plan"),
        ("1..2\nok\nBail out! No database\nok\n", "bailed out: No database"),
        ("1..1\nok\n    ok\n    1..1\n", "its own result is missing"),
    ],
)
def test_what_is_wrong_beside_a_test_is_a_fault(text: str, fault: str) -> None:
    """A plan that was not kept says that tests are missing, or forged."""
    assert any(fault in found for found in faults("tap", text))


def test_what_is_printed_between_is_passed_over() -> None:
    """Lines that are none of the protocol mean nothing, whatever they say."""
    text = "hello\n1..1\nPASSED everything\nokay 2\nok: fine\nnot okay\nok 1 - adds\n"

    assert outcomes("tap", text) == {"adds": Outcome.PASSED}


def test_a_text_without_a_line_of_the_protocol_is_refused() -> None:
    """There is nothing to read in it."""
    with pytest.raises(REFUSED, match="no line of TAP"):
        read("tap", "all tests passed\n")
