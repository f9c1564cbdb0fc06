"""Words of judges without the marks that they measured the work by."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from agent_judge.judgment import Judgment
from agent_judge.jury.verdict import Verdict

_BEFORE: Final = (
    r"(\b(?:threshold|mark|minimum|below|above|least|under|over|reach(?:es|ed)?)\b[ :=]{1,3}"
    r"(?:(?:the|a|is|of|was|threshold|mark|minimum)\b[ :=]{1,3}){0,4}|[<>≥≤]=?[ ]?)"
)
"""What stands before a mark; the same number elsewhere is another one."""


def without_marks(finding: Judgment | Verdict | None) -> Callable[[str], str]:
    """What takes the marks out of a text: those by which the judges of a finding measured.

    A judge records its mark as evidence, so that it is known which number is one. What a check
    demands in words of its own, as "71% of the lines, 80% are needed", is the task and stays.

    Example:
        >>> hide = without_marks(Judgment.scored(0.5, threshold=0.8))
        >>> hide("0.5 is below the mark 0.8")
        '0.5 is below the mark …'
    """
    marks = {written for judgment in _judgments(finding) for written in _written(judgment)}
    if not marks:
        return lambda text: text
    numbers = "|".join(map(re.escape, sorted(marks, key=len, reverse=True)))
    pattern = re.compile(rf"(?i){_BEFORE}(?:{numbers})(?![.,]?\d|%)")
    return lambda text: pattern.sub(r"\1…", text)


def _written(judgment: Judgment) -> Iterator[str]:
    """The mark of a judgment in the ways in which judges write it."""
    mark = judgment.evidence.get("threshold")
    if type(mark) in (int, float):
        yield from (f"{mark:{spec}}" for spec in ("g", ".4g", ".2f"))


def _judgments(finding: Judgment | Verdict | None) -> Iterator[Judgment]:
    match finding:
        case None:
            return
        case Judgment():
            yield finding
        case Verdict():
            yield finding.judgment
            yield from (seat.judgment for _, seat in finding.all_seats())
            stages = (attempt.verdict for _, attempt in finding.stages())
            yield from (verdict.judgment for verdict in stages if verdict is not None)
