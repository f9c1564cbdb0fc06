"""Asking one judge, whatever it is made of, and always getting a judgment.

A judge that raises, returns nonsense or is late gives ERROR. Only `KeyboardInterrupt`,
`SystemExit`, `MemoryError`, `GeneratorExit` and a real cancellation go through.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable
from enum import Enum
from inspect import iscoroutine
from time import monotonic, perf_counter
from typing import Any, Final, Protocol, TypeGuard

from agent_judge.context import JudgmentContext
from agent_judge.engine.doors import needs_loop
from agent_judge.engine.offload import in_worker
from agent_judge.engine.run import Run
from agent_judge.errors import JudgeAnswerError, MissingExtraError, WorkersExhaustedError
from agent_judge.judgment import Judgment, ReasonCode, with_elapsed, with_evidence
from agent_judge.protocol import Cost, Judge, JudgeMetadata, NamedJudge, describe, is_async

PROPAGATED: Final = (KeyboardInterrupt, SystemExit, MemoryError, GeneratorExit)
"""What is no judge's failure and leaves every call."""


class Finding(Protocol):
    """More than a judgment: what a jury found, with its seats."""

    @property
    def judgment(self) -> Judgment:
        """The judgment that sums it up."""
        ...


class Composite(Protocol):
    """A judge made of judges: it asks them in the same run, on the same loop or on none."""

    @property
    def children(self) -> tuple[Asked, ...]:
        """The judges inside."""
        ...

    async def judge_in(self, run: Run, context: JudgmentContext) -> Judgment | Finding:
        """Judge a context, asking the judges inside through the engine."""
        ...


class Mode(Enum):
    """How a judge is run."""

    INLINE = "inline"
    ASYNC = "async"
    BLOCKING = "blocking"


class Asked:
    """A judge with what the engine needs to know of it, worked out once."""

    __slots__ = ("_mode", "call", "composite", "metadata", "name")

    def __init__(self, judge: Judge, name: str | None = None) -> None:
        self.metadata: JudgeMetadata = describe(judge)
        self.name = name or self.metadata.name
        inner = judge.judge if type(judge) is NamedJudge else judge
        self.call: Judge = inner
        self.composite: Composite | None = inner if is_composite(inner) else None
        self._mode: Mode | None = None

    @property
    def mode(self) -> Mode:
        """How it is run."""
        if self._mode is None:
            self._mode = _mode(self.call, self.metadata.cost)
        return self._mode


def is_composite(judge: object) -> TypeGuard[Composite]:
    """Whether a judge is made of judges and asks them through the engine."""
    return hasattr(type(judge), "judge_in")


def is_awaitable(answer: object) -> TypeGuard[Awaitable[Any]]:
    """Whether an answer has to be awaited."""
    return isinstance(answer, Awaitable)


def _mode(judge: Judge, cost: Cost | None) -> Mode:
    if is_composite(judge):
        inline = all(child.mode is Mode.INLINE for child in judge.children)
        return Mode.INLINE if inline and cost is Cost.MEMORY else Mode.ASYNC
    if is_async(judge):
        return Mode.ASYNC
    return Mode.INLINE if cost is Cost.MEMORY else Mode.BLOCKING


class Turn:
    """One judge asked once about one run.

    Attributes:
        run: The call from outside that this belongs to.
        asked: The judge.
        context: The run to judge.
        alone: Nothing else is to be done meanwhile, so it is called right here, unless this is
            an event loop's thread: that loop may serve others.
        deadline: When the caller stops waiting, on the monotonic clock.
        abandoned: A thread was left running for it.
        judgment: What the judge found, once it was asked to the end.
        finding: The whole of it, where the judge is a jury.
        raised: The exception that kept the judge from judging.
    """

    __slots__ = (
        "abandoned",
        "alone",
        "asked",
        "context",
        "deadline",
        "finding",
        "judgment",
        "raised",
        "run",
    )

    def __init__(
        self,
        run: Run,
        asked: Asked,
        context: JudgmentContext,
        alone: bool = False,
        deadline: float | None = None,
    ) -> None:
        self.run = run
        self.asked = asked
        self.context = context
        self.alone = alone
        self.deadline = deadline
        self.abandoned = False
        self.judgment: Judgment | None = None
        self.finding: Finding | None = None
        self.raised: BaseException | None = None


async def ask(turn: Turn) -> Judgment:
    """Ask one judge; whatever it does, there is a judgment, with the seconds it took."""
    asked = turn.asked
    started = perf_counter()
    try:
        if asked.composite is not None:
            answer: Any = await asked.composite.judge_in(turn.run, turn.context)
            if type(answer) is not Judgment:
                turn.finding = answer
                answer = answer.judgment
        elif asked.mode is Mode.INLINE or (turn.alone and not turn.run.on_loop):
            answer = asked.call(turn.context)
        else:
            answer = await _ask_elsewhere(turn)
        if type(answer) is not Judgment and is_awaitable(answer):
            answer = await _awaited(turn, answer)
        judgment = with_elapsed(_read(asked.name, answer), perf_counter() - started)
    except PROPAGATED:
        raise
    except BaseException as raised:
        if _is_cancellation(raised) and _is_being_cancelled():
            raise
        turn.raised = raised
        judgment = with_elapsed(failure_of(asked.name, raised), perf_counter() - started)
    if turn.deadline is not None and asked.mode is Mode.INLINE:
        judgment = _judged_by(turn, judgment)
    turn.judgment = judgment
    return judgment


async def _ask_elsewhere(turn: Turn) -> Any:
    """Take a place among the judges of the same cost, then await the judge or its thread."""
    await needs_loop(turn.run)
    cost = turn.asked.metadata.cost
    if cost is None or cost is Cost.MEMORY:
        return await _await_or_offload(turn)
    async with turn.run.place(cost):
        return await _await_or_offload(turn)


async def _await_or_offload(turn: Turn) -> Any:
    if turn.asked.mode is Mode.BLOCKING:
        answer = await _in_worker(turn)
    else:
        answer = turn.asked.call(turn.context)
    return await answer if is_awaitable(answer) else answer


async def _in_worker(turn: Turn) -> Any:
    """Call a blocking judge in a worker thread; when cancelled, leave the thread behind."""

    def abandoned(left: bool) -> None:
        turn.abandoned = left

    return await in_worker(lambda: turn.asked.call(turn.context), abandoned)


async def _awaited(turn: Turn, answer: Awaitable[Any]) -> Any:
    """Await what a sync judge gave, unless that one is asked inline, where nobody could stop it."""
    if turn.asked.mode is not Mode.INLINE:
        await needs_loop(turn.run)
        return await answer
    if iscoroutine(answer):
        answer.close()
    return Judgment.erring(
        f"judge {turn.asked.name!r} declares the cost MEMORY and returned something to await; "
        "make it an async function, or leave the cost out",
        ReasonCode.INVALID_JUDGMENT,
    )


def _read(name: str, answer: object) -> Judgment:
    if type(answer) is not Judgment:
        return _unreadable(name, answer)
    if answer.code is ReasonCode.SKIPPED:
        return Judgment.erring(
            f"judge {name!r} was asked, and says that it was skipped; "
            "the code SKIPPED belongs to the vote",
            ReasonCode.INVALID_JUDGMENT,
        )
    return answer


def _unreadable(name: str, answer: object) -> Judgment:
    if iscoroutine(answer):
        answer.close()
    return Judgment.erring(
        f"judge {name!r} returned {bounded_repr(answer)}, which is not a Judgment; "
        "declare it with @judge to return a bool, a float or (bool, str)",
        ReasonCode.INVALID_JUDGMENT,
    )


def failure_of(name: str, raised: BaseException) -> Judgment:
    """The ERROR that stands for a judge which raised."""
    if isinstance(raised, JudgeAnswerError):
        return Judgment.erring(message_of(raised), ReasonCode.INVALID_JUDGMENT)
    if isinstance(raised, MissingExtraError):
        return Judgment.erring(f"judge {name!r}: {message_of(raised)}", ReasonCode.MISSING_EXTRA)
    if _is_cancellation(raised):
        return Judgment.erring(
            f"judge {name!r} raised CancelledError without having been cancelled",
            ReasonCode.CANCELLED,
        )
    if isinstance(raised, WorkersExhaustedError):
        return Judgment.erring(message_of(raised), ReasonCode.WORKERS_EXHAUSTED)
    return Judgment.erring(
        f"judge {name!r} raised {type(raised).__name__}: {message_of(raised)}",
        ReasonCode.JUDGE_RAISED,
    )


MAX_MESSAGE: Final = 500


def message_of(raised: BaseException) -> str:
    """An exception's message as text that can be stored: bounded, and free of surrogates."""
    try:
        message = str(raised)
    except BaseException:
        message = "(its message cannot be read)"
    return printable(message)


def printable(text: str, limit: int = MAX_MESSAGE) -> str:
    """Text that UTF-8 can carry, cut with a mark where it is too long."""
    cut = text if len(text) <= limit else f"{text[:limit]}… ({len(text) - limit} more characters)"
    return cut.encode("utf-8", "replace").decode()


def timed_out(name: str, seconds: float, *, abandoned: bool = False) -> Judgment:
    """The ERROR that stands for a judge whose deadline passed."""
    left = "; its thread could not be stopped and was abandoned" if abandoned else ""
    judgment = Judgment.erring(
        f"judge {name!r} did not finish within its deadline, {seconds:.3g} s{left}",
        ReasonCode.TIMEOUT,
    )
    return with_evidence(judgment, {"abandoned": True}) if abandoned else judgment


def _judged_by(turn: Turn, judgment: Judgment) -> Judgment:
    """The judgment of an inline judge, unless it came after the deadline."""
    assert turn.deadline is not None
    late = monotonic() - turn.deadline
    if late <= 0 or judgment.code is ReasonCode.TIMEOUT:
        return judgment
    turn.finding = None
    error = Judgment.erring(
        f"judge {turn.asked.name!r} runs inline, where nobody could stop it, and answered "
        f"{late:.3g} s after its deadline; it took {judgment.elapsed:.3g} s",
        ReasonCode.TIMEOUT,
    )
    return with_elapsed(with_evidence(error, {"late_by": late}), judgment.elapsed or 0.0)


def _is_cancellation(raised: BaseException) -> bool:
    asyncio_ = sys.modules.get("asyncio")
    return asyncio_ is not None and isinstance(raised, asyncio_.CancelledError)


def _is_being_cancelled() -> bool:
    """Whether somebody asked the current task to end; false where there is no task."""
    import asyncio

    try:
        task = asyncio.current_task()
    except RuntimeError:
        return False
    return task is not None and task.cancelling() > 0


def bounded_repr(answer: object) -> str:
    """An object as a message shows it: bounded, and its type's name where it cannot show itself."""
    try:
        return printable(repr(answer), 120)
    except Exception:
        return f"an object of type {type(answer).__name__}"
