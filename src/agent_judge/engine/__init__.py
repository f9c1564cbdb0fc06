"""Running judges: the only place that knows event loops and threads.

`evaluate` and `aevaluate` ask one judge; juries ask theirs through `together.ask_all`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from typing import Final, TypeVar

from agent_judge.context import JudgmentContext
from agent_judge.engine.ask import Asked, Turn, ask
from agent_judge.engine.doors import aenter, current_run, enter
from agent_judge.engine.offload import in_worker
from agent_judge.engine.run import Run
from agent_judge.engine.together import ask_all
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judgment import Judgment
from agent_judge.protocol import Judge

__all__ = ["aevaluate", "check_seconds", "check_timeout", "evaluate", "in_worker", "shared"]

T = TypeVar("T")


def evaluate(judge: Judge, context: JudgmentContext, *, timeout: float | None = None) -> Judgment:
    """Ask one judge about one run.

    Args:
        judge: Any judge, sync or async.
        context: The run.
        timeout: Seconds after which the answer is ERROR. Without one, a sync judge is simply
            called, in this thread.

    Returns:
        What the judge found, with the seconds it took. A judge that raises, returns something
        else or is late gives ERROR.

    Raises:
        ArgumentError: A timeout that is not a positive, finite number.
        ArgumentTypeError: What was given as a judge cannot be called.

    Example:
        >>> from agent_judge import JudgmentContext, Judgment, evaluate
        >>> evaluate(lambda context: Judgment.passing("ok"), JudgmentContext()).passed
        True
    """
    run = Run()
    return enter(run, _evaluate(run, Asked(judge), context, timeout))


async def aevaluate(
    judge: Judge, context: JudgmentContext, *, timeout: float | None = None
) -> Judgment:
    """`evaluate` for callers that run an event loop."""
    run = Run()
    return await aenter(run, _evaluate(run, Asked(judge), context, timeout))


async def _evaluate(
    run: Run, asked: Asked, context: JudgmentContext, timeout: float | None
) -> Judgment:
    check_context(context)
    if timeout is None:
        return await ask(Turn(run, asked, context, alone=True))
    check_timeout(timeout)
    (turn,) = await ask_all(run, (asked,), context, timeout=timeout)
    assert turn.judgment is not None
    return turn.judgment


async def shared(key: Hashable, work: Callable[[], Awaitable[T]]) -> T:
    """Do work that several judges of one vote need just once, and give each its result.

    Outside a vote the work is simply done.

    Args:
        key: Everything on which the result depends.
        work: Makes the awaitable that does it.
    """
    run = current_run.get()
    return await (work() if run is None else run.share(key, work))


def check_context(context: object) -> None:
    """Refuse what is not a `JudgmentContext`.

    Raises:
        ArgumentTypeError: It is something else.
    """
    if not isinstance(context, JudgmentContext):
        raise ArgumentTypeError(f"context must be a JudgmentContext, not {context!r:.120}")


def check_timeout(timeout: float | None) -> None:
    """Refuse a timeout that is not a positive number of seconds a clock can count to.

    `None` is no timeout.

    Raises:
        ArgumentError: It is not.
    """
    if timeout is not None:
        check_seconds(timeout, "timeout")


MAX_SECONDS: Final = 10**9
"""The longest deadline, some thirty years: clocks overflow not far beyond."""


def check_seconds(seconds: object, name: str) -> None:
    """Refuse what is not a positive, finite number of seconds.

    Raises:
        ArgumentError: It is not.
    """
    if type(seconds) not in (int, float) or not 0 < seconds <= MAX_SECONDS:  # type: ignore[operator]
        raise ArgumentError(f"{name} must be a positive, finite number of seconds, got {seconds!r}")
