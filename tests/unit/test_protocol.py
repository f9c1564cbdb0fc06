from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from agent_judge.context import JudgmentContext
from agent_judge.engine import evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judgment import Judgment, ReasonCode, Status
from agent_judge.protocol import (
    MAX_NAME,
    NAMELESS,
    Cost,
    Judge,
    JudgeMetadata,
    check_name,
    describe,
    is_async,
    judge,
    named,
)
from agent_judge.testing import a_context, passing


def plain(context: JudgmentContext) -> Judgment:
    """Pass."""
    return Judgment.passing("plain")


async def slow(context: JudgmentContext) -> Judgment:
    """Pass, asynchronously."""
    return Judgment.passing("async")


class Teacher:
    def __call__(self, _context: JudgmentContext, /) -> Judgment:
        """Pass."""
        return Judgment.passing("object")

    def method(self, _context: JudgmentContext) -> Judgment:
        """Pass."""
        return Judgment.passing("method")

    @staticmethod
    async def static(_context: JudgmentContext) -> Judgment:
        """Pass."""
        return Judgment.passing("static")


class AsyncTeacher:
    async def __call__(self, _context: JudgmentContext, /) -> Judgment:
        """Pass."""
        return Judgment.passing("async object")


def told(context: JudgmentContext, word: str) -> Judgment:
    """Pass with a word."""
    return Judgment.passing(word)


AS_THEY_STAND: list[tuple[Judge, str, str]] = [
    (plain, "plain", "plain"),
    (lambda _: Judgment.passing("lambda"), NAMELESS, "lambda"),
    (Teacher().method, "method", "method"),
    (slow, "slow", "async"),
    (Teacher(), "Teacher", "object"),
    (Teacher.static, "static", "static"),
    (AsyncTeacher(), "AsyncTeacher", "async object"),
    (functools.partial(told, word="partial"), "told", "partial"),
]


@pytest.mark.parametrize(
    ("asked", "name", "reasoning"), AS_THEY_STAND, ids=lambda value: str(value)[:12]
)
def test_any_callable_is_a_judge_as_it_stands(asked: Judge, name: str, reasoning: str) -> None:
    """A function, lambda, method, async function or object, without a base. (contract: core:C15)"""
    assert isinstance(asked, Judge)
    assert describe(asked).name == name
    assert not describe(asked).explicit
    assert evaluate(asked, a_context()).reasoning == reasoning


@pytest.mark.parametrize("value", [None, 3, "plain", [plain], Judgment.passing()])
def test_what_cannot_be_called_is_no_judge(value: Any) -> None:
    """It is refused before anybody asks it. (contract: core:J1)"""
    with pytest.raises(ArgumentTypeError, match="a judge is a callable that takes a context"):
        describe(value)


def test_a_class_is_no_judge() -> None:
    """Its instances are: calling the class would judge nothing. (contract: core:J1)"""
    with pytest.raises(ArgumentTypeError, match=r"Teacher.*is a class"):
        describe(Teacher)  # type: ignore[arg-type]


def test_what_a_judge_says_of_itself_is_known() -> None:
    """Its own metadata stands."""
    assert describe(passing(name="ok")) == JudgeMetadata(
        "ok", Cost.MEMORY, type="fixed", explicit=True
    )


@pytest.mark.parametrize(
    ("answer", "status", "score", "reasoning"),
    [
        (True, Status.PASS, 1.0, ""),
        (False, Status.FAIL, 0.0, ""),
        (0.7, Status.PASS, 0.7, ""),
        (0.69, Status.FAIL, 0.69, ""),
        ((True, "neat"), Status.PASS, 1.0, "neat"),
        ((False, "messy"), Status.FAIL, 0.0, "messy"),
        (Judgment.abstaining("hm"), Status.ABSTAIN, None, "hm"),
    ],
)
@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_declared_judge_may_answer_briefly(
    answer: Any, status: Status, score: float | None, reasoning: str, asynchronous: bool
) -> None:
    """A bool, a float against its pass mark, or a bool and a string. (contract: core:C16)"""

    @judge(threshold=0.7)
    def brief(context: JudgmentContext) -> Any:
        return answer

    @judge(threshold=0.7)
    async def brief_later(context: JudgmentContext) -> Any:
        return answer

    judgment = evaluate(brief_later if asynchronous else brief, a_context())

    assert (judgment.status, judgment.effective_score) == (status, score)
    assert judgment.reasoning == reasoning


def test_the_pass_mark_of_a_float_is_recorded() -> None:
    """Whoever reads the judgment sees the bar that was set. (contract: core:C16)"""
    half = judge(threshold=0.4)(lambda _: 0.5)

    assert evaluate(half, a_context()).evidence == {"threshold": 0.4}


def test_a_function_that_returns_a_float_declares_its_mark() -> None:
    """Its annotation gives it away when it is declared. (contract: core:C16)"""

    def grade(context: JudgmentContext) -> float:
        return 0.5

    with pytest.raises(ArgumentError, match="'grade' returns a float; declare its pass mark"):
        judge(grade)


@pytest.mark.parametrize("threshold", [-0.5, 1.5])
def test_a_pass_mark_outside_the_unit_interval_is_refused(threshold: float) -> None:
    """When it is declared, not when the first run is judged. (contract: core:C16)"""
    with pytest.raises(ArgumentError, match="threshold"):
        judge(threshold=threshold)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (0.5, "declare its pass mark"),
        (1, "may return a Judgment, a bool"),
        (None, "may return a Judgment, a bool"),
        ("yes", "may return a Judgment, a bool"),
        ((True, 1), "may return a Judgment, a bool"),
        ((True, "a", "b"), "may return a Judgment, a bool"),
    ],
)
def test_another_answer_is_never_guessed_at(answer: Any, words: str) -> None:
    """It is ERROR, and says what would be read. (contract: core:C16)"""

    @judge
    def odd(context: JudgmentContext) -> Any:
        return answer

    judgment = evaluate(odd, a_context())

    assert judgment.code is ReasonCode.INVALID_JUDGMENT
    assert "'odd'" in judgment.reasoning
    assert words in judgment.reasoning


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_a_float_outside_the_unit_interval_is_an_error(value: float) -> None:
    """It is on another scale, so the mark says nothing about it. (contract: core:C16)"""
    odd = judge(threshold=0.5)(lambda _: value)

    judgment = evaluate(odd, a_context())

    assert judgment.code is ReasonCode.INVALID_JUDGMENT
    assert "outside 0..1" in judgment.reasoning


@pytest.mark.parametrize("answer", [True, 1.0, (True, "fine")])
def test_the_answer_of_a_bare_callable_is_never_guessed_at(answer: Any) -> None:
    """Only `@judge` says that a bool is a finding. (contract: core:C16)"""
    judgment = evaluate(lambda _: answer, a_context())

    assert judgment.code is ReasonCode.INVALID_JUDGMENT
    assert "@judge" in judgment.reasoning


def test_a_judge_declares_what_is_known_of_it() -> None:
    """Name, cost, needs, version and whether it has a condition."""

    @judge(
        name="Tidy",
        cost=Cost.FILE,
        needs=["workspace"],
        version="2",
        applies_when=lambda context: context.workspace is not None,
    )
    def tidy(context: JudgmentContext) -> bool:
        return True

    assert tidy.metadata == JudgeMetadata(
        "Tidy", Cost.FILE, "function", ("workspace",), "2", explicit=True, conditional=True
    )


def test_a_judge_whose_condition_does_not_hold_does_not_apply() -> None:
    """The function is not even called. (contract: core:V26)"""

    @judge(applies_when=lambda context: context.output == "page")
    def page(context: JudgmentContext) -> bool:
        return context.output == "page"

    assert evaluate(page, a_context(output="page")).passed
    assert evaluate(page, a_context()).status is Status.NOT_APPLICABLE
    assert page.metadata.conditional


def test_a_named_judge_keeps_all_else_that_is_known() -> None:
    """Its type, needs and version are those of the judge inside. (contract: core:C14)"""

    @judge(cost=Cost.MODEL, needs=["output"], version="3", applies_when=lambda _: True)
    async def llm(context: JudgmentContext) -> bool:
        return True

    twice = named("Polite", named("First", llm))

    assert twice.metadata == JudgeMetadata(
        "Polite", Cost.MODEL, "function", ("output",), "3", explicit=True, conditional=True
    )
    assert twice.judge is llm
    assert evaluate(twice, a_context()).passed


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", "is empty"),
        ("x" * 65, "at most 64"),
        (" x", "white space"),
        ("x ", "white space"),
        ("x\u00a0", "white space"),
        ("a\nb", "cannot be printed"),
        ("a\x00b", "cannot be printed"),
        ("a\u200bb", "cannot be printed"),
        ("cafe\u0301", "NFC"),
        ("\ud800", "surrogate"),
    ],
)
def test_a_name_that_people_could_mistake_is_refused(name: str, fault: str) -> None:
    """Whatever is named: judges, seats, stages and juries. (contract: core:R24)"""
    with pytest.raises(ArgumentError, match=fault):
        check_name(name, "stage name")
    with pytest.raises(ArgumentError, match=fault):
        named(name, plain)


@pytest.mark.parametrize("name", ["x", "x" * 64, "a/b~c", "café", "检查", "two words"])
def test_other_names_are_accepted(name: str) -> None:
    """Up to the limit, in any script. (contract: core:R24)"""
    assert named(name, plain).metadata.name == name


def test_a_name_is_a_string() -> None:
    """A number is not turned into one. (contract: core:R24)"""
    with pytest.raises(ArgumentTypeError, match="name must be a string"):
        named(7, plain)  # type: ignore[arg-type]


def test_a_derived_name_that_is_too_long_is_cut() -> None:
    """Code may be named as it likes."""

    def function(context: JudgmentContext) -> Judgment:
        return Judgment.passing()

    function.__name__ = "f" * 100

    assert describe(function).name == "f" * MAX_NAME


def test_a_cost_is_one_of_the_classes() -> None:
    """A word that spells one is not one."""
    with pytest.raises(ArgumentTypeError, match="cost must be a Cost"):
        JudgeMetadata("x", cost="memory")  # type: ignore[arg-type]


def test_costs_are_ordered() -> None:
    """A cascade asks the cheap first."""
    assert Cost.MEMORY < Cost.FILE < Cost.COMMAND < Cost.MODEL


@pytest.mark.parametrize(
    ("asked", "asynchronous"),
    [
        (plain, False),
        (slow, True),
        (Teacher(), False),
        (AsyncTeacher(), True),
        (named("x", slow), True),
        (named("x", plain), False),
        (judge(slow), True),
        (named("x", judge(plain)), False),
        (functools.partial(slow), True),
    ],
)
def test_async_judges_are_known_by_their_code(
    asked: Callable[[JudgmentContext], Awaitable[Judgment]], asynchronous: bool
) -> None:
    """Also through a name or a declaration."""
    assert is_async(asked) is asynchronous
