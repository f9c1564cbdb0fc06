"""`agent-judge validate`: check a configuration without judging anything."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from agent_judge.cli.terminal import emit, errors_explained


def validate(
    config: Annotated[
        Path | None, typer.Option("-c", "--config", help="Configuration; else the nearest one.")
    ] = None,
) -> None:
    """Check the configuration, and show the jury that it describes."""
    from agent_judge.cli.outline import outline
    from agent_judge.config import build, find_configuration, read_configuration

    with errors_explained():
        path = config or find_configuration(Path.cwd())
        description = build(read_configuration(path)).describe()
        emit(f"{path}: valid\n" + "".join(f"{line}\n" for line in outline(description)))
