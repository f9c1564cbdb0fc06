"""Having an agent make an attempt: sync or async, with a deadline, and what becomes of errors."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final, Generic, Protocol, TypeVar, cast

from agent_judge.coordination.attempts import Produced
from agent_judge.coordination.errors import UsageError
from agent_judge.coordination.feedback import Feedback
from agent_judge.engine import in_worker
from agent_judge.engine.ask import is_awaitable, message_of
from agent_judge.engine.doors import needs_loop
from agent_judge.engine.run import Run
from agent_judge.engine.tasks import DeadlineError, within
from agent_judge.errors import ArgumentTypeError, MissingExtraError
from agent_judge.protocol import is_called_async

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

CALLERS_MISTAKES: Final = (UsageError, MissingExtraError)
"""What another attempt would only repeat: it leaves the loop."""


class Executor(Protocol[T_co]):
    """Makes one attempt: a function, sync or async.

    It gets the agent's id and the `Feedback` on the attempt before, and returns its output, or a
    `Produced` that also says what it consumed.
    """

    def __call__(
        self, agent_id: str, feedback: Feedback, /
    ) -> T_co | Produced[T_co] | Awaitable[T_co | Produced[T_co]]:
        """Make one attempt."""
        ...


class AttemptTimeoutError(Exception):
    """An attempt did not end in time, and was cancelled or left behind."""


@dataclass(frozen=True, slots=True)
class Execution(Generic[T]):
    """What became of calling the executor.

    Attributes:
        made: What it made; `None` where it failed.
        error: What it raised instead.
        elapsed: Seconds that it took.
        abandoned: A thread was left behind that could not be stopped.
    """

    made: Produced[T] | None
    error: Exception | None
    elapsed: float
    abandoned: bool = False

    @property
    def complaint(self) -> str:
        """What went wrong, for the next attempt: the message, or the type's name without one."""
        assert self.error is not None
        return message_of(self.error).strip() or type(self.error).__name__


class AskedExecutor(Generic[T]):
    """An executor, and how it is called.

    Raises:
        ArgumentTypeError: It cannot be called with an agent's id and the feedback.
    """

    __slots__ = ("_call", "_is_async")

    def __init__(self, executor: Executor[T]) -> None:
        if not callable(executor) or isinstance(executor, type):
            raise ArgumentTypeError(
                f"executor must be a function of (agent_id, feedback), not {executor!r:.120}"
            )
        _check_arguments(executor)
        self._call: Executor[T] = executor
        self._is_async = is_called_async(executor)

    async def run(
        self, run: Run, agent_id: str, feedback: Feedback, seconds: float | None
    ) -> Execution[T]:
        """Make one attempt; an ordinary exception is one that failed.

        Args:
            run: The call from outside that it belongs to.
            agent_id: Who is to work.
            feedback: What it is told.
            seconds: When to stop it; `None` to let it work.
        """
        began = perf_counter()
        left_behind: list[bool] = []
        try:
            if seconds is None:
                output = await self._made(run, agent_id, feedback, left_behind.append)
            else:
                await needs_loop(run)
                work = self._made(run, agent_id, feedback, left_behind.append)
                output = await within(seconds, work)
        except CALLERS_MISTAKES:
            raise
        except DeadlineError as passed:
            late = AttemptTimeoutError(f"the attempt did not end within {seconds:.3g} s")
            left = passed.left_behind or any(left_behind)
            return Execution(None, late, perf_counter() - began, left)
        except Exception as raised:  # noqa: BLE001 - whatever an agent raises is an attempt that failed
            return Execution(None, _original(raised), perf_counter() - began, any(left_behind))
        made = cast("Produced[T]", output if isinstance(output, Produced) else Produced(output))
        return Execution(made, None, perf_counter() - began)

    async def _made(
        self,
        run: Run,
        agent_id: str,
        feedback: Feedback,
        abandoned: Callable[[bool], None],
    ) -> T | Produced[T]:
        """Call it here, or in a thread where an event loop waits; then await what it gave."""
        if self._is_async or not run.on_loop:
            output: Any = self._call(agent_id, feedback)
        else:
            output = await in_worker(lambda: self._call(agent_id, feedback), abandoned)
        if is_awaitable(output):
            await needs_loop(run)
            output = await output
        return cast("T | Produced[T]", output)


def _original(raised: Exception) -> Exception:
    """What the executor raised: a coroutine cannot let a `StopIteration` through as it is."""
    cause = raised.__cause__
    wrapped = raised.args == ("coroutine raised StopIteration",)
    return cause if wrapped and isinstance(cause, StopIteration) else raised


def _check_arguments(executor: Callable[..., object]) -> None:
    """Refuse a function of other arguments, which would fail in every attempt alike."""
    try:
        signature = inspect.signature(executor)
    except (TypeError, ValueError):
        return  # some built-in functions have none
    try:
        signature.bind("agent-1", Feedback.first())
    except TypeError as fault:
        raise ArgumentTypeError(
            f"executor must take (agent_id, feedback), and {executor!r:.120} takes {signature}: "
            f"{fault}"
        ) from None
