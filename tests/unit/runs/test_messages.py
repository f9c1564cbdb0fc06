from __future__ import annotations

from typing import Any

import pytest

from agent_judge import MISSING, ToolCall
from agent_judge.errors import WireError
from agent_judge.runs import read_run


@pytest.mark.parametrize(
    "call",
    [
        {"name": "f", "arguments": {"a": 1}},
        {"name": "f", "input_parameters": {"a": 1}},
        {"name": "f", "input_parameters": {"a": 1}, "description": None, "reasoning": "secret"},
        {"name": "f", "args": {"a": 1}},
        {"name": "f", "arguments": '{"a": 1}'},
        {"type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}},
    ],
)
def test_tool_calls_may_have_the_shape_of_other_tools(call: dict[str, Any]) -> None:
    """DeepEval's and OpenAI's calls are read like our own."""
    for spelling in ("tool_calls", "tools_called"):
        assert read_run({spelling: [call]}).context.tool_calls == (ToolCall("f", {"a": 1}),)


@pytest.mark.parametrize("given", [{}, {"arguments": ""}, {"arguments": {}}])
def test_a_call_may_have_no_arguments(given: dict[str, Any]) -> None:
    """Models write them as an empty string, or not at all."""
    assert read_run({"tool_calls": [{"name": "f", **given}]}).context.tool_calls[0].arguments == {}


@pytest.mark.parametrize(
    ("calls", "message"),
    [
        ({}, "^tool_calls: expected a list"),
        ([{"name": ""}], r"^tool_calls\[0\]"),
        ([{"name": "f"}, 3], r"^tool_calls\[1\]: expected an object"),
        ([{"name": "f", "args": {}, "arguments": {}}], r"\.args: is 'arguments' once more"),
        ([{"name": "f", "input": {}, "args": {}}], "once more"),
        ([{"name": "f", "parameters": {}}], r"^tool_calls\[0\]\.parameters: unknown"),
        ([{"function": {"name": "f", "arguments": "{"}}], r"\[0\]\.arguments: is not JSON"),
        ([{"function": {"name": "f", "arguments": "[]"}}], r"^tool_calls\[0\]"),
        ([{"function": "f"}], r"^tool_calls\[0\]\.function: expected an object"),
    ],
)
def test_a_call_that_cannot_be_read_is_refused_with_its_path(calls: Any, message: str) -> None:
    """No call is passed over."""
    with pytest.raises(WireError, match=message):
        read_run({"tool_calls": calls})


def called(*names: str) -> dict[str, Any]:
    """A message of the assistant that calls a tool under each of these identifiers."""
    return {
        "role": "assistant",
        "content": "let me see",
        "tool_calls": [
            {"id": name, "type": "function", "function": {"name": "f", "arguments": "{}"}}
            for name in names
        ],
    }


def result(name: str, content: Any) -> dict[str, Any]:
    """What a tool answers."""
    return {"role": "tool", "tool_call_id": name, "content": content}


def said(content: Any) -> dict[str, Any]:
    """A message of the assistant that calls nothing."""
    return {"role": "assistant", "content": content}


def test_messages_give_calls_with_results_and_the_answer() -> None:
    """Of a conversation only the outcome is read."""
    messages = [
        {"role": "system", "content": "Be good"},
        {"role": "user", "content": "Do it"},
        called("1", "2"),
        result("2", "b"),
        result("1", None),
        said("It is 42."),
    ]

    context = read_run({"messages": messages}).context

    assert context.output == "It is 42."
    assert context.goal == ""
    assert context.tool_calls == (
        ToolCall("f", id="1", result=None),
        ToolCall("f", id="2", result="b"),
    )


@pytest.mark.parametrize(
    "messages",
    [
        [called("1"), result("1", "x")],
        [said("On my way."), called("1")],
        [said(None)],
        [{"role": "user", "content": "Do it"}],
        [],
    ],
)
def test_what_is_said_on_the_way_is_no_answer(messages: list[Any]) -> None:
    """A run that ended at a tool has no output."""
    assert read_run({"messages": messages}).context.output is MISSING


@pytest.mark.parametrize(
    ("content", "output"),
    [
        ("", ""),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab"),
        ([{"type": "image_url", "url": "x"}], ({"type": "image_url", "url": "x"},)),
        ([], ()),
    ],
)
def test_an_answer_may_be_empty_or_in_parts(content: Any, output: Any) -> None:
    """Parts of text are put together; others stay as they are."""
    assert read_run({"messages": [said(content)]}).context.output == output


def test_an_identifier_may_come_again() -> None:
    """Some servers count their calls anew in every turn; no call is lost."""
    messages = [called("0"), result("0", "a"), called("0"), result("0", "b"), said("done")]

    calls = read_run({"messages": messages}).context.tool_calls

    assert [call.result for call in calls] == ["a", "b"]


def test_what_is_said_outright_wins_over_messages() -> None:
    """An output beside messages is the output."""
    run = {"output": "b", "messages": [called("1"), said("a")], "tool_calls": []}

    context = read_run(run).context

    assert (context.output, context.tool_calls) == ("b", ())


@pytest.mark.parametrize(
    ("messages", "message"),
    [
        ("hello", "^messages: expected a list"),
        ([3], r"^messages\[0\]: expected an object"),
        ([{"content": "x"}], r"^messages\[0\]\.role: no role of a message is null"),
        ([{"role": "Assistant"}], r"^messages\[0\]\.role"),
        ([result("1", "x")], r"^messages\[0\]\.tool_call_id: no tool was called as '1'"),
        ([called("1"), {"role": "tool", "content": "x"}], r"^messages\[1\]\.tool_call_id"),
        ([{"role": "assistant", "tool_calls": {}}], r"^messages\[0\]\.tool_calls"),
        ([{"role": "assistant", "tool_calls": [{}]}], r"^messages\[0\]\.tool_calls\[0\]\.name"),
        ([said([{"type": "text", "text": 3}])], r"^messages\[0\]\.content\[0\]\.text"),
        ([said(float("nan"))], r"^messages\[0\]\.content"),
    ],
)
def test_messages_that_cannot_be_read_are_refused_with_their_path(
    messages: Any, message: str
) -> None:
    """No message is passed over."""
    with pytest.raises(WireError, match=message):
        read_run({"messages": messages})
