"""From findings to a score: points, bounds where something is open, gates, and the ruling.

With the weights w and the degrees d, from 0 for unmet to 1 for met, of all criteria that apply:

    score = earned / possible, held within 0..1
    earned = sum of w * d over all criteria, penalties (w < 0) included
    possible = sum of w over those with w > 0

A degree that is open may be anything in 0..1, so the score lies between two bounds: for the lower
one every open criterion goes against the work, for the upper one in its favour. A criterion that
may not apply, and where even that is open, needs no other bounds: leaving it out gives a score
between these two. Over several samples, each a whole sheet of findings, the bounds are the means of
the bounds of each sheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from math import fsum
from statistics import variance
from typing import TypeAlias

from agent_judge.llm.criteria import Criterion
from agent_judge.llm.findings import UNANSWERED, Finding
from agent_judge.scores import reaches

Sheet: TypeAlias = tuple[Finding, ...]
"""One finding for each criterion, in the order of the criteria."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Between which two numbers a score lies; where they are the same, it is that number."""

    low: float
    high: float

    @property
    def exact(self) -> bool:
        """Whether nothing is open."""
        return self.low == self.high


@dataclass(frozen=True, slots=True)
class Points:
    """What a sheet of findings earned of what was possible.

    Args:
        earned: The points, between their bounds.
        possible: The points of all criteria that apply, penalties aside.
    """

    earned: Bounds
    possible: float

    @property
    def score(self) -> Bounds | None:
        """The score in 0..1, between its bounds; `None` where nothing that earns points applies."""
        if not self.possible:
            return None
        return Bounds(*(_share(earned, self.possible) for earned in _ends(self.earned)))


def points(criteria: Sequence[Criterion], sheet: Sheet) -> Points:
    """Add up what one sheet of findings earned.

    Example:
        >>> criteria = [Criterion("a", "A.", 3), Criterion("b", "B."), Criterion("c", "C.", -2)]
        >>> found = points(criteria, (Finding("met", 1.0), Finding("?", None), Finding("unmet", 0)))
        >>> found.earned, found.possible, found.score
        (Bounds(low=3.0, high=4.0), 4.0, Bounds(low=0.75, high=1.0))
    """
    applying = [
        (one.weight, found.degree)
        for one, found in zip(criteria, sheet, strict=True)
        if found.applies
    ]
    least = fsum(
        min(weight, 0) if degree is None else weight * degree for weight, degree in applying
    )
    most = fsum(
        max(weight, 0) if degree is None else weight * degree for weight, degree in applying
    )
    return Points(Bounds(least, most), fsum(max(weight, 0) for weight, _ in applying))


class Standing(Enum):
    """How a criterion stands over all samples.

    HELD, LOST: in more than half of them the work is, or is not, as it should be. OPEN: neither.
    EXCUSED: in more than half of them the criterion does not apply.
    """

    HELD = "held"
    LOST = "lost"
    OPEN = "open"
    EXCUSED = "excused"


class Ruling(Enum):
    """What follows from all findings."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"
    UNANSWERED = "unanswered"


@dataclass(frozen=True, slots=True)
class Marks:
    """The findings of one or several samples against a mark.

    Args:
        criteria: The criteria.
        sheets: A sheet of findings for each sample.
        threshold: The mark in 0..1 that the score has to reach.
    """

    criteria: tuple[Criterion, ...]
    sheets: tuple[Sheet, ...]
    threshold: float

    @property
    def points(self) -> tuple[Points, ...]:
        """What each sample earned."""
        return tuple(points(self.criteria, sheet) for sheet in self.sheets)

    @property
    def score(self) -> Bounds | None:
        """The mean of the scores; `None` where no sample has one.

        A sample without a score, among others that have one, leaves open what its score would be.
        """
        scores = [one.score for one in self.points]
        if not any(scores):
            return None
        known = [score or Bounds(0.0, 1.0) for score in scores]
        low, high = (fsum(ends) / len(known) for ends in zip(*map(_ends, known), strict=True))
        return Bounds(low, max(low, high))

    @property
    def variance(self) -> float | None:
        """The sample variance of the exact scores; `None` where there are not two of them."""
        exact = [score.low for one in self.points if (score := one.score) and score.exact]
        return variance(exact) if len(exact) > 1 else None

    @property
    def unanswered(self) -> tuple[str, ...]:
        """The criteria to which some sample has no answer."""
        return tuple(
            criterion.name
            for criterion, found in zip(self.criteria, zip(*self.sheets, strict=True), strict=True)
            if any(finding.word == UNANSWERED for finding in found)
        )

    @property
    def ruling(self) -> Ruling:
        """What follows from the findings.

        A lost gate, or a score that cannot reach the mark whatever is open, fails. Beyond that an
        answer that is missing rules everything out. A score that reaches the mark whatever is open
        passes, unless a gate is open, or everything is: a mark of 0 does not pass unexamined work.
        """
        score = self.score
        if any(self.gates(Standing.LOST)):
            return Ruling.FAILED
        if score is not None and not reaches(score.high, self.threshold):
            return Ruling.FAILED
        if self.unanswered:
            return Ruling.UNANSWERED
        if score is None or any(self.gates(Standing.OPEN)) or not self._decided:
            return Ruling.UNDECIDED
        return Ruling.PASSED if reaches(score.low, self.threshold) else Ruling.UNDECIDED

    @property
    def _decided(self) -> bool:
        """Whether there is a finding at all."""
        return any(finding.degree is not None for sheet in self.sheets for finding in sheet)

    def gates(self, standing: Standing) -> Iterator[str]:
        """The gates that stand so."""
        return (
            criterion.name
            for index, criterion in enumerate(self.criteria)
            if criterion.gate and self.standing(index) is standing
        )

    def standing(self, index: int) -> Standing:
        """How one of the criteria stands."""
        found = [self.stands(index, sheet[index]) for sheet in self.sheets]
        for standing in (Standing.LOST, Standing.HELD, Standing.EXCUSED):
            if 2 * found.count(standing) > len(found):
                return standing
        return Standing.OPEN

    def stands(self, index: int, finding: Finding) -> Standing:
        """What one finding says of one of the criteria."""
        if not finding.applies:
            return Standing.EXCUSED
        if finding.degree is None:
            return Standing.OPEN
        held = self.criteria[index].holds(finding.degree, self.threshold)
        return Standing.HELD if held else Standing.LOST


def _ends(bounds: Bounds) -> tuple[float, float]:
    return bounds.low, bounds.high


def _share(earned: float, possible: float) -> float:
    return min(1.0, max(0.0, earned / possible))
