"""The models of a configuration: each is made once, as the file and the call from outside say.

`model = "openai:…"` stands at the top of the file or at a judge; `[models.NAME]` gives a model a
name of its own, an address and a price.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from agent_judge.config.faults import Faults, join
from agent_judge.config.options import as_option, is_table
from agent_judge.config.settings import ModelSettings
from agent_judge.models import (
    Budget,
    BudgetedModel,
    CachedModel,
    JudgeModel,
    ModelError,
    ModelRequest,
    ModelResponse,
    Price,
    PricedModel,
    RecordingModel,
    ReplayModel,
    ask_model,
    parse_model,
)
from agent_judge.models.naming import split_name
from agent_judge.models.wrapping import Wrapper


@dataclass(frozen=True, slots=True)
class ModelTable:
    """A table `[models.NAME]`.

    Args:
        name: The model, as `"provider:model"`.
        base_url: The address of its server.
        price: What its tokens cost, where its provider does not say.
    """

    name: str
    base_url: str | None = None
    price: Price | None = None


class ConfiguredModel(Wrapper):
    """A model with the name that the configuration gives it, so that it can be written down."""

    def __init__(self, model: JudgeModel, configured_as: str) -> None:
        super().__init__(model)
        self.configured_as: Final = configured_as

    async def __call__(self, request: ModelRequest, /) -> ModelResponse:
        """Answer one question."""
        return await ask_model(self.model, request)


class Models:
    """The models of one configuration, made when a judge first names them.

    Args:
        data: The whole file.
        settings: What the call from outside says.
        faults: Where what is wrong is noted.
    """

    def __init__(self, data: Mapping[str, Any], settings: ModelSettings, faults: Faults) -> None:
        self._settings = settings
        self._faults = faults
        self._made: dict[str, JudgeModel | None] = {}
        self._budget = None
        if settings.max_cost is not None:
            dollars = settings.max_cost
            self._budget = faults.attempt("--max-cost", lambda: Budget(dollars))
        self._tables = self._read_tables(data.get("models", {}))
        self._default = settings.model or self._read_default(data)
        if settings.record is not None and _holds_something(settings.record):
            faults.add("--record", f"{settings.record} holds something already; delete it first")
        if settings.base_url is not None and self._default is None:
            faults.add("--base-url", "belongs to --model, or to model at the top of the file")

    def find(self, name: str | None, place: str) -> JudgeModel | None:
        """The model of a name, or the default one; what is wrong is noted.

        Args:
            name: As `[models.NAME]` or `"provider:model"`; `None` is the default model.
            place: Where the file names it.
        """
        wanted = self._default if name is None else name
        if wanted is None:
            self._faults.add(
                place, 'needs a model: give model = "provider:model" here or at the top of the file'
            )
            return None
        if wanted not in self._made:
            table = self._tables.get(wanted)
            base_url = self._settings.base_url if wanted == self._default else None
            if table is None:
                table = ModelTable(wanted, base_url)
            elif base_url is not None:
                table = ModelTable(table.name, base_url, table.price)
            known = ", ".join(self._tables)
            made = self._faults.attempt(place, lambda: self._make(wanted, table))
            if made is None and ":" not in wanted and known:
                self._faults.add(place, f"[models] knows {known}")
            self._made[wanted] = made
        return self._made[wanted]

    def _make(self, wanted: str, table: ModelTable) -> JudgeModel:
        settings = self._settings
        split_name(table.name)
        if not settings.asked:
            return ConfiguredModel(_refuse, wanted)
        if settings.replay is not None:
            return ConfiguredModel(ReplayModel(settings.replay, model=table.name), wanted)
        model = parse_model(table.name, base_url=table.base_url)
        if table.price is not None:
            model = PricedModel(model, table.price)
        if settings.cache is not None and isinstance(getattr(model, "identity", None), str):
            model = CachedModel(model, settings.cache)
        if self._budget is not None:
            model = BudgetedModel(model, self._budget)
        if settings.record is not None:
            model = RecordingModel(model, settings.record, append=True)
        return ConfiguredModel(model, wanted)

    def _read_default(self, data: Mapping[str, Any]) -> str | None:
        if "model" not in data:
            return None
        return self._faults.attempt("model", lambda: as_option(data["model"], str))

    def _read_tables(self, tables: Any) -> dict[str, ModelTable]:
        if not is_table(tables):
            self._faults.add("models", "expected a table of models by name")
            return {}
        read = {name: self._read_table(name, table) for name, table in tables.items()}
        return {name: table for name, table in read.items() if table is not None}

    def _read_table(self, name: str, table: Any) -> ModelTable | None:
        return self._faults.attempt(join("models", name), lambda: as_option(table, ModelTable))


def _holds_something(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _refuse(_request: ModelRequest) -> ModelResponse:
    raise ModelError("this configuration was only checked; build it again to ask its models")
