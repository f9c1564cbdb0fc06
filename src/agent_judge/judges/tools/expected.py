"""The calls that were expected, in the spellings that other tools use."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn, cast

from agent_judge.context import ToolCall
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import FrozenMap, Json, check_text, freeze_map
from agent_judge.judges.tools.record import shown_call

_NAMES: Final = ("name", "tool", "tool_name")
_ARGUMENTS: Final = ("arguments", "args", "input_parameters", "input", "parameters", "kwargs")
_UNREAD: Final = ("id", "type", "index", "description", "reasoning", "output", "result", "error")
"""Keys that records of calls have and that nothing is expected of."""

_LISTS: Final = ("tool_calls", "tools_called", "expected_tools")


@dataclass(frozen=True, slots=True)
class ExpectedCall:
    """A call that was expected; without arguments, any will do."""

    name: str
    arguments: FrozenMap[Json] | None = None

    def __str__(self) -> str:
        return shown_call(self.name, self.arguments)


def parse_expected(calls: object, path: str = "expected") -> tuple[ExpectedCall, ...]:
    """Read the calls that were expected.

    Args:
        calls: A list; each item the name of a tool, a `ToolCall`, or a mapping with the `name` of
            the tool and its `arguments`: an object, or its text in JSON. `tool` and `tool_name`,
            `args`, `input`, `input_parameters`, `parameters` and `kwargs` are read as well, and
            the `function` of OpenAI messages. A mapping with such a list under `tool_calls`,
            `tools_called` or `expected_tools` is read as that list.
        path: How messages name it.

    Raises:
        ArgumentError: A call without a name, with an unknown key or one key under two names, or
            whose arguments are not an object.
        ArgumentTypeError: A value of the wrong type.
    """
    if isinstance(calls, Mapping):
        lists = cast("Mapping[str, object]", calls)
        key = _only(lists, _LISTS, path)
        return parse_expected(lists[key], f"{path}.{key}")
    if not isinstance(calls, list | tuple):
        raise ArgumentTypeError(f"{path} must be a list of calls, not {calls!r:.80}")
    items = enumerate(cast("Iterable[object]", calls))
    return tuple(_parse_call(call, f"{path}[{index}]") for index, call in items)


def _parse_call(call: object, path: str) -> ExpectedCall:
    if isinstance(call, ExpectedCall):
        return call
    if isinstance(call, str):
        return ExpectedCall(_check_name(call, path))
    if isinstance(call, ToolCall):
        return ExpectedCall(call.name, freeze_map(call.arguments, path, nulls=True))
    if not isinstance(call, Mapping):
        raise ArgumentTypeError(f"{path} must be a name, a mapping or a ToolCall, not {call!r:.80}")
    fields = cast("Mapping[str, Any]", call)
    if "function" in fields:
        _refuse_unknown(fields, ("function", *_UNREAD), path)
        return _parse_call(fields["function"], f"{path}.function")
    _refuse_unknown(fields, (*_NAMES, *_ARGUMENTS, *_UNREAD), path)
    name = _check_name(fields[_only(fields, _NAMES, path)], path)
    given = [key for key in _ARGUMENTS if fields.get(key) is not None]
    if not given:
        return ExpectedCall(name)
    key = _only(fields, given, path)
    return ExpectedCall(name, _parse_arguments(fields[key], f"{path}.{key}"))


def _parse_arguments(arguments: object, path: str) -> FrozenMap[Json]:
    if isinstance(arguments, str):
        arguments = _load(arguments, path)
    if not isinstance(arguments, Mapping):
        raise ArgumentError(f"{path} must be an object of arguments, not {arguments!r:.80}")
    return freeze_map(cast("Mapping[str, Json]", arguments), path, nulls=True)


def _load(text: str, path: str) -> object:
    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is not JSON")

    if not text.strip():
        return {}
    try:
        return cast("object", json.loads(text, parse_constant=refuse))
    except (ValueError, RecursionError) as fault:
        raise ArgumentError(f"{path} is not JSON: {fault}") from None


def _only(fields: Mapping[str, object], keys: Iterable[str], path: str) -> str:
    found = [key for key in keys if key in fields]
    if len(found) == 1:
        return found[0]
    if found:
        raise ArgumentError(f"{path} has both {found[0]!r} and {found[1]!r}; give one of them")
    raise ArgumentError(f"{path} has none of the keys {', '.join(map(repr, keys))}")


def _refuse_unknown(fields: Mapping[str, object], known: tuple[str, ...], path: str) -> None:
    unknown = [key for key in fields if key not in known]
    if unknown:
        raise ArgumentError(f"{path} has the unknown key {unknown[0]!r}; known are {known}")


def _check_name(name: object, path: str) -> str:
    check_text(name, f"{path} name")
    if not str(name).strip():
        raise ArgumentError(f"{path} has a blank name; say which tool")
    return str(name)
