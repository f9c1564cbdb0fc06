"""The tests of a run, counted as they come, so that it takes no memory how many there are."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from agent_judge.judges.reports.faults import FormatError
from agent_judge.judges.testruns.formats import report_in
from agent_judge.judges.testruns.results import CaseResult, Counts, Faults, Outcome
from agent_judge.judges.testruns.wanted import Wanted

if TYPE_CHECKING:
    from agent_judge.judges.reports.source import ReportFile

KEPT: Final = 200
"""Tests of each kind that get a check of their own."""


class Tally:
    """The tests of one run.

    Args:
        wanted: The tests that must be there and have passed.

    Attributes:
        counts: How many tests ended how.
        bad: The first tests that failed.
        others: The first tests that did not fail.
        flaky: Tests that passed when they were tried again.
        faults: What the reports say went wrong outside of any test.
        declared: What the reports sum up themselves.
    """

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self.counts: Counter[Outcome] = Counter()
        self.bad: list[CaseResult] = []
        self.others: list[CaseResult] = []
        self.flaky = 0
        self.faults = Faults()
        self.declared = Counts()
        self.unwanted_bad = 0
        """Tests that failed, and for which none of the names stands."""

    def read(self, file: ReportFile, format: str | None) -> None:  # noqa: A002 - the field's word
        """Take a report in.

        Raises:
            WorkspaceError: It cannot be read (`malformed_evidence`), or is beyond a bound
                (`too_large`).
        """
        try:
            report = report_in(format, file)
            report.read(file, self.add)
        except FormatError as fault:
            raise file.malformed(str(fault)) from None
        self.faults.take(report.faults)
        self.declared = self.declared.plus(report.declared)

    def add(self, result: CaseResult) -> None:
        """Take a test in."""
        self.counts[result.outcome] += 1
        self.flaky += result.flaky
        is_wanted = self.wanted.add(result)
        kept = self.bad if result.outcome.is_bad else self.others
        if len(kept) < KEPT:
            kept.append(result)
        if result.outcome.is_bad and not is_wanted:
            self.unwanted_bad += 1

    @property
    def total(self) -> int:
        """All tests."""
        return self.counts.total()

    @property
    def executed(self) -> int:
        """The tests that ran."""
        return self.total - self.counts[Outcome.SKIPPED]

    @property
    def counted(self) -> int:
        """The tests that ran and were not expected to fail, which a baseline is compared with.

        Otherwise a test that fails could be declared as expected to, and nobody would miss it.
        """
        return self.executed - self.counts[Outcome.EXPECTED_FAILURE]

    @property
    def failed(self) -> int:
        """The tests that failed, for whichever reason."""
        return self.counts[Outcome.FAILED] + self.counts[Outcome.ERRORED]

    @property
    def passed(self) -> int:
        """The tests that passed, as they were meant to."""
        return self.counts[Outcome.PASSED]

    def describe(self) -> str:
        """How many there were of each kind, in words."""
        told = [f"{self.counts[outcome]} {outcome.value}" for outcome in Outcome]
        return ", ".join(part for part in told if not part.startswith("0 ")) or "no tests"
