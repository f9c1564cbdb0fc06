"""What all reports in XML have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from agent_judge.judges.reports.faults import FormatError
from agent_judge.judges.reports.xml_events import Attributes, Elements, read_xml
from agent_judge.judges.testruns.results import CaseResult, Counts, Faults

if TYPE_CHECKING:
    from agent_judge.judges.reports.source import ReportFile
    from agent_judge.judges.testruns.formats.report import Take


class XmlReport:
    """Reads one report; a subclass knows its elements.

    Attributes:
        declared: What the report says in its attributes.
        faults: What it says went wrong outside of any test.
    """

    ROOTS: ClassVar[frozenset[str]] = frozenset()
    """The names that its outermost element may have."""

    def __init__(self) -> None:
        self.declared = Counts()
        self.faults = Faults()
        self._bad = 0
        self._take: Take = _ignore

    def read(self, file: ReportFile, take: Take, /) -> None:
        """Hand the tests on; see `Report`."""
        read_xml(
            file, lambda root, attributes: self.begun(root, attributes, take), external="leave_out"
        )
        self.finish()

    def begun(self, root: str, attributes: Attributes, take: Take) -> Elements:
        """What is done with the elements of a document that begins like this.

        Raises:
            FormatError: It is no such report.
        """
        if root not in self.ROOTS:
            raise FormatError(f"it begins with <{root}>, and not as such a report does")
        self._take = take
        return self.elements(root, attributes)

    def elements(self, root: str, attributes: Attributes) -> Elements:
        """What is done with the elements of such a report; the root itself has begun."""
        raise NotImplementedError

    def found(self, result: CaseResult) -> None:
        """Hand a test on."""
        self._bad += result.outcome.is_bad
        self._take(result)

    @property
    def failures(self) -> int:
        """The failures and errors that it holds, to compare with those that it declares."""
        return self._bad

    def finish(self) -> None:
        """Compare the failures that it holds with those that it declares."""
        if self.declared.bad > self.failures:
            self.faults.add(
                f"it declares {self.declared.bad} failures and errors, and holds {self.failures}"
            )


def _ignore(_result: CaseResult) -> None:
    """What is done with tests before anybody asked for them."""
