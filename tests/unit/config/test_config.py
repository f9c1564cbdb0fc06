from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import agent_judge.judges
import agent_judge.llm
import agent_judge.rag
from agent_judge import Judgment, JudgmentContext, Jury, Status
from agent_judge.config import (
    build,
    build_from,
    find_configuration,
    read_configuration,
    to_config,
)
from agent_judge.config.registry import BUILT_IN, find_judge
from agent_judge.config.schema import configuration_schema
from agent_judge.errors import ConfigurationError
from agent_judge.protocol import JudgeMetadata

ROOT = Path(__file__).parents[3]
COMMAND = {"type": "command", "command": "true"}


def own_judge(context: JudgmentContext) -> Judgment:
    """A judge of somebody's own module."""
    return Judgment.passing(str(context.output))


def test_every_shipped_judge_can_be_named() -> None:
    """The registry names all judges, each under its own type. (contract: edges:S1)"""
    types = {
        judge.metadata.type: name
        for home in (agent_judge.judges, agent_judge.llm, agent_judge.rag)
        for name in home.__all__
        if isinstance(getattr(judge := getattr(home, name), "metadata", None), JudgeMetadata)
    }

    assert {**types, "sampled": "SampledJudge"} == BUILT_IN  # what it is, its own judge decides


def test_a_jury_is_built_with_names_weights_and_a_strategy() -> None:
    """What is said of a judge reaches its seat."""
    jury = build_from(
        {
            "name": "all",
            "strategy": {"type": "weighted_average", "threshold": 0.9},
            "judges": [{**COMMAND, "name": "one", "weight": 3}, {**COMMAND, "negate": True}],
        }
    )

    description = jury.describe()

    assert description.name == "all"
    assert description.strategy_options["threshold"] == 0.9
    assert [(seat.key, seat.weight) for seat in description.seats] == [("one", 3), ("negate", 1)]


def test_cascades_meta_juries_and_combinators_are_built(tmp_path: Path) -> None:
    """Stages nest, and judges combine."""
    config = {
        "tiers": [
            {"name": "a", "judges": [{"type": "all_of", "judges": [COMMAND, COMMAND]}]},
            {
                "name": "b",
                "policy": "final_tier",
                "members": {
                    "x": {"judges": [{**COMMAND, "deadline": 20}]},
                    "y": {"judges": [COMMAND]},
                },
            },
        ]
    }

    verdict = build_from(config).vote(JudgmentContext(workspace=tmp_path))

    assert verdict.status is Status.PASS
    assert [path for path, _ in verdict.stages()] == ["/a", "/b", "/b/x", "/b/y"]


def test_a_judge_of_ones_own_is_named_by_its_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """module:attribute, from the folders of python_path."""
    (tmp_path / "own_checks.py").write_text(
        "from agent_judge import Judgment\n\ndef tidy(context): return Judgment.passing('tidy')\n"
    )
    path = tmp_path / "agent-judge.toml"
    path.write_text('python_path = ["."]\n[[judges]]\ntype = "own_checks:tidy"\n')
    monkeypatch.delitem(sys.modules, "own_checks", raising=False)

    jury = build(read_configuration(path))

    assert jury.vote(JudgmentContext()).seats[0].judgment.reasoning == "tidy"
    assert str(tmp_path) not in sys.path


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({}, "expected one of 'judges', 'tiers' and 'members'"),
        ({"judges": [COMMAND], "tiers": []}, "judges and tiers"),
        ({"judges": []}, "one judge or more"),
        ({"judges": [{"type": "comand"}]}, "did you mean 'command'"),
        ({"judges": [{"type": "nothing-like-it"}]}, "known are"),
        ({"judges": [{**COMMAND, "comand": "x"}]}, "judges[0].comand: unknown option"),
        ({"judges": [{"type": "command"}]}, "needs the option 'command'"),
        ({"judges": [{**COMMAND, "timeout": -1}]}, "timeout must be"),
        ({"judges": [{**COMMAND, "deadline": 0}]}, "judges[0].deadline"),
        ({"judges": [{**COMMAND, "negate": "yes"}]}, "judges[0].negate"),
        ({"judges": [{**COMMAND, "name": ""}]}, "judges[0].name"),
        ({"judges": ["command"]}, "judges[0]: expected a table"),
        ({"judges": [{"type": "json:no_such"}]}, "cannot be imported"),
        ({"judges": [{"type": "no_such_module:x"}]}, "cannot be imported"),
        ({"judges": [{"type": "json:loads", "x": 1}]}, "takes no options"),
        ({"judges": [COMMAND], "strategy": "majorty"}, "did you mean 'majority'"),
        (
            {"judges": [COMMAND], "strategy": {"type": "average", "treshold": 1}},
            "strategy.treshold",
        ),
        ({"judges": [COMMAND], "strategy": {"type": "average", "threshold": 2}}, "0..1"),
        ({"judges": [COMMAND], "strategy": 3}, "strategy: expected the name"),
        ({"judges": [COMMAND], "assert": []}, "assert: unknown option"),
        ({"judges": [{**COMMAND, "weight": 2}]}, "does not use them"),
        ({"judges": [{"type": "all_of", "judges": []}]}, "judges[0].judges"),
        ({"tiers": [{"judges": [COMMAND]}]}, "the tier's name"),
        ({"tiers": [{"name": "a", "judges": [COMMAND]}]}, "must use FINAL_TIER"),
        ({"tiers": [{"name": "a", "policy": "final", "judges": [COMMAND]}]}, "policy is one of"),
        ({"members": {}}, "one member or more"),
        ({"judges": [COMMAND], "python_path": "."}, "python_path: expected a list"),
    ],
)
def test_a_fault_is_named_with_its_place_and_its_remedy(config: Any, message: str) -> None:
    """Unknown types, options and empty lists are refused. (contract: edges:S1, cases:F13)"""
    with pytest.raises(ConfigurationError) as refusal:
        build_from(config)

    assert message in str(refusal.value)


def test_all_faults_are_named_at_once() -> None:
    """A person mends a file once. (contract: edges:S1)"""
    with pytest.raises(ConfigurationError) as refusal:
        build_from({"judges": [{"type": "comand"}, {**COMMAND, "tiemout": 3}, {"type": "command"}]})

    message = str(refusal.value)
    assert all(f"judges[{index}]" in message for index in range(3))


def test_a_description_builds_the_same_jury() -> None:
    """Configuration and description round-trip. (contract: edges:S3)"""
    config = {
        "name": "root",
        "tiers": [
            {
                "name": "a",
                "policy": "reject_on_any_fail",
                "on_error": "waive",
                "judges": [{"type": f"{__name__}:own_judge"}, {**COMMAND, "name": "c"}],
                "timeout": 20,
            },
            {
                "name": "b",
                "policy": "final_tier",
                "strategy": {"type": "weighted_average", "threshold": 0.7},
                "judges": [{**COMMAND, "weight": 2.0}, {"type": "jury", "judges": [COMMAND]}],
            },
        ],
    }
    written = to_config(build_from(config).describe())

    again = to_config(build_from(written).describe())

    assert again == written
    assert json.loads(json.dumps(written)) == written


def test_an_opaque_seat_is_marked_and_refused_by_name() -> None:
    """What configuration cannot name, it does not pretend to. (contract: edges:S3)"""
    jury = Jury({"mine": lambda _: Judgment.passing()})
    description = jury.describe()

    assert description.seats[0].opaque
    with pytest.raises(ConfigurationError, match="'mine' is opaque"):
        to_config(description)


def test_an_opaque_strategy_is_refused_by_name() -> None:
    """A strategy of one's own is not written down either. (contract: edges:S3)"""
    jury = Jury([find_judge("command")("true")], lambda _: Judgment.passing())

    with pytest.raises(ConfigurationError, match="opaque"):
        to_config(jury.describe())


def test_the_nearest_configuration_is_found(tmp_path: Path) -> None:
    """A file of its own, or a table of pyproject.toml, here or above."""
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(
        '[[tool.agent-judge.judges]]\ntype="command"\ncommand="true"\n'
    )
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\nname='x'\n")

    assert find_configuration(inner) == tmp_path / "pyproject.toml"
    assert build(read_configuration(tmp_path / "pyproject.toml")).describe().seats[0].key
    (inner / "agent-judge.toml").touch()
    assert find_configuration(inner) == inner / "agent-judge.toml"


def test_yaml_says_the_same(tmp_path: Path) -> None:
    """The extra yaml reads YAML."""
    path = tmp_path / "agent-judge.yaml"
    path.write_text("judges:\n  - type: command\n    command: 'true'\n")

    assert build(read_configuration(path)).describe().seats[0].key == "CommandJudge"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("agent-judge.toml", "[[["),
        ("agent-judge.toml", "a = \xff"),
        ("agent-judge.yaml", "a: [1"),
        ("agent-judge.yaml", "a: &x 1\nb: *x\n"),
        ("agent-judge.yaml", "- 1\n"),
        ("agent-judge.yaml", "a: !!python/object/apply:os.system ['true']\n"),
        ("pyproject.toml", "[tool.x]\n"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str, content: str) -> None:
    """Broken files, aliases and tags are refused by the file's name."""
    path = tmp_path / name
    path.write_bytes(content.encode("latin-1"))

    with pytest.raises(ConfigurationError, match=name):
        read_configuration(path)


def test_no_configuration_is_said_with_a_remedy(tmp_path: Path) -> None:
    """A missing file names the command that writes one."""
    with pytest.raises(ConfigurationError, match="agent-judge init"):
        find_configuration(tmp_path)
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_configuration(tmp_path / "agent-judge.toml")


def valid(config: Any) -> bool:
    """Whether a configuration is valid against the schema."""
    return jsonschema.Draft202012Validator(configuration_schema()).is_valid(config)


def test_the_schema_is_a_schema_and_takes_what_is_shipped() -> None:
    """The published schema fits the shipped configurations."""
    import tomllib

    jsonschema.Draft202012Validator.check_schema(configuration_schema())
    for path in (ROOT / "agent-judge.toml", ROOT / "examples/durations/agent-judge.toml"):
        assert valid(tomllib.loads(path.read_text()))


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"judges": []},
        {"judges": [{"type": "comand", "command": "true"}]},
        {"judges": [{"type": "command"}]},
        {"judges": [{**COMMAND, "comand": 1}]},
        {"judges": [{**COMMAND, "timeout": "3"}]},
        {"judges": [COMMAND], "tiers": [{"name": "a", "judges": [COMMAND]}]},
        {"judges": [COMMAND], "strategy": {"type": "average", "treshold": 1}},
    ],
)
def test_the_schema_refuses_what_building_refuses(config: Any) -> None:
    """An editor warns of what would be refused. (contract: edges:S1)"""
    assert not valid(config)
