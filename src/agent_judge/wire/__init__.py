"""Records to JSON and back, versioned, and strict when reading.

    {"format": 1, "kind": "judgment", "status": "pass", ...}

Python class names never appear, keys come in a fixed order, and what has no value has no key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from agent_judge.errors import ArgumentTypeError, UnsupportedVersionError, WireError
from agent_judge.jury.verdict import Verdict
from agent_judge.wire.codecs import expect_object
from agent_judge.wire.records import BY_KIND, KIND_OF
from agent_judge.wire.verify import is_verifiable, verify

__all__ = ["FORMAT", "from_dict", "to_dict"]

T = TypeVar("T")

FORMAT: Final = 1
"""The version of the stored form that this release writes."""

_MIGRATIONS: Final[Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]] = {}
"""For each older version, what makes the next one of it."""


def to_dict(record: object) -> dict[str, Any]:
    """A record as plain JSON values, ready for `json.dumps`.

    A verdict says whether it is `verifiable`: whether `from_dict` can count it again.

    Raises:
        ArgumentTypeError: It is not a record that is stored.

    Example:
        >>> from agent_judge import Judgment, to_dict
        >>> stored = to_dict(Judgment.passing("ok"))
        >>> stored["kind"], stored["status"]
        ('judgment', 'pass')
    """
    kind = KIND_OF.get(type(record))
    if kind is None:
        raise ArgumentTypeError(
            f"a {type(record).__name__} is not stored by itself; known are {sorted(BY_KIND)}"
        )
    written = {"format": FORMAT, "kind": kind, **_body(kind, record)}
    if isinstance(record, Verdict):
        written["verifiable"] = is_verifiable(record)
    return written


def from_dict(cls: type[T], data: Mapping[str, Any]) -> T:
    """Read a record back.

    A verdict that a built-in strategy gave is counted again from its seats, and refused when its
    status, score or counts differ.

    Raises:
        WireError: A field is missing, unknown or wrong; the message begins with its path.
        UnsupportedVersionError: The stored form is of a version that is not known.
        ArgumentTypeError: `cls` is not a record that is stored.

    Example:
        >>> from agent_judge import Judgment, from_dict, to_dict
        >>> from_dict(Judgment, to_dict(Judgment.passing("ok"))).passed
        True
    """
    kind = KIND_OF.get(cls)
    if kind is None:
        raise ArgumentTypeError(f"a {cls.__name__} is not stored by itself")
    body = _current(dict(expect_object(data, kind)), kind)
    found = body.pop("kind", None)
    if found != kind:
        raise WireError(f"{kind}.kind: expected {kind!r}, found {found!r:.80}")
    claimed = body.pop("verifiable", None) if cls is Verdict else None
    record: T = _read(kind, body)
    if isinstance(record, Verdict):
        _check_claim(record, claimed)
        verify(record, kind)
    return record


def _body(kind: str, record: object) -> dict[str, Any]:
    written: dict[str, Any] = BY_KIND[kind].write(record)
    return {"score": written} if kind.endswith("_score") else written


def _read(kind: str, body: dict[str, Any]) -> Any:
    try:
        if kind.endswith("_score"):
            return BY_KIND[kind].read(body.get("score"), f"{kind}.score")
        return BY_KIND[kind].read(body, kind)
    except RecursionError:
        raise WireError(f"{kind}: nests too deep to be read") from None


def _current(data: dict[str, Any], kind: str) -> dict[str, Any]:
    """The data in this release's format, by way of every version between."""
    version = data.pop("format", None)
    if type(version) is not int:
        raise WireError(f"{kind}.format: expected the version of the format, found {version!r:.80}")
    while version != FORMAT:
        migrate = _MIGRATIONS.get(version)
        if migrate is None:
            raise UnsupportedVersionError(
                f"{kind}.format: version {version} cannot be read; this release reads {FORMAT}"
            )
        data, version = migrate(data), version + 1
    return data


def _check_claim(verdict: Verdict, claimed: object) -> None:
    if claimed is not is_verifiable(verdict):
        raise WireError(f"verdict.verifiable: is {claimed!r:.80}, which it is not")
