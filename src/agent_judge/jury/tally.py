"""The seats sorted by what counts under the rules of a strategy, and the counts as evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import fsum
from sys import float_info
from typing import Final, NamedTuple, Protocol

from agent_judge.frozen import EMPTY, FrozenMap, Json
from agent_judge.judgment import (
    HOLLOW,
    Judgment,
    ReasonCode,
    Status,
    is_hollow,
    with_evidence,
)
from agent_judge.jury.population import ErrorPolicy, NotApplicablePolicy, Population
from agent_judge.jury.verdict import Seat
from agent_judge.scores import CategoricalScore, normalize


class Vote(NamedTuple):
    """A seat that counts.

    Attributes:
        key: The seat's.
        passed: For or against.
        score: In 0..1.
        weight: The seat's.
        judgment: What its judge found.
    """

    key: str
    passed: bool
    score: float
    weight: float
    judgment: Judgment

    @property
    def label(self) -> str | None:
        """The judge's word for its finding: the category it chose, else the label it gave."""
        score = self.judgment.score
        return score.value if isinstance(score, CategoricalScore) else self.judgment.label


LIBRARY_CODES: Final = frozenset(
    {ReasonCode.AGGREGATION_FAILED, ReasonCode.INTERNAL, ReasonCode.STAGE_FAILED}
)
"""Codes of errors of the library's own making, which are never held against the work."""


class Rules(Protocol):
    """What every built-in strategy is told beside its own options."""

    @property
    def on_error(self) -> ErrorPolicy:
        """What an ERROR does."""
        ...

    @property
    def on_not_applicable(self) -> NotApplicablePolicy:
        """What NOT_APPLICABLE does."""
        ...

    @property
    def min_eligible(self) -> int:
        """The fewest votes that make a quorum."""
        ...


class Tally:
    """A population sorted by what counts, under the rules of a strategy.

    Attributes:
        population: Every seat that was handed in.
        votes: The seats that count.
        passes: How many of the votes are for.
        abstained: Seats that reached no finding, or whose error is treated as that.
    """

    __slots__ = (
        "_as_abstention",
        "_as_failure",
        "_codes",
        "_errored",
        "_excluded",
        "_hollow",
        "_ignored",
        "_not_applicable",
        "_rules",
        "_ruling",
        "_unnumbered",
        "abstained",
        "passes",
        "population",
        "votes",
    )

    def __init__(self, population: Population, rules: Rules) -> None:
        self.population = population
        self.votes: list[Vote] = []
        self.passes = self.abstained = 0
        self._rules = rules
        self._errored = self._not_applicable = self._unnumbered = 0
        self._as_failure = self._as_abstention = self._ignored = self._excluded = 0
        self._hollow = 0
        self._codes: dict[str, int] = {}
        self._ruling: tuple[ReasonCode, str] | None = None
        for seat in population.seats:
            self._sort(seat)

    def ruling(self) -> Judgment | None:
        """The judgment that stands without counting: an error, no quorum, or nobody to count."""
        if self._ruling is not None:
            code, why = self._ruling
            return Judgment.erring(why, code)
        if not self.votes:
            return self._nobody()
        if len(self.votes) < self._rules.min_eligible:
            return Judgment.abstaining(
                f"no quorum: {len(self.votes)} eligible, {self._rules.min_eligible} needed",
                code=ReasonCode.QUORUM,
            )
        return None

    def record(
        self, judgment: Judgment, strategy: str, options: Mapping[str, Json], *, weighs: bool
    ) -> Judgment:
        """The judgment with how it was counted as its evidence."""
        eligible = len(self.votes)
        evidence: dict[str, Json] = {
            "strategy": strategy,
            **options,
            "input": len(self.population.seats),
            "eligible": eligible,
            "passed": self.passes,
            "failed": eligible - self.passes,
            "abstained": self.abstained,
            "not_applicable": self._not_applicable,
            "errored": self._errored,
            "treated_as_fail": self._as_failure,
            "treated_as_abstain": self._as_abstention,
            "ignored": self._ignored,
            "excluded": self._excluded,
            "errors_by_code": FrozenMap(self._codes) if self._codes else EMPTY,
        }
        if weighs:
            evidence["input_weight"] = bounded_sum(seat.weight for seat in self.population.seats)
            evidence["eligible_weight"] = bounded_sum(vote.weight for vote in self.votes)
        against = eligible - self.passes
        if judgment.status is Status.FAIL and self._hollow and self._hollow == against:
            evidence[HOLLOW] = True
        if self._unnumbered:
            evidence["scored_by_status"] = self._unnumbered
        return with_evidence(judgment, FrozenMap(evidence))

    def _nobody(self) -> Judgment:
        everybody = len(self.population.seats)
        if self._excluded == everybody:
            return Judgment.not_applicable("no judge of this jury applies")
        return Judgment.abstaining(
            f"nobody to count: of {everybody} judgments, {self.abstained} abstained, "
            f"{self._excluded} are not applicable, {self._errored} errored",
            code=ReasonCode.NO_VOTES,
        )

    def _sort(self, seat: Seat) -> None:
        status = seat.judgment.status
        if status is Status.PASS or status is Status.FAIL:
            self._count(seat, status is Status.PASS)
        elif status is Status.ABSTAIN:
            self.abstained += 1
        elif status is Status.ERROR:
            self._errored += 1
            self._sort_error(seat)
        else:
            self._not_applicable += 1
            self._sort_not_applicable(seat)

    def _count(self, seat: Seat, passed: bool) -> None:
        judgment = seat.judgment
        score = None if judgment.score is None else normalize(judgment.score)
        if score is None:
            self._unnumbered += judgment.score is not None
            score = 1.0 if passed else 0.0
        self.passes += passed
        self._hollow += not passed and is_hollow(judgment)
        self.votes.append(Vote(seat.key, passed, score, seat.weight, judgment))

    def _count_as_failure(self, seat: Seat) -> None:
        self._as_failure += 1
        self._hollow += 1
        self.votes.append(Vote(seat.key, False, 0.0, seat.weight, seat.judgment))

    def _sort_error(self, seat: Seat) -> None:
        code = seat.judgment.code
        assert code is not None
        self._codes[code.value] = self._codes.get(code.value, 0) + 1
        match self._rules.on_error:
            case ErrorPolicy.PROPAGATE:
                self._rule(code, f"{seat.key} errored: {seat.judgment.reasoning}")
            case ErrorPolicy.TREAT_AS_FAIL if code in LIBRARY_CODES:
                self._rule(code, f"{seat.key} met an error of the library: no vote on the work")
            case ErrorPolicy.TREAT_AS_FAIL:
                self._count_as_failure(seat)
            case ErrorPolicy.TREAT_AS_ABSTAIN:
                self._as_abstention += 1
                self.abstained += 1
            case ErrorPolicy.IGNORE:
                self._ignored += 1

    def _sort_not_applicable(self, seat: Seat) -> None:
        match self._rules.on_not_applicable:
            case NotApplicablePolicy.AS_FAIL:
                self._count_as_failure(seat)
            case NotApplicablePolicy.EXCLUDE:
                self._excluded += 1
            case NotApplicablePolicy.DECLARED if seat.conditional:
                self._excluded += 1
            case NotApplicablePolicy.DECLARED | NotApplicablePolicy.REFUSE:
                self._rule(
                    ReasonCode.NOT_APPLICABLE_REFUSED,
                    f"{seat.key} says it is not applicable, and that was not declared beforehand; "
                    "declare it with @judge(applies_when=…), or choose on_not_applicable",
                )

    def _rule(self, code: ReasonCode, why: str) -> None:
        """Of several rulings keep the least, so that the order of seats does not matter."""
        if self._ruling is None or (code.value, why) < (self._ruling[0].value, self._ruling[1]):
            self._ruling = (code, why)


def bounded_sum(weights: Iterable[float]) -> float:
    """The sum of weights; where it is beyond the largest float, that float."""
    try:
        return fsum(weights)
    except OverflowError:
        return float_info.max
