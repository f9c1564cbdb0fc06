"""The commands, put together."""

from __future__ import annotations

from typing import Annotated

import typer

from agent_judge.cli.cache import cache
from agent_judge.cli.export import export
from agent_judge.cli.hook import hook
from agent_judge.cli.init import init
from agent_judge.cli.listing import list_judges
from agent_judge.cli.loop import loop
from agent_judge.cli.mcp_server import mcp
from agent_judge.cli.run import run
from agent_judge.cli.schema import schema
from agent_judge.cli.terminal import emit
from agent_judge.cli.validate import validate

app = typer.Typer(
    name="agent-judge",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

for command in (run, validate, init, schema, export, hook, mcp):
    app.command()(command)
app.command("list")(list_judges)
app.command(context_settings={"ignore_unknown_options": True})(loop)
app.add_typer(cache, name="cache")


def _show_version(wanted: bool) -> None:
    if wanted:
        from agent_judge import __version__

        emit(f"agent-judge {__version__}\n")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Unit tests for agents: decide whether an agent's work is done."""
