"""The words of judges and of judged work, made harmless before they are told to an agent."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from agent_judge.coordination.formatting.points import Failure, Points, Suggestion
from agent_judge.llm.fence import disarm
from agent_judge.secrecy import Redactor

T = TypeVar("T")

MOST: Final = 20_000
"""Characters of a text that are looked at."""

IN_ALL: Final = 400_000
"""Characters of all texts together that are looked at."""

MOST_POINTS: Final = 200
"""Points of each kind that are looked at."""

_MARGIN: Final = 1_000
"""Characters before a cut that are left out, since they may begin a secret."""

_TERMINAL: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\))")
_BREAK: Final = re.compile("\r\n?|\x85")


class Cleaner:
    """Hides secrets, characters that cannot be seen, and what a model takes for a turn.

    It looks at a bounded amount of text in all, however much a hostile verdict holds.

    Args:
        redactor: Hides the secrets.
    """

    __slots__ = ("_left", "_redactor")

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._left = IN_ALL

    @property
    def exhausted(self) -> bool:
        """Whether it has looked at all that it may."""
        return self._left <= 0

    def text(self, text: str) -> str:
        """A text with its lines."""
        self._left -= min(len(text), MOST)
        lines = _BREAK.sub("\n", _TERMINAL.sub("", text[:MOST]))
        shown = self._redactor.redact(lines)
        if len(text) > MOST:
            shown = f"{shown[:-_MARGIN]}…"
        return disarm(shown).strip("\n").rstrip()

    def line(self, text: str) -> str:
        """A text on one line: a name, or a place."""
        return " ".join(self.text(text).split())


def cleaned(points: Points, cleaner: Cleaner) -> Points:
    """The points in harmless words; those that there are too many of are left out."""
    reason = cleaner.text(points.reason)
    failures = _each(points.failures, cleaner, _failure)
    suggestions = _each(points.suggestions, cleaner, _suggestion)
    passing = _each(points.passing, cleaner, lambda name, cleaner: cleaner.line(name))
    there = len(points.failures) + len(points.suggestions) + len(points.passing)
    return replace(
        points,
        reason=reason,
        failures=failures,
        suggestions=suggestions,
        passing=passing,
        left_out=there - len(failures) - len(suggestions) - len(passing),
    )


def _each(
    items: tuple[T, ...], cleaner: Cleaner, clean: Callable[[T, Cleaner], T]
) -> tuple[T, ...]:
    return tuple(clean(item, cleaner) for item in items[:MOST_POINTS] if not cleaner.exhausted)


def _failure(failure: Failure, cleaner: Cleaner) -> Failure:
    return replace(
        failure,
        criterion=cleaner.line(failure.criterion),
        message=cleaner.text(failure.message),
        place=cleaner.line(failure.place),
        judge=cleaner.line(failure.judge),
    )


def _suggestion(suggestion: Suggestion, cleaner: Cleaner) -> Suggestion:
    return replace(suggestion, text=cleaner.text(suggestion.text))
