"""Whether the agent kept away from tools, from failing calls, and from calling in circles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar, Final, Literal, cast

from agent_judge.context import JudgmentContext, ToolCall
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.showing import shown
from agent_judge.judges.tools.arguments import canonical
from agent_judge.judges.tools.record import (
    check_no_calls,
    none_recorded,
    shown_call,
    shown_name,
)
from agent_judge.judgment import Check, Judgment, check_threshold
from agent_judge.protocol import Cost, JudgeMetadata

_TIMES: Final = {"consecutive": "times in a row", "total": "times in all"}


@dataclass(frozen=True, slots=True)
class ToolNotCalledJudge:
    """Whether the agent called none of the forbidden tools.

    Args:
        names: The forbidden tools.
        no_calls: What it means that no call is recorded. `"abstain"`: perhaps nobody recorded
            them. `"pass"`: whoever runs the agent records every call, so none was made.

    Raises:
        ArgumentError: No names, a blank one, or an unknown word for `no_calls`.
        ArgumentTypeError: Not a list of strings.

    Example:
        >>> from agent_judge import JudgmentContext, ToolCall, evaluate
        >>> judge = ToolNotCalledJudge(["delete_all"])
        >>> evaluate(judge, JudgmentContext(tool_calls=[ToolCall("search")])).passed
        True
    """

    names: Sequence[str]
    no_calls: Literal["abstain", "pass"] = "abstain"

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "ToolNotCalledJudge",
        cost=Cost.MEMORY,
        type="tool_not_called",
        needs=("tool_calls",),
        version="1",
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", _check_names(self.names))
        check_no_calls(self.no_calls)

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Look for the forbidden tools among the calls of the run."""
        calls = context.tool_calls
        if not calls:
            return none_recorded(self.no_calls)
        return Judgment.from_checks([_not_called(name, calls) for name in self.names])


@dataclass(frozen=True, slots=True)
class ToolErrorsJudge:
    """Whether enough of the agent's calls of tools succeeded.

    The score is the share of calls that have no error. Without any call there is no share:
    NOT_APPLICABLE.

    Args:
        threshold: The share from which it passes; 1.0 allows no failed call.

    Raises:
        ArgumentError: A threshold outside 0..1.
        ArgumentTypeError: A threshold that is not a number.

    Example:
        >>> from agent_judge import JudgmentContext, ToolCall, evaluate
        >>> calls = [ToolCall("search"), ToolCall("search", error="429")]
        >>> evaluate(ToolErrorsJudge(threshold=0.5), JudgmentContext(tool_calls=calls)).passed
        True
    """

    threshold: float = 1.0

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "ToolErrorsJudge",
        cost=Cost.MEMORY,
        type="tool_errors",
        needs=("tool_calls",),
        version="1",
        conditional=True,
    )

    def __post_init__(self) -> None:
        check_threshold(self.threshold)

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Count the calls that failed."""
        calls = context.tool_calls
        if not calls:
            return Judgment.not_applicable("no tool call is recorded that could have failed")
        failed = [_failed(position, call) for position, call in enumerate(calls, start=1)]
        faults = [check for check in failed if check is not None]
        good = len(calls) - len(faults)
        checks = [Check("calls without an error", True, f"{good}", good)] if good else []
        return Judgment.scored(
            good / len(calls),
            threshold=self.threshold,
            reasoning=f"{good} of {len(calls)} tool calls succeeded",
            checks=[*checks, *faults],
        )


@dataclass(frozen=True, slots=True)
class RepeatedCallsJudge:
    """Whether the agent did not make the same call, with the same arguments, over and over.

    Args:
        max_repeats: How often the same call may be made.
        scope: Whether `"consecutive"` calls are counted, or those of the run in `"total"`, which
            also finds an agent that goes round between several calls.
        no_calls: What it means that no call is recorded. `"abstain"`: perhaps nobody recorded
            them. `"pass"`: whoever runs the agent records every call, so none was made.

    Raises:
        ArgumentError: A limit below 1, or an unknown word.
        ArgumentTypeError: A limit that is not a whole number.

    Example:
        >>> from agent_judge import JudgmentContext, ToolCall, evaluate
        >>> context = JudgmentContext(tool_calls=[ToolCall("poll")] * 5)
        >>> evaluate(RepeatedCallsJudge(3), context).reasoning
        'poll(): made 5 times in a row from call 1 on, at most 3 allowed'
    """

    max_repeats: int
    scope: Literal["consecutive", "total"] = "consecutive"
    no_calls: Literal["abstain", "pass"] = "abstain"

    metadata: ClassVar[JudgeMetadata] = JudgeMetadata(
        "RepeatedCallsJudge",
        cost=Cost.MEMORY,
        type="repeated_calls",
        needs=("tool_calls",),
        version="1",
    )

    def __post_init__(self) -> None:
        if type(self.max_repeats) is not int:
            raise ArgumentTypeError(f"max_repeats must be a whole number, not {self.max_repeats!r}")
        if self.max_repeats < 1:
            raise ArgumentError(f"max_repeats must be at least 1, got {self.max_repeats}")
        if self.scope not in _TIMES:
            raise ArgumentError(f"scope must be 'consecutive' or 'total', not {self.scope!r}")
        check_no_calls(self.no_calls)

    def __call__(self, context: JudgmentContext, /) -> Judgment:
        """Count the calls that are the same."""
        calls = context.tool_calls
        if not calls:
            return none_recorded(self.no_calls)
        runs = _in_a_row(calls) if self.scope == "consecutive" else _in_all(calls)
        times = _TIMES[self.scope]
        repeated = [
            Check(
                _shown(calls[first]),
                False,
                f"made {count} {times} from call {first + 1} on, "
                f"at most {self.max_repeats} allowed",
                examined=count,
            )
            for first, count in runs
            if count > self.max_repeats
        ]
        if repeated:
            return Judgment.from_checks(repeated)
        message = f"none of {len(calls)} calls was made more than {self.max_repeats} {times}"
        check = Check("repeated calls", True, message, examined=len(calls))
        return Judgment.passing(message, checks=(check,))


def _not_called(name: str, calls: Sequence[ToolCall]) -> Check:
    positions = [index for index, call in enumerate(calls, start=1) if call.name == name]
    if not positions:
        return Check(shown_name(name), True, f"not among {len(calls)} calls", len(calls))
    listed = ", ".join(map(str, positions[:10])) + (", …" if len(positions) > 10 else "")
    word = "call" if len(positions) == 1 else "calls"
    return Check(shown_name(name), False, f"called: {word} {listed}", len(calls))


def _failed(position: int, call: ToolCall) -> Check | None:
    if call.error is None:
        return None
    return Check(_shown(call), False, f"call {position} failed: {shown(call.error)[:200]}")


def _in_a_row(calls: Sequence[ToolCall]) -> Iterator[tuple[int, int]]:
    """Where each run of equal calls begins, and how long it is."""
    first = 0
    for _, same in groupby(calls, key=_key):
        count = len(list(same))
        yield first, count
        first += count


def _in_all(calls: Sequence[ToolCall]) -> Iterator[tuple[int, int]]:
    """Where each call is made first, and how often it is made."""
    keys = [_key(call) for call in calls]
    counts = Counter(keys)
    for index, key in enumerate(keys):
        if key in counts:
            yield index, counts.pop(key)


def _key(call: ToolCall) -> Hashable:
    return call.name, canonical(call.arguments)


def _shown(call: ToolCall) -> str:
    return shown_call(call.name, call.arguments)


def _check_names(names: object) -> tuple[str, ...]:
    if not isinstance(names, list | tuple):
        raise ArgumentTypeError(f"names must be a list of tools, not {names!r}")
    kept = tuple(cast("Iterable[object]", names))
    if not kept:
        raise ArgumentError("names is empty; name at least one tool")
    for name in kept:
        if type(name) is not str:
            raise ArgumentTypeError(f"names holds {name!r}, which is not a string")
        if not name.strip():
            raise ArgumentError("names holds a blank name")
    return cast("tuple[str, ...]", kept)
