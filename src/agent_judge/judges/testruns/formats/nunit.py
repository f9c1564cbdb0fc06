"""NUnit XML, of the versions 2 (`<test-results>`) and 3 (`<test-run>`)."""

from __future__ import annotations

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

_SKIPPED: Final = frozenset({"Skipped", "Ignored", "NotRunnable", "Inconclusive", "Explicit"})
_BROKEN: Final = frozenset({"NotRunnable", "Invalid"})
"""Tests that could not be run: they are not executed, and NUnit counts them against the run."""


class NUnitReport(XmlReport):
    """Reads one report of NUnit."""

    ROOTS = frozenset({"test-results", "test-run"})

    def __init__(self) -> None:
        super().__init__()
        self._case: Attributes | None = None
        self._message = ""
        self._trace = ""
        self._has_failure = False

    def elements(self, root: str, attributes: Attributes) -> Elements:  # noqa: ARG002 - either root
        """Tests, and what is in them."""
        self.declared = _counts(attributes)
        return Elements(
            begin={"test-case": self._begin_case, "failure": self._failure},
            text={"message": self._take_message, "stack-trace": self._take_trace},
            end={"test-case": self._end_case},
        )

    def _begin_case(self, attributes: Attributes) -> None:
        self._case = attributes
        self._message, self._trace, self._has_failure = "", "", False

    def _failure(self, _attributes: Attributes) -> None:
        self._has_failure = True

    def _take_message(self, text: str) -> None:
        self._message = self._message or text

    def _take_trace(self, text: str) -> None:
        self._trace = self._trace or text

    def _end_case(self) -> None:
        if self._case is not None:
            self.found(self._result(self._case))
            self._case = None

    def _result(self, attributes: Attributes) -> CaseResult:
        outcome = self._outcome(attributes)
        name = attributes.get("fullname") or attributes.get("name") or ""
        if _BROKEN & {
            attributes.get("result"),
            attributes.get("label"),
            attributes.get("runstate"),
        }:
            self.faults.add(f"{name} could not be run")
        place = place_in(self._trace) if outcome.is_bad else None
        file, line = place or (None, None)
        class_name = attributes.get("classname") or ""
        return CaseResult(
            name.removeprefix(f"{class_name}.") if class_name else name,
            outcome,
            class_name,
            file,
            line,
            clipped(self._message),
            seconds(attributes.get("duration") or attributes.get("time")),
        )

    def _outcome(self, attributes: Attributes) -> Outcome:
        result = attributes.get("result", "")
        if result == "Error":
            return Outcome.ERRORED
        if self._has_failure or result in ("Failed", "Failure"):
            return Outcome.FAILED
        is_skipped = attributes.get("executed", "").lower() == "false"
        if is_skipped or _SKIPPED & {result, attributes.get("runstate")}:
            return Outcome.SKIPPED
        is_failure = attributes.get("success", "").lower() == "false"
        return Outcome.FAILED if is_failure else Outcome.PASSED


def _counts(attributes: Attributes) -> Counts:
    skipped = [attributes.get(name) for name in ("skipped", "not-run", "ignored")]
    total = attributes.get("total") or attributes.get("testcasecount")
    failures = attributes.get("failed") or attributes.get("failures")
    return Counts(
        whole(total),
        whole(failures),
        whole(attributes.get("errors")),
        sum(number for number in map(whole, skipped) if number) if any(skipped) else None,
    )
