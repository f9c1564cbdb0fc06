"""What every built-in voting strategy can be told, and how any strategy is called.

What the built-in ones have in common: ABSTAIN and a declared NOT_APPLICABLE leave the population,
ERROR follows the error policy, no aggregate passes when no counted judgment passed, and how it was
counted is in the judgment's evidence. A strategy of one's own is any function of a population.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any, ClassVar, Final, TypeGuard, TypeVar

from agent_judge.engine.ask import printable
from agent_judge.errors import ArgumentError
from agent_judge.frozen import EMPTY, FrozenMap, Json
from agent_judge.judgment import Judgment, check_threshold
from agent_judge.jury.population import ErrorPolicy, NotApplicablePolicy, Population, TiePolicy
from agent_judge.jury.tally import Tally
from agent_judge.protocol import MAX_NAME


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

NAMES: Final[dict[type, str]] = {}
"""The built-in strategies that were imported so far, with what they are called."""

S = TypeVar("S", bound=type[VotingRules])


def built_in(name: str) -> Callable[[S], S]:
    """Name a class as a built-in strategy, as evidence and configuration call it."""

    def note(strategy: S) -> S:
        NAMES[strategy] = name
        return strategy

    return note


def is_built_in(strategy: object) -> TypeGuard[VotingRules]:
    """Whether a strategy is one of the library's own, which a class made from one is not."""
    return type(strategy) in NAMES


def strategy_name(strategy: object) -> str:
    """What evidence calls a strategy: its built-in name, else its function's or class's."""
    if is_built_in(strategy):
        return NAMES[type(strategy)]
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


NOBODY: Final = "no judgment passed, so neither does their aggregate"
"""Why a vote fails whose score or label would pass."""


def undecided(policy: TiePolicy, why: str) -> Judgment:
    """What a policy makes of a vote that is not decided."""
    match policy:
        case TiePolicy.FAIL:
            return Judgment.failing(why)
        case TiePolicy.PASS:
            return Judgment.passing(why)
        case TiePolicy.ABSTAIN:
            return Judgment.abstaining(why)


def _policy(kind: type[Enum], value: object, name: str) -> Enum:
    try:
        return kind(value)
    except ValueError:
        known = [member.value for member in kind]
        raise ArgumentError(f"{name} is one of {known}, not {value!r}") from None
