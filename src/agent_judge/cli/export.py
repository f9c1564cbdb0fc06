"""`agent-judge export`: write a stored report in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from agent_judge.cli.terminal import emit, emit_document, errors_explained, has_color, width


def export(
    stored: Annotated[Path, typer.Argument(help="A report: .json or .jsonl.")],
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "-o", "--output", help="Report to write: .json .jsonl .xml .md .sarif; repeatable."
        ),
    ] = None,
    format: Annotated[  # noqa: A002 - the option's name
        Literal["table", "json", "jsonl", "junit", "markdown", "sarif"],
        typer.Option("--format", help="What to print, where nothing is written."),
    ] = "table",
) -> None:
    """Write a stored report in another format. Verdicts that were changed are refused."""
    from agent_judge.report import FORMATS, as_table, read_report, write_report

    with errors_explained():
        report = read_report(stored)
        for path in output or ():
            write_report(report, path)
        if output:
            return
        if format == "table":
            emit(as_table(report, width=width(), color=has_color(no_color=False)))
        else:
            emit_document(FORMATS[format](report))
