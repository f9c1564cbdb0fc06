"""Reports as JSON, and as JSON Lines with one case a line; both can be read back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from agent_judge.errors import UnsupportedVersionError, WireError
from agent_judge.jury.verdict import Verdict
from agent_judge.report.model import Case, Report
from agent_judge.runs.strict_json import parse_json
from agent_judge.wire import FORMAT, from_dict, to_dict
from agent_judge.wire.codecs import TEXT, brief, expect_list, expect_object, refused_as_wire_error


def as_json(report: Report) -> str:
    """The report as one JSON document: the totals, then every case with its whole verdict."""
    document = {
        "format": FORMAT,
        "kind": "report",
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
        WireError: It is not one, or a verdict or the totals in it were changed; the message says
            where.
        OSError: The file cannot be read.
    """
    if path.suffix in (".jsonl", ".ndjson"):
        return _report(_lines(path), str(path))
    document = expect_object(parse_json(path.read_bytes(), str(path)), str(path))
    _check_form(document, str(path))
    cases = expect_list(document["cases"], f"{path}: cases")
    items = ((f"{path}: cases[{index}]", case) for index, case in enumerate(cases))
    report = _report(items, str(path))
    for name, counted in (("status", report.status.value), ("summary", report.summary())):
        if document[name] != counted:
            raise WireError(
                f"{path}: {name}: is {brief(document[name])}, but the cases give {counted!r}"
            )
    return report


def _check_form(document: Mapping[str, Any], place: str) -> None:
    if document.get("kind") != "report":
        raise WireError(f"{place}: kind: expected 'report', found {brief(document.get('kind'))}")
    if document.get("format") != FORMAT:
        raise UnsupportedVersionError(
            f"{place}: format: version {brief(document.get('format'))} cannot be read; "
            f"this release reads {FORMAT}"
        )
    _expect_keys(document, ("format", "kind", "status", "summary", "cases"), place)


def _stored(case: Case) -> dict[str, Any]:
    return {"case": case.id, "verdict": to_dict(case.verdict)}


def _lines(path: Path) -> Iterator[tuple[str, object]]:
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                place = f"{path}:{number}"
                yield place, parse_json(line, place)


def _report(items: Iterable[tuple[str, object]], place: str) -> Report:
    cases = tuple(_case(item, place) for place, item in items)
    return refused_as_wire_error(place, lambda: Report(cases))


def _case(item: object, place: str) -> Case:
    stored = expect_object(item, place)
    _expect_keys(stored, ("case", "verdict"), place)
    name = TEXT.read(stored["case"], f"{place}: case")
    try:
        verdict = from_dict(Verdict, stored["verdict"])
    except UnsupportedVersionError as fault:
        raise UnsupportedVersionError(f"{place}: {fault}") from None
    except WireError as fault:
        raise WireError(f"{place}: {fault}") from None
    return refused_as_wire_error(f"{place}: case", lambda: Case(name, verdict))


def _expect_keys(found: Mapping[str, Any], names: tuple[str, ...], place: str) -> None:
    if set(found) != set(names):
        raise WireError(f"{place}: expected an object with the keys {', '.join(names)}")
