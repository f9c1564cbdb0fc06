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
    """Check the configuration, and show the juries that it describes."""
    from agent_judge.cli.outline import outline
    from agent_judge.config import (
        ModelSettings,
        build_all,
        find_configuration,
        read_configuration,
    )

    with errors_explained():
        path = config or find_configuration(Path.cwd())
        juries = build_all(read_configuration(path), models=ModelSettings(asked=False))
        described = {f"juries.{name}: ": jury for name, jury in juries.named.items()}
        if juries.default is not None:
            described = {"": juries.default, **described}
        emit(f"{path}: valid\n")
        for label, jury in described.items():
            emit("".join(f"{line}\n" for line in outline(jury.describe(), label=label)))
