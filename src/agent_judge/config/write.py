"""From the description of a jury back to the configuration that builds it."""

from __future__ import annotations

from typing import Any, Final

from agent_judge.config.builder import COMBINATORS, KINDS, STAGES, WRAPPERS
from agent_judge.config.registry import BUILT_IN as BUILT_IN_JUDGES
from agent_judge.errors import ConfigurationError
from agent_judge.frozen import thaw
from agent_judge.jury.description import JudgeDescription, JuryDescription, StageDescription

DEFAULT_NAMES: Final = {type_: KINDS[key].__name__ for type_, key in STAGES.items()}
"""What a jury of each kind is called that nobody named."""

IN_A_MODULE: Final = "write it as a function or class of a module"


def to_config(description: JuryDescription) -> dict[str, Any]:
    """A configuration that builds a jury like the one described.

    Raises:
        ConfigurationError: Something is opaque, such as a lambda in a seat, a strategy that no
            module holds, or a stage of somebody else's making; the message names it.
    """
    if description.own_class is not None:
        raise _opaque("jury", description.name, f"its class is {description.own_class}")
    config: dict[str, Any] = {"name": description.name, **thaw(description.options)}
    if description.strategy is not None:
        config["strategy"] = _strategy(description)
    match description.kind:
        case "jury":
            config["judges"] = [
                {**_judge(seat.judge, seat.key), **_weight(seat.weight)}
                for seat in description.seats
            ]
        case "cascade":
            config["tiers"] = [_tier(stage) for stage in description.stages]
        case _:
            config["members"] = {stage.name: _nested(stage) for stage in description.stages}
            weights = {stage.name: stage.weight for stage in description.stages}
            if set(weights.values()) != {1.0}:
                config["weights"] = weights
    return config


def _judge(judge: JudgeDescription, place: str) -> dict[str, Any]:
    """The whole table of a judge; `place` is what messages call it."""
    table = _unnamed(judge, place)
    if judge.metadata.explicit:
        table["name"] = judge.metadata.name
    if table.get("jury_name") == table.get("name", DEFAULT_NAMES.get(table["type"])):
        table.pop("jury_name", None)
    return table


def _unnamed(judge: JudgeDescription, place: str) -> dict[str, Any]:
    """The table of a judge without its name; a jury is called by its own in any case."""
    if judge.jury is not None:
        config = to_config(judge.jury)
        return {"type": judge.jury.kind, "jury_name": config.pop("name"), **config}
    if judge.spec is None or not _is_known(str(judge.spec["type"])):
        raise _opaque("judge", place, IN_A_MODULE)
    table: dict[str, Any] = thaw(judge.spec)
    inside = [(inner, f"{place}/{inner.metadata.name}") for inner in judge.judges]
    if table["type"] in COMBINATORS:
        return {**table, "judges": [_judge(*inner) for inner in inside]}
    return _wrapped(table, *inside[0]) if inside else table


def _wrapped(table: dict[str, Any], inner: JudgeDescription, place: str) -> dict[str, Any]:
    """A judge around another one.

    It is said of the inner judge itself where that is read back as the same: a judge is negated
    first, then put under its deadline, then named.
    """
    if not inner.metadata.explicit:
        said = _unnamed(inner, place)
        if table["type"] == "negate" and not said.keys() & {"negate", "deadline"}:
            return {**said, "negate": True}
        if table["type"] == "with_timeout" and "deadline" not in said:
            return {**said, "deadline": table["seconds"]}
    return {**table, "judge": _judge(inner, place)}


def _is_known(name: str) -> bool:
    return ":" in name or name in BUILT_IN_JUDGES or name in COMBINATORS or name in WRAPPERS


def _weight(weight: float) -> dict[str, float]:
    return {} if weight == 1.0 else {"weight": weight}


def _strategy(description: JuryDescription) -> dict[str, Any]:
    if description.strategy_spec is None:
        raise _opaque("strategy", f"{description.strategy} of {description.name}", IN_A_MODULE)
    strategy: dict[str, Any] = thaw(description.strategy_spec)
    return strategy


def _tier(stage: StageDescription) -> dict[str, Any]:
    config = _nested(stage)
    own = {} if config["name"] == stage.name else {"jury_name": config["name"]}
    return {
        **config,
        "name": stage.name,
        **own,
        "policy": _policy(stage),
        "on_error": stage.on_error,
    }


def _policy(stage: StageDescription) -> Any:
    if stage.opaque_policy:
        raise _opaque("rule", f"{stage.policy} of {stage.name}", IN_A_MODULE)
    if not stage.policy_options:
        return stage.policy
    return {"type": stage.policy, **thaw(stage.policy_options)}


def _nested(stage: StageDescription) -> dict[str, Any]:
    if stage.jury is None:
        raise _opaque("stage", stage.name, "it cannot be described")
    return to_config(stage.jury)


def _opaque(what: str, name: str, why: str) -> ConfigurationError:
    return ConfigurationError(f"the {what} {name!r} is opaque: configuration cannot name it; {why}")
