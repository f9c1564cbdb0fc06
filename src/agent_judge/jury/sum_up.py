"""Applying a voting strategy, whoever wrote it, and what it needs beforehand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import iscoroutine

from agent_judge.engine.ask import PROPAGATED, message_of
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judgment import Judgment, ReasonCode, replace_evidence, with_evidence
from agent_judge.jury.evidence import described, lost_evidence, own_evidence
from agent_judge.jury.population import Population, VotingStrategy
from agent_judge.jury.rules import VotingRules, is_built_in, strategy_name
from agent_judge.jury.tally import Tally
from agent_judge.jury.verdict import Seat, check_weight


def sum_up(strategy: VotingStrategy, population: Population, *, not_asked: int = 0) -> Judgment:
    """Apply a strategy; one that raises or returns nonsense gives ERROR `aggregation_failed`.

    Whatever it gives, the judgment carries how it was counted as its evidence.

    Args:
        strategy: The strategy.
        population: Everybody who was asked to the end.
        not_asked: How many others were not, since the vote was decided. Whether one of them
            would have errored is not known, and the evidence says so.
    """
    return with_early_stop(_applied(strategy, population), not_asked)


def with_early_stop(judgment: Judgment, not_asked: int) -> Judgment:
    """The judgment with how many judges were not asked to the end as part of its evidence."""
    if not not_asked:
        return judgment
    early = {"not_asked": not_asked, "errors_foreseen": False}
    return with_evidence(judgment, {"early_stop": early})


def uncounted(strategy: VotingStrategy, seats: Sequence[Seat], crashed: Sequence[str]) -> Judgment:
    """The ERROR of a meta jury that lost members; its strategy is not asked.

    Args:
        strategy: The strategy.
        seats: What the other members found.
        crashed: The members that crashed.
    """
    judgment = Judgment.erring(
        f"members crashed, so the vote was not counted: {', '.join(crashed)}",
        ReasonCode.STAGE_FAILED,
    )
    return replace_evidence(judgment, lost_evidence(described(strategy), seats, len(crashed)))


def _applied(strategy: VotingStrategy, population: Population) -> Judgment:
    try:
        judgment: object = strategy(population)
    except PROPAGATED:
        raise
    except BaseException as raised:  # noqa: BLE001 - a strategy is anybody's function
        why = f"raised {type(raised).__name__}: {message_of(raised)}"
        return _failed(strategy, population, why)
    if type(judgment) is Judgment:
        return judgment if is_built_in(strategy) else _recorded(strategy, population, judgment)
    if iscoroutine(judgment):
        judgment.close()
    why = f"returned a {type(judgment).__name__}, not a Judgment"
    return _failed(strategy, population, why)


def _failed(strategy: VotingStrategy, population: Population, why: str) -> Judgment:
    name = strategy_name(strategy)
    judgment = Judgment.erring(f"strategy {name} {why}", ReasonCode.AGGREGATION_FAILED)
    if is_built_in(strategy):
        return strategy.record(judgment, Tally(population, strategy))
    return _recorded(strategy, population, judgment)


def _recorded(strategy: VotingStrategy, population: Population, judgment: Judgment) -> Judgment:
    return replace_evidence(judgment, own_evidence(described(strategy), population, judgment))


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
