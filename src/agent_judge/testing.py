"""Judges and contexts to test with: your own judges, juries and whatever runs them.

None of them needs a package, a file, a model or a clock. A judge that has to be slow waits for an
event of yours, so that a test decides when it goes on.

Example:
    >>> from agent_judge import Jury, Majority
    >>> jury = Jury([passing(), passing(), failing("no")], Majority())
    >>> jury.vote(a_context(output="5")).status.name
    'PASS'
"""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeAlias

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError
from agent_judge.judgment import Judgment, ReasonCode
from agent_judge.protocol import Cost, Judge, JudgeMetadata, describe

if TYPE_CHECKING:
    import asyncio

    from agent_judge.models import ModelRequest, ModelResponse

__all__ = [
    "AwaitingJudge",
    "BlockingJudge",
    "FixedJudge",
    "HangingJudge",
    "RecordingJudge",
    "ScriptedJudge",
    "ScriptedModel",
    "a_context",
    "abstaining",
    "always",
    "erring",
    "failing",
    "not_applicable",
    "passing",
    "scoring",
]


Reply: TypeAlias = (
    "str | Mapping[str, Any] | ModelResponse | BaseException | Callable[[ModelRequest], Reply]"
)
"""What a `ScriptedModel` may be told to answer."""


def a_context(**changes: Any) -> JudgmentContext:
    """A run that went well, with the fields that a test cares about changed.

    Example:
        >>> a_context(output="5").output, a_context().expected
        ('5', '4')
    """
    usual: dict[str, Any] = {"goal": "Add 2 and 2", "output": "4", "expected": "4"}
    return JudgmentContext(**{**usual, **changes})


@dataclass(frozen=True, slots=True)
class FixedJudge:
    """A judge that always finds the same, at no cost. `always`, `passing` and so on make it."""

    judgment: Judgment
    metadata: JudgeMetadata

    def __call__(self, _context: JudgmentContext, /) -> Judgment:
        """Judge one run."""
        return self.judgment


def always(judgment: Judgment, *, name: str | None = None) -> FixedJudge:
    """A judge that always gives this judgment.

    Args:
        judgment: What it gives.
        name: What it is called; two judges of one jury may not be given the same name. Unless
            given, it is called after its status, and a jury numbers those that are alike.
    """
    metadata = JudgeMetadata(
        judgment.status.value if name is None else name,
        cost=Cost.MEMORY,
        type="fixed",
        explicit=name is not None,
    )
    return FixedJudge(judgment, metadata)


def passing(reasoning: str = "", *, name: str | None = None, **details: Any) -> FixedJudge:
    """A judge that always passes; further arguments are those of `Judgment.passing`."""
    return always(Judgment.passing(reasoning, **details), name=name)


def failing(reasoning: str = "", *, name: str | None = None, **details: Any) -> FixedJudge:
    """A judge that always fails; further arguments are those of `Judgment.failing`."""
    return always(Judgment.failing(reasoning, **details), name=name)


def scoring(value: float, *, threshold: float = 0.5, name: str | None = None) -> FixedJudge:
    """A judge that always gives this score, and passes when it reaches the threshold."""
    return always(Judgment.scored(value, threshold=threshold), name=name)


def abstaining(
    reasoning: str = "cannot tell", *, name: str | None = None, **details: Any
) -> FixedJudge:
    """A judge that always abstains; further arguments are those of `Judgment.abstaining`."""
    return always(Judgment.abstaining(reasoning, **details), name=name)


def erring(
    reasoning: str = "could not judge",
    code: ReasonCode = ReasonCode.JUDGE_RAISED,
    *,
    name: str | None = None,
    **details: Any,
) -> FixedJudge:
    """A judge that always gives ERROR; further arguments are those of `Judgment.erring`."""
    return always(Judgment.erring(reasoning, code, **details), name=name)


def not_applicable(
    reasoning: str = "nothing to judge", *, name: str | None = None, declared: bool = True
) -> FixedJudge:
    """A judge that never applies.

    Args:
        reasoning: Why not.
        name: What it is called.
        declared: Whether it counts as having declared its condition beforehand.
    """
    metadata = JudgeMetadata(
        "not_applicable" if name is None else name,
        cost=Cost.MEMORY,
        type="fixed",
        explicit=name is not None,
        conditional=declared,
    )
    return FixedJudge(Judgment.not_applicable(reasoning), metadata)


class ScriptedJudge:
    """A judge that gives one answer after the other, and refuses to be asked once more.

    An answer that is an exception is raised.

    Args:
        answers: What it gives, in order.

    Raises:
        ArgumentError: No answers.

    Example:
        >>> from agent_judge import Judgment, evaluate
        >>> judge = ScriptedJudge([Judgment.failing("not yet"), Judgment.passing()])
        >>> [evaluate(judge, a_context()).status.name for _ in range(2)]
        ['FAIL', 'PASS']
    """

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata("scripted", Cost.MEMORY, type="scripted")

    def __init__(self, answers: Iterable[Judgment | BaseException]) -> None:
        self.answers: Final = tuple(answers)
        self.asked = 0
        if not self.answers:
            raise ArgumentError("a ScriptedJudge needs at least one answer")

    def __call__(self, _context: JudgmentContext, /) -> Judgment:
        """Give the next answer."""
        self.asked += 1
        if self.asked > len(self.answers):
            raise AssertionError(f"asked {self.asked} times; it has {len(self.answers)} answers")
        answer = self.answers[self.asked - 1]
        if isinstance(answer, BaseException):
            raise answer
        return answer


class ScriptedModel:
    """A model that gives one reply after the other, and refuses to be asked once more.

    Where a request demands a token, a reply that is a mapping gives it; of other replies nothing is
    changed, so that a test can also leave it out.

    Args:
        replies: What it answers, in order: text, the members of a JSON object, or a whole
            response. An exception is raised, and a function of the request makes the reply.
        name: What people call it.

    Attributes:
        requests: What it was asked, in order.

    Example:
        >>> from agent_judge import evaluate
        >>> from agent_judge.llm import CorrectnessJudge
        >>> model = ScriptedModel([{"reason": "2 + 2 is 4.", "verdict": "correct"}])
        >>> evaluate(CorrectnessJudge(model), a_context()).passed
        True
        >>> len(model.requests)
        1
    """

    def __init__(self, replies: Iterable[Reply], *, name: str = "scripted") -> None:
        self.name: Final = name
        self._replies: Final = tuple(replies)
        self.requests: Final[list[ModelRequest]] = []
        if not self._replies:
            raise ArgumentError("a ScriptedModel needs at least one reply")

    async def __call__(self, request: ModelRequest, /) -> ModelResponse:
        """Give the next reply."""
        self.requests.append(request)
        asked = len(self.requests)
        if asked > len(self._replies):
            raise AssertionError(f"asked {asked} times; it has {len(self._replies)} replies")
        return _as_response(self._replies[asked - 1], request)


def _as_response(reply: Reply, request: ModelRequest) -> ModelResponse:
    from agent_judge.models import ModelResponse

    if isinstance(reply, BaseException):
        raise reply
    if callable(reply):
        return _as_response(reply(request), request)
    if isinstance(reply, ModelResponse):
        return reply
    if isinstance(reply, str):
        return ModelResponse(reply)
    import json

    from agent_judge.frozen import thaw

    token = {} if request.nonce is None else {"token": f"verdict-{request.nonce}"}
    return ModelResponse(json.dumps({**token, **thaw(reply)}))


class RecordingJudge:
    """A judge that notes each run it is asked about, then asks another one.

    Args:
        judge: Whose findings it gives; one that passes unless said otherwise.

    Attributes:
        contexts: The runs, in the order of asking.
    """

    def __init__(self, judge: Judge | None = None) -> None:
        self._judge: Judge = passing() if judge is None else judge
        self.metadata: Final = describe(self._judge)
        self.contexts: Final[list[JudgmentContext]] = []

    def __call__(self, context: JudgmentContext, /) -> Judgment | Awaitable[Judgment]:
        """Note the run, and ask."""
        self.contexts.append(context)
        return self._judge(context)


class AwaitingJudge:
    """An async judge that waits for your event or barrier before it answers.

    Args:
        gate: What it waits for: `asyncio.Event`, `asyncio.Barrier`, anything with `wait()`.
        judgment: What it finds then; PASS unless said otherwise.
    """

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata("awaiting", type="awaiting")

    def __init__(
        self, gate: asyncio.Event | asyncio.Barrier, judgment: Judgment | None = None
    ) -> None:
        self._gate = gate
        self._judgment = Judgment.passing() if judgment is None else judgment

    async def __call__(self, _context: JudgmentContext, /) -> Judgment:
        """Wait, then judge."""
        await self._gate.wait()
        return self._judgment


class HangingJudge:
    """An async judge that never answers; only cancelling it ends it.

    Attributes:
        begun: Set once somebody asked it; a `threading.Event`, so that any thread may wait for it.
        cancelled: Set once it was cancelled and has cleaned up.
    """

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata("hanging", type="hanging")

    def __init__(self) -> None:
        self.begun: Final = threading.Event()
        self.cancelled: Final = threading.Event()

    async def __call__(self, _context: JudgmentContext, /) -> Judgment:
        """Wait for ever."""
        import asyncio

        self.begun.set()
        never: asyncio.Future[Judgment] = asyncio.get_running_loop().create_future()
        try:
            return await never
        finally:
            self.cancelled.set()


class BlockingJudge:
    """A sync judge that blocks its thread until it is released, as one that hangs would.

    Release it before the test ends, best by using it in a `with` statement: nothing can stop a
    thread from outside.

    Args:
        gate: What it waits for, where that is yours: a `threading.Event` or `threading.Barrier`.
        judgment: What it finds then; PASS unless said otherwise.

    Attributes:
        begun: Set once somebody asked it.
        ended: Set once it answered.
    """

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata("blocking", type="blocking")

    def __init__(
        self,
        gate: threading.Event | threading.Barrier | None = None,
        judgment: Judgment | None = None,
    ) -> None:
        self._gate = threading.Event() if gate is None else gate
        self._judgment = Judgment.passing() if judgment is None else judgment
        self.begun: Final = threading.Event()
        self.ended: Final = threading.Event()

    def __call__(self, _context: JudgmentContext, /) -> Judgment:
        """Block, then judge."""
        self.begun.set()
        try:
            self._gate.wait()
        finally:
            self.ended.set()
        return self._judgment

    def release(self) -> None:
        """Let it go on, now and whenever it is asked again."""
        if isinstance(self._gate, threading.Event):
            self._gate.set()
        else:
            self._gate.abort()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.release()
