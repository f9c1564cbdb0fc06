"""The account that a judgment gives of the findings behind it: checks, words and evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from agent_judge.frozen import Json
from agent_judge.judgment import Check
from agent_judge.llm.findings import UNANSWERED, Finding
from agent_judge.llm.inquiry import Answers
from agent_judge.llm.marking import Bounds, Marks, Points, Standing


def checks_of(marks: Marks) -> Iterator[Check]:
    """A check for each criterion that applies; where one is open, the check is advisory."""
    for index, criterion in enumerate(marks.criteria):
        standing = marks.standing(index)
        if standing is Standing.EXCUSED:
            continue
        found = [sheet[index] for sheet in marks.sheets]
        telling = next((one for one in found if marks.stands(index, one) is standing), found[0])
        words = ", ".join(finding.word for finding in found)
        yield Check(
            criterion.name,
            standing is Standing.HELD,
            f"{words}: {telling.said}",
            sum(finding.word != UNANSWERED for finding in found),
            advisory=standing is Standing.OPEN,
        )


def named(marks: Marks, standing: Standing) -> tuple[str, ...]:
    """The names of the criteria that stand so."""
    return tuple(
        criterion.name
        for index, criterion in enumerate(marks.criteria)
        if marks.standing(index) is standing
    )


def undecided(marks: Marks) -> tuple[str, ...]:
    """The names of the criteria on which the answers, none of them missing, decide nothing."""
    return tuple(name for name in named(marks, Standing.OPEN) if name not in marks.unanswered)


def evidence_of(marks: Marks, answers: Answers) -> dict[str, Json]:
    """How a score came about: the findings and points of each sample, and what was open."""
    score, spread = marks.score, marks.variance
    told: dict[str, Json] = {
        "threshold": marks.threshold,
        "formula": "earned / possible, held within 0..1; the mean over the samples",
        "samples": [
            _sample(marks, *sheet) for sheet in zip(answers.sheets, marks.points, strict=True)
        ],
    }
    if score is not None:
        told["score"] = _pair(score)
    if spread is not None:
        told["variance"] = spread
    if answers.orders:
        told["orders"] = answers.orders
    lists = {
        "not_applicable": named(marks, Standing.EXCUSED),
        "undecided": undecided(marks),
        "unanswered": marks.unanswered,
        "lost_gates": tuple(marks.gates(Standing.LOST)),
        "open_gates": tuple(marks.gates(Standing.OPEN)),
    }
    return {**told, **{key: names for key, names in lists.items() if names}}


def open_or_lost(marks: Marks) -> dict[str, tuple[str, ...]]:
    """The names of the criteria that do not speak for the work, by what they do instead."""
    return {
        "Lost": named(marks, Standing.LOST),
        "Undecided": undecided(marks),
        "Unanswered": marks.unanswered,
        "Not applicable": named(marks, Standing.EXCUSED),
    }


def listed(lists: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Lists of names in words, those of them that hold any.

    Example:
        >>> [*listed({"Lost": ("tests", "docs"), "Undecided": ()})]
        ["Lost: 'tests', 'docs'"]
    """
    return (f"{what}: {quoted(names)}" for what, names in lists.items() if names)


def span(bounds: Bounds) -> str:
    """A number, or between which two it lies.

    Example:
        >>> span(Bounds(0.5, 0.5)), span(Bounds(0.5, 1.0))
        ('0.5', '0.5 to 1')
    """
    low = f"{bounds.low:.4g}"
    return low if bounds.exact else f"{low} to {bounds.high:.4g}"


def quoted(names: Iterable[str]) -> str:
    """Names in a sentence.

    Example:
        >>> quoted(["tests", "docs"])
        "'tests', 'docs'"
    """
    return ", ".join(map(repr, names))


def _sample(marks: Marks, sheet: tuple[Finding, ...], earned: Points) -> dict[str, Json]:
    findings = {
        criterion.name: _finding(finding)
        for criterion, finding in zip(marks.criteria, sheet, strict=True)
    }
    return {
        "earned": _pair(earned.earned),
        "possible": earned.possible,
        "findings": findings,
    }


def _finding(finding: Finding) -> dict[str, Json]:
    told: dict[str, Json] = {"finding": finding.word, "reason": finding.reason}
    if finding.quoted is not None:
        told |= {"quote": finding.quote, "quoted": finding.quoted}
    return told


def _pair(bounds: Bounds) -> tuple[float, float]:
    return bounds.low, bounds.high
