"""What of a run a prompt may show: its variables, and the text that each stands for."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from agent_judge.context import MISSING, JudgmentContext, Missing, Source, ToolCall
from agent_judge.frozen import Json, thaw

VARIABLES: Final = (
    "goal",
    "output",
    "expected",
    "baseline",
    "sources",
    "tool_calls",
    "status",
    "error",
    "finish_reason",
)
"""The variables of a run; besides them there is `metadata.NAME`, which may go deeper."""

METADATA: Final = "metadata."


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A piece of evidence, written by others and shown to a model.

    Args:
        label: What it is, in letters, digits, `_`, `.` and `-`.
        text: The evidence, as it is.
    """

    label: str
    text: str


def is_variable(name: str) -> bool:
    """Whether a run may have something under this name."""
    return name in VARIABLES or (name.startswith(METADATA) and len(name) > len(METADATA))


def exhibits(name: str, context: JudgmentContext) -> tuple[Exhibit, ...]:
    """What a run has under a variable: nothing, one text, or one for each of several sources.

    Values that are not text are shown as JSON.
    """
    if name.startswith(METADATA):
        found = _looked_up(context.metadata, name.removeprefix(METADATA))
        return _shown(name, found)
    return _READERS[name](context)


def as_shown(value: Json) -> str:
    """A value as a model reads it: text as it is, anything else as JSON.

    Example:
        >>> as_shown("4"), as_shown(None), as_shown({"a": [1, 2]})
        ('4', 'null', '{"a": [1, 2]}')
    """
    return value if isinstance(value, str) else json.dumps(thaw(value), ensure_ascii=False)


def _shown(label: str, value: Json | Missing) -> tuple[Exhibit, ...]:
    return () if value is MISSING else (Exhibit(label, as_shown(value)),)


def _text(label: str, text: str | None) -> tuple[Exhibit, ...]:
    return (Exhibit(label, text),) if text else ()


def _sources(context: JudgmentContext) -> tuple[Exhibit, ...]:
    return tuple(
        Exhibit(f"source-{number}", _source(source))
        for number, source in enumerate(context.sources, 1)
    )


def _source(source: Source) -> str:
    return f"{source.title}\n{source.text}" if source.title else source.text


def _tool_calls(context: JudgmentContext) -> tuple[Exhibit, ...]:
    lines = [_call(number, call) for number, call in enumerate(context.tool_calls, 1)]
    return _text("tool_calls", "\n".join(lines))


def _call(number: int, call: ToolCall) -> str:
    made = f"{number}. {call.name}({as_shown(call.arguments)})"
    if call.error is not None:
        return f"{made} failed: {call.error}"
    return made if call.result is MISSING else f"{made} -> {as_shown(call.result)}"


def _looked_up(metadata: Mapping[str, Json], path: str) -> Json | Missing:
    found: Json = metadata
    for key in path.split("."):
        if not isinstance(found, Mapping) or key not in found:
            return MISSING
        found = found[key]
    return found


_READERS: Final[Mapping[str, Callable[[JudgmentContext], tuple[Exhibit, ...]]]] = {
    "goal": lambda context: _text("goal", context.goal),
    "output": lambda context: _shown("output", context.output),
    "expected": lambda context: _shown("expected", context.expected),
    "baseline": lambda context: _shown("baseline", context.baseline),
    "sources": _sources,
    "tool_calls": _tool_calls,
    "status": lambda context: _text("status", context.status.value),
    "error": lambda context: _text("error", context.error),
    "finish_reason": lambda context: _text("finish_reason", context.finish_reason),
}
