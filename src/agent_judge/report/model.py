"""What every format of a report is made from: cases, their rows, and the totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import fsum

from agent_judge.errors import ArgumentError
from agent_judge.judgment import Judgment, ReasonCode, Status
from agent_judge.jury.verdict import Seat, Spending, StageAttempt, Verdict
from agent_judge.usage import Usage
from agent_judge.wire import is_verifiable

EXIT_CODES = {
    Status.PASS: 0,
    Status.FAIL: 1,
    Status.ERROR: 3,
    Status.ABSTAIN: 4,
    Status.NOT_APPLICABLE: 4,
}
"""What a program that reports a status ends with; 2 is kept for its own use and misuse."""


@dataclass(frozen=True, slots=True)
class Case:
    """One run and the verdict on it.

    Args:
        id: What the run is called; what UTF-8 cannot carry of it, such as bytes in the name of a
            file, is replaced.
        verdict: What was found.

    Raises:
        ArgumentError: A blank identifier.
    """

    id: str
    verdict: Verdict

    def __post_init__(self) -> None:
        if not self.id.strip():
            raise ArgumentError("a case needs an identifier that is not blank")
        object.__setattr__(self, "id", self.id.encode("utf-8", "replace").decode())

    @property
    def recountable(self) -> bool:
        """Whether the verdict can be counted again; a strategy of somebody's own cannot."""
        return is_verifiable(self.verdict)

    @property
    def reasoning(self) -> str:
        """The verdict's reasoning, marked where nobody but its maker can count it again."""
        mark = "" if self.recountable else " [a strategy of its own: cannot be counted again]"
        return f"{self.verdict.reasoning}{mark}".strip()


@dataclass(frozen=True, slots=True)
class Row:
    """One seat of one case.

    Attributes:
        case: The case.
        stage: Path of the stage that the seat is in; `""` in a plain jury.
        key: The seat, or the stage where that itself crashed or was skipped.
        judgment: What was found.
    """

    case: str
    stage: str
    key: str
    judgment: Judgment

    @property
    def name(self) -> str:
        """The seat with its stage, as a path."""
        return f"{self.stage}/{self.key}".lstrip("/")

    @property
    def skipped(self) -> bool:
        """Whether it was not asked, or not to the end."""
        return self.judgment.code is ReasonCode.SKIPPED

    @property
    def word(self) -> str:
        """The status, or that it was skipped."""
        return "skipped" if self.skipped else self.judgment.status.value.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Report:
    """Cases, in order.

    Raises:
        ArgumentError: No cases.
    """

    cases: tuple[Case, ...]

    def __post_init__(self) -> None:
        if not self.cases:
            raise ArgumentError("a report needs at least one case; nothing was judged")

    @property
    def counts(self) -> Counter[Status]:
        """How many cases have each status."""
        return Counter(case.verdict.status for case in self.cases)

    @property
    def status(self) -> Status:
        """The worst: a failure, else an error, else what is undecided, else a pass."""
        for status in (Status.FAIL, Status.ERROR, Status.ABSTAIN, Status.NOT_APPLICABLE):
            if self.counts[status]:
                return status
        return Status.PASS

    @property
    def exit_code(self) -> int:
        """0 passed, 1 failed, 3 error, 4 undecided."""
        return EXIT_CODES[self.status]

    @property
    def spending(self) -> Spending:
        """What judging cost, added up."""
        parts = [case.verdict.cost for case in self.cases]
        usages = [part.usage for part in parts if part.usage is not None]
        return Spending(
            judges=sum(part.judges for part in parts),
            saved=sum(part.saved for part in parts),
            usage=Usage.total(usages) if usages else None,
            unreported=sum(part.unreported for part in parts),
            elapsed=fsum(part.elapsed for part in parts),
        )

    def rows(self) -> Iterator[Row]:
        """Every seat of every case."""
        for case in self.cases:
            yield from rows_of(case)

    def summary(self) -> str:
        """The totals in a line, with what was not judged beside the mean."""
        counts = self.counts
        words = {
            Status.PASS: "passed",
            Status.FAIL: "failed",
            Status.ERROR: "errored",
            Status.ABSTAIN: "undecided",
            Status.NOT_APPLICABLE: "not applicable",
        }
        parts = [f"{counts[status]} {word}" for status, word in words.items() if counts[status]]
        return f"{', '.join(parts)} of {len(self.cases)}; {self._mean()}"

    def spending_summary(self) -> str:
        """What judging took, in a line; a price that was not reported is not made up."""
        spending = self.spending
        saved = f", {spending.saved} not needed" if spending.saved else ""
        unknown = f", {spending.unreported} with unknown cost" if spending.unreported else ""
        price = None if spending.usage is None else spending.usage.cost
        cost = "" if price is None else f", ${price:.4f}"
        return f"{spending.judges} judges asked{saved}{unknown}, {spending.elapsed:.2f} s{cost}"

    def _mean(self) -> str:
        scores = [case.verdict.score for case in self.cases]
        judged = [score for score in scores if score is not None]
        missing = len(scores) - len(judged)
        if not judged:
            return f"no score; {missing} not judged"
        mean = fsum(judged) / len(judged)
        return f"mean score {mean:.2f} over {len(judged)} of {len(scores)}; {missing} not judged"


def rows_of(case: Case) -> Iterator[Row]:
    """Every seat of a case, and every stage that has none because it crashed or was skipped."""
    yield from (_row(case, "", seat) for seat in case.verdict.seats)
    for path, attempt in case.verdict.stages():
        if attempt.verdict is not None:
            yield from (_row(case, path, seat) for seat in attempt.verdict.seats)
        else:
            yield Row(case.id, "", path.lstrip("/"), _attempt_judgment(attempt))


def _attempt_judgment(attempt: StageAttempt) -> Judgment:
    """A stage without a verdict as a judgment: ERROR where it crashed, ABSTAIN where skipped."""
    if attempt.failure is not None:
        why = attempt.failure.exception or attempt.failure.code.value
        return Judgment.erring(f"the stage crashed: {why}", attempt.failure.code)
    return Judgment.abstaining(f"skipped: {attempt.skipped}", code=ReasonCode.SKIPPED)


def score_of(judgment: Judgment) -> str:
    """The score in 0..1 with the threshold it was held against, as far as there are any."""
    if judgment.score is None or judgment.effective_score is None:
        return ""
    threshold = judgment.evidence.get("threshold")
    mark = f" of {threshold:g}" if isinstance(threshold, float | int) else ""
    return f"{judgment.effective_score:.2f}{mark}"


def _row(case: Case, stage: str, seat: Seat) -> Row:
    return Row(case.id, stage, seat.key, seat.judgment)
