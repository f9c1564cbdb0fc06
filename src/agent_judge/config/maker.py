"""Reading what a configuration says of strategies, rules and options, judges aside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from agent_judge.config.faults import Faults, join, unknown
from agent_judge.config.imports import import_attribute
from agent_judge.config.options import Option, as_option, is_table, options_of
from agent_judge.jury.gates import CONFIDENCE_GATE, Confidence, ConfidenceGate
from agent_judge.jury.population import VotingStrategy
from agent_judge.jury.strategies import BUILT_IN as STRATEGIES

GATES: Final[Mapping[str, type[ConfidenceGate]]] = {CONFIDENCE_GATE: ConfidenceGate}
"""The rules of tiers that are told something, by the name that evidence uses, too."""


class Maker:
    """Makes what it can, and keeps every fault that it meets with its place.

    A method that returns `None` has noted why.

    Args:
        faults: Where faults are kept.

    Attributes:
        folders: Where modules of one's own are.
    """

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.folders: tuple[str, ...] = ()

    def strategy(self, value: Any, place: str) -> Any:
        """A strategy from its name, or from a table with its type and options."""
        table = {"type": value} if isinstance(value, str) else value
        if not is_table(table) or not isinstance(table.get("type"), str):
            self.faults.add(place, "expected the name of a strategy, or a table with its type")
            return None
        name: str = table["type"]
        options = {key: table[key] for key in table if key != "type"}
        if ":" in name:
            found = self.faults.attempt(place, lambda: import_attribute(name, self.folders))
        elif name in STRATEGIES:
            found = STRATEGIES[name]
        else:
            self.faults.add(place, unknown("strategy", name, STRATEGIES))
            return None
        return None if found is None else self.made(found, options, place)

    def gate(self, value: Any, place: str) -> Any:
        """The rule of a tier: its name, or a table with its type and what it is told."""
        if not is_table(value):
            return value
        name, options = value.get("type"), {key: value[key] for key in value if key != "type"}
        if not isinstance(name, str) or name not in GATES:
            self.faults.add(place, unknown("rule with options", str(name), GATES))
            return None
        return self.made(GATES[name], options, place)

    def made(self, found: Any, options: dict[str, Any], place: str) -> Any:
        """An instance of a class, with these options; anything else as it is, without any."""
        if not isinstance(found, type):
            if options:
                self.faults.add(place, f"takes no options, found {', '.join(sorted(options))}")
                return None
            return found
        before = len(self.faults)
        known = self.faults.attempt(place, lambda: options_of(found)) or {}
        given = self.options(options, known, place)
        if len(self.faults) > before:
            return None
        return self.faults.attempt(place, lambda: found(**given))

    def options(
        self,
        table: Mapping[str, Any],
        known: Mapping[str, Option],
        place: str,
        beside: Sequence[str] = (),
    ) -> dict[str, Any]:
        """What a table says, as the options take it; `beside` are keys that are read elsewhere."""
        self.faults.check_known(table, [*beside, *known], place)
        given = {
            key: self.value(value, known[key].hint, join(place, key))
            for key, value in table.items()
            if key in known
        }
        missing = [name for name in known if known[name].needed and name not in given]
        if missing:
            self.faults.add(place, f"needs the option {', '.join(map(repr, missing))}")
        return given

    def value(self, value: Any, hint: Any, place: str) -> Any:
        """A value as an option of this type takes it."""
        if hint is VotingStrategy:
            return self.strategy(value, place)
        if hint == Confidence:
            return self._function(value, place)
        return self.faults.attempt(place, lambda: as_option(value, hint))

    def _function(self, value: Any, place: str) -> Any:
        if not isinstance(value, str) or ":" not in value:
            self.faults.add(
                place, f"expected a function as 'module:attribute', found {value!r:.80}"
            )
            return None
        return self.faults.attempt(place, lambda: import_attribute(value, self.folders))
