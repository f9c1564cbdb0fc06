"""Feedback as an XML element, well-formed for any text."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from agent_judge.coordination.formatting.points import Points
from agent_judge.markup import legal_xml


def as_xml(points: Points) -> str:
    """Write points as the XML element `feedback`."""
    return "\n".join(_lines(points))


def _lines(points: Points) -> Iterator[str]:
    score = "" if points.score is None else f"{points.score:.2f}"
    change = "" if points.change is None else f"{points.change:+.2f}"
    approved = "true" if points.approved else "false"
    told = _attributes(attempt=str(points.attempt), approved=approved, score=score, change=change)
    yield f"<feedback{told}>"
    if points.reason:
        yield f"<reason>{_text(points.reason)}</reason>"
    for one in points.failures:
        named = _attributes(judge=one.judge, criterion=one.criterion, place=one.place)
        yield f"<fails{named}{_again(one.repeated)}>{_text(one.message)}</fails>"
    yield from (f"<passes{_attributes(criterion=name)}/>" for name in points.passing)
    for said in points.suggestions:
        yield f"<suggestion{_again(said.repeated)}>{_text(said.text)}</suggestion>"
    if points.left_out:
        yield f'<left-out points="{points.left_out}"/>'
    yield "</feedback>"


def _again(repeated: bool) -> str:
    return ' repeated="true"' if repeated else ""


def _attributes(**values: str) -> str:
    """The attributes that have a value."""
    known = ((name, value) for name, value in values.items() if value)
    return "".join(f" {name}={quoteattr(legal_xml(value))}" for name, value in known)


def _text(text: str) -> str:
    return escape(legal_xml(text))
