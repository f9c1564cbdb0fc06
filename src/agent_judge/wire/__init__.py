"""Records to JSON and back, versioned, and strict when reading.

    {"format": 1, "kind": "judgment", "status": "pass", ...}

Python class names never appear, keys come in a fixed order, and what has no value has no key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from agent_judge.errors import ArgumentTypeError, UnsupportedVersionError, WireError
from agent_judge.jury.verdict import Seat, StageAttempt, Verdict
from agent_judge.wire.codecs import Codec, brief, expect_object
from agent_judge.wire.records import CODECS
from agent_judge.wire.verify import is_verifiable, verify

__all__ = ["FORMAT", "from_dict", "is_verifiable", "to_dict"]

T = TypeVar("T")

FORMAT: Final = 1
"""The version of the stored form that this release writes."""

_MIGRATIONS: Final[Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]] = {}
"""For each older version, what makes the next one of it."""


def to_dict(record: object) -> dict[str, Any]:
    """A record as plain JSON values, ready for `json.dumps`.

    A verdict says whether it is `verifiable`: whether `from_dict` can count all of it again.

    Raises:
        ArgumentTypeError: It is not a record that is stored.
        ArgumentError: A workspace whose name is no text.

    Example:
        >>> from agent_judge import Judgment, to_dict
        >>> stored = to_dict(Judgment.passing("ok"))
        >>> stored["kind"], stored["status"]
        ('judgment', 'pass')
    """
    kind, codec = _codec_of(type(record))
    written = {"format": FORMAT, "kind": kind, **codec.write(record)}
    if isinstance(record, Verdict):
        written["verifiable"] = is_verifiable(record)
    return written


def from_dict(cls: type[T], data: Mapping[str, Any]) -> T:
    """Read a record back.

    A verdict that follows from its seats, by a built-in strategy or the rules of a cascade, is
    counted again, and refused when its status, score, checks or counts differ. A judgment by
    itself has no seats; its evidence is refused when it has another form than the library gives
    it, does not add up, or contradicts the status.

    Raises:
        WireError: A field is missing, unknown or wrong; the message begins with its path.
        UnsupportedVersionError: The stored form is of a version that is not known.
        ArgumentTypeError: `cls` is not a record that is stored.

    Example:
        >>> from agent_judge import Judgment, from_dict, to_dict
        >>> from_dict(Judgment, to_dict(Judgment.passing("ok"))).passed
        True
    """
    kind, codec = _codec_of(cls)
    body = _current(dict(expect_object(data, kind)), kind)
    found = body.pop("kind", None)
    if found != kind:
        raise WireError(f"{kind}.kind: expected {kind!r}, found {brief(found)}")
    claimed = body.pop("verifiable", None) if cls is Verdict else None
    try:
        record: T = codec.read(body, kind)
        if isinstance(record, Verdict):
            _check_claim(record, claimed)
            verify(record, kind)
        elif isinstance(record, Seat | StageAttempt) and record.verdict is not None:
            verify(record.verdict, f"{kind}.verdict")
    except RecursionError:
        raise WireError(f"{kind}: nests too deep to be read") from None
    return record


def _codec_of(cls: type) -> tuple[str, Codec]:
    known = CODECS.get(cls)
    if known is None:
        kinds = ", ".join(record.__name__ for record in CODECS)
        raise ArgumentTypeError(f"a {cls.__name__} is not stored by itself; known are {kinds}")
    return known


def _current(data: dict[str, Any], kind: str) -> dict[str, Any]:
    """The data in this release's format, by way of every version between."""
    version = data.pop("format", None)
    if type(version) is not int:
        raise WireError(
            f"{kind}.format: expected the version of the format, found {brief(version)}"
        )
    while version != FORMAT:
        migrate = _MIGRATIONS.get(version)
        if migrate is None:
            raise UnsupportedVersionError(
                f"{kind}.format: version {brief(version)} cannot be read; "
                f"this release reads {FORMAT}"
            )
        data, version = migrate(data), version + 1
    return data


def _check_claim(verdict: Verdict, claimed: object) -> None:
    if claimed is not is_verifiable(verdict):
        raise WireError(f"verdict.verifiable: is {brief(claimed)}, which it is not")
