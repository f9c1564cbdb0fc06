"""Reading the tables of a configuration into judges, strategies and juries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from agent_judge.combinators import all_of, any_of, named, negate, with_timeout
from agent_judge.config.faults import Faults, join
from agent_judge.config.maker import Maker
from agent_judge.config.options import Option, is_list, is_table, options_of
from agent_judge.config.registry import find_judge
from agent_judge.config.settings import ModelSettings
from agent_judge.frozen import EMPTY
from agent_judge.jury import CascadedJury, Jury, MetaJury, Tier
from agent_judge.jury.keys import seat_keys
from agent_judge.jury.spec import SAID_OF_JUDGES
from agent_judge.protocol import Judge, describe

if TYPE_CHECKING:
    from agent_judge.config.asking import Asking

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
"""What makes a judge of several."""

WRAPPERS: Final[Mapping[str, Callable[..., Judge]]] = {
    "negate": negate,
    "with_timeout": with_timeout,
}
"""What makes a judge of a single one."""

BESIDE_JURIES: Final = ("python_path", "juries", "model", "models")
"""The keys at the top of a file that say nothing of the jury at the top."""

TIER_KEYS: Final = ("policy", "on_error")


@cache
def stage_options(kind: str) -> dict[str, Option]:
    """What a jury of this kind can be told beside what it is made of.

    The weights of a jury are not among it: each is said of the judge itself.
    """
    made_of = ("judges", "weights") if kind == "judges" else (kind,)
    options = options_of(KINDS[kind])
    return {name: option for name, option in options.items() if name not in made_of}


@cache
def wrapper_options(name: str) -> dict[str, Option]:
    """What a wrapper is told beside the judge inside."""
    options = options_of(WRAPPERS[name])
    return {option: options[option] for option in options if option != "judge"}


class Builder:
    """Builds what it can, and keeps every fault that it meets with its place.

    A method that returns `None` has noted why.

    Args:
        root: The folder from which `python_path` counts.
        overriding: Options of the outermost juries that replace what the file says.
        settings: What the call from outside says of all models.
    """

    def __init__(
        self, root: Path, overriding: Mapping[str, Any], settings: ModelSettings | None = None
    ) -> None:
        self.faults = Faults()
        self._root = root
        self._overriding = overriding
        self._settings = ModelSettings() if settings is None else settings
        self._data: Mapping[str, Any] = EMPTY
        self._maker = Maker(self.faults, self._inner_judge, self._asking)

    def juries(self, data: Mapping[str, Any]) -> tuple[AnyJury | None, dict[str, AnyJury]]:
        """The jury at the top, if there is one, and the named ones."""
        self._data = data
        top = _without(data, *BESIDE_JURIES)
        folders = self._maker.value(data.get("python_path", []), tuple[str, ...], "python_path")
        self._maker.folders = tuple(str(self._root / folder) for folder in folders or ())
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
        given = _without(table, kind)
        options = self._maker.options(given, stage_options(kind), place, beside=(kind,))
        make = self._assembly(kind, table[kind], place)
        if len(self.faults) > before:
            return None
        return self.faults.attempt(place, lambda: make(options))

    def judge(self, table: Any, place: str, *, weighs: bool) -> Judge | None:
        """A judge with what is said of it."""
        if not is_table(table) or not isinstance(table.get("type"), str):
            self.faults.add(place, "expected a table with the judge's type")
            return None
        before = len(self.faults)
        sayable = {key: SAID_OF_JUDGES[key] for key in SAID_OF_JUDGES if weighs or key != "weight"}
        said = {
            key: self._maker.value(table[key], sayable[key], join(place, key))
            for key in table
            if key in sayable
        }
        options = _without(table, *sayable)
        judge = self._bare_judge(table, options, place)
        if judge is None or len(self.faults) > before:
            return None
        return self._dressed(judge, said, place)

    def _inner_judge(self, table: Any, place: str) -> Judge | None:
        return self.judge(table, place, weighs=False)

    def _asking(self) -> Asking:
        from agent_judge.config.asking import Asking

        return Asking(self._data, self._settings, self.faults, self._root)

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

    def _assembly(self, kind: str, parts: Any, place: str) -> Callable[[dict[str, Any]], AnyJury]:
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
        said = _only(table, *TIER_KEYS)
        before = len(self.faults)
        if "policy" in said:
            said["policy"] = self._maker.gate(said["policy"], join(place, "policy"))
        jury = self._named_stage(_without(table, *said), place)
        if jury is None or len(self.faults) > before:
            return None
        return self.faults.attempt(place, lambda: Tier(table["name"], jury, **said))

    def _named_stage(self, table: dict[str, Any], place: str) -> AnyJury | None:
        """A jury that has a name of its own where it says so, else that of its place."""
        own = {}
        if "jury_name" in table:
            name = self._maker.value(table["jury_name"], str, join(place, "jury_name"))
            own = {} if name is None else {"name": name}
        return self.stage({**_without(table, "jury_name"), **own}, place)

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
        if name in WRAPPERS:
            return self._wrapped(name, options, place)
        where = join(place, "type")
        found = self.faults.attempt(where, lambda: find_judge(name, self._maker.folders))
        judge: Judge | None = None if found is None else self._maker.made(found, options, place)
        if judge is None or self.faults.attempt(where, lambda: describe(judge)) is None:
            return None
        return judge

    def _jury_as_judge(self, name: str, table: dict[str, Any], place: str) -> AnyJury | None:
        if STAGES[name] not in table:
            self.faults.add(place, f"a judge of type {name!r} needs the key {STAGES[name]!r}")
            return None
        return self._named_stage(table, place)

    def _wrapped(self, name: str, table: Mapping[str, Any], place: str) -> Judge | None:
        """A judge around another one."""
        before = len(self.faults)
        options = self._maker.options(table, wrapper_options(name), place, beside=("judge",))
        judge = self.judge(table.get("judge"), join(place, "judge"), weighs=False)
        if judge is None or len(self.faults) > before:
            return None
        return self.faults.attempt(place, lambda: WRAPPERS[name](judge, **options))

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


def _jury(judges: Sequence[Judge], tables: Any, options: dict[str, Any]) -> Jury:
    """A jury, with the weights that were said of its judges."""
    weights = {i: table["weight"] for i, table in enumerate(tables) if "weight" in table}
    if not weights:
        return Jury(judges, **options)
    keys = seat_keys([describe(judge) for judge in judges], dedupe=options.get("dedupe", False))
    by_key = {keys[index][0]: weight for index, weight in weights.items()}
    return Jury(judges, **options, weights=by_key)


def _only(table: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: table[key] for key in keys if key in table}


def _without(table: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: table[key] for key in table if key not in keys}
