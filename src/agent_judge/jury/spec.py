"""How configuration would write a judge or a strategy: its type, and what it was told.

A shipped class has a type of its own. Anything else is named as `module:attribute`, where a module
holds it under that very name. What cannot be named, such as a lambda, has no such form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from pathlib import PurePath
from typing import Any, Final, TypeAlias, cast

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import FrozenMap, Json, freeze
from agent_judge.jury.rules import is_built_in, strategy_name
from agent_judge.protocol import FunctionJudge, Judge, JudgeMetadata

Spec: TypeAlias = Mapping[str, Json]
"""A type, and the options that are not the default ones."""

SAID_OF_JUDGES: Final[Mapping[str, type]] = {
    "type": str,
    "name": str,
    "deadline": float,
    "negate": bool,
    "weight": float,
}
"""What configuration says of any judge, beside the options of its type."""

_SHIPPED: Final = tuple(
    f"{__name__.partition('.')[0]}.{part}." for part in ("judges", "llm", "rag")
)
"""Where the classes are that configuration knows by their type."""


def spec_of_judge(judge: Judge, metadata: JudgeMetadata) -> Spec | None:
    """A judge that is not made of judges, where configuration can name it."""
    if isinstance(judge, FunctionJudge):
        return _spec(name_in_module(judge.function, held=judge), {})
    if not is_dataclass(judge):
        return _spec(name_in_module(judge), {})
    options = _options(judge)
    if options is None or options.keys() & SAID_OF_JUDGES.keys():
        return None
    # A class of one's own is named by its module, also where it inherits the type of another.
    shipped = type(judge).__module__.startswith(_SHIPPED)
    return _spec(metadata.type if shipped else name_in_module(type(judge)), options)


def spec_of_strategy(strategy: object) -> Spec | None:
    """A voting strategy, where configuration can name it."""
    if is_built_in(strategy):
        return _spec(strategy_name(strategy), strategy.options)
    if not is_dataclass(strategy):
        return _spec(name_in_module(strategy), {})
    options = _options(strategy)
    if options is None or "type" in options:
        return None
    return _spec(name_in_module(type(strategy)), options)


def name_in_module(thing: Any, *, held: object = None) -> str | None:
    """`module:attribute`, where that is what the module holds.

    Args:
        thing: A function or class, which knows its module and name.
        held: What the module holds there, where that wraps the thing.
    """
    import sys

    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", "")
    if not isinstance(module, str) or module == "__main__":
        return None
    there: object = getattr(sys.modules.get(module), name, None)
    return f"{module}:{name}" if there is (thing if held is None else held) else None


def _spec(name: str | None, options: Spec) -> Spec | None:
    return FrozenMap({"type": name, **options}) if name else None


def _options(instance: Any) -> Spec | None:
    """The options of a dataclass that are not the default ones; nothing where JSON has no such."""
    try:
        return {name: freeze(value, name) for name, value in _told(instance)}
    except (ArgumentError, ArgumentTypeError):
        return None


def _told(record: Any) -> Iterator[tuple[str, object]]:
    """What a record was told: its fields that differ from their defaults."""
    for field in fields(record):
        value: object = getattr(record, field.name)
        if field.init and value != _default(field):
            yield field.name, _plain(value, field.type)


def _default(field: Field[Any]) -> object:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _plain(value: Any, annotation: object) -> object:
    """The value as configuration gives it to an option that is annotated so."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, PurePath) and "Path" in str(annotation):
        return str(value)
    if isinstance(value, frozenset | set):
        return sorted(cast("frozenset[str]", value))
    if isinstance(value, Mapping):
        items = cast("Mapping[Any, object]", value).items()
        return {key: _plain(item, annotation) for key, item in items}
    if isinstance(value, tuple):
        return tuple(_plain(item, annotation) for item in cast("tuple[object, ...]", value))
    return _plain_object(value)


def _plain_object(value: Any) -> object:
    """An object by the name that configuration knows it by, or as the table that makes it."""
    name = getattr(value, "configured_as", None)
    record = is_dataclass(value) and not isinstance(value, type)
    if isinstance(name, str):
        return {"type": name, **dict(_told(value))} if record else name
    return dict(_told(value)) if record and not callable(value) else value
