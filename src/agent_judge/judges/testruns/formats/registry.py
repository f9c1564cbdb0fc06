"""Which formats of reports there are, and which one a report is in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Protocol

from agent_judge.judges.testruns.formats import (
    dart_json,
    go_json,
    jest_json,
    junit,
    mocha_json,
    nunit,
    rspec_json,
    tap,
    trx,
    xunit_net,
)
from agent_judge.judges.testruns.formats.json_document import JsonReport
from agent_judge.judges.testruns.formats.lines import json_object
from agent_judge.judges.testruns.results import CaseResult, Counts, Faults, ReportError

HEAD: Final = 65_536
"""Bytes of a report by which its format is told."""


class Report(Protocol):
    """Reads one report, once."""

    declared: Counts
    """What the report sums up itself, once it is read."""

    faults: Faults
    """What it says went wrong outside of any test, once it is read."""

    def read(self, chunks: Iterable[bytes], /) -> Iterator[CaseResult]:
        """The tests that it tells of; a `ReportError` where it cannot be read."""
        ...


class _AnyJson(JsonReport):
    """A JSON document of which only its keys tell who wrote it."""

    def results(self, document: dict[str, Any]) -> Iterator[CaseResult]:
        for kind in (jest_json.JestReport, mocha_json.MochaReport, rspec_json.RSpecReport):
            if kind.fits(document):
                report = kind()
                yield from report.results(document)
                self.declared, self.faults = report.declared, report.faults
                return
        raise ReportError("is JSON, and no report of a tool that is known")


FORMATS: Final[Mapping[str, Callable[[], Report]]] = {
    "dart": dart_json.DartReport,
    "go": go_json.GoTestReport,
    "jest": jest_json.JestReport,
    "junit": junit.JUnitReport,
    "mocha": mocha_json.MochaReport,
    "nunit": nunit.NUnitReport,
    "rspec": rspec_json.RSpecReport,
    "tap": tap.TapReport,
    "trx": trx.TrxReport,
    "xunit": xunit_net.XUnitNetReport,
}
"""The readers, by the name of their format."""

_XML: Final = (
    (junit.ROOTS, "junit"),
    (nunit.ROOTS, "nunit"),
    (xunit_net.ROOTS, "xunit"),
    (trx.ROOTS, "trx"),
)
_TAG: Final = re.compile(r"<([A-Za-z_][\w.:-]*)")
_PROLOGUE: Final = (("<!--", "-->"), ("<?", "?>"))
_TAP: Final = re.compile(
    r"^ *(?:TAP version \d+|1\.\.\d+|(?:not )?ok\b(?!:))", re.IGNORECASE | re.MULTILINE
)


def report_reader(format: str | None, head: bytes) -> Report:  # noqa: A002 - the word of the field
    """A reader for one report.

    Args:
        format: A key of `FORMATS`; `None` where the report itself tells.
        head: The first bytes of the report.

    Raises:
        ReportError: It is empty, or in no format that is known.
    """
    if format is not None:
        return FORMATS[format]()
    text = _decoded(head)
    if not text.strip():
        raise ReportError("is empty")
    if text.startswith("<"):
        return FORMATS[_xml_format(text)]()
    if text.startswith(("{", "[")):
        return _json_reader(text)
    if _TAP.search(text):
        return FORMATS["tap"]()
    raise ReportError("is in no format that is known")


def _decoded(head: bytes) -> str:
    wide = head[:2] in (b"\xff\xfe", b"\xfe\xff")
    text = head.decode("utf-16" if wide else "utf-8-sig", "replace")
    return text.lstrip()


def _xml_format(text: str) -> str:
    tag = _root(text)
    for roots, name in _XML:
        if tag in roots:
            return name
    raise ReportError(f"begins with <{tag}>, and is no report of tests that is known")


def _root(text: str) -> str:
    """The tag of the root, behind what may stand before it; empty where it cannot be told."""
    place = 0
    while 0 <= place < len(text):
        place = text.find("<", place)
        if place >= 0 and (found := _TAG.match(text, place)):
            return found[1].rpartition(":")[2]
        place = _after(text, place)
    return ""


def _after(text: str, place: int) -> int:
    """Where a comment, a declaration or a DOCTYPE ends; -1 where it does not."""
    if place < 0:
        return place
    for opening, closing in _PROLOGUE:
        if text.startswith(opening, place):
            return text.find(closing, place + len(opening))
    subset, end = text.find("[", place), text.find(">", place)
    return text.find("]", subset) if 0 <= subset < end else end


def _json_reader(text: str) -> Report:
    event = json_object(text.partition("\n")[0].strip())
    if event is not None and "Action" in event:
        return FORMATS["go"]()
    if event is not None and "protocolVersion" in event:
        return FORMATS["dart"]()
    return _AnyJson()
