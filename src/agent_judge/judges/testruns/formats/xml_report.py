"""What all reports in XML have in common: they are read as they come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agent_judge.judges.testruns.results import CaseResult, Counts, Faults, ReportError
from agent_judge.judges.xml_events import XmlError, XmlEvents


class XmlReport(XmlEvents):
    """Reads one report; a subclass knows its elements.

    Attributes:
        declared: What the report says in its attributes.
        faults: What it says went wrong outside of any test.
        found: Tests that were read, and not yet handed on.
    """

    def __init__(self) -> None:
        super().__init__()
        self.declared = Counts()
        self.faults = Faults()
        self.found: list[CaseResult] = []
        self._bad = 0

    def read(self, chunks: Iterable[bytes]) -> Iterator[CaseResult]:
        """The tests, as they come.

        Raises:
            ReportError: It is no such report, or breaks off.
        """
        try:
            for _ in self.feed(chunks):
                self._bad += sum(result.outcome.is_bad for result in self.found)
                yield from self.found
                self.found.clear()
        except XmlError as fault:
            raise ReportError(str(fault)) from None
        if self.declared.bad > self.failures:
            self.faults.add(
                f"it declares {self.declared.bad} failures and errors, and holds {self.failures}"
            )

    @property
    def failures(self) -> int:
        """The failures and errors that it holds, to compare with those that it declares."""
        return self._bad
