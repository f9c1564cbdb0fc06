"""The command line, `agent-judge`: one module a command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; it needs the extra `cli`."""
    from agent_judge.errors import MissingExtraError
    from agent_judge.extras import load

    try:
        load("typer", extra="cli", needed_by="the command agent-judge")
    except MissingExtraError as missing:
        sys.stderr.write(f"error: {missing}\n")
        raise SystemExit(2) from None
    from agent_judge.cli.app import app

    app()
