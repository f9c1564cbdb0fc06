"""JSON-like values that cannot change: what metadata, outputs and tool arguments are made of.

`freeze` copies a value that a caller gave into one that nobody can change, and refuses what JSON
could not carry, with the exact path of the fault. `thaw` gives plain `dict`s and `list`s back.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from math import isfinite
from typing import Any, Final, Self, TypeAlias, TypeVar, cast

from agent_judge.errors import ArgumentError, ArgumentTypeError

V = TypeVar("V")

MAX_INTEGER: Final = 2**53 - 1
"""The largest integer that every JSON reader keeps exactly (RFC 8259, section 6)."""

MAX_DEPTH: Final = 100
"""How deep a value may nest; deeper ones would exhaust the stack of whoever reads them."""


class FrozenMap(Mapping[str, V]):
    """A mapping that cannot change, and that can be hashed, pickled and copied.

    It compares like a `dict` (order does not count) and keeps the order it was built in.

    Example:
        >>> point = FrozenMap({"x": 1, "y": 2})
        >>> point["x"], point == {"y": 2, "x": 1}
        (1, True)
    """

    __slots__ = ("_hash", "_items")
    _items: dict[str, V]
    _hash: int | None

    def __init__(self, items: Mapping[str, V] | None = None) -> None:
        object.__setattr__(self, "_items", dict(items or {}))
        object.__setattr__(self, "_hash", None)

    def __getitem__(self, key: str) -> V:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def keys(self) -> KeysView[str]:
        """The keys; like `items` and `values` those of the `dict` within, which is quicker."""
        return self._items.keys()

    def items(self) -> ItemsView[str, V]:
        """The keys with their values."""
        return self._items.items()

    def values(self) -> ValuesView[V]:
        """The values."""
        return self._items.values()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a FrozenMap cannot change; {name!r} was not set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a FrozenMap cannot change; {name!r} was not deleted")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, FrozenMap):
            return self._items == cast("FrozenMap[V]", other)._items
        if isinstance(other, Mapping):
            return self._items == dict(cast("Mapping[str, V]", other))
        return NotImplemented

    def __hash__(self) -> int:
        if self._hash is None:
            object.__setattr__(self, "_hash", hash(frozenset(self._items.items())))
        assert self._hash is not None
        return self._hash

    def __repr__(self) -> str:
        return f"FrozenMap({self._items!r})"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[type[FrozenMap[V]], tuple[dict[str, V]]]:
        return FrozenMap, (self._items,)


EMPTY: Final[FrozenMap[Any]] = FrozenMap()

Json: TypeAlias = "str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None"
"""A JSON value. What the library keeps of one is frozen: tuples and `FrozenMap`s."""


def freeze(value: object, path: str, *, nulls: bool = True) -> Json:
    """Copy a JSON-like value into one that cannot change.

    Only the exact built-in types are taken: an enum member, a number of another library or a
    string subclass would come back from storage as something else.

    Args:
        value: A string, number, boolean, list, tuple or mapping with string keys, at any depth.
        path: How messages name the value, for example `"metadata"`.
        nulls: Whether `None` is allowed (in outputs and arguments it is, in metadata it is not).

    Raises:
        ArgumentError: A value that JSON cannot carry: NaN, an integer beyond 2**53 - 1, a lone
            surrogate, or nesting beyond `MAX_DEPTH`. The message begins with its exact path.
        ArgumentTypeError: A value of any other type, or a key that is not a string.
    """
    return _freeze(value, path, nulls, MAX_DEPTH)


def freeze_map(items: Mapping[str, Json], path: str, *, nulls: bool = False) -> FrozenMap[Json]:
    """Copy a mapping with `freeze`; `None` among its values is refused unless `nulls`.

    Raises:
        ArgumentError: As `freeze`.
        ArgumentTypeError: As `freeze`, or `items` is not a mapping.
    """
    if not isinstance(items, Mapping):
        raise ArgumentTypeError(f"{path} must be a mapping, not {_type_name(items)}")
    return _freeze_map(items, path, nulls, MAX_DEPTH)


def thaw(value: Json) -> Any:
    """Give a frozen value back as plain `dict`s and `list`s, ready for `json.dumps`."""
    if isinstance(value, Mapping):
        return {key: thaw(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [thaw(item) for item in value]
    return value


def fits_json(number: float) -> bool:
    """Whether every JSON reader keeps a number: it is finite, an integer is not too large."""
    if type(number) is int:
        return -MAX_INTEGER <= number <= MAX_INTEGER
    return isfinite(number)


def check_text(text: object, path: str) -> None:
    """Refuse what is not a string that UTF-8 can carry.

    Raises:
        ArgumentTypeError: It is not exactly a `str`.
        ArgumentError: It holds a lone surrogate.
    """
    if type(text) is not str:
        raise ArgumentTypeError(f"{path} must be a string, not {_type_name(text)}")
    if not text.isascii():
        _refuse_surrogates(text, path)


def _freeze(value: object, path: str, nulls: bool, depth: int) -> Json:
    kind = type(value)
    if kind is str:
        if not value.isascii():  # type: ignore[attr-defined]
            _refuse_surrogates(value, path)  # type: ignore[arg-type]
    elif kind is int:
        _check_integer(value, path)  # type: ignore[arg-type]
    elif kind is float:
        _check_float(value, path)  # type: ignore[arg-type]
    elif kind is bool or (value is None and nulls):
        pass
    elif kind is list or kind is tuple:
        return _freeze_list(value, path, nulls, depth)  # type: ignore[arg-type]
    elif isinstance(value, Mapping):
        return _freeze_map(cast("Mapping[Any, object]", value), path, nulls, depth)
    else:
        raise ArgumentTypeError(_refusal(value, path, nulls))
    return value  # type: ignore[return-value]


def _freeze_map(items: Mapping[Any, object], path: str, nulls: bool, depth: int) -> FrozenMap[Json]:
    _check_depth(depth, path)
    frozen: dict[str, Json] = {}
    for key, item in items.items():
        if type(key) is not str:
            raise ArgumentTypeError(f"{path} has the key {key!r}; keys must be strings")
        if not key.isascii():
            _refuse_surrogates(key, f"{path} key {key!a}")
        if type(item) is str and item.isascii():
            frozen[key] = item
        else:
            frozen[key] = _freeze(item, f"{path}.{key}", nulls, depth - 1)
    return FrozenMap(frozen)


def _freeze_list(items: Sequence[object], path: str, nulls: bool, depth: int) -> tuple[Json, ...]:
    _check_depth(depth, path)
    return tuple(
        _freeze(item, f"{path}[{index}]", nulls, depth - 1) for index, item in enumerate(items)
    )


def _check_depth(depth: int, path: str) -> None:
    if depth <= 0:
        raise ArgumentError(f"{path[:80]}… nests deeper than {MAX_DEPTH} levels")


def _check_integer(value: int, path: str) -> None:
    if not fits_json(value):
        raise ArgumentError(
            f"{path} is an integer beyond ±(2**53 - 1), which not every JSON reader keeps; "
            "give it as a string"
        )


def _check_float(value: float, path: str) -> None:
    if not fits_json(value):
        raise ArgumentError(f"{path} is {value}, which JSON cannot carry; leave the key out")


def _refuse_surrogates(text: str, path: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as fault:
        raise ArgumentError(
            f"{path} holds a lone surrogate at index {fault.start}, which UTF-8 cannot carry; "
            "decode the bytes it came from with errors='replace'"
        ) from None


def _refusal(value: object, path: str, nulls: bool) -> str:
    if value is None:
        return f"{path} is None; leave the key out instead"
    allowed = "str, int, float, bool, list, tuple, mapping" + (", None" if nulls else "")
    return f"{path} is of type {_type_name(value)}; allowed are {allowed}"


def _type_name(value: object) -> str:
    return type(value).__qualname__
