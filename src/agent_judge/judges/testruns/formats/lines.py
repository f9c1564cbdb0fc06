"""Reports that are read line by line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final, cast

from agent_judge.judges.testruns.results import ReportError

LINE_LIMIT: Final = 8_000_000
"""Bytes of one line."""


def lines_of(chunks: Iterable[bytes]) -> Iterator[str]:
    """The lines of a text in UTF-8, without their ends; what is no UTF-8 is replaced.

    Raises:
        ReportError: A line is too long to be one of a report.
    """
    rest: list[bytes] = []
    size = 0
    for chunk in chunks:
        first, *others = chunk.split(b"\n")
        rest.append(first)
        size += len(first)
        if others:
            yield _decoded(b"".join(rest))
            yield from map(_decoded, others[:-1])
            rest, size = [others[-1]], len(others[-1])
        if size > LINE_LIMIT:
            raise ReportError(f"holds a line of more than {LINE_LIMIT} bytes")
    if size:
        yield _decoded(b"".join(rest))


def json_object(line: str) -> dict[str, Any] | None:
    """The JSON object that a line is; `None` where it is none."""
    if not line.startswith("{"):
        return None
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _decoded(line: bytes) -> str:
    return line.removesuffix(b"\r").decode("utf-8", "replace").removeprefix("\ufeff")
