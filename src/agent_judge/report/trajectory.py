"""The way of a loop from its first attempt to its end, as Markdown, JSON or a page of HTML."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

from agent_judge.coordination.attempts import Attempt
from agent_judge.coordination.formatting.points import points_of
from agent_judge.coordination.result import CoordinationResult
from agent_judge.coordination.stored import VERDICT
from agent_judge.errors import ArgumentError
from agent_judge.report.markdown import escape
from agent_judge.report.text import safe_lines
from agent_judge.secrecy import redact

SUFFIXES: Final = (".html", ".json", ".md")


def check_trajectory(path: Path) -> None:
    """Refuse a file whose ending says nothing of a form.

    Raises:
        ArgumentError: It is none of `SUFFIXES`.
    """
    if path.suffix not in SUFFIXES:
        raise ArgumentError(f"{path}: a trajectory ends in {', '.join(SUFFIXES)}")


def write_trajectory(result: CoordinationResult[Any], path: Path) -> None:
    """Write the way of a loop into a file, in the form that its ending names.

    Raises:
        ArgumentError: Another ending.
        OSError: It cannot be written.
    """
    check_trajectory(path)
    match path.suffix:
        case ".md":
            text = trajectory_as_markdown(result)
        case ".json":
            text = trajectory_as_json(result)
        case _:
            text = trajectory_as_html(result)
    path.write_text(text, "utf-8", errors="replace")


def trajectory_as_json(result: CoordinationResult[Any]) -> str:
    """The attempts with their verdicts; secrets are taken out, outputs are not in it."""
    attempts = [
        {
            "number": attempt.number,
            "verdict": _redacted(VERDICT.write(attempt.verdict)),
            "has_output": attempt.has_output,
            "error": None if attempt.error is None else redact(safe_lines(str(attempt.error))),
            "elapsed": attempt.elapsed,
            "judging": attempt.judging,
            "confirmed": attempt.confirmation and attempt.confirmation.is_approved,
            "snapshot": attempt.snapshot,
            "kept": attempt is result.best,
        }
        for attempt in result.attempts
    ]
    document = {
        "agent_id": result.agent_id,
        "run_id": result.run_id,
        "approved": result.is_approved,
        "stop_reason": result.stop_reason.value,
        "duration": result.duration,
        "attempts": attempts,
        "closing": None if result.closing is None else _redacted(VERDICT.write(result.closing)),
        "fresh": None if result.fresh is None else _redacted(VERDICT.write(result.fresh)),
    }
    return json.dumps(document, indent=2) + "\n"


def trajectory_as_markdown(result: CoordinationResult[Any]) -> str:
    """The attempts as a table, then what failed in each."""
    return "\n".join(_markdown(result)) + "\n"


def trajectory_as_html(result: CoordinationResult[Any]) -> str:
    """One page without scripts, which needs nothing beside it."""
    page = ET.Element("html", lang="en")
    head = ET.SubElement(page, "head")
    ET.SubElement(head, "meta", charset="utf-8")
    ET.SubElement(head, "title").text = _headline(result)
    ET.SubElement(head, "style").text = _STYLE
    body = ET.SubElement(page, "body")
    ET.SubElement(body, "h1").text = _headline(result)
    table = ET.SubElement(body, "table")
    row = ET.SubElement(table, "tr")
    for name in _COLUMNS:
        ET.SubElement(row, "th").text = name
    for attempt in result.attempts:
        kept = "kept" if attempt is result.best else ""
        row = ET.SubElement(table, "tr", {"class": f"{attempt.verdict.decision.value} {kept}"})
        for cell in _cells(attempt, kept=bool(kept)):
            ET.SubElement(row, "td").text = cell
    for attempt in result.attempts:
        failures = [*_failures(attempt)]
        if failures:
            ET.SubElement(body, "h2").text = f"Attempt {attempt.number}"
            listed = ET.SubElement(body, "ul")
            for failure in failures:
                ET.SubElement(listed, "li").text = failure
    return "<!DOCTYPE html>\n" + ET.tostring(page, "unicode", method="html") + "\n"


def _markdown(result: CoordinationResult[Any]) -> Iterator[str]:
    yield f"# {escape(_headline(result))}"
    yield ""
    yield f"| {' | '.join(_COLUMNS)} |"
    yield f"|{'---|' * len(_COLUMNS)}"
    for attempt in result.attempts:
        cells = _cells(attempt, kept=attempt is result.best)
        yield f"| {' | '.join(map(escape, cells))} |"
    for attempt in result.attempts:
        failures = [*_failures(attempt)]
        if failures:
            yield from ("", f"## Attempt {attempt.number}", "")
            yield from (f"- {escape(failure)}" for failure in failures)


_COLUMNS: Final = ("Attempt", "Decision", "Score", "Seconds", "Why")


def _cells(attempt: Attempt[Any], *, kept: bool) -> tuple[str, ...]:
    verdict = attempt.verdict
    decision = verdict.decision.value + (", kept" if kept else "")
    return (
        str(attempt.number),
        decision + (", made up" if verdict.synthetic else ""),
        f"{verdict.score:.2f}",
        f"{attempt.elapsed:.1f} + {attempt.judging:.1f}",
        redact(safe_lines(verdict.reason))[:300],
    )


def _failures(attempt: Attempt[Any]) -> Iterator[str]:
    for failure in points_of(attempt.verdict, attempt.number + 1).failures:
        place = f" ({failure.place})" if failure.place else ""
        yield redact(safe_lines(f"{failure.criterion}{place}: {failure.message}"))[:600]


def _headline(result: CoordinationResult[Any]) -> str:
    outcome = "approved" if result.is_approved else "not approved"
    return (
        f"{safe_lines(result.agent_id)}: {outcome} after {result.iterations} attempts "
        f"({result.stop_reason.value})"
    )


def _redacted(value: Any) -> Any:
    """A stored verdict without the secrets that its texts quote."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {key: _redacted(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list | tuple):
        return [_redacted(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value


_STYLE: Final = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
td, th { border-bottom: 1px solid #ccc; padding: .4rem .6rem; text-align: left }
.approve td { background: #e8f6ea }
.reject td { background: #fbeaea }
.kept td { font-weight: 600 }
"""
