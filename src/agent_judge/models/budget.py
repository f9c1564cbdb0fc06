"""Prices, and a budget that several models share."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from math import isfinite
from typing import Final

from agent_judge.errors import ArgumentError
from agent_judge.models.errors import BudgetExceededError
from agent_judge.models.model import JudgeModel, ask_model
from agent_judge.models.request import ModelRequest
from agent_judge.models.response import ModelResponse
from agent_judge.models.wrapping import Wrapper
from agent_judge.usage import Usage

MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs, in US dollars for a million tokens.

    Args:
        input: Tokens read.
        output: Tokens written, reasoning included.
        cached: Tokens read from the provider's cache; as `input` unless given.

    Raises:
        ArgumentError: A price that is negative or not finite.

    Example:
        >>> Price(input=1, output=4).of(Usage(input_tokens=500_000, output_tokens=250_000))
        1.5
    """

    input: float
    output: float
    cached: float | None = None

    def __post_init__(self) -> None:
        for name in ("input", "output", "cached"):
            check_dollars(getattr(self, name), f"price.{name}")

    def of(self, usage: Usage) -> float | None:
        """The price of what was used, in US dollars; `None` where the tokens are not known."""
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        cached = usage.cached_tokens or 0
        fresh = max(0, usage.input_tokens - cached)
        rate = self.input if self.cached is None else self.cached
        return (fresh * self.input + cached * rate + usage.output_tokens * self.output) / MILLION


class PricedModel(Wrapper):
    """A model whose answers are priced by its tokens, where its provider names no price.

    Args:
        model: The model to ask.
        price: What its tokens cost.
    """

    def __init__(self, model: JudgeModel, price: Price) -> None:
        super().__init__(model)
        self.price: Final = price

    async def __call__(self, request: ModelRequest, /) -> ModelResponse:
        """Ask the model, and price its answer."""
        response = await ask_model(self.model, request)
        usage = response.usage
        if usage is None or usage.cost is not None:
            return response
        return replace(response, usage=replace(usage, cost=self.price.of(usage)))


class Budget:
    """An amount of money that models may spend together. Threads may share it.

    Args:
        dollars: US dollars.

    Raises:
        ArgumentError: An amount that is negative or not finite.

    Attributes:
        spent: What was spent so far.
    """

    def __init__(self, dollars: float) -> None:
        check_dollars(dollars, "budget")
        self.dollars: Final = dollars
        self.spent = 0.0
        self._unpriced: str | None = None
        self._lock = threading.Lock()

    def check(self) -> None:
        """Refuse a further call once the money is spent, or once nobody knows how much was.

        Raises:
            BudgetExceededError: It is.
        """
        if self._unpriced is not None:
            raise BudgetExceededError(
                f"the price of {self._unpriced!r} is unknown, so no budget can be held; give "
                "price = { input = …, output = … } under [models] in the configuration"
            )
        if self.spent >= self.dollars:
            raise BudgetExceededError(
                f"the budget of ${self.dollars:g} is spent (${self.spent:.4g}); nothing was sent"
            )

    def spend(self, response: ModelResponse, name: str) -> None:
        """Note what an answer cost; one from a cache cost nothing."""
        if response.from_cache:
            return
        cost = None if response.usage is None else response.usage.cost
        with self._lock:
            if cost is None:
                self._unpriced = name
            else:
                self.spent += cost


class BudgetedModel(Wrapper):
    """A model that is not asked any more once a budget is spent.

    Calls that are under way when it is go on, so a little more may be spent.

    Args:
        model: The model to ask.
        budget: The money, which other models may share.
    """

    def __init__(self, model: JudgeModel, budget: Budget) -> None:
        super().__init__(model)
        self.budget: Final = budget

    async def __call__(self, request: ModelRequest, /) -> ModelResponse:
        """Ask the model, as long as there is money.

        Raises:
            BudgetExceededError: There is none left, or the price of an answer was unknown.
            ModelError: The model gave no answer.
        """
        self.budget.check()
        response = await ask_model(self.model, request)
        self.budget.spend(response, self.name)
        return response


def check_dollars(amount: object, name: str) -> None:
    """Refuse what is not an amount of US dollars.

    Raises:
        ArgumentError: It is negative, not finite or no number.
    """
    if amount is None:
        return
    if type(amount) not in (int, float) or not isfinite(amount) or amount < 0:  # type: ignore[arg-type, operator]
        raise ArgumentError(f"{name} must be US dollars from 0 up, got {amount!r}")
