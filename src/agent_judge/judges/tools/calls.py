"""Whether the agent called the tools that it should have called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, Final, Literal, TypeAlias, assert_never

from agent_judge.context import MISSING, JudgmentContext, ToolCall
from agent_judge.errors import AgentJudgeError, ArgumentError
from agent_judge.frozen import EMPTY, Json
from agent_judge.judges.tools.arguments import (
    Arguments,
    ArgumentsComparison,
    Comparator,
    parse_arguments_mode,
)
from agent_judge.judges.tools.expected import ExpectedCall, parse_expected
from agent_judge.judges.tools.matching import Pair, align, assign
from agent_judge.judges.tools.record import check_no_calls, none_recorded, shown_call
from agent_judge.judgment import Check, Judgment, ReasonCode, check_threshold
from agent_judge.protocol import Cost, JudgeMetadata

PAIR_LIMIT: Final = 250_000
"""Pairs of an expected call and one that was made that are compared at most."""


class CallsMode(Enum):
    """How the calls that were made must relate to the expected ones.

    EXACT: the same, in the same order. IN_ORDER: all expected ones in their order, others between
    them. ANY_ORDER: the same, in any order. SUPERSET: all expected ones, and perhaps others.
    SUBSET: none but expected ones.
    """

    EXACT = "exact"
    IN_ORDER = "in_order"
    ANY_ORDER = "any_order"
    SUPERSET = "superset"
    SUBSET = "subset"


_ORDERED: Final = (CallsMode.EXACT, CallsMode.IN_ORDER)
_OPEN: Final = (CallsMode.IN_ORDER, CallsMode.SUPERSET)
"""The modes in which calls beyond the expected ones do not count."""

ExpectedCalls: TypeAlias = (
    Sequence[str | ToolCall | ExpectedCall | Mapping[str, Json]] | Mapping[str, Json]
)


@dataclass(frozen=True, slots=True)
class ToolCallsJudge:
    """Whether the agent made the calls of tools that were expected.

    Calls are matched so that as many as can be agree, each with at most one expected call. The
    score is the share that agree: of the expected calls where others may come in addition
    (`in_order`, `superset`), of the calls that were made for `subset`, else of whichever are more.

    Args:
        expected: The calls: names of tools, or mappings with `name` and `arguments` (see
            `judges.tools.expected` for the other spellings). A call without arguments agrees with
            any. The `expected` of the context is read unless given.
        mode: `"exact"`, `"in_order"`, `"any_order"`, `"superset"` (all expected calls, and perhaps
            others) or `"subset"` (no call but expected ones).
        arguments: `"exact"`, `"subset"` (no argument but expected ones), `"superset"` (all
            expected arguments, and perhaps others) or `"ignore"`. `1` and `1.0` are the same,
            `true` and `1` are not.
        tolerance: How far a number may be from the expected one, by the argument's name.
        comparators: Functions `(expected, given) -> bool` that decide instead, by the argument's
            name; from Python only.
        threshold: The share from which it passes.
        no_calls: What it means that no call is recorded where none is needed. `"abstain"`:
            perhaps nobody recorded them. `"pass"`: whoever runs the agent records every call.

    Raises:
        ArgumentError: Unknown words, calls that cannot be read, or no expected calls in a mode in
            which every run would pass.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> from agent_judge import JudgmentContext, ToolCall, evaluate
        >>> judge = ToolCallsJudge([{"name": "pay", "arguments": {"amount": 10}}])
        >>> context = JudgmentContext(tool_calls=[ToolCall("pay", {"amount": 12})])
        >>> evaluate(judge, context).checks[0].message
        'not made; nearest is call 1: amount is 12, expected 10'
    """

    expected: ExpectedCalls | None = None
    mode: Literal["exact", "in_order", "any_order", "superset", "subset"] = "exact"
    arguments: Literal["exact", "subset", "superset", "ignore"] = "exact"
    tolerance: Mapping[str, float] = EMPTY
    comparators: Mapping[str, Comparator] = EMPTY
    threshold: float = 1.0
    no_calls: Literal["abstain", "pass"] = "abstain"
    _wanted: tuple[_Wanted, ...] | None = field(init=False, repr=False, compare=False)
    _mode: CallsMode = field(init=False, repr=False, compare=False)
    _comparison: ArgumentsComparison = field(init=False, repr=False, compare=False)

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "ToolCallsJudge",
        cost=Cost.MEMORY,
        type="tool_calls",
        needs=("tool_calls", "expected"),
        version="1",
    )

    def __post_init__(self) -> None:
        _set(self, "_mode", _parse_mode(self.mode))
        comparison = ArgumentsComparison(
            parse_arguments_mode(self.arguments), self.tolerance, self.comparators
        )
        _set(self, "_comparison", comparison)
        _set(self, "tolerance", comparison.tolerance)
        _set(self, "comparators", comparison.comparators)
        calls = None if self.expected is None else parse_expected(self.expected)
        _set(self, "expected", calls)
        _set(self, "_wanted", None if calls is None else tuple(map(_Wanted, calls)))
        if calls == () and self._mode in _OPEN:
            raise ArgumentError(
                f"expected is empty, and in mode {self.mode!r} every run would pass"
            )
        check_threshold(self.threshold)
        check_no_calls(self.no_calls)

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Match the calls of the run with the expected ones."""
        expected = self._expected(context)
        if isinstance(expected, Judgment):
            return expected
        made = context.tool_calls
        if not made and (not expected or self._mode is CallsMode.SUBSET):
            return none_recorded(self.no_calls)
        if len(expected) * len(made) > PAIR_LIMIT:
            reason = f"{len(expected)} expected calls and {len(made)} made are too many to match"
            return Judgment.erring(reason, ReasonCode.TOO_LARGE)
        return self._judge(_Matching(expected, made, self._mode, self._comparison))

    def _expected(self, context: JudgmentContext) -> tuple[_Wanted, ...] | Judgment:
        if self._wanted is not None:
            return self._wanted
        if context.expected is MISSING:
            reason = "no calls are expected: neither the judge nor the context says which"
            return Judgment.abstaining(reason, code=ReasonCode.MISSING_INPUT)
        try:
            calls = parse_expected(context.expected, "context.expected")
        except AgentJudgeError as fault:
            return Judgment.erring(str(fault), ReasonCode.MALFORMED_EVIDENCE)
        if not calls and self._mode in _OPEN:
            reason = f"no call is expected, and in mode {self.mode!r} every run would pass"
            return Judgment.abstaining(reason, code=ReasonCode.MISSING_INPUT)
        return tuple(map(_Wanted, calls))

    def _judge(self, matching: _Matching) -> Judgment:
        agreed = len(matching.pairs)
        of = matching.counted
        return Judgment.scored(
            agreed / of,
            threshold=self.threshold,
            reasoning=f"{agreed} of {of} calls agree ({self.mode}, arguments {self.arguments})",
            checks=matching.checks(),
            metadata={
                "mode": self.mode,
                "arguments": self.arguments,
                "expected_calls": len(matching.expected),
                "made_calls": len(matching.made),
            },
        )


_set = object.__setattr__


class _Wanted:
    """An expected call, ready to be compared."""

    __slots__ = ("arguments", "name", "shown")

    def __init__(self, call: ExpectedCall) -> None:
        self.name = call.name
        self.shown = str(call)
        self.arguments = None if call.arguments is None else Arguments(call.arguments)


class _Matching:
    """Expected calls and calls that were made, and which of them belong together."""

    def __init__(
        self,
        expected: Sequence[_Wanted],
        made: Sequence[ToolCall],
        mode: CallsMode,
        comparison: ArgumentsComparison,
    ) -> None:
        self.expected = expected
        self.made = made
        self._mode = mode
        self._comparison = comparison
        self._given = [Arguments(call.arguments) for call in made]
        calls = range(len(made))
        self._agreement = [[self._agree(want, column) for column in calls] for want in expected]
        match = align if mode in _ORDERED else assign
        self.pairs: tuple[Pair, ...] = match(self._agreement)

    @property
    def counted(self) -> int:
        """Of how many calls those that agree are a share."""
        match self._mode:
            case CallsMode.IN_ORDER | CallsMode.SUPERSET:
                return len(self.expected)
            case CallsMode.SUBSET:
                return len(self.made)
            case CallsMode.EXACT | CallsMode.ANY_ORDER:
                return max(len(self.expected), len(self.made))
            case _:
                assert_never(self._mode)

    def checks(self) -> tuple[Check, ...]:
        """A check of every expected call, and of every call beyond them, as far as they count."""
        if self._mode is CallsMode.SUBSET:
            return tuple(self._checks_of_made())
        if self._mode in _OPEN:
            return tuple(self._checks_of_expected())
        return (*self._checks_of_expected(), *self._checks_of_unexpected())

    def _agree(self, want: _Wanted, column: int) -> bool:
        if want.name != self.made[column].name:
            return False
        return want.arguments is None or self._comparison.agrees(
            want.arguments, self._given[column]
        )

    def _checks_of_expected(self) -> Iterator[Check]:
        partner = dict(self.pairs)
        taken = set(partner.values())
        free = [column for column in range(len(self.made)) if column not in taken]
        for row, want in enumerate(self.expected):
            if row in partner:
                yield Check(want.shown, True, f"call {partner[row] + 1}")
            else:
                yield Check(want.shown, False, self._why_missing(row, free), len(self.made))

    def _checks_of_unexpected(self) -> Iterator[Check]:
        matched = {column for _, column in self.pairs}
        for column, made in enumerate(self.made):
            if column not in matched:
                yield Check(_shown(made), False, f"call {column + 1} is not expected")

    def _checks_of_made(self) -> Iterator[Check]:
        matched = {column for _, column in self.pairs}
        for column, made in enumerate(self.made):
            message = "is expected" if column in matched else "is not expected"
            yield Check(_shown(made), column in matched, f"call {column + 1} {message}")

    def _why_missing(self, row: int, free: Iterable[int]) -> str:
        """What comes nearest to an expected call that was not made."""
        want = self.expected[row]
        same_tool = [column for column in free if self.made[column].name == want.name]
        for column in same_tool:
            if self._agreement[row][column]:
                return f"made as call {column + 1}, but not in this order"
        if not same_tool or want.arguments is None:
            return "not made"
        arguments = want.arguments
        nearest = min(same_tool, key=lambda column: arguments.distance(self._given[column]))
        differences = self._comparison.differences(arguments, self._given[nearest])
        return f"not made; nearest is call {nearest + 1}: {'; '.join(differences)}"


def _shown(made: ToolCall) -> str:
    return shown_call(made.name, made.arguments)


def _parse_mode(mode: object) -> CallsMode:
    try:
        return CallsMode(mode)
    except ValueError:
        known = ", ".join(repr(member.value) for member in CallsMode)
        raise ArgumentError(f"mode must be one of {known}, not {mode!r}") from None
