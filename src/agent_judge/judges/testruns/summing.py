"""What the tests of a run, and what is demanded of them, come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agent_judge.frozen import EMPTY, Json
from agent_judge.judges.showing import shown
from agent_judge.judges.testruns.demands import Demands
from agent_judge.judges.testruns.locating import Locator
from agent_judge.judges.testruns.results import CaseResult, Outcome
from agent_judge.judges.testruns.tally import KEPT, Tally
from agent_judge.judges.testruns.wanted import Found
from agent_judge.judgment import Check, Judgment

_NAME: Final = 300
"""Characters of the name of a test in a check."""

_REASONS: Final = 5
"""Failed checks that the reasoning names; the checks name more of them."""

_LINE: Final = 300
"""Characters of each in the reasoning."""


@dataclass(frozen=True, slots=True)
class Summary:
    """All that is known of a run, ready to be judged.

    Attributes:
        tally: Its tests.
        demands: What is demanded of them.
        baseline: How many tests ran before the work.
        locator: Where their files are.
        checks: What else was looked at: how the command ended, whether files were tampered with.
        facts: What to note beside it.
    """

    tally: Tally
    demands: Demands
    baseline: int | None
    locator: Locator
    checks: Sequence[Check] = ()
    facts: Mapping[str, Json] = EMPTY

    def judgment(self, subject: str) -> Judgment:
        """PASS or FAIL, with a check for each test as far as there are not too many.

        Args:
            subject: What was read or run, as a sentence begins with it.
        """
        checks = [*self._counts(), *self.checks, *self._named(), *self._failed(), *self._passed()]
        failed = [check for check in checks if not check.passed and not check.advisory]
        said = f"{subject}: {self.tally.describe()}"
        if not failed:
            return Judgment.passing(said, checks=checks, metadata=self._metadata())
        told = [_told(check) for check in failed[:_REASONS]]
        more = len(failed) - len(told)
        reasoning = "; ".join([said, *told, *([f"and {more} more"] if more else [])])
        return Judgment.failing(reasoning, checks=checks, metadata=self._metadata())

    def _counts(self) -> Iterator[Check]:
        """Whether enough tests ran: a run without any says nothing."""
        tally = self.tally
        message = f"of {tally.total} tests {tally.executed} ran and {tally.passed} passed"
        if tally.total and not tally.executed:
            message = f"all {tally.total} tests were skipped"
        elif not tally.total:
            message = "there was no test"
        yield Check("tests ran", tally.passed > 0, message, examined=tally.executed)
        if self.baseline is not None:
            fewer = self.baseline - tally.counted
            message = f"{tally.counted} tests ran, {self.baseline} before the work"
            message += f": {fewer} fewer" if fewer > 0 else ""
            yield Check("count of tests", fewer <= 0, message, examined=tally.counted or 1)
        for fault in tally.faults.kept:
            yield Check("outside of tests", False, fault, advisory=self.demands.has_lists)
        if tally.flaky:
            message = f"{tally.flaky} tests passed only when they were tried again"
            yield Check("flaky tests", False, message, examined=tally.flaky, advisory=True)

    def _named(self) -> Iterator[Check]:
        """The tests that are named beforehand."""
        for role in ("expected", "fail_to_pass", "pass_to_pass"):
            for name in getattr(self.demands, role):
                yield self._demanded(role, name, self.tally.wanted.found[name])

    def _demanded(self, role: str, name: str, found: Found) -> Check:
        message = f"{role}: {_found_in_words(found)}"
        shows = found.bad or found.result
        location = None if shows is None else self.locator.location(shows)
        return Check(_shortened(name), found.is_met, message, found.matched, location=location)

    def _failed(self) -> Iterator[Check]:
        advisory = self.demands.has_lists
        for result in self.tally.bad:
            yield self._check(result, passed=False, advisory=advisory)
        more = self.tally.failed - len(self.tally.bad)
        if more:
            message = f"{more} more tests failed"
            yield Check("further tests", False, message, examined=more, advisory=advisory)

    def _passed(self) -> Iterator[Check]:
        """The tests that did not fail, where they are few; else how many they are."""
        for result in self.tally.others if self.tally.total <= KEPT else ():
            skipped = result.outcome is Outcome.SKIPPED
            yield self._check(result, passed=not skipped, advisory=True)

    def _check(self, result: CaseResult, *, passed: bool, advisory: bool) -> Check:
        message = result.outcome.value
        message += f": {result.message}" if result.message else ""
        return Check(
            _shortened(result.id),
            passed,
            message,
            advisory=advisory,
            location=self.locator.location(result),
        )

    def _metadata(self) -> dict[str, Json]:
        tally = self.tally
        counts = {outcome.name.lower(): tally.counts[outcome] for outcome in Outcome}
        totals = {"tests": tally.total, "executed": tally.executed, "counted": tally.counted}
        return {**self.facts, **totals, **counts}


def _found_in_words(found: Found) -> str:
    if found.bad is not None:
        bad = found.bad
        told = f"{bad.outcome.value}: {bad.message}" if bad.message else bad.outcome.value
        return told if found.matched == 1 else f"{shown(bad.id)} {told}"
    if not found.matched:
        return "it did not run"
    if not found.passed:
        return f"all {found.matched} tests were skipped"
    return "passed" if found.matched == 1 else f"{found.passed} tests passed"


def _told(check: Check) -> str:
    first, _, rest = check.message.partition("\n")
    message = f"{first} …" if rest else first
    return _cut(f"{check.name}: {message}" if message else check.name, _LINE)


def _shortened(name: str) -> str:
    return _cut(shown(name) if name.strip() else "a test without a name", _NAME)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"
