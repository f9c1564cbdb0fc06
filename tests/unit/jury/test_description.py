from __future__ import annotations

import copy
import functools
import pickle
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar

import pytest

from agent_judge.context import JudgmentContext
from agent_judge.judges import FileExistsJudge
from agent_judge.judgment import Judgment
from agent_judge.jury import (
    Average,
    CascadedJury,
    Jury,
    JuryDescription,
    KeySource,
    MetaJury,
    Population,
    Tier,
    TierPolicy,
    Verdict,
    WeightedAverage,
)
from agent_judge.protocol import Cost, Judge, JudgeMetadata, judge, named
from agent_judge.testing import a_context, failing, passing


def tidy(_context: JudgmentContext) -> Judgment:
    """Pass."""
    return Judgment.passing()


@judge(cost=Cost.MEMORY)
def neat(_context: JudgmentContext) -> bool:
    """Pass."""
    return True


class Mode(Enum):
    STRICT = "strict"
    LOOSE = "loose"


@dataclass(frozen=True, slots=True)
class OptionsJudge:
    """A judge whose options are plain values."""

    path: str
    mode: Mode = Mode.STRICT
    words: frozenset[str] = frozenset()
    limit: int = 3
    more: tuple[int, ...] = ()
    given: Any = field(default_factory=list)
    derived: str = field(default="", init=False)
    metadata: ClassVar[JudgeMetadata] = JudgeMetadata("OptionsJudge", type="options")

    def __call__(self, _context: JudgmentContext, /) -> Judgment:
        """Pass."""
        return Judgment.passing()


OPTIONS = f"{__name__}:OptionsJudge"


class Foreign:
    async def avote(self, _context: JudgmentContext) -> Verdict:
        """Vote."""
        return Jury([passing()]).vote(a_context())


def spec_of(asked: Judge) -> Any:
    """How a judge would be written in configuration."""
    return Jury([asked]).describe().seats[0].spec


def test_a_jury_is_described_by_its_seats() -> None:
    """Key, its source, place, weight and what is known of the judge. (contract: core:J12)"""
    jury = Jury([passing(name="a"), tidy], WeightedAverage(threshold=0.7), weights={"a": 2})

    description = jury.describe()
    first, second = description.seats

    assert (description.kind, description.name) == ("jury", "Jury")
    assert description.strategy == "weighted_average"
    assert description.strategy_options["threshold"] == 0.7
    assert (first.key, first.key_source, first.position) == ("a", KeySource.EXPLICIT, 0)
    assert (second.key, second.key_source, second.position) == ("tidy", KeySource.DERIVED, 1)
    assert (first.weight, second.weight) == (2, 1.0)
    assert first.metadata.cost is Cost.MEMORY


def stages() -> Iterator[Jury | MetaJury | CascadedJury]:
    """Every way to put judges together."""
    jury = Jury([passing(), failing(), Jury([passing(), passing()], name="inner")])
    cascade = CascadedJury([Tier("a", jury), Tier("b", [passing()], TierPolicy.FINAL_TIER)])
    yield jury
    yield cascade
    yield MetaJury({"x": jury, "y": cascade})
    yield Jury([cascade, jury, named("again", jury)])


def described_seats(description: JuryDescription, path: str = "") -> Iterator[tuple[str, str]]:
    """The path of each seat that is described."""
    for seat in description.seats:
        yield path, seat.key
        if seat.jury is not None:
            yield from described_seats(seat.jury, f"{path}/{seat.key}")
    for stage in description.stages:
        if stage.jury is not None:
            yield from described_seats(stage.jury, f"{path}/{stage.name}")


@pytest.mark.parametrize("stage", list(stages()), ids=lambda stage: type(stage).__name__)
def test_every_described_seat_is_in_the_verdict(stage: Jury) -> None:
    """And no other, at every depth; what was skipped keeps its name. (contract: core:J12)"""
    verdict = stage.vote(a_context())
    skipped = {path for path, attempt in verdict.stages() if attempt.skipped is not None}

    described = sorted(
        (path, key)
        for path, key in described_seats(stage.describe())
        if not any(path.startswith(gone) for gone in skipped)
    )

    assert sorted((path, seat.key) for path, seat in verdict.all_seats()) == described


def test_a_cascade_is_described_by_its_tiers() -> None:
    """Name, policy and what an error does. (contract: core:J12)"""
    cascade = CascadedJury(
        [
            Tier("a", [passing()], on_error="waive"),
            Tier("b", Foreign(), TierPolicy.FINAL_TIER),
        ],
        timeout=5,
    )

    description = cascade.describe()

    assert (description.kind, description.strategy, description.seats) == ("cascade", None, ())
    assert description.options == {"timeout": 5}
    assert [
        (stage.name, stage.policy, stage.on_error, stage.jury is not None)
        for stage in description.stages
    ] == [("a", "reject_on_any_fail", "waive", True), ("b", "final_tier", "hold", False)]


def test_a_meta_jury_is_described_by_its_members() -> None:
    """And its strategy. (contract: core:J12)"""

    def mine(population: Population) -> Judgment:
        return population.seats[0].judgment

    description = MetaJury({"a": Jury([passing()]), "b": Foreign()}, mine).describe()

    assert (description.kind, description.strategy) == ("meta_jury", "mine")
    assert dict(description.strategy_options) == {}
    assert [(stage.name, stage.jury is not None) for stage in description.stages] == [
        ("a", True),
        ("b", False),
    ]
    assert MetaJury({"a": Jury([passing()])}, Average()).describe().strategy_options["threshold"]


def test_a_nested_jury_is_described_in_its_seat() -> None:
    """As a whole. (contract: core:J12)"""
    seat = Jury([Jury([tidy], name="inner")]).describe().seats[0]

    assert seat.jury is not None
    assert seat.jury.name == "inner"
    assert not seat.opaque


@pytest.mark.parametrize(
    ("asked", "spec"),
    [
        (OptionsJudge("a"), {"type": OPTIONS, "path": "a"}),
        (
            OptionsJudge("a", Mode.LOOSE, frozenset({"b", "a"}), 5, (1, 2), {"k": None}),
            {
                "type": OPTIONS,
                "path": "a",
                "mode": "loose",
                "words": ("a", "b"),
                "limit": 5,
                "more": (1, 2),
                "given": {"k": None},
            },
        ),
        (named("Mine", OptionsJudge("a")), {"type": OPTIONS, "path": "a"}),
        (FileExistsJudge("a"), {"type": "file_exists", "path": "a"}),
        (tidy, {"type": f"{__name__}:tidy"}),
        (neat, {"type": f"{__name__}:neat"}),
        (named("Mine", neat), {"type": f"{__name__}:neat"}),
    ],
)
def test_what_configuration_can_name_is_written_as_there(asked: Judge, spec: Any) -> None:
    """Its type, and the options that are not the default ones."""
    assert spec_of(asked) == spec


def local() -> Judge:
    """A judge that no module holds."""

    def inside(_context: JudgmentContext) -> Judgment:
        return Judgment.passing()

    return inside


@pytest.mark.parametrize(
    "asked",
    [
        lambda _: Judgment.passing(),
        local(),
        functools.partial(tidy),
        OptionsJudge(Path("a")),  # type: ignore[arg-type]
        OptionsJudge("a", given=object()),
        passing().__call__,
        judge(cost=Cost.FILE)(tidy),
    ],
)
def test_what_configuration_cannot_name_is_opaque(asked: Judge) -> None:
    """Nothing is made up for it."""
    assert spec_of(asked) is None
    assert Jury([asked]).describe().seats[0].opaque


@pytest.mark.parametrize("stage", list(stages()), ids=lambda stage: type(stage).__name__)
def test_a_copied_description_is_equal_in_all(stage: Jury) -> None:
    """Value and hash survive pickle and copy. (contract: core:R22)"""
    description = stage.describe()

    for again in (copy.deepcopy(description), pickle.loads(pickle.dumps(description))):
        assert again == description
        assert hash(again) == hash(description)
