"""What a loop may consume: checked before each attempt, with enough kept back to judge it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from agent_judge.coordination.attempts import Attempt
from agent_judge.coordination.consumption import NOTHING, reported_usage, with_total
from agent_judge.coordination.errors import UsageError
from agent_judge.errors import ArgumentError
from agent_judge.usage import Usage

_UNKNOWN: Final = Usage()


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a loop may consume; `None` is no limit.

    An attempt begins only where what is left also pays for judging it: what the dearest judgment
    so far took is kept back, and at least `reserve`. An attempt that has begun is judged, so that
    the last one may go beyond the limit by what it consumes itself. Calls of judges are known
    beforehand; their limit is never passed.

    Args:
        tokens: Tokens of the agent and of its judges together.
        cost: US dollars, of both together.
        judge_calls: How often policies may be asked, the held-out one included.
        seconds: Seconds of both together; unlike a timeout it adds no verdict.
        reserve: What judging one attempt is expected to consume.

    Raises:
        ArgumentError: No limit at all, or one that is not above 0.

    Example:
        >>> Budget(cost=2.50, reserve=Usage(cost=0.10)).cost
        2.5
    """

    tokens: int | None = None
    cost: float | None = None
    judge_calls: int | None = None
    seconds: float | None = None
    reserve: Usage = _UNKNOWN

    def __post_init__(self) -> None:
        limits = {name: getattr(self, name) for name in _LIMITS}
        for name, limit in limits.items():
            if limit is not None and (type(limit) not in (int, float) or not 0 < limit < _MANY):
                raise ArgumentError(f"budget.{name} must be above 0, got {limit!r}")
        if not any(limit is not None for limit in limits.values()):
            raise ArgumentError(f"a budget limits at least one of {', '.join(_LIMITS)}")

    def allows(
        self,
        attempts: Sequence[Attempt[Any]],
        seconds: float,
        *,
        calls: int = 1,
        judgments: int = 1,
    ) -> bool:
        """Whether another attempt may begin.

        Args:
            attempts: Those that were made.
            seconds: How long the loop has been running.
            calls: How often policies are asked from now to the end, at most.
            judgments: How many judgments are to be paid from now to the end.

        Raises:
            UsageError: What an attempt consumed is limited and was not reported.
        """
        judging = max((one.judging for one in attempts), default=0.0)
        asked = sum(one.judge_calls for one in attempts)
        return (
            _is_left(self.seconds, seconds, judging * judgments)
            and (self.judge_calls is None or asked + calls <= self.judge_calls)
            and self._pays(self.tokens, attempts, "total_tokens", judgments)
            and self._pays(self.cost, attempts, "cost", judgments)
        )

    def _pays(
        self, limit: float | None, attempts: Sequence[Attempt[Any]], kind: str, judgments: int
    ) -> bool:
        if limit is None:
            return True
        made = [_amount(_made_usage(one), kind, "the executor") for one in attempts]
        judged = [_amount(one.judge_usage, kind, "the judge") for one in attempts]
        kept_back = max(getattr(with_total(self.reserve), kind) or 0.0, *judged, 0.0)
        return _is_left(limit, sum(made) + sum(judged), kept_back * judgments)


def _is_left(limit: float | None, spent: float, kept_back: float) -> bool:
    """Whether more is left than has to be kept back."""
    return limit is None or limit - spent > kept_back


_LIMITS: Final = ("tokens", "cost", "judge_calls", "seconds")
_MANY: Final = 2**53


def _made_usage(attempt: Attempt[Any]) -> Usage | None:
    """What making it consumed; of one that failed, what its exception reports as `usage`."""
    tries = attempt.candidates or (attempt,)
    used = [_reported(one) for one in tries]
    return None if None in used else Usage.total(filter(None, used))


def _reported(attempt: Attempt[Any]) -> Usage | None:
    used = attempt.made.usage if attempt.made else reported_usage(attempt.error) or NOTHING
    return None if used is None else with_total(used)


def _amount(usage: Usage | None, kind: str, who: str) -> float:
    amount = None if usage is None else getattr(usage, kind)
    if amount is None:
        raise UsageError(
            f"the budget limits {kind}, and {who} did not report it; an executor reports it by "
            "returning Produced(output, usage=Usage(…))"
        )
    return float(amount)
