"""From two documents to a judgment: PASS, FAIL with the first differences, or ERROR."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agent_judge.frozen import Json
from agent_judge.judges.compare.comparison import Comparison, compare
from agent_judge.judges.compare.differences import SHOWN, Difference
from agent_judge.judges.compare.documents import Document
from agent_judge.judges.compare.faults import NotComparedError, SyntaxFaultError
from agent_judge.judges.compare.languages import Language
from agent_judge.judges.compare.rules import Rule
from agent_judge.judges.data.pointers import pointer
from agent_judge.judges.showing import shown
from agent_judge.judgment import Check, Judgment, ReasonCode

_LONGEST_PATH: Final = 200


def judge_documents(
    language: Language, reference: Document, candidate: Document, rules: Sequence[Rule]
) -> Judgment:
    """Whether the candidate is as the reference, in a language and under some rules.

    A reference that is not of the language is ERROR, such a candidate is FAIL. What cannot be
    looked at, on either side, is ERROR.
    """
    facts = _facts(language, rules)
    try:
        wanted = language.parse(reference)
    except SyntaxFaultError as fault:
        reason = f"{reference.name} {_unparsable(language, fault)}"
        return Judgment.erring(reason, ReasonCode.MALFORMED_EVIDENCE, metadata=facts)
    except NotComparedError as fault:
        return _not_compared(reference, fault, facts)
    try:
        given = language.parse(candidate)
        comparison = compare(wanted, given, rules, language.shorten)
    except SyntaxFaultError as fault:
        return _not_of_the_language(language, candidate, fault, facts)
    except NotComparedError as fault:
        return _not_compared(candidate, fault, facts)
    if comparison.equal:
        return _equal(candidate, comparison, facts)
    return _different(language, reference, candidate, comparison, facts)


def _facts(language: Language, rules: Sequence[Rule]) -> dict[str, Json]:
    return {
        "language": language.name,
        "compared_as": language.compared_as,
        "rules": [rule.name for rule in rules],
        "not_compared": list(language.not_compared),
    }


def _not_compared(document: Document, fault: NotComparedError, facts: dict[str, Json]) -> Judgment:
    return Judgment.erring(f"{document.name}: {fault}", fault.code, metadata=facts)


def _not_of_the_language(
    language: Language, candidate: Document, fault: SyntaxFaultError, facts: dict[str, Json]
) -> Judgment:
    message = _unparsable(language, fault)
    check = Check(candidate.name, False, message, location=candidate.at(fault.line))
    return Judgment.failing(f"{candidate.name} {message}", checks=(check,), metadata=facts)


def _unparsable(language: Language, fault: SyntaxFaultError) -> str:
    line = f" on line {fault.line}" if fault.line else ""
    return f"does not parse as {language.name}{line}: {shown(str(fault))}"


def _equal(candidate: Document, comparison: Comparison, facts: dict[str, Json]) -> Judgment:
    message = "as the reference"
    if comparison.equal_under:
        message += f", under the rules {', '.join(comparison.equal_under)}"
    check = Check(candidate.name, True, message, location=candidate.location)
    return Judgment.passing(
        f"{candidate.name} is {message}",
        checks=(check,),
        metadata={**facts, "equal_under": list(comparison.equal_under)},
    )


def _different(
    language: Language,
    reference: Document,
    candidate: Document,
    comparison: Comparison,
    facts: dict[str, Json],
) -> Judgment:
    checks = [
        _check(language, difference, reference, candidate) for difference in comparison.differences
    ]
    found = f"{len(checks)} differences" if len(checks) > 1 else "1 difference"
    more = "at least " if len(checks) == SHOWN else ""
    reasoning = f"{candidate.name}: {more}{found}; {checks[0].name}: {checks[0].message}"
    return Judgment.failing(reasoning, checks=checks, metadata=facts)


def _check(
    language: Language, difference: Difference, reference: Document, candidate: Document
) -> Check:
    line = (difference.candidate or difference.around).line
    return Check(
        _path(language, difference),
        False,
        _message(difference, reference, candidate),
        location=candidate.at(line),
    )


def _path(language: Language, difference: Difference) -> str:
    if language.pointers:
        return pointer(difference.path)
    path = shown(".".join(difference.path)) if difference.path else "(the whole)"
    return path if len(path) <= _LONGEST_PATH else f"{path[:_LONGEST_PATH]}…"


def _message(difference: Difference, reference: Document, candidate: Document) -> str:
    old, new = difference.reference, difference.candidate
    wanted = "" if old is None else f"{reference.excerpt(old)!r}{_on_line(old.line)}"
    found = "" if new is None else f"{candidate.excerpt(new)!r}{_on_line(new.line)}"
    if difference.reordered:
        return f"is in another order: {found}, the reference has {wanted}"
    if new is None:
        return f"is missing: the reference has {wanted}"
    if old is None:
        return f"is not in the reference: {found}"
    return f"is {found}, the reference has {wanted}"


def _on_line(line: int) -> str:
    return f" on line {line}" if line else ""
