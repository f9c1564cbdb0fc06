from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import anthropic
import openai
import pytest

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.models import AnthropicModel, OpenAIModel
from integration.models.serving import KEY, QUESTION, chat, gives, serving

pytestmark = pytest.mark.integration


def test_a_sync_client_is_refused() -> None:
    """It would block the event loop with every call."""
    with openai.OpenAI(api_key=KEY) as client, anthropic.Anthropic(api_key=KEY) as other:
        with pytest.raises(ArgumentTypeError, match="such as AsyncOpenAI, not OpenAI"):
            OpenAIModel("m", client=client)  # type: ignore[arg-type]
        with pytest.raises(ArgumentTypeError, match="such as AsyncAnthropic, not Anthropic"):
            AnthropicModel("m", client=other)  # type: ignore[arg-type]


@pytest.mark.parametrize("client", ["gpt-5", object(), SimpleNamespace(chat=None)])
def test_what_is_no_client_is_refused(client: Any) -> None:
    """The message says what would be one."""
    with pytest.raises(ArgumentTypeError, match=r"with the method chat\.completions\.create"):
        OpenAIModel("m", client=client)


def test_options_that_a_client_replaces_are_refused() -> None:
    """An address beside a client would be without effect."""

    async def run() -> None:
        async with (
            openai.AsyncOpenAI(api_key=KEY) as ours,
            anthropic.AsyncAnthropic(api_key=KEY) as theirs,
        ):
            with pytest.raises(ArgumentError, match="leave out base_url"):
                OpenAIModel("m", client=ours, base_url="http://localhost")
            with pytest.raises(ArgumentError, match="leave out api_version"):
                AnthropicModel("m", client=theirs, api_version="2023-06-01")

    asyncio.run(run())


def test_an_azure_client_sends_to_its_deployment() -> None:
    """Address, version and key are the client's."""

    async def run() -> None:
        async with serving(gives(chat("PASS"))) as server:
            async with openai.AsyncAzureOpenAI(
                api_key=KEY, azure_endpoint=server.url, api_version="2024-10-21"
            ) as client:
                assert (await OpenAIModel("judge", client=client)(QUESTION)).text == "PASS"
            received = server.received[0]
            assert received.path == (
                "/openai/deployments/judge/chat/completions?api-version=2024-10-21"
            )
            assert received.headers["api-key"] == KEY

    asyncio.run(run())


def test_a_client_that_a_tracer_wrapped_is_taken() -> None:
    """A wrapper that hides what the method takes is handed everything by name."""
    asked: list[dict[str, Any]] = []

    class Completions:
        async def create(self, **fields: Any) -> dict[str, Any]:
            asked.append(fields)
            return chat("PASS")

    client: Any = SimpleNamespace(
        chat=SimpleNamespace(completions=Completions()),
        base_url="http://user:password@localhost/v1",
    )
    model = OpenAIModel("m", client=client)

    assert asyncio.run(model(QUESTION)).text == "PASS"
    assert asked[0]["messages"] == [{"role": "user", "content": "Is 2 + 2 = 4?"}]
    assert model.identity == "openai:m chat http://localhost/v1"


def test_the_clients_own_retries_do_not_multiply_with_ours() -> None:
    """A request is tried as often as we say, whatever the client was told."""
    from agent_judge.models import ModelUnavailableError
    from integration.models.serving import ONCE

    async def run() -> int:
        async with serving(gives({}, 500)) as server:
            async with openai.AsyncOpenAI(
                api_key=KEY, base_url=f"{server.url}/v1", max_retries=5
            ) as client:
                with pytest.raises(ModelUnavailableError):
                    await OpenAIModel("m", client=client, retries=ONCE)(QUESTION)
            return len(server.received)

    assert asyncio.run(run()) == 1
