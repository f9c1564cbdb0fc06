from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import jsonschema
import pytest

from agent_judge import (
    AllMustPass,
    CascadedJury,
    Judge,
    Judgment,
    JudgmentContext,
    Jury,
    MetaJury,
    Tier,
    TierPolicy,
    Verdict,
    all_of,
    any_of,
    judge,
    named,
    negate,
    with_timeout,
)
from agent_judge.config import build_from, to_config
from agent_judge.config.schema import configuration_schema
from agent_judge.errors import ConfigurationError
from agent_judge.judges import FileExistsJudge, StatusJudge
from agent_judge.jury import ConfidenceGate, Population
from agent_judge.jury.description import JuryDescription

FILE = {"type": "file_exists", "path": "a"}
STATUS = {"type": "status"}
SCHEMA = jsonschema.Draft202012Validator(configuration_schema())


def there() -> FileExistsJudge:
    """A registered judge."""
    return FileExistsJudge("a")


def certain(verdict: Verdict) -> float:
    """How certain a verdict is."""
    return verdict.score or 0.0


def majority(population: Population) -> Judgment:
    """A strategy of one's own that is called as a built-in one is."""
    return population.seats[0].judgment


@judge(name="Neat")
def neat(_context: JudgmentContext) -> bool:
    """A judge that was named where it was declared."""
    return True


@dataclass(frozen=True)
class Titled:
    """A judge with an option that configuration cannot tell it."""

    name: str = ""

    def __call__(self, _context: JudgmentContext, /) -> Judgment:
        """Pass."""
        return Judgment.passing()


class OwnJury(Jury):
    """A jury that somebody made more of."""


class Foreign:
    """A stage of somebody else's making."""

    async def avote(self, _context: JudgmentContext) -> NoReturn:
        """Vote."""
        raise NotImplementedError


class Wrapping(Foreign):
    """A stage of somebody else's making that says it is another."""

    def describe(self) -> JuryDescription:
        """Show what is inside."""
        return Jury([there()], name="inner").describe()


def written(stage: Jury | CascadedJury | MetaJury) -> dict[str, Any]:
    """The configuration of a jury, once it is known to build the same."""
    config = to_config(stage.describe())
    assert build_from(config).describe() == stage.describe()
    SCHEMA.validate(config)
    return config


@pytest.mark.parametrize(
    ("made", "table"),
    [
        (negate(there()), {**FILE, "negate": True}),
        (with_timeout(there(), 5), {**FILE, "deadline": 5}),
        (with_timeout(negate(there()), 5), {**FILE, "negate": True, "deadline": 5}),
        (named("no", negate(there())), {**FILE, "negate": True, "name": "no"}),
        (named("a", there()), {**FILE, "name": "a"}),
        (
            negate(with_timeout(there(), 5)),
            {"type": "negate", "judge": {**FILE, "deadline": 5}},
        ),
        (negate(negate(there())), {"type": "negate", "judge": {**FILE, "negate": True}}),
        (negate(named("a", there())), {"type": "negate", "judge": {**FILE, "name": "a"}}),
        (
            with_timeout(with_timeout(there(), 5), 9),
            {"type": "with_timeout", "judge": {**FILE, "deadline": 5}, "seconds": 9},
        ),
        (
            with_timeout(named("a", there()), 5),
            {"type": "with_timeout", "judge": {**FILE, "name": "a"}, "seconds": 5, "name": "a"},
        ),
        (
            all_of(named("a", there()), any_of(StatusJudge(), negate(there()))),
            {
                "type": "all_of",
                "judges": [
                    {**FILE, "name": "a"},
                    {"type": "any_of", "judges": [STATUS, {**FILE, "negate": True}]},
                ],
            },
        ),
        (neat, {"type": f"{__name__}:neat", "name": "Neat"}),
    ],
)
def test_a_judge_made_of_judges_is_written(made: Judge, table: dict[str, Any]) -> None:
    """As briefly as it is read back as the same. (contract: edges:S3)"""
    assert written(Jury([made]))["judges"] == [table]


MAJORITY: dict[str, Any] = {
    "strategy": {
        "type": "majority",
        "on_error": "propagate",
        "on_not_applicable": "declared",
        "min_eligible": 1,
        "tie": "fail",
    },
    "judges": [STATUS],
}


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (Jury([StatusJudge()]), {}),
        (Jury([StatusJudge()], name="inner"), {"name": "inner"}),
        (named("outer", Jury([StatusJudge()])), {"name": "outer", "jury_name": "Jury"}),
        (
            named("outer", Jury([StatusJudge()], name="inner")),
            {"name": "outer", "jury_name": "inner"},
        ),
        (named("same", Jury([StatusJudge()], name="same")), {"name": "same"}),
        (
            named("no", negate(Jury([StatusJudge()]))),
            {"name": "no", "negate": True, "jury_name": "Jury"},
        ),
    ],
)
def test_a_jury_in_a_seat_keeps_its_own_name(made: Judge, said: dict[str, Any]) -> None:
    """Beside that of its seat. (contract: edges:S3)"""
    assert written(Jury([made]))["judges"] == [{"type": "jury", **MAJORITY, **said}]


def test_the_jury_of_a_tier_keeps_its_own_name() -> None:
    """Beside that of the tier, where they differ. (contract: edges:S3)"""
    cascade = CascadedJury(
        [
            Tier("files", Jury([there()], name="workspace")),
            Tier("same", Jury([there()], name="same")),
            Tier("unnamed", Jury([there()])),
            Tier("last", [there()], TierPolicy.FINAL_TIER),
        ]
    )

    tiers = written(cascade)["tiers"]

    assert [tier.get("jury_name") for tier in tiers] == ["workspace", None, "Jury", None]


def test_a_confidence_gate_keeps_its_bar_and_its_function() -> None:
    """Both are built again. (contract: edges:S3, core:K14)"""
    gate = ConfidenceGate(0.8, certain)
    cascade = CascadedJury(
        [Tier("sure", [there()], gate), Tier("last", [there()], TierPolicy.FINAL_TIER)]
    )
    policy = {"type": "confidence_gate", "bar": 0.8, "confidence": f"{__name__}:certain"}

    assert written(cascade)["tiers"][0]["policy"] == policy
    again = build_from(written(cascade))
    assert isinstance(again, CascadedJury)
    assert again.tiers[0].policy == gate


def test_equal_names_that_are_numbered_stay_so() -> None:
    """The judges keep the names that they were given. (contract: edges:S3)"""
    jury = Jury([named("a", there()), named("a", StatusJudge())], dedupe=True)

    assert [table["name"] for table in written(jury)["judges"]] == ["a", "a"]


def test_an_own_strategy_that_is_called_as_a_built_in_one_is_not_mixed_up_with_it() -> None:
    """It is named by its module. (contract: edges:S3)"""
    config = written(Jury([there()], majority))

    assert config["strategy"] == {"type": f"{__name__}:majority"}


def cascade_with(confidence: Callable[[Verdict], float]) -> JuryDescription:
    """A cascade whose first tier measures by this function."""
    gate = ConfidenceGate(0.8, confidence)
    last = Tier("last", [there()], TierPolicy.FINAL_TIER)
    return CascadedJury([Tier("sure", [there()], gate), last]).describe()


OPAQUE = [
    (Jury([all_of(there(), lambda _: Judgment.passing())]).describe(), "judge 'all_of/judge'"),
    (Jury({"mine": negate(lambda _: Judgment.passing())}).describe(), "judge 'mine/judge'"),
    (Jury([Jury({"mine": lambda _: Judgment.passing()})]).describe(), "judge 'mine'"),
    (Jury([there()], lambda _: Judgment.passing()).describe(), "strategy '<lambda> of Jury'"),
    (Jury([there()], functools.partial(majority)).describe(), "strategy 'partial of Jury'"),
    (OwnJury([there()], name="own").describe(), "jury 'own'"),
    (Jury([OwnJury([there()], name="own")]).describe(), "jury 'own'"),
    (MetaJury({"a": Wrapping()}).describe(), "jury 'inner'"),
    (MetaJury({"a": Jury([there()]), "b": Foreign()}).describe(), "stage 'b'"),
    (cascade_with(lambda _: 0.9), "rule 'confidence_gate of sure'"),
    (cascade_with(functools.partial(certain)), "rule 'confidence_gate of sure'"),
]


@pytest.mark.parametrize(("description", "named_as"), OPAQUE)
def test_what_is_opaque_is_marked_and_refused_by_name(
    description: JuryDescription, named_as: str
) -> None:
    """Wherever it is. (contract: edges:S3)"""
    assert description.opaque
    with pytest.raises(ConfigurationError, match=f"the {named_as}.* is opaque"):
        to_config(description)


def test_the_bar_of_a_gate_is_described_though_its_function_cannot_be_named() -> None:
    """Nothing that is known is left out. (contract: edges:S3)"""
    (stage, last) = cascade_with(lambda _: 0.9).stages

    assert stage.policy_options == {"bar": 0.8}
    assert stage.opaque
    assert not last.opaque


def test_an_option_that_is_said_of_every_judge_cannot_be_written() -> None:
    """It would be taken for the name of the seat. (contract: edges:S3)"""
    assert Jury([Titled(name="x")]).describe().opaque
    assert not Jury([Titled()]).describe().opaque


def test_all_must_pass_over_combinators_is_the_same_file_twice() -> None:
    """What was written is written again alike. (contract: edges:S3)"""
    jury = Jury([negate(all_of(there(), StatusJudge()))], AllMustPass(), name="twice")

    assert to_config(build_from(written(jury)).describe()) == written(jury)
