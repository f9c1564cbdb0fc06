"""Runs described in JSON by people and tools: one spelling is written, the usual others are read.

    {"id": "a-1", "goal": "Fix the bug", "output": "Done.", "workspace": "attempt-1"}

What the field calls `input`, `actual_output`, `retrieval_context` and so on is understood; two
spellings of one thing are refused, and so is a key that nobody knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

from agent_judge.context import ExecutionStatus, JudgmentContext, Source
from agent_judge.errors import WireError
from agent_judge.runs.messages import read_messages, read_tool_calls
from agent_judge.runs.strict_json import parse_json
from agent_judge.wire.codecs import (
    AMOUNT,
    TEXT,
    Many,
    OneOf,
    expect_list,
    expect_object,
    refused_as_wire_error,
    step,
)
from agent_judge.wire.records import FACTS, JSON, MOMENT, PATH, SOURCE, USAGE

__all__ = ["ALIASES", "MAX_RUN_BYTES", "StoredRun", "parse_json", "read_run", "read_runs"]

ALIASES: Final[Mapping[str, tuple[str, ...]]] = {
    "id": (),
    "tags": (),
    "goal": ("input", "inputs", "task", "question", "prompt"),
    "output": ("outputs", "actual_output", "response", "answer", "completion"),
    "expected": (
        "expected_output",
        "reference",
        "reference_outputs",
        "target",
        "ground_truth",
    ),
    "sources": ("retrieval_context", "retrieved_contexts", "context", "contexts", "documents"),
    "tool_calls": ("tools_called",),
    "messages": (),
    "workspace": (),
    "status": (),
    "started_at": (),
    "elapsed": (),
    "error": (),
    "baseline": (),
    "usage": (),
    "model": (),
    "finish_reason": (),
    "metadata": (),
}
"""Every key of a run, and what else it may be called."""

_SPELLINGS: Final = {
    spelling: name for name, others in ALIASES.items() for spelling in (name, *others)
}

MAX_RUN_BYTES: Final = 64 * 2**20
"""The largest file, or line of a JSON Lines file, that is read as a run."""


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run with what identifies it among others.

    Attributes:
        id: Its identifier; where it has none, its place in what it was read from.
        context: What judges see of it.
        tags: Words to choose it by.
    """

    id: str
    context: JudgmentContext
    tags: tuple[str, ...] = ()


def read_run(data: object, *, name: str = "run", base: Path | None = None) -> StoredRun:
    """Read a run from JSON values.

    Args:
        data: The object that describes it.
        name: Its identifier where the data has none.
        base: The folder from which a relative workspace counts.

    Raises:
        WireError: A key that is unknown or given in two spellings, or a wrong value; the message
            begins with its path.

    Example:
        >>> read_run({"question": "2 + 2?", "answer": "4"}).context.goal
        '2 + 2?'
    """
    given = _named(data)
    fields = {name: _READERS[name](*item) for name, item in given.items() if name in _READERS}
    if "messages" in given:
        fields = {**read_messages(*given["messages"]), **fields}
    if "workspace" in fields and base is not None:
        fields["workspace"] = base / fields["workspace"]
    context = refused_as_wire_error("run", lambda: JudgmentContext(**fields))
    return StoredRun(_id(given, name), context, _tags(given))


def read_runs(path: Path) -> Iterator[StoredRun]:
    """Read a JSON file of one run or a list of them, or a JSON Lines file with one a line.

    Raises:
        WireError: As `read_run`, or the file holds no JSON; the message begins with the place.
        OSError: The file cannot be read.
    """
    if path.suffix in (".jsonl", ".ndjson"):
        yield from _read_lines(path)
        return
    data = _read_whole(path)
    items: Sequence[object] = cast("list[object]", data) if isinstance(data, list) else [data]
    for index, item in enumerate(items):
        place = f"{path}[{index}]" if isinstance(data, list) else str(path)
        name = f"{path.stem}-{index + 1}" if isinstance(data, list) else path.stem
        yield _located(place, item, name, path.parent)


def _read_whole(path: Path) -> Any:
    with path.open("rb") as file:
        return parse_json(_bounded(file.read(MAX_RUN_BYTES + 1), str(path)), str(path))


def _bounded(raw: bytes, place: str) -> bytes:
    if len(raw) > MAX_RUN_BYTES:
        raise WireError(f"{place}: is larger than {MAX_RUN_BYTES} bytes")
    return raw


def _read_lines(path: Path) -> Iterator[StoredRun]:
    with path.open("rb") as lines:
        for number, line in enumerate(iter(lambda: lines.readline(MAX_RUN_BYTES + 1), b""), 1):
            if line.strip():
                place = f"{path}:{number}"
                data = parse_json(_bounded(line, place), place)
                yield _located(place, data, f"{path.stem}-{number}", path.parent)


def _located(place: str, data: object, name: str, base: Path) -> StoredRun:
    try:
        return read_run(data, name=name, base=base)
    except WireError as fault:
        raise WireError(f"{place}: {fault}") from None


Given: TypeAlias = tuple[Any, str]
"""A value, and how its key was spelled."""


def _named(data: object) -> dict[str, Given]:
    """What is given, by its name; each key is known, and nothing is given twice."""
    if not isinstance(data, Mapping):
        raise WireError(f"a run is a JSON object, not a {type(data).__name__}")
    given: dict[str, Given] = {}
    for key, value in cast("Mapping[object, Any]", data).items():
        spelling = key if isinstance(key, str) else repr(key)
        name = _SPELLINGS.get(spelling)
        if name is None:
            near = get_close_matches(spelling, _SPELLINGS, 1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(ALIASES)}"
            raise WireError(f"{step(spelling)}: unknown{hint}")
        if name in given:
            raise WireError(
                f"{step(spelling)}: is {given[name][1]!r} once more; give one of the two"
            )
        given[name] = (value, spelling)
    return given


def _id(given: Mapping[str, Given], otherwise: str) -> str:
    if "id" not in given:
        return otherwise
    value, path = given["id"]
    name = str(value) if type(value) is int else TEXT.read(value, path)
    if not name.strip():
        raise WireError(f"{path}: is blank")
    return str(name)


def _tags(given: Mapping[str, Given]) -> tuple[str, ...]:
    return Many(TEXT).read(*given["tags"]) if "tags" in given else ()


def _sources(value: Any, path: str) -> tuple[Source, ...]:
    """Passages: strings, or objects with their text under one of its usual names."""
    items: list[Any] = [value] if isinstance(value, str | Mapping) else expect_list(value, path)
    return tuple(_source(item, f"{path}[{index}]") for index, item in enumerate(items))


def _source(item: Any, path: str) -> Source:
    if isinstance(item, str):
        return refused_as_wire_error(path, lambda: Source(item))
    fields = dict(expect_object(item, path))
    for spelling in ("content", "page_content"):
        if spelling in fields and "text" not in fields:
            fields["text"] = fields.pop(spelling)
    return SOURCE.read({"metadata": {}, **fields}, path)


_READERS: Final[Mapping[str, Callable[[Any, str], Any]]] = {
    "goal": TEXT.read,
    "output": JSON.read,
    "expected": JSON.read,
    "baseline": JSON.read,
    "sources": _sources,
    "tool_calls": read_tool_calls,
    "workspace": PATH.read,
    "status": OneOf(ExecutionStatus).read,
    "started_at": MOMENT.read,
    "elapsed": AMOUNT.read,
    "error": TEXT.read,
    "usage": USAGE.read,
    "model": TEXT.read,
    "finish_reason": TEXT.read,
    "metadata": FACTS.read,
}
