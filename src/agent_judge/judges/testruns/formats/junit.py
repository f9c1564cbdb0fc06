"""JUnit XML: pytest, Surefire, Gradle, jest-junit, gotestsum, nextest, GoogleTest and others.

There is no standard; this is what their dialects have in common. Where a `<testcase>` holds several
results, the worst one counts: some tools report one for the test and one for its clean-up.
"""

from __future__ import annotations

from typing import Final

from agent_judge.judges.testruns.formats.places import place_in
from agent_judge.judges.testruns.formats.xml_report import XmlReport
from agent_judge.judges.testruns.results import (
    NAME_LIMIT,
    CaseResult,
    Counts,
    Outcome,
    ReportError,
    clipped,
    seconds,
    whole,
)

ROOTS: Final = frozenset({"testsuites", "testsuite", "testcase"})

_RESULTS: Final = {
    "failure": Outcome.FAILED,
    "error": Outcome.ERRORED,
    "rerunFailure": Outcome.FAILED,
    "rerunError": Outcome.ERRORED,
    "skipped": Outcome.SKIPPED,
    "disabled": Outcome.SKIPPED,
}
_FLAKY: Final = frozenset({"flakyFailure", "flakyError"})
"""Tries that failed of a test that passed in the end (Surefire, nextest)."""

_SEVERITY: Final = {
    outcome: rank
    for rank, outcome in enumerate(
        (Outcome.PASSED, Outcome.SKIPPED, Outcome.EXPECTED_FAILURE, Outcome.FAILED, Outcome.ERRORED)
    )
}
_EXPECTED: Final = frozenset({"pytest.xfail", "xfail"})
"""The `type` of a skip that is an expected failure (pytest, unittest-xml-reporting)."""

_BY_STATUS: Final = {
    **dict.fromkeys(("failed", "failure", "fail"), Outcome.FAILED),
    **dict.fromkeys(("error", "errored"), Outcome.ERRORED),
    **dict.fromkeys(
        ("skipped", "disabled", "notrun", "suppressed", "ignored", "pending"), Outcome.SKIPPED
    ),
}
"""What the attributes `status` and `result` say where no element does (GoogleTest and others)."""


class JUnitReport(XmlReport):
    """Reads one report in JUnit XML."""

    def __init__(self) -> None:
        super().__init__()
        self._cases: list[_Case] = []
        self._suites: list[dict[str, str]] = []
        self._is_summed_up = False
        self._tries = 0

    def start(self, tag: str, attributes: dict[str, str]) -> bool:
        """Take an element in."""
        if tag == "testcase":
            is_pytest = bool(self._suites) and self._suites[-1].get("name") == "pytest"
            self._cases.append(_Case(attributes, is_pytest=is_pytest))
            return False
        if not self.path and tag not in ROOTS:
            raise ReportError(f"begins with <{tag}>, and is no JUnit report")
        if tag in _RESULTS:
            return self._result(tag, attributes)
        if tag in _FLAKY and self._cases:
            self._cases[-1].flaky = True
            self._tries += 1
        elif tag in ("testsuites", "testsuite"):
            self._suite(tag, attributes)
        return False

    def end(self, tag: str, text: str) -> None:
        """Hand a test on."""
        if tag == "testcase":
            case = self._cases.pop()
            self.found.append(case.result(self._file()))
        elif tag == "testsuite":
            self._suites.pop()
        elif text and self._cases:
            self._cases[-1].text = text

    @property
    def failures(self) -> int:
        """The failures and errors that it holds, of tests that passed in the end too."""
        return self._tries

    def _result(self, tag: str, attributes: dict[str, str]) -> bool:
        outcome, message = _RESULTS[tag], attributes.get("message") or ""
        self._tries += outcome.is_bad
        if not self._cases:
            if outcome.is_bad:
                self.faults.add(f"{tag} of a whole suite: {message or 'no message'}")
            return False
        if outcome is Outcome.SKIPPED and attributes.get("type", "").lower() in _EXPECTED:
            outcome = Outcome.EXPECTED_FAILURE
        return self._cases[-1].take(outcome, message)

    def _suite(self, tag: str, attributes: dict[str, str]) -> None:
        """Take in what the outermost element that says so declares of all in it."""
        if not self._suites and not self._is_summed_up:
            self.declared = self.declared.plus(_counts(attributes))
        if tag == "testsuite":
            self._suites.append(attributes)
        else:
            self._is_summed_up = self.declared.tests is not None

    def _file(self) -> str | None:
        """The file of the innermost suite that names one."""
        for attributes in reversed(self._suites):
            file = attributes.get("file") or attributes.get("filepath")
            if file:
                return file[:NAME_LIMIT]
        return None


class _Case:
    """A `<testcase>` that is open."""

    __slots__ = ("attributes", "flaky", "is_pytest", "message", "outcome", "text")

    def __init__(self, attributes: dict[str, str], *, is_pytest: bool) -> None:
        self.attributes = attributes
        self.is_pytest = is_pytest
        self.outcome = Outcome.PASSED
        self.message = ""
        self.text = ""
        self.flaky = False

    def take(self, outcome: Outcome, message: str) -> bool:
        """Take a result in; whether it is the worst so far, whose text is wanted."""
        if _SEVERITY[outcome] <= _SEVERITY[self.outcome]:
            return False
        self.outcome, self.message, self.text = outcome, message, ""
        return True

    def result(self, suite_file: str | None) -> CaseResult:
        """The test, in a suite of that file."""
        attributes = self.attributes
        outcome = self.outcome
        if outcome is Outcome.PASSED:
            outcome = _by_status(attributes)
        file, line = self._place(attributes.get("file") or suite_file)
        return CaseResult(
            attributes.get("name", ""),
            outcome,
            attributes.get("classname") or attributes.get("class") or "",
            file,
            line,
            clipped(self.message or self.text),
            seconds(attributes.get("time")),
            self.flaky,
        )

    def _place(self, file: str | None) -> tuple[str | None, int | None]:
        """Where it failed, or where the test is."""
        if self.outcome.is_bad:
            class_name = self.attributes.get("classname") or ""
            place = place_in(self.text, file, class_name)
            if place is not None:
                return place
        line = whole(self.attributes.get("line"))
        if line is not None and self.is_pytest:
            line += 1  # pytest counts lines from 0 in its older formats
        return file, line or None


def _by_status(attributes: dict[str, str]) -> Outcome:
    """How a test ended that holds no result."""
    for name in ("result", "status"):
        outcome = _BY_STATUS.get(attributes.get(name, "").lower())
        if outcome is not None:
            return outcome
    return Outcome.PASSED


def _counts(attributes: dict[str, str]) -> Counts:
    skipped = attributes.get("skipped") or attributes.get("skips") or attributes.get("disabled")
    return Counts(
        whole(attributes.get("tests")),
        whole(attributes.get("failures")),
        whole(attributes.get("errors")),
        whole(skipped),
    )
