"""Reading a coverage report of any format, which is recognised by its content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from agent_judge.judges.coverage import gcov, go_profile, lcov
from agent_judge.judges.coverage.clover import CloverReader
from agent_judge.judges.coverage.cobertura import CoberturaReader
from agent_judge.judges.coverage.coverage_py import CoveragePyReader
from agent_judge.judges.coverage.istanbul import IstanbulReader
from agent_judge.judges.coverage.jacoco import JacocoReader
from agent_judge.judges.coverage.opencover import OpenCoverReader
from agent_judge.judges.coverage.record import CoverageReport
from agent_judge.judges.coverage.scoverage import ScoverageReader
from agent_judge.judges.coverage.tally import Tally
from agent_judge.judges.reports.faults import FormatError
from agent_judge.judges.reports.json_entries import Begin, Keys, read_entries
from agent_judge.judges.reports.xml_events import Attributes, Elements, read_xml

if TYPE_CHECKING:
    from agent_judge.judges.reports.source import ReportFile


class _XmlReader(Protocol):
    elements: Elements

    def __init__(self, tally: Tally, root: Attributes, /) -> None: ...


_BY_ROOT: Final[dict[str, tuple[str, type[_XmlReader]]]] = {
    "CoverageSession": ("opencover", OpenCoverReader),
    "report": ("jacoco", JacocoReader),
    "scoverage": ("scoverage", ScoverageReader),
}

_COBERTURA: Final = ("cobertura", CoberturaReader)
_CLOVER: Final = ("clover", CloverReader)


def read_coverage(report: ReportFile) -> CoverageReport:
    r"""Read a coverage report.

    Raises:
        WorkspaceError: It is of no known format, or not as its format has it
            (`malformed_evidence`), or beyond a bound (`too_large`).

    Example:
        >>> from agent_judge.judges.reports.source import ReportFile
        >>> tracefile = b"SF:a.c\nDA:1,4\nDA:2,0\nend_of_record\n"
        >>> read_coverage(ReportFile.of(tracefile)).counts("lines")
        Counts(covered=1, total=2)
    """
    tally = Tally()
    try:
        name = _read(report, tally)
        return tally.report(name, report.sha256)
    except FormatError as fault:
        raise report.malformed(str(fault)) from None


def _read(report: ReportFile, tally: Tally) -> str:
    """Fill the tally, and say which format it was."""
    begins = report.begins
    if begins.startswith("<"):
        return _read_xml(report, tally)
    if begins.startswith(("{", "[")):
        return _read_json(report, tally)
    if begins.startswith(go_profile.BEGINS):
        go_profile.read_go_profile(report, tally)
        return "go"
    if begins.startswith(lcov.BEGINS):
        lcov.read_lcov(report, tally)
        return "lcov"
    if gcov.BEGINS.match(begins):
        gcov.read_gcov(report, tally)
        return "gcov"
    raise FormatError("it is empty" if not begins else "it is no coverage report that is known")


def _read_xml(report: ReportFile, tally: Tally) -> str:
    names: list[str] = []

    def recognise(root: str, attributes: Attributes) -> Elements:
        name, reader = _recognised(root, attributes)
        names.append(name)
        return reader(tally, attributes).elements

    read_xml(report, recognise)
    return names[0]


def _recognised(root: str, attributes: Attributes) -> tuple[str, type[_XmlReader]]:
    if root == "coverage":
        is_clover = "generated" in attributes or "clover" in attributes
        return _CLOVER if is_clover else _COBERTURA
    if root not in _BY_ROOT:
        raise FormatError(f"<{root[:80]}> is no coverage report that is known")
    return _BY_ROOT[root]


def _read_json(report: ReportFile, tally: Tally) -> str:
    coverage_py, istanbul = CoveragePyReader(tally), IstanbulReader(tally)
    names: set[str] = set()
    for keys, value in read_entries(report, _ENTERED):
        if not keys or isinstance(value, Begin):
            if value is not Begin.OBJECT:
                raise FormatError("it is no coverage report that is known")
            continue
        names.add(_read_entry(coverage_py, istanbul, keys, value))
    names.discard("")
    if len(names) != 1:
        raise FormatError("it is no coverage report that is known")
    return names.pop()


_ENTERED: Final = ((), ("files",))


def _read_entry(
    coverage_py: CoveragePyReader, istanbul: IstanbulReader, keys: Keys, value: Any
) -> str:
    match keys:
        case ("meta",):
            return ""
        case ("totals",):
            coverage_py.totals(value)
            return "coverage_py"
        case ("files", str(path)):
            coverage_py.file(path, value)
            return "coverage_py"
        case (str(path),):
            istanbul.entry(path, value)
            return "istanbul"
        case _:
            raise FormatError("it is no coverage report that is known")
