"""What a voting strategy counts, what it is, and the policies that it can be told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judgment import Judgment
from agent_judge.jury.verdict import Seat

if TYPE_CHECKING:
    from random import Random


class ErrorPolicy(Enum):
    """What an ERROR does to a vote.

    PROPAGATE: the vote is ERROR. TREAT_AS_FAIL: it is a vote against, of score 0, unless the
    error is of the library's own making. TREAT_AS_ABSTAIN: it counts as an abstention. IGNORE:
    it is left out.
    """

    PROPAGATE = "propagate"
    TREAT_AS_FAIL = "treat_as_fail"
    TREAT_AS_ABSTAIN = "treat_as_abstain"
    IGNORE = "ignore"


class NotApplicablePolicy(Enum):
    """What NOT_APPLICABLE does to a vote.

    DECLARED: it is left out when its judge declared the condition beforehand, else refused.
    REFUSE: the vote is ERROR. EXCLUDE: it is left out. AS_FAIL: it is a vote against.
    """

    DECLARED = "declared"
    REFUSE = "refuse"
    EXCLUDE = "exclude"
    AS_FAIL = "as_fail"


class TiePolicy(Enum):
    """What an undecided vote is."""

    FAIL = "fail"
    PASS = "pass"
    ABSTAIN = "abstain"


@dataclass(frozen=True, slots=True)
class Population:
    """The seats that a strategy counts.

    Raises:
        ArgumentError: No seats.
        ArgumentTypeError: Something that is not a `Seat`.

    Example:
        >>> from agent_judge import Judgment, Majority
        >>> passing = Judgment.passing()
        >>> Majority()(Population.of(passing, passing, Judgment.failing())).status.name
        'PASS'
    """

    seats: tuple[Seat, ...]

    def __post_init__(self) -> None:
        if not self.seats:
            raise ArgumentError("a population needs at least one seat; nobody voted")
        for seat in self.seats:
            if type(seat) is not Seat:
                raise ArgumentTypeError(f"a population holds seats, not {seat!r:.120}")

    @classmethod
    def of(cls, *judgments: Judgment, weights: Sequence[float] | None = None) -> Population:
        """Seat judgments under made-up keys, to try a strategy out."""
        given = [1.0] * len(judgments) if weights is None else list(weights)
        if len(given) != len(judgments):
            raise ArgumentError(
                f"{len(judgments)} judgments need as many weights, not {len(given)}"
            )
        return cls(
            tuple(
                Seat(f"judge-{index + 1}", index, judgment, weight)
                for index, (judgment, weight) in enumerate(zip(judgments, given, strict=True))
            )
        )

    def __iter__(self) -> Iterator[Seat]:
        return iter(self.seats)

    def __len__(self) -> int:
        return len(self.seats)

    def shuffled(self, random: Random) -> Population:
        """The same seats in another order."""
        return Population(tuple(random.sample(self.seats, len(self.seats))))


class VotingStrategy(Protocol):
    """Sums up a population in one judgment; a pure function."""

    def __call__(self, population: Population, /) -> Judgment:
        """Count the vote."""
        ...
