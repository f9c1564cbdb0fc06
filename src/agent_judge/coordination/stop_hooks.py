"""What coding agents say when they want to stop, and how each is told to go on.

Each tool runs a command when its agent is about to end its turn, writes JSON to its standard input,
and reads JSON from its standard output:

| tool | hook | to go on |
|---|---|---|
| Claude Code (code.claude.com/docs/en/hooks) | `Stop` | `{"decision": "block", "reason"}` |
| Codex (developers.openai.com/codex/hooks) | `Stop` | the same |
| Copilot CLI (docs.github.com/copilot) | `agentStop` | the same |
| Gemini CLI (geminicli.com/docs/hooks) | `AfterAgent` | `{"decision": "deny", "reason"}` |
| Cursor (cursor.com/docs) | `stop` | `{"followup_message"}` |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final, cast

from agent_judge.errors import ArgumentError


class StopTool(Enum):
    """A tool whose agents can be kept from stopping."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    COPILOT = "copilot"
    GEMINI_CLI = "gemini-cli"
    CURSOR = "cursor"


@dataclass(frozen=True, slots=True)
class StopEvent:
    """An agent wants to stop.

    Attributes:
        session: What the conversation is called.
        continued: Whether it goes on already because a hook kept it from stopping.
        workspace: Where it works, where it says so.
        goal: What it was asked, where it says so.
        output: What it said at the end, where it says so.
        finished: Whether it ended by itself; one that a person interrupted is left alone.
    """

    session: str
    continued: bool
    workspace: Path | None = None
    goal: str = ""
    output: str | None = None
    finished: bool = True


def read_stop_event(tool: StopTool, data: object) -> StopEvent:
    """Read what a tool wrote to a hook.

    Raises:
        ArgumentError: It is not what that tool writes.
    """
    if not isinstance(data, Mapping):
        raise ArgumentError(f"expected the JSON object of a {tool.value} hook, found {data!r:.60}")
    given = cast("Mapping[str, Any]", data)
    event = given.get("hook_event_name")
    expected = _EVENTS[tool]
    if event is not None and str(event) not in expected:
        raise ArgumentError(
            f"expected the event {' or '.join(expected)} of {tool.value}, found {event!r:.60}; "
            "register the command for that hook"
        )
    session = _text(given, "session_id", "sessionId", "conversation_id")
    if not session:
        raise ArgumentError(f"the JSON of {tool.value} names no session")
    folder = _text(given, "cwd") or _first(given.get("workspace_roots"))
    output = _text(given, "last_assistant_message", "prompt_response")
    loops = given.get("loop_count")
    return StopEvent(
        session,
        given.get("stop_hook_active") is True or (type(loops) is int and loops > 0),
        Path(folder) if folder else None,
        _text(given, "prompt"),
        output or None,
        _text(given, "status") in ("", "completed"),
    )


def keep_going(tool: StopTool, reason: str) -> dict[str, str]:
    """The answer that makes an agent go on, with what it is told."""
    match tool:
        case StopTool.CURSOR:
            return {"followup_message": reason}
        case StopTool.GEMINI_CLI:
            return {"decision": "deny", "reason": reason}
        case StopTool.CLAUDE_CODE | StopTool.CODEX | StopTool.COPILOT:
            return {"decision": "block", "reason": reason}


def let_stop(tool: StopTool, message: str = "") -> dict[str, str]:
    """The answer that lets an agent stop, with what the person is told."""
    silent = tool in (StopTool.CURSOR, StopTool.COPILOT)
    return {} if silent or not message else {"systemMessage": message}


_EVENTS: Final = {
    StopTool.CLAUDE_CODE: ("Stop", "SubagentStop"),
    StopTool.CODEX: ("Stop", "SubagentStop"),
    StopTool.COPILOT: ("agentStop", "subagentStop", "Stop"),
    StopTool.GEMINI_CLI: ("AfterAgent",),
    StopTool.CURSOR: ("stop",),
}


def _text(given: Mapping[str, Any], *names: str) -> str:
    """The first of the members that is a text."""
    return next((given[name] for name in names if isinstance(given.get(name), str)), "")


def _first(roots: object) -> str:
    if isinstance(roots, list) and roots and isinstance(roots[0], str):  # pyright: ignore[reportUnknownArgumentType]
        return roots[0]
    return ""
