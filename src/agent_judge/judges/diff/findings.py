"""What judges of a change say of its files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agent_judge.judges.diff.records import ChangeSet, FileChange
from agent_judge.judges.files.excludes import Excludes
from agent_judge.judges.showing import shown
from agent_judge.judgment import Check, Judgment, Location

_NAMED: Final = 10
"""Findings that the reasoning names; the checks hold them all."""


def finding(path: str, message: str, line: int | None = None) -> Check:
    """A failed check of one place."""
    return Check(shown(path), False, message, location=location(path, line))


def location(path: str, line: int | None = None) -> Location:
    """A place in a file; line 0, before the first one, is shown at the first."""
    return Location(shown(path), line if line is None else max(1, line))


def sum_up(findings: Sequence[Check], rest: Sequence[Check], passed: str) -> Judgment:
    """FAIL with what was found, else PASS by the other checks."""
    if not findings:
        return Judgment.passing(passed, checks=rest)
    said = [f"{check.location or check.name}: {check.message}" for check in findings[:_NAMED]]
    more = len(findings) - len(said)
    reasoning = "; ".join(said) + (f"; and {more} more" if more else "")
    return Judgment.failing(reasoning, checks=[*findings, *rest])


def left_in(change: ChangeSet, excludes: Excludes) -> list[FileChange]:
    """The files of which some path is not left out."""
    return [file for file in change.files if not all(map(excludes.path, file.paths))]


def counted(number: int, noun: str) -> str:
    """A number with its noun, as in `1 file` and `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
