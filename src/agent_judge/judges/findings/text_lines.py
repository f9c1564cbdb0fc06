"""Findings in lines of text: mypy, flake8, Pylint, and tools that write as compilers do."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from agent_judge.judges.findings.gathering import Gathering
from agent_judge.judges.findings.mypy_json import SEVERITIES as MYPY
from agent_judge.judges.findings.record import Severity
from agent_judge.judges.reports.faults import FormatError

if TYPE_CHECKING:
    from agent_judge.judges.reports.source import ReportFile

_PATH: Final = r"(?P<path>(?:[A-Za-z]:)?[^:\r\n]+):"
_LINE: Final = r"(?P<line>\d{1,9}):(?:(?P<column>\d{1,9}):)?"

_MYPY: Final = re.compile(
    _PATH + r"(?:(?P<line>\d{1,9}):)?(?:(?P<column>\d{1,9}):)?"
    r"(?:\d{1,9}:\d{1,9}:)? (?P<severity>error|warning|note): "
    r"(?P<message>.*?)(?:  \[(?P<rule>[\w-]+)\])?"
)
_FLAKE8: Final = re.compile(_PATH + _LINE + r" (?P<rule>[A-Z]{1,9}\d{1,9}) (?P<message>.*)")
_BRACKETS: Final = re.compile(
    _PATH
    + r"(?:[A-Za-z_][\w.]*:)?"
    + _LINE
    + r" \[(?P<rule>[A-Z]\d*)(?:\([\w-]+\))?(?:, ?[^\]]*)?\]"
    r" (?P<message>.*)"
)
_PYLINT: Final = re.compile(
    _PATH + _LINE + r" (?P<rule>[CRWEFI]\d{4}): (?P<message>.*?)(?: \([\w-]+\))?"
)
_PLAIN: Final = re.compile(_PATH + _LINE + r" (?P<message>\S.*)")

_PYLINT_SEVERITIES: Final = {
    "F": Severity.ERROR,
    "E": Severity.ERROR,
    "W": Severity.WARNING,
    "R": Severity.NOTE,
    "C": Severity.NOTE,
    "I": Severity.NOTE,
}


class _Format(NamedTuple):
    """A way to write a finding in a line."""

    name: str
    line: re.Pattern[str]
    severity: Callable[[re.Match[str]], Severity]
    noise: re.Pattern[str]
    column_from: int = 1


def _mypy_severity(found: re.Match[str]) -> Severity:
    return MYPY[found["severity"]]


def _pylint_severity(found: re.Match[str]) -> Severity:
    return _PYLINT_SEVERITIES.get(found["rule"][0], Severity.WARNING)


def _an_error(_found: re.Match[str]) -> Severity:
    return Severity.ERROR


def _a_warning(_found: re.Match[str]) -> Severity:
    return Severity.WARNING


_NOTHING: Final = re.compile(r"(?!)")
_PYLINT_NOISE: Final = re.compile(r"\*+ Module .*|-+|Your code has been rated at .*")

_FORMATS: Final = (
    _Format("mypy", _MYPY, _mypy_severity, re.compile(r"(?:Found|Success:) .*")),
    _Format("flake8", _FLAKE8, _an_error, _NOTHING),
    _Format("pylint", _PYLINT, _pylint_severity, _PYLINT_NOISE, column_from=0),
    _Format("pylint", _BRACKETS, _pylint_severity, _PYLINT_NOISE),
    _Format("compiler", _PLAIN, _a_warning, _NOTHING),
)

NAMES: Final = tuple(dict.fromkeys(form.name for form in _FORMATS))
"""The names of the formats."""

_CHECKED: Final = re.compile(
    r"(?:Success: no issues found in (?P<clean>\d{1,9}) source files?"
    r"|Found \d+ errors? in \d+ files? \((?:checked (?P<checked>\d{1,9}) source files?"
    r"|(?P<stopped>errors prevented further checking))\))"
)


def read_lines(report: ReportFile, gathering: Gathering, name: str | None = None) -> str:
    """Read findings line by line, and say in which format they are.

    Args:
        report: The report.
        gathering: Takes what is found.
        name: The format, where it is known; else the first line tells it.

    Raises:
        FormatError: A line is none of a format, so that a finding may have been missed; or there
            is no line to tell the format by.
    """
    form = None
    for number, line in enumerate(report.lines(), 1):
        stripped = line.strip()
        if not stripped:
            continue
        if form is None:
            form = _format_of(stripped, name)
        found = None if form is None else form.line.fullmatch(stripped)
        if form is None or (found is None and not form.noise.fullmatch(stripped)):
            raise FormatError(f"line {number} is no finding that is known: {stripped[:80]!r}")
        if found is not None:
            _note(form, found, gathering)
        elif form.name == "mypy":
            _note_summary(stripped, gathering)
    if form is None and name is None:
        raise FormatError("it is empty, and does not tell which tool wrote it")
    gathering.tool = form.name if form is not None else str(name)
    return gathering.tool


def _format_of(line: str, name: str | None) -> _Format | None:
    """The format whose line it is; a finding tells more than a line without one."""
    forms = [form for form in _FORMATS if name in (None, form.name)]
    for form in forms:
        if form.line.fullmatch(line):
            return form
    return next((form for form in forms if form.noise.fullmatch(line)), None)


def _note(form: _Format, found: re.Match[str], gathering: Gathering) -> None:
    fields = found.groupdict()
    column = fields["column"]
    gathering.finding(
        rule=fields.get("rule"),
        message=fields["message"],
        severity=form.severity(found),
        path=fields["path"],
        line=fields["line"],
        column=int(column) + 1 - form.column_from if column else None,
    )


def _note_summary(line: str, gathering: Gathering) -> None:
    """How many files mypy checked, in the line that it ends with."""
    summary = _CHECKED.fullmatch(line)
    if summary is None:
        raise FormatError(f"{line[:80]!r} is no summary that is known")
    if summary["stopped"]:
        gathering.problem(line)
    else:
        gathering.analysed_count(int(summary["clean"] or summary["checked"]))
