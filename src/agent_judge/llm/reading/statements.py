"""What a reply states, and the one verdict that follows from all it states."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from agent_judge.llm.reading.leads import LOOK_BACK, VERDICT_WORDS, is_quoting
from agent_judge.llm.reading.records import Fault, Form, Note, Reading, Span, Unreadable

V = TypeVar("V")

_NEGATION = re.compile(
    r"\b(?:not|never|neither|nor|no|cannot|nobody|none|rather than|instead of)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:if|whether|unless|when|whenever|once|until|might|could|may|perhaps|maybe|probably|"
    r"possibly|while|where)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|whether|unless|depending on|assuming|provided|in terms of|when it comes to|"
    r"with respect to|regarding)\b",
    re.IGNORECASE,
)
_FINAL = re.compile(
    rf"\bfinal(?:\s+\w+)?\s+(?:{VERDICT_WORDS}|choice|answer)\b"
    r"|\b(?:therefore|thus|hence|in conclusion|to conclude|finally)\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[.!?;:,—][\"”\u2019)\]*_]*\s")


@dataclass(frozen=True, slots=True)
class Statement(Generic[V]):
    """One place where a reply states a verdict, or states one that cannot be taken.

    Args:
        verdict: The label or number; a fault where what is stated is none that was asked for.
        form: How it is stated.
        span: Where.
        remark: What follows it.
        final: Whether the reply marks it as the final one.
        notes: What is peculiar about it.
    """

    verdict: V | Fault
    form: Form
    span: Span
    remark: str = ""
    final: bool = False
    notes: tuple[Note, ...] = ()


Found: TypeAlias = Statement[V] | Fault
"""A statement, or a fault for what only looks like one."""


def unreadable(fault: Fault, reply: str) -> Unreadable:
    """A reply that is not read, with the fault in words."""
    return Unreadable(fault, reply, _DETAILS[fault])


def is_final(words: str) -> bool:
    """Whether words mark what follows as the final verdict."""
    return bool(_FINAL.search(words))


def doubt(clause: str) -> Fault | None:
    """Why a verdict after these words of its clause is none: denied, doubted, reported."""
    if is_quoting(clause):
        return Fault.ATTRIBUTED
    if _NEGATION.search(clause):
        return Fault.NEGATED
    return Fault.QUALIFIED if _HEDGE.search(clause) else None


def is_conditional(words: str) -> bool:
    """Whether words of a sentence set a condition, or speak of one aspect only."""
    return bool(_CONDITION.search(words))


def line_before(text: str, start: int) -> str:
    """What stands before an index on its line."""
    return text[max(0, start - LOOK_BACK) : start].rpartition("\n")[2]


def last_clause(line: str) -> str:
    """What follows the last mark between clauses in a line."""
    start = 0
    for end in _CLAUSE_END.finditer(line):
        start = end.end()
    return line[start:]


def settle(found: Iterable[Found[V]], reply: str) -> Reading[V] | Unreadable:
    """The verdict of a reply: the only one it states, or the one that it marks as final.

    A final verdict counts when all that are marked so are the same, and no other comes after the
    last of them. A fault that is no statement says why a reply without any is not read.
    """
    everything = [*found]
    if len(everything) == 1:
        only = everything[0]
        return (
            unreadable(only, reply) if isinstance(only, Fault) else _reading([only], [only], reply)
        )
    doubts = [doubt for doubt in everything if isinstance(doubt, Fault)]
    stated = sorted(
        (stated for stated in everything if not isinstance(stated, Fault)),
        key=lambda statement: statement.span,
    )
    verdicts = dict.fromkeys(statement.verdict for statement in stated)
    if not verdicts:
        return unreadable(next(iter(doubts), Fault.NO_VERDICT), reply)
    if len(verdicts) == 1:
        return _reading(stated, stated, reply)
    final = _final(stated)
    if final:
        return _reading(final, stated, reply)
    faults = [verdict for verdict in verdicts if isinstance(verdict, Fault)]
    if len(verdicts) - len(faults) > 1 or not faults:
        named = ", ".join(str(verdict) for verdict in verdicts if not isinstance(verdict, Fault))
        return Unreadable(Fault.CONFLICTING, reply, f"it states several verdicts: {named:.200}")
    return unreadable(faults[0], reply)


def _final(stated: Sequence[Statement[V]]) -> list[Statement[V]]:
    """The statements of the final verdict, if there is one."""
    finals = [statement for statement in stated if statement.final]
    if len({statement.verdict for statement in finals}) != 1:
        return []
    after = stated[stated.index(finals[-1]) :]
    return finals if all(other.verdict == finals[0].verdict for other in after) else []


def _reading(
    deciding: Sequence[Statement[V]], stated: Sequence[Statement[V]], reply: str
) -> Reading[V] | Unreadable:
    first = deciding[0]
    if isinstance(first.verdict, Fault):
        return unreadable(first.verdict, reply)
    if len(stated) == 1:
        notes = tuple(dict.fromkeys(first.notes))
        return Reading(
            first.verdict, first.form, remark=first.remark, spans=(first.span,), notes=notes
        )
    kept = dict.fromkeys(note for statement in deciding for note in statement.notes)
    if len(deciding) < len(stated):
        kept[Note.FINAL_OF_SEVERAL] = None
    return Reading(
        first.verdict,
        first.form,
        remark=next((statement.remark for statement in deciding if statement.remark), ""),
        spans=tuple(dict.fromkeys(statement.span for statement in deciding)),
        notes=tuple(kept),
    )


_DETAILS = {
    Fault.EMPTY: "it holds nothing of the judge's own",
    Fault.TRUNCATED: "it ends before it is complete",
    Fault.INCOMPLETE: "it ended for a reason that is not known",
    Fault.REFUSED: "the model declined to answer, or the provider withheld what it said",
    Fault.NO_VERDICT: "it states none of the verdicts that were asked for",
    Fault.CONFLICTING: "it states several verdicts, and marks none of them as final",
    Fault.NEGATED: "it names a verdict only to deny it",
    Fault.QUALIFIED: "it states its verdict only with a condition or a doubt",
    Fault.ATTRIBUTED: "it names a verdict only as what somebody else said",
    Fault.OFF_MENU: "what it gives as its verdict is none of those that were asked for",
    Fault.OUT_OF_RANGE: "its number lies outside the scale",
    Fault.WRONG_SCALE: "its number is on another scale than the one that was asked for",
    Fault.MALFORMED: "its JSON object cannot be read",
    Fault.DUPLICATE_KEY: "its JSON object holds a key twice",
    Fault.NOT_FINITE: "its JSON object holds a number that is not finite",
    Fault.WRONG_COUNT: "it states more or fewer verdicts than were asked for",
}
