"""How configuration would write a judge or a strategy: its type, and what it was told.

A shipped class has a type of its own. Anything else is named as `module:attribute`, where a module
holds it under that very name. What cannot be named, such as a lambda, has no such form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import PurePath
from typing import Any, Final, TypeAlias, cast

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import FrozenMap, Json, freeze
from agent_judge.jury.strategies import is_built_in, strategy_name
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

_SHIPPED: Final = tuple(f"{__name__.partition('.')[0]}.{part}." for part in ("judges", "llm"))
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
        return {
            field.name: freeze(_plain(getattr(instance, field.name), field.type), field.name)
            for field in fields(instance)
            if field.init and getattr(instance, field.name) != field.default
        }
    except (ArgumentError, ArgumentTypeError):
        return None


def _plain(value: object, annotation: object) -> object:
    """The value as configuration gives it to an option that is annotated so."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, PurePath) and "Path" in str(annotation):
        return str(value)
    if isinstance(value, frozenset | set):
        return sorted(cast("frozenset[str]", value))
    return value
