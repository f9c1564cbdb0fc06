"""Asking several judges together: inline ones first, the rest at once, all within one deadline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Final, TypeAlias

from agent_judge.context import JudgmentContext
from agent_judge.engine.ask import Asked, Mode, Turn, ask, failure_of, timed_out
from agent_judge.engine.doors import needs_loop
from agent_judge.engine.run import Run
from agent_judge.engine.tasks import GRACE, PropagatedError, stop, unwrapped
from agent_judge.judgment import Judgment, with_elapsed

if TYPE_CHECKING:
    import asyncio

Decided: TypeAlias = Callable[[Sequence[Turn]], bool]
"""Whether the judgments so far settle the matter, so that the rest need not be asked."""


async def ask_all(
    run: Run,
    judges: Sequence[Asked],
    context: JudgmentContext,
    *,
    parallel: bool = True,
    timeout: float | None = None,
    decided: Decided | None = None,
) -> tuple[Turn, ...]:
    """Ask judges about one run; there is one turn for each, in the order they were given.

    Args:
        run: The call from outside that this belongs to.
        judges: Whom to ask.
        context: The run to judge.
        parallel: All at once, else one after the other.
        timeout: Seconds for all together; a judge that is not done by then gives ERROR.
        decided: Asked after each answer; when it says so, the remaining judges are cancelled,
            and their turns have no judgment.
    """
    deadline = _deadline(timeout)
    alone = len(judges) == 1 and deadline is None and not run.in_tasks
    turns = tuple([Turn(run, judge, context, alone, deadline) for judge in judges])
    group = _Group(run, turns, deadline, decided)
    await (group.ask_at_once() if parallel else group.ask_in_turn())
    return turns


_outer_deadline: Final[ContextVar[float | None]] = ContextVar("outer_deadline", default=None)
"""When the caller of the judges that are asked in the current task stops waiting for them all."""


def _deadline(timeout: float | None) -> float | None:
    """When to stop waiting: when the timeout has passed, or whoever waits for all this stops."""
    outer = _outer_deadline.get()
    if timeout is None:
        return outer
    own = monotonic() + timeout
    return own if outer is None else min(own, outer)


class _Group:
    """Judges that are asked together."""

    __slots__ = ("_deadline", "_decided", "_run", "_started", "_timeout", "_turns")

    def __init__(
        self,
        run: Run,
        turns: Sequence[Turn],
        deadline: float | None,
        decided: Decided | None,
    ) -> None:
        self._run = run
        self._turns = turns
        self._timeout = 0.0 if deadline is None else max(0.0, deadline - monotonic())
        self._deadline = deadline
        self._decided = decided
        self._started = perf_counter()

    async def ask_in_turn(self) -> None:
        """One after the other, in order."""
        for index in range(len(self._turns)):
            if await self._ask_some([index]):
                return

    async def ask_at_once(self) -> None:
        """The inline ones first, since they take no time, then all others at once."""
        others: list[int] = []
        for index, turn in enumerate(self._turns):
            if turn.asked.mode is not Mode.INLINE:
                others.append(index)
                continue
            await ask(turn)
            if self._decided is not None and self._decided(self._turns):
                return
        if others:
            await self._ask_some(others)

    async def _ask_some(self, indices: Sequence[int]) -> bool:
        """Ask some of the judges; whether that decided the matter."""
        if len(indices) == 1 and self._can_await(self._turns[indices[0]]):
            await ask(self._turns[indices[0]])
        else:
            await needs_loop(self._run)
            await self._ask_in_tasks(indices)
        return self._is_decided()

    def _can_await(self, turn: Turn) -> bool:
        """Nothing has to be able to stop the judge from outside."""
        return self._deadline is None or turn.asked.mode is Mode.INLINE

    def _is_decided(self) -> bool:
        return self._decided is not None and self._decided(self._turns)

    async def _ask_in_tasks(self, indices: Sequence[int]) -> None:
        import asyncio

        self._run.in_tasks = True
        pending = {
            asyncio.ensure_future(_ask_in_task(self._turns[index])): self._turns[index]
            for index in indices
        }
        when = asyncio.FIRST_EXCEPTION if self._decided is None else asyncio.FIRST_COMPLETED
        decided = False
        try:
            while pending and not decided:
                done, _ = await asyncio.wait(pending, timeout=self._remaining(), return_when=when)
                if not done:
                    await self._let_composites_end(pending)
                    break
                for task in done:
                    _settle(task, pending.pop(task))
                decided = self._is_decided()
        finally:
            await stop(pending)
        for turn in pending.values():
            turn.finding = None
            turn.judgment = None if decided else self._timed_out(turn)

    async def _let_composites_end(self, pending: dict[asyncio.Task[Judgment], Turn]) -> None:
        """Past the deadline, wait for judges made of judges: they end by themselves.

        The deadline is theirs as well, so each comes with what the judges in it said in time.
        Meanwhile all others are cancelled.
        """
        import asyncio

        composites = [task for task, turn in pending.items() if turn.asked.composite is not None]
        others = [task for task in pending if task not in composites]
        stopping = asyncio.ensure_future(stop(others))
        try:
            if composites:
                ended, _ = await asyncio.wait(composites, timeout=2 * GRACE)
                for task in ended:
                    _settle(task, pending.pop(task))
        finally:
            await stopping

    def _remaining(self) -> float | None:
        return None if self._deadline is None else max(0.0, self._deadline - monotonic())

    def _timed_out(self, turn: Turn) -> Judgment:
        late = timed_out(turn.asked.name, self._timeout, abandoned=turn.abandoned)
        return with_elapsed(late, perf_counter() - self._started)


def _settle(task: asyncio.Task[Judgment], turn: Turn) -> None:
    """See to a task that ended; one that somebody else cancelled left no judgment."""
    if task.cancelled():
        import asyncio

        turn.judgment = failure_of(turn.asked.name, asyncio.CancelledError())
    elif raised := task.exception():
        raise unwrapped(raised)


async def _ask_in_task(turn: Turn) -> Judgment:
    _outer_deadline.set(turn.deadline)
    try:
        return await ask(turn)
    except (KeyboardInterrupt, SystemExit) as raised:
        raise PropagatedError(raised) from None
