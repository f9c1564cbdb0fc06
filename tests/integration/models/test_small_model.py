"""The backend of OpenAI beside a server of others, with a real model that answers as it likes."""

from __future__ import annotations

import asyncio
import math
import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from agent_judge.context import MISSING
from agent_judge.models import (
    FinishReason,
    Message,
    ModelOptions,
    ModelRequest,
    ModelResponse,
    ResponseSchema,
    TruncatedReplyError,
    require_complete,
)
from integration.models.serving import ROUTES, openai

PYTHON = os.environ.get("AGENT_JUDGE_SMALL_MODEL_PYTHON", "")
"""The interpreter of the environment that has the model."""

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(not PYTHON, reason="needs a small model: make test-smoke"),
]

VERDICT = ResponseSchema(
    "verdict",
    {
        "type": "object",
        "properties": {
            "verdict": {"type": "string", "enum": ["PASS", "FAIL"]},
            "score": {"type": "integer", "enum": [1, 2, 3, 4, 5]},
        },
        "required": ["verdict", "score"],
        "additionalProperties": False,
    },
)
QUESTION = (Message.user("How good an answer is 'four' to 'What is 2 + 2'?"),)
GREEDY = ModelOptions(temperature=0, max_tokens=200, seed=1)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the model is served, while this module's tests run."""
    program = Path(__file__).with_name("small_model.py")
    command = [PYTHON, "-I", str(program)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            said = server.stdout.readline().strip()
            assert said.startswith("http://127.0.0.1:"), f"no address from the server: {said!r}"
            yield said
        finally:
            server.kill()


def ask(route: str, address: str, request: ModelRequest) -> ModelResponse:
    """Ask the model once, by our own client or through the official one."""

    async def run() -> ModelResponse:
        async with openai(route, address) as model:
            return await model(request)

    return asyncio.run(run())


@pytest.mark.parametrize("route", ROUTES)
def test_a_real_model_is_forced_into_the_schema(route: str, address: str) -> None:
    """Whatever it thinks, its answer is of the form that was asked for. (contract: judges:P14)"""
    response = ask(route, address, ModelRequest(QUESTION, GREEDY, schema=VERDICT))

    assert response.finish_reason is FinishReason.STOP
    assert isinstance(response.structured, Mapping)
    assert set(response.structured) == {"verdict", "score"}
    assert response.structured["verdict"] in {"PASS", "FAIL"}
    assert response.structured["score"] in {1, 2, 3, 4, 5}


@pytest.mark.parametrize("route", ROUTES)
def test_what_a_real_server_reports_arrives(route: str, address: str) -> None:
    """The model, and the tokens, whose total is the server's own. (contract: judges:P12)"""
    response = ask(route, address, ModelRequest(QUESTION, GREEDY, schema=VERDICT))

    usage = response.usage
    assert response.model
    assert usage is not None
    assert usage.input_tokens is not None
    assert usage.output_tokens is not None
    assert usage.total_tokens == usage.input_tokens + usage.output_tokens
    assert usage.cost is None


@pytest.mark.parametrize("route", ROUTES)
def test_a_real_model_s_log_probabilities_arrive(route: str, address: str) -> None:
    """They are of the tokens of the answer, and the alternatives are as many as asked for.

    (contract: judges:P22)
    """
    options = ModelOptions(temperature=0, max_tokens=8, seed=1)

    response = ask(route, address, ModelRequest(QUESTION, options, logprobs=4))

    assert response.logprobs
    assert "".join(token.token for token in response.logprobs) == response.text
    for token in response.logprobs:
        shares = [math.exp(alternative.logprob) for alternative in token.alternatives]
        assert len(shares) == 4
        assert shares == sorted(shares, reverse=True)
        assert 0 < sum(shares) <= 1 + 1e-6


@pytest.mark.parametrize("route", ROUTES)
def test_a_real_answer_that_was_cut_is_none(route: str, address: str) -> None:
    """A limit of tokens ends it in the middle, and nobody takes it for whole.

    (contract: judges:P11)
    """
    options = ModelOptions(temperature=0, max_tokens=4, seed=1)

    response = ask(route, address, ModelRequest(QUESTION, options, schema=VERDICT))

    assert response.finish_reason is FinishReason.LENGTH
    assert response.structured is MISSING
    with pytest.raises(TruncatedReplyError):
        require_complete(response)


def test_answers_of_many_calls_at_once_are_not_mixed_up(address: str) -> None:
    """Each gets its own; the server makes them wait for each other."""
    words = ["apple", "river", "stone", "cloud"]
    schemas = [
        ResponseSchema(
            "word",
            {
                "type": "object",
                "properties": {"word": {"type": "string", "enum": [word]}},
                "required": ["word"],
                "additionalProperties": False,
            },
        )
        for word in words
    ]

    async def run() -> list[ModelResponse]:
        async with openai("ours", address) as model:
            requests = [ModelRequest(QUESTION, GREEDY, schema=schema) for schema in schemas]
            return await asyncio.gather(*[model(request) for request in requests])

    responses = asyncio.run(run())

    assert [response.structured for response in responses] == [{"word": word} for word in words]
