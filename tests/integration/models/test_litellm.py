from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import pytest

from agent_judge.models import (
    FinishReason,
    LiteLLMModel,
    ModelError,
    ModelOptions,
    ModelRequest,
    ModelResponse,
    RateLimitedError,
    RefusedError,
    RejectedRequestError,
    RequestTooLargeError,
    ResponseSchema,
    UnsupportedOptionError,
)
from agent_judge.usage import Usage
from integration.models.serving import (
    KEY,
    ONCE,
    QUESTION,
    Reply,
    Server,
    Waits,
    chat,
    gives,
    serving,
)

pytestmark = [
    pytest.mark.integration,
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("litellm") is None, reason="needs the extra 'litellm'"),
    pytest.mark.filterwarnings("ignore"),  # LiteLLM's own, of which there are many
]

VERDICT = ResponseSchema(
    "verdict",
    {
        "type": "object",
        "properties": {"pass": {"type": "boolean"}},
        "required": ["pass"],
        "additionalProperties": False,
    },
)


def ask(
    *replies: Reply, request: ModelRequest = QUESTION, model: str = "openai/m", **options: Any
) -> tuple[ModelResponse, Server]:
    """Ask a model once, through LiteLLM, of a server with these replies."""

    async def run() -> tuple[ModelResponse, Server]:
        async with serving(*replies) as server:
            asked = LiteLLMModel(model, base_url=f"{server.url}/v1", api_key=KEY, **options)
            return await asked(request), server

    return asyncio.run(run())


def test_an_answer_comes_with_what_was_reported() -> None:
    """Text, reason and usage arrive; LiteLLM's guess at a price does not. (contract: judges:P12)"""
    response, server = ask(gives(chat("PASS")))

    assert response.text == "PASS"
    assert response.finish_reason is FinishReason.STOP
    assert response.usage == Usage(input_tokens=10, output_tokens=3, total_tokens=13, calls=1)
    assert server.bodies[0]["messages"] == [{"role": "user", "content": "Is 2 + 2 = 4?"}]


def test_json_of_a_schema_arrives_as_a_value() -> None:
    """The schema is sent, and the answer's JSON is the structured reply. (contract: judges:P14)"""
    request = ModelRequest(QUESTION.messages, ModelOptions(temperature=0), schema=VERDICT)

    response, server = ask(gives(chat('{"pass": true}')), request=request, model="openai/gpt-4o")

    assert response.structured == {"pass": True}
    assert server.bodies[0]["response_format"]["json_schema"]["schema"] == VERDICT.plain


def test_too_many_requests_are_sent_again_later() -> None:
    """The retries are ours, with our waits."""
    waits = Waits()
    limited = gives({"error": {"message": "slow down"}}, 429, {"Retry-After": "7"})

    response, server = ask(limited, gives(chat("PASS")), clock=waits.clock)

    assert response.text == "PASS"
    assert len(server.received) == 2
    assert waits.seconds == [pytest.approx(7.7)]


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (429, {"message": "slow down"}, RateLimitedError),
        (401, {"message": "wrong key"}, RejectedRequestError),
        (
            400,
            {"message": "maximum context length", "code": "context_length_exceeded"},
            RequestTooLargeError,
        ),
        (
            400,
            {"message": "content management policy", "code": "content_policy_violation"},
            RefusedError,
        ),
    ],
)
def test_a_lasting_fault_is_an_error_of_its_kind(
    status: int, error: dict[str, str], kind: type[ModelError]
) -> None:
    """What LiteLLM makes of a provider's error is read. (contract: judges:P11)"""
    with pytest.raises(kind) as raised:
        ask(gives({"error": error}, status), retries=ONCE)

    assert KEY not in str(raised.value)


def test_what_the_provider_does_not_take_is_refused_before_the_call() -> None:
    """LiteLLM's knowledge of a provider is used, and nothing is dropped. (contract: judges:P13)"""
    with pytest.raises(UnsupportedOptionError, match="seed"):
        ask(
            gives(chat("PASS")),
            request=ModelRequest(QUESTION.messages, ModelOptions(seed=1)),
            model="anthropic/claude-haiku-4-5",
        )


def test_importing_asks_nobody_for_prices() -> None:
    """LiteLLM would fetch a list of prices; here it takes its own."""
    program = """
import json, os, sys
names = []
def watch(event, arguments):
    if event == "socket.getaddrinfo":
        names.append(str(arguments[0]))
sys.addaudithook(watch)
from agent_judge.models import LiteLLMModel
LiteLLMModel("openai/m", api_key="k")
print(json.dumps([names, os.environ.get("LITELLM_LOCAL_MODEL_COST_MAP")]))
"""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("LITELLM")}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    finished = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )

    assert json.loads(finished.stdout.splitlines()[-1]) == [[], None]
