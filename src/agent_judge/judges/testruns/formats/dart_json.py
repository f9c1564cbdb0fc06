"""The stream of `dart test --reporter json` and `flutter test --machine`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from agent_judge.judges.reports.faults import FormatError
from agent_judge.judges.testruns.formats.json_document import count_in, is_object, text_in
from agent_judge.judges.testruns.formats.json_lines import json_object
from agent_judge.judges.testruns.results import (
    NAME_LIMIT,
    CaseResult,
    Counts,
    Faults,
    Outcome,
    clipped,
)

if TYPE_CHECKING:
    from agent_judge.judges.reports.source import ReportFile
    from agent_judge.judges.testruns.formats.report import Take

_RESULTS: Final = {
    "success": Outcome.PASSED,
    "failure": Outcome.FAILED,
    "error": Outcome.ERRORED,
}
_RUNNING: Final = 100_000
"""Tests that may run at a time."""


class DartReport:
    """Reads the stream of one run.

    Attributes:
        declared: Nothing; the stream sums nothing up.
        faults: That it broke off, or was no success though no test failed.
    """

    def __init__(self) -> None:
        self.declared = Counts()
        self.faults = Faults()
        self._suites: dict[int, str] = {}
        self._running: dict[int, dict[str, Any]] = {}
        self._errors: dict[int, str] = {}
        self._has_failed = False

    def read(self, file: ReportFile, take: Take, /) -> None:
        """Hand the tests on, as they end; see `Report`. Loading a file is none."""
        self._take = take
        success: object = None
        has_begun = False
        for line in file.lines():
            event = json_object(line)
            kind = None if event is None else event.get("type")
            if event is None or not isinstance(kind, str):
                continue
            has_begun |= kind == "start"
            if kind == "done":
                success = event.get("success")
            self._event(kind, event)
        if not has_begun:
            raise FormatError("it does not begin with an event of a run of dart")
        self._end(success)

    def _event(self, kind: str, event: dict[str, Any]) -> None:
        number = count_in(event, "testID")
        if kind == "suite" and is_object(suite := event.get("suite")):
            self._suites[count_in(suite, "id") or 0] = text_in(suite, "path")[:NAME_LIMIT]
        elif kind == "testStart" and is_object(test := event.get("test")):
            if len(self._running) >= _RUNNING:
                raise FormatError(f"it has more than {_RUNNING} tests that run at a time")
            self._running[count_in(test, "id") or 0] = test
        elif kind == "error" and number in self._running:
            self._errors.setdefault(number, text_in(event, "error"))
        elif kind == "testDone" and number is not None:
            self._done(number, event)

    def _done(self, number: int, event: dict[str, Any]) -> None:
        test = self._running.pop(number, None)
        message = self._errors.pop(number, "")
        outcome = _RESULTS.get(text_in(event, "result"), Outcome.ERRORED)
        if test is None:
            self.faults.add(f"test {number} ended without having begun")
            return
        if event.get("hidden") is True and not outcome.is_bad:
            return
        if event.get("skipped") is True and not outcome.is_bad:
            outcome = Outcome.SKIPPED
            metadata: object = test.get("metadata")
            message = text_in(metadata, "skipReason") if is_object(metadata) else ""
        self._take(self._result(test, outcome, message))

    def _end(self, success: object) -> None:
        for test in self._running.values():
            self._take(self._result(test, Outcome.ERRORED, "it began, and did not end"))
        if success is not True and not self._has_failed:
            says = "says that it was no success" if success is False else "broke off"
            self.faults.add(f"the run {says}, and no test failed")

    def _result(self, test: dict[str, Any], outcome: Outcome, message: str) -> CaseResult:
        self._has_failed |= outcome.is_bad
        file = self._suites.get(count_in(test, "suiteID") or 0, "")
        url, line = text_in(test, "root_url", "url"), count_in(test, "root_line")
        line = count_in(test, "line") if line is None else line
        return CaseResult(
            text_in(test, "name"),
            outcome,
            file.replace("\\", "/"),
            file or url or None,
            line or None,
            clipped(message),
        )
