"""Feedback as text, Markdown, JSON or XML: bounded, without secrets, and never torn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal, TypeAlias

from agent_judge.coordination.feedback import Feedback
from agent_judge.coordination.formatting.as_json import as_json
from agent_judge.coordination.formatting.as_markdown import as_markdown
from agent_judge.coordination.formatting.as_text import as_text
from agent_judge.coordination.formatting.as_xml import as_xml
from agent_judge.coordination.formatting.cleaning import Cleaner, cleaned
from agent_judge.coordination.formatting.fitting import check_limit, fit
from agent_judge.coordination.formatting.points import Points, points_of
from agent_judge.coordination.verdict import JudgeVerdict
from agent_judge.errors import ArgumentError
from agent_judge.secrecy import Redactor

Style: TypeAlias = Literal["text", "markdown", "json", "xml"]

LIMIT: Final = 8_000
"""Bytes of UTF-8 that feedback has at most, unless said otherwise."""

_WRITERS: Final[Mapping[str, Callable[[Points], str]]] = {
    "text": as_text,
    "markdown": as_markdown,
    "json": as_json,
    "xml": as_xml,
}


def format_feedback(
    feedback: Feedback,
    style: Style = "markdown",
    *,
    before: JudgeVerdict | None = None,
    limit: int = LIMIT,
    environment: Mapping[str, str] | None = None,
    secrets: Iterable[str] = (),
) -> str:
    """Feedback as an agent reads it; empty on a first attempt.

    What failed stands first, of the worst judge before the others, with the place, and marked
    where it failed before; then what passes and has to stay, and further suggestions. Weights,
    marks, and what a held-out judge found are not told.

    What judges say may quote the agent's work: no word of it can open or close a section or a
    tag, and secrets in it are hidden.

    Args:
        feedback: What the executor was given.
        style: How to write it.
        before: The verdict before the one that the feedback is on, where it does not know that.
        limit: The most bytes of UTF-8. Long messages lose their middle first; then whole points
            are left out and counted. No character and no document is cut.
        environment: Variables whose values are hidden where their names say that they are secret,
            as `GITHUB_TOKEN`; those of this process unless said otherwise.
        secrets: Further values to hide.

    Raises:
        ArgumentError: An unknown style, or a limit under 1,000 bytes.

    Example:
        >>> verdict = JudgeVerdict.retry("no title", 0.4, ["Add a title."])
        >>> print(format_feedback(Feedback.after(verdict, 2), "text"))
        Attempt 1 was not approved (score 0.40).
        no title
        <BLANKLINE>
        Suggestions:
        - Add a title.
    """
    if style not in _WRITERS:
        raise ArgumentError(f"style is one of {', '.join(_WRITERS)}, not {style!r:.120}")
    check_limit(limit)
    if feedback.verdict is None:
        return ""
    points = points_of(feedback.verdict, feedback.attempt, before or feedback.before)
    cleaner = Cleaner(Redactor(secrets, environment))
    return fit(cleaned(points, cleaner), limit, _WRITERS[style])
