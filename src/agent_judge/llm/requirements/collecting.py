"""Collecting what a document declares, and naming what has no name of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from agent_judge.llm.requirements.roster import Requirement, Roster, Unreadable, make_roster
from agent_judge.llm.requirements.sections import Section


@dataclass(frozen=True, slots=True)
class _Declared:
    """What is declared in one place.

    Args:
        section: Where.
        id: The identifier that it has there.
        requirements: What it demands, not yet named.
        number: Its number in a list.
    """

    section: Section
    id: str | None
    requirements: Sequence[Requirement]
    number: int | None


class Collector:
    """The requirements and the unreadable declarations of a document, as they are met."""

    def __init__(self) -> None:
        self._declared: list[_Declared] = []
        self._unreadable: list[Unreadable] = []

    def add(
        self,
        section: Section,
        requirements: Sequence[Requirement],
        *,
        id: str | None = None,  # noqa: A002 - it is the word for it
        number: int | None = None,
    ) -> None:
        """Keep what is declared in one place."""
        section.declare(len(requirements))
        self._declared.append(_Declared(section, id, requirements, number))

    def refuse(self, section: Section, text: str, line: int, reason: str) -> None:
        """Keep what is declared and cannot be read."""
        section.declare(1)
        self._unreadable.append(Unreadable(text, line, reason))

    def roster(self, document: str, sections: Iterable[Section], reason: str) -> Roster:
        """The roster of a document that was gone through.

        Args:
            document: Its text.
            sections: Its sections; a heading that names a requirement, with nothing in its section
                that is one, is reported.
            reason: Why not, where there is text below such a heading.
        """
        hollow = [
            Unreadable(
                section.title, section.line, reason if section.any_text else "it has no body"
            )
            for section in sections
            if section.head.declares and not section.declared
        ]
        return make_roster(document, self._named(), [*self._unreadable, *hollow])

    def _named(self) -> Iterator[Requirement]:
        taken = {declared.id for declared in self._declared}
        free = (name for number in count(1) if (name := f"R{number}") not in taken)
        for declared in self._declared:
            for place, requirement in enumerate(declared.requirements, 1):
                yield replace(requirement, id=_name(declared, place) or next(free))


def _name(declared: _Declared, place: int) -> str | None:
    """The name of what a declaration demands in one place: its own, or one by its section."""
    if declared.id is not None:
        return declared.id if len(declared.requirements) == 1 else f"{declared.id}.{place}"
    owner = declared.section.owner
    if owner is None:
        return None
    if not owner.head.declares:
        return f"{owner.name}-{owner.next_number()}"
    if owner.declared == 1 and declared.number is None:
        return owner.name
    return f"{owner.name}.{owner.next_number() if declared.number is None else declared.number}"
