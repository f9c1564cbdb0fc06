"""What a formation ends with, before it is known how that went for the team."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from agent_judge.coordination.team.plans import SubTask
from agent_judge.coordination.team.records import (
    Contribution,
    ContributionStatus,
    TeamStatus,
    TeamStop,
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a formation ends with.

    Attributes:
        pieces: What became of each piece of the work; a second try takes the place of the first.
        stop: Why it ended.
        output: What came of it.
        has_output: Whether anything did.
        unasked: How many pieces nobody was asked for.
        consensus: Whether a debate reached agreement.
        plan: The sub-tasks of a hierarchical team.
        revised: It is that of the revision.
    """

    pieces: tuple[Contribution, ...]
    stop: TeamStop = TeamStop.FINISHED
    output: Any = None
    has_output: bool = False
    unasked: int = 0
    consensus: bool | None = None
    plan: tuple[SubTask, ...] = ()
    revised: bool = False

    def giving(self, output: object) -> Outcome:
        """The same with an output."""
        return replace(self, output=output, has_output=True)

    def without_output(self) -> Outcome:
        """The same with none."""
        return replace(self, output=None, has_output=False)

    def with_pieces(self, *pieces: Contribution) -> Outcome:
        """The same with more pieces of work."""
        return replace(self, pieces=(*self.pieces, *pieces))

    def has_enough(self, min_successes: int) -> bool:
        """Whether nothing is missing, or else enough members did something well."""
        did_well = {piece.member for piece in self.pieces if piece.is_done}
        return self.is_complete or len(did_well) >= min_successes

    @property
    def is_complete(self) -> bool:
        """Whether everything was done."""
        return not self.unasked and all(piece.is_done for piece in self.pieces)

    def status(self, min_successes: int) -> TeamStatus:
        """How that went."""
        late = any(piece.status is ContributionStatus.TIMED_OUT for piece in self.pieces)
        if self.stop is TeamStop.TIMED_OUT:
            return TeamStatus.TIMED_OUT
        if self.is_complete:
            return TeamStatus.COMPLETED
        if late:
            return TeamStatus.TIMED_OUT
        usable = self.has_output and self.has_enough(min_successes)
        return TeamStatus.PARTIAL if usable else TeamStatus.FAILED
