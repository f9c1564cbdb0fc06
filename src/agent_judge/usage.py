"""What a run or a judgment consumed, as far as it was reported."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import MAX_INTEGER, fits_json


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens, calls and money, each `None` where nobody reported it.

    Nothing is derived: a total that was not reported stays unknown, and so does a price.

    Args:
        input_tokens: Tokens read, cached ones included.
        output_tokens: Tokens written, reasoning included.
        total_tokens: The total as it was reported.
        cached_tokens: Those of the input tokens that came from a cache.
        reasoning_tokens: Those of the output tokens that were reasoning.
        calls: Calls of a model.
        cost: Price in US dollars.

    Raises:
        ArgumentTypeError: A count that is not an `int`, a cost that is not a number.
        ArgumentError: A negative amount, or a cost that is not finite.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    total_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    calls: int | None = None
    cost: float | None = None

    def __post_init__(self) -> None:
        for field in _COUNTS:
            count = getattr(self, field)
            if count is not None and type(count) is not int:
                raise ArgumentTypeError(f"usage.{field} must be a whole number, not {count!r}")
            if count is not None and not 0 <= count <= MAX_INTEGER:
                raise ArgumentError(
                    f"usage.{field} must not be negative nor beyond 2**53 - 1, got {count}"
                )
        if self.cost is not None:
            _check_cost(self.cost)

    @classmethod
    def total(cls, usages: Iterable[Usage]) -> Usage:
        """Add usages up; an amount that one of them does not report is unknown in the sum."""
        parts = tuple(usages)
        sums: dict[str, Any] = {field.name: _sum(parts, field.name) for field in fields(cls)}
        return cls(**sums)


_COUNTS = (
    "input_tokens",
    "output_tokens",
    "total_tokens",
    "cached_tokens",
    "reasoning_tokens",
    "calls",
)


def _check_cost(cost: float) -> None:
    if type(cost) not in (int, float):
        raise ArgumentTypeError(f"usage.cost must be a number of US dollars, not {cost!r}")
    if not fits_json(cost) or cost < 0:
        raise ArgumentError(f"usage.cost must be finite and not negative, got {cost}")


def _sum(parts: tuple[Usage, ...], field: str) -> int | float | None:
    """The sum of a field; unknown where a part is, or where it is beyond what can be kept."""
    amounts = [getattr(part, field) for part in parts]
    if not amounts or None in amounts:
        return None
    total: int | float = sum(amounts)
    return total if fits_json(total) else None
