"""A mark for a score that a function gives: deterministic, and without a model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from math import inf, isfinite, nan
from numbers import Real
from typing import Any, Final, Generic, TypeAlias, TypeVar, cast

from agent_judge.coordination.asking import Evaluating, called
from agent_judge.coordination.context import JudgeContext
from agent_judge.coordination.verdict import JudgeVerdict
from agent_judge.engine.run import Run
from agent_judge.errors import ArgumentTypeError
from agent_judge.judgment import check_threshold
from agent_judge.scores import reaches

T = TypeVar("T")

Scored: TypeAlias = float | tuple[float, Iterable[str]]
"""A score, or a score and what to change."""


class ThresholdJudgePolicy(Evaluating, Generic[T]):
    """Approves an output whose score reaches a mark.

    Below it, the output is to be tried again, and is rejected on the last attempt. An output of
    another type has score 0 and is never approved.

    Args:
        threshold: The mark in 0..1; a score equal to it is approved.
        output_type: The type that an output has to have; a subclass will do.
        scoring_function: Gives the score, which is held within 0..1, or a score and suggestions;
            sync or async.

    Raises:
        ArgumentError: A threshold outside 0..1.
        ArgumentTypeError: A type that is none, or a function that cannot be called.

    Example:
        >>> policy = ThresholdJudgePolicy(0.8, str, lambda text: min(1, len(text) / 10))
        >>> policy.evaluate("agent-1", "much too short"[:4], JudgeContext.first(3)).decision
        <Decision.RETRY: 'retry'>
    """

    __slots__ = ("_score", "output_type", "threshold")

    def __init__(
        self,
        threshold: float,
        output_type: type[T],
        scoring_function: Callable[[T], Scored | Awaitable[Scored]],
    ) -> None:
        check_threshold(threshold)
        if not isinstance(output_type, type):
            raise ArgumentTypeError(f"output_type must be a type, not {output_type!r:.120}")
        if not callable(scoring_function):
            raise ArgumentTypeError(f"scoring_function cannot be called: {scoring_function!r:.120}")
        self.threshold = threshold
        self.output_type = output_type
        self._score = scoring_function

    @property
    def fingerprint(self) -> str:
        """What it decides by: the mark, the type and the name of the function."""
        function = getattr(self._score, "__qualname__", type(self._score).__qualname__)
        return f"threshold {self.threshold} {self.output_type.__qualname__} {function}"

    async def evaluate_in(
        self,
        run: Run,
        agent_id: str,  # noqa: ARG002 - a policy is told
        output: Any,
        context: JudgeContext,
        /,
    ) -> JudgeVerdict:
        """Score an output, and compare the score with the mark."""
        if not isinstance(output, self.output_type):
            made = "nothing" if output is None else f"a {type(output).__qualname__}"
            wanted = self.output_type.__qualname__
            return _below(f"expected a {wanted}, got {made}", 0.0, (), context)
        score, suggestions = _read(await called(run, lambda: self._score(output), self._score))
        if reaches(score, self.threshold):
            return JudgeVerdict.approve(f"the score {score:.4g} reaches the mark", score)
        return _below(f"the score {score:.4g} is below the mark", score, suggestions, context)


def _below(
    reason: str, score: float, suggestions: tuple[str, ...], context: JudgeContext
) -> JudgeVerdict:
    if context.is_final_iteration:
        return JudgeVerdict.reject(reason, score, suggestions)
    return JudgeVerdict.retry(reason, score, suggestions)


def _read(scored: object) -> tuple[float, tuple[str, ...]]:
    """The score, held within 0..1, and the suggestions."""
    if not isinstance(scored, tuple):
        return _number(scored), ()
    parts = cast("tuple[object, ...]", scored)
    if len(parts) != _PARTS or isinstance(parts[1], str) or not isinstance(parts[1], Iterable):
        raise ArgumentTypeError(
            "the scoring function must return a number, or a number and a list of suggestions, "
            f"not {scored!r:.120}"
        )
    return _number(parts[0]), tuple(cast("Iterable[str]", parts[1]))


_PARTS: Final = 2


def _number(score: object) -> float:
    """A score held within 0..1; one that is no number, or not finite, measured nothing."""
    number = nan if isinstance(score, bool) or not isinstance(score, Real) else _float(score)
    if not isfinite(number):
        raise ArgumentTypeError(
            "the scoring function must return a finite number, or one and suggestions, "
            f"not {score!r:.120}"
        )
    return min(1.0, max(0.0, number))


def _float(number: Real) -> float:
    try:
        return float(number)
    except OverflowError:
        return inf
