"""From the description of a jury back to the configuration that builds it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent_judge.config.registry import BUILT_IN as BUILT_IN_JUDGES
from agent_judge.errors import ConfigurationError
from agent_judge.frozen import thaw
from agent_judge.jury.description import JuryDescription, SeatDescription, StageDescription
from agent_judge.jury.strategies import BUILT_IN
from agent_judge.jury.verdict import KeySource


def to_config(description: JuryDescription) -> dict[str, Any]:
    """A configuration that builds a jury like the one described.

    Raises:
        ConfigurationError: A seat is opaque: its judge is made of something that configuration
            cannot name, such as a lambda; the message names the seat.
    """
    config: dict[str, Any] = {"name": description.name, **thaw(description.options)}
    if description.strategy is not None:
        config["strategy"] = _strategy(description)
    match description.kind:
        case "jury":
            config["judges"] = [_judge(seat) for seat in description.seats]
        case "cascade":
            config["tiers"] = [_tier(stage) for stage in description.stages]
        case _:
            config["members"] = {stage.name: _nested(stage) for stage in description.stages}
            weights = {stage.name: stage.weight for stage in description.stages}
            if set(weights.values()) != {1.0}:
                config["weights"] = weights
    return config


def _strategy(description: JuryDescription) -> Mapping[str, Any]:
    if description.strategy not in BUILT_IN:
        raise ConfigurationError(
            f"the strategy {description.strategy!r} of {description.name!r} is opaque: "
            "configuration cannot name it"
        )
    return {"type": description.strategy, **thaw(description.strategy_options)}


def _judge(seat: SeatDescription) -> dict[str, Any]:
    said: dict[str, Any] = {}
    if seat.key_source is KeySource.EXPLICIT:
        said["name"] = seat.key
    if seat.weight != 1.0:
        said["weight"] = seat.weight
    if seat.jury is not None:
        return {"type": seat.jury.kind, **to_config(seat.jury), **said}
    if seat.spec is None or not _is_known(str(seat.spec["type"])):
        raise ConfigurationError(
            f"the judge {seat.key!r} is opaque: configuration cannot name it; "
            "write it as a function or class of a module"
        )
    return {**thaw(seat.spec), **said}


def _is_known(name: str) -> bool:
    return ":" in name or name in BUILT_IN_JUDGES


def _tier(stage: StageDescription) -> dict[str, Any]:
    rule = {"policy": stage.policy, "on_error": stage.on_error}
    return {**_nested(stage), "name": stage.name, **rule}


def _nested(stage: StageDescription) -> dict[str, Any]:
    if stage.jury is None:
        raise ConfigurationError(f"the stage {stage.name!r} is opaque: it cannot be described")
    return to_config(stage.jury)
