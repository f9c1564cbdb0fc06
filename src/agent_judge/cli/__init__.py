"""The command line, `agent-judge`: one module a command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; it needs the extra `cli`.

    Python ends a program that crashes with 1, which here says that a run failed. So a crash of the
    command line itself ends with 3, as any error does.
    """
    from agent_judge.errors import MissingExtraError
    from agent_judge.extras import load

    try:
        load("typer", extra="cli", needed_by="the command agent-judge")
    except MissingExtraError as missing:
        sys.stderr.write(f"error: {missing}\n")
        raise SystemExit(2) from None
    from agent_judge.cli.app import app

    try:
        app()
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # noqa: BLE001 - whatever it is, nothing was found of the runs
        from traceback import print_exc

        print_exc()
        raise SystemExit(3) from None
