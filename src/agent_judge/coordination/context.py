"""What a policy is told about the attempt that it judges, beside the output."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agent_judge.coordination.verdict import JudgeVerdict
from agent_judge.errors import ArgumentError, ArgumentTypeError


@dataclass(frozen=True, slots=True)
class JudgeContext:
    """Where the loop stands; what a judge reads of a run is a `JudgmentContext`.

    Args:
        iteration: The number of the attempt, from 1.
        max_iterations: How many attempts there are at most.
        previous_verdicts: Those of the earlier attempts, oldest first.
        time_budget: Seconds that remain of the loop's time limit; `None` without a limit.

    Raises:
        ArgumentError: A number below 1, or a time budget below 0.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> JudgeContext.first(3).is_final_iteration
        False
    """

    iteration: int
    max_iterations: int
    previous_verdicts: tuple[JudgeVerdict, ...] = ()
    time_budget: float | None = None

    def __post_init__(self) -> None:
        for name in ("iteration", "max_iterations"):
            number = getattr(self, name)
            if type(number) is not int:
                raise ArgumentTypeError(f"{name} must be a whole number, not {number!r:.120}")
            if number < 1:
                raise ArgumentError(f"{name} counts from 1, got {number}")
        object.__setattr__(self, "previous_verdicts", _checked(self.previous_verdicts))
        _check_budget(self.time_budget)

    @classmethod
    def first(cls, max_iterations: int) -> JudgeContext:
        """The context of a first attempt, to call a policy without a loop."""
        return cls(1, max_iterations)

    @property
    def is_final_iteration(self) -> bool:
        """Whether no attempt may follow this one."""
        return self.iteration >= self.max_iterations


def _checked(verdicts: Iterable[JudgeVerdict]) -> tuple[JudgeVerdict, ...]:
    if isinstance(verdicts, str) or not isinstance(verdicts, Iterable):
        raise ArgumentTypeError(f"previous_verdicts must be a sequence, not {verdicts!r:.120}")
    checked = tuple(verdicts)
    for index, verdict in enumerate(checked):
        if not isinstance(verdict, JudgeVerdict):
            raise ArgumentTypeError(
                f"previous_verdicts[{index}] must be a JudgeVerdict, not {verdict!r:.120}"
            )
    return checked


def _check_budget(seconds: object) -> None:
    if seconds is None:
        return
    if type(seconds) not in (int, float):
        raise ArgumentTypeError(f"time_budget must be a number of seconds, not {seconds!r:.120}")
    if not seconds >= 0:  # type: ignore[operator]
        raise ArgumentError(f"time_budget must not be negative, got {seconds}")
