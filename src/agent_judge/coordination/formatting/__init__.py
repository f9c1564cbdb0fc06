"""Feedback in words for an agent: what failed, where, and what must stay as it is.

Everything here is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_judge.lazy import exporting

if TYPE_CHECKING:
    from agent_judge.coordination.formatting.formats import Style, format_feedback
    from agent_judge.coordination.formatting.points import Failure, Points, points_of
    from agent_judge.coordination.formatting.redaction import redact

__all__ = ["Failure", "Points", "Style", "format_feedback", "points_of", "redact"]

_HOMES = {
    "formats": ("Style", "format_feedback"),
    "points": ("Failure", "Points", "points_of"),
    "redaction": ("redact",),
}

__getattr__, __dir__ = exporting(__name__, _HOMES)
