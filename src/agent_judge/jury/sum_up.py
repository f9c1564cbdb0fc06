"""Applying a voting strategy, whoever wrote it, and what it needs beforehand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import iscoroutine

from agent_judge.engine.ask import PROPAGATED, message_of
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judgment import Judgment, ReasonCode
from agent_judge.jury.population import Population, VotingStrategy
from agent_judge.jury.strategies import VotingRules, strategy_name
from agent_judge.jury.verdict import check_weight


def sum_up(strategy: VotingStrategy, population: Population) -> Judgment:
    """Apply a strategy; one that raises or returns nonsense gives ERROR `aggregation_failed`."""
    try:
        judgment: object = strategy(population)
    except PROPAGATED:
        raise
    except BaseException as raised:  # noqa: BLE001 - a strategy is anybody's function
        why = f"raised {type(raised).__name__}: {message_of(raised)}"
    else:
        if type(judgment) is Judgment:
            return judgment
        if iscoroutine(judgment):
            judgment.close()
        why = f"returned a {type(judgment).__name__}, not a Judgment"
    return Judgment.erring(
        f"strategy {strategy_name(strategy)} {why}", ReasonCode.AGGREGATION_FAILED
    )


def check_strategy(strategy: object, *, must_decide_early: bool = False) -> None:
    """Refuse what is not a strategy, or not one that can tell when a vote is decided.

    Raises:
        ArgumentTypeError: It cannot be called, or is a class instead of one of its instances.
        ArgumentError: `must_decide_early`, and it does not say that it is monotone.
    """
    if not callable(strategy) or isinstance(strategy, type):
        raise ArgumentTypeError(
            f"strategy must be a function of a population such as Majority(), not {strategy!r}"
        )
    if must_decide_early and not getattr(strategy, "monotone", False):
        raise ArgumentError(
            "stop_when_decided=True needs a strategy that can tell: "
            f"{strategy_name(strategy)} does not say monotone=True"
        )


def complete_weights(
    weights: Mapping[str, float] | None, keys: Sequence[str], strategy: object
) -> tuple[float, ...]:
    """The weight of every seat, in order; 1 where none is given.

    Raises:
        ArgumentError: A key that is nobody's, a bad weight, only zeros, or a built-in strategy
            that does not use weights.
        ArgumentTypeError: A weight that is not a number.
    """
    if weights is None:
        return (1.0,) * len(keys)
    if isinstance(strategy, VotingRules) and not strategy.weighs:
        raise ArgumentError(
            f"weights are given, and {strategy_name(strategy)} does not use them; "
            "use WeightedAverage(), or leave them out"
        )
    for key, weight in weights.items():
        if key not in keys:
            raise ArgumentError(f"weights names {key!r}; the judges are {list(keys)}")
        check_weight(weight, key)
    complete = tuple(weights.get(key, 1.0) for key in keys)
    if not any(complete):
        raise ArgumentError("all weights are 0; nobody would count")
    return complete
