"""What a team ends with: its output, and what every member contributed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from agent_judge.coordination.team.plans import SubTask
from agent_judge.coordination.team.records import Contribution, TeamStatus, TeamStop
from agent_judge.coordination.team.roles import TeamFormation, TeamPhase
from agent_judge.errors import ArgumentError
from agent_judge.usage import Usage


@dataclass(frozen=True, slots=True)
class TeamResult:
    """What came of a task.

    As text it is its output, below a line that says what is missing where something is.

    Args:
        team_id: The team.
        task: The task.
        status: How it went.
        stop_reason: Why it ended.
        formation: How the team worked; for ADAPTIVE, what was chosen.
        configured: The formation that the team was made with.
        contributions: What became of asking each member, in the order of asking.
        rounds: How many rounds there were.
        output: What came of it; `None` where nothing did.
        has_output: Whether anything came of it, which may be `None`.
        consensus: Whether a debate reached agreement; `None` where there was none.
        plan: The sub-tasks of a hierarchical team.
        revised: The output is that of the revision after the reviewers' notes.
        elapsed: Seconds from begin to end.

    Raises:
        ArgumentError: A part that contradicts another.
    """

    team_id: str
    task: str
    status: TeamStatus
    stop_reason: TeamStop
    formation: TeamFormation
    configured: TeamFormation
    contributions: tuple[Contribution, ...]
    rounds: int
    output: Any = None
    has_output: bool = False
    consensus: bool | None = None
    plan: tuple[SubTask, ...] = ()
    revised: bool = False
    elapsed: float = field(default=0.0, compare=False)

    def __post_init__(self) -> None:
        turns = sorted(contribution.turn for contribution in self.contributions)
        if turns != [*range(1, len(turns) + 1)]:
            raise ArgumentError("the turns of the contributions must count from 1 without a gap")
        if any(contribution.round > self.rounds for contribution in self.contributions):
            raise ArgumentError(f"there is a contribution of a later round than {self.rounds}")
        if self.has_output and not any(one.is_done for one in self.contributions):
            raise ArgumentError("there is an output, and no contribution that could have made it")
        if self.has_output and self.status is TeamStatus.FAILED:
            raise ArgumentError("a team that failed has no output")
        if self.status is TeamStatus.COMPLETED and self.stop_reason in _NEVER_COMPLETE:
            raise ArgumentError(f"a team is not completed that ended by {self.stop_reason.value}")
        if self.output is not None and not self.has_output:
            raise ArgumentError("there is an output where has_output says that there is none")
        if self.formation is TeamFormation.ADAPTIVE:
            raise ArgumentError("formation is the one that was chosen, which ADAPTIVE is not")

    def __str__(self) -> str:
        from agent_judge.coordination.team.account import as_text

        return as_text(self)

    @property
    def transcript(self) -> tuple[Contribution, ...]:
        """The contributions in the order in which they ended."""
        return tuple(sorted(self.contributions, key=lambda contribution: contribution.turn))

    @property
    def reviews(self) -> tuple[Contribution, ...]:
        """What became of asking the reviewers."""
        return tuple([one for one in self.contributions if one.phase is TeamPhase.REVIEW])

    @property
    def notes(self) -> tuple[Any, ...]:
        """What the reviewers had to say."""
        return notes_in(self.reviews)

    @property
    def failures(self) -> tuple[Contribution, ...]:
        """The contributions that are none."""
        return tuple([one for one in self.contributions if not one.is_done])

    @property
    def usage(self) -> Usage | None:
        """What all members consumed; `None` where one that answered did not say."""
        usages = [one.usage for one in self.contributions if one.has_output]
        reported = [usage for usage in usages if usage is not None]
        return Usage.total(reported) if usages and len(reported) == len(usages) else None

    def report(self) -> str:
        """The work in words, a line for each contribution."""
        from agent_judge.coordination.team.account import account

        return account(self)

    def to_dict(self, encode: Callable[[Any], Any] | None = None) -> dict[str, Any]:
        """The result as plain JSON values, ready for `json.dumps`.

        Args:
            encode: Makes JSON of an output; JSON-like outputs need none.

        Raises:
            ArgumentError: An output that JSON cannot carry.
            ArgumentTypeError: An output that is not JSON-like.
        """
        from agent_judge.coordination.team.stored import to_dict

        return to_dict(self, encode)

    @classmethod
    def from_dict(
        cls, data: Mapping[str, Any], decode: Callable[[Any], Any] | None = None
    ) -> TeamResult:
        """Read a result back; what a member raised is then known in words alone.

        Args:
            data: What `to_dict` gave.
            decode: Makes an output of what `encode` made of it.

        Raises:
            WireError: A field is missing, unknown or wrong; the message begins with its path.
            UnsupportedVersionError: The stored form is of a version that is not known.
        """
        from agent_judge.coordination.team.stored import from_dict

        return from_dict(data, decode)


_NEVER_COMPLETE = (TeamStop.TIMED_OUT, TeamStop.MEMBER_FAILED, TeamStop.LEAD_FAILED)


def notes_in(reviews: tuple[Contribution, ...]) -> tuple[Any, ...]:
    """What reviewers had to say; `None`, and blank text, is no note."""
    said = [review.output for review in reviews if review.is_done]
    return tuple([note for note in said if not (note is None or _is_blank(note))])


def _is_blank(note: object) -> bool:
    return isinstance(note, str) and not note.strip()
