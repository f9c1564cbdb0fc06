"""JSON as the standard has it: UTF-8, no NaN, no key twice."""

from __future__ import annotations

import json
from typing import Any

from agent_judge.errors import WireError
from agent_judge.wire.codecs import brief


def parse_json(raw: bytes, place: str) -> Any:
    """Strict JSON: UTF-8, no NaN, no key twice.

    Raises:
        WireError: It is not; the message begins with the place.
    """
    try:
        return json.loads(
            raw.decode("utf-8-sig"), object_pairs_hook=_once, parse_constant=_no_constant
        )
    except RecursionError:
        raise WireError(f"{place}: nests too deep") from None
    except ValueError as fault:
        raise WireError(f"{place}: is not JSON: {fault}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for key, value in pairs:
        if key in read:
            raise ValueError(f"the key {brief(key)} is there twice")
        read[key] = value
    return read


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
