from __future__ import annotations

import json
from typing import Any

import pytest

from agent_judge.judges.testruns.results import Outcome
from unit.judges.testruns.reports import REFUSED, detected, faults, read

MOCHA = {
    "stats": {"tests": 3, "failures": 1, "pending": 1},
    "passes": [{"title": "adds", "fullTitle": "cart adds", "file": "/src/a.js", "currentRetry": 1}],
    "failures": [
        {
            "title": "pays",
            "fullTitle": "cart pays",
            "file": "/src/a.js",
            "duration": 5,
            "err": {
                "message": "3 == 4",
                "stack": "Error: 3 == 4\n    at Context.<anonymous> (a.js:9:2)",
            },
        }
    ],
    "pending": [{"title": "later", "fullTitle": "cart later"}],
}
JEST = {
    "numTotalTests": 3,
    "numFailedTests": 1,
    "success": False,
    "testResults": [
        {
            "name": "/src/cart.test.js",
            "status": "failed",
            "assertionResults": [
                {"title": "adds", "ancestorTitles": ["cart"], "status": "passed", "duration": 2},
                {
                    "title": "pays",
                    "ancestorTitles": ["cart"],
                    "status": "failed",
                    "failureMessages": [
                        "Error: 3\n    at Object.<anonymous> (/src/cart.test.js:9:5)"
                    ],
                },
                {"title": "later", "status": "todo"},
            ],
        }
    ],
}
RSPEC = {
    "summary": {"example_count": 2, "failure_count": 1, "pending_count": 0},
    "examples": [
        {"description": "adds", "full_description": "Cart adds", "status": "passed"},
        {
            "description": "pays",
            "full_description": "Cart pays",
            "status": "failed",
            "file_path": "./spec/cart_spec.rb",
            "line_number": 7,
            "exception": {"message": "expected 3"},
        },
    ],
}


def test_mocha_is_read() -> None:
    """A test that passed when it was tried again is flaky. (contract: judges:X10)"""
    adds, pays, later = detected(json.dumps(MOCHA))

    assert (adds.id, adds.outcome, adds.flaky) == ("cart::adds", Outcome.PASSED, True)
    assert (pays.outcome, pays.line, pays.message) == (Outcome.FAILED, 9, "3 == 4")
    assert (pays.duration, later.outcome) == (0.005, Outcome.SKIPPED)


def test_jest_is_read() -> None:
    """The file is part of what a test is called. (contract: judges:X10)"""
    adds, pays, later = detected(json.dumps(JEST))

    assert (adds.id, adds.duration) == ("/src/cart.test.js cart::adds", 0.002)
    assert (pays.outcome, pays.file, pays.line) == (Outcome.FAILED, "/src/cart.test.js", 9)
    assert later.outcome is Outcome.SKIPPED


def test_rspec_is_read() -> None:
    """Groups are the class of an example. (contract: judges:X10)"""
    adds, pays = detected(json.dumps(RSPEC))

    assert (adds.id, adds.outcome) == ("Cart::adds", Outcome.PASSED)
    assert (pays.file, pays.line, pays.message) == ("spec/cart_spec.rb", 7, "expected 3")


@pytest.mark.parametrize(
    ("kind", "document", "fault"),
    [
        ("mocha", {**MOCHA, "failures": []}, "declares 1 failures, and holds 0"),
        (
            "rspec",
            {**RSPEC, "summary": {"errors_outside_of_examples_count": 2}},
            "2 errors outside",
        ),
        ("jest", {**JEST, "testResults": []}, "declares 1 failures, and holds 0"),
        ("jest", {"numTotalTests": 0, "success": False, "testResults": []}, "no test says why"),
        (
            "jest",
            {
                "numTotalTests": 0,
                "testResults": [
                    {
                        "name": "a.js",
                        "status": "failed",
                        "message": "no module",
                        "assertionResults": [],
                    }
                ],
            },
            "a.js: no module",
        ),
    ],
)
def test_what_is_wrong_beside_a_test_is_a_fault(
    kind: str, document: dict[str, Any], fault: str
) -> None:
    """A failure that only the totals know of, or a file that could not be run."""
    assert any(fault in found for found in faults(kind, json.dumps(document)))


@pytest.mark.parametrize("kind", ["mocha", "jest", "rspec"])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "[" * 100_000,
        '{"stats": 1, "passes": 2, "failures": 3, "pending": 4}',
        '{"numTotalTests": 1, "testResults": {}}',
        '{"numTotalTests": 1, "testResults": [1]}',
        '{"summary": [], "examples": []}',
        '{"summary": {}, "examples": [[]]}',
        "9" * 5_000,
    ],
)
def test_what_is_no_such_report_is_refused(kind: str, text: str) -> None:
    """Other JSON, JSON of another shape, and what nests without end."""
    with pytest.raises(REFUSED):
        read(kind, text)
