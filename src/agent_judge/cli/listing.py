"""`agent-judge list`: the judges that configuration knows by name."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from agent_judge.cli.terminal import emit, emit_document, errors_explained, fail
from agent_judge.errors import ConfigurationError

if TYPE_CHECKING:
    from agent_judge.config.options import Option


def list_judges(
    types: Annotated[
        list[str] | None, typer.Argument(help="Show only these, with their options.")
    ] = None,
    format: Annotated[  # noqa: A002 - the option's name
        Literal["table", "json"], typer.Option("--format", help="What to print.")
    ] = "table",
) -> None:
    """List the judges that a configuration can name, with their cost and options."""
    with errors_explained():
        rows = [_row(name) for name in _chosen(types or ())]
        if format == "json":
            emit_document(json.dumps(rows, indent=2) + "\n")
        else:
            emit("".join(f"{line}\n" for line in _lines(rows, with_options=bool(types))))


def _chosen(names: Sequence[str]) -> Sequence[str]:
    from agent_judge.config.faults import unknown
    from agent_judge.config.registry import known_types

    known = known_types()
    for name in names:
        if name not in known and ":" not in name:
            fail(unknown("judge type", name, known))
    return names or known


def _row(name: str) -> dict[str, Any]:
    """What is known of a judge; of one that cannot be loaded, why not."""
    from agent_judge.config.options import options_of
    from agent_judge.config.registry import find_judge
    from agent_judge.protocol import JudgeMetadata

    try:
        judge = find_judge(name)
    except ConfigurationError as fault:
        return {"type": name, "cost": "unknown", "needs": [], "options": [], "summary": str(fault)}
    metadata = getattr(judge, "metadata", None)
    known = metadata if isinstance(metadata, JudgeMetadata) else None
    options = options_of(judge) if isinstance(judge, type) else {}
    return {
        "type": name,
        "cost": known.cost.name.lower() if known and known.cost is not None else "unknown",
        "needs": list(known.needs) if known else [],
        "options": [_option(option) for option in options.values()],
        "summary": (inspect.getdoc(judge) or "").partition("\n")[0],
    }


def _option(option: Option) -> dict[str, Any]:
    from agent_judge.config.schema import type_schema

    said = {"name": option.name, "needed": option.needed, "schema": type_schema(option.hint)}
    return said if option.needed else {**said, "default": _plain(option.default)}


def _plain(value: object) -> object:
    """A default as configuration would write it; what it cannot write is left as `null`."""
    from agent_judge.errors import AgentJudgeError
    from agent_judge.frozen import freeze, thaw

    try:
        return thaw(freeze(getattr(value, "value", value), "default"))
    except AgentJudgeError:
        return None


def _lines(rows: Sequence[dict[str, Any]], *, with_options: bool) -> Iterator[str]:
    wide = max(len(row["type"]) for row in rows)
    for row in rows:
        yield f"{row['type']:{wide}}  {row['cost']:7}  {row['summary']}"
        for option in row["options"] if with_options else ():
            default = "" if option["needed"] else f" = {json.dumps(option['default'])}"
            yield f"    {option['name']}{default or '  (needed)'}"
