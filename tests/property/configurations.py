"""Configurations of juries of every kind, and what of one's own they name by its module."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from hypothesis import strategies as st

from agent_judge import Judgment, JudgmentContext, Majority, Verdict, judge
from agent_judge.config.builder import STAGES
from agent_judge.jury import ErrorPolicy, Population
from property.populations import UNIT

Table = dict[str, Any]


def tidy(_context: JudgmentContext) -> Judgment:
    """A judge of one's own."""
    return Judgment.passing()


@judge(name="Neatness")
def neat(_context: JudgmentContext) -> bool:
    """A judge of one's own that has a name."""
    return True


class Mood(Enum):
    """What an option may be."""

    GOOD = "good"
    BAD = "bad"


@dataclass(frozen=True)
class Moody:
    """A judge of one's own that has options."""

    mood: Mood = Mood.GOOD
    words: Sequence[str] = ()

    def __call__(self, _context: JudgmentContext, /) -> Judgment:
        """Judge by mood."""
        return Judgment.passing() if self.mood is Mood.GOOD else Judgment.failing()


def first(population: Population) -> Judgment:
    """A strategy of one's own."""
    return population.seats[0].judgment


@dataclass(frozen=True)
class Share:
    """A strategy of one's own that has options."""

    least: float = 0.5
    on_error: ErrorPolicy = ErrorPolicy.PROPAGATE

    def __call__(self, population: Population, /) -> Judgment:
        """Leave it to a built-in one."""
        return Majority(on_error=self.on_error)(population)


class Lenient(Majority):
    """A class made from a built-in strategy."""


def certain(verdict: Verdict) -> float:
    """How certain a verdict is."""
    return verdict.score or 0.0


names = st.text("abü字/~ ", min_size=1, max_size=4).filter(lambda name: name == name.strip())
seconds = st.integers(1, 99) | st.floats(0.5, 99)
policies = st.sampled_from([policy.value for policy in ErrorPolicy])


def own(attribute: str) -> str:
    """How configuration names something of this module."""
    return f"{__name__}:{attribute}"


def tables(needed: Table, optional: Table) -> st.SearchStrategy[Table]:
    """Tables with all of some keys, and some of the others."""
    fixed = {key: st.just(value) for key, value in needed.items() if isinstance(value, str)}
    drawn = {key: value for key, value in needed.items() if key not in fixed}
    return st.fixed_dictionaries({**fixed, **drawn}, optional=optional)


said: Table = {"deadline": seconds, "negate": st.booleans()}

words = st.lists(names, min_size=1, max_size=2)
bare_judges = st.one_of(
    tables({"type": "file_exists", "path": "a.txt"}, {"kind": st.sampled_from(["directory"])}),
    tables({"type": "length", "minimum": st.integers(1, 9)}, {"unit": st.just("words")}),
    tables({"type": "contains", "expected": words}, {"require": st.just("any")}),
    tables({"type": "equals"}, {"expected": st.none() | st.booleans() | words}),
    tables(
        {"type": "command", "command": "true"},
        {"expected_exit": st.lists(st.integers(0, 9), min_size=1, unique=True)},
    ),
    tables({"type": "status"}, {"allowed": st.just(["failed"])}),
    tables({"type": own("Moody")}, {"mood": st.just("bad"), "words": words}),
    st.sampled_from([{"type": own("tidy")}, {"type": own("neat")}]),
)

voting = st.one_of(
    st.sampled_from(
        ["majority", "minimum", "weighted_average", own("first"), own("Share"), own("Lenient")]
    ),
    tables({"type": "average", "threshold": UNIT}, {"on_error": policies}),
    tables({"type": "mode", "passing": words}, {"min_eligible": st.integers(1, 3)}),
    tables({"type": own("Share")}, {"least": UNIT, "on_error": policies}),
    tables({"type": own("Lenient")}, {"tie": st.just("abstain")}),
)

jury_options: Table = {
    "name": names,
    "strategy": voting,
    "timeout": seconds,
    "parallel": st.booleans(),
    "status_gate": st.booleans(),
    "concurrency": st.just({"command": 2}),
}

gates = st.sampled_from(["reject_on_any_fail", "accept_on_all_pass"]) | tables(
    {"type": "confidence_gate", "bar": UNIT, "confidence": own("certain")}, {}
)


def dressed(judges: st.SearchStrategy[Table]) -> st.SearchStrategy[Table]:
    """Judges of which something more is said."""
    more = st.fixed_dictionaries({}, optional={**said, "name": names})
    return st.builds(lambda judge, also: {**judge, **also}, judges, more)


def combined(judges: st.SearchStrategy[Table]) -> st.SearchStrategy[Table]:
    """Judges made of judges."""
    several = st.lists(judges, min_size=1, max_size=3)
    return st.one_of(
        tables({"type": "all_of", "judges": several}, {}),
        tables({"type": "any_of", "judges": several}, {}),
        tables({"type": "negate", "judge": judges}, {}),
        tables({"type": "with_timeout", "judge": judges, "seconds": seconds}, {}),
    )


def of_judges(judges: Sequence[Table], weights: Sequence[float], options: Table) -> Table:
    """A jury; equal names are numbered, and weights are said where they count."""
    explicit = [name_of(judge) for judge in judges if name_of(judge)]
    if options.get("strategy", {}) == "weighted_average":
        pairs = zip(judges, weights, strict=False)
        judges = [{**judge, "weight": weight} for judge, weight in pairs]
    dedupe = {"dedupe": True} if len(set(explicit)) < len(explicit) else {}
    return {"judges": list(judges), **options, **dedupe}


def name_of(judge: Table) -> str | None:
    """What a person called the judge of a table."""
    inner = judge.get("judge") if judge["type"] == "with_timeout" else None
    own_name = "Neatness" if judge["type"] == own("neat") and not judge.get("negate") else None
    name: str | None = judge.get("name") or (name_of(inner) if inner else own_name)
    if judge["type"] in ("jury", "cascade", "meta_jury") and not judge.get("negate"):
        return name or judge.get("jury_name")
    return name


def of_tiers(parts: Sequence[tuple[Table, Any, Table]], last: Table, options: Table) -> Table:
    """A cascade."""
    tiers = [
        {**jury, **tier(jury, f"tier {place}"), "policy": policy, **also}
        for place, (jury, policy, also) in enumerate(parts)
    ]
    return {"tiers": [*tiers, {**last, **tier(last, "last"), "policy": "final_tier"}], **options}


def tier(jury: Table, name: str) -> Table:
    """What a tier is called, and its jury where that has a name of its own."""
    return {"name": name, **({"jury_name": jury["name"]} if "name" in jury else {})}


def of_members(members: Table, weights: Sequence[float], options: Table) -> Table:
    """A meta jury, with weights where they count."""
    if options.get("strategy") != "weighted_average":
        return {"members": members, **options}
    return {"members": members, "weights": dict(zip(members, weights, strict=False)), **options}


def in_a_seat(jury: Table) -> Table:
    """A jury as a judge among others."""
    kind = next(kind for kind, key in STAGES.items() if key in jury)
    own_name = {"jury_name": jury["name"]} if "name" in jury else {}
    return {"type": kind, **{key: jury[key] for key in jury if key != "name"}, **own_name}


judges = st.recursive(dressed(bare_judges), lambda inner: dressed(combined(inner)), max_leaves=4)
weights = st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=4, max_size=4)
waived = st.sampled_from([{}, {"on_error": "waive"}])


def above(inner: st.SearchStrategy[Table]) -> st.SearchStrategy[Table]:
    """Juries of juries, cascades of them, and meta juries."""
    seats = judges | dressed(inner.map(in_a_seat))
    members = st.dictionaries(names, inner, min_size=1, max_size=3)
    only = {key: jury_options[key] for key in ("name", "timeout", "status_gate")}
    return st.one_of(
        st.builds(of_judges, st.lists(seats, min_size=1, max_size=3), weights, options),
        st.builds(
            of_tiers,
            st.lists(st.tuples(inner, gates, waived), max_size=2),
            inner,
            st.fixed_dictionaries({}, optional=only),
        ),
        st.builds(
            of_members,
            members,
            weights,
            options.map(lambda told: {k: v for k, v in told.items() if k != "concurrency"}),
        ),
    )


options = st.fixed_dictionaries({}, optional=jury_options)
configurations: st.SearchStrategy[Table] = st.recursive(
    st.builds(of_judges, st.lists(judges, min_size=1, max_size=4), weights, options),
    above,
    max_leaves=4,
)
"""Juries, cascades and meta juries, nested in each other."""
