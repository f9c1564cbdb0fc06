"""Feedback as plain text: sections begin at the margin, and the words of others never do."""

from __future__ import annotations

from collections.abc import Iterator

from agent_judge.coordination.formatting.points import Failure, Points, Suggestion

FAILING = "What fails"
PASSING = "What passes, and must stay so"
SUGGESTED = "Suggestions"


def as_text(points: Points) -> str:
    """Write points as plain text.

    What others wrote stands behind a dash, or on lines that are indented further; a reason of
    several lines is indented from its second on.
    """
    return "\n".join(_lines(points))


def opening(points: Points) -> str:
    """The outcome, and the score where there is one."""
    outcome = "approved" if points.approved else "not approved"
    change = "" if points.change is None else f", {points.change:+.2f} since the one before"
    score = "" if points.score is None else f" (score {points.score:.2f}{change})"
    return f"Attempt {points.attempt - 1} was {outcome}{score}."


def closing(points: Points) -> str:
    """How much there is that is not told; empty where nothing is."""
    left_out = points.left_out
    if not left_out:
        return ""
    return f"({left_out} more {'point is' if left_out == 1 else 'points are'} left out.)"


def _lines(points: Points) -> Iterator[str]:
    yield opening(points)
    if points.reason:
        yield _quoted(points.reason)
    if points.failures:
        yield f"\n{FAILING}:"
        yield from (f"- {_failure(one)}" for one in points.failures)
    if points.passing:
        yield f"\n{PASSING}:"
        yield from (f"- {name}" for name in points.passing)
    if points.suggestions:
        yield f"\n{SUGGESTED}:"
        yield from (f"- {_suggestion(one)}" for one in points.suggestions)
    if points.left_out:
        yield f"\n{closing(points)}"


def _failure(failure: Failure) -> str:
    place = f" at {failure.place}" if failure.place else ""
    again = " (again)" if failure.repeated else ""
    said = f": {_quoted(failure.message)}" if failure.message else ""
    return f"{failure.title}{place}{again}{said}"


def _suggestion(suggestion: Suggestion) -> str:
    again = "(again) " if suggestion.repeated else ""
    return f"{again}{_quoted(suggestion.text)}"


def _quoted(text: str) -> str:
    return text.replace("\n", "\n    ")
