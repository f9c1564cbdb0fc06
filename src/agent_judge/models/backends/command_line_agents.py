"""The agents on the command line: how each is called, and how what it prints is read."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Protocol

from agent_judge.context import MISSING
from agent_judge.models.backends.anthropic_messages import read_usage as read_anthropic_usage
from agent_judge.models.backends.failures import printable
from agent_judge.models.errors import MalformedReplyError, ModelError, RateLimitedError
from agent_judge.models.json_reading import (
    Object,
    as_count,
    as_object,
    as_text,
    is_number,
    read_structured,
)
from agent_judge.models.response import FinishReason, ModelResponse
from agent_judge.usage import Usage


@dataclass(frozen=True, slots=True)
class Prompt:
    """What an agent is asked.

    Attributes:
        system: Its task.
        text: The question.
        schema: The JSON Schema of the answer, where one is asked for.
    """

    system: str
    text: str
    schema: dict[str, Any] | None = None

    @property
    def whole(self) -> str:
        """Task and question in one text, for agents that take no task apart."""
        return f"{self.system}\n\n{self.text}" if self.system else self.text


class Agent(Protocol):
    """One program."""

    @property
    def takes_schema(self) -> bool:
        """Whether it can be asked for JSON of a schema."""
        ...

    def arguments(self, prompt: Prompt, folder: Path, model: str | None) -> list[str]:
        """Its arguments; files that they name are written into the folder."""
        ...

    def input(self, prompt: Prompt) -> str:
        """What is written to its standard input."""
        ...

    def read(self, output: bytes, prompt: Prompt) -> ModelResponse:
        """Read what it printed.

        Raises:
            ModelError: It says that it failed, or nothing that can be read.
        """
        ...


class ClaudeCode:
    """`claude`: Claude Code, without tools, sessions, settings and servers of tools."""

    takes_schema = True

    def arguments(self, prompt: Prompt, folder: Path, model: str | None) -> list[str]:
        """Print one JSON object, and nothing else."""
        arguments = ["--print", "--output-format", "json", "--no-session-persistence"]
        arguments += ["--tools", "", "--setting-sources", "", "--strict-mcp-config"]
        if prompt.system:
            task = folder / "system.txt"
            task.write_text(prompt.system, encoding="utf-8")
            arguments += ["--system-prompt-file", str(task)]
        if prompt.schema is not None:
            arguments += ["--json-schema", json.dumps(prompt.schema)]
        return arguments if model is None else [*arguments, "--model", model]

    def input(self, prompt: Prompt) -> str:
        """The question."""
        return prompt.text

    def read(self, output: bytes, prompt: Prompt) -> ModelResponse:
        """Read the object: the answer is in `result`, the price in US dollars beside it."""
        result = _last_object(output)
        text = as_text(result.get("result"))
        if result.get("is_error") or result.get("subtype") != "success" or text is None:
            said = text or as_text(result.get("subtype")) or "nothing that can be read"
            limited = result.get("api_error_status") == 429
            raise (RateLimitedError if limited else ModelError)(f"it says: {printable(said)}")
        reason = as_text(result.get("stop_reason"))
        return ModelResponse(
            text,
            MISSING if prompt.schema is None else read_structured(text),
            _CLAUDE_FINISH.get(reason, FinishReason.OTHER),
            reason,
            _claude_usage(result),
        )


class Codex:
    """`codex`: Codex CLI, in its read-only sandbox, without sessions and the user's settings."""

    takes_schema = True

    def arguments(self, prompt: Prompt, folder: Path, model: str | None) -> list[str]:
        """Print one JSON object for each event."""
        arguments = ["exec", "--json", "--ephemeral", "--ignore-user-config", "--ignore-rules"]
        arguments += ["--skip-git-repo-check", "--sandbox", "read-only"]
        if prompt.schema is not None:
            schema = folder / "schema.json"
            schema.write_text(json.dumps(prompt.schema), encoding="utf-8")
            arguments += ["--output-schema", str(schema)]
        return arguments if model is None else [*arguments, "--model", model]

    def input(self, prompt: Prompt) -> str:
        """Task and question."""
        return prompt.whole

    def read(self, output: bytes, prompt: Prompt) -> ModelResponse:
        """Read the events: the last message of the agent, once the turn is complete."""
        events = _objects(output)
        faults = [event for event in events if event.get("type") in ("turn.failed", "error")]
        ends = [event for event in events if event.get("type") == "turn.completed"]
        items = [as_object(event.get("item")) for event in events]
        texts = [as_text(item.get("text")) for item in items if item.get("type") == _CODEX_MESSAGE]
        if not ends or not texts or texts[-1] is None:
            fault = as_object(faults[-1] if faults else None)
            said = as_text(as_object(fault.get("error")).get("message", fault.get("message")))
            raise ModelError(f"it says: {printable(said or 'nothing that can be read')}")
        usage = as_object(ends[-1].get("usage"))
        return ModelResponse(
            texts[-1],
            MISSING if prompt.schema is None else read_structured(texts[-1]),
            FinishReason.STOP,
            "turn.completed",
            Usage(
                input_tokens=as_count(usage.get("input_tokens")),
                output_tokens=as_count(usage.get("output_tokens")),
                cached_tokens=as_count(usage.get("cached_input_tokens")),
                reasoning_tokens=as_count(usage.get("reasoning_output_tokens")),
            ),
        )


class GeminiCli:
    """`gemini`: Gemini CLI, in its read-only mode, without extensions."""

    takes_schema = False

    def arguments(self, prompt: Prompt, folder: Path, model: str | None) -> list[str]:
        """Print one JSON object; an empty folder needs no further trust."""
        del prompt, folder
        arguments = ["--output-format", "json", "--approval-mode", "plan"]
        arguments += ["--skip-trust", "--extensions", "none"]
        return arguments if model is None else [*arguments, "--model", model]

    def input(self, prompt: Prompt) -> str:
        """Task and question."""
        return prompt.whole

    def read(self, output: bytes, prompt: Prompt) -> ModelResponse:
        """Read the object: the answer is in `response`."""
        del prompt
        result = _last_object(output)
        text = as_text(result.get("response"))
        if text is None or result.get("error"):
            said = as_text(as_object(result.get("error")).get("message"))
            raise ModelError(f"it says: {printable(said or 'nothing that can be read')}")
        return ModelResponse(text)


AGENTS: Final[dict[str, Agent]] = {
    "claude": ClaudeCode(),
    "codex": Codex(),
    "gemini": GeminiCli(),
}

_CODEX_MESSAGE: Final = "agent_message"

_CLAUDE_FINISH: Final[dict[str | None, FinishReason]] = {
    "end_turn": FinishReason.STOP,
    "stop_sequence": FinishReason.STOP,
    "tool_use": FinishReason.STOP,
    "max_tokens": FinishReason.LENGTH,
    "model_context_window_exceeded": FinishReason.LENGTH,
    "refusal": FinishReason.REFUSAL,
    None: FinishReason.UNREPORTED,
}
"""Why the last message ended; after a success `tool_use` is the call that gives the JSON."""


def _claude_usage(result: Object) -> Usage | None:
    """Tokens and price of the whole run; in how many calls is not said."""
    usage = read_anthropic_usage(result.get("usage"))
    cost = result.get("total_cost_usd")
    if usage is None:
        return None
    known = is_number(cost) and cost >= 0
    return replace(usage, calls=None, cost=cost if known else None)


def _last_object(output: bytes) -> Object:
    """The JSON object that was printed, whole or as the last line."""
    try:
        return as_object(json.loads(output))
    except (ValueError, RecursionError):
        objects = _objects(output)
    if not objects:
        raise MalformedReplyError("it printed no JSON")
    return objects[-1]


def _objects(output: bytes) -> list[Object]:
    """The JSON objects among the lines that were printed."""
    found: list[Object] = []
    for line in output.split(b"\n"):
        try:
            value = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError):
            continue
        if entry := as_object(value):
            found.append(entry)
    return found
