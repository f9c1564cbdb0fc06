"""Reading the JSON of a provider, of which nothing is taken for granted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, NoReturn, TypeAlias, TypeGuard

from agent_judge.context import MISSING, Missing
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import EMPTY, MAX_INTEGER, Json, freeze
from agent_judge.models.response import TokenLogprob

Object: TypeAlias = Mapping[str, Any]


def is_object(value: object) -> TypeGuard[Object]:
    """Whether a value is a JSON object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether a value is a JSON array."""
    return isinstance(value, list)


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a finite JSON number."""
    return (type(value) is float or type(value) is int) and isfinite(value)


def as_object(value: object) -> Object:
    """A JSON object; an empty one where it is something else."""
    return value if is_object(value) else EMPTY


def as_list(value: object) -> Sequence[Any]:
    """A JSON array; an empty one where it is something else."""
    return value if is_list(value) else ()


def as_count(value: object) -> int | None:
    """A number of tokens; `None` where it is something else, or too large to be one."""
    return value if type(value) is int and 0 <= value <= MAX_INTEGER else None


def as_text(value: object) -> str | None:
    """A string that UTF-8 can carry; `None` where it is no string.

    JSON can name half a surrogate pair; each becomes U+FFFD.
    """
    if not isinstance(value, str):
        return None
    if value.isascii():
        return value
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def read_structured(text: str) -> Json | Missing:
    """The JSON value that a text is, duplicate keys, NaN and all else that is no JSON refused."""
    try:
        return freeze(
            json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse), "structured"
        )
    except (ValueError, RecursionError, ArgumentError, ArgumentTypeError):
        return MISSING


def read_tokens(tokens: object) -> tuple[TokenLogprob, ...] | None:
    """Log-probabilities as OpenAI, Ollama and those compatible with them write them.

    A token or alternative without a finite logarithm is left out: servers write one for what
    has no probability at all.
    """
    if not is_list(tokens):
        return None
    return tuple(token for item in tokens if (token := _read_token(item)) is not None)


def _read_token(item: object) -> TokenLogprob | None:
    token = as_object(item)
    text, logprob = as_text(token.get("token")), token.get("logprob")
    if text is None or not is_number(logprob):
        return None
    alternatives = read_tokens(token.get("top_logprobs")) or ()
    return TokenLogprob(text, float(logprob), alternatives)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = dict(pairs)
    if len(keys) != len(pairs):
        raise ValueError("a key occurs twice")
    return keys


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
