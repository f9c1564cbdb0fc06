"""Calls of tools as other tools write them, and the outcome of a conversation in OpenAI's form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from agent_judge.context import ToolCall
from agent_judge.errors import WireError
from agent_judge.runs.strict_json import parse_json
from agent_judge.wire.codecs import TEXT, brief, expect_list, expect_object
from agent_judge.wire.records import JSON, TOOL_CALL

_CALL_ALIASES: Final = {
    "input_parameters": "arguments",
    "args": "arguments",
    "input": "arguments",
    "output": "result",
}

_NARRATIVE: Final = ("description", "reasoning")
"""What DeepEval's calls say beside what was called: judges do not see it."""


def read_tool_calls(value: Any, path: str) -> tuple[ToolCall, ...]:
    """Calls of tools, in order.

    Raises:
        WireError: One of them cannot be read; the message begins with its path.
    """
    items = expect_list(value, path)
    return tuple(_read_tool_call(item, f"{path}[{index}]") for index, item in enumerate(items))


def _read_tool_call(data: Any, path: str) -> ToolCall:
    """A call of a tool, in our own form, DeepEval's, or that of an OpenAI message."""
    fields = dict(expect_object(data, path))
    if "function" in fields:
        function = expect_object(fields.pop("function"), f"{path}.function")
        fields.pop("type", None)
        fields = {**fields, **function}
    for alias, name in _CALL_ALIASES.items():
        if alias in fields:
            if name in fields:
                raise WireError(f"{path}.{alias}: is {name!r} once more; give one of the two")
            fields[name] = fields.pop(alias)
    for name in _NARRATIVE:
        fields.pop(name, None)
    if isinstance(fields.get("arguments"), str):
        fields["arguments"] = _written_arguments(fields["arguments"], f"{path}.arguments")
    return TOOL_CALL.read({"arguments": {}, **fields}, path)


def _written_arguments(text: str, path: str) -> Any:
    """Arguments that are JSON in a string, as models write them; none at all are no arguments."""
    return parse_json(TEXT.read(text, path).encode(), path) if text.strip() else {}


def read_messages(value: Any, path: str) -> dict[str, Any]:
    """The outcome that OpenAI messages hold: tool calls with their results, and the answer.

    The answer is what the assistant says last without calling a tool; what it says on the way
    there is narrative.

    Raises:
        WireError: A message that cannot be read; the error's message begins with its path.
    """
    calls: list[ToolCall] = []
    answer: dict[str, Any] = {}
    for index, item in enumerate(expect_list(value, path)):
        place = f"{path}[{index}]"
        message = expect_object(item, place)
        match message.get("role"):
            case "assistant":
                called = _called(message.get("tool_calls"), f"{place}.tool_calls")
                answer = {} if called else _answer(message, place)
                calls += called
            case "tool":
                position = _position(calls, message.get("tool_call_id"), place)
                result = _content(message.get("content"), f"{place}.content")
                calls[position] = replace(calls[position], result=result)
            case "system" | "developer" | "user":
                pass
            case role:
                raise WireError(f"{place}.role: no role of a message is {brief(role)}")
    return {**answer, "tool_calls": tuple(calls)}


def _called(calls: Any, path: str) -> tuple[ToolCall, ...]:
    return () if calls is None else read_tool_calls(calls, path)


def _answer(message: Mapping[str, Any], path: str) -> dict[str, Any]:
    content = message.get("content")
    return {} if content is None else {"output": _content(content, f"{path}.content")}


def _position(calls: Sequence[ToolCall], name: Any, path: str) -> int:
    """Where the call is that a message of a tool answers: the last one of that identifier."""
    for position in reversed(range(len(calls))):
        if name is not None and calls[position].id == name:
            return position
    raise WireError(f"{path}.tool_call_id: no tool was called as {brief(name)} before")


def _content(content: Any, path: str) -> Any:
    """What a message says; text in several parts is put together."""
    if not isinstance(content, list):
        return JSON.read(content, path)
    parts = expect_list(content, path)
    texts: list[Any] = [part["text"] for part in parts if _is_text(part)]
    if not texts or len(texts) < len(parts):
        return JSON.read(content, path)
    return "".join(TEXT.read(text, f"{path}[{index}].text") for index, text in enumerate(texts))


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and "text" in part
