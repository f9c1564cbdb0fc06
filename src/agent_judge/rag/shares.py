"""From what was said of each piece to a judgment: a score between two bounds.

A piece counts 1, 0, or, where what was said of it rests on words that the evidence does not have,
as open: then it may be either. The lower bound of the score counts the open ones against the run,
the upper one for it. It passes when the lower bound reaches the threshold, fails when the upper one
does not, and is ABSTAIN otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import fsum
from typing import Final

from agent_judge.frozen import Json
from agent_judge.judgment import Check, Judgment, Status, with_evidence
from agent_judge.llm.marking import Bounds
from agent_judge.rag.panel import Said
from agent_judge.scores import NumericalScore, reaches

MOST_OPEN: Final = 10
"""How many open ranks are tried either way; with more, nothing is known of the precision."""


def share(degrees: Sequence[float | None]) -> Bounds:
    """The share of pieces that count.

    Example:
        >>> share([1.0, 0.0, None, 1.0])
        Bounds(low=0.5, high=0.75)
    """
    known = fsum(degree for degree in degrees if degree is not None)
    unknown = sum(degree is None for degree in degrees)
    return Bounds(known / len(degrees), (known + unknown) / len(degrees))


def average_precision(degrees: Sequence[float | None]) -> Bounds:
    """How far up the relevant passages of a ranking stand; 0 where none is relevant.

    The mean, over the relevant ranks k, of the share of relevant passages among the first k
    (average precision; Manning, Raghavan and Schütze, Introduction to Information Retrieval, 8.4).

    Example:
        >>> average_precision([1.0, 0.0, 1.0])
        Bounds(low=0.8333333333333333, high=0.8333333333333333)
        >>> average_precision([0.0, 0.0])
        Bounds(low=0.0, high=0.0)
    """
    unknown = [rank for rank, degree in enumerate(degrees) if degree is None]
    if len(unknown) > MOST_OPEN:
        return Bounds(0.0, 1.0)
    precisions: list[float] = []
    for guesses in product((0.0, 1.0), repeat=len(unknown)):
        guessed = dict(zip(unknown, guesses, strict=True))
        precisions.append(
            _precision([guessed.get(rank, degree or 0.0) for rank, degree in enumerate(degrees)])
        )
    return Bounds(min(precisions), max(precisions))


def _precision(relevant: Sequence[float]) -> float:
    found, total = 0, 0.0
    for rank, degree in enumerate(relevant, 1):
        if degree:
            found += 1
            total += found / rank
    return total / found if found else 0.0


def judge_pieces(
    said: Sequence[Said],
    degrees: Sequence[float | None],
    threshold: float,
    *,
    piece: str,
    what: str,
    score: Callable[[Sequence[float | None]], Bounds] = share,
) -> Judgment:
    """The judgment that follows from what was said of the pieces, with a check for each.

    Args:
        said: What was said.
        degrees: What each counts.
        threshold: The pass mark in 0..1.
        piece: What a piece is called.
        what: What the pieces that count are.
        score: What the degrees come to.
    """
    bounds = score(degrees)
    counts = sum(degree == 1.0 for degree in degrees)
    span = f"{bounds.low:.4g}" if bounds.exact else f"{bounds.low:.4g} to {bounds.high:.4g}"
    told = f"{counts} of {len(said)} {piece}s {what}, a score of {span}; the mark is {threshold:g}"
    checks = [
        Check(f"{piece} {number}", degree == 1.0, f"{one.piece} ({one.told})")
        for number, (one, degree) in enumerate(zip(said, degrees, strict=True), 1)
    ]
    evidence: dict[str, Json] = {
        f"{piece}s": len(said),
        "open": sum(degree is None for degree in degrees),
        "score_low": bounds.low,
        "score_high": bounds.high,
        "threshold": threshold,
    }
    return with_evidence(_judgment(bounds, threshold, told, checks), evidence)


def _judgment(bounds: Bounds, threshold: float, told: str, checks: Sequence[Check]) -> Judgment:
    if reaches(bounds.low, threshold):
        return Judgment.scored(bounds.low, threshold=threshold, reasoning=told, checks=checks)
    if not reaches(bounds.high, threshold):
        return Judgment(Status.FAIL, told, NumericalScore(bounds.low), checks=tuple(checks))
    return Judgment.abstaining(told, checks=[check.as_advisory() for check in checks])
