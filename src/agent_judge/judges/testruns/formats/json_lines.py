"""Streams of JSON objects, one a line."""

from __future__ import annotations

import json
from typing import Any, cast


def json_object(line: str) -> dict[str, Any] | None:
    """The JSON object that a line is; `None` where it is none."""
    if not line.startswith("{"):
        return None
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None
