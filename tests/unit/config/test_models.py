from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from agent_judge import Status, evaluate
from agent_judge.config import Configuration, ModelSettings, build, build_from, to_config
from agent_judge.config.models import ConfiguredModel
from agent_judge.config.schema import configuration_schema
from agent_judge.errors import ArgumentError, ConfigurationError
from agent_judge.llm import CorrectnessJudge, LabelClassifier, ModelBackedJudge
from agent_judge.models import Message, ModelRequest, ModelResponse, RecordingModel, name_of
from agent_judge.testing import ScriptedModel, a_context

LABELS = {"type": "label", "labels": {"good": "pass", "bad": "fail"}}
OWN = {"type": "model_backed", "prompt": "{{output}}", "classifier": LABELS}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key, so that models can be made; none is asked."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")


def judges_of(config: dict[str, Any], **settings: Any) -> list[Any]:
    """The judges that a configuration describes."""
    jury: Any = build(Configuration(Path("c.toml"), config), models=ModelSettings(**settings))
    return list(jury.judges)


def test_a_judge_names_its_model() -> None:
    """By provider and name."""
    (judge,) = judges_of({"judges": [{"type": "correctness", "model": "openai:m"}]})

    assert isinstance(judge, CorrectnessJudge)
    assert name_of(judge.model) == "openai:m"  # type: ignore[arg-type]


def test_the_model_at_the_top_is_everybodys() -> None:
    """Judges that name the same model share it, and so its connections."""
    first, second, third = judges_of(
        {
            "model": "openai:m",
            "judges": [{"type": "correctness"}, OWN, {"type": "correctness", "model": "openai:n"}],
        }
    )

    assert first.model is second.model
    assert name_of(third.model) == "openai:n"


def test_the_call_from_outside_names_another_default() -> None:
    """Judges that name a model keep it."""
    config = {
        "model": "openai:m",
        "judges": [{"type": "correctness"}, {"type": "correctness", "model": "openai:n"}],
    }

    names = [name_of(judge.model) for judge in judges_of(config, model="openai:other")]

    assert names == ["openai:other", "openai:n"]


def test_a_table_gives_a_model_a_name() -> None:
    """With its address and its price."""
    (judge,) = judges_of(
        {
            "models": {
                "local": {
                    "name": "openai:q",
                    "base_url": "http://localhost:1/v1",
                    "price": {"input": 1, "output": 2},
                }
            },
            "judges": [{"type": "correctness", "model": "local"}],
        }
    )

    assert name_of(judge.model) == "openai:q"
    assert "localhost:1" in judge.model.identity


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"judges": [{"type": "correctness"}]}, r"judges\[0\]\.model: needs a model"),
        ({"judges": [{"type": "correctness", "model": 5}]}, "expected a model's name"),
        ({"judges": [{"type": "correctness", "model": "gpt"}]}, "provider:model"),
        ({"judges": [{"type": "correctness", "model": "opnai:m"}]}, "did you mean 'openai'"),
        ({"model": 5, "judges": [OWN]}, "model: expected a string"),
        ({"models": [], "model": "openai:m", "judges": [OWN]}, "models: expected a table"),
        (
            {"models": {"a": {"name": "openai:m", "url": "x"}}, "model": "a", "judges": [OWN]},
            r"models\.a: expected a table of name, base_url, price, without 'url'",
        ),
        (
            {"models": {"a": {"base_url": "x"}}, "model": "b", "judges": [OWN]},
            r"models\.a: expected a table with 'name'",
        ),
        (
            {"models": {"a": {"name": "openai:m"}}, "model": "b", "judges": [OWN]},
            r"\[models\] knows a",
        ),
        (
            {"model": "openai:m", "judges": [{**OWN, "classifier": "labl"}]},
            "unknown classifier 'labl'; did you mean 'label'",
        ),
        (
            {"model": "openai:m", "judges": [{**OWN, "classifier": {"labels": {}}}]},
            "a table with its type",
        ),
        (
            {"model": "openai:m", "judges": [{**OWN, "classifier": {"type": "label"}}]},
            "expected a table with 'labels'",
        ),
        (
            {"model": "openai:m", "judges": [{**OWN, "prompt": {"file": "a", "text": "b"}}]},
            "its text or file",
        ),
        (
            {"model": "openai:m", "judges": [{**OWN, "prompt": {"file": "nowhere.md"}}]},
            r"nowhere\.md",
        ),
        ({"model": "openai:m", "judges": [{**OWN, "prompt": "{{outputt}}"}]}, "outputt"),
        (
            {"model": "openai:m", "judges": [{**OWN, "options": {"temprature": 1}}]},
            "without 'temprature'",
        ),
        (
            {"model": "openai:m", "judges": [{**OWN, "options": {"temperature": "hot"}}]},
            "as temperature a number",
        ),
        ({"model": "openai:m", "judges": [{**OWN, "attach": "x"}]}, "only Python can give"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(config: dict[str, Any], message: str) -> None:
    """Before any model is asked. (contract: edges:S1)"""
    with pytest.raises(ConfigurationError, match=message):
        build_from(config)


def test_options_and_defence_are_tables() -> None:
    """What they are made of is checked as in Python."""
    (judge,) = judges_of(
        {
            "model": "openai:m",
            "judges": [
                {
                    **OWN,
                    "options": {"temperature": 0.5, "stop": ["END"]},
                    "defence": {"scan": False},
                    "examples": [{"context": {"output": "5"}, "reply": "bad"}],
                }
            ],
        }
    )

    assert judge.options.temperature == 0.5
    assert judge.options.stop == ("END",)
    assert not judge.defence.scan
    assert judge.examples[0].context.output == "5"


def test_a_prompt_is_read_from_a_file_beside_the_configuration(tmp_path: Path) -> None:
    """Its options stand beside the file's name. (contract: judges:P5)"""
    (tmp_path / "p.md").write_text("{{output}} {{error}}")
    prompt = {"file": "p.md", "optional": ["error"]}
    config = {"model": "openai:m", "judges": [{**OWN, "prompt": prompt}]}

    jury: Any = build(Configuration(tmp_path / "agent-judge.toml", config))
    (judge,) = jury.judges

    assert judge.prompt.text == "{{output}} {{error}}"
    assert judge.prompt.optional == ("error",)


def test_a_configuration_round_trips() -> None:
    """The models are written by the names that the file gives them. (contract: edges:S3)"""
    config = {
        "judges": [
            {"type": "correctness", "model": "openai:m", "reference": "require"},
            {
                **OWN,
                "model": "openai:n",
                "options": {"temperature": 0},
                "defence": {"scan": False},
                "prompt": {"text": "{{output}} {{error}}", "optional": ["error"]},
            },
            {
                "type": "rubric",
                "model": "openai:m",
                "threshold": 0.7,
                "criteria": [{"name": "right", "description": "It is right.", "weight": 2}],
            },
            {"type": "checklist", "model": "openai:m", "items": ["It is short."]},
            {"type": "ears", "model": "openai:m", "text": "It shall be.", "files": ["*.py"]},
            {
                "type": "rfc2119",
                "model": "openai:m",
                "path": "rules.md",
                "rejects": ["MUST", "SHOULD"],
                "reply": "lines",
            },
            {
                "type": "pairwise",
                "model": "openai:m",
                "on_flip": "escalate",
                "escalate_to": "openai:n",
                "classifier": {"type": "preference", "labels": {"X": "first", "Y": "second"}},
            },
        ]
    }
    described = build_from(config).describe()

    assert build_from(to_config(described)).describe() == described
    jsonschema.validate(to_config(described), configuration_schema())


def test_a_checked_configuration_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """The names of its models are checked all the same."""
    monkeypatch.delenv("OPENAI_API_KEY")
    config = {"judges": [{"type": "correctness", "model": "openai:m"}]}

    (judge,) = judges_of(config, asked=False)
    verdict = build(Configuration(Path("c.toml"), config), models=ModelSettings(asked=False)).vote(
        a_context()
    )

    assert isinstance(judge, CorrectnessJudge)
    assert verdict.status is Status.ERROR
    with pytest.raises(ConfigurationError, match="opnai"):
        judges_of({"judges": [{"type": "correctness", "model": "opnai:m"}]}, asked=False)


def test_record_and_replay_exclude_each_other() -> None:
    """A replay asks nobody."""
    with pytest.raises(ArgumentError, match="exclude each other"):
        ModelSettings(record=Path("a"), replay=Path("b"))


def test_a_cassette_is_not_written_over(tmp_path: Path) -> None:
    """What it holds may be all there is of a run."""
    cassette = tmp_path / "c.jsonl"
    cassette.write_text("{}")

    with pytest.raises(ConfigurationError, match="holds something already"):
        judges_of({"model": "openai:m", "judges": [OWN]}, record=cassette)


def test_a_replay_answers_for_each_model_by_its_name(tmp_path: Path) -> None:
    """Two models that were asked the same answer each for themselves."""
    cassette = tmp_path / "c.jsonl"
    classifier = LabelClassifier({"good": Status.PASS, "bad": Status.FAIL})
    for name, label in (("openai:m", "good"), ("openai:n", "bad")):
        model = RecordingModel(ScriptedModel([label], name=name), cassette, append=True)
        evaluate(ModelBackedJudge("{{output}}", model, classifier), a_context())

    config = {
        "models": {"second": {"name": "openai:n"}},
        "judges": [{**OWN, "model": "openai:m"}, {**OWN, "model": "second"}],
    }
    found = [evaluate(judge, a_context()) for judge in judges_of(config, replay=cassette)]

    assert [judgment.status for judgment in found] == [Status.PASS, Status.FAIL]


def test_replies_are_kept(tmp_path: Path) -> None:
    """Where the call from outside says."""
    (judge,) = judges_of({"model": "openai:m", "judges": [OWN]}, cache=tmp_path / "r.sqlite")

    assert "CachedModel" in repr(judge.model)


def test_base_url_needs_its_model() -> None:
    """An address alone says nothing."""
    config = {"judges": [{"type": "correctness", "model": "openai:m"}]}

    with pytest.raises(ConfigurationError, match="--base-url: belongs to --model"):
        judges_of(config, base_url="http://localhost:1")


def test_a_budget_that_is_no_money_is_refused() -> None:
    """It is named as the command line names it."""
    with pytest.raises(ConfigurationError, match="--max-cost: budget must be"):
        judges_of({"model": "openai:m", "judges": [OWN]}, max_cost=-1)


def test_a_request_goes_through_all_that_stands_before_a_model() -> None:
    """The name that configuration gives it does not change what it is."""
    model = ConfiguredModel(ScriptedModel([ModelResponse("hi", model="m")]), "mine")
    request = ModelRequest([Message.user("hi")])

    assert asyncio.run(model(request)).text == "hi"
    assert name_of(model) == "scripted"
