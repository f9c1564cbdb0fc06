"""`agent-judge list`: the judges that configuration knows by name."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import typer

from agent_judge.cli.terminal import emit, errors_explained


def list_judges(
    format: Annotated[  # noqa: A002 - the option's name
        Literal["table", "json"], typer.Option("--format", help="What to print.")
    ] = "table",
) -> None:
    """List the judges that a configuration can name, with their cost and options."""
    with errors_explained():
        rows = list(_rows())
        if format == "json":
            emit(json.dumps(rows, indent=2) + "\n")
            return
        wide = max(len(row["type"]) for row in rows)
        for row in rows:
            emit(f"{row['type']:{wide}}  {row['cost']:7}  {row['summary']}\n")


def _rows() -> Iterator[dict[str, Any]]:
    from agent_judge.config.registry import BUILT_IN, entry_points, find_judge
    from agent_judge.protocol import JudgeMetadata

    for name in sorted({*BUILT_IN, *entry_points()}):
        judge = find_judge(name)
        metadata = getattr(judge, "metadata", None)
        known = metadata if isinstance(metadata, JudgeMetadata) else None
        cost = (
            known.cost.name.lower() if known is not None and known.cost is not None else "unknown"
        )
        yield {
            "type": name,
            "cost": cost,
            "needs": list(known.needs) if known is not None else [],
            "options": list(inspect.signature(judge).parameters) if isinstance(judge, type) else [],
            "summary": (inspect.getdoc(judge) or "").partition("\n")[0],
        }
