"""Findings: what a model said of each criterion, and the reading of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from agent_judge.frozen import Json
from agent_judge.judgment import ReasonCode
from agent_judge.llm.criteria import Criterion
from agent_judge.llm.hearing import Unread
from agent_judge.llm.quotes import Quotable
from agent_judge.llm.reading import Fault, ObjectReading, Scale
from agent_judge.llm.reading.scores import number_of
from agent_judge.models.request import ResponseSchema
from agent_judge.scores import NumericalScore, normalize

MET: Final = "met"
UNMET: Final = "unmet"
UNDECIDED: Final = "undecided"
NOT_APPLICABLE: Final = "not_applicable"
UNANSWERED: Final = "unanswered"
"""What stands where the model gave no answer that could be read; no model can say it."""

DEGREES: Final[Mapping[str, float | None]] = {
    MET: 1.0,
    UNMET: 0.0,
    UNDECIDED: None,
    NOT_APPLICABLE: None,
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one criterion.

    Args:
        word: What the model said: a word, or the number on the scale of the criterion.
        degree: How far it is met, in 0..1; `None` where that is not known.
        reason: Why, in the model's words.
        quote: The words of the evidence that it goes by, as the model gives them.
        quoted: Whether the evidence has these words; `None` where none are given.
    """

    word: str
    degree: float | None
    reason: str = ""
    quote: str = ""
    quoted: bool | None = None

    @property
    def applies(self) -> bool:
        """Whether the criterion applies."""
        return self.word != NOT_APPLICABLE

    @property
    def said(self) -> str:
        """The reason, and the words of the evidence."""
        if not self.quote:
            return self.reason
        where = "" if self.quoted else " (not found in the evidence)"
        return f"{self.reason} Evidence{where}: {self.quote!r}"


def words_of(criterion: Criterion) -> tuple[str, ...]:
    """The words in which something can be found of a criterion, beside a number on its scale."""
    decided = (MET, UNMET) if criterion.scale is None else ()
    return (*decided, UNDECIDED, *(() if criterion.applies_when is None else (NOT_APPLICABLE,)))


def shown(criterion: Criterion, identifier: str) -> str:
    """A criterion as the model reads it; what it is worth is not its concern."""
    condition = (
        f'It applies only if this is so: {criterion.applies_when} Otherwise: "{NOT_APPLICABLE}".\n'
        if criterion.applies_when
        else ""
    )
    return (
        f"Criterion {identifier}, {criterion.name}:\n{criterion.description}\n{condition}"
        f"Its finding is {_menu(criterion)}."
    )


@lru_cache(maxsize=1024)
def schema_of_one(criterion: Criterion) -> ResponseSchema:
    """The reply on one criterion, its reason first."""
    words = words_of(criterion)
    finding: Json = {"type": "string", "enum": words}
    if criterion.scale is not None:
        finding = {"type": "string", "description": _menu(criterion)}
    return ResponseSchema("finding", _object(_entry(finding)))


@lru_cache(maxsize=256)
def schema_of_all(identifiers: tuple[str, ...]) -> ResponseSchema:
    """The reply on all criteria, in any order; each names which it is on."""
    named: dict[str, Json] = {"id": {"type": "string", "enum": identifiers}}
    entry = _object({**named, **_entry({"type": "string"})})
    return ResponseSchema("findings", _object({"findings": {"type": "array", "items": entry}}))


def read_one(
    members: Mapping[str, Json], criterion: Criterion, evidence: Quotable
) -> Finding | Unread:
    """What a reply says of one criterion."""
    entry = {key.casefold(): value for key, value in members.items()}
    if len(entry) < len(members):
        return _unread(criterion, "says the same thing twice")
    reason, quote = entry.get("reason"), entry.get("quote", "")
    if not isinstance(reason, str) or not reason.strip():
        return _unread(criterion, "has no reason")
    if not isinstance(quote, str):
        return _unread(criterion, "has a quote that is no text")
    found = _found(entry.get("finding"), criterion)
    if found is None:
        return _unread(criterion, f"must have as its finding {_menu(criterion)}")
    word, degree = found
    quote = quote.strip()
    return Finding(word, degree, reason.strip(), quote, evidence.has(quote) if quote else None)


def read_all(
    reading: ObjectReading, criteria: Mapping[str, Criterion], evidence: Quotable
) -> tuple[Finding, ...] | Unread:
    """What a reply says of all criteria, each of which it names exactly once.

    Args:
        reading: The reply.
        criteria: The criteria by their identifiers.
        evidence: The evidence that may be quoted.
    """
    entries = reading.value("findings")
    if not isinstance(entries, list | tuple):
        return Unread("it has no list of findings", "no_findings")
    found: dict[str, Finding] = {}
    for entry in entries:
        identifier = _identifier(entry)
        if identifier not in criteria or identifier in found:
            what = "twice" if identifier in found else "though there is no such criterion"
            return Unread(f"it answers {identifier!r:.40} {what}", "wrong_id", ReasonCode.PROTOCOL)
        assert isinstance(entry, Mapping)
        finding = read_one(entry, criteria[identifier], evidence)
        if isinstance(finding, Unread):
            return finding
        found[identifier] = finding
    missing = [identifier for identifier in criteria if identifier not in found]
    if missing:
        return Unread(f"it does not answer {', '.join(missing)}", "missing", ReasonCode.PROTOCOL)
    return tuple(found[identifier] for identifier in criteria)


def _menu(criterion: Criterion) -> str:
    words = [f'"{word}"' for word in words_of(criterion)]
    scale = criterion.scale
    if scale is not None:
        words.insert(0, f"a number from {scale.low:g} to {scale.high:g}")
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _entry(finding: Json) -> dict[str, Json]:
    return {"reason": {"type": "string"}, "quote": {"type": "string"}, "finding": finding}


def _object(properties: Mapping[str, Json]) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": properties,
        "required": tuple(properties),
        "additionalProperties": False,
    }


def _identifier(entry: Json) -> str:
    given = entry.get("id") if isinstance(entry, Mapping) else None
    return given.strip().casefold() if isinstance(given, str) else str(given)


def _found(value: Json, criterion: Criterion) -> tuple[str, float | None] | None:
    """The word and the degree, where it is a word or a number that was asked for."""
    if isinstance(value, str):
        word = value.strip().strip('"*`.').casefold().replace(" ", "_").replace("-", "_")
        if word in words_of(criterion):
            return word, DEGREES[word]
    return None if criterion.scale is None else _graded(value, criterion.scale)


def _graded(value: Json, scale: Scale) -> tuple[str, float] | None:
    number, _ = number_of(value, scale)
    if isinstance(number, Fault):
        return None
    degree = normalize(NumericalScore(number, scale.low, scale.high))
    assert degree is not None
    return f"{number:.12g}", degree


def _unread(criterion: Criterion, what: str) -> Unread:
    return Unread(f"its answer on {criterion.name!r} {what}", "off_menu")
