"""The JSON of jest and vitest: `jest --json`, `vitest --reporter json`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, cast

from agent_judge.judges.testruns.formats.json_document import (
    JsonReport,
    count_in,
    is_object,
    number_in,
    objects_in,
    text_in,
)
from agent_judge.judges.testruns.formats.places import place_in
from agent_judge.judges.testruns.results import NAME_LIMIT, CaseResult, Counts, Outcome, clipped

_STATUS: Final = {
    "passed": Outcome.PASSED,
    "failed": Outcome.FAILED,
    **dict.fromkeys(("pending", "skipped", "todo", "disabled"), Outcome.SKIPPED),
}


class JestReport(JsonReport):
    """Reads one report of jest or vitest."""

    KEYS = ("testResults", "numTotalTests")

    def results(self, document: dict[str, Any]) -> Iterator[CaseResult]:
        """The tests of each file."""
        total, failed, pending = (
            count_in(document, f"num{kind}Tests") for kind in ("Total", "Failed", "Pending")
        )
        self.declared = Counts(total, failed, None, pending)
        bad = 0
        for suite in objects_in(document, "testResults"):
            for result in self._file(suite):
                bad += result.outcome.is_bad
                yield result
        if (failed or 0) > bad:
            self.faults.add(f"it declares {failed} failures, and holds {bad}")
        if document.get("success") is False and not bad and not self.faults.count:
            self.faults.add("the run was no success, and no test says why")

    def _file(self, suite: dict[str, Any]) -> Iterator[CaseResult]:
        file = text_in(suite, "name")[:NAME_LIMIT]
        is_told = False
        for test in objects_in(suite, "assertionResults"):
            result = _result(test, file)
            is_told |= result.outcome.is_bad
            yield result
        if suite.get("status") == "failed" and not is_told:
            self.faults.add(f"{file}: {text_in(suite, 'message') or 'could not be run'}")


def _result(test: dict[str, Any], file: str) -> CaseResult:
    outcome = _STATUS.get(text_in(test, "status"), Outcome.ERRORED)
    message = "\n".join(_texts(test.get("failureMessages")))
    location: object = test.get("location")
    line = count_in(location, "line") if is_object(location) else None
    place = place_in(message, file) if outcome.is_bad else None
    path, number = place or (file or None, line or None)
    duration = number_in(test, "duration")
    return CaseResult(
        text_in(test, "title", "fullName"),
        outcome,
        " ".join([file, *_texts(test.get("ancestorTitles"))]).strip(),
        path,
        number,
        clipped(message),
        None if duration is None else duration / 1000,
        flaky=outcome is Outcome.PASSED and (count_in(test, "invocations") or 1) > 1,
    )


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, list):
        yield from (item for item in cast("list[object]", value) if isinstance(item, str))
