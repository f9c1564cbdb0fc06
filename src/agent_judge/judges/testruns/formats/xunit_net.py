"""xUnit.net XML, of the versions 1 to 3."""

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

_TEXTS: Final = ("message", "stack-trace", "reason")


class XUnitNetReport(XmlReport):
    """Reads one report of xUnit.net."""

    ROOTS = frozenset({"assemblies", "assembly"})

    def __init__(self) -> None:
        super().__init__()
        self._test: Attributes | None = None
        self._texts: dict[str, str] = {}
        self._has_failure = False
        self._errors = 0

    @property
    def failures(self) -> int:
        """The failures that it holds, and the errors outside of tests."""
        return super().failures + self._errors

    def elements(self, root: str, attributes: Attributes) -> Elements:
        """Tests, what is in them, and errors outside of them."""
        if root == "assembly":
            self._assembly(attributes)
        return Elements(
            begin={
                "assembly": self._assembly,
                "test": self._begin_test,
                "failure": self._failure,
                "error": self._error,
            },
            text={name: partial(self._text, name) for name in _TEXTS},
            end={"test": self._end_test},
        )

    def _assembly(self, attributes: Attributes) -> None:
        self.declared = self.declared.plus(_counts(attributes))

    def _begin_test(self, attributes: Attributes) -> None:
        self._test, self._texts, self._has_failure = attributes, {}, False

    def _failure(self, _attributes: Attributes) -> None:
        self._has_failure = True

    def _error(self, attributes: Attributes) -> None:
        if self._test is None:
            where = f"{attributes.get('type', 'error')} {attributes.get('name', '')}"
            self.faults.add(f"{where.strip()} outside of a test")
            self._errors += 1

    def _text(self, name: str, text: str) -> None:
        if self._test is not None:
            self._texts.setdefault(name, text)

    def _end_test(self) -> None:
        if self._test is not None:
            self.found(self._result(self._test))
            self._test = None

    def _result(self, attributes: Attributes) -> CaseResult:
        outcome = self._outcome(attributes.get("result", ""))
        place = place_in(self._texts.get("stack-trace", "")) if outcome.is_bad else None
        source = attributes.get("source-file"), whole(attributes.get("source-line")) or None
        file, line = place or source
        class_name = attributes.get("type") or ""
        name = attributes.get("name") or attributes.get("method") or ""
        return CaseResult(
            name.removeprefix(f"{class_name}.") if class_name else name,
            outcome,
            class_name,
            file,
            line,
            clipped(self._texts.get("message") or self._texts.get("reason") or ""),
            seconds(attributes.get("time")),
        )

    def _outcome(self, result: str) -> Outcome:
        if self._has_failure or result == "Fail":
            return Outcome.FAILED
        if "reason" in self._texts or result in ("Skip", "NotRun"):
            return Outcome.SKIPPED
        return Outcome.PASSED if result == "Pass" else Outcome.ERRORED


def _counts(attributes: Attributes) -> Counts:
    names = ("total", "failed", "errors", "skipped")
    return Counts(*(whole(attributes.get(name)) for name in names))
