"""Searching by regular expression, in a child process of `killable`."""

from __future__ import annotations

import re
from typing import Any


def answer(request: dict[str, Any]) -> list[tuple[int, int]] | None:
    """Where the first match and its groups are, `(-1, -1)` for a group that takes no part."""
    pattern: re.Pattern[str] = re.compile(request["pattern"], request["flags"])
    find = pattern.fullmatch if request["whole"] else pattern.search
    match = find(request["text"])
    return None if match is None else [match.span(group) for group in range(pattern.groups + 1)]
