"""From a configuration to the jury that it describes, or to every fault in it at once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeGuard, TypeVar, cast

from agent_judge.combinators import all_of, any_of, named, negate, with_timeout
from agent_judge.config.load import Configuration
from agent_judge.config.registry import find_judge, import_attribute, importing_from
from agent_judge.errors import AgentJudgeError, ConfigurationError
from agent_judge.jury import CascadedJury, Jury, MetaJury, Stage, Tier
from agent_judge.jury.keys import seat_keys
from agent_judge.jury.strategies import BUILT_IN as STRATEGIES
from agent_judge.protocol import Judge, describe

T = TypeVar("T")

AnyJury: TypeAlias = Jury | CascadedJury | MetaJury

SHARED: Final = ("name", "timeout", "status_gate", "max_depth")
KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "judges": (
        *SHARED,
        "strategy",
        "parallel",
        "stop_when_decided",
        "concurrency",
        "dedupe",
    ),
    "tiers": (*SHARED, "max_stages"),
    "members": (*SHARED, "strategy", "parallel", "weights", "max_stages"),
}
"""The three kinds of jury by the key that makes one, and what else each may hold."""

JUDGE_KEYS: Final = ("type", "name", "weight", "deadline", "negate")
"""What may be said of any judge, beside the options of its own type."""

TIER_KEYS: Final = ("policy", "on_error")
COMBINATORS: Final[Mapping[str, Callable[..., Judge]]] = {"all_of": all_of, "any_of": any_of}
STAGES: Final = ("jury", "cascade", "meta_jury")


def build(configuration: Configuration) -> AnyJury:
    """The jury that a configuration describes.

    Raises:
        ConfigurationError: Everything that is wrong with it, each with its place in the file.
    """
    data = dict(configuration.data)
    builder = _Builder()
    folders = builder.texts(data.pop("python_path", []), "python_path")
    root = configuration.path.parent
    with importing_from([str(root / folder) for folder in folders]):
        jury = builder.stage(data, "")
    if builder.faults or jury is None:
        lines = "".join(f"\n  {fault}" for fault in builder.faults)
        raise ConfigurationError(f"{configuration.path}: cannot be used{lines}")
    return jury


def build_from(data: Mapping[str, Any], *, path: Path = Path("agent-judge.toml")) -> AnyJury:
    """The jury that a table describes; `path` is what messages call it.

    Raises:
        ConfigurationError: As `build`.

    Example:
        >>> build_from({"judges": [{"type": "command", "command": "true"}]}).name
        'Jury'
    """
    return build(Configuration(path, data))


class _Builder:
    """Builds what it can, and keeps every fault that it meets with its place."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def stage(self, table: Any, place: str) -> AnyJury | None:
        """A jury, cascade or meta jury."""
        kind = self._kind(table, place)
        if kind is None or not self._known(table, (kind, *KEYS[kind]), place):
            return None
        options = {key: table[key] for key in KEYS[kind] if key in table}
        if "strategy" in options:
            options["strategy"] = self.strategy(options["strategy"], _join(place, "strategy"))
            if options["strategy"] is None:
                return None
        match kind:
            case "judges":
                return self._jury(table["judges"], options, place)
            case "tiers":
                return self._cascade(table["tiers"], options, place)
            case _:
                return self._meta_jury(table["members"], options, place)

    def strategy(self, value: Any, place: str) -> Any:
        """A strategy from its name, or from a table with its type and options."""
        table = {"type": value} if isinstance(value, str) else value
        if not _is_table(table) or not isinstance(table.get("type"), str):
            self._fault(place, "expected the name of a strategy, or a table with its type")
            return None
        options: dict[str, Any] = {key: table[key] for key in table if key != "type"}
        name: str = table["type"]
        if ":" in name:
            return self._try(place, lambda: import_attribute(name))
        if name not in STRATEGIES:
            self._fault(place, _unknown("strategy", name, STRATEGIES))
            return None
        if not self._known(options, _parameters(STRATEGIES[name]), place):
            return None
        return self._try(place, lambda: STRATEGIES[name](**options))

    def judge(self, table: Any, place: str) -> Judge | None:
        """A judge with what is said of it."""
        if not _is_table(table) or not isinstance(table.get("type"), str):
            self._fault(place, "expected a table with the judge's type")
            return None
        judge = self._bare_judge(table, place)
        if judge is not None and self._flag(table, "negate", place):
            judge = negate(judge)
        if judge is not None and "deadline" in table:
            late = partial(with_timeout, judge, table["deadline"])
            judge = self._try(f"{place}.deadline", late)
        if judge is not None and "name" in table:
            judge = self._try(f"{place}.name", partial(named, table["name"], judge))
        return judge

    def texts(self, value: Any, place: str) -> list[str]:
        """A list of strings."""
        if _is_list(value) and all(isinstance(item, str) for item in value):
            return list(value)
        self._fault(place, f"expected a list of strings, found {value!r:.80}")
        return []

    def _bare_judge(self, table: dict[str, Any], place: str) -> Judge | None:
        name: str = table["type"]
        if name in STAGES:
            inner = {key: table[key] for key in table if key not in ("type", *JUDGE_KEYS[2:])}
            return self.stage(inner, place)
        options = {key: table[key] for key in table if key not in JUDGE_KEYS}
        if name in COMBINATORS:
            if not self._known(options, ("judges",), place):
                return None
            judges = self._judges(options.get("judges"), place)
            return None if judges is None else COMBINATORS[name](*judges)
        found = self._try(f"{place}.type", lambda: find_judge(name))
        return None if found is None else self._made(found, options, place)

    def _made(self, found: Any, options: dict[str, Any], place: str) -> Judge | None:
        if not isinstance(found, type):
            if not callable(found):
                self._fault(f"{place}.type", "names something that cannot be called")
                return None
            if options:
                self._fault(place, f"takes no options, found {', '.join(sorted(options))}")
                return None
            return cast("Judge", found)
        parameters = _parameters(found)
        if not self._known(options, parameters, place):
            return None
        missing = [name for name, needed in parameters.items() if needed and name not in options]
        if missing:
            self._fault(place, f"needs the option {', '.join(map(repr, missing))}")
            return None
        return self._try(place, lambda: found(**options))

    def _judges(self, value: Any, place: str) -> list[Judge] | None:
        place = _join(place, "judges")
        if not _is_list(value) or not value:
            self._fault(place, "expected a list of one judge or more")
            return None
        judges = [self.judge(item, f"{place}[{index}]") for index, item in enumerate(value)]
        made = [judge for judge in judges if judge is not None]
        return made if len(made) == len(judges) else None

    def _jury(self, tables: Any, options: dict[str, Any], place: str) -> Jury | None:
        judges = self._judges(tables, place)
        if judges is None:
            return None

        def make() -> Jury:
            weights = {
                index: item["weight"] for index, item in enumerate(tables) if "weight" in item
            }
            if weights:
                dedupe = options.get("dedupe") is True
                keys = seat_keys([describe(judge) for judge in judges], dedupe=dedupe)
                options["weights"] = {keys[index][0]: weight for index, weight in weights.items()}
            return Jury(judges, **options)

        return self._try(place, make)

    def _cascade(self, tables: Any, options: dict[str, Any], place: str) -> CascadedJury | None:
        place_of_tiers = _join(place, "tiers")
        if not _is_list(tables) or not tables:
            self._fault(place_of_tiers, "expected a list of one tier or more")
            return None
        tiers = [self._tier(item, f"{place_of_tiers}[{i}]") for i, item in enumerate(tables)]
        if None in tiers:
            return None
        return self._try(
            place, lambda: CascadedJury([t for t in tiers if t is not None], **options)
        )

    def _tier(self, table: Any, place: str) -> Tier | None:
        if not _is_table(table) or not isinstance(table.get("name"), str):
            self._fault(place, "expected a table with the tier's name")
            return None
        said = {key: table[key] for key in TIER_KEYS if key in table}
        jury = self.stage({key: table[key] for key in table if key not in TIER_KEYS}, place)
        if jury is None:
            return None
        return self._try(place, lambda: Tier(table["name"], jury, **said))

    def _meta_jury(self, members: Any, options: dict[str, Any], place: str) -> MetaJury | None:
        place_of_members = _join(place, "members")
        if not _is_table(members) or not members:
            self._fault(place_of_members, "expected a table of one member or more")
            return None
        stages = {
            name: self.stage(table, f"{place_of_members}.{name}") for name, table in members.items()
        }
        made: dict[str, Stage] = {name: jury for name, jury in stages.items() if jury is not None}
        if len(made) < len(stages):
            return None
        return self._try(place, lambda: MetaJury(made, **options))

    def _kind(self, table: Any, place: str) -> str | None:
        if not _is_table(table):
            self._fault(place, "expected a table")
            return None
        kinds = [kind for kind in KEYS if kind in table]
        if len(kinds) == 1:
            return kinds[0]
        found = " and ".join(kinds) or f"only {', '.join(map(str, table)) or 'an empty table'}"
        self._fault(place, f"expected one of 'judges', 'tiers' and 'members', found {found}")
        return None

    def _known(self, table: Mapping[str, Any], known: Any, place: str) -> bool:
        unknown = [key for key in table if key not in known]
        for key in unknown:
            self._fault(_join(place, key), _unknown("option", key, known))
        return not unknown

    def _flag(self, table: Mapping[str, Any], key: str, place: str) -> bool:
        value = table.get(key, False)
        if type(value) is not bool:
            self._fault(f"{place}.{key}", f"expected true or false, found {value!r:.80}")
        return value is True

    def _fault(self, place: str, what: str) -> None:
        self.faults.append(f"{place or 'the file'}: {what}")

    def _try(self, place: str, make: Callable[[], T]) -> T | None:
        try:
            return make()
        except (AgentJudgeError, TypeError) as fault:
            self._fault(place, str(fault))
            return None


def _is_table(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _join(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _parameters(factory: Callable[..., Any]) -> dict[str, bool]:
    """The names of what a class takes, and whether each must be given."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {
        name: parameter.default is inspect.Parameter.empty
        for name, parameter in inspect.signature(factory).parameters.items()
        if parameter.kind in kinds
    }


def _unknown(what: str, name: str, known: Any) -> str:
    near = get_close_matches(name, list(known), 1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"unknown {what} {name!r}; {hint}known are {', '.join(sorted(known))}"
