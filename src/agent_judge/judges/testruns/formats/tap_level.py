"""One level of a report in TAP: its tests, and the subtests that they sum up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_judge.judges.testruns.results import (
    NAME_LIMIT,
    CaseResult,
    Outcome,
    clipped,
    seconds,
    whole,
)

if TYPE_CHECKING:
    from agent_judge.judges.testruns.formats.report import Take

_DIRECTIVE: Final = re.compile(r"(?:^|\s)#\s*(todo\b|skip\S*)\s*(.*)", re.IGNORECASE | re.DOTALL)
_TIME: Final = re.compile(r"\s#\s*time=([\d.]{1,15})(ms|s)?")
_PLACE: Final = re.compile(r"(?:file://)?(.+?):(\d{1,9})(?::\d{1,9})?")


class Point:
    """A line `ok` or `not ok`, and what follows it.

    Attributes:
        name: What it is called.
        outcome: How it ended, with what its directive says of that.
        is_open: Whether it opens a brace, in which its subtests follow.
        facts: What its diagnosis says.
        subtests: The tests that it sums up.
    """

    __slots__ = ("duration", "facts", "is_open", "name", "outcome", "reason", "subtests")

    def __init__(self, description: str, *, is_ok: bool) -> None:
        self.is_open = description.rstrip().endswith("{")
        description = description.rstrip().removesuffix("{") if self.is_open else description
        self.duration, description = _timed(description)
        directive = _DIRECTIVE.search(description)
        self.outcome = _outcome(directive, is_ok=is_ok)
        self.reason = directive[2] if directive else ""
        name = description[: directive.start()] if directive else description
        self.name = name.replace("\\#", "#").replace("\\\\", "\\").strip()[:NAME_LIMIT]
        self.facts: dict[str, str] = {}
        self.subtests: list[CaseResult] = []

    def results(self, number: int) -> list[CaseResult]:
        """The tests that it stands for, where it is the one of that number."""
        name = self.name or f"test {number}"
        results = [_below(name, subtest) for subtest in self.subtests]
        is_told = any(result.outcome.is_bad for result in results)
        if not results or (self.outcome.is_bad and not is_told):
            results.append(self._result(name))
        return results

    def _result(self, name: str) -> CaseResult:
        file, line = self._place()
        message = self.facts.get("message") or self.facts.get("error") or self.reason
        duration = seconds(self.facts.get("duration_ms"))
        return CaseResult(
            name,
            self.outcome,
            file=file,
            line=line,
            message=clipped(message),
            duration=self.duration if duration is None else duration / 1000,
        )

    def _place(self) -> tuple[str | None, int | None]:
        for fact in ("location", "at"):
            if found := _PLACE.fullmatch(self.facts.get(fact, "")):
                return found[1], int(found[2]) or None
        return self.facts.get("file") or None, whole(self.facts.get("line")) or None


class Level:
    """The tests between two lines that are indented less.

    Attributes:
        depth: How far it is indented.
        plan: How many tests it announces.
        last: The test that was read last, of which more may follow.
        results: Tests of which nothing more will follow.
        faults: What is wrong beside a test.
    """

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.plan: int | None = None
        self.last: Point | None = None
        self.results: list[CaseResult] = []
        self.faults: list[str] = []
        self._count = 0
        self._numbers: set[int] = set()
        self._subtests: list[CaseResult] = []
        """Tests of a subtest whose own line has still to come."""

    def take_plan(self, count: int) -> None:
        """Take a plan in."""
        if self.plan is not None:
            self.faults.append("there is more than one plan")
        self.plan = count

    def take(self, point: Point, number: int | None) -> None:
        """Take a test in; the one before it is settled."""
        self._settle()
        self._count += 1
        number = self._count if number is None else number
        if number in self._numbers:
            self.faults.append(f"there is more than one test of the number {number}")
        self._numbers.add(number)
        point.subtests, self._subtests = self._subtests, []
        self.last = point

    def take_subtest(self, level: Level, *, is_braced: bool) -> None:
        """Take the tests of a subtest in: of the last test where a brace ends, else of the next."""
        self.faults += level.faults
        if is_braced and self.last is not None and self.last.is_open:
            self.last.subtests += level.results
        else:
            self._subtests += level.results

    def hand_on(self, take: Take) -> None:
        """Hand on the tests of which nothing more will follow."""
        for result in self.results:
            take(result)
        self.results.clear()

    def take_waiting(self, outer: Level) -> None:
        """Take subtests that were indented more, and seemed to be those of an outer level."""
        self._subtests, outer._subtests = outer._subtests, []

    def finish(self) -> None:
        """Compare what there was with the plan."""
        self._settle()
        self.results += self._subtests
        if self._subtests:
            self.faults.append("a subtest ended, and its own result is missing")
        if self.plan is None:
            self.faults.append("there is no plan, so that it may have broken off")
        elif self.plan != self._count:
            self.faults.append(f"the plan announces {self.plan} tests, and {self._count} came")
        elif self._numbers and max(self._numbers) > self.plan:
            self.faults.append(f"test number {max(self._numbers)} is not in the plan")

    def _settle(self) -> None:
        if self.last is not None:
            self.results += self.last.results(self._count)
            self.last = None


def _outcome(directive: re.Match[str] | None, *, is_ok: bool) -> Outcome:
    kind = directive[1].lower() if directive else ""
    if kind.startswith("skip"):
        return Outcome.SKIPPED
    if kind == "todo":
        return Outcome.UNEXPECTED_PASS if is_ok else Outcome.EXPECTED_FAILURE
    return Outcome.PASSED if is_ok else Outcome.FAILED


def _timed(description: str) -> tuple[float | None, str]:
    """A description without the time in it, as node-tap and vitest write it, and the seconds."""
    found = _TIME.search(description)
    if found is None:
        return None, description
    duration = seconds(found[1])
    in_seconds = duration / 1000 if duration is not None and found[2] == "ms" else duration
    return in_seconds, description[: found.start()] + description[found.end() :]


def _below(name: str, result: CaseResult) -> CaseResult:
    """A test within another: the way to it counts as its class."""
    path = f"{name} > {result.class_name}".removesuffix(" > ")
    return result._replace(class_name=path[:NAME_LIMIT])
