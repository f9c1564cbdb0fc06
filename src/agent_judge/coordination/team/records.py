"""What a member contributed, and how a team's work can end."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from agent_judge.coordination.attempts import Produced
from agent_judge.coordination.team.roles import TeamPhase, TeamRole
from agent_judge.engine.ask import message_of, printable
from agent_judge.errors import ArgumentError
from agent_judge.usage import Usage


class ContributionStatus(Enum):
    """What became of asking a member.

    DONE: it has an output. FAILED: it raised. TIMED_OUT: its own deadline passed. REFUSED: what it
    said could not be used. CANCELLED: the team's deadline passed while it worked. SKIPPED: it was
    not asked, since what its sub-task needs was not done.
    """

    DONE = "done"
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    REFUSED = "refused"
    CANCELLED = "cancelled"
    SKIPPED = "skipped"


class TeamStatus(Enum):
    """How a team's work went.

    COMPLETED: everything that was to be done was done. TIMED_OUT: something was not, since the
    team's deadline or that of a member passed. PARTIAL: something was not done, and enough was.
    FAILED: too little was done, or nothing came of it.
    """

    COMPLETED = "completed"
    PARTIAL = "partial"
    FAILED = "failed"
    TIMED_OUT = "timed_out"


class TeamStop(Enum):
    """Why a team's work ended.

    FINISHED: everybody had been asked. MEMBER_FAILED: a member failed, and the others needed it.
    LEAD_FAILED: neither the lead nor a co-lead could plan, or merge. AGREEMENT, NO_CHANGE and
    MAX_ROUNDS end a debate. TIMED_OUT: the team's deadline passed.
    """

    FINISHED = "finished"
    MEMBER_FAILED = "member_failed"
    LEAD_FAILED = "lead_failed"
    AGREEMENT = "agreement"
    NO_CHANGE = "no_change"
    MAX_ROUNDS = "max_rounds"
    TIMED_OUT = "timed_out"


class MemberError(Exception):
    """What went wrong with a member, in words: it raised nothing itself, or was read back."""


MAX_WORDS: Final = 2_000
"""How many characters of what went wrong are kept."""

_MADE_SOMETHING = (ContributionStatus.DONE, ContributionStatus.REFUSED)


@dataclass(frozen=True, slots=True)
class Contribution:
    """What became of asking one member once.

    Args:
        member: Its name.
        role: Its role.
        phase: What it was asked for.
        status: What became of it.
        round: In which round, from 1.
        turn: Where it stands in the order in which contributions ended, from 1.
        made: What it made, with what that consumed; `None` where it made nothing.
        error: What it raised, or what else went wrong; `None` where all went well.
        elapsed: Seconds that it took.
        subtask: The sub-task that it did, in a hierarchical team.
        abandoned: A thread was left behind that could not be stopped.

    Raises:
        ArgumentError: An output where the status says that there is none, or the other way round;
            the same for the error.
    """

    member: str
    role: TeamRole
    phase: TeamPhase
    status: ContributionStatus
    round: int
    turn: int
    made: Produced[Any] | None = None
    error: Exception | None = field(default=None, compare=False)
    elapsed: float = field(default=0.0, compare=False)
    subtask: str | None = None
    abandoned: bool = False

    def __post_init__(self) -> None:
        if (self.made is not None) is not (self.status in _MADE_SOMETHING):
            found = "no output" if self.made is None else "an output"
            raise ArgumentError(f"a contribution that is {self.status.value} has {found}")
        if (self.error is None) is not self.is_done:
            found = "no error" if self.error is None else "an error"
            raise ArgumentError(f"a contribution that is {self.status.value} has {found}")

    @property
    def is_done(self) -> bool:
        """Whether the member did what it was asked for."""
        return self.status is ContributionStatus.DONE

    @property
    def has_output(self) -> bool:
        """Whether it made anything, which may be `None`."""
        return self.made is not None

    @property
    def output(self) -> Any:
        """What it made; `None` where it made nothing."""
        return None if self.made is None else self.made.output

    @property
    def usage(self) -> Usage | None:
        """What that consumed, where the member said so."""
        return None if self.made is None else self.made.usage

    @property
    def complaint(self) -> str:
        """What went wrong, in words; empty where nothing did."""
        if self.error is None:
            return ""
        if isinstance(self.error, MemberError):
            return printable(str(self.error)[:MAX_WORDS], MAX_WORDS)
        message = message_of(self.error).strip()
        return f"{type(self.error).__name__}: {message}" if message else type(self.error).__name__
