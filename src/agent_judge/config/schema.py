"""The JSON Schema of a configuration, made from the registry."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Collection, Mapping, Sequence
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from agent_judge.config.build import COMBINATORS, STAGES
from agent_judge.config.registry import BUILT_IN, find_judge
from agent_judge.jury.gates import TierPolicy
from agent_judge.jury.strategies import BUILT_IN as STRATEGIES

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def configuration_schema() -> dict[str, Any]:
    """A JSON Schema (2020-12) that every configuration of shipped judges is valid against.

    Judges and strategies of one's own, named as `module:attribute`, take any options.
    """
    return {
        "$schema": DIALECT,
        "title": "Agent Judge configuration",
        "type": "object",
        "allOf": [{"$ref": "#/$defs/stage"}],
        "properties": {"python_path": {"type": "array", "items": {"type": "string"}}},
        "$defs": {
            "stage": _stage(),
            "tier": _tier(),
            "strategy": _strategy(),
            "judge": _judge(),
        },
    }


def _stage() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 64},
            "judges": _list_of("judge"),
            "tiers": _list_of("tier"),
            "members": {
                "type": "object",
                "minProperties": 1,
                "additionalProperties": {"$ref": "#/$defs/stage"},
            },
            "strategy": {"$ref": "#/$defs/strategy"},
            "timeout": {"type": "number", "exclusiveMinimum": 0},
            "parallel": {"type": "boolean"},
            "status_gate": {"type": "boolean"},
            "stop_when_decided": {"type": "boolean"},
            "dedupe": {"type": "boolean"},
            "weights": {"type": "object", "additionalProperties": {"type": "number"}},
            "concurrency": {
                "type": "object",
                "propertyNames": {"enum": ["file", "command", "model"]},
                "additionalProperties": {"type": "integer", "minimum": 1},
            },
            "max_depth": {"type": "integer", "minimum": 1},
            "max_stages": {"type": "integer", "minimum": 1},
        },
        "oneOf": [{"required": [kind]} for kind in ("judges", "tiers", "members")],
    }


def _tier() -> dict[str, Any]:
    return {
        "allOf": [{"$ref": "#/$defs/stage"}],
        "properties": {
            "policy": {"enum": [policy.value for policy in TierPolicy]},
            "on_error": {"enum": ["hold", "waive"]},
        },
        "required": ["name"],
    }


def _strategy() -> dict[str, Any]:
    names = list(STRATEGIES)
    own = {"type": "string", "pattern": ":"}
    tables = [
        {
            "properties": {"type": {"const": name}, **_options(strategy)},
            "required": ["type"],
            "additionalProperties": False,
        }
        for name, strategy in STRATEGIES.items()
    ]
    return {"anyOf": [{"enum": names}, own, {"type": "object", "oneOf": tables}]}


def _judge() -> dict[str, Any]:
    said = {
        "name": {"type": "string", "minLength": 1, "maxLength": 64},
        "weight": {"type": "number", "minimum": 0},
        "deadline": {"type": "number", "exclusiveMinimum": 0},
        "negate": {"type": "boolean"},
    }
    shipped = [_shipped(name, said) for name in BUILT_IN]
    combined: list[dict[str, Any]] = [
        {
            "properties": {"type": {"const": name}, "judges": _list_of("judge"), **said},
            "required": ["type", "judges"],
            "additionalProperties": False,
        }
        for name in COMBINATORS
    ]
    stages = {"properties": {"type": {"enum": list(STAGES)}, **said}, "$ref": "#/$defs/stage"}
    own = {"properties": {"type": {"type": "string", "pattern": ":"}, **said}}
    return {
        "type": "object",
        "required": ["type"],
        "oneOf": [*shipped, *combined, {**stages, "required": ["type"]}, own],
    }


def _shipped(name: str, said: Mapping[str, Any]) -> dict[str, Any]:
    factory = find_judge(name)
    parameters = inspect.signature(factory).parameters
    needed = [key for key, p in parameters.items() if p.default is inspect.Parameter.empty]
    return {
        "description": (inspect.getdoc(factory) or "").partition("\n")[0],
        "properties": {"type": {"const": name}, **_options(factory), **said},
        "required": ["type", *needed],
        "additionalProperties": False,
    }


def _options(factory: Any) -> dict[str, Any]:
    return {
        name: _type(_hint(factory, parameter.annotation))
        for name, parameter in inspect.signature(factory).parameters.items()
    }


def _hint(factory: Any, annotation: Any) -> Any:
    """The type that an annotation names; `None` where it can only be read by a type checker."""
    holder = type("Holder", (), {"__annotations__": {"hint": annotation}})
    try:
        return get_type_hints(holder, vars(sys.modules[factory.__module__]))["hint"]
    except (NameError, TypeError):
        return None


_SIMPLE: Final[Mapping[object, dict[str, Any]]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
}


def _type(hint: Any) -> dict[str, Any]:
    """What JSON a parameter takes; anything where its annotation does not say."""
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    origin = get_origin(hint)
    if origin is Literal:
        return {"enum": list(get_args(hint))}
    if origin in (Union, UnionType):
        return {"anyOf": [_type(part) for part in get_args(hint) if part is not type(None)]}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object"}
    if isinstance(origin, type) and issubclass(origin, Sequence | Collection):
        items = [part for part in get_args(hint) if part is not ...]
        return {"type": "array", "items": _type(items[0])} if items else {"type": "array"}
    return {}


def _list_of(definition: str) -> dict[str, Any]:
    return {"type": "array", "minItems": 1, "items": {"$ref": f"#/$defs/{definition}"}}
