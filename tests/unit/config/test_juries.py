from __future__ import annotations

import sys
import tomllib
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from agent_judge import Judgment, JudgmentContext, Jury, MetaJury, Status, WeightedAverage
from agent_judge.config import Configuration, build, build_all, build_from, to_config
from agent_judge.config import registry as registry_module
from agent_judge.config.options import options_of
from agent_judge.config.registry import BUILT_IN, find_judge
from agent_judge.config.schema import configuration_schema
from agent_judge.errors import ConfigurationError
from agent_judge.judges import StatusJudge
from agent_judge.jury.spec import SAID_OF_JUDGES
from agent_judge.testing import ScriptedJudge, failing

STATUS = {"type": "status"}
GATE: Any = {"type": "confidence_gate", "bar": 0.5, "confidence": "math:fabs"}


def configuration(text: str) -> Configuration:
    """A configuration from TOML."""
    return Configuration(Path("agent-judge.toml"), tomllib.loads(text))


def faults(data: Any) -> list[str]:
    """What is found wrong, in order."""
    with pytest.raises(ConfigurationError) as refusal:
        build_from(data)
    return [line.strip() for line in str(refusal.value).splitlines()[1:]]


def test_no_shipped_judge_has_an_option_that_is_said_of_all() -> None:
    """The name of a seat and the option of a judge are never mixed up."""
    taken = {name: options_of(find_judge(name)).keys() & {*SAID_OF_JUDGES} for name in BUILT_IN}

    assert not {name for name, options in taken.items() if options}


def test_faults_are_named_at_every_depth_at_once() -> None:
    """One fault hides no other: above it, below it or beside it. (contract: edges:S1)"""
    found = faults(
        {
            "asert": [],
            "timeout": "3",
            "tiers": [
                {"name": "a", "polcy": 1, "strategy": "majorty", "judges": [{"type": "staus"}]},
                {"judges": []},
                {
                    "name": "c",
                    "members": {
                        "x": {"judges": [{"type": "any_of", "judges": [{**STATUS, "allwed": 1}]}]},
                        "y": {"judges": [{**STATUS, "allowed": 3, "deadline": "x", "negate": 1}]},
                    },
                },
            ],
        }
    )

    assert [fault.split(": ")[0] for fault in found] == [
        "asert",
        "timeout",
        "tiers[0].polcy",
        "tiers[0].strategy",
        "tiers[0].judges[0].type",
        "tiers[1]",
        "tiers[2].members.x.judges[0].judges[0].allwed",
        "tiers[2].members.y.judges[0].deadline",
        "tiers[2].members.y.judges[0].negate",
        "tiers[2].members.y.judges[0].allowed",
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"judges": [{"type": "all_of", "judges": [{**STATUS, "weight": 2}]}]}, "'weight'"),
        ({"judges": [{"type": "cascade", "judges": [STATUS]}]}, "needs the key 'tiers'"),
        ({"judges": [{"type": "negate"}]}, "judges[0].judge: expected a table"),
        ({"judges": [{"type": "negate", "judges": [STATUS]}]}, "did you mean 'judge'"),
        ({"judges": [{"type": "with_timeout", "judge": STATUS}]}, "needs the option 'seconds'"),
        ({"judges": [{"type": "with_timeout", "judge": STATUS, "seconds": 0}]}, "positive"),
        ({"judges": [{"type": "with_timeout", "judge": STATUS, "seconds": "5"}]}, "a number"),
        ({"judges": [{"type": "negate", "judge": {**STATUS, "weight": 2}}]}, "judge.weight"),
        ({"judges": [{**STATUS, "jury_name": "a"}]}, "judges[0].jury_name: unknown option"),
        ({"judges": [{"type": "jury", "jury_name": 3, "judges": [STATUS]}]}, "expected a string"),
        ({"judges": [STATUS], "weights": {"StatusJudge": 2}}, "unknown option 'weights'"),
        ({"judges": [STATUS], "parallel": "yes"}, "parallel: expected true or false"),
        ({"tiers": [{"name": "a", "judges": [STATUS]}], "strategy": "majority"}, "strategy"),
        ({"judges": [{"type": "stauts"}]}, "did you mean 'status'? known are "),
        ({"judges": [STATUS], "strategy": "json:loads"}, "takes"),
        ({"judges": [STATUS], "strategy": {"type": "json:loads", "x": 1}}, "takes no options"),
        ({"judges": [STATUS], "strategy": {"type": "majority", "tie": "win"}}, "strategy.tie"),
        ({"juries": {}}, "juries: expected a table of one jury or more"),
        ({"juries": {"a": 3}}, "juries.a: expected a table"),
        ({"juries": {"a": {"judges": []}}}, "juries.a.judges: expected a list"),
        ({"judges": [STATUS], "juries": {"a": {"tiers": []}}}, "juries.a.tiers"),
        ({"members": {"a": {"judges": [STATUS]}}, "weights": {"b": 2}, "strategy": "average"}, "w"),
    ],
)
def test_what_would_be_ignored_is_refused(data: Any, message: str) -> None:
    """A key without effect, or of the wrong type, is a fault. (contract: edges:S1)"""
    if data.get("strategy") == "json:loads":
        assert build_from(data).vote(JudgmentContext()).status is Status.ERROR
        return
    assert message in "\n".join(faults(data))


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({"type": "confidence_gate"}, "needs the option 'bar', 'confidence'"),
        ({"type": "confidence_gate", "bar": 2, "confidence": "math:fabs"}, "bar must lie in 0..1"),
        ({"type": "confidence_gate", "bar": "1", "confidence": "math:fabs"}, "a number"),
        ({"type": "confidence_gate", "bar": 1, "confidence": "fabs"}, "'module:attribute'"),
        ({"type": "confidence_gate", "bar": 1, "confidence": ["a:b"]}, "'module:attribute'"),
        ({"type": "confidence_gate", "bar": 1, "confidence": "math:fab"}, "cannot be imported"),
        ({"type": "confidence_gate", "bar": 1, "confidence": "math:pi"}, "must be a function"),
        ({**GATE, "bars": 1}, "did you mean 'bar'"),
        ({"type": "final_tier"}, "known are confidence_gate"),
        ({"type": ["final_tier"]}, "known are confidence_gate"),
        ({}, "known are confidence_gate"),
        (3, "policy must be a TierPolicy"),
    ],
)
def test_a_rule_that_cannot_be_applied_is_a_fault(policy: Any, message: str) -> None:
    """It is found before anything runs. (contract: edges:S1, core:K14)"""
    last = {"name": "last", "policy": "final_tier", "judges": [STATUS]}
    tiers = [{"name": "a", "policy": policy, "judges": [STATUS]}, last]

    (fault,) = faults({"tiers": tiers})

    assert fault.startswith("tiers[0]")
    assert message in fault
    assert not valid({"tiers": tiers}) or ":" in str(policy)


@pytest.mark.parametrize("key", ["judge", "judges"])
def test_a_configuration_that_nests_without_end_is_refused(key: str) -> None:
    """It ends in a message, not in a traceback. (contract: edges:S1)"""
    table: dict[str, Any] = STATUS
    for _ in range(2_000):
        inner = {"type": "negate", "judge": table}
        table = inner if key == "judge" else {"type": "all_of", "judges": [table]}

    with pytest.raises(ConfigurationError, match="nests too deep"):
        build_from({"judges": [table]})


NAMED = """
[juries.smoke]
[[juries.smoke.judges]]
type = "status"

[juries.full]
name = "everything"
[[juries.full.judges]]
type = "status"
[[juries.full.judges]]
type = "tokens"
max_total = 5
"""


def test_a_file_may_hold_several_juries() -> None:
    """Each is chosen by its name, and is called so unless it says otherwise."""
    juries = build_all(configuration(NAMED))

    assert juries.default is None
    assert [jury.name for jury in juries.named.values()] == ["smoke", "everything"]
    assert build(configuration(NAMED), "full").name == "everything"


def test_a_jury_is_chosen_without_a_name_only_where_there_is_no_doubt() -> None:
    """The one at the top, or the only one; else the names are listed."""
    only = configuration('[juries.smoke]\njudges = [{ type = "status" }]\n')
    with_default = configuration('name = "top"\njudges = [{ type = "status" }]\n' + NAMED)

    assert build(only).name == "smoke"
    assert build(with_default).name == "top"
    with pytest.raises(ConfigurationError, match="choose one of the juries by name: smoke, full"):
        build(configuration(NAMED))


def test_an_unknown_jury_is_refused_with_the_nearest_name() -> None:
    """A slip of the pen does not choose another jury. (contract: edges:S1)"""
    with pytest.raises(ConfigurationError, match="did you mean 'smoke'"):
        build(configuration(NAMED), "smok")


@pytest.mark.parametrize("name", ["smoke", "full"])
def test_a_timeout_from_outside_replaces_the_one_in_the_file(name: str) -> None:
    """Whoever starts the judging has the last word on how long it may take."""
    jury = build(configuration(NAMED), name, timeout=7.5)

    assert jury.options["timeout"] == 7.5


def test_weights_belong_to_the_judges_they_are_said_of() -> None:
    """Also where two judges have no name of their own."""
    jury = build_from(
        {
            "strategy": {"type": "weighted_average", "threshold": 0.5},
            "judges": [STATUS, {**STATUS, "weight": 3}],
        }
    )

    assert [(seat.key, seat.weight) for seat in jury.describe().seats] == [
        ("StatusJudge-1", 1.0),
        ("StatusJudge-2", 3),
    ]


def test_the_weights_of_a_meta_jury_round_trip() -> None:
    """What a member counts is described and written. (contract: edges:S3)"""
    stage = MetaJury(
        {"a": Jury([StatusJudge()]), "b": Jury([StatusJudge()])},
        WeightedAverage(threshold=0.5),
        weights={"b": 3},
    )

    written = to_config(stage.describe())

    assert written["weights"] == {"a": 1.0, "b": 3}
    assert to_config(build_from(written).describe()) == written


class OwnStatus(StatusJudge):
    """A judge that inherits the type of a shipped one, and judges otherwise."""

    def __call__(self, _context: JudgmentContext, /) -> Judgment:
        """Abstain."""
        return Judgment.abstaining("never sure")


def test_a_class_of_ones_own_is_not_taken_for_the_one_it_derives_from() -> None:
    """It is written by its module, and comes back as itself. (contract: edges:S3)"""
    written = to_config(Jury([OwnStatus(("failed",))]).describe())

    assert written["judges"] == [{"type": f"{__name__}:OwnStatus", "allowed": ["failed"]}]
    again = build_from(written)
    assert isinstance(again, Jury)
    assert again.judges == (OwnStatus(("failed",)),)


def test_what_only_python_can_make_is_refused_by_name() -> None:
    """A judge with a state of its own is not written down. (contract: edges:S3)"""
    with pytest.raises(ConfigurationError, match="'fake' is opaque"):
        to_config(Jury({"fake": ScriptedJudge([Judgment.passing()])}).describe())


def test_records_inside_a_judge_are_tables() -> None:
    """A judge that holds a whole judgment comes back with it. (contract: edges:S3)"""
    described = Jury({"fake": failing("no", label="bad")}).describe()

    assert build_from(to_config(described)).describe() == described


def announced(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """Let another distribution announce a judge."""
    points = EntryPoints([EntryPoint("own_status", value, "agent_judge.judges")])
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points.select(group=group))


def test_a_judge_of_another_distribution_is_named_by_its_entry_point(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is loaded when it is asked for."""
    announced(monkeypatch, f"{__name__}:OwnStatus")
    sys.modules.setdefault(__name__, sys.modules[OwnStatus.__module__])

    jury = build_from({"judges": [{"type": "own_status", "allowed": ["failed"]}]})

    assert isinstance(jury, Jury)
    assert jury.judges == (OwnStatus(("failed",)),)
    assert "own_status" in registry_module.known_types()


def test_an_entry_point_that_is_broken_is_a_fault_only_when_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Somebody else's broken package does not break every configuration."""
    announced(monkeypatch, "no_such_package:judge")

    assert build_from({"judges": [STATUS]}).name == "Jury"
    assert "'own_status' cannot be imported" in faults({"judges": [{"type": "own_status"}]})[0]


def valid(data: Any) -> bool:
    """Whether a configuration is valid against the schema."""
    return jsonschema.Draft202012Validator(configuration_schema()).is_valid(data)


@pytest.mark.parametrize(
    "data",
    [
        tomllib.loads(NAMED),
        {**tomllib.loads(NAMED), "judges": [STATUS], "python_path": ["."]},
        {"judges": [{"type": "a:b", "any": 1}, {**STATUS, "allowed": ["success"]}]},
        {"judges": [{"type": "cascade", "tiers": [{"name": "a", "judges": [STATUS]}]}]},
        {"judges": [{"type": "any_of", "judges": [STATUS], "negate": True}]},
        {"judges": [{"type": "negate", "judge": STATUS, "deadline": 5}]},
        {"judges": [{"type": "with_timeout", "judge": STATUS, "seconds": 5}]},
        {"judges": [{"type": "jury", "name": "a", "jury_name": "b", "judges": [STATUS]}]},
        {"tiers": [{"name": "a", "jury_name": "b", "policy": GATE, "judges": [STATUS]}]},
        {"members": {"a": {"judges": [STATUS]}}, "weights": {"a": 1}, "strategy": "average"},
        {"judges": [STATUS], "strategy": {"type": "a:b", "any": 1}},
    ],
)
def test_the_schema_takes_what_can_be_written(data: Any) -> None:
    """Nothing that is right is marked in an editor."""
    assert valid(data)


@pytest.mark.parametrize(
    "data",
    [
        {"judges": [STATUS], "assert": []},
        {"judges": [STATUS], "max_stages": 3},
        {"judges": [STATUS], "weights": {"a": 1}},
        {"tiers": [{"name": "a", "judges": [STATUS], "asert": 1}]},
        {"tiers": [{"name": "a", "judges": [STATUS]}], "strategy": "majority"},
        {"judges": [{"type": "all_of", "judges": [{**STATUS, "weight": 2}]}]},
        {"judges": [{"type": "all_of", "judges": [{"type": "a:b", "weight": 2}]}]},
        {"judges": [{"type": "cascade", "judges": [STATUS]}]},
        {"judges": [{"type": "negate", "judges": [STATUS]}]},
        {"judges": [{"type": "with_timeout", "judge": STATUS}]},
        {"judges": [{**STATUS, "jury_name": "a"}]},
        {"tiers": [{"name": "a", "policy": {**GATE, "bars": 1}, "judges": [STATUS]}]},
        {"juries": {}},
        {"juries": {"a": {"judges": [STATUS], "asert": 1}}},
        {"python_path": ["."]},
    ],
)
def test_the_schema_refuses_what_would_be_ignored(data: Any) -> None:
    """A key in the wrong place is marked in an editor. (contract: edges:S1, cases:F13)"""
    assert not valid(data)
