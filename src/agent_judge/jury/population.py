"""What a voting strategy counts: the seats, and what is left of them under its rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import fsum
from random import Random
from sys import float_info
from typing import Final, NamedTuple, Protocol

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import EMPTY, FrozenMap, Json
from agent_judge.judgment import (
    HOLLOW,
    Judgment,
    ReasonCode,
    Status,
    is_hollow,
    with_evidence,
)
from agent_judge.jury.verdict import Seat
from agent_judge.scores import CategoricalScore, normalize


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
