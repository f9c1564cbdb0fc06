from __future__ import annotations

import json

import pytest

from agent_judge import ToolCall
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges.tools.expected import ExpectedCall, parse_expected

PAY = ExpectedCall("pay", ToolCall("pay", {"amount": 5}).arguments)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "call",
    [
        {"name": "pay", "arguments": {"amount": 5}},
        {"name": "pay", "args": {"amount": 5}, "id": "1", "type": "tool_call"},
        {"name": "pay", "input_parameters": {"amount": 5}, "description": "pays", "output": "ok"},
        {"name": "pay", "input": {"amount": 5}, "type": "tool_use", "id": "t1"},
        {"name": "pay", "kwargs": {"amount": 5}},
        {"tool": "pay", "parameters": {"amount": 5}},
        {"tool_name": "pay", "arguments": '{"amount": 5}'},
        {"type": "function", "id": "c1", "function": {"name": "pay", "arguments": '{"amount": 5}'}},
        ToolCall("pay", {"amount": 5}),
        PAY,
    ],
)
def test_the_spellings_of_other_tools_are_read(call: object) -> None:
    """DeepEval, LangChain, Anthropic, OpenAI and our own give the same call."""
    assert parse_expected([call]) == (PAY,)


@pytest.mark.parametrize("key", ["tool_calls", "tools_called", "expected_tools"])
def test_a_list_may_be_under_a_key(key: str) -> None:
    """As in an OpenAI message or a DeepEval case."""
    assert parse_expected({key: [{"name": "pay", "args": {"amount": 5}}]}) == (PAY,)


@pytest.mark.parametrize(
    "call", ["pay", {"name": "pay"}, {"name": "pay", "input_parameters": None}]
)
def test_a_call_without_arguments_expects_none_in_particular(call: object) -> None:
    """Which is not the same as expecting that there are none."""
    assert parse_expected([call]) == (ExpectedCall("pay"),)
    assert parse_expected([{"name": "pay", "arguments": {}}])[0].arguments == {}
    assert parse_expected([{"name": "pay", "arguments": ""}])[0].arguments == {}


def test_what_is_expected_cannot_be_changed_later() -> None:
    """The arguments are copied."""
    arguments = {"amount": [5]}
    (call,) = parse_expected([{"name": "pay", "arguments": arguments}])
    arguments["amount"].append(6)

    assert call.arguments == {"amount": (5,)}


@pytest.mark.parametrize(
    ("calls", "message"),
    [
        ([{"arguments": {}}], r"expected\[0\] has none of the keys 'name'"),
        ([{"name": " "}], "blank"),
        (["", ""], "blank"),
        ([{"name": "a", "tool": "b"}], "both"),
        ([{"name": "a", "args": {}, "input": {}}], "both"),
        ([{"name": "a", "argument": {}}], "unknown key 'argument'"),
        ([{"function": {"name": "a"}, "name": "b"}], "unknown key 'name'"),
        ([{"name": "a", "arguments": [1]}], "must be an object"),
        ([{"name": "a", "arguments": "[1]"}], "must be an object"),
        ([{"name": "a", "arguments": "{"}], "is not JSON"),
        ([{"name": "a", "arguments": '{"x": NaN}'}], "is not JSON"),
        ([{"name": "a", "arguments": "[" * 100_000}], "is not JSON"),
        ([{"name": "a", "arguments": json.dumps({"x": 2**60})}], "beyond"),
        ({"calls": []}, "none of the keys 'tool_calls'"),
    ],
)
def test_calls_that_cannot_be_read_are_refused(calls: object, message: str) -> None:
    """The message begins with the place of the fault."""
    with pytest.raises(ArgumentError, match=message):
        parse_expected(calls)


@pytest.mark.parametrize("calls", ["pay", None, 5, [5], [{"name": 5}]])
def test_calls_of_another_type_are_refused(calls: object) -> None:
    """A string is not taken for a list of its characters."""
    with pytest.raises(ArgumentTypeError, match="expected"):
        parse_expected(calls)
