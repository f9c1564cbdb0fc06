"""The JSON Schema of a configuration, made from the classes that configuration builds."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import is_dataclass
from enum import Enum
from pathlib import PurePath
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, cast, get_args, get_origin

from agent_judge.config.asking import CLASSIFIERS
from agent_judge.config.builder import (
    COMBINATORS,
    STAGES,
    WRAPPERS,
    stage_options,
    wrapper_options,
)
from agent_judge.config.maker import GATES
from agent_judge.config.models import ModelTable
from agent_judge.config.options import FUNCTIONS, Option, is_model, options_of
from agent_judge.config.registry import BUILT_IN, entry_points, find_judge
from agent_judge.jury.gates import Confidence, TierPolicy
from agent_judge.jury.population import VotingStrategy
from agent_judge.jury.spec import SAID_OF_JUDGES
from agent_judge.jury.strategies import BUILT_IN as STRATEGIES
from agent_judge.llm import PromptTemplate
from agent_judge.protocol import MAX_NAME, Judge

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

NAME: Final = {"type": "string", "minLength": 1, "maxLength": MAX_NAME}
SECONDS: Final = {"type": "number", "exclusiveMinimum": 0}
OWN: Final = {"type": "string", "pattern": ":"}
"""A judge or strategy of one's own, as `module:attribute`."""


def configuration_schema() -> dict[str, Any]:
    """A JSON Schema (2020-12) that every configuration is valid against.

    What is told to a judge or strategy of one's own, or to one that another distribution
    announces, is not looked at.
    """
    return {
        "$schema": DIALECT,
        "title": "Agent Judge configuration",
        "type": "object",
        "properties": {
            "python_path": {"type": "array", "items": {"type": "string"}},
            "juries": _table_of({"$ref": "#/$defs/stage"}),
            "model": {"type": "string", "minLength": 1},
            "models": {"type": "object", "additionalProperties": _record(options_of(ModelTable))},
        },
        "if": {"anyOf": [{"required": [kind]} for kind in STAGES.values()]},
        "then": {"$ref": "#/$defs/parts"},
        "else": {"required": ["juries"]},
        "unevaluatedProperties": False,
        "$defs": {
            "stage": {"$ref": "#/$defs/parts", "unevaluatedProperties": False},
            "parts": {"oneOf": [_stage(kind) for kind in STAGES.values()]},
            "tier": _tier(),
            "strategy": _strategy(),
            "judge": _judge(weighs=True),
            "combined": _judge(weighs=False),
        },
    }


def _stage(kind: str) -> dict[str, Any]:
    parts = {
        "judges": _list_of("judge"),
        "tiers": _list_of("tier"),
        "members": _table_of({"$ref": "#/$defs/stage"}),
    }
    properties = _properties(stage_options(kind))
    known = {"name": NAME, "timeout": SECONDS}
    others = {other: False for other in parts if other != kind}
    return {
        "type": "object",
        "properties": {**properties, **known, kind: parts[kind], **others},
        "required": [kind],
    }


def _tier() -> dict[str, Any]:
    rules = [_built(name, gate, {}) for name, gate in GATES.items()]
    return {
        "$ref": "#/$defs/parts",
        "properties": {
            "name": NAME,
            "jury_name": NAME,
            "policy": {"anyOf": [{"enum": [policy.value for policy in TierPolicy]}, *rules]},
            "on_error": {"enum": ["hold", "waive"]},
        },
        "required": ["name"],
        "unevaluatedProperties": False,
    }


def _strategy() -> dict[str, Any]:
    shipped = [_built(name, strategy, {}) for name, strategy in STRATEGIES.items()]
    own = {"type": "object", "properties": {"type": OWN}, "required": ["type"]}
    return {"anyOf": [{"enum": list(STRATEGIES)}, OWN, *shipped, own]}


def _judge(*, weighs: bool) -> dict[str, Any]:
    said: dict[str, Any] = {"name": NAME, "deadline": SECONDS, "negate": {"type": "boolean"}}
    if weighs:
        said["weight"] = {"type": "number", "minimum": 0}
    assert {"type", "weight", *said} == set(SAID_OF_JUDGES)
    shipped = [_built(name, find_judge(name), said) for name in BUILT_IN]
    combined = [
        {
            "properties": {"type": {"const": name}, "judges": _list_of("combined"), **said},
            "required": ["type", "judges"],
            "additionalProperties": False,
        }
        for name in COMBINATORS
    ]
    wrapped = [_wrapped(name, said) for name in WRAPPERS]
    juries = [
        {
            "$ref": "#/$defs/parts",
            "properties": {"type": {"const": name}, "jury_name": NAME, **said},
            "required": ["type", key],
            "unevaluatedProperties": False,
        }
        for name, key in STAGES.items()
    ]
    others = {"anyOf": [OWN, {"enum": sorted({*entry_points()} - {*BUILT_IN})}]}
    own = {"properties": {"type": others, **said, **({} if weighs else {"weight": False})}}
    return {
        "type": "object",
        "required": ["type"],
        "oneOf": [*shipped, *combined, *wrapped, *juries, own],
    }


def _wrapped(name: str, said: Mapping[str, Any]) -> dict[str, Any]:
    options = {"judge": {"$ref": "#/$defs/combined"}, **_properties(wrapper_options(name))}
    return {
        "properties": {"type": {"const": name}, **options, **said},
        "required": ["type", *options],
        "additionalProperties": False,
    }


def _built(name: str, factory: Callable[..., object], said: Mapping[str, Any]) -> dict[str, Any]:
    """What builds a class: its type, its options, and nothing that nobody knows."""
    options = options_of(factory)
    return {
        "description": (inspect.getdoc(factory) or "").partition("\n")[0],
        "type": "object",
        "properties": {"type": {"const": name}, **_properties(options), **said},
        "required": ["type", *_required(options)],
        "additionalProperties": False,
    }


def _required(options: Mapping[str, Option]) -> list[str]:
    """The options that must be given; the model may also stand at the top of the file."""
    return [name for name, option in options.items() if option.needed and not is_model(option.hint)]


def _properties(options: Mapping[str, Option]) -> dict[str, Any]:
    return {name: type_schema(option.hint) for name, option in options.items()}


_PLAIN: Final[Mapping[object, str]] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    NoneType: "null",
}


def type_schema(hint: Any) -> Any:
    """The JSON that an option of a type takes; anything where the type does not say."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is VotingStrategy:
        return {"$ref": "#/$defs/strategy"}
    if hint == Confidence:
        return OWN
    if hint is Judge:
        return {"$ref": "#/$defs/combined"}
    if is_model(hint):
        return {"type": "string", "minLength": 1}
    if isinstance(hint, type) and hint in CLASSIFIERS:
        return _classifier(CLASSIFIERS[hint])
    if origin is Annotated:
        return type_schema(arguments[0])
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, UnionType):
        return _any_of(map(type_schema, arguments))
    kind = origin or hint
    return _class_schema(kind, arguments) if isinstance(kind, type) else True


def _any_of(schemas: Iterable[Any]) -> Any:
    choices = list(schemas)
    return True if True in choices else {"anyOf": choices}


def _class_schema(kind: type, arguments: tuple[Any, ...]) -> Any:
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    if kind in FUNCTIONS:
        return False
    if issubclass(kind, Enum):
        return {"enum": [member.value for member in kind]}
    if issubclass(kind, PurePath):
        return {"type": "string"}
    if is_dataclass(record := cast("type[Any]", kind)):
        return _prompt() if record is PromptTemplate else _record(options_of(record))
    if issubclass(kind, Mapping):
        values = type_schema(arguments[1]) if arguments else True
        return {"type": "object", "additionalProperties": values}
    if issubclass(kind, Collection):
        return _array(arguments, fixed=kind is tuple)
    return True


def _classifier(known: Mapping[str, type]) -> dict[str, Any]:
    made = [_built(name, classifier, {}) for name, classifier in known.items()]
    return {"anyOf": [{"enum": list(known)}, *made]}


def _prompt() -> dict[str, Any]:
    """A prompt as a table, of its text or of its file."""
    options = _properties(options_of(PromptTemplate))
    return {
        "type": "object",
        "properties": {**options, "file": {"type": "string", "minLength": 1}},
        "oneOf": [{"required": ["text"]}, {"required": ["file"]}],
        "additionalProperties": False,
    }


def _record(options: Mapping[str, Option]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": _properties(options),
        "required": _required(options),
        "additionalProperties": False,
    }


def _array(arguments: tuple[Any, ...], *, fixed: bool) -> dict[str, Any]:
    if fixed and arguments and ... not in arguments:
        items = [type_schema(argument) for argument in arguments]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
    return {"type": "array", "items": type_schema(arguments[0]) if arguments else True}


def _table_of(schema: Any) -> dict[str, Any]:
    return {"type": "object", "minProperties": 1, "additionalProperties": schema}


def _list_of(definition: str) -> dict[str, Any]:
    return {"type": "array", "minItems": 1, "items": {"$ref": f"#/$defs/{definition}"}}
