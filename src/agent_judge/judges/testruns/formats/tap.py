"""TAP, the Test Anything Protocol, of the versions 12 to 14 (https://testanything.org).

A test that has subtests is not counted beside them, unless it fails while none of them does. What
is no line of the protocol is passed over, as the protocol says.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_judge.judges.reports.faults import FormatError
from agent_judge.judges.testruns.formats.tap_level import Level, Point
from agent_judge.judges.testruns.results import Counts, Faults, whole

if TYPE_CHECKING:
    from agent_judge.judges.reports.source import ReportFile
    from agent_judge.judges.testruns.formats.report import Take

MAX_LEVEL: Final = 100
"""How deep subtests may nest; what nests deeper counts as if it did not."""

_INDENT: Final = 4
"""Spaces by which a subtest is indented (TAP 14)."""

_VERSION: Final = re.compile(r"TAP version \d{1,3}\s*", re.IGNORECASE)
_PLAN: Final = re.compile(r"1\.\.(\d{1,15})\s*(?:#.*|todo .*)?")
_POINT: Final = re.compile(r"(not )?ok\b(?!:)(?:\s+(\d{1,15})\b)?(?:\s+-(?=\s|$))?(.*)", re.DOTALL)
_BAIL_OUT: Final = re.compile(r"Bail out!\s*(.*)", re.IGNORECASE | re.DOTALL)
_FACT: Final = re.compile(r"(message|error|location|at|file|line|duration_ms):\s*(.*)")


class TapReport:
    """Reads one report in TAP.

    Attributes:
        declared: How many tests the plan announces.
        faults: What is wrong beside a test: a bail-out, a plan that was not kept.
    """

    def __init__(self) -> None:
        self.declared = Counts()
        self.faults = Faults()
        self._is_tap = False
        self._bailed_out = False
        self._levels = [Level(0)]
        self._diagnosis: str | None = None
        """What the lines of the diagnosis that is being read begin with."""

    def read(self, file: ReportFile, take: Take, /) -> None:
        """Hand the tests on, as they come; see `Report`."""
        top = self._levels[0]
        for line in file.lines():
            if self._bailed_out:
                break
            if not self._diagnosed(line):
                self._line(line)
            top.hand_on(take)
        if not self._is_tap:
            raise FormatError("it holds no line of TAP")
        self._leave_to(0)
        top.finish()
        top.hand_on(take)
        self.declared = Counts(top.plan)
        self.faults.extend(top.faults)

    def _line(self, line: str) -> None:
        content = line.lstrip(" ")
        depth = min((len(line) - len(content)) // _INDENT, MAX_LEVEL)
        if found := _POINT.fullmatch(content):
            self._enter(depth).take(Point(found[3], is_ok=found[1] is None), whole(found[2]))
        elif found := _PLAN.fullmatch(content):
            self._enter(depth).take_plan(int(found[1]))
        elif found := _BAIL_OUT.fullmatch(content):
            self._is_tap = self._bailed_out = True
            self.faults.add(f"the run bailed out: {found[1].strip() or 'no reason given'}")
        elif _VERSION.fullmatch(content):
            self._is_tap = True
        elif content.strip() == "}" and len(self._levels) > 1:
            self._leave(is_braced=True)
        elif self._levels[-1].last is not None:
            if content.strip() == "---":
                self._diagnosis = line[: len(line) - len(content)]
            elif content.strip() == "{":
                self._levels[-1].last.is_open = True

    def _diagnosed(self, line: str) -> bool:
        """Whether a line belongs to the diagnosis of the last test, in YAML."""
        if self._diagnosis is None:
            return False
        if line.strip() and not line.startswith(self._diagnosis or "---"):
            self._diagnosis = None
            return False
        content = line.strip()
        if content == "...":
            self._diagnosis = None
        elif found := _FACT.fullmatch(content):
            last = self._levels[-1].last
            if last is not None:
                last.facts.setdefault(found[1], found[2].strip("'\" "))
        return True

    def _enter(self, depth: int) -> Level:
        """The level of a line: those that are indented more have ended, or it begins."""
        self._is_tap = True
        has_left = self._leave_to(depth)
        outer = self._levels[-1]
        if outer.depth < depth:
            self._levels.append(Level(depth))
            if has_left:
                self._levels[-1].take_waiting(outer)
        return self._levels[-1]

    def _leave_to(self, depth: int) -> bool:
        """End the subtests that are indented more; whether there were any."""
        has_left = False
        while self._levels[-1].depth > depth:
            self._leave(is_braced=False)
            has_left = True
        return has_left

    def _leave(self, *, is_braced: bool) -> None:
        """End the innermost subtest."""
        level = self._levels.pop()
        level.finish()
        self._levels[-1].take_subtest(level, is_braced=is_braced)
