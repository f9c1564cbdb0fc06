from __future__ import annotations

from pathlib import Path

import pytest

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.models import (
    AnthropicModel,
    CommandLineModel,
    OllamaModel,
    OpenAIModel,
    ReplayModel,
    parse_model,
)


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the providers keys that are none."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "OLLAMA_HOST"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("name", "kind", "identity"),
    [
        ("openai:gpt-5", OpenAIModel, "openai:gpt-5 chat https://api.openai.com/v1"),
        (
            "openai-responses:gpt-5",
            OpenAIModel,
            "openai:gpt-5 responses https://api.openai.com/v1",
        ),
        (
            "anthropic:claude-haiku-4-5",
            AnthropicModel,
            "anthropic:claude-haiku-4-5 schema 2023-06-01 https://api.anthropic.com",
        ),
        ("ollama:qwen3:8b", OllamaModel, "ollama:qwen3:8b http://127.0.0.1:11434"),
        ("cli:claude", CommandLineModel, "cli:claude"),
        ("cli:claude:opus", CommandLineModel, "cli:claude:opus"),
    ],
)
def test_a_name_stands_for_a_model(name: str, kind: type[object], identity: str) -> None:
    """The provider is what stands before the first colon."""
    model = parse_model(name)

    assert isinstance(model, kind)
    assert getattr(model, "identity", None) == identity


def test_an_address_goes_with_a_name() -> None:
    """A server of one's own speaks a provider's protocol."""
    model = parse_model("openai:qwen3", base_url="http://localhost:8000/v1")

    assert getattr(model, "identity", None) == "openai:qwen3 chat http://localhost:8000/v1"


def test_a_cassette_is_a_model(tmp_path: Path) -> None:
    """What was recorded is replayed by name."""
    path = tmp_path / "judge.jsonl"
    path.write_text(
        '{"cassette": 1, "model": "m", "request": {}, '
        '"response": {"text": "PASS", "finish_reason": "stop"}}'
    )

    assert isinstance(parse_model(f"replay:{path}"), ReplayModel)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gpt-5", "provider:model"),
        ("openai:", "provider:model"),
        ("openai: ", "provider:model"),
        ("", "provider:model"),
        ("opnai:gpt-5", "did you mean 'openai'"),
        ("zzz:gpt-5", "Known are: openai, "),
        ("cli:vim", "program must be one of claude, codex, gemini"),
        ("cli:claude:--dangerous", "must be a name"),
    ],
)
def test_what_names_no_model_is_refused(name: str, message: str) -> None:
    """The message says what is known, and what is near."""
    with pytest.raises(ArgumentError, match=message):
        parse_model(name)


@pytest.mark.parametrize("name", ["cli:claude", "replay:judge.jsonl"])
def test_an_address_where_none_is_used_is_refused(name: str) -> None:
    """It is not silently left out."""
    with pytest.raises(ArgumentError, match="have no base_url"):
        parse_model(name, base_url="http://localhost")


def test_a_name_is_text() -> None:
    """Something else is no name."""
    with pytest.raises(ArgumentTypeError):
        parse_model(None)  # type: ignore[arg-type]
