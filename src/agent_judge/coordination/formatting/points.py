"""What there is to tell an agent about its last attempt, taken from what the judges found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agent_judge.coordination.verdict import JudgeVerdict
from agent_judge.judgment import Judgment, Status
from agent_judge.jury.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that is not as it should be.

    Attributes:
        criterion: Which judge or check says so.
        message: What it found.
        place: The file and line, where there is one.
        repeated: Whether it was so the time before as well.
    """

    criterion: str
    message: str
    place: str = ""
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Points:
    """What there is to tell.

    Attributes:
        attempt: The attempt that is to be made.
        reason: Why the last one was not approved, where no judge says more.
        failures: What is not as it should be.
        passing: What is as it should be, and must stay so.
        score: The score of the last attempt.
        change: How much that is more than the one before.
        suggestions: What to change, as far as the failures do not say it.
    """

    attempt: int
    reason: str
    failures: tuple[Failure, ...]
    passing: tuple[str, ...]
    score: float
    change: float | None
    suggestions: tuple[str, ...]


def points_of(verdict: JudgeVerdict, attempt: int, before: JudgeVerdict | None = None) -> Points:
    """What to tell of a verdict; nothing of weights, marks, or how votes were counted.

    Args:
        verdict: The verdict on the last attempt.
        attempt: The number of the attempt that is to be made.
        before: The verdict before that one.
    """
    known = {(one.criterion, one.message) for one in _failures(before)}
    failures = tuple(
        Failure(one.criterion, one.message, one.place, (one.criterion, one.message) in known)
        for one in _failures(verdict)
    )
    told = "\n".join(f"{one.criterion}\n{one.message}" for one in failures)
    return Points(
        attempt,
        "" if failures else verdict.reason,
        failures,
        tuple(dict.fromkeys(_passing(verdict.finding))),
        verdict.score,
        None if before is None else verdict.score - before.score,
        tuple(said for said in verdict.suggestions if said.partition(" (")[0] not in told),
    )


def _failures(verdict: JudgeVerdict | None) -> list[Failure]:
    return [] if verdict is None else list(dict.fromkeys(_failed(verdict.finding, "")))


def _failed(finding: Judgment | Verdict | None, name: str) -> Iterator[Failure]:
    for key, judgment in _judgments(finding, name):
        if judgment.status is not Status.FAIL:
            continue
        for check in judgment.failed_checks:
            place = "" if check.location is None else str(check.location)
            yield Failure(check.name, check.message or "it is not so", place)
        if not judgment.failed_checks:
            yield Failure(key or "the work", judgment.reasoning or "it is not so")


def _passing(finding: Judgment | Verdict | None) -> Iterator[str]:
    for key, judgment in _judgments(finding, ""):
        if judgment.status is Status.PASS and key:
            yield key
        elif judgment.status is Status.FAIL:
            yield from (
                check.name for check in judgment.checks if check.passed and not check.advisory
            )


def _judgments(finding: Judgment | Verdict | None, name: str) -> Iterator[tuple[str, Judgment]]:
    """The judgments of single judges, with the names of their seats."""
    match finding:
        case None:
            return
        case Judgment():
            yield name, finding
        case Verdict(seats=seats, attempts=attempts):
            for seat in seats:
                yield from _judgments(seat.verdict or seat.judgment, seat.key)
            for attempt in attempts:
                yield from _judgments(attempt.verdict, attempt.name)
