"""Validating JSON against a schema, in a child process of `killable`."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import islice
from typing import Any

from jsonschema.validators import Draft202012Validator, validator_for
from jsonschema_specifications import (  # type: ignore[import-untyped]
    REGISTRY,  # pyright: ignore[reportMissingTypeStubs]
)

LIMIT = 100
"""Violations that are reported."""


def answer(request: dict[str, Any]) -> list[tuple[list[str | int], str, str]]:
    """The violations: the place of each, the keyword of the schema, and what is wrong."""
    validator = build(request["schema"], request["formats"])
    errors = islice(validator.iter_errors(request["value"]), LIMIT)
    return [(list(error.absolute_path), error.validator, error.message) for error in errors]


@lru_cache(maxsize=64)
def build(schema: str, formats: bool) -> Any:
    """The validator of a schema; the registry holds the drafts alone, and fetches nothing."""
    parsed = json.loads(schema)
    kind: Any = validator_for(parsed, Draft202012Validator)
    checker = kind.FORMAT_CHECKER if formats else None
    return kind(parsed, registry=REGISTRY, format_checker=checker)
