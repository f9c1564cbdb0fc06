"""How a jury is built: its seats as they will be in every verdict, ready to be written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any, cast

from agent_judge.engine.ask import Asked
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import EMPTY, FrozenMap, Json, freeze
from agent_judge.jury.strategies import VotingRules
from agent_judge.jury.verdict import KeySource
from agent_judge.protocol import FunctionJudge, JudgeMetadata


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
    """A tier of a cascade or a member of a meta jury: its name, rule or weight, and jury."""

    name: str
    jury: JuryDescription | None
    policy: str | None = None
    on_error: str | None = None
    weight: float = 1.0


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


def nested_description(judge: object) -> JuryDescription | None:
    """The description of a judge that is itself a jury."""
    describe = getattr(judge, "describe", None)
    description: object = describe() if callable(describe) else None
    return description if isinstance(description, JuryDescription) else None


def options_of(strategy: object) -> Mapping[str, Json]:
    """What a built-in strategy was told; of another one nothing is known."""
    return strategy.options if isinstance(strategy, VotingRules) else EMPTY


def spec_of(asked: Asked) -> Mapping[str, Json] | None:
    """A judge as configuration writes it, where configuration can name it."""
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
    name = _type_of(judge, asked.metadata)
    return None if name is None else FrozenMap({"type": name, **options})


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, frozenset | set):
        return sorted(cast("frozenset[str]", value))
    return value


def _type_of(judge: object, metadata: JudgeMetadata) -> str | None:
    """How configuration names the class of a judge: a shipped one by its type.

    Any other is named by its module, also where it inherits the type of a shipped one.
    """
    cls = type(judge)
    if cls.__module__.partition(".")[0] == __name__.partition(".")[0]:
        return metadata.type or None
    return _name_in_module(cls)


def _importable(judge: Any) -> Mapping[str, Json] | None:
    """A judge that a module holds under its own name, as `module:attribute`."""
    function = judge.function if isinstance(judge, FunctionJudge) else judge
    name = _name_in_module(function, held=judge)
    return None if name is None else FrozenMap({"type": name})


def _name_in_module(thing: Any, held: object = None) -> str | None:
    """`module:attribute`, where that is what the module holds: the thing, or what wraps it."""
    import sys

    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", "")
    if not isinstance(module, str) or module == "__main__":
        return None
    there: object = getattr(sys.modules.get(module), name, None)
    return f"{module}:{name}" if there is (thing if held is None else held) else None
