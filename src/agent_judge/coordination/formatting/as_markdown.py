"""Feedback as Markdown, in which the words of others are code wherever they could be markup."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_judge.coordination.formatting.as_text import (
    FAILING,
    PASSING,
    SUGGESTED,
    closing,
    opening,
)
from agent_judge.coordination.formatting.points import Failure, Points, Suggestion
from agent_judge.markup import escape_markdown


def as_markdown(points: Points) -> str:
    """Write points as Markdown (CommonMark).

    An agent reads it unrendered, and a path with backslashes in it would be another path: so
    nothing is escaped, and what is not plain text stands in code.
    """
    return "\n".join(_lines(points))


def _lines(points: Points) -> Iterator[str]:
    yield opening(points)
    if points.reason:
        yield f"\n{_said(points.reason, '')}"
    if points.failures:
        yield f"\n## {FAILING}\n"
        yield from (f"- {_failure(one)}" for one in points.failures)
    if points.passing:
        yield f"\n## {PASSING}\n"
        yield from (f"- {_span(name)}" for name in points.passing)
    if points.suggestions:
        yield f"\n## {SUGGESTED}\n"
        yield from (f"- {_suggestion(one)}" for one in points.suggestions)
    if points.left_out:
        yield f"\n{closing(points)}"


def _failure(failure: Failure) -> str:
    place = f" at {_span(failure.place)}" if failure.place else ""
    again = " (again)" if failure.repeated else ""
    said = f": {_said(failure.message, '  ')}" if failure.message else ""
    return f"{_span(failure.title)}{place}{again}{said}"


def _suggestion(suggestion: Suggestion) -> str:
    again = "(again) " if suggestion.repeated else ""
    return f"{again}{_said(suggestion.text, '  ')}"


def _said(text: str, indent: str) -> str:
    """A text on its line; one of several lines in a block of code that belongs to the item."""
    if "\n" not in text:
        return _span(text)
    fence = "`" * max(3, 1 + _longest(text))
    lines = (f"{fence}text", *text.split("\n"), fence)
    block = "\n".join(f"{indent}{line}" for line in lines)
    return f"\n\n{block}" if indent else block


def _span(text: str) -> str:
    """Plain text as it is, any other between more backticks than it has (CommonMark, 6.1)."""
    text = " ".join(text.split())
    if escape_markdown(text) == text:
        return text
    marks = "`" * (1 + _longest(text))
    edge = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{marks}{edge}{text}{edge}{marks}"


def _longest(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
