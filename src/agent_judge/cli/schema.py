"""`agent-judge schema`: the JSON Schema of the configuration."""

from __future__ import annotations

import json

from agent_judge.cli.terminal import emit_document, errors_explained


def schema() -> None:
    """Print the JSON Schema of the configuration, for editors."""
    from agent_judge.config.schema import configuration_schema

    with errors_explained():
        emit_document(json.dumps(configuration_schema(), indent=2) + "\n")
