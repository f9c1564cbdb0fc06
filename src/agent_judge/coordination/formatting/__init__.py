"""Feedback in words for an agent: what failed, where, and what must stay as it is.

`points.py` gathers what there is to tell, `cleaning.py` makes the words of others harmless, a
module a style writes it down, and `fitting.py` keeps it within a limit by leaving out whole points,
so that no document is cut. Everything here is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_judge.lazy import exporting

if TYPE_CHECKING:
    from agent_judge.coordination.formatting.formats import Style, format_feedback
    from agent_judge.coordination.formatting.points import Failure, Points, Suggestion, points_of

__all__ = ["Failure", "Points", "Style", "Suggestion", "format_feedback", "points_of"]

_HOMES = {
    "formats": ("Style", "format_feedback"),
    "points": ("Failure", "Points", "Suggestion", "points_of"),
}

__getattr__, __dir__ = exporting(__name__, _HOMES)
