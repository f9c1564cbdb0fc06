"""The JSON of mocha: `mocha --reporter json`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_judge.judges.reports.faults import FormatError
from agent_judge.judges.testruns.formats.json_document import (
    JsonReport,
    count_in,
    is_object,
    number_in,
    objects_in,
    text_in,
)
from agent_judge.judges.testruns.formats.places import place_in
from agent_judge.judges.testruns.results import (
    CaseResult,
    Counts,
    Outcome,
    clipped,
)


class MochaReport(JsonReport):
    """Reads one report of mocha."""

    KEYS = ("stats", "passes", "failures", "pending")

    def results(self, document: dict[str, Any]) -> Iterator[CaseResult]:
        """The tests: those that passed, failed, and are pending."""
        stats: object = document["stats"]
        if not is_object(stats):
            raise FormatError("it holds in 'stats' what is no object")
        tests, failures, pending = (
            count_in(stats, name) for name in ("tests", "failures", "pending")
        )
        self.declared = Counts(tests, failures, None, pending)
        failed = list(objects_in(document, "failures"))
        if (failures or 0) > len(failed):
            self.faults.add(f"it declares {failures} failures, and holds {len(failed)}")
        for test in objects_in(document, "passes"):
            yield _result(test, Outcome.PASSED)
        for test in failed:
            yield _result(test, Outcome.FAILED)
        for test in objects_in(document, "pending"):
            yield _result(test, Outcome.SKIPPED)


def _result(test: dict[str, Any], outcome: Outcome) -> CaseResult:
    title, full_title = text_in(test, "title"), text_in(test, "fullTitle")
    error: object = test.get("err")
    error = error if is_object(error) else {}
    file = text_in(test, "file") or None
    place = place_in(text_in(error, "stack"), file) if outcome.is_bad else None
    path, line = place or (file, None)
    duration = number_in(test, "duration")
    return CaseResult(
        title or full_title,
        outcome,
        full_title.removesuffix(title).strip(),
        path,
        line,
        clipped(text_in(error, "message", "stack")),
        None if duration is None else duration / 1000,
        flaky=outcome is Outcome.PASSED and bool(count_in(test, "currentRetry")),
    )
