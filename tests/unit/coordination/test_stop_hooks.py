"""What coding agents write to their stop hooks, and how they are answered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent_judge.coordination.stop_hooks import (
    StopEvent,
    StopTool,
    keep_going,
    let_stop,
    read_stop_event,
)
from agent_judge.errors import ArgumentError

CLAUDE = {
    "session_id": "0f6d",
    "transcript_path": "/home/u/.claude/projects/p/0f6d.jsonl",
    "cwd": "/home/u/p",
    "permission_mode": "acceptEdits",
    "hook_event_name": "Stop",
    "stop_hook_active": False,
    "last_assistant_message": "All done.",
}
GEMINI = {
    "session_id": "g1",
    "transcript_path": "/tmp/g1.json",
    "cwd": "/home/u/p",
    "hook_event_name": "AfterAgent",
    "timestamp": "2026-11-30T10:00:00Z",
    "prompt": "Mend it.",
    "prompt_response": "Mended.",
    "stop_hook_active": True,
}
CURSOR = {
    "conversation_id": "c1",
    "generation_id": "g",
    "model": "m",
    "status": "completed",
    "loop_count": 2,
    "hook_event_name": "stop",
    "cursor_version": "2.0",
    "workspace_roots": ["/home/u/p"],
}
PLACE = Path("/home/u/p")


@pytest.mark.parametrize(
    ("tool", "data", "event"),
    [
        (StopTool.CLAUDE_CODE, CLAUDE, StopEvent("0f6d", False, PLACE, "", "All done.")),
        (
            StopTool.CLAUDE_CODE,
            {**CLAUDE, "hook_event_name": "SubagentStop", "stop_hook_active": True},
            StopEvent("0f6d", True, PLACE, "", "All done."),
        ),
        (StopTool.CODEX, {"session_id": "x", "cwd": "/home/u/p"}, StopEvent("x", False, PLACE)),
        (StopTool.COPILOT, {"sessionId": "x", "cwd": "/home/u/p"}, StopEvent("x", False, PLACE)),
        (StopTool.GEMINI_CLI, GEMINI, StopEvent("g1", True, PLACE, "Mend it.", "Mended.")),
        (StopTool.CURSOR, CURSOR, StopEvent("c1", True, PLACE)),
        (
            StopTool.CURSOR,
            {**CURSOR, "status": "aborted", "loop_count": 0, "workspace_roots": []},
            StopEvent("c1", False, finished=False),
        ),
    ],
)
def test_each_tool_is_understood(tool: StopTool, data: dict[str, Any], event: StopEvent) -> None:
    """By the fields that its documentation states."""
    assert read_stop_event(tool, data) == event


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "Stop",
        {},
        {**CLAUDE, "session_id": 3},
        {**CLAUDE, "hook_event_name": "PreToolUse"},
    ],
)
def test_what_is_no_stop_hook_is_refused(data: object) -> None:
    """With what was expected."""
    with pytest.raises(ArgumentError):
        read_stop_event(StopTool.CLAUDE_CODE, data)


def test_only_true_is_true() -> None:
    """A text that says so is not."""
    assert not read_stop_event(
        StopTool.CLAUDE_CODE, {**CLAUDE, "stop_hook_active": "true"}
    ).continued


def test_each_tool_is_answered_in_its_words() -> None:
    """To go on, and to stop."""
    going = {tool: keep_going(tool, "why") for tool in StopTool}
    block = {"decision": "block", "reason": "why"}

    assert going[StopTool.CLAUDE_CODE] == going[StopTool.CODEX] == going[StopTool.COPILOT] == block
    assert going[StopTool.GEMINI_CLI] == {"decision": "deny", "reason": "why"}
    assert going[StopTool.CURSOR] == {"followup_message": "why"}
    assert all(let_stop(tool) == {} for tool in StopTool)
    assert let_stop(StopTool.CLAUDE_CODE, "note") == {"systemMessage": "note"}
    assert let_stop(StopTool.CURSOR, "note") == {}
