from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_judge import MISSING, ExecutionStatus, ToolCall
from agent_judge.errors import WireError
from agent_judge.runs import ALIASES, parse_json, read_run, read_runs


@pytest.mark.parametrize("spelling", ["goal", *ALIASES["goal"]])
def test_a_goal_may_be_called_what_others_call_it(spelling: str) -> None:
    """Every usual spelling of the goal is read."""
    assert read_run({spelling: "Fix it"}).context.goal == "Fix it"


@pytest.mark.parametrize("name", ["output", "expected"])
def test_outputs_and_expectations_may_be_any_json(name: str) -> None:
    """Under each spelling, and of each type, an empty one too."""
    for spelling in (name, *ALIASES[name]):
        for value in ("x", "", 0, False, None):
            assert getattr(read_run({spelling: value}).context, name) == value
    assert getattr(read_run({}).context, name) is MISSING


@pytest.mark.parametrize("spelling", ["sources", *ALIASES["sources"]])
def test_sources_may_be_passages_or_objects(spelling: str) -> None:
    """A list of texts, or of objects with their text under a usual name."""
    given = ["one", {"text": "two", "id": "2"}, {"page_content": "three"}, {"content": "four"}]

    sources = read_run({spelling: given}).context.sources

    assert [source.text for source in sources] == ["one", "two", "three", "four"]
    assert sources[1].id == "2"


@pytest.mark.parametrize(
    "call",
    [
        {"name": "f", "arguments": {"a": 1}},
        {"name": "f", "input_parameters": {"a": 1}},
        {"name": "f", "args": {"a": 1}},
        {"type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}},
    ],
)
def test_tool_calls_may_have_the_shape_of_other_tools(call: dict[str, Any]) -> None:
    """DeepEval's and OpenAI's calls are read like our own."""
    for spelling in ("tool_calls", "tools_called"):
        assert read_run({spelling: [call]}).context.tool_calls == (ToolCall("f", {"a": 1}),)


def test_messages_give_calls_with_results_and_the_last_answer() -> None:
    """Of a conversation only the outcome is read."""
    call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "Do it"},
        {"role": "assistant", "content": "thinking", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "42"},
        {"role": "assistant", "content": "It is 42."},
    ]

    context = read_run({"messages": messages}).context

    assert context.output == "It is 42."
    assert context.tool_calls == (ToolCall("f", id="1", result="42"),)


def test_what_is_said_outright_wins_over_messages() -> None:
    """An output beside messages is the output."""
    messages = [{"role": "assistant", "content": "a"}]

    assert read_run({"output": "b", "messages": messages}).context.output == "b"


def test_the_rest_of_a_context_is_read_too() -> None:
    """Status, usage, times and the like, as they are stored."""
    run = read_run(
        {
            "id": 7,
            "tags": ["slow"],
            "status": "failed",
            "error": "E: x",
            "usage": {"input_tokens": 3},
            "started_at": "2026-01-02T03:04:05+00:00",
            "metadata": {"k": 1},
        }
    )

    assert (run.id, run.tags) == ("7", ("slow",))
    assert run.context.status is ExecutionStatus.FAILED
    assert run.context.usage is not None
    assert run.context.usage.input_tokens == 3


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"goal": "a", "task": "b"}, "'goal' once more"),
        ({"gaol": "a"}, "did you mean 'goal'"),
        ({"assert": []}, "unknown"),
        ({"goal": 3}, "goal: expected a string"),
        ({"status": "SUCCESS"}, "status: expected one of"),
        ({"tool_calls": {}}, "tool_calls: expected a list"),
        ({"tool_calls": [{"name": ""}]}, r"tool_calls\[0\]"),
        ({"tool_calls": [{"name": "f", "args": {}, "arguments": {}}]}, "once more"),
        ({"tool_calls": [{"function": {"name": "f", "arguments": "{"}}]}, "is not JSON"),
        ({"sources": [3]}, r"sources\[0\]"),
        ({"id": " "}, "id: is blank"),
        ({"started_at": "2026-01-02"}, "time zone"),
        ([], "a run is a JSON object"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_path(data: Any, message: str) -> None:
    """A key in the wrong place is an error, not passed over. (contract: cases:F13)"""
    with pytest.raises(WireError, match=message):
        read_run(data)


def test_a_workspace_counts_from_the_file(tmp_path: Path) -> None:
    """A relative workspace lies beside the file that names it."""
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"workspace": "work"}))

    (run,) = read_runs(path)

    assert run.id == "a"
    assert run.context.workspace == tmp_path / "work"


def test_a_file_may_hold_many_runs(tmp_path: Path) -> None:
    """As a list, or one a line."""
    listed, lines = tmp_path / "list.json", tmp_path / "lines.jsonl"
    listed.write_text(json.dumps([{"goal": "1"}, {"goal": "2", "id": "b"}]))
    lines.write_text('{"goal": "1"}\n\n{"goal": "2"}\n')

    assert [run.id for run in read_runs(listed)] == ["list-1", "b"]
    assert [run.id for run in read_runs(lines)] == ["lines-1", "lines-3"]


def test_a_fault_names_the_file_and_the_line(tmp_path: Path) -> None:
    """Among many runs one finds the wrong one."""
    lines = tmp_path / "lines.jsonl"
    lines.write_text('{"goal": "1"}\n{"gaol": "2"}\n')

    with pytest.raises(WireError, match=r"lines\.jsonl:2: gaol"):
        list(read_runs(lines))


@pytest.mark.parametrize(
    "raw", [b"{", b"NaN", b'{"a": Infinity}', b'{"a": 1, "a": 2}', b"\xff", b"[" * 100_000]
)
def test_what_is_no_strict_json_is_refused(raw: bytes) -> None:
    """NaN, a key twice, bad UTF-8 and endless nesting are no JSON."""
    with pytest.raises(WireError, match="place"):
        parse_json(raw, "place")
