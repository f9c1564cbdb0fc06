"""Which findings are new: those that no finding from before accounts for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final, Protocol, TypeAlias

from agent_judge.judges.findings.record import Finding

_LINE: Final = re.compile(r"\b(line|lines|column) \d+")
"""A place within a message, which moves with the code it names."""

Key: TypeAlias = tuple[Any, ...]


class Moves(Protocol):
    """Where the lines from before are now."""

    def file(self, path: str) -> str | None:
        """What a file from before is called now; `None` where it was deleted."""
        ...

    def line(self, path: str, line: int) -> int | None:
        """The number of a line from before; `None` where it was removed or rewritten."""
        ...

    def is_new(self, path: str, line: int | None) -> bool:
        """Whether a line of now was not there before."""
        ...


def new_findings(
    found: Sequence[Finding], known: Iterable[Finding], moves: Moves | None = None
) -> list[Finding]:
    """The findings that are new, in their order.

    A finding from before accounts for one of now that has the same rule, message and quoted code
    in the same file, and is on the same line. Where it is known how lines moved, that is the line
    which the old one became; a finding whose line was rewritten accounts for one like it on a line
    that is new. Where it is not known, each that is left accounts for one like it on any line of
    the file, so that of several like it those are called new that come last.

    Args:
        found: What was found now.
        known: What was found before.
        moves: Where the lines from before are now.
    """
    placed: Counter[Key] = Counter()
    loose: Counter[Key] = Counter()
    for finding in known:
        path = finding.path if moves is None else moves.file(finding.path)
        if path is None:
            continue
        line = finding.line
        if moves is not None and line is not None:
            line = moves.line(finding.path, line)
        key = _key(finding, path)
        if line is None and finding.line is not None:
            loose[key] += 1
        else:
            placed[key, line] += 1
    rest = [finding for finding in found if not _take(placed, (_key(finding), finding.line))]
    if moves is None:
        for (key, _), count in placed.items():
            loose[key] += count
    return [
        finding
        for finding in rest
        if not (
            (moves is None or moves.is_new(finding.path, finding.line))
            and _take(loose, _key(finding))
        )
    ]


def _key(finding: Finding, path: str | None = None) -> Key:
    message = _LINE.sub(r"\1", finding.message)
    return (finding.path if path is None else path, finding.rule, message, finding.context)


def _take(counts: Counter[Key], key: Key) -> bool:
    """Whether there is one left under a key, which is used up then."""
    if counts[key] <= 0:
        return False
    counts[key] -= 1
    return True
