"""What a judge may look at: the outcome of one run, never its narrative."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import EMPTY, MAX_INTEGER, Json, check_text, freeze, freeze_map
from agent_judge.usage import Usage

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path


class Missing(Enum):
    """The type of `MISSING`."""

    MISSING = "missing"

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing.MISSING
"""There is no such value. `None`, `""`, `0` and `False` are values; this is their absence."""

Output: TypeAlias = "Json | Missing"


class ExecutionStatus(Enum):
    """How the run ended, as whoever ran the agent saw it.

    UNKNOWN: the agent's framework gave a finish reason that has no counterpart here.
    """

    SUCCESS = "success"
    FAILED = "failed"
    TIMEOUT = "timeout"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool by the agent, with what came of it.

    Args:
        name: The tool.
        arguments: What it was given, JSON-like.
        result: What it returned; `MISSING` where that was not recorded.
        error: What went wrong, where the call failed.
        id: The identifier that the agent's framework gave the call.

    Raises:
        ArgumentError: A blank name, or a value that JSON cannot carry.
        ArgumentTypeError: A value of the wrong type.
    """

    name: str
    arguments: Mapping[str, Json] = EMPTY
    result: Json | Missing = MISSING
    error: str | None = None
    id: str | None = None

    def __post_init__(self) -> None:
        _check_name(self.name, "tool_call.name")
        if self.arguments is not EMPTY:
            arguments = freeze_map(self.arguments, "tool_call.arguments", nulls=True)
            _set(self, "arguments", arguments)
        if self.result is not MISSING:
            _set(self, "result", freeze(self.result, "tool_call.result"))
        _check_texts(self, "tool_call", "error", "id")


@dataclass(frozen=True, slots=True)
class Source:
    """A passage that the run retrieved: what a grounded answer may rest on.

    Args:
        text: The passage.
        id: Its identifier in the store it came from.
        title: Its title.
        uri: Where it can be found.
        score: The retriever's own score, on the retriever's own scale.
        metadata: JSON-like facts.

    Raises:
        ArgumentError: A value that JSON cannot carry.
        ArgumentTypeError: A value of the wrong type.
    """

    text: str
    id: str | None = None
    title: str | None = None
    uri: str | None = None
    score: float | None = None
    metadata: Mapping[str, Json] = EMPTY

    def __post_init__(self) -> None:
        check_text(self.text, "source.text")
        _check_texts(self, "source", "id", "title", "uri")
        if self.score is not None:
            if type(self.score) not in (int, float):
                raise ArgumentTypeError(f"source.score must be a number, not {self.score!r}")
            freeze(self.score, "source.score")
        if self.metadata is not EMPTY:
            _set(self, "metadata", freeze_map(self.metadata, "source.metadata"))


@dataclass(frozen=True, slots=True)
class JudgmentContext:
    """One finished run, as its judges see it.

    Not to be confused with `coordination.JudgeContext`, which tells a policy of the judging loop
    which attempt it judges.

    Args:
        goal: What the agent was asked to do.
        output: What it answered, JSON-like; `MISSING` where there was no answer.
        workspace: The folder it worked in.
        status: How the run ended.
        started_at: When it began, with a time zone.
        elapsed: Seconds it took.
        error: What went wrong, where the run failed: the exception's type and message.
        expected: What a right answer is, JSON-like; `MISSING` where nobody said.
        baseline: What was there before, JSON-like, for judges that compare.
        sources: Passages that were retrieved.
        tool_calls: Calls of tools, in order.
        usage: What the run consumed.
        model: The model that ran.
        finish_reason: Why the model stopped, in its own word.
        metadata: JSON-like facts about the run.

    Raises:
        ArgumentError: A value that JSON cannot carry, a negative duration, a time without a zone.
        ArgumentTypeError: A value of the wrong type.

    Example:
        >>> JudgmentContext(goal="Add 2 and 2", output="4", expected="4").output
        '4'
    """

    goal: str = ""
    output: Json | Missing = MISSING
    workspace: Path | None = None
    status: ExecutionStatus = ExecutionStatus.SUCCESS
    started_at: datetime | None = None
    elapsed: float | None = None
    error: str | None = None
    expected: Json | Missing = MISSING
    baseline: Json | Missing = MISSING
    sources: tuple[Source, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    model: str | None = None
    finish_reason: str | None = None
    metadata: Mapping[str, Json] = EMPTY

    def __post_init__(self) -> None:
        check_text(self.goal, "goal")
        self._freeze_values()
        if type(self.status) is not ExecutionStatus:
            raise ArgumentTypeError(f"status must be an ExecutionStatus, not {self.status!r}")
        if self.workspace is not None:
            _set(self, "workspace", _folder(self.workspace))
        if self.started_at is not None:
            _set(self, "started_at", _moment(self.started_at))
        if self.elapsed is not None:
            _check_elapsed(self.elapsed)
        if self.sources != ():
            _set(self, "sources", _records(self.sources, Source, "sources"))
        if self.tool_calls != ():
            _set(self, "tool_calls", _records(self.tool_calls, ToolCall, "tool_calls"))
        if self.usage is not None and type(self.usage) is not Usage:
            raise ArgumentTypeError(f"usage must be a Usage, not {self.usage!r}")
        _check_texts(self, "context", "error", "model", "finish_reason")

    def _freeze_values(self) -> None:
        for name in ("output", "expected", "baseline"):
            value = getattr(self, name)
            if value is not MISSING:
                _set(self, name, freeze(value, name))
        if self.metadata is not EMPTY:
            _set(self, "metadata", freeze_map(self.metadata, "metadata"))


_set = object.__setattr__


def _check_name(name: object, path: str) -> None:
    check_text(name, path)
    if not str(name).strip():
        raise ArgumentError(f"{path} must not be blank")


def _check_texts(record: object, path: str, *names: str) -> None:
    for name in names:
        text = getattr(record, name)
        if text is not None:
            check_text(text, f"{path}.{name}")


def _records(given: Iterable[object], kind: type, path: str) -> tuple[object, ...]:
    kept = tuple(given)
    for index, record in enumerate(kept):
        if type(record) is not kind:
            raise ArgumentTypeError(f"{path}[{index}] is not a {kind.__name__}: {record!r}")
    return kept


def _folder(workspace: object) -> Path:
    if not isinstance(workspace, str | os.PathLike):
        raise ArgumentTypeError(f"workspace must be a path, not {workspace!r}")
    from pathlib import Path

    return Path(cast("os.PathLike[str] | str", workspace))


def _moment(moment: object) -> datetime:
    """The moment at its plain offset: in an hour that a zone repeats, others equal nothing."""
    from datetime import datetime, timezone

    if not isinstance(moment, datetime):
        raise ArgumentTypeError(f"started_at must be a datetime, not {moment!r}")
    offset = moment.utcoffset()
    if offset is None:
        raise ArgumentError("started_at needs a time zone, for example datetime.now(UTC)")
    plain = timezone(offset)
    return datetime.combine(moment.date(), moment.time(), plain).replace(fold=0)


def _check_elapsed(elapsed: object) -> None:
    if type(elapsed) not in (int, float):
        raise ArgumentTypeError(f"elapsed must be a number of seconds, not {elapsed!r}")
    if not 0 <= elapsed <= MAX_INTEGER:  # type: ignore[operator]
        raise ArgumentError(f"elapsed must be finite and not negative, got {elapsed}")
