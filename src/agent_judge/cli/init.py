"""`agent-judge init`: write a configuration to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from agent_judge.cli.terminal import emit, errors_explained, fail

TEMPLATE: Final = """\
# What "done" means here. Check this file with `agent-judge validate`, judge a folder with
# `agent-judge run --workspace FOLDER`, list the judges with `agent-judge list`.

# The cheap judges come first: one failure of this tier settles the matter.
[[tiers]]
name = "files"
policy = "reject_on_any_fail"

[[tiers.judges]]
type = "file_exists"
path = "README.md"

# The last tier's own vote is the verdict.
[[tiers]]
name = "command"
policy = "final_tier"
strategy = "all_must_pass"

[[tiers.judges]]
name = "tests"
type = "command"
command = "pytest -q"  # your own: the exit code counts, what is printed does not
timeout = 600
"""


def init(
    config: Annotated[Path, typer.Option("-c", "--config", help="The file to write.")] = Path(
        "agent-judge.toml"
    ),
) -> None:
    """Write a configuration to begin with; a file that is there is left alone."""
    with errors_explained():
        if config.suffix != ".toml":
            fail(f"{config}: the name must end with .toml")
        try:
            with config.open("x", encoding="utf-8", newline="\n") as file:
                file.write(TEMPLATE)
        except FileExistsError:
            fail(f"{config}: is there already, and is left as it is")
        emit(f"wrote {config}\n")
