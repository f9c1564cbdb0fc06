"""What several samples of one judge say together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from statistics import variance

from agent_judge.combinators import agreeing, checks_of
from agent_judge.frozen import Json
from agent_judge.judgment import (
    HOLLOW,
    Check,
    Judgment,
    Status,
    is_hollow,
    with_evidence,
)
from agent_judge.scores import NumericalScore, normalize, reaches
from agent_judge.usage import Usage

FINDINGS = (Status.PASS, Status.FAIL, Status.NOT_APPLICABLE)
"""What a majority can find."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Samples of one judge.

    Args:
        judgments: What each of them says, at least one.
        threshold: The mark that the mean of the scores has to reach; `None` for a majority.
        lenient: Whether errors that could not change the outcome do not matter.
    """

    judgments: Sequence[Judgment]
    threshold: float | None = None
    lenient: bool = True

    @property
    def leading(self) -> Status:
        """The finding that most samples share; of several, the first in the order of `FINDINGS`."""
        return max(FINDINGS, key=self.count)

    @property
    def errors(self) -> int:
        """How many samples erred."""
        return self.count(Status.ERROR)

    @property
    def scores(self) -> tuple[float, ...]:
        """The scores in 0..1 of those that found something and have one.

        A majority needs no scores, so that only those count that a judge gave itself; for a mean,
        a PASS without a score is 1 and a FAIL is 0.
        """
        found = [one for one in self.judgments if one.status in (Status.PASS, Status.FAIL)]
        if self.threshold is None:
            given = [normalize(one.score) for one in found if one.score is not None]
        else:
            given = [one.effective_score for one in found]
        return tuple(score for score in given if score is not None)

    def count(self, status: Status) -> int:
        """How many samples say so."""
        return sum(one.status is status for one in self.judgments)

    def judgment(self) -> Judgment:
        """What they say together, with what each of them says."""
        status = self._status()
        error = next((one for one in self.judgments if one.status is Status.ERROR), None)
        usages = [one.usage for one in self.judgments if one.usage is not None]
        judgment = Judgment(
            status,
            self._told(status),
            self._score(status),
            self._label(status),
            tuple(self._checks(status)),
            code=error.code if error is not None and status is Status.ERROR else None,
            usage=Usage.total(usages) if usages else None,
        )
        return with_evidence(judgment, self._evidence(status))

    def _status(self) -> Status:
        if self.errors and not self.lenient:
            return Status.ERROR
        if self._is_majority(self.count(Status.NOT_APPLICABLE)):
            return Status.NOT_APPLICABLE
        return self._by_majority() if self.threshold is None else self._by_mean(self.threshold)

    def _by_majority(self) -> Status:
        """The finding of more than half; ERROR where what erred might have made one."""
        count = self.count(self.leading)
        if self._is_majority(count):
            return self.leading
        return Status.ERROR if self._is_majority(count + self.errors) else Status.ABSTAIN

    def _is_majority(self, count: int) -> bool:
        return 2 * count > len(self.judgments)

    def _by_mean(self, threshold: float) -> Status:
        """By the mean, whose bounds take what has no score as 0 and as 1."""
        low, high = self._bounds()
        if self.scores and reaches(low, threshold):
            return Status.PASS
        if self.scores and not reaches(high, threshold):
            return Status.FAIL
        share = self.errors / len(self.judgments)
        decides = reaches(low + share, threshold) or not reaches(high - share, threshold)
        return Status.ERROR if self.errors and decides else Status.ABSTAIN

    def _bounds(self) -> tuple[float, float]:
        count = len(self.judgments)
        total = fsum(self.scores)
        return total / count, min(1.0, (total + count - len(self.scores)) / count)

    def _score(self, status: Status) -> NumericalScore | None:
        """The mean of the scores, where each sample that found something has one."""
        if status not in (Status.PASS, Status.FAIL):
            return None
        if self.threshold is not None:
            return NumericalScore(self._bounds()[0])
        found = self.count(Status.PASS) + self.count(Status.FAIL)
        return NumericalScore(self._mean()) if len(self.scores) == found else None

    def _mean(self) -> float:
        return min(1.0, fsum(self.scores) / len(self.scores))

    def _label(self, status: Status) -> str | None:
        """The label of all samples that say what they say together, if it is one."""
        labels = {one.label for one in self.judgments if one.status is status}
        return labels.pop() if len(labels) == 1 and status is not Status.ERROR else None

    def _checks(self, status: Status) -> list[Check]:
        return [
            agreeing(check, status)
            for number, judgment in enumerate(self.judgments, 1)
            for check in checks_of(f"sample {number}", judgment)
        ]

    def _told(self, status: Status) -> str:
        counts = ", ".join(f"{count} {word}" for word, count in self._counts().items())
        said = next((one.reasoning for one in self.judgments if one.status is status), "")
        told = f"{len(self.judgments)} samples: {counts}{self._scored()}"
        return f"{told}. {said}" if said else told

    def _scored(self) -> str:
        if not self.scores:
            return ""
        few = len(self.scores) < len(self.judgments)
        of = f" over {len(self.scores)} of them" if few else ""
        mark = "" if self.threshold is None else f"; the mark is {self.threshold:g}"
        return f"; the mean score is {self._mean():.4g}{of}{mark}"

    def _counts(self) -> Counter[str]:
        return Counter(one.status.value for one in self.judgments)

    def _evidence(self, status: Status) -> dict[str, Json]:
        told: dict[str, Json] = {
            "counts": self._counts(),
            "samples": [_told(one) for one in self.judgments],
        }
        if self.threshold is not None:
            told |= {"threshold": self.threshold, "bounds": self._bounds()}
        if self.scores:
            told["mean"] = self._mean()
            told["range"] = (min(self.scores), max(self.scores))
        if len(self.scores) > 1:
            told["variance"] = variance(self.scores)
        against = [one for one in self.judgments if one.status is Status.FAIL]
        if status is Status.FAIL and against and all(map(is_hollow, against)):
            told[HOLLOW] = True
        return told


def _told(judgment: Judgment) -> dict[str, Json]:
    """What one sample said."""
    told: dict[str, Json] = {"status": judgment.status.value, "reasoning": judgment.reasoning}
    if judgment.score is not None and (score := normalize(judgment.score)) is not None:
        told["score"] = score
    if judgment.label is not None:
        told["label"] = judgment.label
    if judgment.code is not None:
        told["code"] = judgment.code.value
    return {**told, "evidence": judgment.evidence} if judgment.evidence else told
