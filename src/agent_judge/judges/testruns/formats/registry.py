"""Which formats of reports there are, and which one a report is in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from agent_judge.judges.reports.faults import FormatError
from agent_judge.judges.reports.xml_events import Attributes, Elements, read_xml
from agent_judge.judges.testruns.formats.dart_json import DartReport
from agent_judge.judges.testruns.formats.go_json import GoTestReport
from agent_judge.judges.testruns.formats.jest_json import JestReport
from agent_judge.judges.testruns.formats.json_document import JsonReport
from agent_judge.judges.testruns.formats.json_lines import json_object
from agent_judge.judges.testruns.formats.junit import JUnitReport
from agent_judge.judges.testruns.formats.mocha_json import MochaReport
from agent_judge.judges.testruns.formats.nunit import NUnitReport
from agent_judge.judges.testruns.formats.report import Report, Take
from agent_judge.judges.testruns.formats.rspec_json import RSpecReport
from agent_judge.judges.testruns.formats.tap import TapReport
from agent_judge.judges.testruns.formats.trx import TrxReport
from agent_judge.judges.testruns.formats.xml_report import XmlReport
from agent_judge.judges.testruns.formats.xunit_net import XUnitNetReport
from agent_judge.judges.testruns.results import CaseResult

if TYPE_CHECKING:
    from agent_judge.judges.reports.source import ReportFile

FORMATS: Final[Mapping[str, Callable[[], Report]]] = {
    "dart": DartReport,
    "go": GoTestReport,
    "jest": JestReport,
    "junit": JUnitReport,
    "mocha": MochaReport,
    "nunit": NUnitReport,
    "rspec": RSpecReport,
    "tap": TapReport,
    "trx": TrxReport,
    "xunit": XUnitNetReport,
}
"""The readers, by the name of their format."""

_XML: Final = (JUnitReport, NUnitReport, TrxReport, XUnitNetReport)
_JSON: Final = (JestReport, MochaReport, RSpecReport)
_TAP: Final = re.compile(
    r"^ *(?:TAP version \d+|1\.\.\d+|(?:not )?ok\b(?!:))", re.IGNORECASE | re.MULTILINE
)


def report_in(format: str | None, file: ReportFile) -> Report:  # noqa: A002 - the word of the field
    """A reader for one report.

    Args:
        format: A key of `FORMATS`; `None` where the report itself tells.
        file: The report, of which nothing has been read.

    Raises:
        FormatError: It is empty, or in no format that is known.
    """
    if format is not None:
        return FORMATS[format]()
    begins = file.begins
    if not begins:
        raise FormatError("it is empty")
    if begins.startswith("<"):
        return _AnyXml()
    if begins.startswith(("{", "[")):
        return _json_reader(begins)
    if _TAP.search(begins):
        return TapReport()
    raise FormatError("it is in no format of test reports that is known")


class _AnyXml(XmlReport):
    """A document in XML whose root tells who wrote it."""

    def read(self, file: ReportFile, take: Take, /) -> None:
        chosen: list[XmlReport] = []

        def recognise(root: str, attributes: Attributes) -> Elements:
            for kind in _XML:
                if root in kind.ROOTS:
                    chosen.append(kind())
                    return chosen[0].begun(root, attributes, take)
            raise FormatError(f"it begins with <{root}>, and is no report of tests that is known")

        read_xml(file, recognise, external="leave_out")
        chosen[0].finish()
        self.declared, self.faults = chosen[0].declared, chosen[0].faults


class _AnyJson(JsonReport):
    """A JSON document whose keys tell who wrote it."""

    def results(self, document: dict[str, Any]) -> Iterator[CaseResult]:
        for kind in _JSON:
            if kind.fits(document):
                report = kind()
                yield from report.results(document)
                self.declared, self.faults = report.declared, report.faults
                return
        raise FormatError("it is JSON, and no report of tests that is known")


def _json_reader(begins: str) -> Report:
    event = json_object(begins.partition("\n")[0].strip()) or {}
    if "Action" in event:
        return GoTestReport()
    return DartReport() if "protocolVersion" in event else _AnyJson()
