"""Verdicts made readable: for the terminal, for the page of a CI job, for machines."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import mkstemp
from typing import Final

from agent_judge.errors import ArgumentError
from agent_judge.report.junit import as_junit
from agent_judge.report.markdown import as_markdown
from agent_judge.report.model import Case, Report
from agent_judge.report.sarif import as_sarif
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
    "as_sarif",
    "as_table",
    "check_writable",
    "format_of",
    "read_report",
    "write_report",
]

FORMATS: Final[Mapping[str, Callable[[Report], str]]] = {
    "json": as_json,
    "jsonl": as_json_lines,
    "junit": as_junit,
    "markdown": as_markdown,
    "sarif": as_sarif,
}

_BY_SUFFIX: Final = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".xml": "junit",
    ".md": "markdown",
    ".sarif": "sarif",
}


def format_of(path: Path) -> str:
    """The format that a file's name asks for.

    Raises:
        ArgumentError: The name asks for none that is known.
    """
    if path.name.lower().endswith(".sarif.json"):
        return "sarif"
    name = _BY_SUFFIX.get(path.suffix.lower())
    if name is None:
        raise ArgumentError(f"{path}: the name must end with one of {', '.join(_BY_SUFFIX)}")
    return name


def write_report(report: Report, path: Path) -> None:
    """Write a report in the format that the file's name asks for, whole or not at all.

    It is written beside the file, under a name that nobody can guess, and moved into its place:
    a link that judged work planted there is replaced, not followed.

    Raises:
        ArgumentError: The name asks for no format that is known, or cannot be written to.
        OSError: The file cannot be written.
    """
    text = FORMATS[format_of(path)](report)
    check_writable(path)
    descriptor, name = mkstemp(dir=path.parent, prefix=f".{path.name}.")
    unfinished = Path(name)
    try:
        os.close(descriptor)
        unfinished.write_text(text, encoding="utf-8", newline="\n")
        unfinished.chmod(_MODE)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


_MODE: Final = 0o644
"""Who may read a report: everybody, as of any file that a tool of a CI job leaves behind."""


def check_writable(path: Path) -> None:
    """Refuse the name of a report that cannot be written, before anything is judged.

    Raises:
        ArgumentError: Its folder is not there, or it is a folder itself.
    """
    if not path.parent.is_dir():
        raise ArgumentError(f"{path}: there is no folder {path.parent}")
    if path.is_dir():
        raise ArgumentError(f"{path}: is a folder")
