"""xUnit.net XML, of the versions 1 to 3."""

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

ROOTS: Final = frozenset({"assemblies", "assembly"})

_TEXTS: Final = frozenset({"message", "stack-trace", "reason"})


class XUnitNetReport(XmlReport):
    """Reads one report of xUnit.net."""

    def __init__(self) -> None:
        super().__init__()
        self._attributes: dict[str, str] | None = None
        self._texts: dict[str, str] = {}
        self._has_failure = False

    def start(self, tag: str, attributes: dict[str, str]) -> bool:
        """Take an element in."""
        if not self.path and tag not in ROOTS:
            raise ReportError(f"begins with <{tag}>, and is no xUnit.net report")
        if tag == "assembly":
            self.declared = self.declared.plus(_counts(attributes))
        elif tag == "test":
            self._attributes, self._texts, self._has_failure = attributes, {}, False
        elif tag == "failure" and self._attributes is not None:
            self._has_failure = True
        elif tag == "error" and self._attributes is None:
            where = f"{attributes.get('type', 'error')} {attributes.get('name', '')}"
            self.faults.add(f"{where.strip()} outside of a test")
        return tag in _TEXTS and self._attributes is not None

    def end(self, tag: str, text: str) -> None:
        """Hand a test on."""
        if tag == "test" and self._attributes is not None:
            self.found.append(self._result(self._attributes))
            self._attributes = None
        elif text:
            self._texts.setdefault(tag, text)

    def _result(self, attributes: dict[str, str]) -> CaseResult:
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


def _counts(attributes: dict[str, str]) -> Counts:
    names = ("total", "failed", "errors", "skipped")
    return Counts(*(whole(attributes.get(name)) for name in names))
