from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from agent_judge.combinators import all_of
from agent_judge.context import JudgmentContext
from agent_judge.engine import aevaluate, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError, MissingExtraError
from agent_judge.judgment import Judgment, ReasonCode, Status
from agent_judge.jury import Jury
from agent_judge.protocol import Cost, Judge, JudgeMetadata, judge, named
from agent_judge.testing import BlockingJudge, HangingJudge, a_context, passing


def in_a_thread(work: Callable[[], object]) -> Judge:
    """A blocking judge, run in a worker thread as soon as it has a deadline."""

    def blocking(_context: JudgmentContext) -> Any:
        return work()

    return blocking


def on_the_loop(work: Callable[[], object]) -> Judge:
    """An async judge."""

    async def asynchronous(_context: JudgmentContext) -> Any:
        await asyncio.sleep(0)
        return work()

    return asynchronous


def inline(work: Callable[[], object]) -> Judge:
    """A judge at MEMORY cost, whose answer nothing but the engine reads."""
    return Cheap(work)


@dataclass(frozen=True, slots=True)
class Cheap:
    work: Callable[[], Any]
    metadata: ClassVar[JudgeMetadata] = JudgeMetadata("cheap", Cost.MEMORY)

    def __call__(self, _context: JudgmentContext, /) -> Any:
        """Do the work."""
        return self.work()


KINDS = [in_a_thread, on_the_loop, inline]
TIMEOUTS = [None, 60.0]


class UnreadableError(Exception):
    def __str__(self) -> str:
        """Fail even at this."""
        raise RuntimeError("no message")


class Unprintable:
    def __repr__(self) -> str:
        """Fail even at this."""
        raise RuntimeError("no representation")


class HalfMade(Judgment):
    def __init__(self) -> None:
        """Forget what a judgment needs."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("timeout", TIMEOUTS)
@pytest.mark.parametrize(
    ("raised", "code", "words"),
    [
        (ValueError("no such row"), ReasonCode.JUDGE_RAISED, "ValueError: no such row"),
        (OSError(2, "gone"), ReasonCode.JUDGE_RAISED, "FileNotFoundError: [Errno 2] gone"),
        (UnreadableError(), ReasonCode.JUDGE_RAISED, "its message cannot be read"),
        (StopIteration("over"), ReasonCode.JUDGE_RAISED, "StopIteration"),
        (StopAsyncIteration(), ReasonCode.JUDGE_RAISED, "StopAsyncIteration"),
        (RecursionError("deep"), ReasonCode.JUDGE_RAISED, "RecursionError: deep"),
        (BaseException("odd"), ReasonCode.JUDGE_RAISED, "BaseException: odd"),
        (ExceptionGroup("two", [ValueError("x")]), ReasonCode.JUDGE_RAISED, "ExceptionGroup"),
        (MissingExtraError("pip install it"), ReasonCode.MISSING_EXTRA, "pip install it"),
        (TimeoutError("of its own"), ReasonCode.JUDGE_RAISED, "TimeoutError: of its own"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_a_judge_that_raises_is_an_error(
    kind: Callable[[Callable[[], object]], Judge],
    timeout: float | None,
    raised: BaseException,
    code: ReasonCode,
    words: str,
) -> None:
    """However it is run; the judgment names judge and cause. (contract: core:J5)"""

    def work() -> object:
        raise raised

    asked = named("Broken", kind(work))

    judgment = evaluate(asked, a_context(), timeout=timeout)

    assert judgment.status is Status.ERROR
    assert judgment.code is code
    assert words in judgment.reasoning
    assert "Broken" in judgment.reasoning
    assert judgment.elapsed is not None


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("timeout", TIMEOUTS)
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "None"),
        (True, "True"),
        ("x" * 1000, "more characters"),
        ("\ud800", r"'\ud800'"),
        (Unprintable(), "an object of type Unprintable"),
        (Judgment, "class"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_answer_that_is_no_judgment_is_an_error(
    kind: Callable[[Callable[[], object]], Judge], timeout: float | None, answer: object, words: str
) -> None:
    """What was returned is shown, within bounds. (contract: core:J5)"""
    judgment = evaluate(named("Odd", kind(lambda: answer)), a_context(), timeout=timeout)

    assert judgment.code is ReasonCode.INVALID_JUDGMENT
    assert "judge 'Odd' returned" in judgment.reasoning
    assert words in judgment.reasoning
    assert len(judgment.reasoning) < 400


@pytest.mark.parametrize("kind", KINDS)
def test_a_half_made_judgment_is_an_error(kind: Callable[[Callable[[], object]], Judge]) -> None:
    """A subclass may have forgotten to make it one. (contract: core:J5)"""
    judgment = evaluate(kind(HalfMade), a_context())

    assert judgment.status is Status.ERROR


@pytest.mark.parametrize("kind", KINDS)
def test_a_long_message_is_cut(kind: Callable[[Callable[[], object]], Judge]) -> None:
    """A judge may quote what it read; the judgment stays small. (contract: core:J5)"""

    def work() -> object:
        raise ValueError("x" * 10_000 + "\ud800")

    judgment = evaluate(kind(work), a_context())

    assert "9501 more characters" in judgment.reasoning
    assert len(judgment.reasoning) < 700


def test_a_coroutine_that_nobody_can_read_is_closed() -> None:
    """It is ERROR, and no warning that it was never awaited follows. (contract: core:J5)"""

    async def innermost() -> Judgment:
        raise AssertionError("nobody awaits this")

    async def answer() -> Awaitable[Judgment]:
        return innermost()

    async def asynchronous(_context: JudgmentContext) -> Any:
        return answer()

    judgment = evaluate(asynchronous, a_context())

    assert judgment.code is ReasonCode.INVALID_JUDGMENT
    assert "coroutine" in judgment.reasoning


def test_a_sync_judge_may_return_an_awaitable() -> None:
    """It is awaited, whatever thread it came from. (contract: core:C15)"""

    async def found() -> Judgment:
        return Judgment.passing("later")

    for timeout in TIMEOUTS:
        judgment = evaluate(in_a_thread(found), a_context(), timeout=timeout)
        assert judgment.reasoning == "later"


@pytest.mark.parametrize("timeout", TIMEOUTS)
@pytest.mark.parametrize("combine", [lambda asked: asked, all_of, lambda asked: Jury([asked])])
def test_a_cheap_judge_gives_nothing_to_await(
    combine: Callable[[Judge], Judge], timeout: float | None
) -> None:
    """It is asked inline, where nobody could stop what it waits for. (contract: core:J8)"""

    async def found() -> Judgment:
        return Judgment.passing("later")

    judgment = evaluate(combine(inline(found)), a_context(), timeout=timeout)

    assert judgment.code is ReasonCode.INVALID_JUDGMENT
    assert "declares the cost MEMORY and returned something to await" in judgment.reasoning


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("timeout", TIMEOUTS)
@pytest.mark.parametrize("kind_of_end", [KeyboardInterrupt, SystemExit, MemoryError])
def test_what_ends_a_process_is_no_failure_of_a_judge(
    kind: Callable[[Callable[[], object]], Judge],
    timeout: float | None,
    kind_of_end: type[BaseException],
) -> None:
    """It propagates to the caller, however the judge is run. (contract: core:J10)"""
    raised = kind_of_end("the end")

    def work() -> object:
        raise raised

    with pytest.raises(kind_of_end) as caught:
        evaluate(kind(work), a_context(), timeout=timeout)

    assert caught.value is raised


@pytest.mark.parametrize("timeout", TIMEOUTS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_cancellation_that_nobody_asked_for_is_an_error(
    kind: Callable[[Callable[[], object]], Judge], timeout: float | None
) -> None:
    """The judge made it up. (contract: core:J8b)"""

    def work() -> object:
        raise asyncio.CancelledError

    judgment = evaluate(kind(work), a_context(), timeout=timeout)

    assert judgment.code is ReasonCode.CANCELLED
    assert "without having been cancelled" in judgment.reasoning


def test_a_judge_that_cancels_its_own_task_is_an_error() -> None:
    """Nobody else asked it to end. (contract: core:J8b)"""

    async def suicidal(_context: JudgmentContext) -> Judgment:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(0)
        raise AssertionError("it was cancelled")

    assert evaluate(suicidal, a_context(), timeout=60).code is ReasonCode.CANCELLED


def test_a_sync_judge_that_is_alone_is_called_directly() -> None:
    """Without a deadline there is nothing to do meanwhile. (contract: core:J8a)"""
    assert evaluate(thread_of_judge, a_context()).reasoning == threading.current_thread().name


def test_a_sync_judge_with_a_deadline_runs_in_a_worker_thread() -> None:
    """Its caller has to be able to leave it behind. (contract: core:J8a)"""
    judgment = evaluate(thread_of_judge, a_context(), timeout=60)

    assert judgment.reasoning == "agent-judge-worker"


@pytest.mark.parametrize("timeout", TIMEOUTS)
def test_a_judge_at_memory_cost_is_called_directly(timeout: float | None) -> None:
    """It takes no time worth a thread. (contract: core:J8)"""
    asked = judge(cost=Cost.MEMORY)(thread_of_judge)

    judgment = evaluate(asked, a_context(), timeout=timeout)

    assert judgment.reasoning == threading.current_thread().name


def thread_of_judge(_context: JudgmentContext) -> Judgment:
    """Tell where it runs."""
    return Judgment.passing(threading.current_thread().name)


@pytest.mark.parametrize("asked", [HangingJudge(), all_of(HangingJudge())])
def test_an_async_judge_that_is_late_is_cancelled(asked: Judge) -> None:
    """And awaited: it has cleaned up when the judgment is there. (contract: core:J8)"""
    judgment = evaluate(asked, a_context(), timeout=0.01)

    assert judgment.code is ReasonCode.TIMEOUT
    assert "did not finish within its deadline" in judgment.reasoning


def test_a_blocking_judge_that_is_late_is_left_behind() -> None:
    """Its judgment says so, and nobody waits for its thread. (contract: core:J8)"""
    with BlockingJudge() as blocking:
        judgment = evaluate(blocking, a_context(), timeout=0.2)

        assert judgment.code is ReasonCode.TIMEOUT
        assert "abandoned" in judgment.reasoning
        assert judgment.evidence == {"abandoned": True}
        assert not blocking.ended.is_set()


@judge(cost=Cost.MEMORY)
async def declared_cheap(_context: JudgmentContext) -> Judgment:
    """Hang, in spite of what it declares."""
    return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "asked",
    [
        declared_cheap,
        all_of(declared_cheap),
        all_of(passing(), all_of(declared_cheap)),
        Jury([passing(), Jury([declared_cheap])]),
    ],
)
def test_an_async_judge_that_is_declared_cheap_is_cancelled_all_the_same(asked: Judge) -> None:
    """What it costs does not decide whether it can be stopped. (contract: core:J8)"""
    assert evaluate(asked, a_context(), timeout=0.01).code is ReasonCode.TIMEOUT


def test_an_inline_judge_that_is_late_says_how_late() -> None:
    """Nobody could stop it; its lateness is recorded when it returns. (contract: core:J8)"""
    ticks = threading.Event()

    @judge(cost=Cost.MEMORY)
    def slow(_context: JudgmentContext) -> bool:
        ticks.wait(0.02)
        return True

    judgment = evaluate(slow, a_context(), timeout=0.001)

    assert judgment.code is ReasonCode.TIMEOUT
    assert "runs inline" in judgment.reasoning
    assert isinstance(judgment.evidence["late_by"], float)
    assert judgment.elapsed is not None


def test_a_timeout_of_its_own_is_not_taken_for_the_deadline() -> None:
    """A judge that gave up says why itself. (contract: core:J5)"""

    async def gave_up() -> Judgment:
        async with asyncio.timeout(0):
            await asyncio.sleep(60)
        raise AssertionError("it gave up")

    judgment = evaluate(lambda _: gave_up(), a_context(), timeout=60)

    assert judgment.code is ReasonCode.JUDGE_RAISED
    assert "TimeoutError" in judgment.reasoning


@pytest.mark.parametrize("timeout", TIMEOUTS)
def test_no_judge_says_that_it_was_skipped(timeout: float | None) -> None:
    """It was asked; only a vote that is decided skips a judge. (contract: core:J17)"""

    def skipping(_context: JudgmentContext) -> Judgment:
        return Judgment.abstaining("not today", code=ReasonCode.SKIPPED)

    judgment = evaluate(skipping, a_context(), timeout=timeout)

    assert judgment.code is ReasonCode.INVALID_JUDGMENT
    assert "'skipping' was asked" in judgment.reasoning


def test_a_judgment_knows_how_long_it_took() -> None:
    """The engine measures; what the judge says of it is overwritten."""

    def liar(_context: JudgmentContext) -> Judgment:
        return Judgment(Status.PASS, elapsed=1e6)

    judgment = evaluate(liar, a_context())

    assert judgment.elapsed is not None
    assert judgment.elapsed < 1e6


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), "1", True])
def test_a_timeout_is_a_positive_number_of_seconds(timeout: Any) -> None:
    """Zero would make every judge late."""
    with pytest.raises(ArgumentError, match="timeout must be a positive, finite number"):
        evaluate(passing(), a_context(), timeout=timeout)


@pytest.mark.parametrize("context", [None, {"output": "4"}, JudgmentContext])
def test_only_a_context_can_be_judged(context: Any) -> None:
    """A dict that looks like one is refused before any judge sees it."""
    with pytest.raises(ArgumentTypeError, match="context must be a JudgmentContext"):
        evaluate(passing(), context)
    with pytest.raises(ArgumentTypeError, match="context must be a JudgmentContext"):
        asyncio.run(aevaluate(passing(), context))


def test_what_is_no_judge_is_refused() -> None:
    """It raises, for it is the caller's mistake and no judge's failure. (contract: core:J1)"""
    with pytest.raises(ArgumentTypeError, match="a judge is a callable"):
        evaluate("judge", a_context())  # type: ignore[arg-type]
