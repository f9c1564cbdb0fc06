"""Voting strategies: pure functions from a population to one judgment.

What they have in common: ABSTAIN and a declared NOT_APPLICABLE leave the population, ERROR
follows the error policy, no aggregate passes when no counted judgment passed, and how it was
counted is in the judgment's evidence. A strategy of one's own is any function of a population.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from math import fsum
from typing import Any, ClassVar, Final, Literal, TypeGuard

from agent_judge.engine.ask import printable
from agent_judge.errors import ArgumentError
from agent_judge.frozen import EMPTY, FrozenMap, Json, check_text
from agent_judge.judgment import Judgment, Status, check_threshold
from agent_judge.jury.population import (
    ErrorPolicy,
    NotApplicablePolicy,
    Population,
    TiePolicy,
)
from agent_judge.jury.tally import Tally, Vote
from agent_judge.protocol import MAX_NAME
from agent_judge.scores import NumericalScore, reaches


@dataclass(frozen=True, slots=True, kw_only=True)
class VotingRules:
    """What every built-in strategy can be told.

    Args:
        on_error: What an ERROR does to the vote.
        on_not_applicable: What NOT_APPLICABLE does to the vote.
        min_eligible: The quorum: with fewer votes the result is ABSTAIN.

    Raises:
        ArgumentError: An unknown policy, a quorum below 1.
    """

    on_error: ErrorPolicy = ErrorPolicy.PROPAGATE
    on_not_applicable: NotApplicablePolicy = NotApplicablePolicy.DECLARED
    min_eligible: int = 1
    options: Mapping[str, Json] = field(init=False, repr=False, compare=False, default=EMPTY)
    """What the strategy was built with, as configuration writes it."""

    weighs: ClassVar[bool] = False
    """Whether the weights of seats count."""

    monotone: ClassVar[bool] = True
    """Whether one more vote for can never turn the result against, nor the other way round."""

    def __post_init__(self) -> None:
        for name, kind in _POLICIES.items():
            if hasattr(self, name):
                object.__setattr__(self, name, _policy(kind, getattr(self, name), name))
        if type(self.min_eligible) is not int or self.min_eligible < 1:
            raise ArgumentError(f"min_eligible counts from 1 up, got {self.min_eligible!r}")
        threshold: object = getattr(self, "threshold", 0)
        check_threshold(threshold)
        object.__setattr__(self, "options", _written(self))

    def __call__(self, population: Population, /) -> Judgment:
        """Count the vote."""
        tally = Tally(population, self)
        ruling = tally.ruling()
        return self.record(self._count(tally) if ruling is None else ruling, tally)

    def record(self, judgment: Judgment, tally: Tally) -> Judgment:
        """The judgment with how it was counted as its evidence."""
        return tally.record(judgment, strategy_name(self), self.options, weighs=self.weighs)

    def _count(self, tally: Tally) -> Judgment:
        """What the votes come to; there is at least one, and a quorum."""
        raise NotImplementedError


_POLICIES: dict[str, type[Enum]] = {
    "on_error": ErrorPolicy,
    "on_not_applicable": NotApplicablePolicy,
    "tie": TiePolicy,
    "split": TiePolicy,
}


@dataclass(frozen=True, slots=True)
class Majority(VotingRules):
    """More votes for than against; scores do not matter.

    Args:
        tie: What as many for as against is.

    Example:
        >>> from agent_judge.jury import Population
        >>> vote = Population.of(Judgment.passing(), Judgment.failing())
        >>> Majority()(vote).status.name, Majority(tie=TiePolicy.ABSTAIN)(vote).status.name
        ('FAIL', 'ABSTAIN')
    """

    tie: TiePolicy = TiePolicy.FAIL

    def _count(self, tally: Tally) -> Judgment:
        passed, failed = tally.passes, len(tally.votes) - tally.passes
        counts = f"{passed} passed, {failed} failed"
        if passed == failed:
            return _undecided(self.tie, f"a tie: {counts}")
        return _finding(passed > failed, counts)


@dataclass(frozen=True, slots=True)
class Consensus(VotingRules):
    """All votes agree.

    Args:
        split: What disagreement is.
    """

    split: TiePolicy = TiePolicy.ABSTAIN

    def _count(self, tally: Tally) -> Judgment:
        passed, failed = tally.passes, len(tally.votes) - tally.passes
        if passed and failed:
            return _undecided(self.split, f"split: {passed} passed, {failed} failed")
        return _finding(bool(passed), f"all {len(tally.votes)} {'passed' if passed else 'failed'}")


@dataclass(frozen=True, slots=True)
class AllMustPass(VotingRules):
    """Every judge of the roster passes.

    Args:
        abstain: `"abstain"`: an abstention leaves the matter open, unless a judge failed;
            `"drop"`: it is left out.

    Raises:
        ArgumentError: Any other word.
    """

    abstain: Literal["abstain", "drop"] = "abstain"

    def __post_init__(self) -> None:
        VotingRules.__post_init__(self)
        if self.abstain not in ("abstain", "drop"):
            raise ArgumentError(f"abstain is 'abstain' or 'drop', not {self.abstain!r}")

    def _count(self, tally: Tally) -> Judgment:
        failed = [vote.key for vote in tally.votes if not vote.passed]
        if failed:
            return Judgment.failing(f"failed: {', '.join(sorted(failed))}")
        if tally.abstained and self.abstain == "abstain":
            return Judgment.abstaining(f"{tally.abstained} abstained, and all must pass")
        return Judgment.passing(f"all {len(tally.votes)} passed")


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
            tied = _undecided(self.tie, f"a tie of {', '.join(winners)}, {most} votes each")
            return _unless_nobody_passed(tied, tally)
        passed = winners[0] in {label.casefold() for label in self.passing}
        why = f"{winners[0]!r} with {most} of {len(tally.votes)} votes"
        status = Status.PASS if passed else Status.FAIL
        return _unless_nobody_passed(Judgment(status, why, label=winners[0]), tally)


BUILT_IN: dict[str, type[VotingRules]] = {
    "majority": Majority,
    "consensus": Consensus,
    "all_must_pass": AllMustPass,
    "average": Average,
    "weighted_average": WeightedAverage,
    "median": Median,
    "minimum": Minimum,
    "mode": Mode,
}
"""The built-in strategies under the names that evidence and configuration use."""

_NAMES: Final[Mapping[type, str]] = {strategy: name for name, strategy in BUILT_IN.items()}


def is_built_in(strategy: object) -> TypeGuard[VotingRules]:
    """Whether a strategy is one of the library's own, which a class made from one is not."""
    return type(strategy) in _NAMES


def strategy_name(strategy: object) -> str:
    """What evidence calls a strategy: its built-in name, else its function's or class's."""
    if is_built_in(strategy):
        return _NAMES[type(strategy)]
    name = _said(strategy, "__name__")
    return printable(name if isinstance(name, str) else type(strategy).__name__, MAX_NAME)


def rules_of(strategy: object) -> Mapping[str, Json]:
    """What a strategy was told, as far as that is known: of somebody's own, what it states."""
    if is_built_in(strategy):
        return strategy.options
    stated = {name: (_said(strategy, name), kind) for name, kind in _POLICIES.items()}
    rules = {name: value.value for name, (value, kind) in stated.items() if type(value) is kind}
    threshold = _said(strategy, "threshold")
    if type(threshold) in (int, float) and 0 <= threshold <= 1:
        rules["threshold"] = threshold
    return rules


def _said(strategy: object, name: str) -> Any:
    """What an object says of itself; nothing where it has no answer."""
    try:
        return getattr(strategy, name, None)
    except Exception:  # noqa: BLE001 - a strategy is anybody's object
        return None


def _written(strategy: VotingRules) -> FrozenMap[Json]:
    """The options of a strategy as configuration writes them."""
    values = {
        option.name: getattr(strategy, option.name) for option in fields(strategy) if option.init
    }
    return FrozenMap(
        {name: value.value if isinstance(value, Enum) else value for name, value in values.items()}
    )


_NOBODY: Final = "no judgment passed, so neither does their aggregate"


def _finding(passed: bool, why: str) -> Judgment:
    return Judgment(Status.PASS if passed else Status.FAIL, why)


def _undecided(policy: TiePolicy, why: str) -> Judgment:
    match policy:
        case TiePolicy.FAIL:
            return Judgment.failing(why)
        case TiePolicy.PASS:
            return Judgment.passing(why)
        case TiePolicy.ABSTAIN:
            return Judgment.abstaining(why)


def _scored(name: str, value: float, threshold: float, votes: Iterable[Vote]) -> Judgment:
    """PASS when the value reaches the threshold and at least one counted judgment passed."""
    within = min(1.0, max(0.0, value))
    reached = reaches(within, threshold)
    somebody = any(vote.passed for vote in votes)
    why = f"{name} {within:.4g} {'reaches' if reached else 'is below'} the threshold {threshold:g}"
    if reached and not somebody:
        why += f"; {_NOBODY}"
    status = Status.PASS if reached and somebody else Status.FAIL
    return Judgment(status, why, NumericalScore(within))


def _unless_nobody_passed(judgment: Judgment, tally: Tally) -> Judgment:
    if not judgment.passed or tally.passes:
        return judgment
    return Judgment.failing(f"{judgment.reasoning}; {_NOBODY}", label=judgment.label)


def _middle(ordered: Sequence[float]) -> float:
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


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


def _policy(kind: type[Enum], value: object, name: str) -> Enum:
    try:
        return kind(value)
    except ValueError:
        known = [member.value for member in kind]
        raise ArgumentError(f"{name} is one of {known}, not {value!r}") from None


MAJORITY: Final = Majority()
"""The strategy of a jury that was told none."""
