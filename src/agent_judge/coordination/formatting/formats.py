"""Points as text, Markdown, JSON or XML: bounded, without secrets, and never torn."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any, Final, Literal, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from agent_judge.coordination.feedback import Feedback
from agent_judge.coordination.formatting.points import Points, points_of
from agent_judge.coordination.formatting.redaction import redact
from agent_judge.coordination.verdict import JudgeVerdict
from agent_judge.errors import ArgumentError

Style: TypeAlias = Literal["text", "markdown", "json", "xml"]

LIMIT: Final = 8_000
"""Characters that feedback has at most."""

_LEAST: Final = 300
_MESSAGE: Final = 600


def format_feedback(
    feedback: Feedback,
    style: Style = "markdown",
    *,
    before: JudgeVerdict | None = None,
    limit: int = LIMIT,
    environment: Mapping[str, str] | None = None,
) -> str:
    """Feedback as an agent reads it; empty on a first attempt.

    What failed stands first, with the place, and marked where it failed before; then what passes
    and has to stay, the score, and further suggestions. What judges say may quote the agent's
    work: no word of it can open or close a section. Weights, marks and held-out judges are not
    told. What does not fit within the limit is left out, whole points at a time, and counted.

    Args:
        feedback: What the executor was given.
        style: How to write it.
        before: The verdict before the one that the feedback is on, where it does not know that.
        limit: The most characters.
        environment: See `redact`.

    Raises:
        ArgumentError: An unknown style, or a limit under 300 characters.

    Example:
        >>> verdict = JudgeVerdict.retry("no title", 0.4, ["Add a title."])
        >>> print(format_feedback(Feedback.after(verdict, 2), "text"))
        Attempt 1 was not approved (score 0.40).
        no title
        Suggestions:
        - Add a title.
    """
    if style not in _WRITERS:
        raise ArgumentError(f"style is one of {', '.join(_WRITERS)}, not {style!r}")
    if type(limit) is not int or limit < _LEAST:
        raise ArgumentError(f"limit must be a number of characters from {_LEAST} up, got {limit!r}")
    if feedback.verdict is None:
        return ""
    points = points_of(feedback.verdict, feedback.attempt, before or feedback.before)
    cleaned = _cleaned(points, lambda text: redact(text, environment))
    return _fitted(cleaned, _WRITERS[style], limit)


def _cleaned(points: Points, clean: Callable[[str], str]) -> Points:
    """The points without secrets and control characters, each bounded."""

    def one(text: str, limit: int = _MESSAGE) -> str:
        printable = "".join(
            character if character.isprintable() or character == "\n" else " "
            for character in clean(text)
        ).strip()
        return printable if len(printable) <= limit else f"{printable[:limit]}…"

    return replace(
        points,
        reason=one(points.reason),
        failures=tuple(
            replace(
                failure,
                criterion=one(failure.criterion, 100),
                message=one(failure.message),
                place=one(failure.place, 200),
            )
            for failure in points.failures
        ),
        passing=tuple(one(name, 100) for name in points.passing),
        suggestions=tuple(map(one, points.suggestions)),
    )


def _fitted(points: Points, write: Callable[[Points, int], str], limit: int) -> str:
    """As much as fits: what passes goes first, then suggestions, then the last failures."""
    left_out = 0
    while len(text := write(points, left_out)) > limit:
        for name in ("passing", "suggestions", "failures"):
            values = getattr(points, name)
            if len(values) > (name == "failures"):
                drop = max(1, len(values) // 2)
                points = replace(points, **{name: values[:-drop]})
                left_out += drop
                break
        else:
            points = _shortened(points)
    return text


def _shortened(points: Points) -> Points:
    half = max(len(points.reason), *(len(one.message) for one in points.failures), 0) // 2
    return replace(
        points,
        reason=points.reason[:half],
        failures=tuple(replace(one, message=one.message[:half]) for one in points.failures),
    )


def _text(points: Points, left_out: int) -> str:
    return "\n".join(_lines(points, left_out, "{}:", "- "))


def _markdown(points: Points, left_out: int) -> str:
    return "\n".join(_lines(points, left_out, "\n## {}\n", "- "))


def _lines(points: Points, left_out: int, heading: str, item: str) -> Iterator[str]:
    yield _opening(points)
    if points.reason:
        yield _quoted(points.reason, "")
    if points.failures:
        yield heading.format("What fails")
        for one in points.failures:
            again = " (again)" if one.repeated else ""
            place = f" at {one.place}" if one.place else ""
            yield _quoted(f"{item}{one.criterion}{place}{again}: {one.message}", "  ")
    if points.passing:
        yield heading.format("What passes, and must stay so")
        yield from (_quoted(f"{item}{name}", "  ") for name in points.passing)
    if points.suggestions:
        yield heading.format("Suggestions")
        yield from (_quoted(f"{item}{said}", "  ") for said in points.suggestions)
    if left_out:
        yield f"\n({left_out} more points are left out.)"


def _opening(points: Points) -> str:
    change = "" if points.change is None else f", {points.change:+.2f} since the one before"
    return f"Attempt {points.attempt - 1} was not approved (score {points.score:.2f}{change})."


def _quoted(text: str, indent: str) -> str:
    """Further lines stand indented, so that none of them looks like a heading or an item."""
    first, *rest = text.split("\n")
    return "\n".join([first, *(f"{indent or '  '}  {line}" for line in rest)])


def _json(points: Points, left_out: int) -> str:
    told: dict[str, Any] = {"approved": False, **asdict(points)}
    if left_out:
        told["left_out"] = left_out
    return json.dumps({key: value for key, value in told.items() if value not in ("", None)})


def _xml(points: Points, left_out: int) -> str:
    return "\n".join(_elements(points, left_out))


def _elements(points: Points, left_out: int) -> Iterator[str]:
    change = "" if points.change is None else f' change="{points.change:+.2f}"'
    yield f'<feedback attempt="{points.attempt}" score="{points.score:.2f}"{change}>'
    if points.reason:
        yield f"<reason>{escape(points.reason)}</reason>"
    for one in points.failures:
        place = f" place={quoteattr(one.place)}" if one.place else ""
        again = ' repeated="true"' if one.repeated else ""
        name = quoteattr(one.criterion)
        yield f"<fails criterion={name}{place}{again}>{escape(one.message)}</fails>"
    yield from (f"<passes criterion={quoteattr(name)}/>" for name in points.passing)
    yield from (f"<suggestion>{escape(said)}</suggestion>" for said in points.suggestions)
    if left_out:
        yield f'<left-out points="{left_out}"/>'
    yield "</feedback>"


_WRITERS: Final[Mapping[str, Callable[[Points, int], str]]] = {
    "text": _text,
    "markdown": _markdown,
    "json": _json,
    "xml": _xml,
}
