"""When work that goes on in many small steps must be done."""

from __future__ import annotations

from time import monotonic

from agent_judge.judges.files.paths import WorkspaceError
from agent_judge.judgment import ReasonCode


class Deadline:
    """So many seconds from now.

    Args:
        seconds: How long the work may take.
        work: What the work is, as a message says that it took longer.
    """

    __slots__ = ("_end", "_seconds", "_work")

    def __init__(self, seconds: float, work: str) -> None:
        self._seconds = seconds
        self._work = work
        self._end = monotonic() + seconds

    @property
    def left(self) -> float:
        """The seconds that are left.

        Raises:
            WorkspaceError: None are (`timeout`).
        """
        left = self._end - monotonic()
        if left <= 0:
            raise self.passed
        return left

    def check(self) -> None:
        """Go on only before it.

        Raises:
            WorkspaceError: It has passed (`timeout`).
        """
        _ = self.left

    @property
    def passed(self) -> WorkspaceError:
        """The ERROR that it has passed."""
        return WorkspaceError(f"{self._work} took over {self._seconds:g} s", ReasonCode.TIMEOUT)
