"""The record of tool calls: what it says when it is empty, and how a call is shown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, Literal

from agent_judge.errors import ArgumentError
from agent_judge.frozen import Json, thaw
from agent_judge.judges.showing import shown
from agent_judge.judgment import Check, Judgment, ReasonCode

_SHOWN: Final = 120
"""Characters of a call's arguments that a message shows."""


def check_no_calls(policy: object) -> None:
    """Refuse an unknown word for what an empty record means.

    Raises:
        ArgumentError: It is neither `"abstain"` nor `"pass"`.
    """
    if policy not in ("abstain", "pass"):
        raise ArgumentError(f"no_calls must be 'abstain' or 'pass', not {policy!r}")


def none_recorded(policy: Literal["abstain", "pass"]) -> Judgment:
    """What a judge that limits calls says of a run without any.

    A context cannot tell a run that made no call from one whose calls nobody recorded, so it
    passes only where somebody vouches for the record.
    """
    if policy == "pass":
        check = Check("the record of tool calls", True, "no call was made")
        return Judgment.passing("no tool call was made", checks=(check,))
    return Judgment.abstaining(
        "no tool call is recorded: either none was made or nobody recorded them "
        "(no_calls='pass' says that all are recorded)",
        code=ReasonCode.MISSING_INPUT,
    )


def shown_call(name: str, arguments: Mapping[str, Json] | None) -> str:
    """A call as a message may show it: on one line, escaped and cut."""
    inside = "…" if arguments is None else shown_value(arguments)[1:-1]
    return f"{shown_name(name)}({inside})"


def shown_name(name: str) -> str:
    """The name of a tool, escaped and cut."""
    text = shown(name)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def shown_value(value: Json) -> str:
    """A value in JSON, escaped and cut."""
    text = shown(json.dumps(thaw(value), ensure_ascii=False))
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…{text[-1]}"
