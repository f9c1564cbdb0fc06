"""Voting strategies that hold the scores of the votes against a pass mark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import ClassVar

from agent_judge.judgment import Judgment, Status
from agent_judge.jury.rules import NOBODY, VotingRules, built_in
from agent_judge.jury.tally import Tally, Vote
from agent_judge.scores import NumericalScore, reaches


@built_in("average")
@dataclass(frozen=True, slots=True)
class Average(VotingRules):
    """The mean score reaches a threshold.

    Args:
        threshold: The pass mark in 0..1; a mean equal to it passes. It is recorded.
    """

    threshold: float = 0.5

    def _count(self, tally: Tally) -> Judgment:
        mean = fsum(vote.score for vote in tally.votes) / len(tally.votes)
        return _scored("mean", mean, self.threshold, tally.votes)


@built_in("weighted_average")
@dataclass(frozen=True, slots=True)
class WeightedAverage(VotingRules):
    """The mean score, weighted by the weights of the seats, reaches a threshold.

    Args:
        threshold: The pass mark in 0..1; a mean equal to it passes. It is recorded.
    """

    threshold: float = 0.5

    weighs: ClassVar[bool] = True

    def _count(self, tally: Tally) -> Judgment:
        largest = max(vote.weight for vote in tally.votes)
        if largest == 0:
            return Judgment.abstaining("every judge that has a weight abstained")
        shares = [vote.weight / largest for vote in tally.votes]
        scores = [vote.score for vote in tally.votes]
        mean = fsum(s * w for s, w in zip(scores, shares, strict=True)) / fsum(shares)
        weighty = [vote for vote in tally.votes if vote.weight]
        return _scored("weighted mean", mean, self.threshold, weighty)


@built_in("median")
@dataclass(frozen=True, slots=True)
class Median(VotingRules):
    """The median score reaches a threshold.

    Args:
        threshold: The pass mark in 0..1; a median equal to it passes. It is recorded.
    """

    threshold: float = 0.5

    def _count(self, tally: Tally) -> Judgment:
        middle = _middle(sorted(vote.score for vote in tally.votes))
        return _scored("median", middle, self.threshold, tally.votes)


@built_in("minimum")
@dataclass(frozen=True, slots=True)
class Minimum(VotingRules):
    """The lowest score reaches a threshold: every judge is a bar to clear.

    Args:
        threshold: The pass mark in 0..1; a score equal to it passes. It is recorded.
    """

    threshold: float = 0.5

    def _count(self, tally: Tally) -> Judgment:
        lowest = min(vote.score for vote in tally.votes)
        binding = sorted(vote.key for vote in tally.votes if vote.score == lowest)
        name = f"minimum, set by {', '.join(binding)},"
        return _scored(name, lowest, self.threshold, tally.votes)


def _scored(name: str, value: float, threshold: float, votes: Iterable[Vote]) -> Judgment:
    """PASS when the value reaches the threshold and at least one counted judgment passed."""
    within = min(1.0, max(0.0, value))
    reached = reaches(within, threshold)
    somebody = any(vote.passed for vote in votes)
    why = f"{name} {within:.4g} {'reaches' if reached else 'is below'} the threshold {threshold:g}"
    if reached and not somebody:
        why += f"; {NOBODY}"
    status = Status.PASS if reached and somebody else Status.FAIL
    return Judgment(status, why, NumericalScore(within))


def _middle(ordered: Sequence[float]) -> float:
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
