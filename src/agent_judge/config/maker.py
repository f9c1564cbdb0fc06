"""Reading what a configuration says of strategies, rules and options, judges aside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from agent_judge.config.faults import Faults, join, unknown
from agent_judge.config.imports import import_attribute
from agent_judge.config.options import (
    Option,
    as_option,
    is_list,
    is_model,
    is_table,
    item_of,
    kinds_of,
    options_of,
)
from agent_judge.jury.gates import CONFIDENCE_GATE, Confidence, ConfidenceGate
from agent_judge.jury.population import VotingStrategy
from agent_judge.jury.strategies import BUILT_IN as STRATEGIES
from agent_judge.protocol import Judge

if TYPE_CHECKING:
    from agent_judge.config.asking import Asking

Reader: TypeAlias = Callable[[Any, str], Any]
"""What reads a value at a place of the file."""

ASKING: Final = ("agent_judge.models", "agent_judge.llm")
"""Where the kinds of options are that only judges that ask a model have."""

GATES: Final[Mapping[str, type[ConfidenceGate]]] = {CONFIDENCE_GATE: ConfidenceGate}
"""The rules of tiers that are told something, by the name that evidence uses, too."""


class Maker:
    """Makes what it can, and keeps every fault that it meets with its place.

    A method that returns `None` has noted why.

    Args:
        faults: Where faults are kept.
        judge: What reads a judge inside of another one.
        asking: Makes what reads the options of judges that ask a model; it is made for them alone.

    Attributes:
        folders: Where modules of one's own are.
    """

    def __init__(self, faults: Faults, judge: Reader, asking: Callable[[], Asking]) -> None:
        self.faults = faults
        self.folders: tuple[str, ...] = ()
        self._readers: dict[object, Reader] = {
            VotingStrategy: self.strategy,
            Confidence: self._function,
            Judge: judge,
        }
        self._make_asking = asking

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
        for name, option in known.items():
            if option.needed and name not in given and is_model(option.hint):
                given[name] = self._asking.model(None, join(place, name))
        missing = [name for name in known if known[name].needed and name not in given]
        if missing:
            self.faults.add(place, f"needs the option {', '.join(map(repr, missing))}")
        return given

    def value(self, value: Any, hint: Any, place: str) -> Any:
        """A value as an option of this type takes it."""
        for kind in (hint, *kinds_of(hint)):
            read = self._reader(kind)
            if read is not None:
                return read(value, place)
            item = item_of(kind)
            if is_list(value) and any(self._reader(of) for of in kinds_of(item)):
                return tuple(
                    self.value(one, item, f"{place}[{index}]") for index, one in enumerate(value)
                )
        return self.faults.attempt(place, lambda: as_option(value, hint))

    def _reader(self, kind: Any) -> Reader | None:
        """What reads an option of a kind that is more than a plain value."""
        for known, read in self._readers.items():
            if kind == known:
                return read
        module = str(getattr(kind, "__module__", ""))
        return self._asking.reader(kind) if module.startswith(ASKING) else None

    @cached_property
    def _asking(self) -> Asking:
        return self._make_asking()

    def _function(self, value: Any, place: str) -> Any:
        if not isinstance(value, str) or ":" not in value:
            self.faults.add(
                place, f"expected a function as 'module:attribute', found {value!r:.80}"
            )
            return None
        return self.faults.attempt(place, lambda: import_attribute(value, self.folders))
