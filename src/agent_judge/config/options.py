"""What a class can be told in a configuration: its options, and values as they take them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, is_dataclass
from enum import Enum
from pathlib import Path, PurePath
from types import FunctionType, NoneType, SimpleNamespace, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    TypeGuard,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from agent_judge.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Option:
    """One option.

    Attributes:
        name: What it is called.
        hint: The type it is annotated with; `Any` where that cannot be found out.
        default: What it is unless given.
        needed: Whether it must be given.
    """

    name: str
    hint: Any
    default: object = None
    needed: bool = False


def options_of(factory: Callable[..., object]) -> dict[str, Option]:
    """The options of a class, by name, in their order."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {
        name: Option(
            name,
            _hint(factory, parameter.annotation),
            parameter.default,
            needed=parameter.default is inspect.Parameter.empty,
        )
        for name, parameter in inspect.signature(factory).parameters.items()
        if parameter.kind in kinds
    }


def _hint(factory: Callable[..., object], annotation: object) -> Any:
    if annotation is inspect.Parameter.empty:
        return Any
    where: Any = factory
    known = getattr(where.__init__ if isinstance(factory, type) else where, "__globals__", {})
    try:
        return get_type_hints(SimpleNamespace(__annotations__={"it": annotation}), known)["it"]
    except (NameError, TypeError, AttributeError):
        return Any


def kinds_of(hint: Any) -> tuple[Any, ...]:
    """The type of an option, or each of those that it may be of."""
    if get_origin(hint) is Annotated:
        return kinds_of(get_args(hint)[0])
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def item_of(hint: Any) -> Any:
    """What a list of any length holds, of an option that takes one; else nothing."""
    arguments = get_args(hint)
    return arguments[0] if get_origin(hint) is tuple and arguments[1:] == (...,) else None


def is_model(hint: Any) -> bool:
    """Whether an option takes a model; the models are not imported to find out."""
    return any(
        getattr(kind, "__module__", "") == "agent_judge.models.model"
        and kind.__name__ == "JudgeModel"
        for kind in kinds_of(hint)
    )


def as_option(value: Any, hint: Any) -> Any:
    """A value of a configuration file, as an option of this type takes it.

    A list becomes the tuple, a string the path or the member of an enum, and a table the record,
    that is wanted. What an annotation says nothing of is left to the class.

    Raises:
        ConfigurationError: The value is of no type that the option takes.
    """
    try:
        return _fit(value, hint)
    except _UnfitError as unfit:
        raise ConfigurationError(f"expected {unfit}, found {value!r:.80}") from None


class _UnfitError(Exception):
    """A value that does not fit; the message says what would."""


_PLAIN: Final[Mapping[type, str]] = {
    str: "a string",
    int: "an integer",
    float: "a number",
    bool: "true or false",
    NoneType: "null",
}


FUNCTIONS: Final[tuple[object, ...]] = (Callable, FunctionType)


def _fit(value: Any, hint: Any) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _fit(value, arguments[0])
    if origin is Literal:
        return _one_of(value, {choice: choice for choice in arguments})
    if origin in (Union, UnionType):
        return _fit_any(value, arguments)
    kind = origin or hint
    return _fit_class(value, kind, arguments) if isinstance(kind, type) else value


def _fit_class(value: Any, kind: type, arguments: tuple[Any, ...]) -> Any:
    if kind in _PLAIN:
        if type(value) is kind or (kind is float and type(value) is int):
            return value
        raise _UnfitError(_PLAIN[kind])
    if kind in FUNCTIONS:
        raise _UnfitError("a function, which only Python can give")
    if issubclass(kind, Enum):
        return _one_of(value, {member.value: member for member in kind})
    if issubclass(kind, PurePath):
        return Path(_fit(value, str))
    if is_dataclass(record := cast("type[Any]", kind)):
        return _fit_record(value, record)
    if issubclass(kind, Mapping):
        return _fit_table(value, arguments)
    if issubclass(kind, Collection):
        return _fit_list(value, cast("type[Any]", kind), arguments)
    return value


def _fit_any(value: Any, hints: tuple[Any, ...]) -> Any:
    wanted: list[str] = []
    for hint in hints:
        try:
            return _fit(value, hint)
        except _UnfitError as unfit:
            wanted.append(str(unfit))
    raise _UnfitError(" or ".join(word for word in dict.fromkeys(wanted) if word != "null"))


def _one_of(value: Any, choices: Mapping[Any, Any]) -> Any:
    for choice, meant in choices.items():
        if type(value) is type(choice) and value == choice:
            return meant
    raise _UnfitError(f"one of {', '.join(map(repr, choices))}")


def _fit_table(value: Any, arguments: tuple[Any, ...]) -> dict[str, Any]:
    if not is_table(value):
        raise _UnfitError("a table")
    of = arguments[1] if arguments else Any
    return {key: _fit(item, of) for key, item in value.items()}


def _fit_record(value: Any, kind: type[Any]) -> Any:
    """A record, from a table of what it is made of."""
    known = options_of(kind)
    if not is_table(value):
        raise _UnfitError(f"a table of {', '.join(known)}")
    for key in value:
        if key not in known:
            raise _UnfitError(f"a table of {', '.join(known)}, without {key!r}")
    for name, option in known.items():
        if option.needed and name not in value:
            raise _UnfitError(f"a table with {name!r}")
    return kind(**{key: _fit_named(key, item, known[key].hint) for key, item in value.items()})


def _fit_named(name: str, value: Any, hint: Any) -> Any:
    try:
        return _fit(value, hint)
    except _UnfitError as unfit:
        raise _UnfitError(f"as {name} {unfit}") from None


def _fit_list(value: Any, kind: type[Any], arguments: tuple[Any, ...]) -> Any:
    if not is_list(value):
        raise _UnfitError("a list")
    fixed = kind is tuple and bool(arguments) and ... not in arguments
    if fixed and len(value) != len(arguments):
        raise _UnfitError(f"a list of {len(arguments)}")
    of = arguments if fixed else (arguments[0] if arguments else Any,) * len(value)
    try:
        items = [_fit(item, hint) for item, hint in zip(value, of, strict=True)]
    except _UnfitError as unfit:
        raise _UnfitError(f"a list, and in it {unfit}") from None
    return cast("Any", kind)(items) if kind in (tuple, set, frozenset) else items


def is_table(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a value is a table."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether a value is a list."""
    return isinstance(value, list)
