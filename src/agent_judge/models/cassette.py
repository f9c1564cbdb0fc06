"""Cassettes: files of requests and their replies, one JSON object a line, to be read and diffed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from agent_judge.errors import UnsupportedVersionError, WireError
from agent_judge.models.json_reading import as_object, is_list, is_object
from agent_judge.models.records import (
    FORMAT,
    fingerprint,
    request_to_json,
    response_to_json,
)
from agent_judge.models.request import ModelRequest
from agent_judge.models.response import ModelResponse


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a cassette.

    Attributes:
        line: Its number, from 1.
        model: The model that was asked.
        request: The request, as `request_to_json` writes it.
        response: The response, as `response_to_json` writes it.
    """

    line: int
    model: str
    request: Mapping[str, Any]
    response: Mapping[str, Any]

    @property
    def key(self) -> str:
        """What identifies the request, worked out anew: people may edit a cassette."""
        return fingerprint(self.request)


def write_entry(path: Path, model: str, request: ModelRequest, response: ModelResponse) -> None:
    """Append a line in one write, so that lines of several processes do not mix."""
    entry = {
        "cassette": FORMAT,
        "model": model,
        "request": request_to_json(request),
        "response": response_to_json(response, request),
    }
    line = json.dumps(entry, ensure_ascii=False) + "\n"
    with path.open("ab", buffering=0) as file:
        file.write(line.encode())


def read_entries(path: Path) -> tuple[Entry, ...]:
    """Read a cassette; lines that are blank are passed over.

    Raises:
        FileNotFoundError: There is no such file.
        WireError: A line that is not an entry; the message begins with its place.
        UnsupportedVersionError: A line in a format that this release cannot read.
    """
    lines = path.read_bytes().split(b"\n")
    return tuple(
        _read_entry(f"{path}:{number}", number, line)
        for number, line in enumerate(lines, start=1)
        if line.strip()
    )


def nearest_entry(document: Mapping[str, Any], entries: tuple[Entry, ...]) -> Entry | None:
    """The entry whose request shares the longest beginning and end with a request."""
    wanted = _readable(document)
    return max(entries, key=lambda entry: _likeness(wanted, _readable(entry.request)), default=None)


def first_difference(asked: object, recorded: object, path: str = "") -> str:
    """Where two requests first differ, and how, for people to read."""
    if is_object(asked) and is_object(recorded):
        for key in {**recorded, **asked}:
            if key not in asked or key not in recorded or asked[key] != recorded[key]:
                inner = f"{path}.{key}" if path else key
                return first_difference(asked.get(key), recorded.get(key), inner)
    if is_list(asked) and is_list(recorded):
        for index, (ours, theirs) in enumerate(zip(asked, recorded, strict=False)):
            if ours != theirs:
                return first_difference(ours, theirs, f"{path}[{index}]")
        return f"{path} holds {len(recorded)} recorded, {len(asked)} asked"
    if isinstance(asked, str) and isinstance(recorded, str):
        at = _common(asked, recorded)
        return f"{path} from character {at}: recorded {_cut(recorded, at)}, asked {_cut(asked, at)}"
    return f"{path}: recorded {recorded!r:.60}, asked {asked!r:.60}"


_SHOWN: Final = 40


def _read_entry(place: str, number: int, line: bytes) -> Entry:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise WireError(f"{place}: this line is not JSON: {fault!s:.120}") from fault
    fields = as_object(entry)
    if "cassette" not in fields:
        raise WireError(f"{place}: this line is not an entry of a cassette")
    if fields["cassette"] != FORMAT:
        raise UnsupportedVersionError(
            f"{place}: the format is {fields['cassette']!r:.40}; this release reads {FORMAT}"
        )
    model, request, response = (fields.get(name) for name in ("model", "request", "response"))
    if not isinstance(model, str) or not is_object(request) or not is_object(response):
        raise WireError(f"{place}: an entry holds a model, a request and a response")
    return Entry(number, model, request, response)


def _readable(document: Mapping[str, Any]) -> str:
    return json.dumps(document, sort_keys=True, ensure_ascii=False)


def _likeness(left: str, right: str) -> float:
    """The share of two texts that is their common beginning and end, in 0..1."""
    head = _common(left, right)
    room = min(len(left), len(right)) - head
    tail = min(_common(left[::-1], right[::-1]), room)
    return (head + tail) / max(len(left), len(right), 1)


def _common(left: str, right: str) -> int:
    """How many characters two texts begin with in common, by halving."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _cut(text: str, at: int) -> str:
    end = "…" if at + _SHOWN < len(text) else ""
    return f"{text[at : at + _SHOWN]!r}{end}"
