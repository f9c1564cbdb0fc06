"""What a program that runs tests under our eyes tells of them, read on this side.

The program writes lines to a pipe that the judged work does not have, each with a secret and a
number (see `inside.channel`). What it said before the work could have laid hands on it cannot be
taken back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from agent_judge.judges.testruns.results import CaseResult, Outcome, clipped

_OUTCOMES: Final = {outcome.value: outcome for outcome in Outcome}


@dataclass(slots=True)
class LeftOut:
    """Tests that were found and did not run, or were not looked for.

    Attributes:
        how: Why.
        count: How many.
        ids: The first of them.
    """

    how: str
    count: int
    ids: list[str]


@dataclass(slots=True)
class Record:
    """All that was told of a run.

    Attributes:
        tool: The framework and its version; empty where it was never begun.
        unusable: Why no tests could be run, where that is so.
        results: The tests that ended.
        open: The tests that began and did not end.
        left_out: Tests that did not run.
        tampered: What was done to the framework.
        exit: The exit code that the program was about to end with; `None` where it did not say.
        missing: Whether a part of the record is missing.
        told: How many results there were, as the program itself counted them in the end.
    """

    tool: str = ""
    unusable: str = ""
    results: list[CaseResult] = field(default_factory=list[CaseResult])
    open: dict[str, None] = field(default_factory=dict[str, None])
    left_out: list[LeftOut] = field(default_factory=list[LeftOut])
    tampered: list[str] = field(default_factory=list[str])
    exit: int | None = None
    missing: bool = False
    told: int | None = None


def read_record(text: str, nonce: str) -> Record:
    """The record in what a program printed; lines without the secret are not of it."""
    record = Record()
    for number, (told, facts) in enumerate(_events(text, nonce)):
        if told != number or facts is None:
            record.missing = True
            break
        _take(record, facts)
    return record


def _events(text: str, nonce: str) -> Iterator[tuple[int, dict[str, Any] | None]]:
    for line in text.split("\n"):
        secret, _, rest = line.partition(" ")
        if secret == nonce:
            number, _, content = rest.partition(" ")
            yield (int(number) if number.isdecimal() else -1), _object(content)


def _object(content: str) -> dict[str, Any] | None:
    try:
        value: object = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _take(record: Record, facts: Mapping[str, Any]) -> None:
    match facts.get("event"):
        case "began":
            record.tool = _text(facts, "tool")
        case "unusable":
            record.unusable = _text(facts, "why")
        case "started":
            record.open[_text(facts, "id")] = None
        case "stopped":
            record.open.pop(_text(facts, "id"), None)
        case "result":
            record.open.pop(_text(facts, "id"), None)
            record.results.append(_result(record, facts))
        case "left_out":
            ids = [str(name) for name in cast("list[object]", facts.get("ids") or [])]
            count = _whole(facts.get("count")) or len(ids)
            record.left_out.append(LeftOut(_text(facts, "how"), count, ids))
        case "tampered":
            record.tampered.append(_text(facts, "what"))
        case "ended":
            record.exit = _whole(facts.get("exit"))
        case "counted":
            record.told = _whole(facts.get("results"))
        case _:
            record.missing = True


def _result(record: Record, facts: Mapping[str, Any]) -> CaseResult:
    split = _split_dotted if record.tool.startswith("unittest") else _split_node
    class_name, name = split(_text(facts, "id"))
    return CaseResult(
        name,
        _OUTCOMES.get(_text(facts, "outcome"), Outcome.ERRORED),
        class_name,
        _text(facts, "file") or None,
        _whole(facts.get("line")) or None,
        clipped(_text(facts, "message")),
        flaky=facts.get("flaky") is True,
    )


def _split_node(identifier: str) -> tuple[str, str]:
    """A node of pytest as its file and class, and its name, whose parameters may hold anything."""
    plain, bracket, parameters = identifier.partition("[")
    class_name, _, name = plain.rpartition("::")
    return class_name, f"{name}{bracket}{parameters}"


def _split_dotted(identifier: str) -> tuple[str, str]:
    """A test of unittest as its module and class, and its name, with those of a subtest."""
    plain, space, parameters = identifier.partition(" ")
    class_name, _, name = plain.rpartition(".")
    return class_name, f"{name}{space}{parameters}"


def _text(facts: Mapping[str, Any], key: str) -> str:
    value = facts.get(key)
    return value if isinstance(value, str) else ""


def _whole(value: object) -> int | None:
    return value if type(value) is int and value >= 0 else None
