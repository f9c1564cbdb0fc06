"""TRX, the XML of Visual Studio and `dotnet test`.

Results come before the definitions that say which class a test is in, so a report is held until its
end.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from agent_judge.judges.reports.xml_events import Attributes, Elements
from agent_judge.judges.testruns.formats.places import place_in
from agent_judge.judges.testruns.formats.xml_report import XmlReport
from agent_judge.judges.testruns.results import (
    CaseResult,
    Counts,
    Outcome,
    clipped,
    seconds,
    whole,
)

_OUTCOMES: Final = {
    "Passed": Outcome.PASSED,
    "Failed": Outcome.FAILED,
    "Error": Outcome.ERRORED,
}
"""Of what is not among them it is only known that it was not carried through."""

_FINE: Final = frozenset({"NotExecuted", "Inconclusive", "Warning", "Completed"})
_BROKEN_OFF: Final = frozenset({"Aborted", "Timeout", "Disconnected", "Error"})


class TrxReport(XmlReport):
    """Reads one report in TRX."""

    ROOTS = frozenset({"TestRun"})

    def __init__(self) -> None:
        super().__init__()
        self._open: list[Attributes] = []
        self._texts: dict[str, str] = {}
        self._held: list[tuple[str, CaseResult]] = []
        self._classes: dict[str, str] = {}
        self._definition = ""

    def elements(self, root: str, attributes: Attributes) -> Elements:  # noqa: ARG002 - says nothing
        """Results, definitions, and what sums them up."""
        return Elements(
            begin={
                "UnitTestResult": self._begin_result,
                "UnitTest": self._define,
                "TestMethod": self._method,
                "Counters": self._count,
                "ResultSummary": self._sum_up,
            },
            text={name: partial(self._text, name) for name in ("Message", "StackTrace")},
            end={"UnitTestResult": self._end_result},
        )

    def finish(self) -> None:
        """Hand all tests on."""
        for identifier, result in self._held:
            self.found(self._named(identifier, result))
        super().finish()

    def _begin_result(self, attributes: Attributes) -> None:
        self._open.append(attributes)
        self._texts = {}

    def _text(self, name: str, text: str) -> None:
        if self._open:
            self._texts.setdefault(name, text)

    def _end_result(self) -> None:
        attributes = self._open.pop()
        self._held.append((attributes.get("testId", ""), self._result(attributes)))
        self._texts = {}

    def _define(self, attributes: Attributes) -> None:
        self._definition = attributes.get("id", "")

    def _method(self, attributes: Attributes) -> None:
        class_name = attributes.get("className", "").partition(",")[0].strip()
        self._classes[self._definition] = class_name

    def _count(self, attributes: Attributes) -> None:
        self.declared = _counts(attributes)

    def _sum_up(self, attributes: Attributes) -> None:
        if attributes.get("outcome") in _BROKEN_OFF:
            self.faults.add(f"the run ended as {attributes['outcome']}")

    def _result(self, attributes: Attributes) -> CaseResult:
        stated = attributes.get("outcome", "Error")
        outcome = _OUTCOMES.get(stated, Outcome.SKIPPED)
        name = attributes.get("testName", "")
        if stated not in _OUTCOMES and stated not in _FINE:
            self.faults.add(f"{name} ended as {stated}")
        place = place_in(self._texts.get("StackTrace", "")) if outcome.is_bad else None
        file, line = place or (None, None)
        return CaseResult(
            name,
            outcome,
            "",
            file,
            line,
            clipped(self._texts.get("Message") or ("" if stated in _OUTCOMES else stated)),
            _duration(attributes.get("duration")),
        )

    def _named(self, identifier: str, result: CaseResult) -> CaseResult:
        """The test with the class that its definition names."""
        class_name = self._classes.get(identifier, "")
        if not class_name:
            return result
        name = result.name.removeprefix(f"{class_name}.")
        return result._replace(name=name, class_name=class_name)


def _duration(text: str | None) -> float | None:
    """Seconds of `hh:mm:ss.fffffff`."""
    parts = [seconds(part) for part in (text or "").split(":")]
    if len(parts) != 3 or None in parts:
        return None
    hours, minutes, rest = (part or 0.0 for part in parts)
    return 3600 * hours + 60 * minutes + rest


def _counts(attributes: Attributes) -> Counts:
    total, executed, failed, error = (
        whole(attributes.get(name)) for name in ("total", "executed", "failed", "error")
    )
    skipped = None if total is None or executed is None else max(0, total - executed)
    return Counts(total, failed, error, skipped)
