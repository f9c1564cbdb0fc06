from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent_judge import JudgmentContext, NumericalScore, Status, ToolCall
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import Json
from agent_judge.judges.tools import ToolCallsJudge
from agent_judge.judgment import ReasonCode

TAU_BENCH = (
    Path(__file__).parents[5]
    / "shared/data/trajectories/openai_chat_tools/taubench_gpt-4o-airline.jsonl"
)


def s(**arguments: Json) -> ToolCall:
    """A call of the tool `s`."""
    return ToolCall("s", arguments)


def made(*calls: ToolCall, expected: Json | None = None) -> JudgmentContext:
    """A run that made calls."""
    if expected is None:
        return JudgmentContext(tool_calls=calls)
    return JudgmentContext(tool_calls=calls, expected=expected)


def test_the_same_call_twice_is_expected_twice() -> None:
    """Each expected call takes one of those that were made. (contract: cases:C1)"""
    judgment = ToolCallsJudge([s(q=1), s(q=1)])(made(s(q=1), s(q=1)))

    assert judgment.passed
    assert judgment.score == NumericalScore(1.0)


@pytest.mark.parametrize("mode", ["exact", "in_order", "any_order", "superset"])
def test_the_same_call_once_is_not_the_same_call_twice(mode: Any) -> None:
    """One call is not counted for two."""
    judgment = ToolCallsJudge([s(q=1), s(q=1)], mode=mode)(made(s(q=1)))

    assert judgment.score == NumericalScore(0.5)


@pytest.mark.parametrize("order", [[s(a=1, b=2), s(a=1)], [s(a=1), s(a=1, b=2)]])
def test_calls_are_assigned_so_that_all_agree_where_they_can(order: list[ToolCall]) -> None:
    """One call could be either expected one, the other only one of them. (contract: cases:C3)"""
    judge = ToolCallsJudge([s(a=1), s(a=1, b=2)], mode="any_order", arguments="superset")

    assert judge(made(*order)).passed


@pytest.mark.parametrize(
    ("expected", "found", "agree"), [(1, 1.0, True), (1.0, 1, True), (True, 1, False)]
)
def test_numbers_are_the_same_and_truth_values_are_none(
    expected: Json, found: Json, agree: bool
) -> None:
    """As JSON has it, and not as Python has it. (contract: cases:C5)"""
    assert ToolCallsJudge([s(n=expected)])(made(s(n=found))).passed is agree


A, B, C = ToolCall("a"), ToolCall("b"), ToolCall("c")


@pytest.mark.parametrize(
    ("mode", "calls", "score"),
    [
        ("exact", (A, B), 1),
        ("exact", (B, A), 1 / 2),
        ("exact", (A, C, B), 2 / 3),
        ("exact", (A,), 1 / 2),
        ("in_order", (A, C, B, C), 1),
        ("in_order", (B, A), 1 / 2),
        ("any_order", (B, A), 1),
        ("any_order", (B, A, C), 2 / 3),
        ("any_order", (B,), 1 / 2),
        ("superset", (C, B, A, A), 1),
        ("superset", (C, B), 1 / 2),
        ("subset", (B,), 1),
        ("subset", (B, A), 1),
        ("subset", (B, B), 1 / 2),
        ("subset", (C,), 0),
    ],
)
def test_each_mode_has_its_own_share(mode: Any, calls: tuple[ToolCall, ...], score: float) -> None:
    """Of calls that agree, and 1 just where all is as the mode wants it."""
    judgment = ToolCallsJudge([A, B], mode=mode)(made(*calls))

    assert judgment.score == NumericalScore(score)
    assert judgment.passed is (score == 1)


def test_the_difference_is_said_call_by_call() -> None:
    """What was made, what is missing and what came nearest, and what is too much."""
    judge = ToolCallsJudge(
        [s(q="cat"), {"name": "pay", "arguments": {"amount": 5, "to": "x"}}, "log"],
        mode="any_order",
    )
    context = made(
        ToolCall("pay", {"amount": 6, "to": "y"}),
        ToolCall("pay", {"amount": 6, "to": "x"}),
        s(q="cat"),
    )

    checks = judge(context).checks

    assert [(check.name, check.passed, check.message) for check in checks] == [
        ('s("q": "cat")', True, "call 3"),
        (
            'pay("amount": 5, "to": "x")',
            False,
            "not made; nearest is call 2: amount is 6, expected 5",
        ),
        ("log(…)", False, "not made"),
        ('pay("amount": 6, "to": "y")', False, "call 1 is not expected"),
        ('pay("amount": 6, "to": "x")', False, "call 2 is not expected"),
    ]


def test_a_call_in_the_wrong_place_is_said_to_be_there() -> None:
    """It was made, but not in this order."""
    checks = ToolCallsJudge([A, B], mode="in_order")(made(B, A)).checks

    assert [check.message for check in checks] == [
        "made as call 2, but not in this order",
        "call 1",
    ]


def test_calls_beyond_the_expected_do_not_count_where_they_may_be() -> None:
    """Then they have no check."""
    for mode in ("in_order", "superset"):
        judgment = ToolCallsJudge([A], mode=mode)(made(B, A, C))
        assert [check.name for check in judgment.checks] == ["a()"]


def test_a_subset_has_a_check_of_every_call_that_was_made() -> None:
    """Expected calls that were not made are none of its business."""
    judgment = ToolCallsJudge([A, B], mode="subset")(made(A, C))

    assert [(check.name, check.message) for check in judgment.checks] == [
        ("a()", "call 1 is expected"),
        ("c()", "call 2 is not expected"),
    ]


def test_a_share_below_one_may_pass() -> None:
    """The threshold is an argument, recorded; what failed informs."""
    judgment = ToolCallsJudge([A, B], mode="superset", threshold=0.5)(made(A))

    assert judgment.passed
    assert judgment.evidence["threshold"] == 0.5
    assert [check.advisory for check in judgment.checks] == [False, True]


def test_numbers_and_comparators_are_compared_as_the_judge_says() -> None:
    """A tolerance for one argument and a function for another."""
    judge = ToolCallsJudge(
        [s(amount=10, note="Cat")],
        tolerance={"amount": 0.1},
        comparators={"note": lambda expected, found: str(expected).lower() == found},
    )

    assert judge(made(s(amount=10.05, note="cat"))).passed
    assert not judge(made(s(amount=10.5, note="cat"))).passed


def test_no_call_where_one_is_expected_fails() -> None:
    """An agent that did nothing is not let off; the check examined no call."""
    judgment = ToolCallsJudge([A])(made())

    assert judgment.status is Status.FAIL
    assert [check.examined for check in judgment.checks] == [0]


@pytest.mark.parametrize(
    ("expected", "mode"), [([], "exact"), ([], "any_order"), ([], "subset"), ([A], "subset")]
)
def test_no_call_where_none_is_needed_is_no_pass_unless_calls_are_recorded(
    expected: list[ToolCall], mode: Any
) -> None:
    """Perhaps nobody recorded them."""
    assert ToolCallsJudge(expected, mode=mode)(made()).status is Status.ABSTAIN
    assert ToolCallsJudge(expected, mode=mode, no_calls="pass")(made()).passed


def test_a_call_where_none_is_expected_fails() -> None:
    """Nothing is a subset of nothing but nothing."""
    for mode in ("exact", "any_order", "subset"):
        judgment = ToolCallsJudge([], mode=mode)(made(A))
        assert judgment.score == NumericalScore(0.0)


def test_the_context_may_say_what_is_expected() -> None:
    """Each run then has its own calls."""
    judge = ToolCallsJudge(mode="superset")

    assert judge(made(A, B, expected=[{"name": "b"}])).passed
    assert judge(made(A, expected={"tools_called": [{"name": "b"}]})).status is Status.FAIL


@pytest.mark.parametrize(
    ("expected", "status", "code"),
    [
        (None, Status.ABSTAIN, ReasonCode.MISSING_INPUT),
        ("an answer", Status.ERROR, ReasonCode.MALFORMED_EVIDENCE),
        ([{"nam": "a"}], Status.ERROR, ReasonCode.MALFORMED_EVIDENCE),
        ([], Status.ABSTAIN, ReasonCode.MISSING_INPUT),
    ],
)
def test_a_context_that_does_not_say_leaves_it_open(
    expected: Json, status: Status, code: ReasonCode
) -> None:
    """Nothing said, something else said, or nothing that could fail."""
    judgment = ToolCallsJudge(mode="superset")(made(A, expected=expected))

    assert (judgment.status, judgment.code) == (status, code)


@pytest.mark.parametrize("expected", [False, 0, "", None])
def test_an_empty_value_is_not_a_missing_one(expected: Json) -> None:
    """Somebody said what is expected, and it is no list of calls. (contract: cases:B13)"""
    judgment = ToolCallsJudge()(JudgmentContext(tool_calls=(A,), expected=expected))

    assert judgment.status is Status.ERROR
    assert judgment.code is ReasonCode.MALFORMED_EVIDENCE


def test_too_many_calls_are_not_matched() -> None:
    """The table of pairs has a limit; a judge of memory must not stand still."""
    judgment = ToolCallsJudge([A] * 501, mode="any_order")(made(*[A] * 500))

    assert judgment.code is ReasonCode.TOO_LARGE


def test_hostile_names_and_arguments_are_shown_on_one_line() -> None:
    """Escaped, and cut where they are long."""
    calls = (ToolCall("\x1b[2J\n", {"\x1b": "\n"}), ToolCall("x" * 500, {"a": "y" * 5000}))

    for check in ToolCallsJudge([], mode="exact")(made(*calls)).checks:
        assert check.name.isprintable()
        assert len(check.name) < 300


def test_a_judge_can_be_pickled() -> None:
    """So that it can judge in another process."""
    judge = pickle.loads(pickle.dumps(ToolCallsJudge([{"name": "a"}])))

    assert judge(made(A)).passed


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"mode": "strict"}, ArgumentError),
        ({"arguments": "partial"}, ArgumentError),
        ({"expected": [], "mode": "superset"}, ArgumentError),
        ({"expected": [], "mode": "in_order"}, ArgumentError),
        ({"expected": "a"}, ArgumentTypeError),
        ({"threshold": 1.5}, ArgumentError),
        ({"no_calls": "fail"}, ArgumentError),
    ],
)
def test_what_cannot_be_matched_is_refused(
    options: Mapping[str, Any], error: type[Exception]
) -> None:
    """Refused when the judge is built."""
    given: dict[str, Any] = {"expected": ["a"], **options}
    with pytest.raises(error):
        ToolCallsJudge(**given)


@pytest.mark.skipif(not TAU_BENCH.exists(), reason="the shared data is not here")
def test_real_runs_that_reached_the_goal_mostly_made_the_calls_that_change_something() -> None:
    """τ-bench: what a run was rewarded for agrees with the writing calls it should make."""
    agreed = disagreed = 0
    for line in TAU_BENCH.read_text(encoding="utf-8").splitlines():
        run = json.loads(line)
        expected = [call for call in run["info"]["task"]["actions"] if changes(call["name"])]
        calls = [
            ToolCall(call["function"]["name"], json.loads(call["function"]["arguments"]))
            for message in run["messages"]
            for call in message.get("tool_calls") or []
            if changes(call["function"]["name"])
        ]
        judge = ToolCallsJudge(expected, mode="any_order", no_calls="pass")
        passed = judge(made(*calls)).passed
        agreed, disagreed = (
            agreed + (passed is (run["reward"] == 1)),
            disagreed + (passed is not (run["reward"] == 1)),
        )

    assert agreed > 5 * disagreed


def changes(name: str) -> bool:
    """Whether a tool of τ-bench changes anything."""
    return name.startswith(("book", "cancel", "update", "send"))
