"""The pieces a stored record is made of: each writes a value as JSON and reads it back.

Reading is strict. What is missing, unknown, of another type or against a record's own rules is a
`WireError` whose message begins with the path of the fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from difflib import get_close_matches
from enum import Enum
from math import inf
from typing import Any, Generic, Protocol, TypeVar

from agent_judge.context import MISSING
from agent_judge.errors import ArgumentError, ArgumentTypeError, WireError
from agent_judge.frozen import MAX_INTEGER, check_text, fits_json, freeze, thaw

T = TypeVar("T")
E = TypeVar("E", bound=Enum)


class Codec(Protocol):
    """Writes one kind of value and reads it back."""

    def write(self, value: Any) -> Any:
        """The value as plain JSON."""
        ...

    def read(self, data: Any, path: str) -> Any:
        """The value that the JSON stands for.

        Raises:
            WireError: It stands for none.
        """
        ...


class Text:
    """Text that UTF-8 can carry."""

    def write(self, value: str) -> str:
        """The text itself."""
        return value

    def read(self, data: Any, path: str) -> str:
        """The text, if it is one."""
        if type(data) is not str:
            raise WireError(f"{path}: expected a string, found {brief(data)}")
        if not data.isascii():
            refused_as_wire_error(path, lambda: check_text(data, "the text"))
        return data


class Flag:
    """True or false."""

    def write(self, value: bool) -> bool:
        """The value itself."""
        return value

    def read(self, data: Any, path: str) -> bool:
        """The value, and no number in its place."""
        if type(data) is not bool:
            raise WireError(f"{path}: expected true or false, found {brief(data)}")
        return data


@dataclass(frozen=True, slots=True)
class Always:
    """A value that can be no other."""

    value: bool

    def write(self, value: bool) -> bool:
        """The value itself."""
        return value

    def read(self, data: Any, path: str) -> bool:
        """The value, where it is that one."""
        if type(data) is not bool or data is not self.value:
            raise WireError(f"{path}: can only be {self.value}, found {brief(data)}")
        return self.value


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number that every JSON reader keeps.

    Args:
        whole: Only integers.
        low: The least there may be.
        high: The most there may be.
    """

    whole: bool = False
    low: float = -inf
    high: float = inf

    def write(self, value: float) -> float:
        """The number itself."""
        return value

    def read(self, data: Any, path: str) -> Any:
        """The number, an integer where it was stored as one."""
        if type(data) is not int and (self.whole or type(data) is not float):
            name = "a whole number" if self.whole else "a number"
            raise WireError(f"{path}: expected {name}, found {brief(data)}")
        if not (fits_json(data) and self.low <= data <= self.high):
            least = "" if self.low == -inf else f" from {self.low} up"
            most = "" if self.high == inf else f" to {self.high}"
            raise WireError(f"{path}: expected a finite number{least}{most}, found {brief(data)}")
        return data


TEXT = Text()
FLAG = Flag()
NUMBER = Number()
COUNT = Number(whole=True, low=0)
AMOUNT = Number(low=0)
SHARE = Number(low=0, high=1)


@dataclass(frozen=True, slots=True)
class AnyJson:
    """Any JSON value, frozen when it is read."""

    nulls: bool = True

    def write(self, value: Any) -> Any:
        """The value in plain lists and dicts."""
        return thaw(value)

    def read(self, data: Any, path: str) -> Any:
        """The frozen value."""
        try:
            return freeze(data, path, nulls=self.nulls)
        except (ArgumentError, ArgumentTypeError) as fault:
            raise WireError(str(fault)) from None


class AnyObject(AnyJson):
    """Any JSON object, frozen when it is read."""

    __slots__ = ()

    def read(self, data: Any, path: str) -> Any:
        """The frozen object."""
        return AnyJson.read(self, expect_object(data, path), path)


@dataclass(frozen=True, slots=True)
class OneOf(Generic[E]):
    """A member of an enum, by its value."""

    kind: type[E]

    def write(self, value: E) -> Any:
        """The member's value."""
        return value.value

    def read(self, data: Any, path: str) -> E:
        """The member of that value, in that very spelling."""
        if isinstance(data, str):
            for member in self.kind:
                if member.value == data:
                    return member
        known = ", ".join(repr(member.value) for member in self.kind)
        raise WireError(f"{path}: expected one of {known}, found {brief(data)}")


@dataclass(frozen=True, slots=True)
class Many:
    """A sequence of values of one kind."""

    item: Codec

    def write(self, value: Any) -> list[Any]:
        """The values in order."""
        return [self.item.write(item) for item in value]

    def read(self, data: Any, path: str) -> tuple[Any, ...]:
        """The values in order."""
        items = expect_list(data, path)
        return tuple(self.item.read(item, f"{path}[{index}]") for index, item in enumerate(items))


@dataclass(frozen=True, slots=True)
class Converted:
    """A value with a text form of its own, such as a path or a moment."""

    to_text: Callable[[Any], str]
    from_text: Callable[[str], Any]
    name: str

    def write(self, value: Any) -> str:
        """Its text."""
        return self.to_text(value)

    def read(self, data: Any, path: str) -> Any:
        """What the text stands for."""
        text = TEXT.read(data, path)
        try:
            return self.from_text(text)
        except ValueError as fault:
            raise WireError(f"{path}: expected {self.name}, found {brief(data)}: {fault}") from None


class Later:
    """A codec that is defined further down, for records that hold their own kind."""

    def __init__(self, find: Callable[[], Codec]) -> None:
        self._find = find

    def write(self, value: Any) -> Any:
        """As the codec does."""
        return self._find().write(value)

    def read(self, data: Any, path: str) -> Any:
        """As the codec does."""
        return self._find().read(data, path)


class Record(Generic[T]):
    """A record, field by field, in order. A field that is `None` or `MISSING` is not written.

    Those that the class gives one of these by default may be absent.

    Args:
        kind: The class.
        optional: Names of further fields that may be absent.
        fields: A codec for each field.
    """

    def __init__(self, kind: type[T], optional: tuple[str, ...] = (), **fields: Codec) -> None:
        self.kind = kind
        self._optional = {*optional, *_without_value(kind)}
        self._fields = fields

    def write(self, value: T) -> dict[str, Any]:
        """The fields that have a value."""
        written: dict[str, Any] = {}
        for name, codec in self._fields.items():
            held = getattr(value, name)
            if held is MISSING or (held is None and not isinstance(codec, AnyJson)):
                continue
            written[name] = codec.write(held)
        return written

    def read(self, data: Any, path: str) -> T:
        """The record, refused where its own rules refuse it."""
        fields = self.read_fields(data, path)
        return refused_as_wire_error(path, lambda: self.kind(**fields))

    def read_fields(self, data: Any, path: str) -> dict[str, Any]:
        """The fields, all of them known and none missing."""
        given = expect_object(data, path)
        self._refuse_unknown(given, path)
        for name in self._fields:
            if name not in given and name not in self._optional:
                raise WireError(f"{path}.{name}: missing")
        return {
            name: self._fields[name].read(value, f"{path}.{name}") for name, value in given.items()
        }

    def _refuse_unknown(self, given: Mapping[str, Any], path: str) -> None:
        for name in given:
            if name not in self._fields:
                near = get_close_matches(name, self._fields, 1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                raise WireError(f"{path}.{step(name)}: unknown{hint}")


def _without_value(kind: type) -> Iterator[str]:
    """The fields of a class that have no value by default."""
    if is_dataclass(kind):
        for field in fields(kind):
            if field.default is None or field.default is MISSING:
                yield field.name


def expect_list(data: Any, path: str) -> list[Any]:
    """The data as a JSON list.

    Raises:
        WireError: It is something else.
    """
    if not isinstance(data, list):
        raise WireError(f"{path}: expected a list, found {brief(data)}")
    given: list[Any] = _plain(data)
    return given


def expect_object(data: Any, path: str) -> Mapping[str, Any]:
    """The data as a JSON object.

    Raises:
        WireError: It is something else.
    """
    if not isinstance(data, Mapping):
        raise WireError(f"{path}: expected an object, found {brief(data)}")
    given: Mapping[Any, Any] = _plain(data)
    for key in given:
        if type(key) is not str:
            raise WireError(f"{path}: has the key {brief(key)}; keys are strings")
    return given


def refused_as_wire_error(path: str, build: Callable[[], T]) -> T:
    """What `build` makes; its refusal of a value becomes a refusal of the stored data."""
    try:
        return build()
    except (ArgumentError, ArgumentTypeError) as fault:
        raise WireError(f"{path}: {fault}") from None


def _plain(data: Any) -> Any:
    """The same value, of which nothing is known."""
    return data


def brief(data: object) -> str:
    """Data of any kind in a few printable words, for a message."""
    if data is None:
        return "null"
    if isinstance(data, bool | float):
        return repr(data)
    if isinstance(data, int):
        return str(data) if abs(data) <= MAX_INTEGER else "a huge integer"
    if isinstance(data, str):
        return ascii(data[:80])
    if isinstance(data, list | tuple):
        return "a list"
    return "an object" if isinstance(data, Mapping) else f"a {type(data).__name__}"


def step(key: str) -> str:
    """A key as part of a path; what could act on a terminal is escaped."""
    return key[:80] if key.isprintable() else ascii(key[:80])[1:-1]
