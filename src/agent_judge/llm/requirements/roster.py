"""A roster of requirements: what a document demands, and what of it could not be read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from typing import Final, cast

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.frozen import check_text


class Level(Enum):
    """How strongly something is demanded (RFC 2119).

    MUST: required, or forbidden. SHOULD: recommended, or advised against. MAY: allowed.
    """

    MUST = "MUST"
    SHOULD = "SHOULD"
    MAY = "MAY"


class Pattern(Enum):
    """The patterns of EARS (Mavin et al., Easy Approach to Requirements Syntax, RE 2009).

    UBIQUITOUS: always. EVENT: WHEN something happens. STATE: WHILE something is so. UNWANTED: IF
    something unwanted happens, THEN. OPTIONAL: WHERE a feature is there. COMPLEX: several of them.
    """

    UBIQUITOUS = "ubiquitous"
    EVENT = "event"
    STATE = "state"
    UNWANTED = "unwanted"
    OPTIONAL = "optional"
    COMPLEX = "complex"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One thing that is demanded.

    Args:
        id: Its identifier, from the document, or else its place in it.
        text: What is demanded.
        line: Where it stands in the document, counted from 1.
        level: How strongly.
        keyword: The word that says so, as it is written.
        pattern: Its pattern in EARS; `None` where it is not of EARS.
    """

    id: str
    text: str
    line: int
    level: Level = Level.MUST
    keyword: str = "shall"
    pattern: Pattern | None = None

    @property
    def name(self) -> str:
        """Its identifier, and its key word where that says how strong it is."""
        return self.id if self.pattern is not None else f"{self.id} [{self.keyword}]"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """What a document declares to be a requirement, and what cannot be read as one.

    Args:
        text: How it is declared.
        line: Where, counted from 1.
        reason: Why it cannot be read.
    """

    text: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text!r:.80}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Roster:
    """The requirements of a document.

    Args:
        requirements: Those that were read, in their order.
        unreadable: Those that were declared and could not be read.
        digest: The SHA-256 of the document, in hexadecimal.
    """

    requirements: tuple[Requirement, ...]
    unreadable: tuple[Unreadable, ...] = ()
    digest: str = ""

    @property
    def declared(self) -> int:
        """How many requirements the document declares."""
        return self.parsed + len(self.unreadable)

    @property
    def parsed(self) -> int:
        """How many of them were read."""
        return len(self.requirements)


MAX_DOCUMENT: Final = 1_000_000
"""The most characters that a document may have."""


def check_document(document: object) -> str:
    """Refuse what is no text, or too long a one.

    Raises:
        ArgumentError: It has more than `MAX_DOCUMENT` characters.
        ArgumentTypeError: It is no text.
    """
    check_text(document, "document")
    text = str(document)
    if len(text) > MAX_DOCUMENT:
        raise ArgumentError(
            f"a document of requirements has at most {MAX_DOCUMENT:,} characters, got {len(text):,}"
        )
    return text


def make_roster(
    document: str, requirements: Iterable[Requirement], unreadable: Iterable[Unreadable]
) -> Roster:
    """A roster in the order of the document, each identifier once.

    Of two requirements with the same identifier the second gets `#2` behind it.
    """
    seen: dict[str, int] = {}
    kept: list[Requirement] = []
    for one in requirements:
        seen[one.id] = count = seen.get(one.id, 0) + 1
        name = one.id if count == 1 else f"{one.id}#{count}"
        kept.append(
            one
            if name == one.id
            else Requirement(name, one.text, one.line, one.level, one.keyword, one.pattern)
        )
    faults = tuple(sorted(unreadable, key=lambda fault: fault.line))
    return Roster(tuple(kept), faults, sha256(document.encode()).hexdigest())


def check_levels(levels: object) -> tuple[Level, ...]:
    """Levels, from themselves or from their names.

    Raises:
        ArgumentError: None is named, or one that there is not.
        ArgumentTypeError: They are no sequence.
    """
    if isinstance(levels, str) or not isinstance(levels, Iterable):
        raise ArgumentTypeError(f"rejects must be a sequence of levels, not {levels!r:.80}")
    kept: list[Level] = []
    for level in cast("Iterable[object]", levels):
        try:
            kept.append(Level(level))
        except ValueError:
            raise ArgumentError(
                f"rejects names {level!r:.40}, which is not MUST, SHOULD or MAY"
            ) from None
    if not kept:
        raise ArgumentError("rejects is empty: no violation would ever be one; name 'MUST'")
    return tuple(dict.fromkeys(kept))
