"""Reading a report of a static analysis of any format, which is recognised by its content."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from agent_judge.judges.findings import bandit, pylint, pyright, sarif
from agent_judge.judges.findings.checkstyle import CheckstyleReader
from agent_judge.judges.findings.eslint import is_eslint, read_eslint
from agent_judge.judges.findings.gathering import Gathering
from agent_judge.judges.findings.mypy_json import is_mypy, read_mypy
from agent_judge.judges.findings.pmd import PmdReader
from agent_judge.judges.findings.pylint import is_pylint, read_pylint
from agent_judge.judges.findings.record import FindingsReport
from agent_judge.judges.findings.ruff import is_ruff, read_ruff
from agent_judge.judges.findings.spotbugs import SpotBugsReader
from agent_judge.judges.findings.text_lines import read_lines
from agent_judge.judges.reports.faults import FormatError
from agent_judge.judges.reports.json_entries import Begin, Keys, is_object, read_entries
from agent_judge.judges.reports.xml_events import Attributes, Elements, read_xml

if TYPE_CHECKING:
    from agent_judge.judges.reports.source import ReportFile

FORMATS: Final = (
    "bandit",
    "checkstyle",
    "compiler",
    "eslint",
    "flake8",
    "mypy",
    "pmd",
    "pylint",
    "pyright",
    "ruff",
    "sarif",
    "spotbugs",
)
"""What the formats are called; `"compiler"` is `file:line: message`, as compilers write."""

_LINES: Final = ("compiler", "flake8", "mypy", "pylint")
"""Formats of text, whose report may be empty where nothing was found."""


class _XmlReader(Protocol):
    elements: Elements

    def __init__(self, gathering: Gathering, root: Attributes, /) -> None: ...


_BY_ROOT: Final[dict[str, tuple[str, type[_XmlReader]]]] = {
    "BugCollection": ("spotbugs", SpotBugsReader),
    "checkstyle": ("checkstyle", CheckstyleReader),
    "pmd": ("pmd", PmdReader),
}

_ITEMS: Final[
    tuple[
        tuple[
            str, Callable[[Mapping[str, Any]], bool], Callable[[Mapping[str, Any], Gathering], None]
        ],
        ...,
    ]
] = (
    ("ruff", is_ruff, read_ruff),
    ("eslint", is_eslint, read_eslint),
    ("pylint", is_pylint, read_pylint),
    ("mypy", is_mypy, read_mypy),
)


def read_findings(report: ReportFile, format_: str | None = None) -> FindingsReport:
    r"""Read a report of a static analysis.

    Args:
        report: The report.
        format_: One of `FORMATS`, where that is known: it has to be of this one. A report in which
            nothing was found may be empty, and not tell its format.

    Raises:
        WorkspaceError: It is of no known format, or not as its format has it
            (`malformed_evidence`), or beyond a bound (`too_large`).

    Example:
        >>> from agent_judge.judges.reports.source import ReportFile
        >>> text = b"src/a.py:3: error: Missing return  [return]\n"
        >>> read_findings(ReportFile.of(text)).findings[0].rule
        'return'
    """
    gathering = Gathering()
    try:
        name = _read(report, gathering, format_)
    except FormatError as fault:
        raise report.malformed(str(fault)) from None
    if format_ not in (None, name):
        raise report.malformed(f"it is a report of {name}, not of {format_}")
    return gathering.report(name)


@dataclass(frozen=True, slots=True)
class ReadFindings:
    """`read_findings` for reports of one format; two of the same are equal."""

    format: str | None = None

    def __call__(self, report: ReportFile, /) -> FindingsReport:
        """Read a report."""
        return read_findings(report, self.format)


def _read(report: ReportFile, gathering: Gathering, format_: str | None) -> str:
    begins = report.begins
    if begins.startswith("<"):
        return _read_xml(report, gathering)
    if begins.startswith("{") and _is_object(begins.partition("\n")[0]):
        return _read_json_lines(report, gathering)
    if begins.startswith(("{", "[")):
        return _read_json(report, gathering, format_)
    if not begins and format_ == "ruff":  # JSON Lines without a finding
        return "ruff"
    return read_lines(report, gathering, format_ if format_ in _LINES else None)


def _read_xml(report: ReportFile, gathering: Gathering) -> str:
    names: list[str] = []

    def recognise(root: str, attributes: Attributes) -> Elements:
        if root not in _BY_ROOT:
            raise FormatError(f"<{root[:80]}> is no analysis that is known")
        name, reader = _BY_ROOT[root]
        names.append(name)
        return reader(gathering, attributes).elements

    read_xml(report, recognise)
    return names[0]


def _is_object(line: str) -> bool:
    """Whether a line is an object by itself, and so the first of JSON Lines."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return is_object(value) and (is_ruff(value) or is_mypy(value))


def _read_json_lines(report: ReportFile, gathering: Gathering) -> str:
    names: set[str] = set()
    for number, line in enumerate(report.lines(), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise FormatError(f"line {number} is no JSON") from None
        names.add(_read_item(value, gathering))
    return _one(names, gathering)


def _read_json(report: ReportFile, gathering: Gathering, format_: str | None) -> str:
    reader = _JsonReader(gathering)
    for keys, value in read_entries(report, _ENTERED):
        reader.entry(keys, value)
    return reader.finish(format_)


_ENTERED: Final = (
    (),
    ("generalDiagnostics",),
    ("messages",),
    ("results",),
    *sarif.ENTERED,
)
"""What is read entry by entry."""


class _JsonReader:
    """Reads a JSON document of any tool; what its members are called tells which."""

    def __init__(self, gathering: Gathering) -> None:
        self._gathering = gathering
        self._names: set[str] = set()
        self._seen: set[str] = set()
        self._is_list = False
        self._sarif = sarif.SarifReader(gathering)
        self._version: object = None

    def entry(self, keys: Keys, value: Any) -> None:
        """A value of the document, with the way to it."""
        if len(keys) == sarif.ENTRY:  # the many results of SARIF
            self._sarif.entry(keys, value)
            return
        match keys:
            case ():
                self._is_list = value is Begin.ARRAY
            case (int(),):
                self._names.add(_read_item(value, self._gathering))
            case ("version",):
                self._version = value
            case (str(member), *rest):
                if member in _TELLING:
                    self._seen.add(member)
                self._member(member, keys, value, in_list=bool(rest))
            case _:
                raise FormatError("it is no analysis that is known")

    def finish(self, format_: str | None) -> str:
        """Which format it was."""
        if self._is_list:
            return self._finish_list(format_)
        kinds = [kind for kind, members in _MEMBERS.items() if members <= self._seen]
        if len(kinds) != 1:
            raise FormatError("it is no analysis that is known")
        if kinds == ["sarif"]:
            self._sarif.version(self._version)
            self._sarif.finish()
        else:
            self._gathering.tool = kinds[0]
        return kinds[0]

    def _finish_list(self, format_: str | None) -> str:
        if self._names or format_ is None:
            return _one(self._names, self._gathering)
        if format_ == "eslint":  # it lists every file that it looks at
            self._gathering.analysed_files()
        self._gathering.tool = format_
        return format_

    def _member(self, member: str, keys: Keys, value: Any, *, in_list: bool) -> None:
        gathering = self._gathering
        if member == "runs":
            self._sarif.entry(keys, value)
        elif in_list and member in _LISTS:
            _LISTS[member](value, gathering)
        elif not in_list and member in _SINGLE:
            _SINGLE[member](value, gathering)


_LISTS: Final[dict[str, Callable[[Any, Gathering], None]]] = {
    "generalDiagnostics": pyright.read_pyright,
    "messages": pylint.read_pylint,
    "results": bandit.read_bandit,
}
_SINGLE: Final[dict[str, Callable[[Any, Gathering], None]]] = {
    "summary": pyright.read_summary,
    "statistics": pylint.read_statistics,
    "metrics": bandit.read_metrics,
    "errors": bandit.read_errors,
}
_MEMBERS: Final[dict[str, frozenset[str]]] = {
    "sarif": frozenset({"runs"}),
    "pyright": frozenset({"generalDiagnostics", "summary"}),
    "pylint": frozenset({"messages", "statistics"}),
    "bandit": frozenset({"results", "metrics"}),
}
"""The members by which an object is recognised."""

_TELLING: Final = frozenset[str]().union(*_MEMBERS.values())


def _read_item(value: Any, gathering: Gathering) -> str:
    """Read an item of a list, and say which tool's it is."""
    if is_object(value):
        for name, recognise, read in _ITEMS:
            if recognise(value):
                read(value, gathering)
                return name
    raise FormatError("an entry is of no tool that is known")


def _one(names: set[str], gathering: Gathering) -> str:
    """The one tool whose items there were; of an empty list nobody knows."""
    if len(names) > 1:
        raise FormatError(f"it mixes {' and '.join(sorted(names))}")
    gathering.tool = next(iter(names), "")
    return gathering.tool or "json"
