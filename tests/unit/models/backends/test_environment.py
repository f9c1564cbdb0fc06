from __future__ import annotations

import pytest

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.models import AnthropicModel, OllamaModel, OpenAIModel
from agent_judge.models.backends.environment import read_ollama_host
from agent_judge.models.backends.http import HttpEndpoint, check_base_url

SECRET = "sk-0123456789abcdef"


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the keys and addresses of this machine away."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "OLLAMA_HOST"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        (None, "http://127.0.0.1:11434"),
        ("", "http://127.0.0.1:11434"),
        ("gpu", "http://gpu:11434"),
        ("gpu:1234", "http://gpu:1234"),
        (":1234", "http://127.0.0.1:1234"),
        ("0.0.0.0", "http://0.0.0.0:11434"),
        ("http://gpu", "http://gpu:80"),
        ("https://gpu", "https://gpu:443"),
        ("https://gpu:8443/ollama/", "https://gpu:8443/ollama"),
        ("gpu/ollama", "http://gpu:11434/ollama"),
        ("[::1]", "http://[::1]:11434"),
        ("[::1]:1234", "http://[::1]:1234"),
        ("::1", "http://[::1]:11434"),
        (" gpu ", "http://gpu:11434"),
    ],
)
def test_the_host_of_ollama_is_read_as_its_own_clients_read_it(host: str | None, url: str) -> None:
    """Scheme, host and port may each be left out."""
    assert read_ollama_host(host) == url


def test_addresses_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each backend reads the variables of its official SDK; an empty one is no address."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://one:1/v1/")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://two:2")
    monkeypatch.setenv("OLLAMA_HOST", "three:3")

    assert OpenAIModel("m").identity == "openai:m chat http://one:1/v1"
    assert AnthropicModel("m").identity == "anthropic:m schema 2023-06-01 http://two:2"
    assert OllamaModel("m").identity == "ollama:m http://three:3"
    monkeypatch.setenv("OPENAI_BASE_URL", "")
    assert "api.openai.com" in OpenAIModel("m", api_key=SECRET).identity


@pytest.mark.parametrize(
    ("model", "variable"), [(OpenAIModel, "OPENAI_API_KEY"), (AnthropicModel, "ANTHROPIC_API_KEY")]
)
def test_a_missing_key_is_missed_at_once(model: type[OpenAIModel], variable: str) -> None:
    """The provider itself needs a key, and the message says where it is read."""
    with pytest.raises(ArgumentError, match=variable):
        model("m")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "  ",
        "models.example/v1",
        "ftp://models.example",
        "file:///etc/passwd",
        "http://",
        "http://user:secret-password@models.example/v1",
        "ftp://user:secret-password@models.example/v1",
        "http://models.example/v1?key=secret-password",
        "http://models.example/v1#part",
        7,
    ],
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    """Only plain http and https addresses are taken, and no message shows a password."""
    with pytest.raises(ArgumentError) as raised:
        check_base_url(url)

    assert "secret-password" not in str(raised.value)


@pytest.mark.parametrize("value", [f"{SECRET}\n", f"{SECRET} ", f"{SECRET}\r\nX: y", f"{SECRET}é"])
def test_a_key_that_http_cannot_carry_is_refused_unseen(value: str) -> None:
    """A key with a line break would be another header; the message does not show it."""
    with pytest.raises(ArgumentError, match="Authorization") as raised:
        OpenAIModel("m", base_url="http://localhost/v1", api_key=value)

    assert SECRET not in str(raised.value)


@pytest.mark.parametrize("name", ["X Y", "X:Y", "X\nY", "Ü"])
def test_a_header_without_a_name_is_refused(name: str) -> None:
    """What is no name of a header is an argument error."""
    with pytest.raises(ArgumentError, match="no name of a header"):
        OpenAIModel("m", base_url="http://localhost/v1", headers={name: "value"})


def test_a_header_that_is_no_text_is_refused() -> None:
    """A number is no header."""
    with pytest.raises(ArgumentTypeError):
        HttpEndpoint(
            "http://localhost",
            name="m",
            credentials={"X": 1},  # type: ignore[dict-item]
            wall=lambda: 0.0,
        )


def test_a_line_of_the_environment_that_is_no_header_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The message names the variable and does not show the line."""
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"X-Team: a\n{SECRET}")

    with pytest.raises(ArgumentError, match="OPENAI_CUSTOM_HEADERS") as raised:
        OpenAIModel("m", base_url="http://localhost/v1")

    assert SECRET not in str(raised.value)


def test_a_key_and_a_token_exclude_each_other() -> None:
    """Two credentials are one too many."""
    with pytest.raises(ArgumentError, match="not both"):
        AnthropicModel("m", api_key=SECRET, auth_token=SECRET)


@pytest.mark.parametrize(
    "wrong",
    [
        {"api": "completions"},
        {"max_tokens_field": "max_length"},
        {"model": " "},
        {"timeout": -1},
    ],
)
def test_impossible_options_of_openai_are_refused(wrong: dict[str, object]) -> None:
    """Values out of range are argument errors."""
    given: dict[str, object] = {"model": "m", "base_url": "http://localhost/v1", **wrong}

    with pytest.raises(ArgumentError):
        OpenAIModel(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"structured": "grammar"}, {"max_tokens": 0}])
def test_impossible_options_of_anthropic_are_refused(wrong: dict[str, object]) -> None:
    """Values out of range are argument errors."""
    with pytest.raises(ArgumentError):
        AnthropicModel("m", base_url="http://localhost", **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("base_url", "field"),
    [
        ("https://api.openai.com/v1", "max_completion_tokens"),
        ("http://localhost:8000/v1", "max_tokens"),
        ("https://api.openai.com.evil.example/v1", "max_tokens"),
    ],
)
def test_the_limit_of_tokens_has_the_name_that_the_server_knows(base_url: str, field: str) -> None:
    """OpenAI's newer models take only the newer name, other servers only the older one."""
    from agent_judge.models import Message, ModelOptions, ModelRequest

    model = OpenAIModel("m", base_url=base_url, api_key=SECRET)

    body = model.body_of(ModelRequest([Message.user("?")], ModelOptions(max_tokens=5)))

    assert body[field] == 5
