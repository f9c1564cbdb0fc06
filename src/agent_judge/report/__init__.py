"""Verdicts made readable: for the terminal, for the page of a CI job, for machines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from agent_judge.errors import ArgumentError
from agent_judge.report.junit import as_junit
from agent_judge.report.markdown import as_markdown
from agent_judge.report.model import Case, Report
from agent_judge.report.stored import as_json, as_json_lines, read_report
from agent_judge.report.table import as_table

__all__ = [
    "FORMATS",
    "Case",
    "Report",
    "as_json",
    "as_json_lines",
    "as_junit",
    "as_markdown",
    "as_table",
    "format_of",
    "read_report",
    "write_report",
]

FORMATS: Final[Mapping[str, Callable[[Report], str]]] = {
    "json": as_json,
    "jsonl": as_json_lines,
    "junit": as_junit,
    "markdown": as_markdown,
}

_BY_SUFFIX: Final = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".xml": "junit",
    ".md": "markdown",
}


def format_of(path: Path) -> str:
    """The format that a file's name asks for.

    Raises:
        ArgumentError: The name asks for none that is known.
    """
    name = _BY_SUFFIX.get(path.suffix.lower())
    if name is None:
        raise ArgumentError(f"{path}: the name must end with one of {', '.join(_BY_SUFFIX)}")
    return name


def write_report(report: Report, path: Path) -> None:
    """Write a report in the format that the file's name asks for, whole or not at all.

    Raises:
        ArgumentError: The name asks for no format that is known.
        OSError: The file cannot be written.
    """
    text = FORMATS[format_of(path)](report)
    unfinished = path.with_name(f".{path.name}.part")
    try:
        unfinished.write_text(text, encoding="utf-8", newline="\n")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
