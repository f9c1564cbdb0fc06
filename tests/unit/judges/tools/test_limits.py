from __future__ import annotations

from typing import Any

import pytest

from agent_judge import JudgmentContext, NumericalScore, Status, ToolCall
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.tools import RepeatedCallsJudge, ToolErrorsJudge, ToolNotCalledJudge
from agent_judge.judgment import ReasonCode


def made(*calls: ToolCall | str) -> JudgmentContext:
    """A run that made calls."""
    return JudgmentContext(
        tool_calls=tuple(ToolCall(call) if isinstance(call, str) else call for call in calls)
    )


def test_a_forbidden_tool_that_was_called_fails() -> None:
    """Each forbidden tool has a check that says in which calls."""
    judgment = ToolNotCalledJudge(("delete", "pay"))(made("search", "pay", "search", "pay"))

    assert judgment.status is Status.FAIL
    assert [(check.name, check.passed, check.message) for check in judgment.checks] == [
        ("delete", True, "not among 4 calls"),
        ("pay", False, "called: calls 2, 4"),
    ]


def test_forbidden_tools_that_were_not_called_pass() -> None:
    """Every call was looked at."""
    judgment = ToolNotCalledJudge(("delete",))(made("search", "read"))

    assert judgment.passed
    assert judgment.checks[0].examined == 2


def test_a_name_is_the_whole_name() -> None:
    """In upper and lower case as it is."""
    assert ToolNotCalledJudge(("delete",))(made("delete_all", "Delete")).passed


def test_many_calls_of_a_forbidden_tool_are_not_all_listed() -> None:
    """The first ten are enough."""
    judgment = ToolNotCalledJudge(("a",))(made(*["a"] * 1000))

    assert judgment.checks[0].message == "called: calls 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …"


@pytest.mark.parametrize(
    ("judge", "limit"),
    [(ToolNotCalledJudge, {"names": ["a"]}), (RepeatedCallsJudge, {"max_repeats": 1})],
)
def test_without_any_call_there_is_no_pass_unless_calls_are_recorded(
    judge: Any, limit: dict[str, object]
) -> None:
    """A context cannot tell no calls from calls that nobody recorded."""
    open_question = judge(**limit)(made())

    assert open_question.status is Status.ABSTAIN
    assert open_question.code is ReasonCode.MISSING_INPUT
    assert judge(**limit, no_calls="pass")(made()).passed
    assert judge(**limit, no_calls="pass")(made("a", "a")).status is Status.FAIL


def test_the_share_of_calls_without_an_error_is_the_score() -> None:
    """Each failed call is named with its error."""
    calls = (ToolCall("a"), ToolCall("b", error="404\nnot found"), ToolCall("a"), ToolCall("a"))

    judgment = ToolErrorsJudge()(made(*calls))

    assert judgment.status is Status.FAIL
    assert judgment.score == NumericalScore(0.75)
    assert [check.message for check in judgment.failed_checks] == [r"call 2 failed: 404\nnot found"]


@pytest.mark.parametrize(("threshold", "status"), [(0.5, Status.PASS), (0.51, Status.FAIL)])
def test_some_errors_may_be_allowed(threshold: float, status: Status) -> None:
    """A share equal to the threshold passes."""
    calls = (ToolCall("a"), ToolCall("a", error=""))

    assert ToolErrorsJudge(threshold)(made(*calls)).status is status


def test_a_run_in_which_every_call_failed_has_a_score_of_zero() -> None:
    """There is no check of good calls then."""
    judgment = ToolErrorsJudge()(made(ToolCall("a", error="x")))

    assert judgment.score == NumericalScore(0.0)
    assert len(judgment.checks) == 1


def test_without_calls_there_is_no_share_of_errors() -> None:
    """A share of nothing does not apply, and is not 1.0. (contract: cases:C7)"""
    judge = ToolErrorsJudge()

    assert judge(made()).status is Status.NOT_APPLICABLE
    assert judge.metadata.conditional


P = ToolCall("poll", {"id": 1})
Q = ToolCall("poll", {"id": 1.0})
R = ToolCall("poll", {"id": True})


@pytest.mark.parametrize(
    ("scope", "calls", "passed"),
    [
        ("consecutive", (P, P), True),
        ("consecutive", (P, P, P), False),
        ("consecutive", (P, Q, P), False),
        ("consecutive", (P, R, P, R, P), True),
        ("total", (P, R, P, R), True),
        ("total", (P, R, P, R, P), False),
    ],
)
def test_the_same_call_may_be_made_so_often(
    scope: Any, calls: tuple[ToolCall, ...], passed: bool
) -> None:
    """Consecutively, or in the whole run; the same arguments are the same JSON."""
    assert RepeatedCallsJudge(2, scope=scope)(made(*calls)).passed is passed


def test_each_loop_is_named() -> None:
    """With where it begins, how often it went round, and how much it looked at."""
    judgment = RepeatedCallsJudge(1)(made("a", "b", "b", "c", "c", "c"))

    assert [(check.name, check.message, check.examined) for check in judgment.checks] == [
        ("b()", "made 2 times in a row from call 2 on, at most 1 allowed", 2),
        ("c()", "made 3 times in a row from call 4 on, at most 1 allowed", 3),
    ]


def test_a_run_without_loops_passes_with_what_was_looked_at() -> None:
    """One check of all calls."""
    judgment = RepeatedCallsJudge(2, scope="total")(made("a", "b", "a"))

    assert judgment.reasoning == "none of 3 calls was made more than 2 times in all"
    assert judgment.checks[0].examined == 3


@pytest.mark.parametrize(
    ("judge", "options", "error"),
    [
        (ToolNotCalledJudge, {"names": ()}, ArgumentError),
        (ToolNotCalledJudge, {"names": ("",)}, ArgumentError),
        (ToolNotCalledJudge, {"names": "delete"}, ArgumentTypeError),
        (ToolNotCalledJudge, {"names": (1,)}, ArgumentTypeError),
        (ToolNotCalledJudge, {"names": ("a",), "no_calls": "fail"}, ArgumentError),
        (ToolErrorsJudge, {"threshold": 2}, ArgumentError),
        (RepeatedCallsJudge, {"max_repeats": 0}, ArgumentError),
        (RepeatedCallsJudge, {"max_repeats": True}, ArgumentTypeError),
        (RepeatedCallsJudge, {"max_repeats": 1, "scope": "all"}, ArgumentError),
        (RepeatedCallsJudge, {"max_repeats": 1, "no_calls": None}, ArgumentError),
    ],
)
def test_what_is_no_limit_is_refused(
    judge: Any, options: dict[str, object], error: type[Exception]
) -> None:
    """Refused when the judge is built."""
    with pytest.raises(error):
        judge(**options)
