"""Reading the tables of a configuration into judges, strategies and juries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from agent_judge.combinators import all_of, any_of, named, negate, with_timeout
from agent_judge.config.faults import Faults, join, unknown
from agent_judge.config.imports import import_attribute
from agent_judge.config.options import Option, as_option, is_list, is_table, options_of
from agent_judge.config.registry import find_judge
from agent_judge.jury import CascadedJury, Jury, MetaJury, Tier
from agent_judge.jury.keys import seat_keys
from agent_judge.jury.population import VotingStrategy
from agent_judge.jury.strategies import BUILT_IN as STRATEGIES
from agent_judge.protocol import Judge, describe

AnyJury: TypeAlias = Jury | CascadedJury | MetaJury

KINDS: Final[Mapping[str, type[AnyJury]]] = {
    "judges": Jury,
    "tiers": CascadedJury,
    "members": MetaJury,
}
"""The three kinds of jury by the key that makes one."""

STAGES: Final[Mapping[str, str]] = {"jury": "judges", "cascade": "tiers", "meta_jury": "members"}
"""The types of a judge that is itself a jury, and the key that makes it one."""

COMBINATORS: Final[Mapping[str, Callable[..., Judge]]] = {"all_of": all_of, "any_of": any_of}

SAID_OF_JUDGES: Final[Mapping[str, type]] = {
    "type": str,
    "name": str,
    "deadline": float,
    "negate": bool,
    "weight": float,
}
"""What may be said of any judge beside the options of its type. Weights count only in a jury."""

TIER_KEYS: Final = ("policy", "on_error")


@cache
def stage_options(kind: str) -> dict[str, Option]:
    """What a jury of this kind can be told beside what it is made of.

    The weights of a jury are not among it: each is said of the judge itself.
    """
    made_of = ("judges", "weights") if kind == "judges" else (kind,)
    options = options_of(KINDS[kind])
    return {name: option for name, option in options.items() if name not in made_of}


class Builder:
    """Builds what it can, and keeps every fault that it meets with its place.

    A method that returns `None` has noted why.

    Args:
        root: The folder from which `python_path` counts.
        overriding: Options of the outermost juries that replace what the file says.
    """

    def __init__(self, root: Path, overriding: Mapping[str, Any]) -> None:
        self.faults = Faults()
        self._root = root
        self._overriding = overriding
        self._folders: tuple[str, ...] = ()

    def juries(self, data: Mapping[str, Any]) -> tuple[AnyJury | None, dict[str, AnyJury]]:
        """The jury at the top, if there is one, and the named ones."""
        top = {key: data[key] for key in data if key not in ("python_path", "juries")}
        folders = self._value(data.get("python_path", []), tuple[str, ...], "python_path")
        self._folders = tuple(str(self._root / folder) for folder in folders or ())
        default = None
        if top or "juries" not in data:
            default = self.stage({**top, **self._overriding}, "")
        return default, self._named_juries(data["juries"]) if "juries" in data else {}

    def _named_juries(self, tables: Any) -> dict[str, AnyJury]:
        if not is_table(tables) or not tables:
            self.faults.add("juries", "expected a table of one jury or more")
            return {}
        made = {name: self._named_jury(name, table) for name, table in tables.items()}
        return {name: jury for name, jury in made.items() if jury is not None}

    def _named_jury(self, name: str, table: Any) -> AnyJury | None:
        if is_table(table):
            table = {"name": name, **table, **self._overriding}
        return self.stage(table, join("juries", name))

    def stage(self, table: Any, place: str) -> AnyJury | None:
        """A jury, cascade or meta jury."""
        before = len(self.faults)
        kind = self._kind(table, place)
        if kind is None:
            return None
        given = {key: table[key] for key in table if key != kind}
        options = self._options(given, stage_options(kind), place, beside=(kind,))
        make = self._maker(kind, table[kind], place)
        if len(self.faults) > before:
            return None
        return self.faults.attempt(place, lambda: make(options))

    def strategy(self, value: Any, place: str) -> Any:
        """A strategy from its name, or from a table with its type and options."""
        table = {"type": value} if isinstance(value, str) else value
        if not is_table(table) or not isinstance(table.get("type"), str):
            self.faults.add(place, "expected the name of a strategy, or a table with its type")
            return None
        name: str = table["type"]
        options = {key: table[key] for key in table if key != "type"}
        if ":" in name:
            found = self.faults.attempt(place, lambda: import_attribute(name, self._folders))
        elif name in STRATEGIES:
            found = STRATEGIES[name]
        else:
            self.faults.add(place, unknown("strategy", name, STRATEGIES))
            return None
        return None if found is None else self._made(found, options, place)

    def judge(self, table: Any, place: str, *, weighs: bool) -> Judge | None:
        """A judge with what is said of it."""
        if not is_table(table) or not isinstance(table.get("type"), str):
            self.faults.add(place, "expected a table with the judge's type")
            return None
        before = len(self.faults)
        sayable = {key: SAID_OF_JUDGES[key] for key in SAID_OF_JUDGES if weighs or key != "weight"}
        said = {
            key: self._value(table[key], sayable[key], join(place, key))
            for key in table
            if key in sayable
        }
        options = {key: table[key] for key in table if key not in sayable}
        judge = self._bare_judge(table, options, place)
        if judge is None or len(self.faults) > before:
            return None
        return self._dressed(judge, said, place)

    def _kind(self, table: Any, place: str) -> str | None:
        if not is_table(table):
            self.faults.add(place, "expected a table")
            return None
        kinds = [kind for kind in KINDS if kind in table]
        if len(kinds) == 1:
            return kinds[0]
        found = " and ".join(kinds) or f"only {', '.join(table) or 'an empty table'}"
        self.faults.add(place, f"expected one of 'judges', 'tiers' and 'members', found {found}")
        return None

    def _maker(self, kind: str, parts: Any, place: str) -> Callable[[dict[str, Any]], AnyJury]:
        """How to make the jury out of its parts, which are built now."""
        match kind:
            case "judges":
                judges = self._judges(parts, place, weighs=True)
                return lambda options: _jury(judges, parts, options)
            case "tiers":
                tiers = self._tiers(parts, join(place, kind))
                return lambda options: CascadedJury(tiers, **options)
            case _:
                members = self._members(parts, join(place, kind))
                return lambda options: MetaJury(members, **options)

    def _judges(self, tables: Any, place: str, *, weighs: bool) -> list[Judge]:
        place = join(place, "judges")
        if not is_list(tables) or not tables:
            self.faults.add(place, "expected a list of one judge or more")
            return []
        judges = [
            self.judge(table, f"{place}[{index}]", weighs=weighs)
            for index, table in enumerate(tables)
        ]
        return [judge for judge in judges if judge is not None]

    def _tiers(self, tables: Any, place: str) -> list[Tier]:
        if not is_list(tables) or not tables:
            self.faults.add(place, "expected a list of one tier or more")
            return []
        tiers = [self._tier(table, f"{place}[{index}]") for index, table in enumerate(tables)]
        return [tier for tier in tiers if tier is not None]

    def _tier(self, table: Any, place: str) -> Tier | None:
        if not is_table(table) or not isinstance(table.get("name"), str):
            self.faults.add(place, "expected a table with the tier's name")
            return None
        said = {key: table[key] for key in TIER_KEYS if key in table}
        jury = self.stage({key: table[key] for key in table if key not in TIER_KEYS}, place)
        if jury is None:
            return None
        return self.faults.attempt(place, lambda: Tier(table["name"], jury, **said))

    def _members(self, tables: Any, place: str) -> dict[str, AnyJury]:
        if not is_table(tables) or not tables:
            self.faults.add(place, "expected a table of one member or more")
            return {}
        made = {name: self.stage(table, join(place, name)) for name, table in tables.items()}
        return {name: jury for name, jury in made.items() if jury is not None}

    def _bare_judge(
        self, table: Mapping[str, Any], options: dict[str, Any], place: str
    ) -> Judge | None:
        name: str = table["type"]
        if name in STAGES:
            return self._jury_as_judge(name, {**_only(table, "name"), **options}, place)
        if name in COMBINATORS:
            self.faults.check_known(options, ("judges",), place)
            judges = self._judges(options.get("judges"), place, weighs=False)
            return (
                self.faults.attempt(place, lambda: COMBINATORS[name](*judges)) if judges else None
            )
        where = join(place, "type")
        found = self.faults.attempt(where, lambda: find_judge(name, self._folders))
        judge: Judge | None = None if found is None else self._made(found, options, place)
        if judge is None or self.faults.attempt(where, lambda: describe(judge)) is None:
            return None
        return judge

    def _jury_as_judge(self, name: str, table: dict[str, Any], place: str) -> AnyJury | None:
        if STAGES[name] not in table:
            self.faults.add(place, f"a judge of type {name!r} needs the key {STAGES[name]!r}")
            return None
        return self.stage(table, place)

    def _dressed(self, judge: Judge, said: Mapping[str, Any], place: str) -> Judge | None:
        """The judge negated, under its deadline, and by its name, as far as that is said."""
        if said.get("negate"):
            judge = negate(judge)
        if "deadline" in said:
            bare, seconds = judge, said["deadline"]
            timed = self.faults.attempt(
                join(place, "deadline"), lambda: with_timeout(bare, seconds)
            )
            if timed is None:
                return None
            judge = timed
        if "name" not in said:
            return judge
        return self.faults.attempt(join(place, "name"), lambda: named(said["name"], judge))

    def _made(self, found: Any, options: dict[str, Any], place: str) -> Any:
        """An instance of a class, with these options; anything else as it is, without any."""
        if not isinstance(found, type):
            if options:
                self.faults.add(place, f"takes no options, found {', '.join(sorted(options))}")
                return None
            return found
        before = len(self.faults)
        known = self.faults.attempt(place, lambda: options_of(found)) or {}
        given = self._options(options, known, place)
        missing = [name for name in known if known[name].needed and name not in options]
        if missing:
            self.faults.add(place, f"needs the option {', '.join(map(repr, missing))}")
        if len(self.faults) > before:
            return None
        return self.faults.attempt(place, lambda: found(**given))

    def _options(
        self,
        table: Mapping[str, Any],
        known: Mapping[str, Option],
        place: str,
        beside: Sequence[str] = (),
    ) -> dict[str, Any]:
        """What a table says, as the options take it; `beside` are keys that are read elsewhere."""
        self.faults.check_known(table, [*beside, *known], place)
        return {
            key: self.strategy(value, join(place, key))
            if known[key].hint is VotingStrategy
            else self._value(value, known[key].hint, join(place, key))
            for key, value in table.items()
            if key in known
        }

    def _value(self, value: Any, hint: Any, place: str) -> Any:
        return self.faults.attempt(place, lambda: as_option(value, hint))


def _jury(judges: Sequence[Judge], tables: Any, options: dict[str, Any]) -> Jury:
    """A jury, with the weights that were said of its judges."""
    weights = {i: table["weight"] for i, table in enumerate(tables) if "weight" in table}
    if not weights:
        return Jury(judges, **options)
    keys = seat_keys([describe(judge) for judge in judges], dedupe=options.get("dedupe", False))
    by_key = {keys[index][0]: weight for index, weight in weights.items()}
    return Jury(judges, **options, weights=by_key)


def _only(table: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {key: table[key]} if key in table else {}
