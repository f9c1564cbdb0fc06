"""Models by name: `provider:model`, as configuration and the command line write them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from agent_judge.errors import ArgumentError, ArgumentTypeError

if TYPE_CHECKING:
    from agent_judge.models.model import JudgeModel


def parse_model(name: str, *, base_url: str | None = None) -> JudgeModel:
    """Make the model that a name stands for; keys and addresses are read from the environment.

    Providers are `openai:` (chat completions), `openai-responses:`, `anthropic:`, `ollama:`,
    `litellm:` (followed by LiteLLM's own name), `cli:` (`claude`, `codex` or `gemini`, which may be
    followed by a model, as in `cli:claude:opus`) and `replay:` (followed by a cassette).

    Args:
        name: The provider, a colon, and the provider's name of the model.
        base_url: The address of a server that speaks the provider's protocol; where the name came
            from somebody who is not to be trusted with the key in the environment, neither is
            the address.

    Raises:
        ArgumentError: No such provider, no model, no key, or an address where none is used.
        FileNotFoundError: There is no such cassette.
        WireError: The file to replay is not a cassette.

    Example:
        >>> parse_model("ollama:qwen3:8b").name
        'ollama:qwen3:8b'
    """
    provider, model = split_name(name)
    return _PROVIDERS[provider](model, base_url)


def split_name(name: object) -> tuple[str, str]:
    """A model's name in its two parts, the provider and the provider's name of the model.

    Raises:
        ArgumentError: No such provider, or no model.
        ArgumentTypeError: It is not a string.

    Example:
        >>> split_name("ollama:qwen3:8b")
        ('ollama', 'qwen3:8b')
    """
    if not isinstance(name, str):
        raise ArgumentTypeError(f"a model's name is a string, not {name!r:.80}")
    provider, colon, model = name.partition(":")
    if not colon or not model.strip():
        raise ArgumentError(f"a model is named 'provider:model', got {name!r:.80}")
    if provider not in _PROVIDERS:
        near = get_close_matches(provider, _PROVIDERS, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ArgumentError(
            f"there is no provider {provider!r:.80}{hint} Known are: {', '.join(_PROVIDERS)}"
        )
    return provider, model


def _openai(model: str, base_url: str | None) -> JudgeModel:
    from agent_judge.models.backends.openai import OpenAIModel

    return OpenAIModel(model, base_url=base_url)


def _openai_responses(model: str, base_url: str | None) -> JudgeModel:
    from agent_judge.models.backends.openai import OpenAIModel

    return OpenAIModel(model, api="responses", base_url=base_url)


def _anthropic(model: str, base_url: str | None) -> JudgeModel:
    from agent_judge.models.backends.anthropic import AnthropicModel

    return AnthropicModel(model, base_url=base_url)


def _ollama(model: str, base_url: str | None) -> JudgeModel:
    from agent_judge.models.backends.ollama import OllamaModel

    return OllamaModel(model, host=base_url)


def _litellm(model: str, base_url: str | None) -> JudgeModel:
    from agent_judge.models.backends.litellm import LiteLLMModel

    return LiteLLMModel(model, base_url=base_url)


def _command_line(model: str, base_url: str | None) -> JudgeModel:
    from agent_judge.models.backends.command_line import CommandLineModel

    _refuse_address("cli", base_url)
    program, _, name = model.partition(":")
    return CommandLineModel(program, model=name or None)


def _replay(model: str, base_url: str | None) -> JudgeModel:
    from agent_judge.models.recording import ReplayModel

    _refuse_address("replay", base_url)
    return ReplayModel(model)


def _refuse_address(provider: str, base_url: str | None) -> None:
    if base_url is not None:
        raise ArgumentError(f"{provider}: models have no base_url; leave it out")


_PROVIDERS: Final[Mapping[str, Callable[[str, str | None], JudgeModel]]] = {
    "openai": _openai,
    "openai-responses": _openai_responses,
    "anthropic": _anthropic,
    "ollama": _ollama,
    "litellm": _litellm,
    "cli": _command_line,
    "replay": _replay,
}
