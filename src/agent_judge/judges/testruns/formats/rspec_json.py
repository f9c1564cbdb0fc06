"""The JSON of RSpec: `rspec --format json`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from agent_judge.judges.reports.faults import FormatError
from agent_judge.judges.testruns.formats.json_document import (
    JsonReport,
    count_in,
    is_object,
    number_in,
    objects_in,
    text_in,
)
from agent_judge.judges.testruns.results import (
    CaseResult,
    Counts,
    Outcome,
    clipped,
)

_STATUS: Final = {
    "passed": Outcome.PASSED,
    "failed": Outcome.FAILED,
    "pending": Outcome.SKIPPED,
}


class RSpecReport(JsonReport):
    """Reads one report of RSpec."""

    KEYS = ("examples", "summary")

    def results(self, document: dict[str, Any]) -> Iterator[CaseResult]:
        """The examples."""
        summary: object = document["summary"]
        if not is_object(summary):
            raise FormatError("it holds in 'summary' what is no object")
        examples, failures, errors, pending = (
            count_in(summary, name)
            for name in (
                "example_count",
                "failure_count",
                "errors_outside_of_examples_count",
                "pending_count",
            )
        )
        self.declared = Counts(examples, failures, errors, pending)
        if errors:
            self.faults.add(f"{errors} errors outside of examples")
        for example in objects_in(document, "examples"):
            yield _result(example)


def _result(example: dict[str, Any]) -> CaseResult:
    error: object = example.get("exception")
    error = error if is_object(error) else {}
    line = count_in(example, "line_number")
    name = text_in(example, "description")
    return CaseResult(
        name,
        _STATUS.get(text_in(example, "status"), Outcome.ERRORED),
        text_in(example, "full_description").removesuffix(name).strip(),
        text_in(example, "file_path").removeprefix("./") or None,
        line or None,
        clipped(text_in(error, "message") or text_in(example, "pending_message")),
        number_in(example, "run_time"),
    )
