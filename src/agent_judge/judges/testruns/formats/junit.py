"""JUnit XML: pytest, Surefire, Gradle, jest-junit, gotestsum, nextest, GoogleTest and others.

There is no standard; this is what their dialects have in common. Where a `<testcase>` holds several
results, the worst one counts: some tools report one for the test and one for its clean-up.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from agent_judge.judges.reports.xml_events import Attributes, Elements
from agent_judge.judges.testruns.formats.places import place_in
from agent_judge.judges.testruns.formats.xml_report import XmlReport
from agent_judge.judges.testruns.results import (
    NAME_LIMIT,
    CaseResult,
    Counts,
    Outcome,
    clipped,
    seconds,
    whole,
)

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
    **dict.fromkeys(
        (
            "error",
            "errored",
            "aborted",
            "broken",
            "cancelled",
            "crashed",
            "inconclusive",
            "timedout",
            "timeout",
        ),
        Outcome.ERRORED,
    ),
    **dict.fromkeys(
        ("skipped", "disabled", "notrun", "suppressed", "ignored", "pending"), Outcome.SKIPPED
    ),
}
"""What the attributes `status` and `result` say where no element does (GoogleTest and others)."""


class JUnitReport(XmlReport):
    """Reads one report in JUnit XML."""

    ROOTS = frozenset({"testsuites", "testsuite", "testcase"})

    def __init__(self) -> None:
        super().__init__()
        self._cases: list[_Case] = []
        self._suites: list[Attributes] = []
        self._is_summed_up = False
        self._tries = 0

    def elements(self, root: str, attributes: Attributes) -> Elements:
        """Suites, tests, and the results in them."""
        begin: dict[str, Callable[[Attributes], None]] = {
            "testsuites": self._begin_suites,
            "testsuite": self._begin_suite,
            "testcase": self._begin_case,
            **{name: partial(self._begin_result, name) for name in _RESULTS},
            **dict.fromkeys(_FLAKY, self._flaky),
        }
        begin[root](attributes)
        return Elements(
            begin=begin,
            text=dict.fromkeys(_RESULTS, self._text),
            end={"testsuite": self._end_suite, "testcase": self._end_case},
        )

    @property
    def failures(self) -> int:
        """The failures and errors that it holds, of tests that passed in the end too."""
        return self._tries

    def _begin_suites(self, attributes: Attributes) -> None:
        if not self._suites:
            self.declared = self.declared.plus(_counts(attributes))
            self._is_summed_up = self.declared.tests is not None

    def _begin_suite(self, attributes: Attributes) -> None:
        if not self._suites and not self._is_summed_up:
            self.declared = self.declared.plus(_counts(attributes))
        self._suites.append(attributes)

    def _end_suite(self) -> None:
        self._suites.pop()

    def _begin_case(self, attributes: Attributes) -> None:
        is_pytest = bool(self._suites) and self._suites[-1].get("name") == "pytest"
        self._cases.append(_Case(attributes, is_pytest=is_pytest))

    def _end_case(self) -> None:
        case = self._cases.pop()
        self.found(case.result(self._file()))

    def _begin_result(self, name: str, attributes: Attributes) -> None:
        outcome, message = _RESULTS[name], attributes.get("message") or ""
        self._tries += outcome.is_bad
        if self._cases:
            if outcome is Outcome.SKIPPED and attributes.get("type", "").lower() in _EXPECTED:
                outcome = Outcome.EXPECTED_FAILURE
            self._cases[-1].take(outcome, message)
        elif outcome.is_bad:
            self.faults.add(f"{name} of a whole suite: {message or 'no message'}")

    def _text(self, text: str) -> None:
        if self._cases:
            self._cases[-1].take_text(text)

    def _flaky(self, _attributes: Attributes) -> None:
        self._tries += 1
        if self._cases:
            self._cases[-1].flaky = True

    def _file(self) -> str | None:
        """The file of the innermost suite that names one."""
        for attributes in reversed(self._suites):
            file = attributes.get("file") or attributes.get("filepath")
            if file:
                return file[:NAME_LIMIT]
        return None


class _Case:
    """A `<testcase>` that is open."""

    __slots__ = ("attributes", "flaky", "is_pytest", "is_worst", "message", "outcome", "text")

    def __init__(self, attributes: Attributes, *, is_pytest: bool) -> None:
        self.attributes = attributes
        self.is_pytest = is_pytest
        self.outcome = Outcome.PASSED
        self.message = ""
        self.text = ""
        self.flaky = False
        self.is_worst = False

    def take(self, outcome: Outcome, message: str) -> None:
        """Take a result in, whose text may follow."""
        self.is_worst = _SEVERITY[outcome] > _SEVERITY[self.outcome]
        if self.is_worst:
            self.outcome, self.message, self.text = outcome, message, ""

    def take_text(self, text: str) -> None:
        """Take the text of the last result in, where it is the worst so far."""
        if self.is_worst:
            self.text = text

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


def _by_status(attributes: Attributes) -> Outcome:
    """How a test ended that holds no result."""
    for name in ("result", "status"):
        outcome = _BY_STATUS.get(attributes.get(name, "").lower())
        if outcome is not None:
            return outcome
    return Outcome.PASSED


def _counts(attributes: Attributes) -> Counts:
    skipped = attributes.get("skipped") or attributes.get("skips") or attributes.get("disabled")
    return Counts(
        whole(attributes.get("tests")),
        whole(attributes.get("failures")),
        whole(attributes.get("errors")),
        whole(skipped),
    )
