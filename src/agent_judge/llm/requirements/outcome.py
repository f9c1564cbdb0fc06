"""What the answers to a roster of requirements come to; no model decides this."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agent_judge.frozen import FrozenMap, Json
from agent_judge.judgment import Check, Judgment, Location, ReasonCode, Status
from agent_judge.llm.requirements.answers import Answer, Finding
from agent_judge.llm.requirements.citations import Checked, Citation, find_citations
from agent_judge.llm.requirements.roster import Level, Requirement, Roster

_SHOWN: Final = 300
"""The characters of evidence that a check or a reason quotes; all of it is in the evidence."""
_EXPLAINED: Final = 10
"""How many requirements of a kind a reason says more of than their names."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Why a requirement has no finding.

    Args:
        reason: What is missing.
        code: What a judgment says of it.
    """

    reason: str
    code: ReasonCode = ReasonCode.PROTOCOL


@dataclass(frozen=True, slots=True)
class Ruling:
    """What is known of one requirement.

    Args:
        requirement: The requirement.
        answer: What the model answered; `None` where it did not.
        gap: Why that counts for nothing, where it does.
        cited: The places that the evidence names, looked up as far as there is a workspace.
        rejects: Whether a violation of it rejects the work.
    """

    requirement: Requirement
    answer: Answer | None
    gap: Gap | None
    cited: tuple[Checked, ...]
    rejects: bool

    @property
    def finding(self) -> Finding | None:
        """The finding that counts."""
        return None if self.gap is not None or self.answer is None else self.answer.finding

    @property
    def told(self) -> str:
        """What was found of it, in words."""
        evidence = "" if self.answer is None else self.answer.evidence
        words = [
            self.gap.reason if self.gap is not None else "",
            f"{evidence[:_SHOWN]}…" if len(evidence) > _SHOWN else evidence,
            *(f"{one.citation} {one.fault}" for one in self.cited if one.fault),
        ]
        return "; ".join(filter(None, words))


def rule(
    roster: Roster,
    answers: Mapping[str, Answer],
    gaps: Mapping[str, Gap],
    places: Mapping[Citation, Checked],
    rejects: Collection[Level],
) -> tuple[Ruling, ...]:
    """What is known of each requirement, in the order of the roster.

    A PASS of which all places that it names do not exist does not count as evidenced.
    """
    rulings: list[Ruling] = []
    for requirement in roster.requirements:
        answer = answers.get(requirement.id)
        cited = [] if answer is None else [*_looked_up(answer, places)]
        gap = gaps.get(requirement.id, Gap("it was not answered")) if answer is None else None
        if answer is not None and answer.finding is Finding.PASS and _is_void(cited):
            gap = Gap("it is passed on places that do not exist")
        rejecting = requirement.level in rejects
        rulings.append(Ruling(requirement, answer, gap, tuple(cited), rejecting))
    return tuple(rulings)


def decide(rulings: Sequence[Ruling], roster: Roster) -> Judgment:
    """The judgment of a run by what is known of each requirement.

    One that rejects and is violated is FAIL. Else one without a finding is ERROR, whatever its
    level, and one that rejects and is undetermined is ABSTAIN. When all that reject are excluded it
    is NOT_APPLICABLE, else PASS.
    """
    status, told = _ruled(rulings)
    gap = next((ruling.gap for ruling in rulings if ruling.gap is not None), None)
    unread = len(roster.unreadable)
    words = (
        told,
        _list("excluded", _with(Finding.EXCLUDED, rulings)),
        _list(
            "not met, but not of a level that rejects", _with(Finding.FAIL, rulings, rejects=False)
        ),
        f"{unread} of {roster.declared} that are declared cannot be read" if unread else "",
    )
    return Judgment(
        status,
        ". ".join(filter(None, words)),
        checks=(*_checks(rulings), *_document_check(roster)),
        code=gap.code if gap is not None and status is Status.ERROR else None,
    )


def record(rulings: Iterable[Ruling], roster: Roster) -> Mapping[str, Json]:
    """The rulings and the counts as evidence records them."""
    return {
        "document": roster.digest,
        "declared": roster.declared,
        "parsed": roster.parsed,
        "unreadable": tuple(map(str, roster.unreadable)),
        "requirements": tuple(map(_recorded, rulings)),
    }


def _ruled(rulings: Sequence[Ruling]) -> tuple[Status, str]:
    """The status, and the findings that it rests on, in words."""
    gaps = _list("without a finding", [ruling for ruling in rulings if ruling.gap is not None])
    if failed := _list("not met", _with(Finding.FAIL, rulings, rejects=True)):
        return Status.FAIL, ". ".join(filter(None, (failed, gaps)))
    if gaps:
        return Status.ERROR, gaps
    if undetermined := _list("undetermined", _with(Finding.UNDETERMINED, rulings, rejects=True)):
        return Status.ABSTAIN, undetermined
    met = len(_with(Finding.PASS, rulings, rejects=True))
    told = f"{met} of {sum(ruling.rejects for ruling in rulings)} requirements are met"
    return (Status.PASS if met else Status.NOT_APPLICABLE), told


def _with(
    finding: Finding, rulings: Iterable[Ruling], *, rejects: bool | None = None
) -> Sequence[Ruling]:
    """Those with a finding, of all or of those that do or do not reject."""
    return [
        ruling
        for ruling in rulings
        if ruling.finding is finding and rejects in (None, ruling.rejects)
    ]


def _looked_up(answer: Answer, places: Mapping[Citation, Checked]) -> Iterator[Checked]:
    for citation in find_citations(answer.evidence):
        if citation in places:
            yield places[citation]


def _is_void(cited: Sequence[Checked]) -> bool:
    """Whether evidence names places, and none of them exists."""
    return bool(cited) and all(place.location is None for place in cited)


def _list(what: str, rulings: Sequence[Ruling]) -> str:
    """Some rulings in words, the first ones with what was found; empty where there are none."""
    if not rulings:
        return ""
    named = [
        f"{ruling.requirement.name} ({ruling.told})"
        if place < _EXPLAINED and ruling.told
        else ruling.requirement.name
        for place, ruling in enumerate(rulings)
    ]
    return f"{what}: {', '.join(named)}"


def _checks(rulings: Iterable[Ruling]) -> Iterator[Check]:
    """A check of each requirement that is not excluded; those that do not reject are advisory."""
    for ruling in rulings:
        finding = ruling.finding
        if finding is Finding.EXCLUDED:
            continue
        said = ruling.told if finding in (Finding.PASS, Finding.FAIL) else _unsettled(ruling)
        yield Check(
            f"{ruling.requirement.name}: {ruling.requirement.text:.120}",
            finding is Finding.PASS,
            said,
            examined=int(finding in (Finding.PASS, Finding.FAIL)),
            advisory=not ruling.rejects,
            location=_place(ruling),
        )


def _unsettled(ruling: Ruling) -> str:
    word = "undetermined" if ruling.gap is None else "without a finding"
    return ": ".join(filter(None, (word, ruling.told)))


def _place(ruling: Ruling) -> Location | None:
    return next((one.location for one in ruling.cited if one.location is not None), None)


def _document_check(roster: Roster) -> Iterator[Check]:
    """The advisory check that tells of what could not be read."""
    if roster.unreadable:
        told = "; ".join(map(str, roster.unreadable[:8]))
        more = f" and {len(roster.unreadable) - 8} more" if len(roster.unreadable) > 8 else ""
        message = f"{roster.parsed} of {roster.declared} could be read. {told}{more}"
        name = "every declared requirement can be read"
        yield Check(name, False, message, roster.declared, advisory=True)


def _recorded(ruling: Ruling) -> FrozenMap[Json]:
    requirement, answer = ruling.requirement, ruling.answer
    known: dict[str, Json] = {
        "id": requirement.id,
        "level": requirement.level.value,
        "line": requirement.line,
    }
    if requirement.pattern is not None:
        known["pattern"] = requirement.pattern.value
    if answer is not None:
        known |= {"finding": answer.finding.value, "evidence": answer.evidence}
    if ruling.gap is not None:
        known["gap"] = ruling.gap.reason
    if ruling.cited:
        known["locations"] = tuple(place.as_evidence for place in ruling.cited)
    return FrozenMap(known)
