"""TRX, the XML of Visual Studio and `dotnet test`.

Results come before the definitions that say which class a test is in, so a report is held until its
end.
"""

from __future__ import annotations

from typing import Final

from agent_judge.judges.testruns.formats.places import place_in
from agent_judge.judges.testruns.formats.xml_report import XmlReport
from agent_judge.judges.testruns.results import (
    CaseResult,
    Counts,
    Outcome,
    ReportError,
    clipped,
    seconds,
    whole,
)

ROOTS: Final = frozenset({"TestRun"})

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

    def __init__(self) -> None:
        super().__init__()
        self._attributes: list[dict[str, str]] = []
        self._texts: dict[str, str] = {}
        self._held: list[tuple[str, CaseResult]] = []
        self._classes: dict[str, str] = {}
        self._definition = ""
        self._has_failure = False

    def start(self, tag: str, attributes: dict[str, str]) -> bool:
        """Take an element in."""
        if not self.path and tag not in ROOTS:
            raise ReportError(f"begins with <{tag}>, and is no TRX report")
        if tag == "UnitTestResult":
            self._attributes.append(attributes)
            self._texts = {}
        elif tag == "UnitTest":
            self._definition = attributes.get("id", "")
        elif tag == "TestMethod":
            class_name = attributes.get("className", "").partition(",")[0].strip()
            self._classes[self._definition] = class_name
        elif tag == "Counters":
            self.declared = _counts(attributes)
        elif tag == "ResultSummary" and attributes.get("outcome") in _BROKEN_OFF:
            self.faults.add(f"the run ended as {attributes['outcome']}")
        return tag in ("Message", "StackTrace") and bool(self._attributes)

    def end(self, tag: str, text: str) -> None:
        """Hold a test; hand them all on at the end."""
        if tag == "UnitTestResult":
            attributes = self._attributes.pop()
            self._held.append((attributes.get("testId", ""), self._result(attributes)))
            self._texts = {}
        elif tag == "TestRun":
            self.found.extend(self._named(*held) for held in self._held)
            self._held.clear()
        elif text:
            self._texts.setdefault(tag, text)

    def _result(self, attributes: dict[str, str]) -> CaseResult:
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


def _counts(attributes: dict[str, str]) -> Counts:
    total, executed, failed, error = (
        whole(attributes.get(name)) for name in ("total", "executed", "failed", "error")
    )
    skipped = None if total is None or executed is None else max(0, total - executed)
    return Counts(total, failed, error, skipped)
