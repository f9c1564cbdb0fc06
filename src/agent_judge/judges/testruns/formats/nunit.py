"""NUnit XML, of the versions 2 (`<test-results>`) and 3 (`<test-run>`)."""

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

ROOTS: Final = frozenset({"test-results", "test-run"})

_SKIPPED: Final = frozenset({"Skipped", "Ignored", "NotRunnable", "Inconclusive", "Explicit"})
_BROKEN: Final = frozenset({"NotRunnable", "Invalid"})
"""Tests that could not be run: they are not executed, and NUnit counts them against the run."""


class NUnitReport(XmlReport):
    """Reads one report of NUnit."""

    def __init__(self) -> None:
        super().__init__()
        self._attributes: dict[str, str] | None = None
        self._texts: dict[str, str] = {}
        self._has_failure = False

    def start(self, tag: str, attributes: dict[str, str]) -> bool:
        """Take an element in."""
        if not self.path:
            if tag not in ROOTS:
                raise ReportError(f"begins with <{tag}>, and is no NUnit report")
            self.declared = _counts(attributes)
        elif tag == "test-case":
            self._attributes, self._texts, self._has_failure = attributes, {}, False
        elif self._attributes is not None:
            if tag == "failure":
                self._has_failure = True
            return tag in ("message", "stack-trace")
        return False

    def end(self, tag: str, text: str) -> None:
        """Hand a test on."""
        if tag == "test-case" and self._attributes is not None:
            self.found.append(self._result(self._attributes))
            self._attributes = None
        elif text:
            self._texts.setdefault(tag, text)

    def _result(self, attributes: dict[str, str]) -> CaseResult:
        outcome = self._outcome(attributes)
        name = attributes.get("fullname") or attributes.get("name") or ""
        if _BROKEN & {
            attributes.get("result"),
            attributes.get("label"),
            attributes.get("runstate"),
        }:
            self.faults.add(f"{name} could not be run")
        place = place_in(self._texts.get("stack-trace", "")) if outcome.is_bad else None
        file, line = place or (None, None)
        class_name = attributes.get("classname") or ""
        return CaseResult(
            name.removeprefix(f"{class_name}.") if class_name else name,
            outcome,
            class_name,
            file,
            line,
            clipped(self._texts.get("message", "")),
            seconds(attributes.get("duration") or attributes.get("time")),
        )

    def _outcome(self, attributes: dict[str, str]) -> Outcome:
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


def _counts(attributes: dict[str, str]) -> Counts:
    skipped = [attributes.get(name) for name in ("skipped", "not-run", "ignored")]
    total = attributes.get("total") or attributes.get("testcasecount")
    failures = attributes.get("failed") or attributes.get("failures")
    return Counts(
        whole(total),
        whole(failures),
        whole(attributes.get("errors")),
        sum(number for number in map(whole, skipped) if number) if any(skipped) else None,
    )
