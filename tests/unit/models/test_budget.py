from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from agent_judge import Usage
from agent_judge.errors import ArgumentError
from agent_judge.models import (
    Budget,
    BudgetedModel,
    BudgetExceededError,
    JudgeModel,
    Message,
    ModelRequest,
    ModelResponse,
    Price,
    PricedModel,
)
from agent_judge.testing import ScriptedModel

REQUEST = ModelRequest([Message.user("Is 2 + 2 = 4?")])
USED = ModelResponse("yes", usage=Usage(input_tokens=1_000_000, output_tokens=500_000, calls=1))


def ask(model: JudgeModel) -> ModelResponse:
    """What a model answers."""

    async def answer() -> ModelResponse:
        response = model(REQUEST)
        return response if isinstance(response, ModelResponse) else await response

    return asyncio.run(answer())


def test_tokens_are_priced() -> None:
    """A million tokens is what prices are given for."""
    response = ask(PricedModel(ScriptedModel([USED]), Price(input=2, output=8)))

    assert response.usage is not None
    assert response.usage.cost == 6.0


def test_cached_tokens_have_a_price_of_their_own() -> None:
    """They are a part of the input."""
    usage = Usage(input_tokens=1_000_000, cached_tokens=400_000, output_tokens=0)

    assert Price(1, 1, cached=0.5).of(usage) == pytest.approx(0.8)
    assert Price(1, 1).of(usage) == pytest.approx(1.0)


@pytest.mark.parametrize("usage", [None, Usage(calls=1), Usage(input_tokens=5, calls=1)])
def test_an_unknown_number_of_tokens_has_no_price(usage: Usage | None) -> None:
    """It is unknown, never nought. (contract: judges:P12)"""
    response = ask(PricedModel(ScriptedModel([replace(USED, usage=usage)]), Price(1, 1)))

    assert response.usage is None or response.usage.cost is None


def test_a_price_that_the_provider_reports_stays() -> None:
    """The bill is theirs."""
    used = replace(USED, usage=Usage(input_tokens=5, output_tokens=5, cost=0.25))

    assert ask(PricedModel(ScriptedModel([used]), Price(1, 1))).usage == used.usage


def test_a_budget_stops_further_calls() -> None:
    """What is under way goes on; nothing more is sent."""
    budget = Budget(7)
    script = ScriptedModel([USED] * 3)
    model = BudgetedModel(PricedModel(script, Price(2, 8)), budget)

    ask(model)
    ask(model)
    with pytest.raises(BudgetExceededError, match=r"\$7 is spent \(\$12\)"):
        ask(model)

    assert len(script.requests) == 2


def test_models_share_a_budget() -> None:
    """It is one amount of money."""
    budget = Budget(6)
    first = BudgetedModel(PricedModel(ScriptedModel([USED]), Price(2, 8)), budget)
    ask(first)

    with pytest.raises(BudgetExceededError):
        ask(BudgetedModel(ScriptedModel([USED]), budget))


def test_an_unknown_price_ends_the_asking() -> None:
    """Nobody can say how much was spent, so the budget cannot be held."""
    model = BudgetedModel(ScriptedModel([USED, USED]), Budget(1000))

    ask(model)
    with pytest.raises(BudgetExceededError, match="price of 'scripted' is unknown"):
        ask(model)


def test_a_kept_reply_costs_nothing() -> None:
    """Though its usage says what it once cost."""
    budget = Budget(1)
    kept = replace(USED, from_cache=True)
    model = BudgetedModel(ScriptedModel([kept, kept]), budget)

    ask(model)
    ask(model)

    assert budget.spent == 0


@pytest.mark.parametrize("dollars", [-1, float("nan"), float("inf"), "1", True])
def test_what_is_no_amount_of_money_is_refused(dollars: object) -> None:
    """The message names the argument."""
    with pytest.raises(ArgumentError, match="budget"):
        Budget(dollars)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"price\.output"):
        Price(1, dollars)  # type: ignore[arg-type]
