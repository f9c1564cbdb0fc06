"""What a model does next: use a tool, or finish with a verdict and its findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from agent_judge.frozen import Json
from agent_judge.llm.hearing import Unread
from agent_judge.llm.reading import Unreadable, read_object
from agent_judge.models.request import ResponseSchema
from agent_judge.models.response import ModelResponse

TOOLS: Final = ("list", "read", "search", "run")
FINISH: Final = "finish"
VERDICTS: Final = ("pass", "fail", "undecided")
KINDS: Final = ("for", "against", "missing")
"""What a finding speaks for: that the work is done, that it is not, or that a file is missing."""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """The use of a tool.

    Args:
        tool: Which: `"list"`, `"read"`, `"search"` or `"run"`.
        path: The path or pattern.
        text: The text to search for, or the name of the command.
        first: The first line to read.
        last: The last line to read.
    """

    tool: str
    path: str = ""
    text: str = ""
    first: int = 0
    last: int = 0

    def __str__(self) -> str:
        lines = f", lines {self.first} to {self.last}" if self.first or self.last else ""
        what = ", ".join(filter(None, (self.text and repr(self.text), self.path)))
        return f"{self.tool} {what}{lines}"


@dataclass(frozen=True, slots=True)
class Claim:
    """A finding as the model gives it, not yet verified.

    Args:
        message: What was found.
        kind: One of `KINDS`.
        path: The file that shows it.
        line: The line in it; 0 where none is named.
        quote: The words that show it, of the file, or of what a command printed.
        command: The command that printed the words.
    """

    message: str
    kind: str
    path: str = ""
    line: int = 0
    quote: str = ""
    command: str = ""


@dataclass(frozen=True, slots=True)
class Finished:
    """The end: a verdict, why, and what it rests on."""

    verdict: str
    reason: str
    claims: tuple[Claim, ...]


Move: TypeAlias = ToolUse | Finished


def schema_of_moves(*, finish: bool) -> ResponseSchema:
    """The form of a move; in the last one the model can only finish."""
    text: dict[str, Json] = {"type": "string"}
    number: dict[str, Json] = {"type": "integer"}
    finding: dict[str, Json] = {
        "message": text,
        "kind": {"type": "string", "enum": KINDS},
        "path": text,
        "line": number,
        "quote": text,
        "command": text,
    }
    members: dict[str, Json] = {
        "reason": text,
        "action": {"type": "string", "enum": (FINISH,) if finish else (*TOOLS, FINISH)},
        "path": text,
        "text": text,
        "first": number,
        "last": number,
        "verdict": {"type": "string", "enum": (*VERDICTS, "")},
        "findings": {"type": "array", "items": _object(finding)},
    }
    return ResponseSchema("move", _object(members))


def read_move(response: ModelResponse) -> Move | Unread:
    """What a reply does; a member that its action does not need may be left out."""
    reading = read_object(
        response.text, finish_reason=response.finish_reason, structured=response.structured
    )
    if isinstance(reading, Unreadable):
        return Unread.of(reading)
    members = reading.members
    action = members.get("action")
    if action == FINISH:
        return _finished(members)
    if action not in TOOLS:
        return _unread(f"the action is none of {', '.join((*TOOLS, FINISH))}")
    return ToolUse(
        str(action),
        _text(members, "path"),
        _text(members, "text"),
        _number(members, "first"),
        _number(members, "last"),
    )


def _finished(members: Mapping[str, Json]) -> Finished | Unread:
    verdict = members.get("verdict")
    if verdict not in VERDICTS:
        return _unread(f"the verdict is none of {', '.join(VERDICTS)}")
    given = members.get("findings", ())
    if not isinstance(given, list | tuple):
        return _unread("the findings are no list")
    claims: list[Claim] = []
    for finding in given:
        if not isinstance(finding, Mapping) or finding.get("kind") not in KINDS:
            return _unread(f"a finding has no kind of {', '.join(KINDS)}")
        claims.append(
            Claim(
                _text(finding, "message") or "(no message)",
                _text(finding, "kind"),
                _text(finding, "path"),
                _number(finding, "line"),
                _text(finding, "quote"),
                _text(finding, "command"),
            )
        )
    return Finished(str(verdict), _text(members, "reason"), tuple(claims))


def _object(members: Mapping[str, Json]) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": dict(members),
        "required": [*members],
        "additionalProperties": False,
    }


def _text(members: Mapping[str, Json], key: str) -> str:
    value = members.get(key)
    return value.strip() if isinstance(value, str) else ""


def _number(members: Mapping[str, Json], key: str) -> int:
    value = members.get(key)
    return value if type(value) is int and value > 0 else 0


def _unread(detail: str) -> Unread:
    return Unread(detail, "off_menu")
