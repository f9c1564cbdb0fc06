"""The stream of `go test -json` (see `go doc test2json`).

It comes on the standard output of the tests' own command. What a test prints is wrapped in it and
cannot end another test: an end without a beginning, or a second end, is a fault.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from agent_judge.judges.reports.faults import FormatError
from agent_judge.judges.testruns.formats.json_lines import json_object
from agent_judge.judges.testruns.results import (
    CaseResult,
    Counts,
    Faults,
    Outcome,
    clipped,
)

if TYPE_CHECKING:
    from agent_judge.judges.reports.source import ReportFile
    from agent_judge.judges.testruns.formats.report import Take

_ENDS: Final = {"pass": Outcome.PASSED, "fail": Outcome.FAILED, "skip": Outcome.SKIPPED}
_ACTIONS: Final = frozenset(
    {"start", "run", "pause", "cont", "bench", "output", "attr", "build-output", "build-fail"}
).union(_ENDS)
_PRINTED: Final = 2_000
"""Characters that are kept of what a test that has not ended prints."""

_RUNNING: Final = 100_000
"""Tests that may run at a time."""

_PLACE: Final = re.compile(r"\s+([^\s:]+\.go):(\d{1,9}): (.*)", re.DOTALL)
_FRAME: Final = re.compile(r"(---|===) ")


class GoTestReport:
    """Reads the stream of one run.

    Attributes:
        declared: Nothing; the stream sums nothing up.
        faults: Packages that failed without a test that did: they do not build, or panicked.
    """

    def __init__(self) -> None:
        self.declared = Counts()
        self.faults = Faults()
        self._running: dict[str, dict[str, _Test]] = {}
        """The tests of each package that began and have not ended."""
        self._begun = 0
        self._failed: set[str] = set()
        """Packages in which a test failed."""
        self._printed: dict[str, str] = {}
        self._open: set[str] = set()
        """Packages that began and have not ended."""

    def read(self, file: ReportFile, take: Take, /) -> None:
        """Hand the tests on, as they end; see `Report`.

        One that has subtests is counted beside them, as by Go itself.
        """
        self._take = take
        seen = False
        for line in file.lines():
            event = json_object(line)
            if event is None or event.get("Action") not in _ACTIONS:
                if line.strip() and not seen:
                    raise FormatError("it does not begin with an event of go test")
                continue
            seen = True
            self._event(event)
        if not seen:
            raise FormatError("it is empty")
        self._break_off()

    def _event(self, event: dict[str, Any]) -> None:
        action, package = event["Action"], str(event.get("Package") or event.get("ImportPath", ""))
        test = event.get("Test")
        if not isinstance(test, str):
            self._package(action, package, event)
            return
        running = self._running.get(package, {})
        if action == "run":
            self._run(package, test)
        elif action == "output" and test in running:
            running[test].take(str(event.get("Output", "")))
        elif action in _ENDS:
            self._end(package, test, _ENDS[action], event.get("Elapsed"))

    def _run(self, package: str, test: str) -> None:
        self._begun += 1
        if self._begun > _RUNNING:
            raise FormatError(f"it has more than {_RUNNING} tests that run at a time")
        self._open.add(package)
        self._running.setdefault(package, {})[test] = _Test()

    def _end(self, package: str, test: str, outcome: Outcome, elapsed: object) -> None:
        begun = self._running.get(package, {}).pop(test, None)
        if outcome.is_bad:
            self._failed.add(package)
        if begun is None:
            self.faults.add(f"{package} {test} ended without having begun")
            begun = _Test()
        else:
            self._begun -= 1
        self._take(begun.result(package, test, outcome, elapsed))

    def _package(self, action: str, package: str, event: dict[str, Any]) -> None:
        match action:
            case "start":
                self._open.add(package)
            case "output" | "build-output":
                printed = self._printed.get(package, "") + str(event.get("Output", ""))
                self._printed[package] = printed[-_PRINTED:]
            case "fail" | "build-fail":
                self._package_failed(action, package)
            case "pass" | "skip":
                self._forget(package)
            case _:
                pass

    def _package_failed(self, action: str, package: str) -> None:
        for test, begun in self._running.pop(package, {}).items():
            self._begun -= 1
            self._failed.add(package)
            self._take(begun.result(package, test, Outcome.FAILED, None))
        if package not in self._failed:
            what = "does not build" if action == "build-fail" else "failed outside of its tests"
            self.faults.add(f"{package} {what}: {self._printed.get(package, '').strip()}")
        self._forget(package)

    def _forget(self, package: str) -> None:
        self._failed.discard(package)
        self._printed.pop(package, None)
        self._open.discard(package)

    def _break_off(self) -> None:
        """What had begun when the stream ended."""
        for package, running in self._running.items():
            for test, begun in running.items():
                why = "it began, and did not end"
                self._take(begun.result(package, test, Outcome.ERRORED, None, why))
        for package in sorted(self._open):
            self.faults.add(f"{package} began, and did not end")


class _Test:
    """A test that runs: what it printed, within bounds, and where it complained."""

    __slots__ = ("_file", "_line", "_printed")

    def __init__(self) -> None:
        self._printed = ""
        self._file: str | None = None
        self._line: int | None = None

    def take(self, output: str) -> None:
        """Take in what it printed."""
        if _FRAME.match(output.lstrip()):
            return
        found = _PLACE.match(output[:_PRINTED])
        if found is not None:
            self._file, self._line = found[1], int(found[2]) or None
            output = found[3]
        if len(self._printed) < _PRINTED:
            self._printed += output[:_PRINTED]

    def result(
        self, package: str, name: str, outcome: Outcome, elapsed: object, message: str = ""
    ) -> CaseResult:
        """The test, ended."""
        told = outcome is not Outcome.PASSED
        return CaseResult(
            name,
            outcome,
            package,
            self._file if told else None,
            self._line if told else None,
            clipped(message or self._printed) if told else "",
            float(elapsed) if isinstance(elapsed, int | float) and elapsed >= 0 else None,
        )
