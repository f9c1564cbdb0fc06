"""What there is to tell an agent about its last attempt, taken from what the judges found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from agent_judge.coordination.formatting.marks import without_marks
from agent_judge.coordination.policies.jury import suggestions_of
from agent_judge.coordination.verdict import JudgeVerdict
from agent_judge.judgment import Check, Judgment, Status


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that is not as it should be.

    Attributes:
        criterion: Which check says so, or which judge where it made none.
        message: What was found.
        place: The file and line, where there is one.
        repeated: Whether it was so the time before as well.
        judge: Whose check it is; empty where there is one judge alone, or no check.
    """

    criterion: str
    message: str
    place: str = ""
    repeated: bool = False
    judge: str = ""

    @property
    def title(self) -> str:
        """The judge and the criterion."""
        return f"{self.judge} / {self.criterion}" if self.judge else self.criterion


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What somebody suggests to change, and whether it was suggested the time before as well."""

    text: str
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Points:
    """What there is to tell.

    Attributes:
        attempt: The attempt that is to be made.
        approved: Whether the last one was approved.
        reason: Why, where no judge says more.
        failures: What is not as it should be, of the worst judge first.
        passing: What is as it should be, and must stay so.
        score: The score of the last attempt, where somebody gave it one.
        change: How much that is more than the one before.
        suggestions: What to change, as far as the failures do not say it.
        left_out: How many points there are beside these.
    """

    attempt: int
    approved: bool
    reason: str
    failures: tuple[Failure, ...]
    passing: tuple[str, ...]
    score: float | None
    change: float | None
    suggestions: tuple[Suggestion, ...]
    left_out: int = 0

    def first(self, kind: str, count: int) -> Points:
        """The same with the first so many of a kind; the others are counted as left out."""
        items: tuple[object, ...] = getattr(self, kind)
        left_out = self.left_out + max(0, len(items) - count)
        return replace(self, **{kind: items[:count]}, left_out=left_out)  # type: ignore[arg-type]


def points_of(verdict: JudgeVerdict, attempt: int, before: JudgeVerdict | None = None) -> Points:
    """What to tell of a verdict; nothing of weights, marks, or how votes were counted.

    Args:
        verdict: The verdict on the last attempt.
        attempt: The number of the attempt that is to be made.
        before: The verdict before that one.
    """
    found = [] if verdict.is_approved else [*_failed(verdict)]
    known = frozenset[object]() if before is None else _known(before)
    hide = without_marks(verdict.finding)
    score, earlier = _score(verdict), None if before is None else _score(before)
    return Points(
        attempt,
        verdict.is_approved,
        "" if found else hide(_reason(verdict)),
        tuple(
            replace(one.failure, message=hide(one.failure.message), repeated=one.key in known)
            for one in found
        ),
        tuple(dict.fromkeys(_passing(verdict))),
        score,
        None if score is None or earlier is None else score - earlier,
        tuple(Suggestion(hide(said), said in known) for said in _suggested(verdict)),
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """A failure, and by what it is known again whatever line it has moved to."""

    failure: Failure
    key: object


def _failed(verdict: JudgeVerdict) -> Iterator[_Found]:
    failed = [leaf for leaf in _leaves(verdict) if leaf[1].status is Status.FAIL]
    for judge, judgment in sorted(failed, key=lambda leaf: leaf[1].effective_score or 0.0):
        for check in judgment.failed_checks:
            yield _found(judge, check)
        if not judgment.failed_checks and judge:
            yield _Found(Failure(judge, judgment.reasoning), (judge, judge, None))


def _found(judge: str, check: Check) -> _Found:
    location = check.location
    place, path = ("", None) if location is None else (str(location), location.path)
    failure = Failure(check.name, check.message, place, judge="" if judge == check.name else judge)
    return _Found(failure, (judge, check.name, path))


def _leaves(verdict: JudgeVerdict) -> list[tuple[str, Judgment]]:
    """The judgments of those who looked at the work themselves, each with a name of its own."""
    finding = verdict.finding
    if finding is None:
        return []
    if isinstance(finding, Judgment):
        return [("", finding)]
    seats = [
        (path, seat)
        for path, seat in finding.all_seats()
        if seat.verdict is None and not seat.skipped
    ]
    times = Counter(seat.key for _, seat in seats)
    return [
        (seat.key if times[seat.key] == 1 else f"{path[1:]}/{seat.key}".lstrip("/"), seat.judgment)
        for path, seat in seats
    ]


def _passing(verdict: JudgeVerdict) -> Iterator[str]:
    """The judges that passed, and what passed with a judge that failed."""
    for judge, judgment in _leaves(verdict):
        if judgment.status is Status.PASS and judge:
            yield judge
        elif judgment.status in (Status.PASS, Status.FAIL):
            passed = (check for check in judgment.checks if check.passed and not check.advisory)
            yield from (f"{judge} / {check.name}" if judge else check.name for check in passed)


def _suggested(verdict: JudgeVerdict) -> Iterator[str]:
    """What was suggested and stands neither among the failures nor in the reason."""
    finding = verdict.finding
    told = {verdict.reason, *(() if finding is None else suggestions_of(finding))}
    return (said for said in dict.fromkeys(verdict.suggestions) if said not in told)


def _known(before: JudgeVerdict) -> frozenset[object]:
    """What failed, and what was suggested, the time before."""
    return frozenset({*(found.key for found in _failed(before)), *before.suggestions})


def _reason(verdict: JudgeVerdict) -> str:
    if not verdict.is_approved and _status(verdict) is Status.ERROR:
        return "The work could not be judged, so nothing is known about it."
    return verdict.reason


def _score(verdict: JudgeVerdict) -> float | None:
    """The score, unless it was made up, or tells what a held-out judge thought."""
    held_out = not verdict.is_approved and _status(verdict) is Status.PASS
    return None if verdict.synthetic or held_out else verdict.score


def _status(verdict: JudgeVerdict) -> Status | None:
    return None if verdict.finding is None else verdict.finding.status
