from __future__ import annotations

import json
from typing import Any

import pytest

from agent_judge.judges.testruns.results import Outcome
from unit.judges.testruns.reports import REFUSED, faults, outcomes, read


def go(*events: tuple[Any, ...]) -> str:
    """A stream of go test: each event an action, a test or none, and an output or none."""
    lines: list[str] = []
    for action, test, *output in events:
        event = {"Action": action, "Package": "shop/cart"}
        if test:
            event["Test"] = test
        if output:
            event["Output"] = output[0]
        lines.append(json.dumps(event))
    return "\n".join(lines) + "\n"


def dart(*events: dict[str, Any]) -> str:
    """A stream of dart test."""
    start = {"protocolVersion": "0.1.1", "type": "start"}
    suite = {"suite": {"id": 0, "path": "test/cart_test.dart"}, "type": "suite"}
    return "\n".join(json.dumps(event) for event in (start, suite, *events))


def dart_test(number: int, name: str) -> dict[str, Any]:
    """The beginning of a test."""
    test = {"id": number, "name": name, "suiteID": 0, "line": 7, "url": "file:///x.dart"}
    return {"test": test, "type": "testStart"}


def dart_done(number: int, result: str, **more: Any) -> dict[str, Any]:
    """The end of a test."""
    return {"testID": number, "result": result, "type": "testDone", **more}


def test_the_stream_of_go_is_read() -> None:
    """Tests as they end, with the place of a complaint. (contract: judges:X10)"""
    adds, pays, later = read(
        "go",
        go(
            ("start", None),
            ("run", "TestAdds"),
            ("output", "TestAdds", "=== RUN   TestAdds\n"),
            ("pass", "TestAdds"),
            ("run", "TestPays"),
            ("output", "TestPays", "    cart_test.go:12: expected 3, got 2\n"),
            ("fail", "TestPays"),
            ("run", "TestLater"),
            ("skip", "TestLater"),
            ("fail", None),
        ),
    )

    assert (adds.id, adds.outcome) == ("shop/cart::TestAdds", Outcome.PASSED)
    assert (pays.outcome, pays.file, pays.line) == (Outcome.FAILED, "cart_test.go", 12)
    assert (pays.message, later.outcome) == ("expected 3, got 2", Outcome.SKIPPED)


@pytest.mark.parametrize(
    ("events", "fault"),
    [
        ([("start", None), ("fail", None)], "failed outside of its tests"),
        (
            [("output", None, "syntax error\n"), ("build-fail", None)],
            "does not build: syntax error",
        ),
        ([("run", "T"), ("pass", "T"), ("pass", "T"), ("pass", None)], "without having begun"),
        ([("pass", "T"), ("pass", None)], "without having begun"),
        ([("start", None), ("run", "T"), ("pass", "T")], "began, and did not end"),
    ],
)
def test_what_is_wrong_beside_a_test_of_go_is_a_fault(
    events: list[tuple[Any, ...]], fault: str
) -> None:
    """A package that failed by itself, an end that somebody printed, a stream that broke off."""
    assert any(fault in found for found in faults("go", go(*events)))


def test_a_test_that_was_running_when_its_package_failed_has_failed() -> None:
    """It panicked, and no event says that it ended."""
    assert outcomes("go", go(("run", "T"), ("fail", None))) == {"T": Outcome.FAILED}


def test_a_test_that_was_running_when_the_stream_ended_is_an_error() -> None:
    """Nobody knows what would have become of it."""
    assert outcomes("go", go(("run", "T"))) == {"T": Outcome.ERRORED}


def test_dart_is_read() -> None:
    """Loading a file is no test. (contract: judges:X10)"""
    text = dart(
        dart_test(1, "loading test/cart_test.dart"),
        dart_done(1, "success", hidden=True),
        dart_test(2, "adds"),
        dart_done(2, "success"),
        dart_test(3, "pays"),
        {"testID": 3, "error": "Expected: 3", "type": "error"},
        dart_done(3, "failure"),
        dart_test(4, "later"),
        dart_done(4, "success", skipped=True),
        {"success": False, "type": "done"},
    )

    adds, pays, later = read("dart", text)

    assert (adds.id, adds.outcome) == ("test/cart_test.dart::adds", Outcome.PASSED)
    assert (pays.outcome, pays.message, pays.line) == (Outcome.FAILED, "Expected: 3", 7)
    assert later.outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    ("events", "fault"),
    [
        ([dart_test(2, "a"), dart_done(2, "success")], "broke off"),
        ([{"success": False, "type": "done"}], "no success"),
        ([dart_done(2, "success"), {"success": True, "type": "done"}], "without having begun"),
    ],
)
def test_what_is_wrong_beside_a_test_of_dart_is_a_fault(
    events: list[dict[str, Any]], fault: str
) -> None:
    """The last event says whether the run was a success."""
    assert any(fault in found for found in faults("dart", dart(*events)))


@pytest.mark.parametrize("kind", ["go", "dart"])
@pytest.mark.parametrize("text", ["", "ok\n", "[]\n", "{\n", '{"a": 1}\n'])
def test_what_is_no_such_stream_is_refused(kind: str, text: str) -> None:
    """Also an empty one: nothing was read."""
    with pytest.raises(REFUSED):
        read(kind, text)


def test_a_line_without_end_is_refused() -> None:
    """It would be held in memory as a whole."""
    with pytest.raises(REFUSED, match="line is longer"):
        read("go", b"x" * 2_000_000)
