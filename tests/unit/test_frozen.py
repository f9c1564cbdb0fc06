from __future__ import annotations

import copy
import json
import math
import pickle
from collections.abc import Callable
from datetime import timedelta
from enum import Enum, IntEnum

import pytest

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import (
    EMPTY,
    MAX_DEPTH,
    MAX_INTEGER,
    FrozenMap,
    check_text,
    freeze,
    freeze_map,
    thaw,
)


class Colour(Enum):
    RED = "red"


class Level(IntEnum):
    LOW = 1


class Text(str):
    __slots__ = ()


NO_JSON = [
    ValueError("no"),
    timedelta(seconds=1),
    Colour.RED,
    Level.LOW,
    object(),
    {1, 2},
    b"bytes",
    1j,
    Text("subclass"),
    range(3),
]


@pytest.mark.parametrize("value", NO_JSON, ids=lambda value: type(value).__name__)
def test_what_json_cannot_carry_is_refused(value: object) -> None:
    """Only the exact built-in types come back from storage as they were. (contract: core:R16)"""
    with pytest.raises(ArgumentTypeError, match=f"of type {type(value).__qualname__}"):
        freeze(value, "metadata")


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_is_refused(number: float) -> None:
    """JSON knows neither NaN nor infinity. (contract: core:R16)"""
    with pytest.raises(ArgumentError, match=r"^metadata\.a is (nan|-?inf)"):
        freeze({"a": number}, "metadata")


@pytest.mark.parametrize("key", [1, None, True, ("a",), Text("a")])
def test_a_key_that_is_no_string_is_refused(key: object) -> None:
    """A JSON object has strings for keys. (contract: core:R16)"""
    with pytest.raises(ArgumentTypeError, match=r"^metadata\.a has the key .* must be strings"):
        freeze({"a": {key: 1}}, "metadata")


@pytest.mark.parametrize("value", ["\ud800", {"\udfff": 1}, {"a": ["\ud800"]}])
def test_a_lone_surrogate_is_refused(value: object) -> None:
    """UTF-8 cannot carry it, neither in a value nor in a key. (contract: core:R16)"""
    with pytest.raises(ArgumentError, match=r"^metadata.* lone surrogate at index 0"):
        freeze(value, "metadata")


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"a": {"b": [0, 1, None]}}, "metadata.a.b[2]"),
        ({"a": [[{"b": None}]]}, "metadata.a[0][0].b"),
        ({"a": ({"b": object()},)}, "metadata.a[0].b"),
    ],
)
def test_a_refusal_names_the_exact_path(value: object, path: str) -> None:
    """Whoever reads the message finds the fault without a search. (contract: core:R16)"""
    with pytest.raises(ArgumentTypeError) as refused:
        freeze(value, "metadata", nulls=False)

    assert str(refused.value).startswith(f"{path} is ")


def test_a_null_is_a_value_where_it_is_allowed() -> None:
    """Outputs and arguments hold nulls; metadata leaves the key out. (contract: core:R22a)"""
    assert freeze({"a": None}, "output") == {"a": None}

    with pytest.raises(ArgumentTypeError, match=r"^metadata\.a is None; leave the key out"):
        freeze_map({"a": None}, "metadata")


@pytest.mark.parametrize("integer", [MAX_INTEGER + 1, -MAX_INTEGER - 1, 10**400])
def test_an_integer_that_readers_would_round_is_refused(integer: int) -> None:
    """Beyond 2**53 - 1 a reader may give another number back. (contract: core:R17)"""
    with pytest.raises(ArgumentError, match=r"^metadata\.a is an integer beyond"):
        freeze({"a": integer}, "metadata")


@pytest.mark.parametrize("integer", [MAX_INTEGER, -MAX_INTEGER, 0])
def test_an_integer_that_every_reader_keeps_is_accepted(integer: int) -> None:
    """The bounds themselves are safe. (contract: core:R17)"""
    assert freeze(integer, "metadata") == integer


def test_a_value_may_not_nest_without_end() -> None:
    """Not even one that holds itself takes the stack of whoever reads it. (contract: core:R16)"""
    endless: list[object] = []
    endless.append(endless)

    with pytest.raises(ArgumentError, match=f"nests deeper than {MAX_DEPTH} levels"):
        freeze(endless, "metadata")


def test_a_value_may_nest_up_to_the_limit() -> None:
    """The limit itself is allowed, for lists and mappings alike."""
    value: object = 1
    for level in range(MAX_DEPTH):
        value = [value] if level % 2 else {"a": value}

    assert thaw(freeze(value, "output")) == value


def test_frozen_values_do_not_follow_what_they_were_made_of() -> None:
    """At no depth does a change of the caller's own list show. (contract: core:R18)"""
    inner = [1, 2]
    given = {"a": {"b": inner}}
    frozen = freeze(given, "metadata")
    inner.append(3)
    given["a"] = {}

    assert frozen == {"a": {"b": (1, 2)}}


def test_what_is_no_mapping_is_refused_as_one() -> None:
    """A list of pairs is not quietly read as a mapping."""
    with pytest.raises(ArgumentTypeError, match="metadata must be a mapping, not list"):
        freeze_map([("a", 1)], "metadata")  # type: ignore[arg-type]


def test_a_thawed_value_is_ready_for_json() -> None:
    """Tuples and frozen maps become lists and dicts, in their order."""
    value = {"b": [1, {"c": None}], "a": "é"}

    assert json.dumps(thaw(freeze(value, "output"))) == json.dumps(value)


def test_text_is_a_string_that_utf8_can_carry() -> None:
    """An emoji is text; half of one is not, nor are bytes."""
    check_text("naïve 🙂", "reasoning")

    with pytest.raises(ArgumentError, match="reasoning holds a lone surrogate at index 1"):
        check_text("é\ud83d", "reasoning")
    with pytest.raises(ArgumentTypeError, match="reasoning must be a string, not bytes"):
        check_text(b"text", "reasoning")


@pytest.mark.parametrize(
    "change",
    [
        lambda frozen: setattr(frozen, "a", 1),
        lambda frozen: setattr(frozen, "_items", {}),
        lambda frozen: delattr(frozen, "_items"),
        lambda frozen: frozen.__setitem__("a", 2),
        lambda frozen: frozen.update(a=2),
        lambda frozen: frozen.pop("a"),
    ],
)
def test_a_frozen_map_cannot_change(change: Callable[[FrozenMap[int]], object]) -> None:
    """There is no way to put something into it or to take something out. (contract: core:R18)"""
    frozen = FrozenMap({"a": 1})

    with pytest.raises(AttributeError):
        change(frozen)

    assert frozen == {"a": 1}


@pytest.mark.parametrize(
    "copied",
    [
        copy.copy,
        copy.deepcopy,
        lambda frozen: pickle.loads(pickle.dumps(frozen)),
        FrozenMap,
    ],
)
def test_a_copy_of_a_frozen_map_is_equal_in_all(
    copied: Callable[[FrozenMap[object]], FrozenMap[object]],
) -> None:
    """Value, hash and order survive pickle and copy. (contract: core:R22)"""
    frozen: FrozenMap[object] = FrozenMap({"b": (1, FrozenMap({"x": 2})), "a": "text"})

    again = copied(frozen)

    assert again == frozen
    assert hash(again) == hash(frozen)
    assert list(again) == ["b", "a"]


def test_frozen_maps_compare_as_dicts_do() -> None:
    """Order does not count, and neither does the kind of mapping; what is no mapping differs."""
    frozen = FrozenMap({"a": 1, "b": 2})

    assert frozen == {"b": 2, "a": 1}
    assert frozen == FrozenMap({"b": 2, "a": 1})
    assert hash(frozen) == hash(FrozenMap({"b": 2, "a": 1}))
    assert frozen != {"a": 1}
    assert frozen != [("a", 1), ("b", 2)]


def test_the_empty_map_is_empty() -> None:
    """It stands for every mapping that nobody gave."""
    assert dict(EMPTY) == {}
    assert FrozenMap() == EMPTY


def test_a_frozen_map_shows_what_it_holds() -> None:
    """Its representation can be read and typed."""
    assert repr(FrozenMap({"a": (1,)})) == "FrozenMap({'a': (1,)})"
