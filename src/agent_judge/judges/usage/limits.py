"""Whether a run stayed within limits: time, tokens, money, steps.

What was not reported is unknown, not zero: such a judgment is ABSTAIN, unless another limit is
known to be exceeded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from typing import ClassVar, Literal

from agent_judge.context import JudgmentContext
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.tools.record import check_no_calls, none_recorded
from agent_judge.judgment import Check, Judgment, ReasonCode
from agent_judge.protocol import Cost, JudgeMetadata
from agent_judge.usage import Usage


@dataclass(frozen=True, slots=True)
class ElapsedJudge:
    """Whether the run took at most so many seconds.

    Args:
        max_seconds: Seconds; a run that took exactly as long passes.

    Raises:
        ArgumentError: A limit that is negative or not finite.
        ArgumentTypeError: A limit that is not a number.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> evaluate(ElapsedJudge(60), JudgmentContext(elapsed=12.5)).reasoning
        'elapsed: 12.5 seconds of at most 60'
    """

    max_seconds: float

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "ElapsedJudge", cost=Cost.MEMORY, type="elapsed", needs=("elapsed",), version="1"
    )

    def __post_init__(self) -> None:
        _check_amount(self.max_seconds, "max_seconds")

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the seconds that the run took with the limit."""
        return _judge([_Limit("elapsed", "seconds", context.elapsed, self.max_seconds)])


@dataclass(frozen=True, slots=True)
class TokensJudge:
    """Whether the run used at most so many tokens.

    A total that was not reported is not derived from the parts.

    Args:
        max_total: Tokens in all.
        max_input: Tokens read, cached ones included.
        max_output: Tokens written, reasoning included.

    Raises:
        ArgumentError: No limit at all, or a negative one.
        ArgumentTypeError: A limit that is not a whole number.

    Example:
        >>> from agent_judge import JudgmentContext, Usage, evaluate
        >>> context = JudgmentContext(usage=Usage(output_tokens=900))
        >>> evaluate(TokensJudge(max_output=1000), context).passed
        True
    """

    max_total: int | None = None
    max_input: int | None = None
    max_output: int | None = None

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "TokensJudge", cost=Cost.MEMORY, type="tokens", needs=("usage",), version="1"
    )

    def __post_init__(self) -> None:
        limits = {name: getattr(self, name) for name in ("max_total", "max_input", "max_output")}
        if all(limit is None for limit in limits.values()):
            raise ArgumentError("give at least one of max_total, max_input and max_output")
        for name, limit in limits.items():
            if limit is not None:
                _check_count(limit, name)

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the tokens that were reported with the limits."""
        usage = context.usage or Usage()
        amounts = (
            ("total", usage.total_tokens, self.max_total),
            ("input", usage.input_tokens, self.max_input),
            ("output", usage.output_tokens, self.max_output),
        )
        return _judge(
            _Limit(name, "tokens", amount, limit)
            for name, amount, limit in amounts
            if limit is not None
        )


@dataclass(frozen=True, slots=True)
class CostJudge:
    """Whether the run cost at most so much.

    Args:
        max_usd: US dollars.

    Raises:
        ArgumentError: A limit that is negative or not finite.
        ArgumentTypeError: A limit that is not a number.

    Example:
        >>> from agent_judge import JudgmentContext, evaluate
        >>> evaluate(CostJudge(0.5), JudgmentContext()).status.name
        'ABSTAIN'
    """

    max_usd: float

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "CostJudge", cost=Cost.MEMORY, type="cost", needs=("usage",), version="1"
    )

    def __post_init__(self) -> None:
        _check_amount(self.max_usd, "max_usd")

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the price that was reported with the limit."""
        cost = context.usage.cost if context.usage else None
        return _judge([_Limit("cost", "US dollars", cost, self.max_usd)])


@dataclass(frozen=True, slots=True)
class StepsJudge:
    """Whether the run made at most so many calls of tools.

    Args:
        max_steps: Calls of tools.
        no_calls: What it means that no call is recorded. `"abstain"`: perhaps nobody recorded
            them. `"pass"`: whoever runs the agent records every call, so none was made.

    Raises:
        ArgumentError: A negative limit, or an unknown word for `no_calls`.
        ArgumentTypeError: A limit that is not a whole number.

    Example:
        >>> from agent_judge import JudgmentContext, ToolCall, evaluate
        >>> context = JudgmentContext(tool_calls=[ToolCall("search"), ToolCall("read")])
        >>> evaluate(StepsJudge(1), context).reasoning
        'steps: 2 tool calls of at most 1'
    """

    max_steps: int
    no_calls: Literal["abstain", "pass"] = "abstain"

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "StepsJudge", cost=Cost.MEMORY, type="steps", needs=("tool_calls",), version="1"
    )

    def __post_init__(self) -> None:
        _check_count(self.max_steps, "max_steps")
        check_no_calls(self.no_calls)

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Count the calls of tools."""
        if not context.tool_calls:
            return none_recorded(self.no_calls)
        return _judge([_Limit("steps", "tool calls", len(context.tool_calls), self.max_steps)])


@dataclass(frozen=True, slots=True)
class _Limit:
    """An amount, `None` where it was not reported, and the most that it may be."""

    name: str
    unit: str
    amount: float | None
    most: float

    @property
    def check(self) -> Check | None:
        """Whether the amount is within the limit, where it is known."""
        if self.amount is None:
            return None
        message = f"{_number(self.amount)} {self.unit} of at most {_number(self.most)}"
        return Check(self.name, self.amount <= self.most, message)


def _judge(limits: Iterable[_Limit]) -> Judgment:
    limits = tuple(limits)
    checks = tuple(check for limit in limits if (check := limit.check) is not None)
    unknown = [limit.name for limit in limits if limit.amount is None]
    if unknown and all(check.passed for check in checks):
        return Judgment.abstaining(
            f"the run did not report: {', '.join(unknown)}",
            checks=checks,
            code=ReasonCode.MISSING_INPUT,
        )
    reasoning = "; ".join(f"{check.name}: {check.message}" for check in checks)
    return Judgment.from_checks(checks, reasoning)


def _number(amount: float) -> str:
    return f"{amount:.15g}"


def _check_amount(amount: object, name: str) -> None:
    if type(amount) is not int and type(amount) is not float:
        raise ArgumentTypeError(f"{name} must be a number, not {amount!r}")
    if not isfinite(amount) or amount < 0:
        raise ArgumentError(f"{name} must be finite and not negative, got {amount}")


def _check_count(count: object, name: str) -> None:
    if type(count) is not int:
        raise ArgumentTypeError(f"{name} must be a whole number, not {count!r}")
    if count < 0:
        raise ArgumentError(f"{name} must not be negative, got {count}")
