"""What a judge is: any callable that takes a run and says what it found of it."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache, partial
from typing import Any, Final, Protocol, TypeAlias, cast, overload, runtime_checkable

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError, JudgeAnswerError
from agent_judge.frozen import check_text
from agent_judge.judgment import Judgment, check_threshold


@runtime_checkable
class Judge(Protocol):
    """One check of one run: a function, lambda, bound method or callable object, sync or async.

    Example:
        >>> def tidy(context: JudgmentContext) -> Judgment:
        ...     return Judgment.passing("ok")
        >>> isinstance(tidy, Judge)
        True
    """

    def __call__(self, context: JudgmentContext, /) -> Judgment | Awaitable[Judgment]:
        """Judge one run."""
        ...


class Cost(IntEnum):
    """What asking a judge costs, the cheapest first; the engine runs each class its own way.

    MEMORY: microseconds; run inline. FILE: reads files; run in a worker thread. COMMAND: runs
    programs. MODEL: asks a model.
    """

    MEMORY = 0
    FILE = 1
    COMMAND = 2
    MODEL = 3


@dataclass(frozen=True, slots=True)
class JudgeMetadata:
    """What is known of a judge before it is asked.

    Args:
        name: What people call it; in a jury it becomes the key of the judge's seat.
        cost: Its cost class; `None` where nobody declared it.
        type: What kind of judge it is, for example `"file_exists"`.
        needs: The parts of the context it reads, for example `("output", "expected")`.
        version: Changes whenever its answers may change.
        explicit: Whether a person chose the name (else it comes from a function or class).
        conditional: Whether it declared beforehand when it does not apply, so that
            NOT_APPLICABLE may leave a vote without being counted.
    """

    name: str
    cost: Cost | None = None
    type: str = ""
    needs: tuple[str, ...] = ()
    version: str = ""
    explicit: bool = False
    conditional: bool = False

    def __post_init__(self) -> None:
        check_name(self.name)
        if self.cost is not None and not isinstance(self.cost, Cost):
            raise ArgumentTypeError(f"cost must be a Cost, not {self.cost!r}")
        object.__setattr__(self, "needs", tuple(self.needs))


Answer: TypeAlias = "Judgment | bool | float | tuple[bool, str]"
"""What a function under `@judge` may return."""

JudgeFunction: TypeAlias = Callable[[JudgmentContext], "Answer | Awaitable[Answer]"]


def describe(judge: Judge) -> JudgeMetadata:
    """What is known of any judge: its own metadata, else a name taken from its code.

    Raises:
        ArgumentTypeError: It cannot be called, or is a class instead of one of its instances.
    """
    if isinstance(judge, type):
        raise ArgumentTypeError(f"{judge!r} is a class; a judge is an instance of it")
    known = getattr(judge, "metadata", None)
    if isinstance(known, JudgeMetadata):
        return known
    if not callable(judge):
        raise ArgumentTypeError(f"a judge is a callable that takes a context, not {judge!r}")
    return JudgeMetadata(name=_derived_name(judge), type="function")


@dataclass(frozen=True, slots=True)
class FunctionJudge:
    """A function with what `@judge` declared of it. It is made by `judge`, not by hand."""

    function: JudgeFunction
    metadata: JudgeMetadata
    threshold: float | None = None
    applies_when: Callable[[JudgmentContext], bool] | None = None

    def __call__(self, context: JudgmentContext, /) -> Judgment | Awaitable[Judgment]:
        """Judge one run; what the function returned is read as a judgment."""
        if self.applies_when is not None and not self.applies_when(context):
            return Judgment.not_applicable(f"the condition of {self.metadata.name!r} does not hold")
        answer = self.function(context)
        if isinstance(answer, Judgment):
            return answer
        if isinstance(answer, Awaitable):
            return self._awaited(answer)
        return self._read(answer)

    async def _awaited(self, answer: Awaitable[Answer]) -> Judgment:
        return self._read(await answer)

    def _read(self, answer: Answer) -> Judgment:
        if isinstance(answer, Judgment):
            return answer
        if answer is True:
            return Judgment.passing()
        if answer is False:
            return Judgment.failing()
        if type(answer) is float:
            return self._score(answer)
        if isinstance(answer, tuple) and [type(part) for part in answer] == [bool, str]:
            passed, why = answer
            return Judgment.passing(why) if passed else Judgment.failing(why)
        raise JudgeAnswerError(
            f"judge {self.metadata.name!r} returned {answer!r:.120}; "
            "it may return a Judgment, a bool, a float in 0..1 or (bool, str)"
        )

    def _score(self, value: float) -> Judgment:
        if self.threshold is None:
            raise JudgeAnswerError(
                f"judge {self.metadata.name!r} returned the float {value}; "
                "declare its pass mark: @judge(threshold=…)"
            )
        if not 0 <= value <= 1:
            raise JudgeAnswerError(
                f"judge {self.metadata.name!r} returned {value}, which lies outside 0..1"
            )
        return Judgment.scored(value, threshold=self.threshold)


@overload
def judge(function: JudgeFunction, /) -> FunctionJudge: ...
@overload
def judge(
    *,
    name: str | None = None,
    cost: Cost | None = None,
    threshold: float | None = None,
    applies_when: Callable[[JudgmentContext], bool] | None = None,
    needs: Iterable[str] = (),
    version: str = "",
) -> Callable[[JudgeFunction], FunctionJudge]: ...
def judge(
    function: JudgeFunction | None = None,
    /,
    *,
    name: str | None = None,
    cost: Cost | None = None,
    threshold: float | None = None,
    applies_when: Callable[[JudgmentContext], bool] | None = None,
    needs: Iterable[str] = (),
    version: str = "",
) -> FunctionJudge | Callable[[JudgeFunction], FunctionJudge]:
    """Declare a function to be a judge, so that it may return less than a whole `Judgment`.

    Args:
        function: `(context) -> Judgment | bool | float | (bool, str)`, sync or async.
        name: What people call it; the function's name unless given.
        cost: Its cost class. MEMORY judges run inline; an undeclared one is not assumed to be.
        threshold: The pass mark in 0..1, required of a function that returns a float.
        applies_when: The condition under which it judges at all; else it is NOT_APPLICABLE.
        needs: The parts of the context it reads.
        version: Changes whenever its answers may change.

    Raises:
        ArgumentError: A threshold outside 0..1, or none on a function declared to return float.

    Example:
        >>> @judge(cost=Cost.MEMORY)
        ... def answers_briefly(context: JudgmentContext) -> bool:
        ...     return len(str(context.output)) < 80
        >>> answers_briefly(JudgmentContext(output="4")).passed
        True
    """
    if threshold is not None:
        check_threshold(threshold)

    def declare(function: JudgeFunction) -> FunctionJudge:
        _refuse_markless_float(function, threshold)
        metadata = JudgeMetadata(
            name=name if name is not None else _derived_name(function),
            cost=cost,
            type="function",
            needs=tuple(needs),
            version=version,
            explicit=name is not None,
            conditional=applies_when is not None,
        )
        return FunctionJudge(function, metadata, threshold, applies_when)

    return declare if function is None else declare(function)


@dataclass(frozen=True, slots=True)
class NamedJudge:
    """A judge under a name that a person chose. It is made by `named`, not by hand."""

    judge: Judge
    metadata: JudgeMetadata

    def __call__(self, context: JudgmentContext, /) -> Judgment | Awaitable[Judgment]:
        """Ask the judge."""
        return self.judge(context)


def named(name: str, judge: Judge) -> NamedJudge:
    """Give a judge a name; everything else that is known of it stays.

    Raises:
        ArgumentError: A name that cannot be one.
    """
    inner = judge.judge if isinstance(judge, NamedJudge) else judge
    return NamedJudge(inner, replace(describe(judge), name=name, explicit=True))


MAX_NAME: Final = 64

NAMELESS: Final = "judge"
"""What a judge without any name is called."""


def check_name(name: object, what: str = "name") -> None:
    """Refuse a name that people could not tell apart or a path could not hold.

    Raises:
        ArgumentTypeError: It is not a string.
        ArgumentError: Empty, over 64 characters, outer space, control characters or not NFC.
    """
    if type(name) is not str or not name.isascii():
        check_text(name, what)
    fault = _name_fault(str(name))
    if fault:
        raise ArgumentError(f"{what} {name!r} {fault}")


@lru_cache(maxsize=4096)
def _name_fault(name: str) -> str | None:
    if not name:
        return "is empty"
    if len(name) > MAX_NAME:
        return f"has {len(name)} characters; at most {MAX_NAME} are allowed"
    if name != name.strip():
        return "begins or ends with white space"
    if not name.isprintable():
        return "holds a character that cannot be printed"
    if not name.isascii():
        from unicodedata import is_normalized

        if not is_normalized("NFC", name):
            return "is not in Unicode normalisation form NFC"
    return None


def is_async(judge: Any) -> bool:
    """Whether calling the judge is known to give an awaitable: its code is a coroutine function."""
    inner = getattr(judge, "judge", None) or getattr(judge, "function", None)
    if inner is not None and isinstance(judge, NamedJudge | FunctionJudge):
        return is_async(inner)
    return is_called_async(judge)


def is_called_async(function: object) -> bool:
    """Whether calling something is known to give a coroutine, by its own code or its class's."""
    kind = cast("Callable[..., object]", type(function))
    return _has_async_call(kind) or inspect.iscoroutinefunction(function)


@lru_cache(maxsize=256)
def _has_async_call(kind: Callable[..., object]) -> bool:
    return inspect.iscoroutinefunction(getattr(kind, "__call__", None))  # noqa: B004 - the method is wanted


def _refuse_markless_float(function: JudgeFunction, threshold: float | None) -> None:
    returns = getattr(function, "__annotations__", {}).get("return")
    if threshold is None and returns in (float, "float"):
        raise ArgumentError(
            f"judge {_derived_name(function)!r} returns a float; "
            "declare its pass mark: @judge(threshold=…)"
        )


def _derived_name(function: Any) -> str:
    if isinstance(function, partial):
        return _derived_name(function.func)
    name = getattr(function, "__name__", None) or type(function).__name__
    return NAMELESS if name == "<lambda>" else str(name)[:MAX_NAME]
