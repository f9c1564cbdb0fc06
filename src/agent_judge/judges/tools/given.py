"""Whether the calls of a tool were given the right arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from agent_judge.context import JudgmentContext, ToolCall
from agent_judge.errors import ArgumentError
from agent_judge.frozen import EMPTY, Json, check_text, freeze_map
from agent_judge.judges.tools.arguments import (
    Arguments,
    ArgumentsComparison,
    ArgumentsMode,
    Comparator,
    parse_arguments_mode,
)
from agent_judge.judges.tools.record import shown_call, shown_name
from agent_judge.judgment import Check, Judgment, check_threshold
from agent_judge.protocol import Cost, JudgeMetadata


@dataclass(frozen=True, slots=True)
class ToolArgumentsJudge:
    """Whether every call of a tool was given the arguments that it should have been given.

    The score is the share of the tool's calls that were. Where it was not called at all there are
    no arguments to judge: NOT_APPLICABLE.

    Args:
        tool: The tool; calls of others do not count.
        expected: The arguments.
        mode: `"superset"` (these, and perhaps others), `"exact"`, or `"subset"` (none but these).
        tolerance: How far a number may be from the expected one, by the argument's name.
        comparators: Functions `(expected, given) -> bool` that decide instead, by the argument's
            name; from Python only.
        threshold: The share from which it passes.

    Raises:
        ArgumentError: A blank tool, an unknown mode, or expected arguments by which every call
            would pass.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import JudgmentContext, ToolCall, evaluate
        >>> judge = ToolArgumentsJudge("pay", {"currency": "EUR"})
        >>> context = JudgmentContext(tool_calls=[ToolCall("pay", {"currency": "USD"})])
        >>> evaluate(judge, context).checks[0].message
        'call 1: currency is "USD", expected "EUR"'
    """

    tool: str
    expected: Mapping[str, Json]
    mode: Literal["superset", "exact", "subset"] = "superset"
    tolerance: Mapping[str, float] = EMPTY
    comparators: Mapping[str, Comparator] = EMPTY
    threshold: float = 1.0
    _comparison: ArgumentsComparison = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "ToolArgumentsJudge",
        cost=Cost.MEMORY,
        type="tool_arguments",
        needs=("tool_calls",),
        version="1",
        conditional=True,
    )

    def __post_init__(self) -> None:
        check_text(self.tool, "tool")
        if not self.tool.strip():
            raise ArgumentError("tool is blank; say which tool")
        mode = parse_arguments_mode(self.mode)
        _set(self, "expected", freeze_map(self.expected, "expected", nulls=True))
        if mode is ArgumentsMode.IGNORE or (mode is ArgumentsMode.SUPERSET and not self.expected):
            raise ArgumentError(
                f"in mode {self.mode!r}, with the arguments {dict(self.expected)}, "
                "every call would pass"
            )
        comparison = ArgumentsComparison(mode, self.tolerance, self.comparators)
        _set(self, "_comparison", comparison)
        _set(self, "tolerance", comparison.tolerance)
        _set(self, "comparators", comparison.comparators)
        check_threshold(self.threshold)

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Compare the arguments of each call of the tool with the expected ones."""
        calls = [
            (position, call)
            for position, call in enumerate(context.tool_calls, start=1)
            if call.name == self.tool
        ]
        if not calls:
            return Judgment.not_applicable(f"no call of {shown_name(self.tool)} is recorded")
        expected = Arguments(self.expected)
        return self._sum_up([self._check(position, call, expected) for position, call in calls])

    def _check(self, position: int, call: ToolCall, expected: Arguments) -> Check:
        differences = self._comparison.differences(expected, Arguments(call.arguments))
        message = f"call {position}: {'; '.join(differences) or 'as expected'}"
        return Check(shown_call(call.name, call.arguments), not differences, message)

    def _sum_up(self, checks: Sequence[Check]) -> Judgment:
        good = sum(check.passed for check in checks)
        return Judgment.scored(
            good / len(checks),
            threshold=self.threshold,
            reasoning=f"{good} of {len(checks)} calls of {shown_name(self.tool)} are as expected",
            checks=checks,
        )


_set = object.__setattr__
