"""How a jury is built: its seats as they will be in every verdict, ready to be written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from agent_judge.combinators import Combinator
from agent_judge.engine.ask import Asked
from agent_judge.frozen import EMPTY, FrozenMap, Json
from agent_judge.jury.body import JudgingBody
from agent_judge.jury.gates import ConfidenceGate, Gate
from agent_judge.jury.spec import Spec, name_in_module, spec_of_judge
from agent_judge.jury.verdict import KeySource
from agent_judge.protocol import JudgeMetadata


@dataclass(frozen=True, slots=True)
class JudgeDescription:
    """A judge before it was asked.

    Attributes:
        metadata: What is known of it.
        spec: The judge as configuration writes it: its type and options. `None`: it is itself a
            jury, or made of something that configuration cannot name.
        judges: The judges inside, where it is made by `all_of`, `any_of`, `negate` or
            `with_timeout`.
        jury: The whole description, where it is itself a jury.
    """

    metadata: JudgeMetadata
    spec: Spec | None = None
    judges: tuple[JudgeDescription, ...] = ()
    jury: JuryDescription | None = None

    @property
    def opaque(self) -> bool:
        """Whether configuration cannot name it, or a judge inside."""
        if self.jury is not None:
            return self.jury.opaque
        return self.spec is None or any(judge.opaque for judge in self.judges)


@dataclass(frozen=True, slots=True)
class SeatDescription:
    """A seat before anybody was asked.

    Attributes:
        key: What the seat is called.
        key_source: Where the key comes from.
        position: Its place, from 0.
        weight: What it counts under a weighted strategy.
        judge: The judge in it.
    """

    key: str
    key_source: KeySource
    position: int
    weight: float
    judge: JudgeDescription

    @property
    def metadata(self) -> JudgeMetadata:
        """What is known of its judge."""
        return self.judge.metadata

    @property
    def spec(self) -> Spec | None:
        """Its judge as configuration writes it."""
        return self.judge.spec

    @property
    def jury(self) -> JuryDescription | None:
        """The whole description, where the judge is itself a jury."""
        return self.judge.jury

    @property
    def opaque(self) -> bool:
        """Whether configuration cannot name the judge."""
        return self.judge.opaque


@dataclass(frozen=True, slots=True)
class StageDescription:
    """A tier of a cascade or a member of a meta jury.

    Attributes:
        name: What the stage is called.
        jury: What gives its verdict; `None` where that is of somebody else's making.
        policy: The rule of a tier.
        policy_options: Of a `ConfidenceGate` its `bar`, and its `confidence` as configuration
            names that function, if it can.
        on_error: What an error does to a rejecting tier.
        weight: What a member counts under a weighted strategy.
    """

    name: str
    jury: JuryDescription | None
    policy: str | None = None
    policy_options: Mapping[str, Json] = EMPTY
    on_error: str | None = None
    weight: float = 1.0

    @property
    def opaque(self) -> bool:
        """Whether configuration cannot name its jury or rule."""
        return self.jury is None or self.jury.opaque or self.opaque_policy

    @property
    def opaque_policy(self) -> bool:
        """Whether its rule measures by a function that configuration cannot name."""
        return bool(self.policy_options) and "confidence" not in self.policy_options


@dataclass(frozen=True, slots=True)
class JuryDescription:
    """A jury, cascade or meta jury before anybody was asked.

    Attributes:
        kind: `"jury"`, `"cascade"` or `"meta_jury"`.
        name: What it is called.
        strategy: Name of the strategy; `None` for a cascade.
        strategy_spec: The strategy as configuration writes it: its type and options. `None`:
            there is none, or it is made of something that configuration cannot name.
        options: The jury's own options that differ from their defaults.
        seats: The seats of a jury, in order.
        stages: The tiers or members, in order.
        own_class: Its class, where somebody derived one from the library's.
    """

    kind: str
    name: str
    strategy: str | None = None
    strategy_spec: Spec | None = None
    options: Mapping[str, Json] = EMPTY
    seats: tuple[SeatDescription, ...] = ()
    stages: tuple[StageDescription, ...] = ()
    own_class: str | None = None

    @property
    def strategy_options(self) -> Mapping[str, Json]:
        """What the strategy was told, as far as configuration can write it."""
        spec = self.strategy_spec or EMPTY
        return FrozenMap({name: value for name, value in spec.items() if name != "type"})

    @property
    def opaque(self) -> bool:
        """Whether configuration cannot name it, its strategy, or a judge inside."""
        unnamed = self.strategy is not None and self.strategy_spec is None
        return (
            unnamed
            or self.own_class is not None
            or any(seat.opaque for seat in self.seats)
            or any(stage.opaque for stage in self.stages)
        )


def describe_judge(asked: Asked) -> JudgeDescription:
    """A judge with all that is inside."""
    judge = asked.call
    if isinstance(judge, Combinator):
        inside = tuple(map(describe_judge, judge.children))
        return JudgeDescription(asked.metadata, judge.spec, inside)
    jury = describe_stage(judge)
    if jury is not None:
        return JudgeDescription(asked.metadata, jury=jury)
    return JudgeDescription(asked.metadata, spec_of_judge(judge, asked.metadata))


def describe_stage(stage: object) -> JuryDescription | None:
    """The description of what is itself a jury.

    What somebody else's class says of itself shows its seats, and is not how it would be built.
    """
    describe = getattr(stage, "describe", None)
    description: object = describe() if callable(describe) else None
    if not isinstance(description, JuryDescription):
        return None
    if isinstance(stage, JudgingBody):
        return description
    return replace(description, own_class=type(stage).__qualname__)


def describe_gate(gate: Gate) -> Mapping[str, Json]:
    """What the rule of a tier was told."""
    if not isinstance(gate, ConfidenceGate):
        return EMPTY
    name = name_in_module(gate.confidence)
    return FrozenMap({"bar": gate.bar, **({"confidence": name} if name else {})})
