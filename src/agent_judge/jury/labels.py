"""The voting strategy that counts labels."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from agent_judge.errors import ArgumentError
from agent_judge.frozen import check_text
from agent_judge.judgment import Judgment, Status
from agent_judge.jury.population import Population, TiePolicy
from agent_judge.jury.rules import NOBODY, VotingRules, built_in, undecided
from agent_judge.jury.tally import Tally, Vote


@built_in("mode")
@dataclass(frozen=True, slots=True)
class Mode(VotingRules):
    """The label that most judges gave is one of those that pass.

    Labels are compared without regard to case.

    Args:
        passing: The labels that pass.
        tie: What several labels given equally often are.

    Raises:
        ArgumentError: No passing label; at the vote, judges that choose from different
            categories, or one that gave no label.
    """

    passing: tuple[str, ...]
    tie: TiePolicy = TiePolicy.ABSTAIN

    monotone: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if isinstance(self.passing, str) or not tuple(self.passing):
            raise ArgumentError(f"passing lists one label or more, not {self.passing!r}")
        object.__setattr__(self, "passing", tuple(self.passing))
        for label in self.passing:
            check_text(label, "a passing label")
            if not label.strip():
                raise ArgumentError("a passing label must not be blank")
        VotingRules.__post_init__(self)

    def _count(self, tally: Tally) -> Judgment:
        _check_one_label_set(tally.population)
        labels = Counter(_folded(vote) for vote in tally.votes)
        most = max(labels.values())
        winners = sorted(label for label, count in labels.items() if count == most)
        if len(winners) > 1:
            tied = undecided(self.tie, f"a tie of {', '.join(winners)}, {most} votes each")
            return _unless_nobody_passed(tied, tally)
        passed = winners[0] in {label.casefold() for label in self.passing}
        why = f"{winners[0]!r} with {most} of {len(tally.votes)} votes"
        status = Status.PASS if passed else Status.FAIL
        return _unless_nobody_passed(Judgment(status, why, label=winners[0]), tally)


def _unless_nobody_passed(judgment: Judgment, tally: Tally) -> Judgment:
    if not judgment.passed or tally.passes:
        return judgment
    return Judgment.failing(f"{judgment.reasoning}; {NOBODY}", label=judgment.label)


def _folded(vote: Vote) -> str:
    if vote.label is None:
        raise ArgumentError(f"mode counts labels, and {vote.key!r} gave none")
    return vote.label.casefold()


def _check_one_label_set(population: Population) -> None:
    sets = {
        frozenset(getattr(seat.judgment.score, "categories", ()))
        for seat in population.seats
        if seat.judgment.score is not None
    }
    if len(sets) > 1:
        raise ArgumentError(f"mode cannot mix label sets: {sorted(map(sorted, sets))}")
