from __future__ import annotations

import pytest

from agent_judge.judges.testruns.results import CaseResult, Outcome
from agent_judge.judges.testruns.wanted import Wanted, names_of

PYTEST_JUNIT = CaseResult("test_c[1]", Outcome.PASSED, "tests.test_a.TestB")
PYTEST = CaseResult("test_c[1]", Outcome.PASSED, "tests/test_a.py::TestB", "tests/test_a.py")
GO = CaseResult("TestA/sub/deep", Outcome.PASSED, "shop/cart")
JAVA = CaseResult("adds", Outcome.PASSED, "shop.CartTest")


@pytest.mark.parametrize(
    ("result", "name"),
    [
        (PYTEST_JUNIT, "tests/test_a.py::TestB::test_c[1]"),
        (PYTEST_JUNIT, "tests/test_a.py::TestB::test_c"),
        (PYTEST_JUNIT, "tests/test_a.py::TestB"),
        (PYTEST_JUNIT, "tests/test_a.py"),
        (PYTEST_JUNIT, "tests.test_a.TestB.test_c[1]"),
        (PYTEST_JUNIT, "test_c[1] (tests.test_a.TestB)"),
        (PYTEST_JUNIT, "test_c"),
        (PYTEST, "tests/test_a.py::TestB::test_c[1]"),
        (PYTEST, "tests/test_a.py"),
        (GO, "shop/cart::TestA"),
        (GO, "shop/cart.TestA/sub/deep"),
        (GO, "TestA"),
        (JAVA, "shop.CartTest#adds"),
        (JAVA, "shop.CartTest.adds"),
        (JAVA, "shop.CartTest"),
    ],
)
def test_a_test_is_found_by_each_way_to_name_it(result: CaseResult, name: str) -> None:
    """Tools write the identity of one test in different ways. (contract: judges:X10)"""
    assert name in dict(names_of(result))


@pytest.mark.parametrize(
    "name", ["test_c[2]", "tests", "TestB", "a.py", "est_c[1]", "tests/test_a"]
)
def test_a_test_is_not_found_by_a_part_of_its_name(name: str) -> None:
    """A name stands for a test or for what it is in, never for a piece of it."""
    assert name not in dict(names_of(PYTEST))


@pytest.mark.parametrize(
    ("outcomes", "is_met"),
    [
        ([Outcome.PASSED], True),
        ([], False),
        ([Outcome.SKIPPED], False),
        ([Outcome.FAILED], False),
        ([Outcome.PASSED, Outcome.ERRORED], False),
        ([Outcome.PASSED, Outcome.SKIPPED], False),
        ([Outcome.EXPECTED_FAILURE], True),
    ],
)
def test_a_name_is_met_where_each_test_of_it_passed(outcomes: list[Outcome], is_met: bool) -> None:
    """A test that did not run has not passed. (contract: judges:X10)"""
    wanted = Wanted(["adds"])
    for outcome in outcomes:
        wanted.add(CaseResult("adds", outcome))

    assert wanted.found["adds"].is_met is is_met


@pytest.mark.parametrize(("second", "is_met"), [(Outcome.SKIPPED, True), (Outcome.FAILED, False)])
def test_a_name_of_several_tests_allows_that_some_are_skipped(
    second: Outcome, is_met: bool
) -> None:
    """At least one has passed, and none failed."""
    wanted = Wanted(["adds"])
    wanted.add(CaseResult("adds[1]", Outcome.PASSED))
    wanted.add(CaseResult("adds[2]", second))

    assert wanted.found["adds"].is_met is is_met
