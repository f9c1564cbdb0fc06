"""How a jury is built: its seats as they will be in every verdict, ready to be written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, cast

from agent_judge.engine.ask import Asked
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import EMPTY, FrozenMap, Json, freeze
from agent_judge.jury.strategies import VotingRules, strategy_name
from agent_judge.jury.verdict import KeySource
from agent_judge.protocol import FunctionJudge, JudgeMetadata

if TYPE_CHECKING:
    from agent_judge.jury.cascade import CascadedJury
    from agent_judge.jury.jury import Jury
    from agent_judge.jury.meta import MetaJury


@dataclass(frozen=True, slots=True)
class SeatDescription:
    """A seat before anybody was asked.

    Attributes:
        key: What the seat is called.
        key_source: Where the key comes from.
        position: Its place, from 0.
        weight: What it counts under a weighted strategy.
        metadata: What is known of its judge.
        spec: The judge as configuration writes it: its type and options. `None`: it is opaque,
            made of something that configuration cannot name.
        jury: The whole description, where the judge is itself a jury.
    """

    key: str
    key_source: KeySource
    position: int
    weight: float
    metadata: JudgeMetadata
    spec: Mapping[str, Json] | None = None
    jury: JuryDescription | None = None

    @property
    def opaque(self) -> bool:
        """Whether configuration cannot name the judge."""
        return self.spec is None and self.jury is None


@dataclass(frozen=True, slots=True)
class StageDescription:
    """A tier of a cascade or a member of a meta jury: its name, rule and jury."""

    name: str
    jury: JuryDescription | None
    policy: str | None = None
    on_error: str | None = None


@dataclass(frozen=True, slots=True)
class JuryDescription:
    """A jury, cascade or meta jury before anybody was asked.

    Attributes:
        kind: `"jury"`, `"cascade"` or `"meta_jury"`.
        name: What it is called.
        strategy: Name of the strategy; `None` for a cascade.
        strategy_options: What the strategy was told.
        options: The jury's own options that differ from their defaults.
        seats: The seats of a jury, in order.
        stages: The tiers or members, in order.
    """

    kind: str
    name: str
    strategy: str | None = None
    strategy_options: Mapping[str, Json] = EMPTY
    options: Mapping[str, Json] = EMPTY
    seats: tuple[SeatDescription, ...] = ()
    stages: tuple[StageDescription, ...] = ()


def describe_jury(jury: Jury) -> JuryDescription:
    """Describe a jury."""
    return JuryDescription(
        "jury",
        jury.name,
        strategy_name(jury.strategy),
        _options_of(jury.strategy),
        FrozenMap(jury.options),
        tuple(
            SeatDescription(
                key, source, position, weight, asked.metadata, _spec(asked), _nested(asked.call)
            )
            for position, (asked, (key, source), weight) in enumerate(jury.roster())
        ),
    )


def describe_cascade(cascade: CascadedJury) -> JuryDescription:
    """Describe a cascade."""
    return JuryDescription(
        "cascade",
        cascade.name,
        options=FrozenMap(cascade.options),
        stages=tuple(
            StageDescription(tier.name, _nested(tier.jury), tier.policy.value, tier.on_error)
            for tier in cascade.tiers
        ),
    )


def describe_meta_jury(meta: MetaJury) -> JuryDescription:
    """Describe a meta jury."""
    return JuryDescription(
        "meta_jury",
        meta.name,
        strategy_name(meta.strategy),
        _options_of(meta.strategy),
        FrozenMap(meta.options),
        stages=tuple(StageDescription(name, _nested(stage)) for name, stage in meta.members),
    )


def _nested(judge: object) -> JuryDescription | None:
    describe = getattr(judge, "describe", None)
    description: object = describe() if callable(describe) else None
    return description if isinstance(description, JuryDescription) else None


def _options_of(strategy: object) -> Mapping[str, Json]:
    return strategy.options if isinstance(strategy, VotingRules) else EMPTY


def _spec(asked: Asked) -> Mapping[str, Json] | None:
    judge: Any = asked.call
    if isinstance(judge, FunctionJudge) or not is_dataclass(judge):
        return _importable(judge)
    try:
        options = {
            field.name: freeze(_plain(getattr(judge, field.name)), field.name)
            for field in fields(judge)
            if field.init and getattr(judge, field.name) != field.default
        }
    except (ArgumentError, ArgumentTypeError):
        return None
    return FrozenMap({"type": asked.metadata.type, **options}) if asked.metadata.type else None


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, frozenset | set):
        return sorted(cast("frozenset[str]", value))
    return value


def _importable(judge: Any) -> Mapping[str, Json] | None:
    """A judge that a module holds under its own name, as `module:attribute`."""
    import sys

    function = judge.function if isinstance(judge, FunctionJudge) else judge
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", "")
    if not isinstance(module, str) or module == "__main__":
        return None
    held: object = getattr(sys.modules.get(module), name, None)
    return FrozenMap({"type": f"{module}:{name}"}) if held is judge else None
