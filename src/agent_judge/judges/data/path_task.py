"""Selecting values by JSONPath, in a child process of `killable`."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import Any

from jsonpath import JSONPathEnvironment

STRICT = JSONPathEnvironment(strict=True)


def answer(request: dict[str, Any]) -> list[tuple[list[str | int], Any]]:
    """The place of each value that is selected, and the value, up to a limit."""
    matches = islice(build(request["query"]).finditer(request["value"]), request["limit"])
    return [(list(match.parts), match.obj) for match in matches]


@lru_cache(maxsize=64)
def build(query: str) -> Any:
    """The query in the strict form of RFC 9535."""
    return STRICT.compile(query)
