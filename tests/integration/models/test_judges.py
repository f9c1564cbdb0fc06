"""Judges of `llm` end to end: through a backend, over HTTP, and back."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from math import log
from typing import Any

import pytest
from aiohttp import web

from agent_judge import Judgment, Status, aevaluate
from agent_judge.llm import Criterion, GEvalJudge, RubricJudge, SampledJudge, Scale
from agent_judge.models import JudgeModel
from agent_judge.protocol import Judge
from agent_judge.testing import a_context
from integration.models.serving import ROUTES, Reply, Server, chat, openai, serving

pytestmark = pytest.mark.integration

Token = tuple[str, dict[str, float]]
"""The text of a token, and the probabilities of those that might have stood there."""


def answering(make: Callable[[str, Any], dict[str, Any]]) -> Reply:
    """A server that replies by the token and the body of the request."""

    async def reply(request: web.Request) -> web.Response:
        body = await request.json()
        (token,) = re.findall(r'"(verdict-[0-9a-f]+)"', body["messages"][-1]["content"])
        return web.json_response(make(token, body))

    return reply


def scoring(*score: Token, with_logprobs: bool = True) -> Reply:
    """A server that gives a score of these tokens."""

    def make(token: str, body: Any) -> dict[str, Any]:
        before = f'{{"token":"{token}","reason":"Right.","score":'
        tokens: list[Token] = [(before, {}), *score, ("}", {})]
        text = "".join(text for text, _ in tokens)
        given = with_logprobs and body.get("logprobs")
        return chat(text, logprobs={"content": list(map(_logprob, tokens))} if given else None)

    return answering(make)


def _logprob(token: Token) -> dict[str, Any]:
    text, seen = token
    top = [{"token": other, "logprob": log(share)} for other, share in seen.items()]
    return {"token": text, "logprob": log(seen.get(text, 1.0)), "top_logprobs": top}


def finding(words: Sequence[str]) -> Reply:
    """A server that says these words of the criteria that the schema asks for, by their ids."""

    def make(token: str, body: Any) -> dict[str, Any]:
        schema = body["response_format"]["json_schema"]["schema"]
        ids = schema["properties"]["findings"]["items"]["properties"]["id"]["enum"]
        found = [
            {"id": identifier, "reason": "So.", "quote": "", "finding": word}
            for identifier, word in zip(ids, words, strict=True)
        ]
        return chat(json.dumps({"token": token, "findings": found}))

    return answering(make)


def judged(
    route: str, make: Callable[[JudgeModel], Judge], *replies: Reply
) -> tuple[Judgment, Server]:
    """What a judge finds that asks a server of these replies."""

    async def judge() -> tuple[Judgment, Server]:
        async with serving(*replies) as server, openai(route, server.url) as model:
            return await aevaluate(make(model), a_context()), server

    return asyncio.run(judge())


def geval(model: JudgeModel) -> GEvalJudge:
    """A judge of scores up to ten."""
    return GEvalJudge("It is right.", model, 0.9, ("Look.",), Scale(0, 10))


@pytest.mark.parametrize("route", ROUTES)
def test_ten_in_two_tokens_comes_through_as_ten(route: str) -> None:
    """From the server's log-probabilities. (contract: judges:P22, cases:D11)"""
    ten = scoring(("1", {"1": 0.96, "9": 0.04}), ("0", {"0": 0.99, "}": 0.01}))

    judgment, server = judged(route, geval, ten)

    assert judgment.status is Status.PASS
    assert judgment.evidence["method"] == "expectation"
    assert judgment.effective_score == pytest.approx(0.96 * 0.99 + 0.036 + 0.00096)
    assert server.bodies[0]["top_logprobs"] == 20


@pytest.mark.parametrize("route", ROUTES)
def test_a_server_without_probabilities_is_a_visible_fallback(route: str) -> None:
    """It was asked for them and gave none. (contract: judges:P22)"""
    judgment, _ = judged(route, geval, scoring(("10", {}), with_logprobs=False))

    assert judgment.effective_score == 1.0
    assert judgment.evidence["fallback"] == "the model gave no probabilities"


@pytest.mark.parametrize("route", ROUTES)
def test_a_rubric_is_answered_by_schema(route: str) -> None:
    """In one batch, by the identifiers that the schema allows."""

    def rubric(model: JudgeModel) -> RubricJudge:
        criteria = (Criterion("right", "It is right.", 3), Criterion("short", "It is short."))
        return RubricJudge(criteria, model, 0.7, "batch")

    judgment, server = judged(route, rubric, finding(["met", "unmet"]))

    assert judgment.status is Status.PASS
    assert judgment.effective_score == 0.75
    assert judgment.evidence["model"] == "m-2026"
    assert len(server.bodies) == 1


def test_samples_are_calls_of_their_own() -> None:
    """All at once, over one session."""
    four, nine = scoring(("4", {"4": 1.0})), scoring(("9", {"9": 1.0}))

    judgment, server = judged(
        "ours", lambda model: SampledJudge(geval(model), 3, concurrency=1), nine, four, nine
    )

    assert judgment.status is Status.PASS
    assert judgment.evidence["range"] == (0.4, 0.9)
    assert len(server.bodies) == 3
