"""Reports as JSON, and as JSON Lines with one case a line; both can be read back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from agent_judge.errors import WireError
from agent_judge.jury.verdict import Verdict
from agent_judge.report.model import Case, Report
from agent_judge.runs import parse_json
from agent_judge.wire import from_dict, to_dict


def as_json(report: Report) -> str:
    """The report as one JSON document: the totals, then every case with its whole verdict."""
    document = {
        "status": report.status.value,
        "summary": report.summary(),
        "cases": [_stored(case) for case in report.cases],
    }
    return json.dumps(document, indent=2) + "\n"


def as_json_lines(report: Report) -> str:
    """The report as JSON Lines, a case a line."""
    return "".join(json.dumps(_stored(case)) + "\n" for case in report.cases)


def read_report(path: Path) -> Report:
    """Read a report that was written as JSON or JSON Lines.

    Raises:
        WireError: It is not one, or a verdict in it was changed; the message says where.
        OSError: The file cannot be read.
    """
    raw = path.read_bytes()
    if path.suffix in (".jsonl", ".ndjson"):
        lines = [line for line in raw.splitlines() if line.strip()]
        items = [parse_json(line, f"{path}:{number}") for number, line in enumerate(lines, 1)]
        return _report(items, str(path))
    document = parse_json(raw, str(path))
    cases: object = (
        cast("Mapping[str, Any]", document).get("cases") if isinstance(document, dict) else None
    )
    if not isinstance(cases, list):
        raise WireError(f"{path}: expected a report with the key 'cases'")
    return _report(cast("list[object]", cases), str(path))


def _stored(case: Case) -> dict[str, Any]:
    return {"case": case.id, "verdict": to_dict(case.verdict)}


def _report(items: Iterable[object], place: str) -> Report:
    cases = tuple(_case(item, f"{place}[{index}]") for index, item in enumerate(items))
    if not cases:
        raise WireError(f"{place}: holds no case")
    return Report(cases)


def _case(item: object, place: str) -> Case:
    if not isinstance(item, dict) or set(cast("dict[str, Any]", item)) != {"case", "verdict"}:
        raise WireError(f"{place}: expected an object with 'case' and 'verdict'")
    stored = cast("dict[str, Any]", item)
    if not isinstance(stored["case"], str) or not stored["case"].strip():
        raise WireError(f"{place}.case: expected an identifier")
    try:
        return Case(stored["case"], from_dict(Verdict, stored["verdict"]))
    except WireError as fault:
        raise WireError(f"{place}.{fault}") from None
